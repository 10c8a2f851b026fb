/*
 * An opened trace, as its own files see it. The index is made by opening, so nothing
 * waits for it. What each file of listings or contents answers for the tree is
 * declared in that file's header.
 */
#ifndef GPUDUMPFS_APITRACE_APITRACE_H
#define GPUDUMPFS_APITRACE_APITRACE_H

#include "formats/apitrace/index.h"
#include "tree/dump.h"

struct apitrace_dump {
    struct dump base;
    struct apitrace_index index;
};

static inline struct apitrace_dump *apitrace_dump_of(struct dump *dump)
{
    return (struct apitrace_dump *)dump;
}

static inline const struct apitrace_index *apitrace_index_of(const struct dump *dump)
{
    return &((const struct apitrace_dump *)dump)->index;
}

/* The record of one call, number < packets. */
struct apitrace_record apitrace_record_of(const struct apitrace_index *index, uint64_t number);

#endif

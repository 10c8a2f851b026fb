/*
 * An opened AeroGPU trace, as the files of this folder see it. What a view makes for the
 * tree is declared in that view's header.
 */
#ifndef GPUDUMPFS_AEROGPU_DUMP_H
#define GPUDUMPFS_AEROGPU_DUMP_H

#include "cache/index_task.h"
#include "formats/aerogpu/scan.h"
#include "tree/dump.h"

struct aerogpu_replay;
struct aerogpu_follower;

struct aerogpu_dump {
    struct dump base;
    struct aerogpu_index index;
    struct aerogpu_limits limits;
    struct aerogpu_replay *replay;

    struct index_task pass; /* makes the scan, in one step; of a trace that grows, follows it */
    struct aerogpu_scan scan;
    struct aerogpu_follower *follower; /* NULL: it does not grow */
};

static inline struct aerogpu_dump *aerogpu_dump_of(struct dump *dump)
{
    return (struct aerogpu_dump *)dump;
}

static inline const struct aerogpu_dump *aerogpu_dump_of_const(const struct dump *dump)
{
    return (const struct aerogpu_dump *)dump;
}

/*
 * The index: of a trace that grows, that of what is shown, and once it has ended, of all.
 * Both are the same for frames that are shown; a caller that needs index and scan of a frame
 * gets the index first.
 */
const struct aerogpu_index *aerogpu_dump_index(const struct aerogpu_dump *dump);

/* The scan where it is known that it is there. */
const struct aerogpu_scan *aerogpu_dump_scanned(const struct aerogpu_dump *dump);

/* What follows from all of a trace is there: 0, or -ENOENT while more may come. */
int aerogpu_has_all(struct dump *dump, uint64_t key);

/* The scan, made now if need be. 0, -EINTR, -ENOMEM, -EFBIG. */
int aerogpu_dump_scan(struct aerogpu_dump *dump, const struct cancel *cancel,
                      const struct aerogpu_scan **out);

/* The scan if it is there already, else NULL; then the answer is -EAGAIN. */
const struct aerogpu_scan *aerogpu_dump_peek(struct aerogpu_dump *dump);

/* Digits of the last of `count` numbers, at least `min`. */
unsigned aerogpu_digits(uint64_t count, unsigned min);

/* The record that packet `number` is, as far as it goes. */
static inline void aerogpu_dump_record(const struct aerogpu_dump *dump, uint64_t number,
                                       struct aerogpu_record *out)
{
    aerogpu_index_record(aerogpu_dump_index(dump), (uint32_t)number, out);
}

#endif

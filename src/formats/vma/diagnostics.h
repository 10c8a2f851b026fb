/*
 * Where problems of a recording are reported: in those of the mount, in a text of one
 * packet, or nowhere, when lines are replayed again. Not shared among
 * threads, unless it only has problems.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DIAGNOSTICS_H
#define GPUDUMPFS_FORMATS_VMA_DIAGNOSTICS_H

#include "base/problems.h"
#include "base/text.h"

struct vma_diagnostics {
    struct problems *problems; /* NULL: none are added */
    struct text *text;         /* NULL: none are written; else `problem: …` lines */
    uint64_t count;            /* of problems reported */
};

/*
 * Reports a problem of a packet's line: `Line N: what`, N = packet + 1. The
 * diagnostics may be NULL.
 */
void vma_diagnostics_add(struct vma_diagnostics *diagnostics, enum problem_severity severity,
                         uint64_t offset, uint64_t packet, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif

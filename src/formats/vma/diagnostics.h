/*
 * Where defects of a recording are told: the mount's problems, or a text of one
 * packet, or nowhere, when lines are replayed a second time. Not shared among
 * threads, unless it only has problems.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DIAGNOSTICS_H
#define GPUDUMPFS_FORMATS_VMA_DIAGNOSTICS_H

#include "core/problems.h"
#include "core/text.h"

struct vma_diagnostics {
    struct problems *problems; /* NULL: not told there */
    struct text *text;         /* NULL: not told there; else `problem: …` lines */
    uint64_t count;            /* of defects told */
};

/*
 * Tells of a defect in a packet's line: `Line N: what`, N = packet + 1. The
 * diagnostics may be NULL.
 */
void vma_diagnostics_add(struct vma_diagnostics *diagnostics, enum problem_severity severity,
                         uint64_t offset, uint64_t packet, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Where a cut is written to, run by run: a window of it in memory, or a sink that takes all. What
 * lies beside the window is counted. One thread at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_OUTPUT_H
#define GPUDUMPFS_AEROGPU_CUT_OUTPUT_H

#include "tree/dump.h"

struct aerogpu_output {
    uint64_t from, to; /* the window; UINT64_MAX with a sink */
    uint8_t *bytes;    /* of it; NULL: none are wanted, or a sink takes them */
    dump_sink *sink;
    void *context;
    const struct cancel *cancel;
    uint64_t at; /* how far all has come */
    int status;  /* the first failure, after which nothing is written any more */
};

void aerogpu_output_bytes(struct aerogpu_output *out, const void *bytes, uint64_t size);
void aerogpu_output_u32(struct aerogpu_output *out, uint32_t value);
void aerogpu_output_u64(struct aerogpu_output *out, uint64_t value);
void aerogpu_output_zeros(struct aerogpu_output *out, uint64_t size);

/* So many bytes that are not made, since none of them is wanted. */
void aerogpu_output_skip(struct aerogpu_output *out, uint64_t size);

/* Whether one of the next `size` bytes is wanted. */
bool aerogpu_output_wants(const struct aerogpu_output *out, uint64_t size);

#endif

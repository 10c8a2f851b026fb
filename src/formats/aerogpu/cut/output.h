/* SPDX-License-Identifier: MIT */
/*
 * Receives a cut, run by run: keeps a window of it in memory, or passes everything to a sink. Bytes
 * outside of the window are only counted. Only one thread may use an output at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_OUTPUT_H
#define GPUDUMPFS_AEROGPU_CUT_OUTPUT_H

#include "tree/dump.h"

struct aerogpu_output {
    uint64_t from, to; /* the window; `to` is UINT64_MAX with a sink */
    uint8_t *bytes;    /* of the window; NULL if none are requested, or a sink receives them */
    dump_sink *sink;
    void *context;
    const struct cancel *cancel;
    uint64_t at; /* number of bytes written so far */
    int status;  /* the first failure, after which nothing more is written */
};

/* Append bytes, little-endian numbers, or zeros. A failure is stored in out->status. */
void aerogpu_output_bytes(struct aerogpu_output *out, const void *bytes, uint64_t size);
void aerogpu_output_u32(struct aerogpu_output *out, uint32_t value);
void aerogpu_output_u64(struct aerogpu_output *out, uint64_t value);
void aerogpu_output_zeros(struct aerogpu_output *out, uint64_t size);

/* Counts `size` bytes that are not made, since none of them is requested. */
void aerogpu_output_skip(struct aerogpu_output *out, uint64_t size);

/* Returns whether any of the next `size` bytes is requested. */
bool aerogpu_output_wants(const struct aerogpu_output *out, uint64_t size);

#endif

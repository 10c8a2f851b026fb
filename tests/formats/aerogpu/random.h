/* SPDX-License-Identifier: MIT */
/*
 * Random AeroGPU traces, valid unless requested otherwise: resources of all formats, mips and
 * layers, views, uploads, guest memory, copies, clears, draws without shaders, shared surfaces, all
 * kinds of state, several frames and PRESENTs. The same number gives the same trace.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_AEROGPU_RANDOM_H
#define GPUDUMPFS_TESTS_FORMATS_AEROGPU_RANDOM_H

#include "examples/trace_writer.h"

#include <stdbool.h>

struct random_params {
    uint64_t number; /* number of the trace; not 0 */
    uint32_t frames;
    uint32_t commands;  /* of each frame */
    bool plain_formats; /* only formats of 8 bits, whose texels both replays store alike */
};

/* Builds a complete trace, to be freed with trace_free(). */
void random_trace(const struct random_params *params, struct trace_writer *writer);

#endif

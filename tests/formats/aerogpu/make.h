/* SPDX-License-Identifier: MIT */
/*
 * Complete AeroGPU traces of all commands, with the pictures that they must show. Each frame is a
 * scene (paint.h); every kind of scene comes once before any comes again. The same parameters give
 * the same bytes.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_AEROGPU_MAKE_H
#define GPUDUMPFS_TESTS_FORMATS_AEROGPU_MAKE_H

#include "tests/formats/aerogpu/paint.h"

struct make_params {
    uint64_t seed; /* not 0 */
    uint32_t frames;
    uint32_t width, height; /* of the screen; at least 32 each; Appendix A uses 64x64 */
    bool packets;           /* streams in Packet records of version 1 instead of submissions */
    bool appendix;          /* the trace of Appendix A */
    bool noise;             /* slack, unknown opcodes, longer packets, markers */
    bool unfinished;        /* no table of contents and no footer */
};

struct made {
    struct trace_writer writer;
    uint32_t frames;
    struct expected *pictures;
    const char **scenes; /* what each frame shows */
};

void aerogpu_make(const struct make_params *params, struct made *out);
void aerogpu_make_appendix(const struct make_params *params, struct made *out);
void aerogpu_made_free(struct made *made);

/* Writes "frame N: WxH sha256=…", as hashes.txt has it, to `line`. */
void aerogpu_made_line(const struct made *made, uint32_t frame, char line[120]);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Containers in memory, without files: the first byte chooses an expander and how many bytes it
 * receives at a time. The state of an expander is created once and restarted for each stream, as
 * for consecutive streams of a file. The tables of seekable files are read, too.
 */
#include "config.h"

#include "source/expand.h"
#include "source/seekable.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OUT = 1 << 12, OUT_MAX = 1 << 16, STREAMS_MAX = 16 };

/*
 * Expands one stream from the rest of the input. Returns true at the end of the stream, or false if
 * the stream is damaged, is cut off, or has more than OUT_MAX bytes.
 */
static bool expand_stream(const struct expander *expander, void *state, size_t step,
                          struct expand_buffers *buffers)
{
    static uint8_t out[OUT];
    size_t left = buffers->in_left, given = 0;

    for (;;) {
        size_t in = left < step ? left : step;
        int status;

        buffers->in_left = in;
        buffers->out = out;
        buffers->out_left = sizeof(out);
        buffers->message = NULL;
        status = expander->step(state, buffers);
        if (buffers->in_left > in || buffers->out_left > sizeof(out))
            abort();
        left -= in - buffers->in_left;
        given += sizeof(out) - buffers->out_left;
        if (status == EXPAND_END) {
            buffers->in_left = left;
            return true;
        }
        if (status < 0 || given > OUT_MAX)
            return false;
        if (in == buffers->in_left && buffers->out_left == sizeof(out))
            return false; /* the stream is cut off */
    }
}

static void expand_all(unsigned number, size_t step, const uint8_t *data, size_t size)
{
    static void *states[EXPANDER_COUNT];
    const struct expander *expander = expanders[number];
    struct expand_buffers buffers = {.in = data, .in_left = size};

    (void)expander->recognises(data, size);
    if (states[number] == NULL && expander->create(&states[number]) < 0)
        return;
    for (unsigned stream = 0; stream < STREAMS_MAX && buffers.in_left > 0; stream++) {
        if (expander->restart(states[number]) < 0 ||
            !expand_stream(expander, states[number], step, &buffers))
            return;
        (void)expander->begins(buffers.in, buffers.in_left);
    }
}

static void expand_seekable(const uint8_t *data, size_t size)
{
    static uint8_t out[OUT_MAX];
    struct seekable seekable;
    uint64_t at = 0;

    if (!seekable_find(data, size, &seekable))
        return;
    for (uint32_t n = 0; n < seekable.count; n++) {
        uint32_t packed, raw;
        size_t given;

        seekable_frame(&seekable, n, &packed, &raw);
        if (at + packed > size)
            abort();
        if (raw <= sizeof(out) && seekable_expand(data + at, packed, out, raw, &given) == 0 &&
            given > raw)
            abort();
        if (seekable_begin(data + at, packed, out, 16, &given) == 0 && given > 16)
            abort();
        at += packed;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    expand_all(data[0] % EXPANDER_COUNT, (size_t)1 << data[0] / EXPANDER_COUNT % 16, data + 1,
               size - 1);
    expand_seekable(data + 1, size - 1);
    return 0;
}

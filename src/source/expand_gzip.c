/* SPDX-License-Identifier: MIT */
#include "source/expand.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW_BITS = 16 + MAX_WBITS, PIECE_MAX = 1 << 30 };

static bool gzip_begins(const uint8_t *data, uint64_t size)
{
    return size >= 3 && data[0] == 0x1F && data[1] == 0x8B && data[2] == Z_DEFLATED;
}

static int gzip_create(void **state)
{
    z_stream *stream = calloc(1, sizeof(*stream));

    if (stream == NULL)
        return -ENOMEM;
    if (inflateInit2(stream, GZIP_WINDOW_BITS) != Z_OK) {
        free(stream);
        return -ENOMEM;
    }
    *state = stream;
    return 0;
}

static int gzip_restart(void *state)
{
    return inflateReset(state) == Z_OK ? 0 : -ENOMEM;
}

static void gzip_destroy(void *state)
{
    inflateEnd(state);
    free(state);
}

static uInt piece(size_t size)
{
    return (uInt)(size < PIECE_MAX ? size : PIECE_MAX);
}

static int gzip_step(void *state, struct expand_buffers *buffers)
{
    z_stream *stream = state;
    uInt in = piece(buffers->in_left), out = piece(buffers->out_left);
    int result;

    stream->next_in = (z_const Bytef *)(uintptr_t)buffers->in;
    stream->avail_in = in;
    stream->next_out = buffers->out;
    stream->avail_out = out;
    result = inflate(stream, Z_NO_FLUSH);
    buffers->in = stream->next_in;
    buffers->in_left -= in - stream->avail_in;
    buffers->out = stream->next_out;
    buffers->out_left -= out - stream->avail_out;

    if (result == Z_STREAM_END)
        return EXPAND_END;
    if (result == Z_OK || result == Z_BUF_ERROR)
        return EXPAND_MORE;
    if (result == Z_MEM_ERROR)
        return -ENOMEM;
    buffers->message = stream->msg != NULL ? stream->msg : "data is corrupt";
    return -EBADMSG;
}

const struct expander expand_gzip = {
    .container = SOURCE_GZIP,
    .name = "gzip",
    .extension = ".gz",
    .zero_padding = true,
    .recognises = gzip_begins,
    .begins = gzip_begins,
    .create = gzip_create,
    .restart = gzip_restart,
    .destroy = gzip_destroy,
    .step = gzip_step,
};

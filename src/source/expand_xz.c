/* SPDX-License-Identifier: MIT */
#include "source/expand.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_MAX = 256 << 20 }; /* `xz -9` needs 65 MiB */

static const struct {
    lzma_ret code;
    const char *message;
} xz_messages[] = {
    {LZMA_FORMAT_ERROR, "Not an xz stream"},
    {LZMA_OPTIONS_ERROR, "Unsupported options"},
    {LZMA_DATA_ERROR, "Data is corrupt"},
    {LZMA_MEMLIMIT_ERROR, "Needs more than 256 MiB of memory"},
    {LZMA_BUF_ERROR, "Cannot go on"},
};

static bool xz_begins(const uint8_t *data, uint64_t size)
{
    static const uint8_t magic[] = {0xFD, '7', 'z', 'X', 'Z', 0};

    return size >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

static int xz_restart(void *state)
{
    return lzma_stream_decoder(state, MEMORY_MAX, 0) == LZMA_OK ? 0 : -ENOMEM;
}

static void xz_destroy(void *state)
{
    lzma_end(state);
    free(state);
}

static int xz_create(void **state)
{
    lzma_stream *stream = calloc(1, sizeof(*stream));
    int status = stream == NULL ? -ENOMEM : xz_restart(stream);

    if (status < 0)
        free(stream);
    else
        *state = stream;
    return status;
}

static int xz_step(void *state, struct expand_buffers *buffers)
{
    lzma_stream *stream = state;
    lzma_ret result;

    stream->next_in = buffers->in;
    stream->avail_in = buffers->in_left;
    stream->next_out = buffers->out;
    stream->avail_out = buffers->out_left;
    result = lzma_code(stream, LZMA_RUN);
    buffers->in = stream->next_in;
    buffers->in_left = stream->avail_in;
    buffers->out = stream->next_out;
    buffers->out_left = stream->avail_out;

    if (result == LZMA_STREAM_END)
        return EXPAND_END;
    if (result == LZMA_OK || (result == LZMA_BUF_ERROR && buffers->in_left == 0))
        return EXPAND_MORE;
    if (result == LZMA_MEM_ERROR)
        return -ENOMEM;
    buffers->message = "Unknown error";
    for (size_t i = 0; i < sizeof(xz_messages) / sizeof(xz_messages[0]); i++)
        if (xz_messages[i].code == result)
            buffers->message = xz_messages[i].message;
    return -EBADMSG;
}

const struct expander expand_xz = {
    .container = SOURCE_XZ,
    .name = "xz",
    .extension = ".xz",
    .zero_padding = true,
    .recognises = xz_begins,
    .begins = xz_begins,
    .create = xz_create,
    .restart = xz_restart,
    .destroy = xz_destroy,
    .step = xz_step,
};

/* SPDX-License-Identifier: MIT */
#include "source/expand.h"

#include "base/bytes.h"

#include <errno.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    WINDOW_LOG_MAX = 27,         /* 128 MiB, what `zstd --long` uses and expands unasked */
    SKIPPABLE_HEAD = 8,          /* magic and length */
    SKIPPABLE_FRAMES_MAX = 1024, /* looked over before the first frame with data */
};

static bool is_frame(const uint8_t *data, uint64_t size)
{
    return size >= 4 && bytes_le32(data) == ZSTD_MAGICNUMBER;
}

static bool is_skippable(const uint8_t *data, uint64_t size)
{
    return size >= SKIPPABLE_HEAD &&
           (bytes_le32(data) & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

static bool zstd_begins(const uint8_t *data, uint64_t size)
{
    return is_frame(data, size) || is_skippable(data, size);
}

/* A skippable frame tells nothing of what it is in: a frame with data must follow. */
static bool zstd_recognises(const uint8_t *data, uint64_t size)
{
    for (int i = 0; i < SKIPPABLE_FRAMES_MAX && is_skippable(data, size); i++) {
        uint64_t length = SKIPPABLE_HEAD + (uint64_t)bytes_le32(data + 4);

        if (length > size)
            return false;
        data += length;
        size -= length;
    }
    return is_frame(data, size);
}

static int zstd_create(void **state)
{
    ZSTD_DStream *stream = ZSTD_createDStream();

    if (stream == NULL)
        return -ENOMEM;
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    *state = stream;
    return 0;
}

static int zstd_restart(void *state)
{
    (void)state; /* the stream goes on to the next frame by itself */
    return 0;
}

static void zstd_destroy(void *state)
{
    ZSTD_freeDStream(state);
}

static int zstd_step(void *state, struct expand_buffers *buffers)
{
    ZSTD_inBuffer in = {buffers->in, buffers->in_left, 0};
    ZSTD_outBuffer out = {buffers->out, buffers->out_left, 0};
    size_t result = ZSTD_decompressStream(state, &out, &in);

    buffers->in += in.pos;
    buffers->in_left -= in.pos;
    buffers->out += out.pos;
    buffers->out_left -= out.pos;
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
        return -ENOMEM;
    if (ZSTD_isError(result)) {
        buffers->message = ZSTD_getErrorName(result);
        return -EBADMSG;
    }
    return result == 0 ? EXPAND_END : EXPAND_MORE;
}

const struct expander expand_zstd = {
    .container = SOURCE_ZSTD,
    .name = "zstd",
    .extension = ".zst",
    .recognises = zstd_recognises,
    .begins = zstd_begins,
    .create = zstd_create,
    .restart = zstd_restart,
    .destroy = zstd_destroy,
    .step = zstd_step,
};

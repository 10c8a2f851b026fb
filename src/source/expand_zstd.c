/* SPDX-License-Identifier: MIT */
#include "source/expand.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    WINDOW_LOG_MAX = 27, /* 128 MiB, which `zstd --long` uses, and expands without an option */
    SKIPPABLE_HEAD = 8,  /* magic and length */
    BLOCK_HEAD = 3,      /* header of the next block, requested along with a block */
    SKIPPABLE_FRAMES_MAX = 1024, /* skipped at most, before the first frame with data */
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

/* A skippable frame says nothing about the container: a frame with data must follow. */
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

struct zstd {
    ZSTD_DStream *stream;
    size_t first;  /* bytes that the decoder takes of a frame before it requests more */
    size_t wanted; /* bytes that the decoder requests next */
};

static int zstd_create(void **state)
{
    struct zstd *zstd = malloc(sizeof(*zstd));
    ZSTD_DStream *stream = ZSTD_createDStream();

    if (zstd == NULL || stream == NULL) {
        ZSTD_freeDStream(stream);
        free(zstd);
        return -ENOMEM;
    }
    zstd->stream = stream;
    zstd->wanted = zstd->first = ZSTD_initDStream(stream);
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    *state = zstd;
    return 0;
}

static int zstd_restart(void *state)
{
    (void)state; /* the stream continues with the next frame by itself */
    return 0;
}

static void zstd_destroy(void *state)
{
    struct zstd *zstd = state;

    ZSTD_freeDStream(zstd->stream);
    free(zstd);
}

/*
 * Passes one part that the decoder requests, a block or a checksum. If the part is damaged, the
 * output of the parts before has been returned already. If the decoder got everything at once, it
 * would hold that output back.
 */
static size_t take_part(struct zstd *zstd, struct expand_buffers *buffers)
{
    size_t wanted = zstd->wanted > BLOCK_HEAD ? zstd->wanted - BLOCK_HEAD : zstd->wanted;
    size_t part = buffers->in_left < wanted ? buffers->in_left : wanted;
    ZSTD_inBuffer in = {buffers->in, part, 0};
    ZSTD_outBuffer out = {buffers->out, buffers->out_left, 0};
    size_t result = ZSTD_decompressStream(zstd->stream, &out, &in);

    buffers->in += in.pos;
    buffers->in_left -= in.pos;
    buffers->out += out.pos;
    buffers->out_left -= out.pos;
    zstd->wanted = result != 0 ? result : zstd->first;
    return result;
}

static int zstd_step(void *state, struct expand_buffers *buffers)
{
    size_t result;

    do
        result = take_part(state, buffers);
    while (result != 0 && !ZSTD_isError(result) && buffers->in_left > 0 && buffers->out_left > 0);
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

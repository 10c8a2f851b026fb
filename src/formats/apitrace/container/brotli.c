/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include <brotli/decode.h>
#include <errno.h>

enum {
    PEEK_BYTES = 64 * 1024, /* bytes of the file that are read to see whether it is Brotli */
    PART_BYTES = 128,       /* bytes that the decoder is given at a time */
};

static bool never(const uint8_t *data, uint64_t size)
{
    (void)data, (void)size;
    return false;
}

static int create(void **state)
{
    *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    return *state != NULL ? 0 : -ENOMEM;
}

static int restart(void *state)
{
    (void)state;
    return 0; /* never called: a Brotli file has only one stream */
}

static void destroy(void *state)
{
    BrotliDecoderDestroyInstance(state);
}

/*
 * Decodes at most PART_BYTES at a time. If the decoder finds an error, it discards the output of
 * all input of that call, so the input is kept short.
 */
static BrotliDecoderResult take_part(void *state, struct expand_buffers *buffers)
{
    size_t part = buffers->in_left < PART_BYTES ? buffers->in_left : (size_t)PART_BYTES;
    size_t left = part;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state, &left, &buffers->in, &buffers->out_left, &buffers->out, NULL);

    buffers->in_left -= part - left;
    return result;
}

static int fault_of(void *state, struct expand_buffers *buffers)
{
    BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(state);

    if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
        code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES)
        return -ENOMEM;
    buffers->message = BrotliDecoderErrorString(code);
    return -EBADMSG;
}

static int step(void *state, struct expand_buffers *buffers)
{
    BrotliDecoderResult result;

    do
        result = take_part(state, buffers);
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT && buffers->in_left > 0 &&
           buffers->out_left > 0);
    switch (result) {
    case BROTLI_DECODER_RESULT_SUCCESS:
        return EXPAND_END;
    case BROTLI_DECODER_RESULT_ERROR:
        return fault_of(state, buffers);
    default:
        return EXPAND_MORE;
    }
}

int apitrace_brotli_peek(const uint8_t *data, uint64_t size, uint8_t *out, size_t room,
                         size_t *given)
{
    struct expand_buffers buffers = {.in = data,
                                     .in_left = size < PEEK_BYTES ? (size_t)size : PEEK_BYTES,
                                     .out = out,
                                     .out_left = room};
    void *state = NULL;
    int result = create(&state);

    if (result == 0) {
        result = step(state, &buffers);
        destroy(state);
    }
    *given = result < 0 ? 0 : room - buffers.out_left;
    return result == -ENOMEM ? result : 0;
}

const struct expander apitrace_brotli = {
    .container = SOURCE_PLAIN,
    .name = "Brotli",
    .recognises = never,
    .begins = never,
    .create = create,
    .restart = restart,
    .destroy = destroy,
    .step = step,
};

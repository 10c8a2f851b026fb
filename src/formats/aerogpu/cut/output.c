/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/cut/output.h"

#include "base/bytes.h"

#include <errno.h>
#include <string.h>

enum { SINK_BYTES = 1 << 20, ZEROS = 4096 };

bool aerogpu_output_wants(const struct aerogpu_output *out, uint64_t size)
{
    return out->status == 0 && out->at < out->to && out->at + size > out->from;
}

void aerogpu_output_skip(struct aerogpu_output *out, uint64_t size)
{
    out->at += size;
}

static void pass_on(struct aerogpu_output *out, const uint8_t *bytes, uint64_t size)
{
    while (out->status == 0 && size > 0) {
        size_t run = size < SINK_BYTES ? (size_t)size : SINK_BYTES;

        out->status = cancel_requested(out->cancel) ? -EINTR : out->sink(out->context, bytes, run);
        bytes += run;
        size -= run;
    }
}

void aerogpu_output_bytes(struct aerogpu_output *out, const void *bytes, uint64_t size)
{
    uint64_t begin = out->at > out->from ? out->at : out->from;
    uint64_t end = out->at + size < out->to ? out->at + size : out->to;

    if (out->status == 0 && out->sink != NULL && size > 0)
        pass_on(out, bytes, size);
    else if (out->status == 0 && out->bytes != NULL && begin < end)
        memcpy(out->bytes + (begin - out->from), (const uint8_t *)bytes + (begin - out->at),
               (size_t)(end - begin));
    out->at += size;
}

void aerogpu_output_u32(struct aerogpu_output *out, uint32_t value)
{
    uint8_t bytes[4];

    bytes_put_le32(bytes, value);
    aerogpu_output_bytes(out, bytes, sizeof(bytes));
}

void aerogpu_output_u64(struct aerogpu_output *out, uint64_t value)
{
    aerogpu_output_u32(out, (uint32_t)value);
    aerogpu_output_u32(out, (uint32_t)(value >> 32));
}

void aerogpu_output_zeros(struct aerogpu_output *out, uint64_t size)
{
    static const uint8_t zeros[ZEROS];

    if (!aerogpu_output_wants(out, size)) {
        aerogpu_output_skip(out, size);
        return;
    }
    for (uint64_t run; out->status == 0 && size > 0; size -= run) {
        run = size < ZEROS ? size : ZEROS;
        aerogpu_output_bytes(out, zeros, run);
    }
}

/* SPDX-License-Identifier: MIT */
#include "source/seekable.h"

#include "base/bytes.h"
#include "source/expand.h"

#include <errno.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    FOOTER_BYTES = 9, /* count, descriptor, magic */
    FRAME_HEAD = 8,   /* bytes of the head of the skippable frame that contains the table */
    ENTRY_BYTES = 8,
    CHECKED_ENTRY_BYTES = 12, /* bytes of an entry with a checksum */
    HAS_CHECK_SUMS = 0x80,    /* bit of the descriptor, if entries have a checksum */
};

#define SEEKABLE_MAGIC    0x8F92EAB1U
#define TABLE_FRAME_MAGIC 0x184D2A5EU

static bool adds_up(const struct seekable *seekable, uint64_t frames)
{
    uint64_t sum = 0;

    for (uint32_t n = 0; n < seekable->count; n++) {
        uint32_t packed, raw;

        seekable_frame(seekable, n, &packed, &raw);
        sum += packed;
    }
    return sum == frames;
}

bool seekable_find(const uint8_t *data, uint64_t size, struct seekable *out)
{
    const uint8_t *footer;
    uint64_t table;

    if (size < FRAME_HEAD + FOOTER_BYTES)
        return false;
    footer = data + size - FOOTER_BYTES;
    if (bytes_le32(footer + 5) != SEEKABLE_MAGIC || bytes_le32(data) != ZSTD_MAGICNUMBER)
        return false;
    out->count = bytes_le32(footer);
    out->entry_bytes = footer[4] & HAS_CHECK_SUMS ? CHECKED_ENTRY_BYTES : ENTRY_BYTES;
    table = (uint64_t)out->count * out->entry_bytes + FOOTER_BYTES;
    if (out->count == 0 || table > size - FRAME_HEAD)
        return false;
    out->table = data + (size - table);
    return bytes_le32(out->table - FRAME_HEAD) == TABLE_FRAME_MAGIC &&
           bytes_le32(out->table - FRAME_HEAD + 4) == table &&
           adds_up(out, size - table - FRAME_HEAD);
}

void seekable_frame(const struct seekable *seekable, uint32_t n, uint32_t *packed, uint32_t *raw)
{
    const uint8_t *entry = seekable->table + (size_t)n * seekable->entry_bytes;

    *packed = bytes_le32(entry);
    *raw = bytes_le32(entry + 4);
}

int seekable_begin(const uint8_t *frame, size_t packed, uint8_t *to, size_t room, size_t *given)
{
    struct expand_buffers buffers = {.in = frame, .in_left = packed, .out = to, .out_left = room};
    void *state = NULL;
    int status = expand_zstd.create(&state);

    *given = 0;
    if (status < 0)
        return status;
    status = expand_zstd.step(state, &buffers);
    expand_zstd.destroy(state);
    *given = room - buffers.out_left;
    return status == -ENOMEM ? status : 0;
}

int seekable_expand(const uint8_t *frame, size_t packed, uint8_t *to, size_t raw, size_t *given)
{
    int status;

    *given = ZSTD_decompress(to, raw, frame, packed);
    if (*given == raw)
        return 0;
    if (ZSTD_getErrorCode(*given) == ZSTD_error_memory_allocation) {
        *given = 0;
        return -ENOMEM;
    }
    status = seekable_begin(frame, packed, to, raw, given);
    if (*given == raw)
        *given = raw - 1;
    return status;
}

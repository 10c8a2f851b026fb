/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/cut/cut.h"

#include "base/bytes.h"

enum {
    FULL = APITRACE_CUT_HEAD + APITRACE_CUT_BLOCK, /* a full block and what precedes it */
    LITERAL = 62 << 2, /* the tag of a literal whose length has three bytes */
    LENGTH_BYTES = 4,
    LITERAL_BYTES = 4,
};

const uint8_t apitrace_cut_magic[APITRACE_CUT_MAGIC] = {'a', 't'};

size_t apitrace_cut_block_head(size_t size, uint8_t head[APITRACE_CUT_HEAD])
{
    size_t at = LENGTH_BYTES, left = size;

    for (; left >= 0x80; left >>= 7)
        head[at++] = (uint8_t)(left | 0x80);
    head[at++] = (uint8_t)left;
    head[at] = LITERAL;
    bytes_put_le(head + at + 1, LITERAL_BYTES - 1, size - 1);
    at += LITERAL_BYTES;
    bytes_put_le(head, LENGTH_BYTES, at - LENGTH_BYTES + size);
    return at;
}

uint64_t apitrace_cut_file_size(uint64_t stream)
{
    uint64_t size = APITRACE_CUT_MAGIC + stream / APITRACE_CUT_BLOCK * FULL;
    size_t rest = (size_t)(stream % APITRACE_CUT_BLOCK);
    uint8_t head[APITRACE_CUT_HEAD];

    return rest > 0 ? size + apitrace_cut_block_head(rest, head) + rest : size;
}

uint64_t apitrace_cut_file_place(uint64_t stream, uint64_t offset)
{
    uint64_t inside = offset > APITRACE_CUT_MAGIC ? offset - APITRACE_CUT_MAGIC : 0;
    uint64_t begin = inside / FULL * APITRACE_CUT_BLOCK;
    size_t size =
        (size_t)(stream - begin < APITRACE_CUT_BLOCK ? stream - begin : APITRACE_CUT_BLOCK);
    uint8_t head[APITRACE_CUT_HEAD];
    size_t head_size = size > 0 ? apitrace_cut_block_head(size, head) : 0;

    inside %= FULL;
    return begin + (inside > head_size ? inside - head_size : 0);
}

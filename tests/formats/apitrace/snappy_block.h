/* SPDX-License-Identifier: MIT */
/* Builds a Snappy block element by element. The caller must not exceed its room. */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_SNAPPY_BLOCK_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_SNAPPY_BLOCK_H

#include <stddef.h>
#include <stdint.h>

struct snappy_block {
    uint8_t bytes[200000];
    size_t size, raw;
};

static inline void snappy_put(struct snappy_block *block, uint8_t byte)
{
    block->bytes[block->size++] = byte;
}

static inline void snappy_put_head(struct snappy_block *block, uint32_t raw)
{
    block->size = block->raw = 0;
    for (; raw >= 0x80; raw >>= 7)
        snappy_put(block, (uint8_t)(raw | 0x80));
    snappy_put(block, (uint8_t)raw);
}

static inline void snappy_put_copy(struct snappy_block *block, uint32_t length, uint32_t offset)
{
    snappy_put(block, (uint8_t)((length - 1) << 2 | 3));
    for (unsigned n = 0; n < 4; n++)
        snappy_put(block, (uint8_t)(offset >> 8 * n));
    block->raw += length;
}

#endif

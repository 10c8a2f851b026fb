/* SPDX-License-Identifier: MIT */
/* Helpers with which tests write captures */
#ifndef GPUDUMPFS_TESTS_FORMATS_GFXRECONSTRUCT_BYTES_H
#define GPUDUMPFS_TESTS_FORMATS_GFXRECONSTRUCT_BYTES_H

#include "base/text.h"

/*
 * Appends `value` in `size` bytes, little-endian, as captures store numbers; bytes after the eighth
 * are zero.
 */
static inline void add(struct text *bytes, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        text_add_char(bytes, i < sizeof(value) ? (char)(value >> 8 * i) : '\0');
}

static inline const uint8_t *data_of(const struct text *bytes)
{
    return (const uint8_t *)bytes->bytes;
}

#endif

/*
 * VRAM's halfwords to and from little-endian bytes, whatever the machine. Pure
 * functions.
 */
#ifndef GPUDUMPFS_PSX_GPU_HALFWORDS_H
#define GPUDUMPFS_PSX_GPU_HALFWORDS_H

#include "base/bytes.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void psx_halfwords_store(uint8_t *bytes, const uint16_t *halfwords, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(bytes, halfwords, 2 * count);
#else
    for (size_t i = 0; i < count; i++) {
        bytes[2 * i] = (uint8_t)halfwords[i];
        bytes[2 * i + 1] = (uint8_t)(halfwords[i] >> 8);
    }
#endif
}

static inline void psx_halfwords_load(uint16_t *halfwords, const uint8_t *bytes, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(halfwords, bytes, 2 * count);
#else
    for (size_t i = 0; i < count; i++)
        halfwords[i] = bytes_le16(bytes + 2 * i);
#endif
}

#endif

/*
 * The check sums of PNG files: CRC-32 of chunks, Adler-32 of the image data. The
 * only place that computes them, so that it alone need be fast. Pure functions,
 * callable from any thread.
 */
#ifndef GPUDUMPFS_CORE_CHECKSUM_H
#define GPUDUMPFS_CORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_CRC32 = 0, CHECKSUM_ADLER32 = 1 }; /* of no bytes: to begin with */

/* The sum of some bytes, continued with `size` more. */
uint32_t checksum_crc32(uint32_t sum, const uint8_t *bytes, size_t size);
uint32_t checksum_adler32(uint32_t sum, const uint8_t *bytes, size_t size);

#endif

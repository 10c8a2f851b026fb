/*
 * The check sums of PNG files: CRC-32 of chunks, Adler-32 of the image data. The
 * only place that computes them, so that it alone need be fast. Pure functions,
 * callable from any thread.
 */
#ifndef GPUDUMPFS_BASE_CHECKSUM_H
#define GPUDUMPFS_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_CRC32 = 0, CHECKSUM_ADLER32 = 1 }; /* of no bytes: to begin with */

/* The sum of some bytes, continued with `size` more. */
uint32_t checksum_crc32(uint32_t sum, const uint8_t *bytes, size_t size);
uint32_t checksum_adler32(uint32_t sum, const uint8_t *bytes, size_t size);

/* How they are computed, the same to the bit by all. */
struct checksum_ops {
    const char *name;
    uint32_t (*crc32)(uint32_t sum, const uint8_t *bytes, size_t size);
    uint32_t (*adler32)(uint32_t sum, const uint8_t *bytes, size_t size);
};

extern const struct checksum_ops checksum_ops_zlib;  /* zlib's: the reference of its twins */
extern const struct checksum_ops checksum_ops_clmul; /* where HAVE_CLMUL: vectors of 16 bytes, … */
extern const struct checksum_ops checksum_ops_clmul256; /* … HAVE_CLMUL256: of 32, … */
extern const struct checksum_ops checksum_ops_clmul512; /* … HAVE_CLMUL512: of 64 */

/* Those that this processor can run, the fastest first and zlib's last; NULL: no more. */
const struct checksum_ops *checksum_ops_get(unsigned number);

#endif

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "image/picture_parts.h"

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#else
#include <libdeflate.h>
#endif

/* The CRC-32 of zlib and PNG, starting with 0. */
uint32_t picture_crc32(const uint8_t *bytes, size_t size)
{
#ifdef HAVE_ISAL
    return crc32_gzip_refl(0, bytes, size);
#else
    return libdeflate_crc32(0, bytes, size);
#endif
}

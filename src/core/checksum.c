#include "core/checksum.h"

#include <zlib.h>

uint32_t checksum_crc32(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return (uint32_t)crc32_z(sum, bytes, size);
}

uint32_t checksum_adler32(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return (uint32_t)adler32_z(sum, bytes, size);
}

#include "config.h"

#include "base/checksum.h"

#include <zlib.h>

static uint32_t zlib_crc32(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return (uint32_t)crc32_z(sum, bytes, size);
}

static uint32_t zlib_adler32(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return (uint32_t)adler32_z(sum, bytes, size);
}

const struct checksum_ops checksum_ops_zlib = {"zlib", zlib_crc32, zlib_adler32};

const struct checksum_ops *checksum_ops_get(unsigned number)
{
    const struct checksum_ops *all[4] = {NULL};
    unsigned count = 0;

#ifdef HAVE_CLMUL512
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("vpclmulqdq"))
        all[count++] = &checksum_ops_clmul512;
#endif
#ifdef HAVE_CLMUL256
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("vpclmulqdq"))
        all[count++] = &checksum_ops_clmul256;
#endif
#ifdef HAVE_CLMUL
    if (__builtin_cpu_supports("ssse3") && __builtin_cpu_supports("pclmul"))
        all[count++] = &checksum_ops_clmul;
#endif
    all[count++] = &checksum_ops_zlib;
    return number < count ? all[number] : NULL;
}

uint32_t checksum_crc32(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return checksum_ops_get(0)->crc32(sum, bytes, size);
}

uint32_t checksum_adler32(uint32_t sum, const uint8_t *bytes, size_t size)
{
    return checksum_ops_get(0)->adler32(sum, bytes, size);
}

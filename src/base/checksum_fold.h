/*
 * Constants with which vectors of CRC-32 are folded (checksum_lanes.inc). For a
 * vector that is `bits` ahead of the one it is folded into, each 16 bytes of it
 * are multiplied by two remainders modulo CRC-32's polynomial, 104C11DB7h: the
 * first eight bytes, whose powers are higher, by that of x^(bits + 32), the other
 * eight by that of x^(bits - 32). Stored with bit 0 as the highest power, as CRC-32
 * has its bytes, and one place higher, as a product of two such numbers is one
 * place too low. tests/test_checksum derives them from the polynomial.
 */
#ifndef GPUDUMPFS_BASE_CHECKSUM_FOLD_H
#define GPUDUMPFS_BASE_CHECKSUM_FOLD_H

#include <stdint.h>

enum {
    CHECKSUM_STREAMS = 4, /* vectors that are folded side by side */
};

struct checksum_fold {
    int bits;
    uint64_t first, other;
};

/* Over CHECKSUM_STREAMS vectors of 16, 32, 64 bytes, and over one. */
#define CHECKSUM_FOLD_128                                                                          \
    {                                                                                              \
        128, 0x1751997D0, 0x0CCAA009E                                                              \
    }
#define CHECKSUM_FOLD_256                                                                          \
    {                                                                                              \
        256, 0x0F1DA05AA, 0x15A546366                                                              \
    }
#define CHECKSUM_FOLD_512                                                                          \
    {                                                                                              \
        512, 0x154442BD4, 0x1C6E41596                                                              \
    }
#define CHECKSUM_FOLD_1024                                                                         \
    {                                                                                              \
        1024, 0x1E88EF372, 0x14A7FE880                                                             \
    }
#define CHECKSUM_FOLD_2048                                                                         \
    {                                                                                              \
        2048, 0x11542778A, 0x1322D1430                                                             \
    }

#endif

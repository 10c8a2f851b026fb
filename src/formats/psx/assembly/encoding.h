/* SPDX-License-Identifier: MIT */
/* A statement that is being encoded (encode.h), for the files that implement that. One thread. */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_ENCODING_H
#define GPUDUMPFS_PSX_ASSEMBLY_ENCODING_H

#include "formats/psx/assembly/scan.h"

struct psx_encoded; /* encode.h */

struct psx_encoding {
    struct psx_operands operands;
    struct psx_encoded *out;
    bool strict; /* a given first byte must not contradict the operands */
    int given;   /* the given first byte, or PSX_OP_TOLD */
    size_t given_at;
};

/* A word that an operand may be, and the bits that it means. */
struct psx_choice {
    const char *text;
    uint32_t bits;
};

/* The last entry's text is NULL. */
extern const struct psx_choice psx_page_depths[];

enum { PSX_PAGE_MAX = 63 };

/* Converts between RRGGBB and a command's word, which has R in its low byte. */
static inline uint32_t psx_swap_rgb(uint32_t rgb)
{
    return rgb >> 16 | (rgb & 0xFF00) | (rgb & 0xFF) << 16;
}

/*
 * Parse an operand or a part of it. Return 0, or -EINVAL after describing the mistake in the scan's
 * `error`.
 */
int psx_encoding_hex(const struct psx_operands *operands, const struct psx_token *token,
                     unsigned digits, uint32_t *value);
int psx_encoding_choice(const struct psx_operands *operands, const struct psx_operand *operand,
                        const struct psx_choice *choices, uint32_t *bits);

/*
 * Returns the first byte: the given one if there is one, otherwise `told`, which the operands
 * determine. Records `told` as the encoded command's `op`.
 */
uint8_t psx_encoding_op(struct psx_encoding *encoding, uint8_t told);

/*
 * Encodes a polygon, line, polyline or rectangle. `first` is the lowest first byte with the
 * command's name. Returns 0 or -EINVAL, as above.
 */
int psx_encode_shape(struct psx_encoding *encoding, uint8_t first);

#endif

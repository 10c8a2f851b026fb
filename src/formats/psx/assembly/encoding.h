/* SPDX-License-Identifier: MIT */
/* A statement that is being encoded (encode.h), for the files that do it. One thread. */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_ENCODING_H
#define GPUDUMPFS_PSX_ASSEMBLY_ENCODING_H

#include "formats/psx/assembly/scan.h"

struct psx_encoded; /* encode.h */

struct psx_encoding {
    struct psx_operands operands;
    struct psx_encoded *out;
    bool strict; /* a first byte that is given must not contradict the operands */
    int given;   /* that byte, or PSX_OP_TOLD */
    size_t given_at;
};

/* A word that an operand may be, and the bits that it stands for. */
struct psx_choice {
    const char *text;
    uint32_t bits;
};

/* The last one's text is NULL. */
extern const struct psx_choice psx_page_depths[];

enum { PSX_PAGE_MAX = 63 };

/* RRGGBB; the word holds R in its low byte. */
static inline uint32_t psx_swap_rgb(uint32_t rgb)
{
    return rgb >> 16 | (rgb & 0xFF00) | (rgb & 0xFF) << 16;
}

/* A part of an operand, or all of it. 0 or -EINVAL, told. */
int psx_encoding_hex(const struct psx_operands *operands, const struct psx_token *token,
                     unsigned digits, uint32_t *value);
int psx_encoding_choice(const struct psx_operands *operands, const struct psx_operand *operand,
                        const struct psx_choice *choices, uint32_t *bits);

/* The first byte: the given one, or what the operands tell, which is noted. */
uint8_t psx_encoding_op(struct psx_encoding *encoding, uint8_t told);

/* All of a polygon, line, polyline or rectangle, whose name is that of this first byte. */
int psx_encode_shape(struct psx_encoding *encoding, uint8_t first);

#endif

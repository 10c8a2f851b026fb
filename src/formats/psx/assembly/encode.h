/* SPDX-License-Identifier: MIT */
/*
 * A command's text, as psx_format_gp0() and psx_format_gp1() write it, back to its words. Names of
 * commands are those of the tables in gpu/gp0.h. Pure functions; any thread.
 */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_ENCODE_H
#define GPUDUMPFS_PSX_ASSEMBLY_ENCODE_H

#include "formats/psx/assembly/scan.h"
#include "formats/psx/views/commands.h"

/* The longest: a polyline of as many vertices as its text lists, with colours, and its end mark. */
enum { PSX_ENCODED_MAX = 2 * PSX_POLYLINE_LISTED + 1 };

struct psx_encoded {
    uint32_t words[PSX_ENCODED_MAX];
    unsigned count;
    uint8_t op;                     /* its first byte, as the operands alone tell it */
    uint16_t cuts[PSX_ENCODED_MAX]; /* before these words another packet begins */
    unsigned cut_count;
};

/* The first byte is told by the operands. */
enum { PSX_OP_TOLD = -1 };

/*
 * The command `name`, whose operands are the rest of the line, or of all tokens of it. `op` is a
 * first byte from elsewhere, or PSX_OP_TOLD; `strict`: it must not contradict the operands. 0, or
 * -EINVAL, told. An upload's data are not part of it.
 */
int psx_encode_gp0(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                   struct psx_encoded *out);
int psx_encode_gp1(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                   struct psx_encoded *out);

#endif

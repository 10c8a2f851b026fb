/* SPDX-License-Identifier: MIT */
/*
 * Encodes a command's text, as psx_format_gp0() and psx_format_gp1() write it, as the command's
 * words. Names of commands are those in the tables of gpu/gp0.h. Pure functions; any thread.
 */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_ENCODE_H
#define GPUDUMPFS_PSX_ASSEMBLY_ENCODE_H

#include "formats/psx/assembly/scan.h"
#include "formats/psx/views/commands.h"

/*
 * Words of the longest command: a polyline with as many vertices as its text lists, with colours,
 * and its end mark.
 */
enum { PSX_ENCODED_MAX = 2 * PSX_POLYLINE_LISTED + 1 };

struct psx_encoded {
    uint32_t words[PSX_ENCODED_MAX];
    unsigned count;
    uint8_t op;                     /* the first byte, determined from the operands alone */
    uint16_t cuts[PSX_ENCODED_MAX]; /* another packet begins before each of these words */
    unsigned cut_count;
};

/* In place of a first byte: it is to be determined from the operands. */
enum { PSX_OP_TOLD = -1 };

/*
 * Encodes the command `name`, whose operands are the rest of the line. `op` is the first byte that
 * the caller knows, or PSX_OP_TOLD. `strict` says that it must not contradict the operands. The
 * data of an upload is not part of the command. Returns 0, or -EINVAL after describing the mistake
 * in the scan's `error`.
 */
int psx_encode_gp0(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                   struct psx_encoded *out);
int psx_encode_gp1(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                   struct psx_encoded *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The defects that a PSX dump can have (psx-dump.md 5), as one table: severity
 * and what to call them. Of each kind the first hundred become problem lines and
 * the rest one line with their number, so that a file of nothing but empty
 * packets costs neither time nor room. One thread at a time per struct.
 */
#ifndef GPUDUMPFS_PSX_DIAGNOSTICS_H
#define GPUDUMPFS_PSX_DIAGNOSTICS_H

#include "base/problems.h"

#include <stdint.h>

enum psx_defect {
    PSX_DEFECT_CUT_PACKET,
    PSX_DEFECT_TRAILING_BYTES,
    PSX_DEFECT_LIMIT,
    PSX_DEFECT_EMPTY_GP0,
    PSX_DEFECT_GP1_WORDS,
    PSX_DEFECT_VSYNC_WORDS,
    PSX_DEFECT_EARLY_VSYNC,
    PSX_DEFECT_NO_BEGIN,
    PSX_DEFECT_SECOND_BEGIN,
    PSX_DEFECT_BEGIN_PAYLOAD,
    PSX_DEFECT_VERSION,
    PSX_DEFECT_LONG_STRING,
    PSX_DEFECT_GAME,
    PSX_DEFECT_VIDEO,
    PSX_DEFECT_UNKNOWN_TYPE,
    PSX_DEFECT_TIME_BACKWARDS,
    PSX_DEFECT_READ_WORDS,
    PSX_DEFECT_READ_TOO_MUCH,
    PSX_DEFECT_READ_NOTHING,
    PSX_DEFECT_READ_LESS,
    PSX_DEFECT_READ_MISSING,
    PSX_DEFECT_UNKNOWN_GP0,
    PSX_DEFECT_CUT_COMMAND,
    PSX_DEFECTS
};

struct psx_defects {
    struct problems *problems; /* borrowed */
    uint64_t count[PSX_DEFECTS];
    uint64_t total;
};

void psx_defect(struct psx_defects *defects, enum psx_defect kind, uint64_t offset, uint64_t packet,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The lines about defects that were not listed. Once, when all is known. */
void psx_defects_finish(struct psx_defects *defects);

#endif

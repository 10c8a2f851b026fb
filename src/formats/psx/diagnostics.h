/* SPDX-License-Identifier: MIT */
/*
 * The defects that a PSX dump can have (psx-dump.md 5), in one table that holds the severity and
 * the name of each kind. The first hundred defects of a kind become lines of problems.txt. One more
 * line gives the number of the others, so that a file of nothing but empty packets costs little
 * time and memory. One thread at a time per struct.
 */
#ifndef GPUDUMPFS_PSX_DIAGNOSTICS_H
#define GPUDUMPFS_PSX_DIAGNOSTICS_H

#include "base/problems.h"
#include "base/text.h"
#include "source/kept.h"

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
    struct text told; /* the defects that became lines, to be kept with the index */
};

/*
 * Counts a defect, and adds a line for it unless its kind has a hundred lines already. `offset` and
 * `packet` may be PROBLEM_NOWHERE. The text is cut after 399 bytes.
 */
void psx_defect(struct psx_defects *defects, enum psx_defect kind, uint64_t offset, uint64_t packet,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * Adds a line for each kind with defects that were not listed. Call it once, after the last
 * psx_defect().
 */
void psx_defects_finish(struct psx_defects *defects);

void psx_defects_clear(struct psx_defects *defects);

/* Writes the defects for the next opening of the dump. */
void psx_defects_keep(const struct psx_defects *defects, struct kept_writer *writer);

/*
 * Reads the defects of an earlier opening. Refuses the reader if they are not valid. Adds no lines
 * to problems.txt.
 */
void psx_defects_restore(struct psx_defects *defects, struct kept_reader *reader);

/*
 * Adds the lines of restored defects to problems.txt. psx_defects_finish() must still be called
 * after it.
 */
void psx_defects_tell(struct psx_defects *defects);

#endif

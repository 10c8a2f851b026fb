/*
 * The index's first pass (index.h): packet headers, VSyncs, GP1 words, strings.
 */
#ifndef GPUDUMPFS_PSX_SKIM_H
#define GPUDUMPFS_PSX_SKIM_H

#include "formats/psx/index.h"

/* How much of the index's memory the skim may use. */
struct psx_skim_limits {
    uint64_t packets, frames;
};

/* Fills the skim's part of an index whose data, size, magic and defects are set. */
int psx_skim(struct psx_index *index, const struct psx_skim_limits *limits,
             const struct cancel *cancel);

#endif

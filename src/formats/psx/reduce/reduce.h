/* SPDX-License-Identifier: MIT */
/*
 * Reducing a dump while it keeps a property, as format_ops say: frames, commands, lines of
 * uploads, words (docs/psx.md 8). One thread.
 */
#ifndef GPUDUMPFS_PSX_REDUCE_REDUCE_H
#define GPUDUMPFS_PSX_REDUCE_REDUCE_H

#include "formats/format.h"

int psx_reduce(struct dump *dump, const struct format_reduction *params);

#endif

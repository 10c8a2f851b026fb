/* SPDX-License-Identifier: MIT */
/*
 * Reduces a dump while a property of it holds, as format_ops describe: by frames, commands, lines
 * of uploads, and words (docs/psx.md 8). One thread.
 */
#ifndef GPUDUMPFS_PSX_REDUCE_REDUCE_H
#define GPUDUMPFS_PSX_REDUCE_REDUCE_H

#include "formats/format.h"

/* Implements `reduce` of format_ops. */
int psx_reduce(struct dump *dump, const struct format_reduction *params);

#endif

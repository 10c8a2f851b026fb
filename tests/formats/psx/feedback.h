/* SPDX-License-Identifier: MIT */
/*
 * Random PSX dumps in which everything depends on everything: textures and palettes overlap what is
 * drawn, copies and uploads overlap, masks and windows change, frames end inside commands, uploads
 * are dropped. With 2 MiB, commands use lines of both halves of VRAM, and GP1(09) changes in
 * between. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_FEEDBACK_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_FEEDBACK_H

#include "tests/formats/psx/build.h"

#include <stdint.h>

/*
 * Builds a dump: the same one for the same seed, which must not be 0. Free with psx_build_free().
 */
void psx_feedback_build(uint64_t seed, struct psx_build *out);

/* Builds the same for a given GPU: 1 to 3, numbered as in the version packet of a 16-byte file. */
void psx_feedback_build_version(uint64_t seed, uint32_t version, struct psx_build *out);

#endif

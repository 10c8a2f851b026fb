/* SPDX-License-Identifier: MIT */
/*
 * Random PSX dumps in which everything depends on everything: textures and
 * palettes lie in what is drawn, copies and uploads overlap, masks and windows
 * change, frames end inside commands, uploads are dropped; with 2 MiB lines of both halves
 * of VRAM meet, and GP1(09) changes in between. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_FEEDBACK_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_FEEDBACK_H

#include "tests/formats/psx/build.h"

#include <stdint.h>

/* The same dump for the same seed, which is not 0. Free with psx_build_free(). */
void psx_feedback_build(uint64_t seed, struct psx_build *out);

/* The same for a GPU, as the version packet of a 16-byte file numbers them: 1 to 3. */
void psx_feedback_build_version(uint64_t seed, uint32_t version, struct psx_build *out);

#endif

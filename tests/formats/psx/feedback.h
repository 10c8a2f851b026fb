/* SPDX-License-Identifier: MIT */
/*
 * Random PSX dumps in which everything depends on everything: textures and
 * palettes lie in what is drawn, copies and uploads overlap, masks and windows
 * change, frames end inside commands, uploads are dropped. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_FEEDBACK_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_FEEDBACK_H

#include "tests/formats/psx/build.h"

#include <stdint.h>

/* The same dump for the same seed, which is not 0. Free with psx_build_free(). */
void psx_feedback_build(uint64_t seed, struct psx_build *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Random PSX dumps of commands that mostly repeat known state: few positions, pages, palettes and
 * drawing areas come again and again, in packets that begin and end anywhere. Now and then a
 * command ends such a repetition. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_REPEATING_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_REPEATING_H

#include "tests/formats/psx/build.h"

#include <stdint.h>

/*
 * Builds a dump for GPU `version` (1 to 3) with the given numbers of frames, and of commands in
 * each frame. Free with psx_build_free().
 */
void psx_repeating_build(uint64_t seed, uint32_t version, unsigned frames, unsigned commands,
                         struct psx_build *out);

#endif

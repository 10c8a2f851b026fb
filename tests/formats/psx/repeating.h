/* SPDX-License-Identifier: MIT */
/*
 * Random PSX dumps of commands that mostly tell nothing new: few places, pages, palettes and
 * drawing areas come again and again, in packets that begin and end anywhere, now and then with
 * what ends that. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_REPEATING_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_REPEATING_H

#include "tests/formats/psx/build.h"

#include <stdint.h>

/* Of that GPU (1 to 3), so many frames of so many commands each. Free with psx_build_free(). */
void psx_repeating_build(uint64_t seed, uint32_t version, unsigned frames, unsigned commands,
                         struct psx_build *out);

#endif

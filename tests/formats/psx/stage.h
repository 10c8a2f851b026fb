/* SPDX-License-Identifier: MIT */
/*
 * Small random dumps in which all draws are close together: a display of 48x32, shown from two
 * buffers in turn; polygons, lines, rectangles, textures read from what is drawn, fills, copies,
 * uploads, masks. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_STAGE_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_STAGE_H

#include "tests/formats/psx/build.h"

#include <stdint.h>

enum { PSX_STAGE_WIDTH = 48, PSX_STAGE_HEIGHT = 32, PSX_STAGE_FRAMES = 4 };

/*
 * Builds a dump: the same one for the same seed, which must not be 0. Free with psx_build_free().
 */
void psx_stage_build(uint64_t seed, struct psx_build *build);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Loads: dumps of a game that was never written, of a game's size and mixture
 * (models of textured quads and triangles, sprites, streamed textures, two buffers
 * of 320x240), for measuring and for tests. The same bytes for the same preset.
 * Fill is heavy on purpose, half to one million pixels a drawn frame, several times
 * the screen, so that speeds are those of bad days. One thread.
 */
#ifndef GPUDUMPFS_TESTS_BENCH_LOAD_H
#define GPUDUMPFS_TESTS_BENCH_LOAD_H

#include <stdio.h>

/*
 * Writes a preset, "small", "typical", "large" or "huge", or its first `vsyncs`
 * VSyncs if that is not 0. 0, -EINVAL for an unknown preset, -ENOMEM, -EIO.
 */
int load_write(const char *preset, unsigned vsyncs, FILE *file);

#endif

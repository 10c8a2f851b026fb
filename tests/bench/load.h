/* SPDX-License-Identifier: MIT */
/*
 * Loads: dumps of a game that does not exist, with the size and mixture of a real one (models of
 * textured quads and triangles, sprites, streamed textures, two buffers of 320x240), for measuring
 * and for tests. A preset always has the same bytes. Fill is heavy on purpose, half a million to
 * one million pixels in each drawn frame, several times the screen, so that the rates measured are
 * those of bad days. One thread.
 */
#ifndef GPUDUMPFS_TESTS_BENCH_LOAD_H
#define GPUDUMPFS_TESTS_BENCH_LOAD_H

#include <stdio.h>

/*
 * Writes a preset, "small", "typical", "large" or "huge", or its first `vsyncs` VSyncs if that is
 * not 0. Returns 0, -EINVAL for an unknown preset, -ENOMEM or -EIO.
 */
int load_write(const char *preset, unsigned vsyncs, FILE *file);

#endif

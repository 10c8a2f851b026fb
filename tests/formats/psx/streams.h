/* SPDX-License-Identifier: MIT */
/*
 * Random PSX dumps of one kind of command each. The conformance set has checksums for most kinds:
 * those for which psx-gpu.md leaves no doubt what is drawn. In them textures and palettes are below
 * what is drawn, copies that overlap are narrow, VRAM has 1 MiB, and GP1(09) is not used. The other
 * kinds, "clean", "feedback", "areas", "first-gpu" and "2-mib", are only compared with a model. One
 * thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_STREAMS_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_STREAMS_H

#include "tests/formats/psx/build.h"

#include <stdbool.h>
#include <stdint.h>

enum { STREAM_FRAMES = 6 };

/*
 * Appends a dump of STREAM_FRAMES frames: the same one for the same kind and seed (not 0). The
 * times of its VSyncs do not imply a field, so that the fields of 480i alternate, the even one
 * first. Returns false if there is no such kind.
 */
bool psx_streams_build(const char *kind, uint64_t seed, struct psx_build *out);

/*
 * Returns the name of kind number `number` among the kinds with checksums, or NULL after the last.
 */
const char *psx_streams_kind(unsigned number);

#endif

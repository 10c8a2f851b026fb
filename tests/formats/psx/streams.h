/* SPDX-License-Identifier: MIT */
/*
 * Random PSX dumps of one kind of command each. Of most kinds the conformance set has sums: what
 * they draw is told by psx-gpu.md without doubt. Textures and palettes lie below what is drawn,
 * copies that overlap are narrow, VRAM has 1 MiB, GP1(09) is not there. The others, "clean",
 * "feedback", "areas", "first-gpu" and "2-mib", are held against a model alone. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_STREAMS_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_STREAMS_H

#include "tests/formats/psx/build.h"

#include <stdbool.h>
#include <stdint.h>

enum { STREAM_FRAMES = 6 };

/*
 * Appends a dump of STREAM_FRAMES frames: the same one for the same kind and seed (not 0).
 * The VSyncs' times tell no field, so that those of 480i alternate, even ones first.
 * False when there is no such kind.
 */
bool psx_streams_build(const char *kind, uint64_t seed, struct psx_build *out);

/* The kinds with sums in turn; NULL: no more. */
const char *psx_streams_kind(unsigned number);

#endif

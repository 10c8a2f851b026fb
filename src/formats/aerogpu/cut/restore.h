/* SPDX-License-Identifier: MIT */
/*
 * The records that make again what was there before a frame: a command stream with state, objects
 * and their contents (aerogpu.md 7.2), or all records before it but what presents (7.3).
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_RESTORE_H
#define GPUDUMPFS_AEROGPU_CUT_RESTORE_H

#include "formats/aerogpu/cut/initial_state.h"
#include "formats/aerogpu/cut/output.h"
#include "formats/aerogpu/dump.h"

/* Bytes of all of these records. */
uint64_t aerogpu_restore_size(const struct aerogpu_initial_size *size, uint32_t container_version);

/*
 * Writes them; `blobs` are two ids that nothing else has. `initial` stands before the frame, which
 * is the first one of the cut. Fails in `out`.
 */
void aerogpu_restore_write(struct aerogpu_dump *dump, const struct aerogpu_initial *initial,
                           const uint64_t blobs[2], struct aerogpu_output *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Writes the records that restore the state before a frame: either a command stream with state,
 * objects and their contents (aerogpu.md 7.2), or all records before the frame except what presents
 * (7.3).
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_RESTORE_H
#define GPUDUMPFS_AEROGPU_CUT_RESTORE_H

#include "formats/aerogpu/cut/initial_state.h"
#include "formats/aerogpu/cut/output.h"
#include "formats/aerogpu/dump.h"

/* Returns the size of all of these records in bytes. */
uint64_t aerogpu_restore_size(const struct aerogpu_initial_size *size, uint32_t container_version);

/*
 * Writes the records. `blobs` are two ids that no blob of the cut has. `initial` must be before the
 * first frame of the cut. A failure is stored in out->status.
 */
void aerogpu_restore_write(struct aerogpu_dump *dump, const struct aerogpu_initial *initial,
                           const uint64_t blobs[2], struct aerogpu_output *out);

#endif

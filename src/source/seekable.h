/* SPDX-License-Identifier: MIT */
/*
 * zstd files with a table of their frames at the end, so that each frame can be expanded by itself
 * (the "seekable format" of zstd's contrib/). Pure functions, any thread.
 */
#ifndef GPUDUMPFS_SOURCE_SEEKABLE_H
#define GPUDUMPFS_SOURCE_SEEKABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seekable {
    const uint8_t *table; /* first entry */
    uint32_t count;       /* number of frames */
    uint32_t entry_bytes;
};

/*
 * Returns whether the file has such a table, with sizes that add up to those of the frames before
 * it.
 */
bool seekable_find(const uint8_t *data, uint64_t size, struct seekable *out);

/* Gets the compressed and expanded sizes of frame n < count, in bytes. */
void seekable_frame(const struct seekable *seekable, uint32_t n, uint32_t *packed, uint32_t *raw);

/*
 * Expands one frame to `raw` bytes, raw > 0. Sets *given to `raw` if the frame has exactly that
 * many bytes, and otherwise to how many it has before the damage, or to raw - 1 if it has more.
 * Returns 0 or -ENOMEM.
 */
int seekable_expand(const uint8_t *frame, size_t packed, uint8_t *to, size_t raw, size_t *given);

/*
 * Expands the beginning of a frame, at most `room` bytes. Sets *given to how many. Returns 0 or
 * -ENOMEM.
 */
int seekable_begin(const uint8_t *frame, size_t packed, uint8_t *to, size_t room, size_t *given);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * zstd files with a table of their frames at the end, each of which can be expanded by
 * itself (the "seekable format" of zstd's contrib/). Pure functions, any thread.
 */
#ifndef GPUDUMPFS_SOURCE_SEEKABLE_H
#define GPUDUMPFS_SOURCE_SEEKABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seekable {
    const uint8_t *table; /* of the first entry */
    uint32_t count;       /* frames */
    uint32_t entry_bytes;
};

/* Whether the file has such a table, whose sizes add up to the frames before it. */
bool seekable_find(const uint8_t *data, uint64_t size, struct seekable *out);

/* Compressed and expanded bytes of frame n < count. */
void seekable_frame(const struct seekable *seekable, uint32_t n, uint32_t *packed, uint32_t *raw);

/*
 * Expands one frame; raw > 0. Returns `raw` if it gives exactly so many bytes, else how many it
 * gives before what is wrong with it; of one that gives more all but the last.
 */
size_t seekable_expand(const uint8_t *frame, size_t packed, uint8_t *to, size_t raw);

/* The first bytes of a frame, at most `room`; returns how many. */
size_t seekable_begin(const uint8_t *frame, size_t packed, uint8_t *to, size_t room);

#endif

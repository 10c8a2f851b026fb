/* SPDX-License-Identifier: MIT */
/*
 * Which bytes of a memory were written, by grains, of which each has a bit. It belongs to one
 * thread at a time.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_WRITTEN_H
#define GPUDUMPFS_GAPIR_REPLAY_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes of a grain, as powers of two. What is mapped has small ones: what the driver writes beside
 * the program's bytes is to stay there.
 */
enum gapir_written_grain { GAPIR_GRAIN_OF_MAPPED = 2, GAPIR_GRAIN_OF_MEMORY = 6 };

struct gapir_written {
    uint64_t *bits; /* NULL: nothing was written yet */
    uint64_t size;  /* of the memory, bytes */
    enum gapir_written_grain grain;
    uint64_t first, end; /* grains between which all bits that are set lie */
    bool taken;          /* some have been: what has no bit may have been written */
};

/* Of a memory of so many bytes, of which none is written. False: there is no memory for it. */
bool gapir_written_create(struct gapir_written *written, uint64_t size,
                          enum gapir_written_grain grain);
void gapir_written_clear(struct gapir_written *written);

/* So many bytes from `offset` on, within the memory, are written. */
void gapir_written_note(struct gapir_written *written, uint64_t offset, uint64_t size);

/* Whether all of the grains that hold these were. */
bool gapir_written_has(const struct gapir_written *written, uint64_t offset, uint64_t size);

/*
 * The end of the run of grains that begins at `offset` of the memory, all of them written or none.
 * A memory whose grains were taken is one run, written.
 */
uint64_t gapir_written_run(const struct gapir_written *written, uint64_t offset, bool *is_written);

/*
 * The first run of written grains, whose bits are cleared: at most `max` bytes, or one grain.
 * False: there is none.
 */
bool gapir_written_take(struct gapir_written *written, uint64_t max, uint64_t *offset,
                        uint64_t *size);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Which bytes of a memory were written, with a bit for each grain. Belongs to one thread at a time.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_WRITTEN_H
#define GPUDUMPFS_GAPIR_REPLAY_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The size of a grain, as the exponent of a power of two in bytes. Mapped memory has small grains,
 * because the driver's bytes beside those of the program must not be overwritten.
 */
enum gapir_written_grain { GAPIR_GRAIN_OF_MAPPED = 2, GAPIR_GRAIN_OF_MEMORY = 6 };

struct gapir_written {
    uint64_t *bits; /* NULL if nothing was written yet */
    uint64_t size;  /* of the memory, bytes */
    enum gapir_written_grain grain;
    /* all bits that are set are of grains from `first` up to, but excluding, `end` */
    uint64_t first, end;
    bool taken; /* grains were taken: a grain whose bit is clear may have been written */
};

/*
 * Initialises *written for a memory of `size` bytes, none of them written. Returns false if memory
 * is short.
 */
bool gapir_written_create(struct gapir_written *written, uint64_t size,
                          enum gapir_written_grain grain);
void gapir_written_clear(struct gapir_written *written);

/* Marks `size` bytes from `offset` on as written. They must be within the memory. */
void gapir_written_note(struct gapir_written *written, uint64_t offset, uint64_t size);

/* Returns whether all grains that hold these bytes were written. */
bool gapir_written_has(const struct gapir_written *written, uint64_t offset, uint64_t size);

/*
 * Returns the end of the longest run of grains from `offset` on that are all written, or all
 * unwritten. A memory whose grains were taken counts as one written run.
 */
uint64_t gapir_written_run(const struct gapir_written *written, uint64_t offset, bool *is_written);

/*
 * Finds the first run of written grains and clears their bits. The run is cut to `max` bytes, but
 * has at least one grain. Returns false if no grain is written.
 */
bool gapir_written_take(struct gapir_written *written, uint64_t max, uint64_t *offset,
                        uint64_t *size);

#endif

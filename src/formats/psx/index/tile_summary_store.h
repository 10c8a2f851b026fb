/* SPDX-License-Identifier: MIT */
/*
 * The summaries of all stretches of the command stream, each from one checkpoint of the index to
 * the next. They are stored compactly: a row that equals the row above takes no room, and stretches
 * that do nothing share one record. One thread appends; any thread may read those below
 * psx_tile_summary_store_count().
 */
#ifndef GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_STORE_H
#define GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_STORE_H

#include "formats/psx/index/tile_summary.h"
#include "source/kept.h"

#include <stdatomic.h>
#include <stdint.h>

struct psx_tile_summary_store {
    uint16_t *units;   /* address space for `max` records; takes memory as it fills */
    uint32_t *offsets; /* where each record begins, in units */
    uint64_t max;
    uint64_t used; /* units in use */
    atomic_uint_fast64_t count;
};

/* Reserves room for `max` stretches. Returns 0 or -ENOMEM. */
int psx_tile_summary_store_init(struct psx_tile_summary_store *summaries, uint64_t max);
void psx_tile_summary_store_clear(struct psx_tile_summary_store *summaries);

/* Appends a summary. Returns 0, or -ENOSPC if there is no room left. */
int psx_tile_summary_store_add(struct psx_tile_summary_store *summaries,
                               const struct psx_tile_summary *summary);

static inline uint64_t psx_tile_summary_store_count(const struct psx_tile_summary_store *summaries)
{
    return atomic_load_explicit(&summaries->count, memory_order_acquire);
}

/*
 * Carry the summaries over to the next opening of the dump. Clear restored summaries even if the
 * reader has failed.
 */
void psx_tile_summary_store_keep(const struct psx_tile_summary_store *summaries,
                                 struct kept_writer *writer);
void psx_tile_summary_store_restore(struct psx_tile_summary_store *summaries,
                                    struct kept_reader *reader);

/* Copies out a summary. `number` must be less than psx_tile_summary_store_count(). */
void psx_tile_summary_store_get(const struct psx_tile_summary_store *summaries, uint64_t number,
                                struct psx_tile_summary *out);

/* Copies out the set `written` of a summary alone, which is faster. */
void psx_tile_summary_store_get_written(const struct psx_tile_summary_store *summaries,
                                        uint64_t number, struct psx_tiles *out);

/* Copies out the set `drawn` of a summary alone. */
void psx_tile_summary_store_get_drawn(const struct psx_tile_summary_store *summaries,
                                      uint64_t number, struct psx_tiles *out);

#endif

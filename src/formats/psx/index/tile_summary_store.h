/* SPDX-License-Identifier: MIT */
/*
 * The summaries of all stretches of the command stream, from one checkpoint of the
 * index to the next, kept small: rows that are equal to the row above take no
 * room, stretches that do nothing share one record. Appended by one thread; read
 * by any, up to psx_tile_summary_store_count().
 */
#ifndef GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_STORE_H
#define GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_STORE_H

#include "formats/psx/index/tile_summary.h"
#include "source/kept.h"

#include <stdatomic.h>
#include <stdint.h>

struct psx_tile_summary_store {
    uint16_t *units;   /* address space for the largest number; used as it fills */
    uint32_t *offsets; /* of each record, in units */
    uint64_t max;
    uint64_t used; /* of units */
    atomic_uint_fast64_t count;
};

/* Room for `max` stretches. 0 or -ENOMEM. */
int psx_tile_summary_store_init(struct psx_tile_summary_store *summaries, uint64_t max);
void psx_tile_summary_store_clear(struct psx_tile_summary_store *summaries);

/* -ENOSPC when there is no room left. */
int psx_tile_summary_store_add(struct psx_tile_summary_store *summaries,
                               const struct psx_tile_summary *summary);

static inline uint64_t psx_tile_summary_store_count(const struct psx_tile_summary_store *summaries)
{
    return atomic_load_explicit(&summaries->count, memory_order_acquire);
}

/* From one opening of the dump to the next; what is restored is to be cleared in any case. */
void psx_tile_summary_store_keep(const struct psx_tile_summary_store *summaries,
                                 struct kept_writer *writer);
void psx_tile_summary_store_restore(struct psx_tile_summary_store *summaries,
                                    struct kept_reader *reader);

/* number < psx_tile_summary_store_count(); the second gives a part of it faster. */
void psx_tile_summary_store_get(const struct psx_tile_summary_store *summaries, uint64_t number,
                                struct psx_tile_summary *out);
void psx_tile_summary_store_get_written(const struct psx_tile_summary_store *summaries,
                                        uint64_t number, struct psx_tiles *out);
void psx_tile_summary_store_get_drawn(const struct psx_tile_summary_store *summaries,
                                      uint64_t number, struct psx_tiles *out);

#endif

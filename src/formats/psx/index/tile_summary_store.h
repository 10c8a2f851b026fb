/*
 * The summaries of all stretches of the command stream, from one place of the
 * index to the next, kept small: rows that are equal to the row above take no
 * room, stretches that do nothing share one record. Appended by one thread; read
 * by any, up to psx_summaries_count().
 */
#ifndef GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_STORE_H
#define GPUDUMPFS_PSX_INDEX_TILE_SUMMARY_STORE_H

#include "formats/psx/index/tile_summary.h"

#include <stdatomic.h>
#include <stdint.h>

struct psx_summaries {
    uint16_t *units;   /* address space for the largest number; used as it fills */
    uint32_t *offsets; /* of each record, in units */
    uint64_t most;
    uint64_t used; /* of units */
    atomic_uint_fast64_t count;
};

/* Room for `most` stretches. 0 or -ENOMEM. */
int psx_summaries_init(struct psx_summaries *summaries, uint64_t most);
void psx_summaries_clear(struct psx_summaries *summaries);

/* -ENOSPC when there is no room left. */
int psx_summaries_add(struct psx_summaries *summaries, const struct psx_summary *summary);

static inline uint64_t psx_summaries_count(const struct psx_summaries *summaries)
{
    return atomic_load_explicit(&summaries->count, memory_order_acquire);
}

/* Bytes that all of them take. */
uint64_t psx_summaries_bytes(const struct psx_summaries *summaries);

/* number < psx_summaries_count(); the second gives a part of it faster. */
void psx_summaries_get(const struct psx_summaries *summaries, uint64_t number,
                       struct psx_summary *out);
void psx_summaries_get_written(const struct psx_summaries *summaries, uint64_t number,
                               struct psx_tiles *out);

#endif

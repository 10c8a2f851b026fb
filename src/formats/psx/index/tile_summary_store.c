/*
 * A record is a unit of flags, then each set that has tiles: a bit for each row
 * that differs from the row above it, and those rows.
 */
#include "formats/psx/index/tile_summary_store.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

enum {
    SETS = 3,
    MASK_UNITS = PSX_TILE_ROWS / 16,
    RECORD_UNITS_MAX = 1 + SETS * (MASK_UNITS + PSX_TILE_ROWS),
    /* The unit of flags: for each set its latches, and whether rows follow. */
    LATCH_BITS = 2,
    HAS_ROWS = 1 << LATCH_BITS,
    SET_BITS = LATCH_BITS + 1,
};

static uint64_t units_bytes(const struct psx_tile_summary_store *summaries)
{
    return (summaries->most + 1) * RECORD_UNITS_MAX * sizeof(*summaries->units);
}

int psx_tile_summary_store_init(struct psx_tile_summary_store *summaries, uint64_t most)
{
    memset(summaries, 0, sizeof(*summaries));
    if (most == 0 || most > UINT32_MAX / RECORD_UNITS_MAX)
        return -ENOMEM;
    summaries->most = most;
    summaries->units = memory_reserve(units_bytes(summaries));
    summaries->offsets = memory_reserve(most * sizeof(*summaries->offsets));
    if (summaries->units == NULL || summaries->offsets == NULL) {
        psx_tile_summary_store_clear(summaries);
        return -ENOMEM;
    }
    summaries->used = 1; /* the record at 0 is that of stretches that do nothing */
    return 0;
}

void psx_tile_summary_store_clear(struct psx_tile_summary_store *summaries)
{
    memory_unreserve(summaries->units, units_bytes(summaries));
    memory_unreserve(summaries->offsets, summaries->most * sizeof(*summaries->offsets));
    memset(summaries, 0, sizeof(*summaries));
}

uint64_t psx_tile_summary_store_bytes(const struct psx_tile_summary_store *summaries)
{
    return summaries->used * sizeof(*summaries->units) +
           psx_tile_summary_store_count(summaries) * sizeof(*summaries->offsets);
}

/* Appends the rows, and returns what the flags have to say of the set. */
static uint16_t write_set(const struct psx_tiles *tiles, uint16_t **next)
{
    uint16_t *mask = *next, *row = mask + MASK_UNITS, above = 0;

    memset(mask, 0, MASK_UNITS * sizeof(*mask));
    for (unsigned y = 0; y < PSX_TILE_ROWS; y++) {
        if (tiles->row[y] == above)
            continue;
        mask[y / 16] |= (uint16_t)(1 << y % 16);
        above = *row++ = tiles->row[y];
    }
    if (row == mask + MASK_UNITS)
        return tiles->latches;
    *next = row;
    return tiles->latches | HAS_ROWS;
}

int psx_tile_summary_store_add(struct psx_tile_summary_store *summaries,
                               const struct psx_tile_summary *summary)
{
    uint64_t number = psx_tile_summary_store_count(summaries);
    uint16_t *flags = summaries->units + summaries->used, *next = flags + 1, written = 0;

    if (number == summaries->most)
        return -ENOSPC;
    written |= write_set(&summary->written, &next);
    written |= (uint16_t)(write_set(&summary->killed, &next) << SET_BITS);
    written |= (uint16_t)(write_set(&summary->exposed, &next) << 2 * SET_BITS);
    *flags = written;
    if (written != 0) {
        summaries->offsets[number] = (uint32_t)summaries->used;
        summaries->used = (uint64_t)(next - summaries->units);
    }
    atomic_store_explicit(&summaries->count, number + 1, memory_order_release);
    return 0;
}

/* Reads a set of which the flags say `flags`; returns where the next one begins. */
static const uint16_t *read_set(const uint16_t *from, unsigned flags, struct psx_tiles *out)
{
    const uint16_t *row = from + MASK_UNITS;
    uint16_t above = 0;
    uint32_t mask;

    out->latches = flags & (HAS_ROWS - 1);
    if (!(flags & HAS_ROWS)) {
        memset(out->row, 0, sizeof(out->row));
        return from;
    }
    mask = from[0] | (uint32_t)from[1] << 16;
    for (unsigned y = 0; y < PSX_TILE_ROWS; y++, mask >>= 1) {
        if (mask & 1)
            above = *row++;
        out->row[y] = above;
    }
    return row;
}

void psx_tile_summary_store_get(const struct psx_tile_summary_store *summaries, uint64_t number,
                                struct psx_tile_summary *out)
{
    const uint16_t *record = summaries->units + summaries->offsets[number], *next = record + 1;

    next = read_set(next, *record, &out->written);
    next = read_set(next, *record >> SET_BITS, &out->killed);
    read_set(next, *record >> 2 * SET_BITS, &out->exposed);
}

void psx_tile_summary_store_get_written(const struct psx_tile_summary_store *summaries,
                                        uint64_t number, struct psx_tiles *out)
{
    const uint16_t *record = summaries->units + summaries->offsets[number];

    read_set(record + 1, *record, out);
}

/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/tile_summary_store.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

/*
 * A record is a unit of flags, followed by each set that has tiles: a bit for each row that differs
 * from the row above it, and those rows.
 */
enum {
    SETS = 4,
    MASK_UNITS = PSX_TILE_ROWS / 16,
    RECORD_UNITS_MAX = 1 + SETS * (MASK_UNITS + PSX_TILE_ROWS),
    /* The unit of flags: for each set its latches, and whether rows follow. */
    LATCH_BITS = 2,
    HAS_ROWS = 1 << LATCH_BITS,
    SET_BITS = LATCH_BITS + 1,
    /* The rows of `drawn` are those of `written`, and are not stored a second time. */
    DRAWN_IS_WRITTEN = 1 << SETS * SET_BITS,
};

static uint64_t units_bytes(const struct psx_tile_summary_store *summaries)
{
    return (summaries->max + 1) * RECORD_UNITS_MAX * sizeof(*summaries->units);
}

/* Returns whether offsets reach the units of so many summaries. */
static bool can_hold(uint64_t max)
{
    return max > 0 && max <= UINT32_MAX / RECORD_UNITS_MAX;
}

int psx_tile_summary_store_init(struct psx_tile_summary_store *summaries, uint64_t max)
{
    memset(summaries, 0, sizeof(*summaries));
    if (!can_hold(max))
        return -ENOMEM;
    summaries->max = max;
    summaries->units = memory_reserve(units_bytes(summaries));
    summaries->offsets = memory_reserve(max * sizeof(*summaries->offsets));
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
    memory_unreserve(summaries->offsets, summaries->max * sizeof(*summaries->offsets));
    memset(summaries, 0, sizeof(*summaries));
}

/* Appends the rows. Returns the flags of the set. */
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

    if (number == summaries->max)
        return -ENOSPC;
    written |= write_set(&summary->written, &next);
    written |= (uint16_t)(write_set(&summary->killed, &next) << SET_BITS);
    written |= (uint16_t)(write_set(&summary->exposed, &next) << 2 * SET_BITS);
    if (written != 0 &&
        memcmp(summary->drawn.row, summary->written.row, sizeof(summary->drawn.row)) == 0)
        written |= DRAWN_IS_WRITTEN;
    else
        written |= (uint16_t)((write_set(&summary->drawn, &next) & HAS_ROWS) << 3 * SET_BITS);
    *flags = written;
    if (written != 0) {
        summaries->offsets[number] = (uint32_t)summaries->used;
        summaries->used = (uint64_t)(next - summaries->units);
    }
    atomic_store_explicit(&summaries->count, number + 1, memory_order_release);
    return 0;
}

/* Reads a set whose flags are `flags`. Returns where the next set begins. */
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
    next = read_set(next, *record >> 2 * SET_BITS, &out->exposed);
    if (*record & DRAWN_IS_WRITTEN)
        out->drawn = out->written;
    else
        read_set(next, *record >> 3 * SET_BITS, &out->drawn);
    out->drawn.latches = out->written.latches;
}

void psx_tile_summary_store_get_drawn(const struct psx_tile_summary_store *summaries,
                                      uint64_t number, struct psx_tiles *out)
{
    struct psx_tile_summary summary;

    psx_tile_summary_store_get(summaries, number, &summary);
    *out = summary.drawn;
}

void psx_tile_summary_store_get_written(const struct psx_tile_summary_store *summaries,
                                        uint64_t number, struct psx_tiles *out)
{
    const uint16_t *record = summaries->units + summaries->offsets[number];

    read_set(record + 1, *record, out);
}

/* From one opening to the next. */

void psx_tile_summary_store_keep(const struct psx_tile_summary_store *summaries,
                                 struct kept_writer *writer)
{
    uint64_t count = psx_tile_summary_store_count(summaries);

    kept_write_number(writer, count);
    kept_write_number(writer, summaries->used);
    kept_write(writer, summaries->offsets, count * sizeof(*summaries->offsets));
    kept_write(writer, summaries->units, summaries->used * sizeof(*summaries->units));
}

/*
 * Returns the number of units of a set from unit `at` on; more than there are if some are missing.
 */
static uint64_t measure_set(const struct psx_tile_summary_store *summaries, uint64_t at,
                            unsigned flags)
{
    const uint16_t *mask = summaries->units + at;
    uint64_t units = 0;

    if (!(flags & HAS_ROWS) || at + MASK_UNITS > summaries->used)
        return flags & HAS_ROWS ? summaries->used : 0;
    for (unsigned m = 0; m < MASK_UNITS; m++)
        units += 1U + (unsigned)__builtin_popcount(mask[m]);
    return units;
}

static bool is_stored(const struct psx_tile_summary_store *summaries, uint64_t at)
{
    uint16_t flags;

    if (at >= summaries->used)
        return false;
    flags = summaries->units[at++];
    for (unsigned set = 0; set < SETS; set++)
        at += measure_set(summaries, at, flags >> set * SET_BITS);
    return flags < 2 * DRAWN_IS_WRITTEN && at <= summaries->used;
}

void psx_tile_summary_store_restore(struct psx_tile_summary_store *summaries,
                                    struct kept_reader *reader)
{
    uint64_t count = kept_read_number(reader, kept_reader_left(reader) / 4);
    uint64_t used = kept_read_number(reader, kept_reader_left(reader) / 2);

    if (!can_hold(count) || used > count * RECORD_UNITS_MAX + 1)
        kept_reader_refuse(reader);
    if (reader->status == 0)
        kept_reader_fail(reader, psx_tile_summary_store_init(summaries, count));
    if (reader->status != 0)
        return;
    kept_read(reader, summaries->offsets, count * sizeof(*summaries->offsets));
    kept_read(reader, summaries->units, used * sizeof(*summaries->units));
    summaries->used = used;
    for (uint64_t number = 0; reader->status == 0 && number < count; number++)
        if (!is_stored(summaries, summaries->offsets[number]))
            kept_reader_refuse(reader);
    atomic_store_explicit(&summaries->count, count, memory_order_release);
}

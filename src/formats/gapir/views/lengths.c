/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/lengths.h"

#include <errno.h>
#include <stdlib.h>

/* Each packet begins one, and so does each mark within a packet. */
static uint64_t count_stretches(const struct gapir_scan *scan)
{
    uint64_t count = (uint64_t)scan->packet_count + scan->mark_count;
    uint32_t mark = 0;

    for (uint32_t packet = 0; packet < scan->packet_count; packet++) {
        while (mark < scan->mark_count && scan->marks[mark].pc < scan->packets[packet].pc)
            mark++;
        count -= mark < scan->mark_count && scan->marks[mark].pc == scan->packets[packet].pc;
    }
    return count;
}

int gapir_lengths_init(struct gapir_lengths *lengths, const struct gapir_scan *scan)
{
    lengths->scan = scan;
    lengths->count = count_stretches(scan);
    lengths->stretches =
        calloc((size_t)scan->packet_count + scan->mark_count + 1, sizeof(*lengths->stretches));
    return lengths->stretches != NULL ? 0 : -ENOMEM;
}

void gapir_lengths_clear(struct gapir_lengths *lengths)
{
    free(lengths->stretches);
    lengths->stretches = NULL;
}

uint32_t gapir_lengths_mark_behind(const struct gapir_scan *scan, uint32_t pc)
{
    uint32_t low = 0, high = scan->mark_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->marks[middle].pc <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of two stretches in their order the packet or the mark is another: no two have one place. */
static size_t place_of(const struct gapir_scan *scan, uint32_t packet, uint32_t pc)
{
    return (size_t)packet + gapir_lengths_mark_behind(scan, pc);
}

void gapir_lengths_note(struct gapir_lengths *lengths, uint32_t packet, uint32_t pc, unsigned bytes)
{
    atomic_uint *stretch = &lengths->stretches[place_of(lengths->scan, packet, pc)];

    if (bytes == 0 || atomic_exchange(stretch, bytes) != 0)
        return;
    atomic_fetch_add(&lengths->bytes, bytes);
    atomic_fetch_add(&lengths->known, 1);
}

bool gapir_lengths_of_all(const struct gapir_lengths *lengths, uint64_t *bytes)
{
    bool known = atomic_load(&lengths->known) == lengths->count;

    *bytes = atomic_load(&lengths->bytes);
    return known;
}

bool gapir_lengths_of(const struct gapir_lengths *lengths, uint32_t packet, uint64_t *bytes)
{
    const struct gapir_packet *told = &lengths->scan->packets[packet];
    uint32_t last_pc = told->pc + (told->words > 0 ? told->words - 1 : 0);
    size_t last = place_of(lengths->scan, packet, last_pc);
    uint64_t sum = 0;

    for (size_t at = place_of(lengths->scan, packet, told->pc); at <= last; at++) {
        unsigned some = atomic_load_explicit(&lengths->stretches[at], memory_order_relaxed);

        if (some == 0)
            return false;
        sum += some;
    }
    *bytes = sum;
    return true;
}

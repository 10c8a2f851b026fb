/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/lengths.h"

#include <errno.h>
#include <stdlib.h>

/* Counts the stretches: each packet begins one, and so does each mark within a packet. */
static uint64_t count_of_packets(const struct gapir_scan *scan)
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

static uint64_t count_between(uint64_t first, uint64_t end)
{
    return end > first ? (end - 1) / GAPIR_CALL_MARK - first / GAPIR_CALL_MARK + 1 : 0;
}

/* Counts the stretches of each frame, and those of calls after the last frame. */
static uint64_t count_of_calls(const struct gapir_index *index)
{
    uint64_t count = 0, first = 0;

    for (uint32_t n = 0; n < index->frame_count; n++) {
        count += count_between(first, index->frames[n].call_end);
        first = index->frames[n].call_end;
    }
    return count + count_between(first, index->calls);
}

static int init(struct gapir_lengths *lengths, size_t places, uint64_t count)
{
    lengths->count = count;
    lengths->stretches = calloc(places + 1, sizeof(*lengths->stretches));
    return lengths->stretches != NULL ? 0 : -ENOMEM;
}

int gapir_lengths_init_packets(struct gapir_lengths *lengths, const struct gapir_scan *scan)
{
    return init(lengths, (size_t)scan->packet_count + scan->mark_count, count_of_packets(scan));
}

int gapir_lengths_init_calls(struct gapir_lengths *lengths, const struct gapir_index *index)
{
    return init(lengths, (size_t)index->frame_count + index->call_mark_count,
                count_of_calls(index));
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

/* No two stretches share a place: from one stretch to the next, the packet or the mark advances. */
size_t gapir_lengths_packet_place(const struct gapir_scan *scan, uint32_t packet, uint32_t pc)
{
    return (size_t)packet + gapir_lengths_mark_behind(scan, pc);
}

size_t gapir_lengths_call_place(uint64_t frame, uint64_t call)
{
    return (size_t)(frame + call / GAPIR_CALL_MARK);
}

void gapir_lengths_note(struct gapir_lengths *lengths, size_t place, unsigned bytes)
{
    if (bytes == 0 || atomic_exchange(&lengths->stretches[place], bytes) != 0)
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

bool gapir_lengths_between(const struct gapir_lengths *lengths, size_t first, size_t last,
                           uint64_t *bytes)
{
    uint64_t sum = 0;

    for (size_t at = first; at <= last; at++) {
        unsigned some = atomic_load_explicit(&lengths->stretches[at], memory_order_relaxed);

        if (some == 0)
            return false;
        sum += some;
    }
    *bytes = sum;
    return true;
}

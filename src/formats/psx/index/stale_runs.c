/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/stale_runs.h"

#include "base/memory.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static const size_t list_bytes = PSX_STALE_RUNS * sizeof(uint32_t);

int psx_stale_runs_init(struct psx_stale_runs *runs)
{
    memset(runs, 0, sizeof(*runs));
    runs->list = memory_reserve(list_bytes);
    return runs->list != NULL ? 0 : -ENOMEM;
}

void psx_stale_runs_clear(struct psx_stale_runs *runs)
{
    memory_unreserve(runs->list, list_bytes);
    memset(runs, 0, sizeof(*runs));
}

void psx_stale_runs_add(struct psx_stale_runs *runs, uint32_t run)
{
    uint64_t count = atomic_load_explicit(&runs->count, memory_order_relaxed);

    if (count == PSX_STALE_RUNS)
        return;
    runs->list[count] = run;
    atomic_store_explicit(&runs->count, count + 1, memory_order_release);
}

void psx_stale_runs_look(struct psx_stale_runs *runs, struct psx_texel_reach *reach,
                         const struct psx_state *after, const struct psx_gp0_event *event)
{
    uint32_t run = reach->run;
    bool known = reach->stale;

    psx_texel_reach_event(reach, after, event);
    if (reach->stale && !(known && run == reach->run))
        psx_stale_runs_add(runs, reach->run);
}

uint64_t psx_stale_runs_count(const struct psx_stale_runs *runs)
{
    return atomic_load_explicit(&runs->count, memory_order_acquire);
}

static uint64_t find(const struct psx_stale_runs *runs, uint64_t count, uint32_t run)
{
    uint64_t low = 0, high = count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (runs->list[middle] < run)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t psx_stale_runs_find(const struct psx_stale_runs *runs, uint32_t run)
{
    return find(runs, psx_stale_runs_count(runs), run);
}

bool psx_stale_runs_have(const struct psx_stale_runs *runs, uint32_t run)
{
    uint64_t count = psx_stale_runs_count(runs), low = find(runs, count, run);

    return low < count ? runs->list[low] == run : count == PSX_STALE_RUNS;
}

void psx_stale_runs_keep(const struct psx_stale_runs *runs, struct kept_writer *writer)
{
    uint64_t count = psx_stale_runs_count(runs);

    kept_write_number(writer, count);
    kept_write(writer, runs->list, count * sizeof(*runs->list));
}

void psx_stale_runs_restore(struct psx_stale_runs *runs, struct kept_reader *reader)
{
    uint64_t count = kept_read_number(reader, PSX_STALE_RUNS);

    if (reader->status == 0)
        kept_reader_fail(reader, psx_stale_runs_init(runs));
    if (reader->status != 0)
        return;
    kept_read(reader, runs->list, count * sizeof(*runs->list));
    for (uint64_t i = 1; i < count; i++)
        if (runs->list[i] <= runs->list[i - 1])
            kept_reader_refuse(reader);
    atomic_store_explicit(&runs->count, count, memory_order_release);
}

/* SPDX-License-Identifier: MIT */
/*
 * The runs of the command stream, from one drop of the texel cache to the next, in which the
 * cache can be seen (gpu/texel_reach.h): there a slice has to carry out every textured
 * primitive from the run's start on, and what does not may not go on. By their
 * numbers, psx_state.texel_run. Appended in their order by one thread; read by any.
 */
#ifndef GPUDUMPFS_PSX_INDEX_STALE_RUNS_H
#define GPUDUMPFS_PSX_INDEX_STALE_RUNS_H

#include "formats/psx/gpu/texel_reach.h"
#include "source/kept.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Room for 4 MiB of numbers: a dump can be made of such runs. */
enum { PSX_STALE_RUNS = 1 << 20 };

struct psx_stale_runs {
    uint32_t *list; /* address space for all of them; used as it fills */
    atomic_uint_fast64_t count;
};

/* 0 or -ENOMEM. */
int psx_stale_runs_init(struct psx_stale_runs *runs);
void psx_stale_runs_clear(struct psx_stale_runs *runs);

/* Once for each run. Without room for it, it and all behind it count as such runs. */
void psx_stale_runs_add(struct psx_stale_runs *runs, uint32_t run);

/*
 * Of an event whose state is taken over, psx_texel_reach_event(): its run is one of them if it
 * makes it one.
 */
void psx_stale_runs_look(struct psx_stale_runs *runs, struct psx_texel_reach *reach,
                         const struct psx_state *after, const struct psx_gp0_event *event);

/* From one opening of the dump to the next; what is restored is to be cleared in any case. */
void psx_stale_runs_keep(const struct psx_stale_runs *runs, struct kept_writer *writer);
void psx_stale_runs_restore(struct psx_stale_runs *runs, struct kept_reader *reader);

/* How many of them are told, and the number of the first that is not before a run. */
uint64_t psx_stale_runs_count(const struct psx_stale_runs *runs);
uint64_t psx_stale_runs_find(const struct psx_stale_runs *runs, uint32_t run);

/* Whether the run is one of them, as far as is known. */
bool psx_stale_runs_have(const struct psx_stale_runs *runs, uint32_t run);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The stale runs of the command stream: those, from one drop of the texel cache to the next, in
 * which the contents of the cache can be seen (gpu/texel_reach.h). In a stale run a slice has to
 * carry out every textured primitive from the run's start on, and a GPU that has not must not go
 * on. Runs are known by their numbers, psx_state.texel_run. One thread appends them in order; any
 * thread may read.
 */
#ifndef GPUDUMPFS_PSX_INDEX_STALE_RUNS_H
#define GPUDUMPFS_PSX_INDEX_STALE_RUNS_H

#include "formats/psx/gpu/texel_reach.h"
#include "source/kept.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Room for 4 MiB of numbers: a dump may consist of stale runs alone. */
enum { PSX_STALE_RUNS = 1 << 20 };

struct psx_stale_runs {
    uint32_t *list; /* address space for PSX_STALE_RUNS; takes memory as it fills */
    atomic_uint_fast64_t count;
};

/* Reserves the list. Returns 0 or -ENOMEM. */
int psx_stale_runs_init(struct psx_stale_runs *runs);
void psx_stale_runs_clear(struct psx_stale_runs *runs);

/*
 * Appends a stale run; call it once for each. If there is no room, that run and all later ones
 * count as stale.
 */
void psx_stale_runs_add(struct psx_stale_runs *runs, uint32_t run);

/*
 * Hands an event, whose state has been applied, to psx_texel_reach_event(), and appends its run if
 * the event makes it stale.
 */
void psx_stale_runs_look(struct psx_stale_runs *runs, struct psx_texel_reach *reach,
                         const struct psx_state *after, const struct psx_gp0_event *event);

/*
 * Carry the runs over to the next opening of the dump. Clear restored runs even if the reader has
 * failed.
 */
void psx_stale_runs_keep(const struct psx_stale_runs *runs, struct kept_writer *writer);
void psx_stale_runs_restore(struct psx_stale_runs *runs, struct kept_reader *reader);

/* Returns the number of known stale runs. */
uint64_t psx_stale_runs_count(const struct psx_stale_runs *runs);

/* Returns the index in the list of the first stale run that is not before `run`. */
uint64_t psx_stale_runs_find(const struct psx_stale_runs *runs, uint32_t run);

/* Returns whether the run is stale, as far as is known. */
bool psx_stale_runs_have(const struct psx_stale_runs *runs, uint32_t run);

#endif

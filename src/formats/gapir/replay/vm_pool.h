/*
 * Runs that wait where a reader left them. Whoever needs the machine at some step
 * takes the run that is nearest before it, or a new one, and parks it again: who
 * reads posts, memory or calls in their order pays for one run in all. Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_VM_POOL_H
#define GPUDUMPFS_GAPIR_REPLAY_VM_POOL_H

#include "formats/gapir/replay/replay.h"

struct gapir_players;

/* `budget`: bytes that parked runs may hold, as struct idle_params says. 0, -ENOMEM. */
int gapir_players_create(const struct gapir_replay *replay, uint64_t budget,
                         struct cache *const *cache, struct gapir_players **out);
void gapir_players_destroy(struct gapir_players **players); /* every taken run is back */

/*
 * A run after `steps` instructions, which it is known to have. 0, -EINTR, -ENOMEM,
 * -EFBIG. The caller parks it, or destroys it.
 */
int gapir_players_take(struct gapir_players *players, uint64_t steps, const struct cancel *cancel,
                       struct gapir_player **out);

/*
 * Shows a run that waits after exactly `steps` instructions to `look`, whose result it
 * returns; -ENOENT when there is none. Meanwhile nobody else takes or parks one.
 */
int gapir_players_look(struct gapir_players *players, uint64_t steps,
                       int (*look)(void *context, const struct gapir_player *player),
                       void *context);

void gapir_players_park(struct gapir_players *players, struct gapir_player **player);

#endif

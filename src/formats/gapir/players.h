/*
 * Runs that wait where a reader left them. Whoever needs the machine at some step
 * takes the run that is nearest before it, or a new one, and parks it again: who
 * reads posts, memory or calls in their order pays for one run in all. Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_PLAYERS_H
#define GPUDUMPFS_GAPIR_PLAYERS_H

#include "formats/gapir/replay.h"

struct gapir_players;

/* `budget`: bytes that parked runs may hold; one is kept in any case. 0, -ENOMEM. */
int gapir_players_create(const struct gapir_replay *replay, uint64_t budget,
                         struct gapir_players **out);
void gapir_players_destroy(struct gapir_players **players); /* every taken run is back */

/*
 * A run after `steps` instructions, which it is known to have. 0, -EINTR, -ENOMEM,
 * -EFBIG. The caller parks it, or destroys it.
 */
int gapir_players_take(struct gapir_players *players, uint64_t steps, const struct cancel *cancel,
                       struct gapir_player **out);
void gapir_players_park(struct gapir_players *players, struct gapir_player **player);

#endif

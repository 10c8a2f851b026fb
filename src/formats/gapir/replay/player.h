/* SPDX-License-Identifier: MIT */
/*
 * What a replay's calls of GLES draw (gapir.md 3.8): a VM of its own runs, its calls go to the
 * graphics worker, and what they read back comes into its memory, so that posts hold what a
 * device would have posted. It stands where the last reader left it; to go back is to begin
 * again. Any thread: requests come one after another.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_PLAYER_H
#define GPUDUMPFS_GAPIR_REPLAY_PLAYER_H

#include "formats/gapir/replay/replay.h"

struct gapir_player;
struct gapir_player_sight;

struct gapir_player_params {
    const struct gapir_replay *replay; /* borrowed, as all of these */
    unsigned time_limit_ms;            /* of the worker's calls; 0: its default */
    const struct source *kept_for;     /* struct worker_params */
    struct cache *const *cache;        /* that pays for compiled shaders */
};

/* Starts no process. 0, -ENOMEM; -ENOTSUP: this program cannot draw. */
int gapir_player_create(const struct gapir_player_params *params, struct gapir_player **out);
void gapir_player_destroy(struct gapir_player **player);

/* What a looker sees; it belongs to the player, whose process is its own meanwhile. */
struct gapir_player_sight {
    const struct gapir_vm_instance *instance; /* its memory holds what was read back */
    struct gapir_player *player;
    const struct cancel *cancel;
};

typedef int gapir_player_look(void *context, const struct gapir_player_sight *sight);

/* Where a run without pixels is known to come to. */
struct gapir_player_place {
    uint64_t steps;         /* instructions that are executed */
    enum gapir_fault fault; /* what the last one of them ends with */
};

/*
 * Shows what is there: its result, or -EINTR, -ENOMEM; -EIO, with a line in the problems: the
 * worker cannot do it, or the run went another way with pixels than without.
 */
int gapir_player_show(struct gapir_player *player, const struct gapir_player_place *place,
                      const struct cancel *cancel, gapir_player_look *look, void *context);

/* Whether the bytes of the post that ends there are what the driver has; else problems tell. */
bool gapir_player_has_post(const struct gapir_player_sight *sight);

struct gapir_player_picture {
    uint32_t width, height;
    uint32_t pixel_bytes; /* of the format that is presented; of what GLES draws on, RGB: 3 */
};

/* What is drawn on or presented there: rows from the top, in *owner, which is the caller's. */
int gapir_player_picture(const struct gapir_player_sight *sight,
                         const struct gapir_player_picture *want, const uint8_t **pixels,
                         struct blob **owner);

/* A call that was not made, or not as it should be. */
struct gapir_player_note {
    uint64_t call; /* its number among all that are executed */
    uint32_t pc;
    char *text;
};

/* Those so far, in the order of calls; of the worker's, which tells a thousand of a session. */
const struct gapir_player_note *gapir_player_notes(const struct gapir_player_sight *sight,
                                                   uint32_t *count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Draws what a replay's GLES or Vulkan calls draw (gapir.md 3.8, 3.9). A VM of its own runs the
 * program, and its calls go to the graphics worker. What they read back is written into the VM's
 * memory, so that posts hold what a device would have posted. The VM stays at the point where the
 * last reader left it; to go back, it begins again. Any thread: requests are served one after
 * another.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_PLAYER_H
#define GPUDUMPFS_GAPIR_REPLAY_PLAYER_H

#include "formats/gapir/replay/replay.h"

struct gapir_player;
struct gapir_player_sight;

struct gapir_player_params {
    const struct gapir_replay *replay; /* borrowed, like all pointers of this struct */
    unsigned time_limit_ms;            /* for a call to the worker; 0: the default */
    const struct source *kept_for;     /* see struct worker_params */
    struct cache *const *cache;        /* is charged for compiled shaders */
};

/*
 * Creates a player; no process is started yet. Returns 0, -ENOMEM, or -ENOTSUP if this program was
 * built without what it needs to draw.
 */
int gapir_player_create(const struct gapir_player_params *params, struct gapir_player **out);
void gapir_player_destroy(struct gapir_player **player);

/*
 * What the callback of gapir_player_show() sees. It belongs to the player, which holds the worker
 * during the callback.
 */
struct gapir_player_sight {
    const struct gapir_vm_instance *instance; /* its memory holds what was read back */
    struct gapir_player *player;
    const struct cancel *cancel;
};

typedef int gapir_player_look(void *context, const struct gapir_player_sight *sight);

/* A point of the run, as a run without drawn pixels reaches it. */
struct gapir_player_place {
    uint64_t steps;         /* instructions executed so far */
    enum gapir_fault fault; /* the fault with which the last of them ended */
};

/*
 * Runs to a place and calls `look` there. Returns the result of `look`, or -EINTR, -ENOMEM or -EIO.
 * On -EIO, problems has a line: the worker failed, or the run took another way with drawn pixels
 * than without.
 */
int gapir_player_show(struct gapir_player *player, const struct gapir_player_place *place,
                      const struct cancel *cancel, gapir_player_look *look, void *context);

/*
 * Returns whether the post with which this place ends has the driver's bytes. If not, problems has
 * a line about it.
 */
bool gapir_player_has_post(const struct gapir_player_sight *sight);

struct gapir_player_picture {
    uint32_t width, height;
    uint32_t pixel_bytes; /* of the presented format; 3 (RGB) for a backbuffer of GLES */
};

/*
 * Gets the picture that is drawn or presented at this place, with rows from the top. *pixels points
 * into *owner, which the caller unreferences. Returns 0, -EINTR, -ENOMEM or -EIO.
 */
int gapir_player_picture(const struct gapir_player_sight *sight,
                         const struct gapir_player_picture *want, const uint8_t **pixels,
                         struct blob **owner);

/* A call that was not made, or not as it should have been. */
struct gapir_player_note {
    uint64_t call; /* its number among all executed calls */
    uint32_t pc;
    char *text;
};

/*
 * Returns the notes so far in the order of calls, valid during `look`. The worker sends at most a
 * thousand of a session.
 */
const struct gapir_player_note *gapir_player_notes(const struct gapir_player_sight *sight,
                                                   uint32_t *count);

#endif

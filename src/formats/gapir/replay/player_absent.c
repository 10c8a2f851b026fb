/* SPDX-License-Identifier: MIT */
/*
 * For a program that is built without the graphics worker, or without OpenGL in it: nothing is
 * drawn.
 */
#include "formats/gapir/replay/player.h"

#include <errno.h>

int gapir_player_create(const struct gapir_player_params *params, struct gapir_player **out)
{
    (void)params;
    *out = NULL;
    return -ENOTSUP;
}

void gapir_player_destroy(struct gapir_player **player)
{
    *player = NULL;
}

int gapir_player_show(struct gapir_player *player, const struct gapir_player_place *place,
                      const struct cancel *cancel, gapir_player_look *look, void *context)
{
    (void)player, (void)place, (void)cancel, (void)look, (void)context;
    return -EIO;
}

int gapir_player_picture(const struct gapir_player_sight *sight,
                         const struct gapir_player_picture *want, const uint8_t **pixels,
                         struct blob **owner)
{
    (void)sight, (void)want, (void)pixels, (void)owner;
    return -EIO;
}

bool gapir_player_has_post(const struct gapir_player_sight *sight)
{
    (void)sight;
    return false;
}

const struct gapir_player_note *gapir_player_notes(const struct gapir_player_sight *sight,
                                                   uint32_t *count)
{
    (void)sight;
    *count = 0;
    return NULL;
}

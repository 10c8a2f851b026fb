/* SPDX-License-Identifier: MIT */
#include "scene.h"

struct corner scene_project(struct vector point)
{
    return (struct corner){
        .x = SCREEN_WIDTH / 2 + point.x * FOCUS / point.z,
        .y = HORIZON + point.y * FOCUS / point.z,
    };
}

int scene_sway(int frame)
{
    return fixed_wave(14, scene_angle(frame, 1));
}

void scene_draw(struct display_list *list, int frame, int top)
{
    static void (*const parts[])(struct display_list * list, int frame) = {
        sky_draw, sky_draw_rays, sky_draw_mirrored, cube_draw_mirrored,
        sea_draw, cube_draw,     sparks_draw,       titles_draw,
    };

    list_environment(list, 0, top, SCREEN_WIDTH, SCREEN_HEIGHT);
    list_fill(list, 0, top, SCREEN_WIDTH, SCREEN_HEIGHT, 0);
    textures_turn_water(list, frame * WATER_PALETTES * 3 / SCENE_FRAMES);
    display_list_send(list);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        parts[i](list, frame);
        display_list_send(list);
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * The example's scene: a cube of pictures turns above the sea at dusk. Every part draws itself for
 * a moment of the scene, which repeats after SCENE_FRAMES. Nothing is kept between frames. scene.c
 * determines the order in which the parts are drawn; each file draws what its name says.
 */
#ifndef GPUDUMPFS_EXAMPLES_SCENE_H
#define GPUDUMPFS_EXAMPLES_SCENE_H

#include "display_list.h"
#include "fixed.h"
#include "textures.h"

enum {
    SCENE_FRAMES = 180,
    HORIZON = 128,  /* the line of the screen where the sea begins */
    FOCUS = 256,    /* a unit at this distance is one pixel */
    SEA_LEVEL = 40, /* below the camera */
    SUN_X = 92,
    SUN_Y = 100,
    SUN_WIDTH = 68,
};

/* Returns the angle at a frame, for `turns` full turns over the complete scene. */
static inline int scene_angle(int frame, int turns)
{
    return frame * turns * FIXED_TURN / SCENE_FRAMES;
}

/* Returns where a point of the world is on the screen. */
struct corner scene_project(struct vector point);

/* Returns how far the camera has moved to the right. */
int scene_sway(int frame);

/* sky.c: what is far away; `mirrored` is its reflection in the sea. */
void sky_draw(struct display_list *list, int frame);
void sky_draw_mirrored(struct display_list *list, int frame);
void sky_draw_rays(struct display_list *list, int frame);
uint32_t sky_colour(int y);

/* sea.c: the water, over the reflections. */
void sea_draw(struct display_list *list, int frame);

/* cube.c: the cube, and the ring of gems around it. */
void cube_draw(struct display_list *list, int frame);
void cube_draw_mirrored(struct display_list *list, int frame);

/* sparks.c: light that rises from the sea. */
void sparks_draw(struct display_list *list, int frame);

/* titles.c: the name, the scrolling text, and the dark edges behind them. */
void titles_draw(struct display_list *list, int frame);

/*
 * Draws a complete frame into the buffer that begins at line `top` of VRAM, in about ten packets.
 */
void scene_draw(struct display_list *list, int frame, int top);

#endif

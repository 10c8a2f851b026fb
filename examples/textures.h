/* SPDX-License-Identifier: MIT */
/*
 * The example's video memory: two frame buffers, one above the other, textures
 * to the right of them, palettes below. All pictures are computed here; there
 * are no input files.
 *
 *     x 0        320        640     704     768
 *   0 +-----------+          +-------+-------+-------+
 *     | buffer 0  |          | cube  | water | sun   |
 * 240 +-----------+          | 8 bit | font  | 15 bit|
 *     | buffer 1  |          |       | glow  |       |
 * 480 +-----------+----------+-------+-------+-------+
 *     | palettes                                      |
 */
#ifndef GPUDUMPFS_EXAMPLES_TEXTURES_H
#define GPUDUMPFS_EXAMPLES_TEXTURES_H

#include "display_list.h"

enum { SCREEN_WIDTH = 320, SCREEN_HEIGHT = 240 };

/* Sizes in texels, and positions of textures within their page. */
enum {
    CUBE_SIZE = 128,
    CUBE_PALETTES = 3,
    WATER_SIZE = 64,
    WATER_PALETTES = 16,
    GLOW_SIZE = 64,
    GLOW_U = 64,
    SPARK_SIZE = 16,
    SPARK_U = 128,
    FONT_V = 128,
    FONT_SIZE = 8,
    FONT_ACROSS = 16, /* characters in a row of the texture, from ' ' */
    SUN_SIZE = 64,
};

extern const struct texture texture_cube[CUBE_PALETTES];
extern const struct texture texture_water;
extern const struct texture texture_glow; /* also the spark's */
extern const struct texture texture_font;
extern const struct texture texture_sun;

/* Uploads all textures, one packet for each. */
void textures_upload(struct display_list *list);

/* Uploads a palette of the cube again, brighter by `glow` (0 to 256). */
void textures_upload_cube_palette(struct display_list *list, int number, int glow);

/* Copies a palette of the water to where the texture uses it. */
void textures_turn_water(struct display_list *list, int number);

/*
 * Returns the seven rows of a letter, the leftmost pixel in bit 6; blank rows if it is not drawn.
 */
const unsigned char *font_letter(char c);

#endif

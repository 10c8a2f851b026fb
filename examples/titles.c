/* SPDX-License-Identifier: MIT */
/* The name at the top, each letter a quad on its own wave; the scrolling text at the bottom. */
#include "scene.h"

#include <string.h>

enum { LETTER = 20, TITLE_Y = 12, RUNNING_Y = 222, RUNNING_STEP = 2 };

/* As long as the scene: 2 pixels a frame, 8 pixels a letter. */
static const char running[] = "* EVERY FRAME A FILE * LS, GREP, LOOK, DIFF  ";
_Static_assert(sizeof running - 1 == SCENE_FRAMES * RUNNING_STEP / FONT_SIZE,
               "the text comes round with the scene");

static void letter_texels(char c, int *u, int *v)
{
    int number = c - ' ';

    *u = number % FONT_ACROSS * FONT_SIZE;
    *v = FONT_V + number / FONT_ACROSS * FONT_SIZE;
}

/* Draws darkness that increases towards the edges, subtracted from what is there. */
static void draw_edges(struct display_list *list)
{
    const struct style style = {.blend = BLEND_SUBTRACT, .gouraud = true};
    const uint32_t dark = rgb(96, 96, 80);
    const struct corner upper[4] = {{0, 0, rgb(40, 36, 30), 0, 0},
                                    {SCREEN_WIDTH, 0, rgb(40, 36, 30), 0, 0},
                                    {0, 48, 0, 0, 0},
                                    {SCREEN_WIDTH, 48, 0, 0, 0}};
    const struct corner lower[4] = {{0, 196, 0, 0, 0},
                                    {SCREEN_WIDTH, 196, 0, 0, 0},
                                    {0, SCREEN_HEIGHT, dark, 0, 0},
                                    {SCREEN_WIDTH, SCREEN_HEIGHT, dark, 0, 0}};

    list_polygon(list, upper, 4, style);
    list_polygon(list, lower, 4, style);
}

static void draw_name(struct display_list *list, int frame)
{
    static const char name[] = "GPUDUMPFS";
    int left = (SCREEN_WIDTH - (int)strlen(name) * LETTER) / 2;

    for (int i = 0; name[i] != '\0'; i++) {
        int wave = fixed_wave(3, scene_angle(frame, 3) - i * 450), u, v;
        uint32_t shine =
            rgb_mix(rgb(255, 210, 150), rgb(255, 255, 255),
                    fixed_sin(scene_angle(frame, 2) - i * 500) + FIXED_ONE, 2 * FIXED_ONE);
        struct corner corners[4];
        letter_texels(name[i], &u, &v);
        for (int j = 0; j < 4; j++)
            corners[j] = (struct corner){
                left + i * LETTER + (j & 1) * LETTER, TITLE_Y + wave + (j >> 1) * LETTER,
                j < 2 ? rgb_scale(shine, 140) : rgb(128, 60, 110), u + (j & 1) * (FONT_SIZE - 1),
                v + (j >> 1) * (FONT_SIZE - 1)};
        list_polygon(list, corners, 4,
                     (struct style){.texture = &texture_font, .blend = BLEND_OFF, .gouraud = true});
    }
}

static void draw_running_text(struct display_list *list, int frame)
{
    const struct style style = {.texture = &texture_font, .blend = BLEND_OFF};
    int length = (int)sizeof running - 1, shift = frame * RUNNING_STEP;

    for (int i = shift / FONT_SIZE; i * FONT_SIZE - shift < SCREEN_WIDTH; i++) {
        struct corner corner = {.x = i * FONT_SIZE - shift};
        int phase = corner.x * FIXED_TURN / SCREEN_WIDTH;
        corner.y = RUNNING_Y + fixed_wave(4, phase + scene_angle(frame, 2));
        corner.colour =
            rgb_mix(rgb(130, 100, 60), rgb(70, 110, 150),
                    fixed_sin(phase - scene_angle(frame, 1)) + FIXED_ONE, 2 * FIXED_ONE);
        letter_texels(running[i % length], &corner.u, &corner.v);
        if (running[i % length] != ' ')
            list_rectangle(list, corner, FONT_SIZE, FONT_SIZE, style);
    }
}

void titles_draw(struct display_list *list, int frame)
{
    draw_edges(list);
    draw_name(list, frame);
    draw_running_text(list, frame);
}

/* SPDX-License-Identifier: MIT */
/*
 * Sky, stars, birds, sun and mountains, and their reflection in the sea. The gradients are gouraud
 * quads, which the GPU dithers to 15 bits.
 */
#include "scene.h"

struct band {
    int y;
    int r, g, b;
};

static const struct band bands[] = {
    {0, 12, 14, 50},      {40, 46, 34, 102},        {76, 132, 58, 124},
    {104, 228, 112, 100}, {HORIZON, 255, 200, 124},
};

enum { BANDS = sizeof bands / sizeof *bands, COLUMN = 16, STARS = 48, RAYS = 7, BIRDS = 5 };

static uint32_t band_colour(int i)
{
    return rgb(bands[i].r, bands[i].g, bands[i].b);
}

uint32_t sky_colour(int y)
{
    for (int i = 1; i < BANDS; i++)
        if (y < bands[i].y)
            return rgb_mix(band_colour(i - 1), band_colour(i), y - bands[i - 1].y,
                           bands[i].y - bands[i - 1].y);
    return band_colour(BANDS - 1);
}

static void draw_quad(struct display_list *list, int x0, int x1, int top, int bottom,
                      uint32_t upper, uint32_t lower)
{
    struct corner corners[4] = {
        {x0, top, upper, 0, 0},
        {x1, top, upper, 0, 0},
        {x0, bottom, lower, 0, 0},
        {x1, bottom, lower, 0, 0},
    };

    list_polygon(list, corners, 4, (struct style){.blend = BLEND_OFF, .gouraud = true});
}

static void draw_stars(struct display_list *list, int frame)
{
    for (int i = 0; i < STARS; i++) {
        uint32_t bits = fixed_hash((uint32_t)i);
        int y = (int)(bits >> 10 & 1023) * 70 / 1024;
        int light = 150 + fixed_wave(90, scene_angle(frame, 1 + i % 3) + (int)bits);
        struct corner star = {
            .x = (int)(bits & 1023) * SCREEN_WIDTH / 1024,
            .y = y,
            .colour = rgb_mix(rgb_scale(rgb(255, 244, 255), light), sky_colour(y), y, 90),
        };
        list_rectangle(list, star, 1, 1, (struct style){.blend = BLEND_OFF});
    }
}

static void draw_sun(struct display_list *list)
{
    struct corner disc[4], halo[4];
    int light = SUN_WIDTH * 2;

    for (int i = 0; i < 4; i++) {
        int right = i & 1, low = i >> 1;
        disc[i] = (struct corner){SUN_X - SUN_WIDTH / 2 + right * SUN_WIDTH,
                                  SUN_Y - SUN_WIDTH / 2 + low * SUN_WIDTH, rgb(128, 128, 128),
                                  right * (SUN_SIZE - 1), low * (SUN_SIZE - 1)};
        halo[i] = (struct corner){SUN_X - light + right * 2 * light,
                                  SUN_Y - light + low * 2 * light, rgb(110, 58, 40),
                                  GLOW_U + right * (GLOW_SIZE - 1), low * (GLOW_SIZE - 1)};
    }
    list_polygon(list, halo, 4, (struct style){.texture = &texture_glow, .blend = BLEND_ADD});
    list_polygon(list, disc, 4,
                 (struct style){.texture = &texture_sun, .blend = BLEND_OFF, .raw = true});
}

/* Returns the height of a range of mountains above the horizon. */
static int ridge(int x, int range)
{
    int height = 0;

    for (int octave = 0; octave < 3; octave++) {
        int step = (range == 0 ? 88 : 64) >> octave, at = x + 4096 + range * 512;
        int a = (int)(fixed_hash((uint32_t)(at / step + octave * 77)) & 255);
        int b = (int)(fixed_hash((uint32_t)(at / step + 1 + octave * 77)) & 255);
        height += fixed_mix(a, b, at % step, step) >> octave;
    }
    return range == 0 ? 6 + height * 34 / 448 : height * 26 / 448 - 2;
}

struct range {
    uint32_t peak, foot;
    int sway; /* sixteenths of the camera's movement */
};

static struct range range_of(int number)
{
    return number == 0 ? (struct range){rgb(118, 66, 122), rgb(236, 148, 118), 3}
                       : (struct range){rgb(38, 24, 64), rgb(132, 70, 100), 9};
}

/* `rise` is 1, or -1 for the reflection in the sea. */
static void draw_mountains(struct display_list *list, int frame, int rise, int light)
{
    for (int number = 0; number < 2; number++) {
        struct range range = range_of(number);
        int sway = scene_sway(frame) * range.sway / 16;
        uint32_t peak = rgb_scale(range.peak, light), foot = rgb_scale(range.foot, light);
        for (int column = -2; column < SCREEN_WIDTH / COLUMN + 2; column++) {
            int x0 = column * COLUMN, x1 = x0 + COLUMN;
            int h0 = ridge(x0, number), h1 = ridge(x1, number);
            struct corner corners[4] = {
                {x0 - sway, HORIZON - rise * h0, rgb_mix(foot, peak, h0 > 0 ? h0 : 0, 40), 0, 0},
                {x1 - sway, HORIZON - rise * h1, rgb_mix(foot, peak, h1 > 0 ? h1 : 0, 40), 0, 0},
                {x0 - sway, HORIZON, foot, 0, 0},
                {x1 - sway, HORIZON, foot, 0, 0},
            };
            struct style style = {.blend = BLEND_OFF, .gouraud = true};
            list_polygon(list, corners, 4, style);
            if (rise > 0 && number == 0) { /* the sun's light on the far ridge */
                corners[0].colour = corners[1].colour = rgb(255, 176, 130);
                list_line(list, corners[0], corners[1], (struct style){.blend = BLEND_AVERAGE});
            }
        }
    }
}

static void draw_birds(struct display_list *list, int frame)
{
    for (int i = 0; i < BIRDS; i++) {
        int x = 206 + i * 15 + (i & 1) * 4 + frame * 20 / SCENE_FRAMES - 10;
        int y = 62 - (i < 3 ? i : 4 - i) * 7 + fixed_wave(2, scene_angle(frame, 2) + i * 700);
        int flap = fixed_wave(3, scene_angle(frame, 9) + i * 900), span = 6 - i % 2;
        struct corner wings[5] = {
            {x - span, y - 1 - flap, rgb(40, 24, 60), 0, 0},
            {x - span / 2, y - 2 - flap / 2, 0, 0, 0},
            {x, y, 0, 0, 0},
            {x + span / 2, y - 2 - flap / 2, 0, 0, 0},
            {x + span, y - 1 - flap, 0, 0, 0},
        };
        list_polyline(list, wings, 5, (struct style){.blend = BLEND_OFF});
    }
}

void sky_draw(struct display_list *list, int frame)
{
    for (int i = 1; i < BANDS; i++)
        draw_quad(list, 0, SCREEN_WIDTH, bands[i - 1].y, bands[i].y, band_colour(i - 1),
                  band_colour(i));
    draw_stars(list, frame);
    draw_sun(list);
    draw_mountains(list, frame, 1, 256);
    draw_birds(list, frame);
}

void sky_draw_rays(struct display_list *list, int frame)
{
    for (int i = 0; i < RAYS; i++) {
        int angle = FIXED_TURN / 2 + (i * 2 + 1) * FIXED_TURN / 4 / RAYS +
                    fixed_wave(60, scene_angle(frame, 1) + i * 900);
        int width = 50 + (int)(fixed_hash((uint32_t)i) & 63), length = 230;
        struct corner corners[3] = {
            {SUN_X, SUN_Y, rgb(216, 150, 96), 0, 0},
            {SUN_X + fixed_wave(length, angle + FIXED_TURN / 4 - width),
             SUN_Y + fixed_wave(length, angle - width), 0, 0, 0},
            {SUN_X + fixed_wave(length, angle + FIXED_TURN / 4 + width),
             SUN_Y + fixed_wave(length, angle + width), 0, 0, 0},
        };
        list_polygon(list, corners, 3, (struct style){.blend = BLEND_ADD_QUARTER, .gouraud = true});
    }
}

/* Draws the sun's reflection, which the waves cut into strips that swing apart. */
static void draw_sun_path(struct display_list *list, int frame)
{
    for (int i = 0; i < 36; i++) {
        int y = HORIZON + i * 3, swing = fixed_wave(2 + i / 3, scene_angle(frame, 6) + i * 1500);
        int width = SUN_WIDTH / 2 - 6 - i / 3 + fixed_wave(4, scene_angle(frame, 4) + i * 2300);
        struct corner strip = {.x = SUN_X + swing - width / 2,
                               .y = y,
                               .colour = rgb_mix(rgb(220, 150, 96), rgb(30, 16, 24), i, 36)};
        list_rectangle(list, strip, width, 2, (struct style){.blend = BLEND_ADD});
    }
}

void sky_draw_mirrored(struct display_list *list, int frame)
{
    for (int i = BANDS - 1; i > 0; i--)
        draw_quad(list, 0, SCREEN_WIDTH, 2 * HORIZON - bands[i].y, 2 * HORIZON - bands[i - 1].y,
                  rgb_scale(band_colour(i), 200), rgb_scale(band_colour(i - 1), 180));
    draw_mountains(list, frame, -1, 170);
    draw_sun_path(list, frame);
}

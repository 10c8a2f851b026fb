/* SPDX-License-Identifier: MIT */
#include "textures.h"

#include "fixed.h"

#include <string.h>

enum {
    PAGE_CUBE = 640,
    PAGE_SMALL = 704,
    PAGE_SUN = 768,
    PALETTE_ROW = 480, /* font, water, glow: 16 entries each */
    PALETTE_CUBE_ROW = 481,
    PALETTE_WATER_ROW = 484, /* WATER_PALETTES of 16 entries each, side by side */
    FONT_PALETTE_X = 0,
    WATER_PALETTE_X = 16,
    GLOW_PALETTE_X = 32,
    SEMI = 0x8000, /* bit 15: semi-transparent if the command requests it */
};

const struct texture texture_cube[CUBE_PALETTES] = {
    {PAGE_CUBE, 0, DEPTH_8, 0, PALETTE_CUBE_ROW},
    {PAGE_CUBE, 0, DEPTH_8, 0, PALETTE_CUBE_ROW + 1},
    {PAGE_CUBE, 0, DEPTH_8, 0, PALETTE_CUBE_ROW + 2},
};
const struct texture texture_water = {PAGE_SMALL, 0, DEPTH_4, WATER_PALETTE_X, PALETTE_ROW};
const struct texture texture_glow = {PAGE_SMALL, 0, DEPTH_4, GLOW_PALETTE_X, PALETTE_ROW};
const struct texture texture_font = {PAGE_SMALL, 0, DEPTH_4, FONT_PALETTE_X, PALETTE_ROW};
const struct texture texture_sun = {PAGE_SUN, 0, DEPTH_15, 0, 0};

/* The texels of one texture before they are packed into halfwords. */
struct canvas {
    int width, height;
    uint8_t texels[128 * 128];
};

static uint16_t pixel(uint32_t colour)
{
    return (uint16_t)((colour >> 3 & 31) | (colour >> 11 & 31) << 5 | (colour >> 19 & 31) << 10);
}

static int clamp(int value, int min, int max)
{
    return value < min ? min : value > max ? max : value;
}

static int square_root(int square)
{
    int root = 0;

    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

static void upload_canvas(struct display_list *list, const struct canvas *canvas, int x, int y,
                          enum depth depth)
{
    uint16_t packed[128 * 64];
    int bits = depth == DEPTH_4 ? 4 : 8, texels = canvas->width * canvas->height;

    memset(packed, 0, sizeof packed);
    for (int i = 0; i < texels; i++)
        packed[i * bits / 16] |= (uint16_t)(canvas->texels[i] << i * bits % 16);
    list_upload(list, x, y, canvas->width * bits / 16, canvas->height, packed);
    display_list_send(list);
}

/* The cube's 8-bit palette: four ramps of 64 colours. */
enum { RAMP_PANEL = 0, RAMP_GOLD = 64, RAMP_SKY = 128, RAMP_LIGHT = 192, RAMP_LENGTH = 64 };

static int ramp(int start, int level)
{
    return start + clamp(level, 0, RAMP_LENGTH - 1);
}

/* Returns a texel of the cube: a golden frame with the holes of a film, and a picture inside. */
static int cube_texel(int x, int y)
{
    int edge = x, u = x - 28, v = y - 28;

    if (CUBE_SIZE - 1 - x < edge)
        edge = CUBE_SIZE - 1 - x;
    if (y < edge)
        edge = y;
    if (CUBE_SIZE - 1 - y < edge)
        edge = CUBE_SIZE - 1 - y;
    if (edge < 3 || (edge >= 20 && edge < 23)) /* bevels */
        return ramp(RAMP_GOLD, 20 + 14 * (edge < 3 ? edge : 22 - edge) + (x + y) / 10);
    if (edge < 20) {
        int along = x == edge || CUBE_SIZE - 1 - x == edge ? y : x;
        bool hole = edge >= 7 && edge < 16 && along >= 24 && along < 104 && (along - 24) % 16 < 9;
        return hole ? ramp(RAMP_PANEL, 4 + edge) : ramp(RAMP_GOLD, 18 + (x * 3 + y * 2) / 20);
    }
    if (edge < 28) /* a mat around the picture */
        return ramp(RAMP_PANEL, 24 + (128 - y) / 6 + (edge - 23) * 3);
    int sun = square_root((u - 50) * (u - 50) + (v - 20) * (v - 20));
    int ridge = 40 + (u < 26 ? 26 - u : u - 26) * 9 / 10 - 14, hill = 62 - (u - 18) / 2;
    if (u > 52)
        hill = 45 + (u - 52);
    if (v > hill)
        return ramp(RAMP_PANEL, 14 + (v - hill) / 2);
    if (v > ridge)
        return ramp(RAMP_PANEL, 46 - (v - ridge) / 2 + (u < 26 ? 8 : 0));
    if (sun < 11)
        return ramp(RAMP_LIGHT, 63 - sun / 2);
    return ramp(RAMP_SKY, 14 + v - sun / 3 + (sun < 24 ? 24 - sun : 0));
}

static void upload_cube(struct display_list *list)
{
    struct canvas canvas = {CUBE_SIZE, CUBE_SIZE, {0}};

    for (int i = 0; i < CUBE_SIZE * CUBE_SIZE; i++)
        canvas.texels[i] = (uint8_t)cube_texel(i % CUBE_SIZE, i / CUBE_SIZE);
    upload_canvas(list, &canvas, PAGE_CUBE, 0, DEPTH_8);
}

void textures_upload_cube_palette(struct display_list *list, int number, int glow)
{
    const uint32_t panels[CUBE_PALETTES][2] = {
        {rgb(8, 16, 56), rgb(120, 200, 255)},
        {rgb(40, 8, 48), rgb(240, 144, 232)},
        {rgb(0, 32, 40), rgb(112, 224, 216)},
    };
    const uint32_t skies[CUBE_PALETTES][2] = {
        {rgb(32, 72, 168), rgb(255, 216, 160)},
        {rgb(104, 44, 144), rgb(255, 184, 144)},
        {rgb(24, 104, 128), rgb(232, 240, 168)},
    };
    uint16_t palette[256];

    for (int i = 0; i < RAMP_LENGTH; i++) {
        uint32_t gold = rgb_mix(rgb(58, 30, 12), rgb(255, 226, 140), i, RAMP_LENGTH);
        uint32_t panel = rgb_mix(panels[number][0], panels[number][1], i, RAMP_LENGTH);
        uint32_t sky = rgb_mix(skies[number][0], skies[number][1], i, RAMP_LENGTH);
        uint32_t light = rgb_mix(rgb(255, 150, 60), rgb(255, 255, 230), i, RAMP_LENGTH);
        palette[RAMP_GOLD + i] = pixel(rgb_scale(gold, 256 + glow));
        palette[RAMP_PANEL + i] = pixel(rgb_scale(panel, 256 + glow));
        palette[RAMP_SKY + i] = pixel(rgb_scale(sky, 256 + glow));
        palette[RAMP_LIGHT + i] = pixel(light);
    }
    list_upload(list, 0, PALETTE_CUBE_ROW + number, 256, 1, palette);
    display_list_send(list);
}

/* Uploads waves that fit together at the edges of the texture. */
static void upload_water(struct display_list *list)
{
    struct canvas canvas = {WATER_SIZE, WATER_SIZE, {0}};

    for (int i = 0; i < WATER_SIZE * WATER_SIZE; i++) {
        int x = i % WATER_SIZE * 64, y = i / WATER_SIZE * 64; /* a full turn across the texture */
        int warp = fixed_wave(300, 2 * y + x) + fixed_wave(260, 3 * x - y);
        int height = fixed_sin(3 * y + x + warp) + fixed_sin(2 * x - 2 * y + warp) +
                     fixed_sin(5 * y - 2 * x + 2 * warp) / 2;
        canvas.texels[i] = (uint8_t)clamp(7 + height / 1200, 0, 15);
    }
    upload_canvas(list, &canvas, PAGE_SMALL, 0, DEPTH_4);
}

/*
 * Uploads palettes of the same sea at sixteen moments: the glitter of the crests moves through
 * them.
 */
static void upload_water_palettes(struct display_list *list)
{
    uint16_t palettes[WATER_PALETTES * 16];

    for (int number = 0; number < WATER_PALETTES; number++)
        for (int i = 0; i < 16; i++) {
            uint32_t colour = rgb_mix(rgb(40, 62, 110), rgb(150, 190, 224), i, 15);
            int crest = fixed_sin((i * 2 + number) * FIXED_TURN / 16) + FIXED_ONE;
            colour = rgb_mix(colour, rgb(255, 240, 214), crest * i, 3 * 15 * FIXED_ONE);
            palettes[number * 16 + i] = pixel(colour) | SEMI;
        }
    list_upload(list, 0, PALETTE_WATER_ROW, WATER_PALETTES * 16, 1, palettes);
    display_list_send(list);
}

void textures_turn_water(struct display_list *list, int number)
{
    list_copy(list, number % WATER_PALETTES * 16, PALETTE_WATER_ROW, WATER_PALETTE_X, PALETTE_ROW,
              16, 1);
    list_clear_cache(list); /* otherwise, the old palette stays latched */
}

/* Uploads discs of light that fade outwards, to be added to what is behind them. */
static void upload_glow(struct display_list *list, int u, int size)
{
    struct canvas canvas = {size, size, {0}};

    for (int i = 0; i < size * size; i++) {
        int x = 2 * (i % size) - size + 1, y = 2 * (i / size) - size + 1;
        int distance = square_root((x * x + y * y) * 256), edge = size * 16;
        int light = clamp(edge - distance, 0, edge) * 64 / edge;
        canvas.texels[i] = (uint8_t)clamp(light * light * 15 / 4096 + (light > 56), 0, 15);
    }
    upload_canvas(list, &canvas, PAGE_SMALL + u / 4, 0, DEPTH_4);
}

static void upload_small_palettes(struct display_list *list)
{
    uint16_t palettes[48] = {0};

    palettes[FONT_PALETTE_X + 1] = pixel(rgb(255, 255, 255));
    palettes[FONT_PALETTE_X + 2] = pixel(rgb(16, 8, 24));
    for (int i = 1; i < 16; i++)
        palettes[GLOW_PALETTE_X + i] = pixel(rgb(i * 17, i * 17, i * 17)) | SEMI;
    list_upload(list, 0, PALETTE_ROW, 48, 1, palettes);
    display_list_send(list);
}

/* Uploads letters in colour 1 with a shadow in colour 2, sixteen in a row. */
static void upload_font(struct display_list *list)
{
    struct canvas canvas = {FONT_ACROSS * FONT_SIZE, 4 * FONT_SIZE, {0}};

    for (int c = 0; c < 64; c++) {
        const unsigned char *rows = font_letter((char)(' ' + c));
        uint8_t *place = canvas.texels + c / FONT_ACROSS * FONT_SIZE * canvas.width +
                         c % FONT_ACROSS * FONT_SIZE;
        for (int i = 0; i < 49; i++) {
            int x = i % 7, y = i / 7;
            if ((rows[y] >> (6 - x) & 1) == 0)
                continue;
            place[y * canvas.width + x] = 1;
            if (place[(y + 1) * canvas.width + x + 1] == 0)
                place[(y + 1) * canvas.width + x + 1] = 2;
        }
    }
    upload_canvas(list, &canvas, PAGE_SMALL, FONT_V, DEPTH_4);
}

static void upload_sun(struct display_list *list)
{
    uint16_t pixels[SUN_SIZE * SUN_SIZE];

    for (int i = 0; i < SUN_SIZE * SUN_SIZE; i++) {
        int x = 2 * (i % SUN_SIZE) - SUN_SIZE + 1, y = 2 * (i / SUN_SIZE) - SUN_SIZE + 1;
        uint32_t colour = rgb_mix(rgb(255, 250, 200), rgb(255, 140, 84), i / SUN_SIZE, SUN_SIZE);
        pixels[i] = x * x + y * y < SUN_SIZE * SUN_SIZE ? pixel(colour) : 0;
    }
    list_upload(list, PAGE_SUN, 0, SUN_SIZE, SUN_SIZE, pixels);
    display_list_send(list);
}

void textures_upload(struct display_list *list)
{
    upload_cube(list);
    upload_water(list);
    upload_glow(list, GLOW_U, GLOW_SIZE);
    upload_glow(list, SPARK_U, SPARK_SIZE);
    upload_font(list);
    upload_sun(list);
    upload_small_palettes(list);
    upload_water_palettes(list);
    for (int number = 0; number < CUBE_PALETTES; number++)
        textures_upload_cube_palette(list, number, 0);
}

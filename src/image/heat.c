/* SPDX-License-Identifier: MIT */
#include "image/heat.h"

#include <string.h>

const struct heat_scale heat_writes = {
    "writes a pixel",
    {
        {0, {0, 0, 0}, "0"},
        {1, {30, 40, 150}, "1"},
        {2, {20, 100, 200}, "2"},
        {3, {0, 150, 170}, "3"},
        {4, {0, 165, 80}, "4"},
        {5, {90, 185, 20}, "5"},
        {6, {170, 195, 0}, "6"},
        {7, {225, 190, 0}, "7"},
        {8, {250, 150, 0}, "8"},
        {9, {250, 95, 0}, "9-12"},
        {13, {240, 40, 20}, "13-16"},
        {17, {240, 50, 130}, "17-32"},
        {33, {235, 110, 230}, "33-64"},
        {65, {255, 255, 255}, "65+"},
    },
};

enum {
    LEGEND_LINES = 16, /* height of a row of colours */
    LEGEND_START = 94, /* column of the first colour, after the title */
    LEGEND_STEP = 66,  /* width of a colour and its label */
    LEGEND_TEXT = 4,   /* first line of text within a row */
    SWATCH = 16,
    /* Colours of the legend besides those of the scale. */
    PAPER = HEATS,
    INK,
};

const uint8_t *heat_colour(const struct heat_scale *scale, unsigned value)
{
    unsigned i = HEATS - 1;

    while (value < scale->heats[i].min)
        i--;
    return scale->heats[i].rgb;
}

/* The position of a colour in the legend. */
struct place {
    uint32_t x, y;
};

static struct place first_place(uint32_t width)
{
    return LEGEND_START + LEGEND_STEP > width ? (struct place){0, LEGEND_LINES}
                                              : (struct place){LEGEND_START, 0};
}

static struct place next_place(struct place place, uint32_t width)
{
    place.x += LEGEND_STEP;
    return place.x + LEGEND_STEP > width ? (struct place){0, place.y + LEGEND_LINES} : place;
}

uint32_t heat_legend_lines(uint32_t width)
{
    struct place place = first_place(width);

    for (unsigned i = 1; i < HEATS; i++)
        place = next_place(place, width);
    return place.y + LEGEND_LINES;
}

static void write_text(struct canvas *legend, struct place place, const char *text)
{
    font_draw(legend, place.x, place.y + LEGEND_TEXT, legend->width, text, strlen(text), INK);
}

int heat_legend_init(const struct heat_scale *scale, uint32_t width, struct canvas *legend)
{
    struct place place = first_place(width);
    int status = canvas_init(legend, width, heat_legend_lines(width), PAPER);

    if (status != 0)
        return status;
    write_text(legend, (struct place){SWATCH / 2, 0}, scale->title);
    for (unsigned i = 0; i < HEATS; i++, place = next_place(place, width)) {
        canvas_fill(legend, place.x, place.y, SWATCH, LEGEND_LINES, (uint8_t)i);
        write_text(legend, (struct place){place.x + SWATCH + 4, place.y}, scale->heats[i].label);
    }
    return 0;
}

const uint8_t *heat_legend_colour(const struct heat_scale *scale, uint8_t colour)
{
    static const uint8_t paper[3] = {64, 64, 64}, ink[3] = {255, 255, 255};

    if (colour < HEATS)
        return scale->heats[colour].rgb;
    return colour == INK ? ink : paper;
}

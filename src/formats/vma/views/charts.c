/* SPDX-License-Identifier: MIT */
#include "formats/vma/views/charts.h"

#include "base/wide.h"
#include "formats/vma/views/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    GRID_LINES = 4,
    TICKS = 8,
    SWATCH = 10,
    SWATCH_TEXT = SWATCH + 4,
    LEGEND_GAP = 14,
};

/* More than any heap has; greater values are drawn with this height. */
#define SCALE_MAX (UINT64_C(1) << 62)

static void write_line(struct vma_chart *chart, int64_t x, int64_t y, uint8_t colour,
                       const char *line)
{
    font_draw(chart->canvas, x, y, VMA_MAP_WIDTH - VMA_CHART_MARGIN - x, line, strlen(line),
              colour);
}

void vma_chart_title(struct vma_chart *chart, const char *title)
{
    write_line(chart, VMA_CHART_MARGIN, chart->y + 3, VMA_COLOUR_TEXT, title);
    chart->y += VMA_CHART_ROW;
}

void vma_chart_legend(struct vma_chart *chart, const struct vma_chart_key *keys, unsigned count)
{
    int64_t x = VMA_CHART_X;

    for (unsigned i = 0; i < count; i++) {
        canvas_fill(chart->canvas, x, chart->y + 2, SWATCH, SWATCH, keys[i].colour);
        canvas_outline(chart->canvas, x, chart->y + 2, SWATCH, SWATCH, VMA_COLOUR_OUTLINE);
        write_line(chart, x + SWATCH_TEXT, chart->y + 3, VMA_COLOUR_TEXT, keys[i].name);
        x += SWATCH_TEXT + (int64_t)font_width(strlen(keys[i].name)) + LEGEND_GAP;
    }
    chart->y += VMA_CHART_ROW;
}

/* A scale: it has lines at multiples of a step. */
struct scale {
    uint64_t step, top;
};

/* Returns the smallest of 1, 2, 5, 10, 20 … that is not below `min`; at most SCALE_MAX. */
static uint64_t round_step(uint64_t min)
{
    static const unsigned factors[] = {2, 5, 10};
    uint64_t power = 1, step = 1;

    for (unsigned i = 0; step < min && power < SCALE_MAX / 10; i++) {
        step = power * factors[i % 3];
        if (i % 3 == 2)
            power *= 10;
    }
    return step;
}

static uint64_t divide_up(uint64_t value, uint64_t by)
{
    return value / by + (value % by != 0);
}

/*
 * Chooses a scale with at most GRID_LINES steps, whose highest line is not below the greatest
 * value.
 */
static struct scale scale_for(uint64_t max, bool numbers)
{
    uint64_t step = 1;

    max = max < SCALE_MAX ? max : SCALE_MAX;
    if (numbers)
        step = round_step(divide_up(max, GRID_LINES));
    else
        while (step < divide_up(max, GRID_LINES))
            step <<= 1;
    return (struct scale){step, max == 0 ? step : divide_up(max, step) * step};
}

static int64_t height_of(uint64_t value, uint64_t top, int64_t height)
{
    return value >= top ? height : (int64_t)wide_share(value, top, (uint64_t)height);
}

static void draw_grid(struct vma_chart *chart, const struct vma_strip *strip,
                      const struct scale *scale)
{
    char figure[VMA_SIZE_ROOM];

    for (uint64_t value = 0; value <= scale->top; value += scale->step) {
        int64_t y = chart->y + strip->height - height_of(value, scale->top, strip->height);

        canvas_fill(chart->canvas, VMA_CHART_X, y, VMA_TIMELINE_SAMPLES, 1, VMA_COLOUR_GRID);
        if (strip->numbers)
            snprintf(figure, sizeof(figure), "%" PRIu64, value);
        else
            vma_size_text(value, figure);
        write_line(chart, VMA_CHART_X - 6 - (int64_t)font_width(strlen(figure)),
                   y - FONT_HEIGHT / 2, VMA_COLOUR_FAINT, figure);
    }
}

static int64_t column_x(const struct vma_chart *chart, uint64_t column, int64_t x, int64_t width)
{
    return x + (int64_t)(column * (uint64_t)width / chart->columns);
}

uint64_t vma_strip_greatest(const struct vma_strip *strip, uint32_t columns)
{
    uint64_t greatest = 0;

    for (uint32_t column = 0; column < columns; column++) {
        uint64_t sum = 0;

        for (unsigned i = 0; i < strip->series; i++)
            sum += strip->values[(size_t)column * strip->series + i];
        greatest = sum > greatest ? sum : greatest;
    }
    return greatest;
}

void vma_chart_areas(struct vma_chart *chart, const struct vma_strip *strip, int64_t x,
                     int64_t width, uint64_t top)
{
    for (uint32_t column = 0; column < chart->columns; column++) {
        const uint64_t *values = &strip->values[(size_t)column * strip->series];
        int64_t left = column_x(chart, column, x, width);
        int64_t right = column_x(chart, column + (uint64_t)1, x, width);
        uint64_t sum = 0;

        for (unsigned i = 0; i < strip->series; i++) {
            int64_t below = height_of(sum, top, strip->height), above;

            sum += values[i];
            above = height_of(sum, top, strip->height);
            canvas_fill(chart->canvas, left, chart->y + strip->height - above, right - left,
                        above - below, strip->colours[i]);
        }
    }
}

void vma_chart_strip(struct vma_chart *chart, const struct vma_strip *strip)
{
    uint64_t greatest = vma_strip_greatest(strip, chart->columns);
    struct scale scale = scale_for(greatest, strip->numbers);

    write_line(chart, VMA_CHART_X, chart->y + 3, VMA_COLOUR_TEXT, strip->caption);
    chart->y += VMA_CHART_CAPTION;
    draw_grid(chart, strip, &scale);
    vma_chart_areas(chart, strip, VMA_CHART_X, VMA_TIMELINE_SAMPLES, scale.top);
    chart->y += strip->height + VMA_CHART_GAP;
}

void vma_chart_frames(struct vma_chart *chart)
{
    uint64_t step = round_step(divide_up(chart->frames, TICKS));
    char line[32];

    for (uint64_t frame = 0; frame < chart->frames; frame += step) {
        int64_t x = column_x(chart, frame * chart->columns / chart->frames, VMA_CHART_X,
                             VMA_TIMELINE_SAMPLES);

        canvas_fill(chart->canvas, x, chart->y - VMA_CHART_GAP + 1, 1, 6, VMA_COLOUR_OUTLINE);
        snprintf(line, sizeof(line), "frame %06" PRIu64, frame);
        write_line(chart, x + 3, chart->y, VMA_COLOUR_FAINT, line);
    }
    chart->y += VMA_CHART_ROW;
}

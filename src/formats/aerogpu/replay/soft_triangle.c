/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/replay.h"

#include <math.h>
#include <stdbool.h>

enum { SUBPIXEL = 256, GUARD = 1 << 21 }; /* as in D3D: 8 fractional bits */

struct point {
    int64_t x, y;      /* in 1/256 of a pixel: decides what is covered */
    double at_x, at_y; /* the unrounded position: for the interpolation of colours */
};

/* Maps a vertex to the target. Returns false if its position is NaN or far outside. */
static bool place(const struct aerogpu_soft_area *area, const struct aerogpu_soft_vertex *vertex,
                  struct point *out)
{
    float x = area->x + (vertex->x + 1) / 2 * area->view_width;
    float y = area->y + (1 - vertex->y) / 2 * area->view_height;

    if (!(fabsf(x) < GUARD) || !(fabsf(y) < GUARD))
        return false;
    out->at_x = (double)x;
    out->at_y = (double)y;
    out->x = llrintf(x * SUBPIXEL);
    out->y = llrintf(y * SUBPIXEL);
    return true;
}

static int64_t cross(struct point a, struct point b, struct point p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/* Returns whether an edge of a clockwise triangle, with y pointing down, is a top or left edge. */
static bool is_top_left(struct point a, struct point b)
{
    return (a.y == b.y && b.x > a.x) || b.y < a.y;
}

static int64_t clamp(int64_t value, int64_t min, int64_t max)
{
    return value > max ? max : value < min ? min : value;
}

struct box {
    int64_t left, top, right, bottom;
};

static struct box bounds(const struct aerogpu_soft_area *area, const struct point p[3])
{
    struct box box = {p[0].x, p[0].y, p[0].x, p[0].y};

    for (int i = 1; i < 3; i++) {
        box.left = p[i].x < box.left ? p[i].x : box.left;
        box.right = p[i].x > box.right ? p[i].x : box.right;
        box.top = p[i].y < box.top ? p[i].y : box.top;
        box.bottom = p[i].y > box.bottom ? p[i].y : box.bottom;
    }
    box.left = clamp(box.left / SUBPIXEL - 1, area->left, area->right);
    box.right = clamp(box.right / SUBPIXEL + 2, area->left, area->right);
    box.top = clamp(box.top / SUBPIXEL - 1, area->top, area->bottom);
    box.bottom = clamp(box.bottom / SUBPIXEL + 2, area->top, area->bottom);
    return box;
}

/* Returns twice the area of a triangle. */
static double area_of(const struct point *a, const struct point *b, double x, double y)
{
    return (b->at_x - a->at_x) * (y - a->at_y) - (b->at_y - a->at_y) * (x - a->at_x);
}

/* Interpolates the colour linearly between the unrounded corners. */
static void mix_colours(const struct point p[3], const struct aerogpu_soft_vertex v[3], int64_t x,
                        int64_t y, float colour[4])
{
    double whole = area_of(&p[0], &p[1], p[2].at_x, p[2].at_y), at_x = (double)x + 0.5;
    double at_y = (double)y + 0.5, second = 0, third = 0;

    if (whole != 0) {
        second = area_of(&p[2], &p[0], at_x, at_y) / whole;
        third = area_of(&p[0], &p[1], at_x, at_y) / whole;
    }
    for (int c = 0; c < 4; c++)
        colour[c] = (float)((double)v[0].colour[c] +
                            second * ((double)v[1].colour[c] - (double)v[0].colour[c]) +
                            third * ((double)v[2].colour[c] - (double)v[0].colour[c]));
}

void aerogpu_soft_triangle(const struct aerogpu_soft_area *area,
                           const struct aerogpu_soft_vertex vertices[3], aerogpu_soft_paint *paint,
                           void *context)
{
    struct aerogpu_soft_vertex v[3] = {vertices[0], vertices[1], vertices[2]};
    struct point p[3];
    struct box box;
    int64_t whole = 0;

    for (int i = 0; i < 3; i++)
        if (!place(area, &v[i], &p[i]))
            return;
    whole = cross(p[0], p[1], p[2]);
    if (whole < 0) {
        struct point point = p[1];

        p[1] = p[2];
        p[2] = point;
        v[1] = vertices[2];
        v[2] = vertices[1];
    }
    if (whole == 0)
        return;
    box = bounds(area, p);
    for (int64_t y = box.top; y < box.bottom && !cancel_requested(area->cancel); y++)
        for (int64_t x = box.left; x < box.right; x++) {
            struct point centre = {.x = x * SUBPIXEL + SUBPIXEL / 2,
                                   .y = y * SUBPIXEL + SUBPIXEL / 2};
            int64_t weight[3] = {cross(p[1], p[2], centre), cross(p[2], p[0], centre),
                                 cross(p[0], p[1], centre)};
            float colour[4];
            bool inside = true;

            for (int i = 0; i < 3; i++) {
                struct point from = p[(i + 1) % 3], to = p[(i + 2) % 3];

                inside = inside && (weight[i] > 0 || (weight[i] == 0 && is_top_left(from, to)));
            }
            if (!inside)
                continue;
            mix_colours(p, v, x, y, colour);
            paint(context, (uint32_t)x, (uint32_t)y, colour);
        }
}

/* SPDX-License-Identifier: MIT */
/*
 * Triangles. Rows are found by walking the three edges in fixed point, attributes are planes
 * (psx-gpu.md 4, 5). A quad is two triangles.
 *
 * Nothing here needs more than 32 bits and a double: a triangle that passes the size test is less
 * than 1024 wide and 512 high, so twice its area is below 2^19.
 */

#include "formats/psx/gpu/raster.h"

struct triangle {
    const struct psx_vertex *v[3]; /* in the order of the command */
    int x[3], y[3];                /* in VRAM */
    int dx10, dx21, dy10, dy21;    /* from v0 to v1, from v1 to v2 */
    int area2;                     /* twice the signed area */
    unsigned anchor;               /* the leftmost vertex, from which attributes are counted */
};

/*
 * Places the vertices, with lines not wrapped yet. Returns false if nothing is to be drawn
 * (psx-gpu.md 3).
 */
static bool triangle_set(const struct psx_vertex *v, int offset_x, int offset_y, struct triangle *t)
{
    t->dx10 = v[1].x - v[0].x;
    t->dy10 = v[1].y - v[0].y;
    t->dx21 = v[2].x - v[1].x;
    t->dy21 = v[2].y - v[1].y;
    t->area2 = t->dx10 * t->dy21 - t->dx21 * t->dy10;
    if (t->area2 == 0 || psx_span_too_large(t->dx10, t->dy10) ||
        psx_span_too_large(t->dx21, t->dy21) ||
        psx_span_too_large(t->dx10 + t->dx21, t->dy10 + t->dy21))
        return false;

    if (v[1].x <= v[0].x)
        t->anchor = v[2].x <= v[1].x ? 2 : 1;
    else
        t->anchor = v[2].x < v[0].x ? 2 : 0;
    offset_x += psx_wrap_shift(v[t->anchor].x + offset_x);
    for (unsigned i = 0; i < 3; i++) {
        t->v[i] = &v[i];
        t->x[i] = v[i].x + offset_x;
        t->y[i] = v[i].y + offset_y;
    }
    return true;
}

/*
 * An edge, as the column of the first pixel to the right of it in each row: ceil(x0 + dx * (y - y0)
 * / dy). The slope is truncated to EDGE_BITS fractional bits, so that the error of 511 steps is
 * less than 2^-11. A true fraction is 0, or at least 1/511 and at most 510/511. So adding
 * EDGE_ROUND, 1 - 2^-10, gives the exact ceiling.
 */
enum { EDGE_BITS = 20, EDGE_ROUND = (1 << EDGE_BITS) - (1 << (EDGE_BITS - 10)) };

enum { ROWS_AT_ONCE = RASTER_SPARE_ROWS };

struct edge {
    int x0;
    uint32_t value, step; /* offset from x0: signed, but may wrap beyond the edge's ends */
};

static struct edge edge_begin(const struct triangle *t, unsigned top, unsigned bottom, int y)
{
    int32_t step = (t->x[bottom] - t->x[top]) * (1 << EDGE_BITS) / (t->y[bottom] - t->y[top]);

    return (struct edge){t->x[top], (uint32_t)(EDGE_ROUND + step * (y - t->y[top])),
                         (uint32_t)step};
}

static inline int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* Computes the columns of ROWS_AT_ONCE rows, limited to the drawing area, and advances the edge. */
static inline void edge_columns(struct edge *edge, int16_t low, int16_t high,
                                int16_t columns[ROWS_AT_ONCE])
{
    for (unsigned i = 0; i < ROWS_AT_ONCE; i++) {
        int32_t offset = (int32_t)(edge->value + i * edge->step) >> EDGE_BITS;
        int16_t column = (int16_t)(edge->x0 + offset);

        column = column > low ? column : low;
        columns[i] = column < high ? column : high;
    }
    edge->value += ROWS_AT_ONCE * edge->step;
}

/*
 * Computes the rows between two edges that are at the first of them, clipped. Returns the number of
 * their pixels. Loops of a constant length become vectors: the last iteration writes some rows too
 * many, which are not in use yet.
 */
static uint32_t walk_rows(struct edge left, struct edge right, int y0, int y1,
                          const struct psx_area *area, struct psx_raster_job *job)
{
    int16_t low = (int16_t)area->x0, high = (int16_t)(area->x1 + 1);
    uint32_t pixels = 0;

    for (int y = y0; y < y1; y += ROWS_AT_ONCE) {
        int16_t *from = &job->left[y], *to = &job->right[y];

        edge_columns(&left, low, high, from);
        edge_columns(&right, low, high, to);
        for (int i = 0; i < ROWS_AT_ONCE; i++) {
            to[i] = to[i] > from[i] ? to[i] : from[i];
            pixels += y + i < y1 ? (uint32_t)(to[i] - from[i]) : 0;
        }
    }
    return pixels;
}

/*
 * The vertices by Y, and in the command's order where Y is equal, by which pairs are out of order.
 */
static const uint8_t orders[8][3] = {
    [0] = {0, 1, 2},         /* none */
    [1] = {1, 0, 2},         /* 0 and 1 */
    [2] = {0, 2, 1},         /* 1 and 2 */
    [1 + 4] = {1, 2, 0},     /* 0 and 1, 0 and 2 */
    [2 + 4] = {2, 0, 1},     /* 1 and 2, 0 and 2 */
    [1 + 2 + 4] = {2, 1, 0}, /* all; no other combination can occur */
};

static inline const uint8_t *order_of(const struct triangle *t)
{
    return orders[(t->y[1] < t->y[0]) + 2 * (t->y[2] < t->y[1]) + 4 * (t->y[2] < t->y[0])];
}

/* Computes the job's rows. Returns false if the drawing area contains no pixel of them. */
static bool set_rows(const struct triangle *t, const struct psx_area *area,
                     struct psx_raster_job *job, struct psx_raster_bounds *bounds)
{
    const uint8_t *order = order_of(t);
    const unsigned top = order[0], middle = order[1], bottom = order[2];
    int bend = (t->x[middle] - t->x[top]) * (t->y[bottom] - t->y[top]) -
               (t->x[bottom] - t->x[top]) * (t->y[middle] - t->y[top]);

    job->y0 = t->y[top] > area->y0 ? t->y[top] : area->y0;
    job->y1 = t->y[bottom] <= area->y1 ? t->y[bottom] : area->y1 + 1;
    if (job->y0 >= job->y1 || area->x0 > area->x1)
        return false;

    const bool to_right = bend > 0; /* the middle vertex is to the right of the long edge */
    int turn = clamp(t->y[middle], job->y0, job->y1);
    struct edge whole = edge_begin(t, top, bottom, job->y0);

    bounds->pixels = 0;
    if (job->y0 < turn) {
        struct edge upper = edge_begin(t, top, middle, job->y0);

        bounds->pixels +=
            walk_rows(to_right ? whole : upper, to_right ? upper : whole, job->y0, turn, area, job);
        whole.value += (uint32_t)(turn - job->y0) * whole.step;
    }
    if (turn < job->y1) {
        struct edge lower = edge_begin(t, middle, bottom, turn);

        bounds->pixels +=
            walk_rows(to_right ? whole : lower, to_right ? lower : whole, turn, job->y1, area, job);
    }
    return bounds->pixels > 0;
}

static inline void spread(int value, int *low, int *high)
{
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

/*
 * Computes bounds of columns, U and V from those of the vertices: rounding takes no attribute
 * beyond them.
 */
static void set_bounds(const struct triangle *t, const struct psx_area *area,
                       struct psx_raster_bounds *bounds)
{
    int x0 = t->x[0], x1 = t->x[0];
    int u0 = t->v[0]->u, u1 = u0, v0 = t->v[0]->v, v1 = v0;

    for (unsigned i = 1; i < 3; i++) {
        spread(t->x[i], &x0, &x1);
        spread(t->v[i]->u, &u0, &u1);
        spread(t->v[i]->v, &v0, &v1);
    }
    bounds->first = t->y[t->anchor];
    bounds->x0 = x0 > area->x0 ? x0 : area->x0;
    bounds->x1 = x1 <= area->x1 ? x1 : area->x1 + 1;
    bounds->u0 = (uint8_t)u0;
    bounds->u1 = (uint8_t)u1;
    bounds->v0 = (uint8_t)v0;
    bounds->v1 = (uint8_t)v1;
}

/*
 * Returns trunc(4096 * number / area2), |number| < 2^19, by means of the reciprocal. Half a unit is
 * added to the dividend's magnitude. That crosses no integer quotient, and is far more than the
 * double's error.
 */
static inline int32_t gradient(int number, double reciprocal)
{
    double dividend = number * 4096.0;

    return (int32_t)((dividend + __builtin_copysign(0.5, dividend)) * reciprocal);
}

static struct psx_raster_plane plane_of(const struct triangle *t, double reciprocal, int a0, int a1,
                                        int a2)
{
    int a10 = a1 - a0, a21 = a2 - a1;
    int at_anchor = t->anchor == 0 ? a0 : t->anchor == 1 ? a1 : a2;
    struct psx_raster_plane plane = {
        .dx = gradient(a10 * t->dy21 - a21 * t->dy10, reciprocal),
        .dy = gradient(t->dx10 * a21 - t->dx21 * a10, reciprocal),
    };

    plane.origin = ((int64_t)at_anchor << RASTER_FRACTION) + (1 << (RASTER_FRACTION - 1)) -
                   (int64_t)plane.dx * t->x[t->anchor] - (int64_t)plane.dy * t->y[t->anchor];
    return plane;
}

static void set_planes(const struct triangle *t, const struct psx_draw *draw,
                       struct psx_raster_job *job)
{
    double reciprocal = 1.0 / t->area2;

    if (draw->textured) {
        job->u = plane_of(t, reciprocal, t->v[0]->u, t->v[1]->u, t->v[2]->u);
        job->v = plane_of(t, reciprocal, t->v[0]->v, t->v[1]->v, t->v[2]->v);
    }
    if (!draw->gouraud || draw->raw)
        return;
    for (unsigned i = 0; i < 3; i++)
        job->plane[i] = plane_of(t, reciprocal, t->v[0]->colour >> 8 * i & 0xFF,
                                 t->v[1]->colour >> 8 * i & 0xFF, t->v[2]->colour >> 8 * i & 0xFF);
}

/* Draws the part of the triangle that is in the area, whose lines are all in VRAM. */
static inline void draw_triangle(struct psx_gpu *gpu, const struct psx_draw *draw,
                                 const struct triangle *t, const struct psx_area *area,
                                 struct psx_raster_job *job)
{
    struct psx_raster_bounds bounds;

    if (!set_rows(t, area, job, &bounds))
        return;
    set_planes(t, draw, job);
    if (draw->textured)
        set_bounds(t, area, &bounds);
    psx_raster_run(gpu, draw, job, &bounds);
}

/*
 * Returns whether all rows of the triangle are from -1024 to `end` - 1, so that none of them wraps.
 */
static inline bool lies_above(const struct triangle *t, int end)
{
    const unsigned size = (unsigned)(end + 1024);

    return (unsigned)(t->y[0] + 1024) <= size && (unsigned)(t->y[1] + 1024) <= size &&
           (unsigned)(t->y[2] + 1024) <= size;
}

/*
 * Draws the part of the triangle, moved by `shift`, that is in the area, from line `band` on up to
 * where the lines of VRAM begin again.
 */
static void draw_band(struct psx_gpu *gpu, const struct psx_draw *draw, const struct triangle *t,
                      const struct psx_area *area, int shift, int band, struct psx_raster_job *job)
{
    const int lines = (int)psx_display_lines(&gpu->state.registers.display);
    struct triangle moved = *t;
    struct psx_area part = *area;

    part.y0 = part.y0 > band ? part.y0 - band : 0;
    part.y1 = part.y1 < band + lines ? part.y1 - band : lines - 1;
    for (unsigned i = 0; i < 3; i++)
        moved.y[i] += shift - band;
    draw_triangle(gpu, draw, &moved, &part, job);
}

/*
 * Draws a triangle whose lines wrap (psx-gpu.md 2, 3). The GPU walks the rows above the middle
 * vertex and those below it separately, upwards or downwards. The number of a walk's first row is
 * reduced to signed 11 bits, and all other rows of the walk are shifted by the same distance.
 */
static void draw_wrapped(struct psx_gpu *gpu, const struct psx_draw *draw, const struct triangle *t,
                         const struct psx_area *area, struct psx_raster_job *job)
{
    const int lines = (int)psx_display_lines(&gpu->state.registers.display);
    const uint8_t *order = order_of(t);
    const bool from_top = t->anchor == order[0], from_bottom = t->anchor == order[2];

    for (unsigned i = 0; i < 2; i++) {
        const bool lower = from_top == i;
        const bool upwards = lower ? from_bottom : !from_top;
        const int y0 = t->y[order[lower]], y1 = t->y[order[lower + 1]] - 1;
        const int first = upwards ? y1 : y0;
        const int shift = first < -1024 ? 2048 : first > 1023 ? -2048 : 0;
        struct psx_area part = *area;

        part.y0 = part.y0 > y0 + shift ? part.y0 : y0 + shift;
        part.y1 = part.y1 < y1 + shift ? part.y1 : y1 + shift;
        draw_band(gpu, draw, t, &part, shift, upwards ? lines : 0, job);
        draw_band(gpu, draw, t, &part, shift, upwards ? 0 : lines, job);
    }
}

void psx_raster_polygon(struct psx_gpu *gpu, const struct psx_draw *draw)
{
    const struct psx_area area = psx_registers_clip(&gpu->state.registers);
    const int lines = (int)psx_display_lines(&gpu->state.registers.display);
    const int end = area.y1 < lines ? 1024 : lines;
    struct psx_area upper = area;
    struct psx_raster_job job;
    int offset_x, offset_y;

    if (upper.y1 >= lines)
        upper.y1 = lines - 1;
    psx_registers_offset(&gpu->state.registers, &offset_x, &offset_y);
    psx_raster_begin(gpu, draw, &job);
    for (unsigned half = 0; half + 3 <= draw->vertex_count; half++) {
        struct triangle t;

        if (!triangle_set(&draw->vertex[half], offset_x, offset_y, &t))
            continue;
        if (lies_above(&t, end))
            draw_triangle(gpu, draw, &t, &upper, &job);
        else
            draw_wrapped(gpu, draw, &t, &area, &job);
    }
}

/*
 * Triangles without shaders: vertices of x, y in clip space and a colour, smooth,
 * opaque, unculled, by D3D's top-left rule (aerogpu.md 4.3). Pure functions.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_SOFT_TRIANGLE_H
#define GPUDUMPFS_AEROGPU_REPLAY_SOFT_TRIANGLE_H

#include <stdint.h>

struct aerogpu_soft_vertex {
    float x, y;      /* clip space: -1 to 1, y upwards */
    float colour[4]; /* red, green, blue, alpha */
};

/* Where triangles are drawn. */
struct aerogpu_soft_area {
    uint32_t width, height;              /* of the target */
    float x, y, view_width, view_height; /* viewport, in pixels from the top left */
    int32_t left, top, right, bottom;    /* what is drawn: right and bottom are outside */
};

/* Called for each pixel that is covered. */
typedef void aerogpu_soft_paint(void *context, uint32_t x, uint32_t y, const float colour[4]);

void aerogpu_soft_triangle(const struct aerogpu_soft_area *area,
                           const struct aerogpu_soft_vertex vertices[3], aerogpu_soft_paint *paint,
                           void *context);

#endif

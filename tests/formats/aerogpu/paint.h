/* SPDX-License-Identifier: MIT */
/*
 * Paints generated AeroGPU traces: each scene appends commands to a stream, and paints by means of
 * its own what the commands must show. Colours are 0xRRGGBBAA, positions are in pixels from the top
 * left.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_AEROGPU_PAINT_H
#define GPUDUMPFS_TESTS_FORMATS_AEROGPU_PAINT_H

#include "examples/trace_writer.h"

#include "base/blob.h"

#include <stdbool.h>

/* Objects that exist from the first frame on */
enum {
    PAINT_SCREEN = 1,
    PAINT_DEPTH,    /* D24S8 */
    PAINT_VERTICES, /* PAINT_CORNERS vertices: position and colour, four floats each */
    PAINT_KEPT,     /* a picture that one frame draws and later frames show */
    PAINT_PASS_VERTEX,
    PAINT_PASS_PIXEL,
    PAINT_LAYOUT,
    PAINT_FIRST_FREE = 16,
    PAINT_CORNERS = 96,
    PAINT_MEMORY = 1 << 14, /* bytes of guest memory of each submission */
    PAINT_ALLOCATION = 7,
};

struct expected {
    uint32_t width, height;
    uint8_t *rgba;
};

struct painting {
    uint64_t random;
    uint32_t width, height; /* of the screen; at least 32 each */
    struct trace_stream stream;
    struct expected expected; /* what the first bound target must show */
    struct expected kept;
    uint32_t handles; /* the last handle given */
    struct {
        uint32_t opcode, handle;
    } doomed[4]; /* to be destroyed after the frame has been presented */
    unsigned doomed_count;
    uint8_t memory[PAINT_MEMORY];
};

struct rect {
    uint32_t left, top, right, bottom;
};

/* Pictures as they must be */
void expected_init(struct expected *expected, uint32_t width, uint32_t height);
void expected_free(struct expected *expected);
void expected_fill(struct expected *expected, const struct rect *rect, uint32_t rgba);
void expected_fill_all(struct expected *expected, uint32_t rgba);
void expected_copy(struct expected *to, const struct expected *from);

/* Random values; the same seed gives the same sequence. paint_below() returns 0 to max - 1. */
uint32_t paint_below(struct painting *painting, uint32_t max);
uint32_t paint_colour(struct painting *painting);
/* Returns a random rectangle on the screen that is not empty. */
struct rect paint_rect(struct painting *painting);
/* Returns the rectangle of the complete screen. */
struct rect paint_all(const struct painting *painting);
uint32_t paint_handle(struct painting *painting);

/* Creates the objects above. */
void paint_create(struct painting *painting);
/*
 * Sets all state to its initial values, but with no culling and no depth test, and clears the
 * screen.
 */
void paint_begin(struct painting *painting);
void paint_clear(struct painting *painting, uint32_t rgba);
/* Computes the corners of two triangles, clockwise, moved right and down by `shift` pixels. */
void paint_corners(const struct painting *painting, const struct rect *rect, float z, float shift,
                   uint32_t rgba, float to[6][8]);
/* Writes the corners of the rectangle to the first vertices. */
void paint_upload(struct painting *painting, const struct rect *rect, float z, uint32_t rgba);
/* Uploads the rectangle, draws it, and fills it in the expected picture. */
void paint_draw(struct painting *painting, const struct rect *rect, uint32_t rgba);
/* Appends the draw command alone. */
void paint_issue(struct painting *painting, uint32_t count);
/*
 * Creates a shader and returns its handle, for paint_destroy_shader(). Drops the reference to the
 * code.
 */
uint32_t paint_shader(struct painting *painting, uint32_t stage, uint32_t stage_ex,
                      struct blob *code);
uint32_t paint_bytecode(struct painting *painting, uint32_t stage, const void *bytes, size_t size);
void paint_destroy_shader(struct painting *painting, uint32_t handle);
void paint_destroy(struct painting *painting, uint32_t handle);
void paint_doom(struct painting *painting, uint32_t opcode, uint32_t handle);
void paint_bind(struct painting *painting, uint32_t vertex, uint32_t pixel);
void paint_targets(struct painting *painting, uint32_t first, uint32_t second, uint32_t depth);

/* A kind of frame */
struct scene_kind {
    const char *name;
    void (*paint)(struct painting *painting);
    bool memory; /* needs guest memory, which only submissions have */
};

extern const struct scene_kind paint_raster_scenes[], paint_data_scenes[], paint_shader_scenes[];
extern const size_t paint_raster_count, paint_data_count, paint_shader_count;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A display list: GPU commands built word by word (docs/psx-gpu.md 2) and sent to the dump as one
 * packet, as a game passes its lists to the DMA controller. It keeps track of the drawing mode
 * (E1), and sends a new one only if a command needs it. Not shared among threads.
 */
#ifndef GPUDUMPFS_EXAMPLES_DISPLAY_LIST_H
#define GPUDUMPFS_EXAMPLES_DISPLAY_LIST_H

#include "dump_writer.h"

#include <stdbool.h>
#include <stdint.h>

enum blend { BLEND_AVERAGE, BLEND_ADD, BLEND_SUBTRACT, BLEND_ADD_QUARTER, BLEND_OFF };

enum depth { DEPTH_4, DEPTH_8, DEPTH_15 };

/* Where texels come from. */
struct texture {
    int x, y; /* of its page in VRAM: multiples of 64 and 256 */
    enum depth depth;
    int clut_x, clut_y; /* of its palette in VRAM; x a multiple of 16 */
};

/* How a primitive is drawn. {.blend = BLEND_OFF} is flat, opaque and untextured. */
struct style {
    const struct texture *texture; /* may be NULL */
    enum blend blend;
    bool gouraud; /* each corner has its own colour; otherwise that of the first */
    bool raw;     /* texels are not multiplied by the colour */
};

struct corner {
    int x, y;
    uint32_t colour; /* rgb() */
    int u, v;
};

struct display_list {
    struct dump_writer *dump;
    uint32_t *words;
    size_t count, room;
    uint32_t mode; /* the E1 in force */
};

static inline uint32_t rgb(int r, int g, int b)
{
    return (uint32_t)r | (uint32_t)g << 8 | (uint32_t)b << 16;
}

/* Returns a mix of a (at 0) and b (at `total`). */
uint32_t rgb_mix(uint32_t a, uint32_t b, int at, int total);
/* Returns each channel times `factor` / 256, at most 255. */
uint32_t rgb_scale(uint32_t colour, int factor);

void display_list_init(struct display_list *list, struct dump_writer *dump);
void display_list_clear(struct display_list *list);

/* Writes the collected words as one packet. */
void display_list_send(struct display_list *list);

/*
 * Sets everything that a frame's drawing depends on. (x, y) is the position of its buffer in VRAM.
 */
void list_environment(struct display_list *list, int x, int y, int width, int height);

/* Makes textures repeat every width x height texels (powers of two, 8 to 256). */
void list_texture_window(struct display_list *list, int width, int height);

void list_clear_cache(struct display_list *list);
void list_fill(struct display_list *list, int x, int y, int width, int height, uint32_t colour);

/*
 * Draws a polygon of 3 or 4 corners. Four corners are in reading order: upper left, upper right,
 * lower left, lower right.
 */
void list_polygon(struct display_list *list, const struct corner *corners, int count,
                  struct style style);
void list_polyline(struct display_list *list, const struct corner *corners, int count,
                   struct style style);
void list_line(struct display_list *list, struct corner from, struct corner to, struct style style);
/* Draws a rectangle; `corner` is its upper left one. */
void list_rectangle(struct display_list *list, struct corner corner, int width, int height,
                    struct style style);

/* Transfers: pixels to VRAM, VRAM to VRAM, and VRAM to the CPU. */
void list_upload(struct display_list *list, int x, int y, int width, int height,
                 const uint16_t *pixels);
void list_copy(struct display_list *list, int from_x, int from_y, int to_x, int to_y, int width,
               int height);
void list_read(struct display_list *list, int x, int y, int width, int height);

#endif

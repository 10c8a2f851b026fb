/* SPDX-License-Identifier: MIT */
#include "display_list.h"

#include <errno.h>
#include <stdlib.h>

enum { MODE_DITHER = 1 << 9, MODE_PAGE = 0x1ff };

static void put(struct display_list *list, uint32_t word)
{
    if (list->count == list->room) {
        size_t room = list->room > 0 ? 2 * list->room : 256;
        uint32_t *words = realloc(list->words, room * sizeof *words);
        if (words == NULL) {
            list->dump->status = -ENOMEM;
            return;
        }
        list->words = words;
        list->room = room;
    }
    list->words[list->count++] = word;
}

static uint32_t pack(int x, int y)
{
    return ((uint32_t)y & 0xffff) << 16 | ((uint32_t)x & 0xffff);
}

uint32_t rgb_mix(uint32_t a, uint32_t b, int at, int total)
{
    uint32_t mixed = 0;

    for (int shift = 0; shift < 24; shift += 8) {
        int from = a >> shift & 0xff, to = b >> shift & 0xff;
        mixed |= (uint32_t)(from + (to - from) * at / total) << shift;
    }
    return mixed;
}

uint32_t rgb_scale(uint32_t colour, int factor)
{
    uint32_t scaled = 0;

    for (int shift = 0; shift < 24; shift += 8) {
        int channel = (int)(colour >> shift & 0xff) * factor >> 8;
        scaled |= (uint32_t)(channel > 255 ? 255 : channel) << shift;
    }
    return scaled;
}

void display_list_init(struct display_list *list, struct dump_writer *dump)
{
    *list = (struct display_list){.dump = dump};
}

void display_list_clear(struct display_list *list)
{
    free(list->words);
    *list = (struct display_list){0};
}

void display_list_send(struct display_list *list)
{
    if (list->count > 0)
        dump_writer_packet(list->dump, DUMP_GP0, list->words, list->count);
    list->count = 0;
}

static void set_mode(struct display_list *list, uint32_t mode)
{
    if (mode == list->mode)
        return;
    list->mode = mode;
    put(list, 0xe1000000u | mode);
}

void list_environment(struct display_list *list, int x, int y, int width, int height)
{
    list->mode = MODE_DITHER;
    put(list, 0xe1000000u | list->mode);
    put(list, 0xe2000000u);
    put(list, 0xe3000000u | (uint32_t)y << 10 | (uint32_t)x);
    put(list, 0xe4000000u | (uint32_t)(y + height - 1) << 10 | (uint32_t)(x + width - 1));
    put(list, 0xe5000000u | (uint32_t)y << 11 | (uint32_t)x);
    put(list, 0xe6000000u);
}

void list_texture_window(struct display_list *list, int width, int height)
{
    put(list, 0xe2000000u | (uint32_t)(256 - height) / 8 << 5 | (uint32_t)(256 - width) / 8);
}

void list_clear_cache(struct display_list *list)
{
    put(list, 0x01000000u);
}

void list_fill(struct display_list *list, int x, int y, int width, int height, uint32_t colour)
{
    put(list, 0x02000000u | colour);
    put(list, pack(x, y));
    put(list, pack(width, height));
}

/* Returns the bits of a texture page, in the form of E1 and textured polygons. */
static uint32_t page_bits(struct style style)
{
    const struct texture *texture = style.texture;
    uint32_t blend = style.blend == BLEND_OFF ? 0 : style.blend;

    return (uint32_t)texture->x / 64 | (uint32_t)texture->y / 256 << 4 | blend << 5 |
           (uint32_t)texture->depth << 7;
}

static uint32_t clut_bits(const struct texture *texture)
{
    return (uint32_t)texture->clut_y << 6 | (uint32_t)texture->clut_x / 16;
}

/* Primitives without a texture page of their own use page and blending of E1. */
static void set_mode_for(struct display_list *list, struct style style)
{
    if (style.texture != NULL)
        set_mode(list, page_bits(style) | MODE_DITHER);
    else if (style.blend != BLEND_OFF)
        set_mode(list, (list->mode & ~(3u << 5)) | (uint32_t)style.blend << 5);
}

static uint32_t style_bits(struct style style)
{
    return (style.gouraud ? 0x10000000u : 0) | (style.texture != NULL ? 0x04000000u : 0) |
           (style.blend != BLEND_OFF ? 0x02000000u : 0) | (style.raw ? 0x01000000u : 0);
}

void list_polygon(struct display_list *list, const struct corner *corners, int count,
                  struct style style)
{
    if (style.texture == NULL)
        set_mode_for(list, style);
    else
        list->mode = (list->mode & ~(uint32_t)MODE_PAGE) | page_bits(style);
    uint32_t attributes[4] = {0};
    if (style.texture != NULL) {
        attributes[0] = clut_bits(style.texture);
        attributes[1] = page_bits(style);
    }
    put(list, 0x20000000u | style_bits(style) | (count == 4 ? 0x08000000u : 0) | corners[0].colour);
    for (int i = 0; i < count; i++) {
        if (i > 0 && style.gouraud)
            put(list, corners[i].colour);
        put(list, pack(corners[i].x, corners[i].y));
        if (style.texture != NULL)
            put(list, attributes[i] << 16 | (uint32_t)(corners[i].v & 0xff) << 8 |
                          (uint32_t)(corners[i].u & 0xff));
    }
}

static void put_line(struct display_list *list, uint32_t command, const struct corner *corners,
                     int count, struct style style)
{
    style.texture = NULL;
    style.raw = false;
    set_mode_for(list, style);
    put(list, command | style_bits(style) | corners[0].colour);
    for (int i = 0; i < count; i++) {
        if (i > 0 && style.gouraud)
            put(list, corners[i].colour);
        put(list, pack(corners[i].x, corners[i].y));
    }
}

void list_polyline(struct display_list *list, const struct corner *corners, int count,
                   struct style style)
{
    put_line(list, 0x48000000u, corners, count, style);
    put(list, 0x55555555u);
}

void list_line(struct display_list *list, struct corner from, struct corner to, struct style style)
{
    struct corner corners[2] = {from, to};

    put_line(list, 0x40000000u, corners, 2, style);
}

/* Returns the bits of the command for sizes that need no word of their own. */
static uint32_t size_bits(int width, int height)
{
    if (width != height)
        return 0;
    return width == 1 ? 0x08000000u : width == 8 ? 0x10000000u : width == 16 ? 0x18000000u : 0;
}

void list_rectangle(struct display_list *list, struct corner corner, int width, int height,
                    struct style style)
{
    uint32_t size = size_bits(width, height);

    style.gouraud = false;
    set_mode_for(list, style);
    put(list, 0x60000000u | size | style_bits(style) | corner.colour);
    put(list, pack(corner.x, corner.y));
    if (style.texture != NULL)
        put(list, clut_bits(style.texture) << 16 | (uint32_t)(corner.v & 0xff) << 8 |
                      (uint32_t)(corner.u & 0xff));
    if (size == 0)
        put(list, pack(width, height));
}

void list_upload(struct display_list *list, int x, int y, int width, int height,
                 const uint16_t *pixels)
{
    size_t count = (size_t)width * (size_t)height;

    put(list, 0xa0000000u);
    put(list, pack(x, y));
    put(list, pack(width, height));
    for (size_t i = 0; i < count; i += 2)
        put(list, pixels[i] | (i + 1 < count ? (uint32_t)pixels[i + 1] << 16 : 0));
}

void list_copy(struct display_list *list, int from_x, int from_y, int to_x, int to_y, int width,
               int height)
{
    put(list, 0x80000000u);
    put(list, pack(from_x, from_y));
    put(list, pack(to_x, to_y));
    put(list, pack(width, height));
}

void list_read(struct display_list *list, int x, int y, int width, int height)
{
    put(list, 0xc0000000u);
    put(list, pack(x, y));
    put(list, pack(width, height));
}

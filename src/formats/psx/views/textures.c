/* SPDX-License-Identifier: MIT */
/* Textures: textures.tsv of a frame and of the dump, and the pictures of textures and palettes. */
#include "formats/psx/views/views.h"

#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/textures.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/pixel.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const depth_names[] = {"4", "8", "15"};

/* Writes `TEXTURE IDENTITY PAGE CLUT DEPTH`, separated by tabs. */
static void write_texture(uint32_t key, uint64_t identity, struct text *text)
{
    char name[TEXTURE_NAME_MAX];

    psx_texture_name(key, name);
    text_printf(text, "%s\t0x%016" PRIX64 "\t%u\t", name, identity, psx_texture_page(key));
    if (psx_texture_depth(key) == PSX_DEPTH_15)
        text_add(text, "none");
    else
        text_add_hex(text, psx_texture_clut(key), 4);
    text_printf(text, "\t%s", depth_names[psx_texture_depth(key)]);
}

static void write_used(const struct blob *frame_textures, const struct psx_frame_texture *texture,
                       struct text *text)
{
    const struct psx_frame_texture_range *ranges =
        frame_textures_ranges(frame_textures) + texture->range;
    uint32_t listed = 0;

    for (uint32_t i = 0; i < texture->ranges; i++) {
        listed += ranges[i].to - ranges[i].from + 1;
        text_printf(text, "%s%" PRIu32, i > 0 ? "," : "\t", ranges[i].from);
        if (ranges[i].to > ranges[i].from)
            text_printf(text, "-%" PRIu32, ranges[i].to);
    }
    if (listed < texture->draws)
        text_printf(text, "%s+%" PRIu32, texture->ranges > 0 ? "," : "\t", texture->draws - listed);
    text_add_char(text, '\n');
}

/*
 * An identity always has the same number of digits, so the size can be measured without the
 * catalog.
 */
static int write_textures(struct dump *dump, uint64_t frame, bool measured,
                          const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct blob *frame_textures = NULL;
    int status = measured ? 0 : psx_texture_catalog_wait(psx, cancel);

    if (status == 0)
        status = psx_frame_textures_get(psx, frame, cancel, &frame_textures);
    if (status != 0)
        return status;
    for (uint32_t i = 0; i < frame_textures_count(frame_textures); i++) {
        const struct psx_frame_texture *texture = &frame_textures_list(frame_textures)[i];

        write_texture(texture->key,
                      measured ? 0 : psx_texture_catalog_identity(psx, frame, texture->key), text);
        text_printf(text, "\t%u,%u,%u,%u\t%" PRIu32 "\t%" PRIu32, texture->u0, texture->v0,
                    texture->u1, texture->v1, texture->first, texture->draws);
        write_used(frame_textures, texture, text);
    }
    blob_unref(&frame_textures);
    return 0;
}

static int texture_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    (void)piece;
    return write_textures(dump, frame, false, cancel, text);
}

static int texture_measure(struct dump *dump, uint64_t frame, uint64_t piece,
                           const struct cancel *cancel, struct text *text)
{
    (void)piece;
    return write_textures(dump, frame, true, cancel, text);
}

const struct dump_listing psx_texture_table = {
    .columns = "texture\tidentity\tpage\tclut\tdepth\tuv\tfirst\tdraws\tused",
    .pieces = psx_frame_one_piece,
    .piece = texture_piece,
    .measure = texture_measure};

/* All textures of the dump. */

static int count_textures(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *rows)
{
    struct psx_dump *psx = psx_dump_of(dump);
    int status = psx_texture_catalog_wait(psx, cancel);

    (void)key;
    *rows = status == 0 ? psx->catalog->texture_count : 0;
    return status;
}

/* Consecutive frames are written as a range. */
static void write_frames(const uint32_t *frames, uint32_t count, struct text *text)
{
    for (uint32_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && frames[next] == frames[next - 1] + 1;)
            next++;
        text_printf(text, "%s%" PRIu32, i > 0 ? "," : "\t", frames[i]);
        if (next > i + 1)
            text_printf(text, "-%" PRIu32, frames[next - 1]);
    }
    text_add_char(text, '\n');
}

static int write_all_textures(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                              const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_texture_catalog *catalog = psx->catalog;
    int status = psx_texture_catalog_wait(psx, cancel);

    (void)key;
    for (uint64_t i = first; status == 0 && i < end; i++) {
        const struct psx_catalog_texture *texture = &catalog->textures[i];

        text_printf(text, "%" PRIu64 "\t", i);
        write_texture(texture->key, texture->identity, text);
        text_printf(text, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu32, texture->frame,
                    texture->draw, texture->draws, texture->frames);
        write_frames(catalog->frames + texture->first_frame, texture->frames, text);
        if (cancel_requested(cancel))
            status = -EINTR;
    }
    return status;
}

const struct dump_listing psx_all_texture_table = {
    .columns = "number\ttexture\tidentity\tpage\tclut\tdepth\tframe\tdraw\tdraws\tframes\tused",
    .count = count_textures,
    .rows = write_all_textures};

/*
 * Pictures of textures and palettes as the frame's first draw that samples them finds them, without
 * its texture window.
 */

enum { SWATCH = 8, SWATCHES = 16, NUMBER_DIGITS = 6, TEXEL_BITS = 5 };

/* Names. */

static int next_texture(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *key)
{
    struct blob *frame_textures = NULL;
    int status = psx_frame_textures_peek(psx_dump_of(dump), frame, &frame_textures);
    uint32_t at;

    if (status != 0)
        return status;
    at = from > UINT32_MAX ? frame_textures_count(frame_textures)
                           : psx_frame_textures_find(frame_textures, (uint32_t)from);
    if (at < frame_textures_count(frame_textures))
        *key = frame_textures_list(frame_textures)[at].key;
    else
        status = -ENOENT;
    blob_unref(&frame_textures);
    return status;
}

static int name_texture(struct dump *dump, uint64_t frame, uint64_t key, char *name)
{
    char texture[TEXTURE_NAME_MAX];

    (void)dump;
    (void)frame;
    psx_texture_name((uint32_t)key, texture);
    snprintf(name, RULE_NAME_MAX + 1, "%s.png", texture);
    return 0;
}

static bool parse_texture(struct dump *dump, uint64_t frame, const char *name, uint64_t *key)
{
    (void)dump;
    (void)frame;
    return psx_texture_parse(name, ".png", key);
}

const struct rule_family psx_texture_family = {DRAW_BITS, next_texture, name_texture,
                                               parse_texture};

static int next_numbered(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *number)
{
    struct psx_texture_catalog *catalog = psx_dump_of(dump)->catalog;

    (void)parent_key;
    if (!psx_texture_catalog_is_complete(catalog))
        return -EAGAIN;
    *number = from;
    return from < catalog->texture_count && from >> DRAW_BITS == 0 ? 0 : -ENOENT;
}

static int name_numbered(struct dump *dump, uint64_t parent_key, uint64_t number, char *name)
{
    const struct psx_texture_catalog *catalog = psx_dump_of(dump)->catalog;
    char texture[TEXTURE_NAME_MAX];
    int status = next_numbered(dump, parent_key, number, &number);

    if (status != 0)
        return status;
    psx_texture_name(catalog->textures[number].key, texture);
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%s.png", NUMBER_DIGITS, number, texture);
    return 0;
}

const struct rule_family psx_all_texture_family = {DRAW_BITS, next_numbered, name_numbered, NULL};

static bool has_clut(uint32_t texture)
{
    return psx_texture_depth(texture) != PSX_DEPTH_15;
}

static int next_clut(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *key)
{
    struct blob *frame_textures = NULL;
    int status = psx_frame_textures_peek(psx_dump_of(dump), frame, &frame_textures);
    uint32_t at;

    if (status != 0)
        return status;
    at = from > UINT32_MAX ? frame_textures_palette_count(frame_textures)
                           : psx_frame_textures_find_palette(frame_textures, (uint32_t)from);
    if (at < frame_textures_palette_count(frame_textures))
        *key = frame_textures_palettes(frame_textures)[at];
    else
        status = -ENOENT;
    blob_unref(&frame_textures);
    return status;
}

static int name_clut(struct dump *dump, uint64_t frame, uint64_t key, char *name)
{
    (void)dump;
    (void)frame;
    snprintf(name, RULE_NAME_MAX + 1, "%04X-%u.png", (unsigned)(key >> 1), key & 1 ? 8u : 4u);
    return 0;
}

static bool parse_clut(struct dump *dump, uint64_t frame, const char *name, uint64_t *key)
{
    unsigned clut = 0, depth = 0;

    (void)dump;
    (void)frame;
    if (sscanf(name, "%4X-%1u", &clut, &depth) != 2)
        return false;
    *key = (uint64_t)clut << 1 | (depth == 8);
    return true;
}

const struct rule_family psx_clut_family = {DRAW_BITS, next_clut, name_clut, parse_clut};

/* Contents. */

static int texture_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    return dump_picture_init(dump, frame, TEXTURE_SIDE, TEXTURE_SIDE, PICTURE_RGBA, TEXEL_BITS,
                             out);
}

int psx_texture_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct dump_picture picture;
    int status = texture_header(dump, frame_of_key(key), &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

struct texture_view {
    const struct psx_gpu *gpu;
    uint32_t key;
};

static void put_texel(uint16_t texel, uint8_t *rgba)
{
    pixel_to_rgb(texel, rgba);
    rgba[3] = texel == 0 ? 0 : 255;
}

static void texture_row(const void *context, uint32_t v, uint8_t *rgba)
{
    const struct texture_view *view = context;
    unsigned page = psx_texture_page(view->key);

    for (unsigned u = 0; u < TEXTURE_SIDE; u++, rgba += 4)
        put_texel(texel_fetch(view->gpu->vram, (page & 15) * 64, (page >> 4) * 256,
                              psx_texture_depth(view->key), view->gpu->clut, u, v),
                  rgba);
}

/* Paints VRAM and the palette latch as the draw finds them. */
static int paint_before(struct psx_dump *dump, uint64_t frame, uint64_t draw,
                        const struct cancel *cancel, const struct dump_picture *picture,
                        picture_paint *row, uint32_t key, struct blob **out)
{
    struct psx_player *player = NULL;
    int status = psx_texture_player_take(dump, frame, draw, cancel, &player);

    if (status == 0) {
        struct texture_view view = {player->gpu, key};

        status = psx_paint(dump, &picture->header, row, &view, cancel, out);
    }
    psx_player_forget(dump, &player);
    return status;
}

int psx_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct dump_picture picture;
    uint64_t frame = frame_of_key(key), draw = 0;
    uint32_t texture = (uint32_t)number_of_key(key);
    int status = texture_header(dump, frame, &picture);

    if (status == 0)
        status = psx_texture_first_draw(psx, frame, texture, cancel, &draw);
    return status == 0 ? paint_before(psx, frame, draw, cancel, &picture, texture_row, texture, out)
                       : status;
}

int psx_all_texture_size(struct dump *dump, uint64_t number, uint64_t *size)
{
    const struct psx_texture_catalog *catalog = psx_dump_of(dump)->catalog;
    struct dump_picture picture;
    int status = next_numbered(dump, 0, number, &number);

    if (status == 0)
        status = texture_header(dump, catalog->textures[number].frame, &picture);
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int psx_all_texture_make(struct dump *dump, uint64_t number, const struct cancel *cancel,
                         struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_catalog_texture *texture;
    struct dump_picture picture;
    int status = psx_texture_catalog_wait(psx, cancel);

    if (status != 0)
        return status;
    if (number >= psx->catalog->texture_count)
        return -ENOENT;
    texture = &psx->catalog->textures[number];
    status = texture_header(dump, texture->frame, &picture);
    return status == 0 ? paint_before(psx, texture->frame, texture->draw, cancel, &picture,
                                      texture_row, texture->key, out)
                       : status;
}

static int clut_header(struct dump *dump, uint64_t key, struct dump_picture *out)
{
    uint32_t rows = number_of_key(key) & 1 ? SWATCHES : 1;

    return dump_picture_init(dump, frame_of_key(key), SWATCHES * SWATCH, rows * SWATCH,
                             PICTURE_RGBA, TEXEL_BITS, out);
}

int psx_clut_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct dump_picture picture;
    int status = clut_header(dump, key, &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

static void clut_row(const void *context, uint32_t y, uint8_t *rgba)
{
    const struct texture_view *view = context;

    for (unsigned x = 0; x < SWATCHES * SWATCH; x++, rgba += 4)
        put_texel(view->gpu->clut[y / SWATCH * SWATCHES + x / SWATCH], rgba);
}

/* Finds the first draw that samples any page with this palette. */
static int first_draw_of_clut(struct psx_dump *dump, uint64_t key, const struct cancel *cancel,
                              uint64_t *draw)
{
    struct blob *frame_textures = NULL;
    int status = psx_frame_textures_get(dump, frame_of_key(key), cancel, &frame_textures);

    if (status != 0)
        return status;
    *draw = UINT64_MAX;
    for (uint32_t i = 0; i < frame_textures_count(frame_textures); i++) {
        const struct psx_frame_texture *texture = &frame_textures_list(frame_textures)[i];

        if (has_clut(texture->key) && psx_texture_palette(texture->key) == number_of_key(key) &&
            texture->first < *draw)
            *draw = texture->first;
    }
    blob_unref(&frame_textures);
    return *draw == UINT64_MAX ? -ENOENT : 0;
}

int psx_clut_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct dump_picture picture;
    uint64_t draw = 0;
    int status = clut_header(dump, key, &picture);

    if (status == 0)
        status = first_draw_of_clut(psx, key, cancel, &draw);
    return status == 0
               ? paint_before(psx, frame_of_key(key), draw, cancel, &picture, clut_row, 0, out)
               : status;
}

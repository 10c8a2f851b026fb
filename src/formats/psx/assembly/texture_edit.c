/* SPDX-License-Identifier: MIT */
#include "formats/psx/assembly/texture_edit.h"

#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/textures.h"
#include "formats/psx/gpu/pixel.h"
#include "image/picture.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    COLUMNS_MAX = TEXTURE_SIDE, /* halfwords in a row, of 15-bit texels */
    OPAQUE = 255,
    UPLOAD_WORD = 0xA0,
    MASK_WORD = 0xE6,
};

/* A texture as its draw finds it, and as edited. */
struct edited_texture {
    const struct psx_gpu *gpu;
    unsigned x, y, depth;
    unsigned columns; /* halfwords in a row */
    uint16_t halfwords[TEXTURE_SIDE][COLUMNS_MAX];
    bool differs[TEXTURE_SIDE][COLUMNS_MAX];
    struct format_text_error *error;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct format_text_error *error,
                                                        const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return -EINVAL;
}

/*
 * What a picture shows of a texel. Bit 15 is shown only where it makes the difference between
 * transparent and black.
 */
static uint16_t shown(uint16_t texel)
{
    uint16_t colour = texel & (PIXEL_MASK - 1);

    return colour == 0 ? texel : colour;
}

/* The same for a pixel of the edited picture. Its alpha must be one that texels can have. */
static uint16_t asked_for(const uint8_t *rgba)
{
    uint16_t colour = pixel_pack(rgba[0] >> 3, rgba[1] >> 3, rgba[2] >> 3);

    if (rgba[3] == 0)
        return 0;
    return colour == 0 ? PIXEL_MASK : colour;
}

static int refuse_colour(const struct edited_texture *texture, unsigned u, unsigned v,
                         const uint8_t *rgba)
{
    if (rgba[3] == 0)
        return refuse(texture->error, "%u,%u: no entry of the palette is transparent", u, v);
    return refuse(texture->error, "%u,%u: no entry of the palette has #%02x%02x%02x", u, v, rgba[0],
                  rgba[1], rgba[2]);
}

/* Returns whether draws with this texture load their palette from that halfword. */
static bool is_palette(const struct edited_texture *texture, unsigned column, unsigned v)
{
    const struct psx_clut_key *key = &texture->gpu->state.clut;
    unsigned entries = texture->depth == PSX_DEPTH_4 ? 16 : 256;
    unsigned from = (texture->x + column - (key->id & 0x3Fu) * 16) & (PSX_VRAM_WIDTH - 1);

    return texture->depth != PSX_DEPTH_15 && from < entries &&
           ((key->id >> 6 ^ (texture->y + v)) & (texture->gpu->lines - 1)) == 0;
}

/* The bits of a texel within its halfword: their number, and the lowest of them. */
static unsigned texel_bits(unsigned depth)
{
    return 4U << depth;
}

static unsigned texel_shift(unsigned depth, unsigned u)
{
    unsigned bits = texel_bits(depth);

    return u % (16 / bits) * bits;
}

/* Returns the lowest entry of the palette that shows it, or UINT16_MAX if there is none. */
static uint16_t find_entry(const struct edited_texture *texture, uint16_t wanted)
{
    unsigned entries = 1U << texel_bits(texture->depth);

    for (unsigned i = 0; i < entries; i++)
        if (shown(texture->gpu->clut[i]) == wanted)
            return (uint16_t)i;
    return UINT16_MAX;
}

static int put_texel(struct edited_texture *texture, unsigned u, unsigned v, const uint8_t *rgba)
{
    unsigned bits = texel_bits(texture->depth), shift = texel_shift(texture->depth, u);
    unsigned column = u * bits / 16;
    uint16_t *halfword = &texture->halfwords[v][column], wanted = asked_for(rgba);
    uint16_t texel = find_entry(texture, wanted);

    if (texel == UINT16_MAX)
        return refuse_colour(texture, u, v, rgba);
    if (is_palette(texture, column, v))
        return refuse(texture->error, "%u,%u: the texture's own palette is there", u, v);
    *halfword = (uint16_t)((*halfword & ~(((1U << bits) - 1) << shift)) | (unsigned)texel << shift);
    texture->differs[v][column] = true;
    return 0;
}

/*
 * Sets a pixel. Bit 15 stays as it is, except where the picture determines it: only drawing reads
 * it.
 */
static void put_pixel(struct edited_texture *texture, unsigned u, unsigned v, uint16_t wanted)
{
    uint16_t *halfword = &texture->halfwords[v][u];

    *halfword = wanted == 0 ? 0 : (uint16_t)(wanted | (*halfword & PIXEL_MASK));
    texture->differs[v][u] = true;
}

static int take_texel(struct edited_texture *texture, unsigned u, unsigned v, const uint8_t *rgba)
{
    uint16_t before = texel_fetch(texture->gpu->vram, texture->x, texture->y, texture->depth,
                                  texture->gpu->clut, u, v);

    if (rgba[3] != 0 && rgba[3] != OPAQUE)
        return refuse(texture->error,
                      "%u,%u: a texel must be opaque or transparent, nothing between", u, v);
    if (asked_for(rgba) == shown(before))
        return 0;
    if (texture->depth != PSX_DEPTH_15)
        return put_texel(texture, u, v, rgba);
    put_pixel(texture, u, v, asked_for(rgba));
    return 0;
}

static void load(struct edited_texture *texture)
{
    for (unsigned v = 0; v < TEXTURE_SIDE; v++)
        for (unsigned column = 0; column < texture->columns; column++)
            texture->halfwords[v][column] =
                texture->gpu
                    ->vram[texel_index(texture->x + column, texture->y, PSX_DEPTH_15, 0, v)];
}

static int take_picture(struct edited_texture *texture, const struct picture_pixels *pixels)
{
    int status = 0;

    load(texture);
    for (unsigned v = 0; v < TEXTURE_SIDE && status == 0; v++)
        for (unsigned u = 0; u < TEXTURE_SIDE && status == 0; u++)
            status = take_texel(texture, u, v, pixels->bytes + 4 * ((size_t)v * TEXTURE_SIDE + u));
    return status;
}

/* Uploads. */

static void add_halfword(struct text *words, uint16_t halfword)
{
    const char bytes[2] = {(char)halfword, (char)(halfword >> 8)};

    text_add_bytes(words, bytes, sizeof(bytes));
}

static bool row_differs(const struct edited_texture *texture, unsigned column, unsigned v,
                        unsigned width)
{
    unsigned i = 0;

    while (i < width && texture->differs[v][column + i])
        i++;
    return i == width;
}

/*
 * Adds an upload of a rectangle of halfwords that differ, from there on: as wide as possible, and
 * then as high as possible.
 */
static void add_upload(struct edited_texture *texture, unsigned column, unsigned v,
                       struct text *words)
{
    unsigned width = 1, height = 1, halfwords = 0;

    while (column + width < texture->columns && texture->differs[v][column + width])
        width++;
    while (v + height < TEXTURE_SIDE && row_differs(texture, column, v + height, width))
        height++;
    text_add_le32(words, (uint32_t)UPLOAD_WORD << 24);
    text_add_le32(words, (texture->y + v) << 16 | ((texture->x + column) & (PSX_VRAM_WIDTH - 1)));
    text_add_le32(words, height << 16 | width);
    for (unsigned row = v; row < v + height; row++)
        for (unsigned i = column; i < column + width; i++, halfwords++) {
            add_halfword(words, texture->halfwords[row][i]);
            texture->differs[row][i] = false;
        }
    if (halfwords % 2 != 0)
        add_halfword(words, 0);
}

static void add_uploads(struct edited_texture *texture, struct text *words)
{
    for (unsigned v = 0; v < TEXTURE_SIDE; v++)
        for (unsigned column = 0; column < texture->columns; column++)
            if (texture->differs[v][column])
                add_upload(texture, column, v, words);
}

/*
 * Adds a packet of uploads. Sets E6 around them, so that mask settings neither mark nor protect
 * pixels.
 */
static int add_packet(struct edited_texture *texture, uint32_t mask, struct text *out)
{
    struct text words = TEXT_INIT;

    if (mask != 0)
        text_add_le32(&words, (uint32_t)MASK_WORD << 24);
    add_uploads(texture, &words);
    if (mask != 0)
        text_add_le32(&words, (uint32_t)MASK_WORD << 24 | mask);
    psx_packet_header_write(out, PSX_PACKET_GP0, words.length / 4);
    text_add_text(out, &words);
    text_clear(&words);
    return text_status(out);
}

static bool is_edited(const struct edited_texture *texture)
{
    for (unsigned v = 0; v < TEXTURE_SIDE; v++)
        for (unsigned column = 0; column < texture->columns; column++)
            if (texture->differs[v][column])
                return true;
    return false;
}

/* Places the uploads before the draw's first word, which is between two commands. */
static int place(struct edited_texture *texture, const struct psx_draw_begin *begin,
                 struct format_edit *out)
{
    const struct psx_step *step = &begin->step;

    out->offset = step->packet.offset;
    out->size = 0;
    if (!is_edited(texture))
        return 0;
    if (step->word > 0) {
        out->parted = step->packet.offset;
        out->offset += 4 + 4 * (uint64_t)step->word;
    }
    return add_packet(texture, begin->registers.e[6], &out->bytes);
}

static int edit_texture(struct psx_dump *dump, const struct format_edited *edited,
                        const struct picture_pixels *pixels, struct edited_texture *texture,
                        struct format_edit *out)
{
    uint64_t frame = frame_of_key(edited->key), draw = 0;
    uint32_t key = (uint32_t)number_of_key(edited->key);
    struct psx_draw_begin begin = {0};
    struct psx_player *player = NULL;
    int status = psx_texture_first_draw(dump, frame, key, edited->cancel, &draw);

    if (status == 0)
        status = psx_draw_begin_find(dump, frame, draw, edited->cancel, &begin);
    if (status == 0)
        status = psx_texture_player_take(dump, frame, draw, edited->cancel, &player);
    if (status != 0)
        return status;
    texture->gpu = player->gpu;
    texture->x = (psx_texture_page(key) & 15) * 64;
    texture->y = (psx_texture_page(key) >> 4) * 256;
    texture->depth = psx_texture_depth(key);
    texture->columns = COLUMNS_MAX >> (PSX_DEPTH_15 - texture->depth);
    if (texture->y >= psx_vram_lines_reached(psx_registers_lines(&begin.registers)))
        status = refuse(texture->error, "the texture is in lines that uploads do not reach");
    else
        status = take_picture(texture, pixels);
    psx_player_forget(dump, &player);
    return status == 0 ? place(texture, &begin, out) : status;
}

static int read_picture(const struct format_edited *edited, struct picture_pixels *out,
                        struct format_text_error *error)
{
    struct picture_shape shape;
    int status = -EIO;

    *out = (struct picture_pixels){0};
    if (edited->size > PSX_TEXTURE_FILE_MAX)
        return refuse(error, "the picture's file is larger than 1 MiB");
    if (picture_look(edited->bytes, edited->size, &shape) == 0) {
        if (shape.width != TEXTURE_SIDE || shape.height != TEXTURE_SIDE)
            return refuse(error, "the picture is %" PRIu32 "x%" PRIu32 ", but the texture is %dx%d",
                          shape.width, shape.height, TEXTURE_SIDE, TEXTURE_SIDE);
        if (shape.is_16bit)
            return refuse(error, "the picture has 16 bits per channel instead of 8");
        status = picture_decode(edited->bytes, edited->size, PICTURE_RGBA, out);
    }
    return status == -EIO ? refuse(error, "this is not a readable PNG") : status;
}

int psx_texture_edit(struct psx_dump *dump, const struct format_edited *edited,
                     struct format_edit *out, struct format_text_error *error)
{
    struct edited_texture *texture = calloc(1, sizeof(*texture));
    struct picture_pixels pixels;
    int status;

    *error = (struct format_text_error){0};
    if (texture == NULL)
        return -ENOMEM;
    texture->error = error;
    status = read_picture(edited, &pixels, error);
    if (status == 0)
        status = edit_texture(dump, edited, &pixels, texture, out);
    picture_pixels_clear(&pixels);
    free(texture);
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * draws/NNNNN/: depth.png, depth.bin and stencil.png, the depth target after a draw; and depth.bin
 * of a frame's end.
 */
#include "formats/aerogpu/views/draw_folder.h"

#include "base/bytes.h"
#include "formats/aerogpu/replay/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEXEL_BYTES = 4 };

/* Finds the depth target that a draw has bound. Returns -ENOENT, among others, if there is none. */
static int find_depth(struct dump *dump, uint64_t folder, struct aerogpu_shot *out)
{
    const struct aerogpu_scan *scan = aerogpu_dump_peek(aerogpu_dump_of(dump));
    const struct aerogpu_scan_draw *draw = NULL;
    struct aerogpu_format_info format = {0};
    int status = aerogpu_draw_find(dump, folder, &draw);

    if (status != 0)
        return status;
    for (uint32_t i = 0; i < draw->bound; i++) {
        const struct aerogpu_bound *bound = &scan->bound[draw->first_bound + i];

        if (bound->role != AEROGPU_BOUND_DEPTH)
            continue;
        aerogpu_bound_shot(scan, bound, &draw->shot, draw->shot.tick, out);
        return out->width != 0 && aerogpu_format_find(out->format, &format) && format.depth
                   ? 0
                   : -ENOENT;
    }
    return -ENOENT;
}

static int need_depth(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                      struct aerogpu_shot *out)
{
    const struct aerogpu_scan_draw *draw = NULL;
    int status = aerogpu_draw_need(dump, folder, cancel, &draw);

    return status == 0 ? find_depth(dump, folder, out) : status;
}

int aerogpu_draw_has_depth(struct dump *dump, uint64_t folder)
{
    struct aerogpu_shot shot;

    return find_depth(dump, folder, &shot);
}

int aerogpu_draw_has_stencil(struct dump *dump, uint64_t folder)
{
    struct aerogpu_shot shot;
    int status = find_depth(dump, folder, &shot);

    return status == 0 && shot.format != AEROGPU_D24S8 ? -ENOENT : status;
}

int aerogpu_draw_depth_png_size(struct dump *dump, uint64_t folder, uint64_t *size)
{
    struct aerogpu_shot shot;
    int status = find_depth(dump, folder, &shot);

    return status == 0
               ? aerogpu_shot_size(dump, folder >> DRAW_FOLDER_BITS, &shot, PICTURE_GREY16, size)
               : status;
}

int aerogpu_draw_depth_bin_size(struct dump *dump, uint64_t folder, uint64_t *size)
{
    struct aerogpu_shot shot;
    int status = find_depth(dump, folder, &shot);

    if (status == 0)
        *size = (uint64_t)shot.width * shot.height * TEXEL_BYTES;
    return status;
}

int aerogpu_draw_stencil_size(struct dump *dump, uint64_t folder, uint64_t *size)
{
    struct aerogpu_shot shot;
    int status = find_depth(dump, folder, &shot);

    return status == 0
               ? aerogpu_shot_size(dump, folder >> DRAW_FOLDER_BITS, &shot, PICTURE_GREY, size)
               : status;
}

/* Copies rows to `to` without padding. Rows of `from` are `pitch` bytes apart. */
static void copy_rows(const struct aerogpu_shot *shot, const uint8_t *from, uint64_t pitch,
                      uint8_t *to)
{
    size_t row = (size_t)shot->width * TEXEL_BYTES;

    for (uint32_t y = 0; y < shot->height; y++)
        memcpy(to + y * row, from + y * pitch, row);
}

static int read_cpu(struct dump *dump, const struct aerogpu_object *object,
                    const struct aerogpu_shot *shot, const struct cancel *cancel, uint8_t *to)
{
    struct aerogpu_subresource sub = {0};
    uint8_t *bytes;
    int status;

    aerogpu_subresource(&object->shape, shot->mip, shot->layer, &sub);
    bytes = malloc((size_t)sub.size);
    if (bytes == NULL)
        return -ENOMEM;
    status = aerogpu_replay_bytes(aerogpu_dump_of(dump), object, shot->tick, sub.offset,
                                  (size_t)sub.size, cancel, bytes);
    if (status == 0)
        copy_rows(shot, bytes, sub.pitch, to);
    free(bytes);
    return status;
}

static int read_gpu(struct dump *dump, const struct aerogpu_object *object,
                    const struct aerogpu_shot *shot, const struct cancel *cancel, uint8_t *to)
{
    struct aerogpu_shape tight = object->shape;
    struct aerogpu_subresource sub = {0};
    struct blob *all = NULL;
    int status =
        aerogpu_replay_drawn_bytes(aerogpu_dump_of(dump), object, shot->tick, cancel, &all);

    if (status != 0)
        return status;
    tight.row_pitch = 0;
    aerogpu_subresource(&tight, shot->mip, shot->layer, &sub);
    copy_rows(shot, all->data + sub.offset, sub.pitch, to);
    blob_unref(&all);
    return 0;
}

/* Reads the texels in the texture's own format, without padding. The caller frees *out. */
static int read_texels(struct dump *dump, const struct aerogpu_shot *shot,
                       const struct cancel *cancel, uint8_t **out)
{
    struct aerogpu_object object =
        aerogpu_dump_scanned(aerogpu_dump_of(dump))->lives[shot->life].object;
    int status;

    object.number = shot->life;
    *out = malloc((size_t)shot->width * shot->height * TEXEL_BYTES);
    if (*out == NULL)
        return -ENOMEM;
    status = shot->drawn ? read_gpu(dump, &object, shot, cancel, *out)
                         : read_cpu(dump, &object, shot, cancel, *out);
    if (status != 0) {
        free(*out);
        *out = NULL;
    }
    return status;
}

int aerogpu_draw_depth_png_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                                struct blob **out)
{
    struct aerogpu_pixels pixels = {0};
    struct aerogpu_shot shot;
    int status = need_depth(dump, folder, cancel, &shot);

    if (status == 0)
        status = aerogpu_replay_depth(aerogpu_dump_of(dump), &shot, cancel, &pixels);
    if (status == 0)
        status =
            aerogpu_pixels_encode(dump, folder >> DRAW_FOLDER_BITS, &pixels, PICTURE_GREY16, out);
    free(pixels.data);
    return status;
}

/* Stores a depth as a float: converts 24 bits, and copies a float unchanged. */
static void put_float(uint32_t format, const uint8_t *texel, uint8_t *to)
{
    float depth = (float)((double)(bytes_le32(texel) & 0xFFFFFF) / 0xFFFFFF);
    uint32_t bits;

    memcpy(&bits, &depth, sizeof(bits));
    if (format != AEROGPU_D24S8)
        bits = bytes_le32(texel);
    bytes_put_le(to, TEXEL_BYTES, bits);
}

static int make_floats(struct dump *dump, const struct aerogpu_shot *shot,
                       const struct cancel *cancel, struct blob **out)
{
    size_t count = (size_t)shot->width * shot->height;
    uint8_t *texels = NULL;
    int status = read_texels(dump, shot, cancel, &texels);

    if (status == 0)
        status = blob_create(count * TEXEL_BYTES, out);
    for (size_t i = 0; status == 0 && i < count; i++)
        put_float(shot->format, texels + TEXEL_BYTES * i, (*out)->data + TEXEL_BYTES * i);
    free(texels);
    return status;
}

int aerogpu_draw_depth_bin_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                                struct blob **out)
{
    struct aerogpu_shot shot;
    int status = need_depth(dump, folder, cancel, &shot);

    return status == 0 ? make_floats(dump, &shot, cancel, out) : status;
}

int aerogpu_depth_bin_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key, &frame);

    if (status == 0)
        *size = (uint64_t)frame->depth.width * frame->depth.height * TEXEL_BYTES;
    return status;
}

int aerogpu_depth_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_need(dump, key, cancel, &frame);

    return status == 0 ? make_floats(dump, &frame->depth, cancel, out) : status;
}

int aerogpu_draw_stencil_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                              struct blob **out)
{
    struct aerogpu_pixels pixels = {0};
    struct aerogpu_shot shot;
    int status = need_depth(dump, folder, cancel, &shot);

    if (status == 0)
        status = read_texels(dump, &shot, cancel, &pixels.data);
    if (status != 0)
        return status;
    pixels.width = shot.width;
    pixels.height = shot.height;
    for (size_t i = 0; i < (size_t)shot.width * shot.height; i++)
        pixels.data[i] = pixels.data[TEXEL_BYTES * i + 3];
    status = aerogpu_pixels_encode(dump, folder >> DRAW_FOLDER_BITS, &pixels, PICTURE_GREY, out);
    free(pixels.data);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "base/bytes.h"
#include "base/sha256.h"
#include "formats/aerogpu/replay/replay.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ORDINAL_MASK ((UINT64_C(1) << PICTURE_BITS) - 1)

enum { RGBA = 4, RGB = 3, DRAW_DIGITS = 5, PRESENT_DIGITS = 2 };

int aerogpu_frame_find(struct dump *dump, uint64_t frame, const struct aerogpu_scan_frame **out)
{
    const struct aerogpu_index *index = aerogpu_index_of(dump);
    const struct aerogpu_scan *scan = aerogpu_dump_peek(aerogpu_dump_of(dump));

    if (frame >= index->frame_count)
        return -ENOENT;
    if (scan == NULL)
        return -EAGAIN;
    *out = &scan->frames[frame];
    return 0;
}

int aerogpu_frame_need(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       const struct aerogpu_scan_frame **out)
{
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    return status == 0 ? aerogpu_frame_find(dump, frame, out) : status;
}

int aerogpu_shot_size(struct dump *dump, uint64_t frame, const struct aerogpu_shot *shot,
                      enum picture_colour colour, uint64_t *size)
{
    struct dump_picture picture;
    int status = dump_picture_init(dump, frame, shot->width, shot->height, colour, 0, &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int aerogpu_pixels_encode(struct dump *dump, uint64_t frame, const struct aerogpu_pixels *pixels,
                          enum picture_colour colour, struct blob **out)
{
    struct dump_picture picture;
    int status = dump_picture_init(dump, frame, pixels->width, pixels->height, colour, 0, &picture);

    if (status != 0)
        return status;
    return picture_encode(&picture.header, pixels->data, (size_t)pixels->width * colour,
                          dump->options->png, out);
}

int aerogpu_shot_make(struct dump *dump, uint64_t frame, const struct aerogpu_shot *shot,
                      const struct cancel *cancel, struct blob **out)
{
    struct aerogpu_pixels pixels;
    int status = aerogpu_replay_shot(aerogpu_dump_of(dump), shot, cancel, &pixels);

    if (status == 0)
        status = aerogpu_pixels_encode(dump, frame, &pixels, PICTURE_RGBA, out);
    free(pixels.data);
    return status;
}

/* The frame's own picture. */

int aerogpu_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out)
{
    const struct aerogpu_scan_frame *found = NULL;
    int status = aerogpu_frame_need(dump, frame, cancel, &found);

    return status == 0 ? aerogpu_shot_make(dump, frame, &found->shot, cancel, out) : status;
}

int aerogpu_has_picture(struct dump *dump, uint64_t key)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key, &frame);

    return status == 0 && frame->shot.width == 0 ? -ENOENT : status;
}

int aerogpu_opaque_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key, &frame);

    return status == 0 ? aerogpu_shot_size(dump, key, &frame->shot, PICTURE_RGB, size) : status;
}

int aerogpu_opaque_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    struct aerogpu_pixels pixels;
    int status = aerogpu_frame_need(dump, key, cancel, &frame);

    if (status == 0)
        status = aerogpu_replay_shot(aerogpu_dump_of(dump), &frame->shot, cancel, &pixels);
    if (status != 0)
        return status;
    for (size_t i = 1; i < (size_t)pixels.width * pixels.height; i++)
        memmove(pixels.data + RGB * i, pixels.data + RGBA * i, RGB);
    status = aerogpu_pixels_encode(dump, key, &pixels, PICTURE_RGB, out);
    free(pixels.data);
    return status;
}

int aerogpu_has_wireframe(struct dump *dump, uint64_t key)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key, &frame);

    return status == 0 && (frame->shot.width == 0 || frame->draw_calls == 0) ? -ENOENT : status;
}

int aerogpu_wireframe_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key, &frame);

    return status == 0 ? aerogpu_shot_size(dump, key, &frame->shot, PICTURE_RGBA, size) : status;
}

int aerogpu_wireframe_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    struct aerogpu_pixels pixels;
    int status = aerogpu_frame_need(dump, key, cancel, &frame);

    if (status == 0)
        status = aerogpu_replay_wireframe(aerogpu_dump_of(dump), &frame->shot, frame->begin, cancel,
                                          &pixels);
    if (status != 0)
        return status;
    status = aerogpu_pixels_encode(dump, key, &pixels, PICTURE_RGBA, out);
    free(pixels.data);
    return status;
}

int aerogpu_has_depth(struct dump *dump, uint64_t key)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key, &frame);

    return status == 0 && frame->depth.width == 0 ? -ENOENT : status;
}

int aerogpu_depth_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key, &frame);

    return status == 0 ? aerogpu_shot_size(dump, key, &frame->depth, PICTURE_GREY16, size) : status;
}

int aerogpu_depth_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    struct aerogpu_pixels pixels;
    int status = aerogpu_frame_need(dump, key, cancel, &frame);

    if (status == 0)
        status = aerogpu_replay_depth(aerogpu_dump_of(dump), &frame->depth, cancel, &pixels);
    if (status != 0)
        return status;
    status = aerogpu_pixels_encode(dump, key, &pixels, PICTURE_GREY16, out);
    free(pixels.data);
    return status;
}

/* The PRESENTs of a frame that has several. */

int aerogpu_has_presents(struct dump *dump, uint64_t key)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key, &frame);

    return status == 0 && frame->presents < 2 ? -ENOENT : status;
}

static int next_present(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, parent_key, &frame);

    *ordinal = from;
    return status == 0 && from >= frame->presents ? -ENOENT : status;
}

static int name_present(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, parent_key, &frame);

    if (status == 0)
        snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 ".png",
                 (int)names_digits(frame->presents, PRESENT_DIGITS), ordinal);
    return status;
}

const struct rule_family aerogpu_present_family = {PICTURE_BITS, next_present, name_present, NULL};

static int find_present(struct dump *dump, uint64_t key, const struct aerogpu_shot **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key >> PICTURE_BITS, &frame);

    if (status == 0)
        *out = &aerogpu_dump_scanned(aerogpu_dump_of(dump))
                    ->presents[frame->first_present + (key & ORDINAL_MASK)]
                    .shot;
    return status;
}

int aerogpu_present_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct aerogpu_shot *shot = NULL;
    int status = find_present(dump, key, &shot);

    return status == 0 ? aerogpu_shot_size(dump, key >> PICTURE_BITS, shot, PICTURE_RGBA, size)
                       : status;
}

int aerogpu_present_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    const struct aerogpu_shot *shot = NULL;
    int status = aerogpu_frame_need(dump, key >> PICTURE_BITS, cancel, &frame);

    if (status == 0)
        status = find_present(dump, key, &shot);
    return status == 0 ? aerogpu_shot_make(dump, key >> PICTURE_BITS, shot, cancel, out) : status;
}

/* What each draw left. */

static int next_draw(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, parent_key, &frame);

    *ordinal = from;
    return status == 0 && from >= frame->draws ? -ENOENT : status;
}

static int name_draw(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, parent_key, &frame);

    if (status == 0)
        snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 ".png",
                 (int)names_digits(frame->draws, DRAW_DIGITS), ordinal);
    return status;
}

const struct rule_family aerogpu_draw_family = {PICTURE_BITS, next_draw, name_draw, NULL};

static int find_draw(struct dump *dump, uint64_t key, const struct aerogpu_shot **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_frame_find(dump, key >> PICTURE_BITS, &frame);

    if (status == 0)
        *out = &aerogpu_dump_scanned(aerogpu_dump_of(dump))
                    ->draws[frame->first_draw + (key & ORDINAL_MASK)]
                    .shot;
    return status;
}

int aerogpu_draw_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct aerogpu_shot *shot = NULL;
    int status = find_draw(dump, key, &shot);

    return status == 0 ? aerogpu_shot_size(dump, key >> PICTURE_BITS, shot, PICTURE_RGBA, size)
                       : status;
}

int aerogpu_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    const struct aerogpu_scan_frame *frame = NULL;
    const struct aerogpu_shot *shot = NULL;
    int status = aerogpu_frame_need(dump, key >> PICTURE_BITS, cancel, &frame);

    if (status == 0)
        status = find_draw(dump, key, &shot);
    return status == 0 ? aerogpu_shot_make(dump, key >> PICTURE_BITS, shot, cancel, out) : status;
}

/* Hashes. */

int aerogpu_frame_hash(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       char digits[SHA256_DIGITS + 1])
{
    const struct aerogpu_scan_frame *found = NULL;
    struct aerogpu_pixels pixels;
    struct sha256 hash;
    uint8_t head[8], digest[SHA256_SIZE];
    int status = aerogpu_frame_need(dump, frame, cancel, &found);

    if (status == 0)
        status = aerogpu_replay_shot(aerogpu_dump_of(dump), &found->shot, cancel, &pixels);
    if (status != 0)
        return status;
    bytes_put_le32(head, pixels.width);
    bytes_put_le32(head + 4, pixels.height);
    sha256_init(&hash);
    sha256_add(&hash, head, sizeof(head));
    sha256_add(&hash, pixels.data, (size_t)pixels.width * pixels.height * RGBA);
    sha256_finish(&hash, digest);
    free(pixels.data);
    sha256_digits(digest, digits);
    return 0;
}

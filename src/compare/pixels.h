/* SPDX-License-Identifier: MIT */
/* Pictures of a tree as pixels, and where two of them differ. Any thread. */
#ifndef GPUDUMPFS_COMPARE_PIXELS_H
#define GPUDUMPFS_COMPARE_PIXELS_H

#include "image/picture.h"
#include "tree/tree.h"

struct pixels {
    uint32_t width, height;
    uint8_t *rgb; /* rows of width * 3 bytes, from the top */
};

/* A PNG, over black where it is transparent. 0, -EIO if it is none, or -errno. */
int pixels_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct pixels *out);

/* Likewise of a file on disk. */
int pixels_load(const char *path, struct pixels *out);

/* A pixel's three bytes, or NULL beside the picture. */
const uint8_t *pixels_at(const struct pixels *pixels, uint32_t x, uint32_t y);

/* `#rrggbb`, or `none` beside the picture. */
enum { PIXELS_COLOUR = 8 };
void pixels_colour(const struct pixels *pixels, uint32_t x, uint32_t y, char out[PIXELS_COLOUR]);

/* Pixels that only one has differ. */
struct pixels_difference {
    uint64_t count;
    uint32_t x, y; /* the first from the top, then from the left */
    uint8_t max;   /* of one channel; 255 where only one has a pixel */
};
void pixels_compare(const struct pixels *a, const struct pixels *b, struct pixels_difference *out);

/*
 * A picture of where they differ, as large as both: equal pixels are dimmed, others have a colour
 * that no dimmed one has. 0, -ENOMEM, -EINTR, or what picture_encode() says; -EFBIG: pictures of
 * very different sizes make a far larger one.
 */
int pixels_draw_difference(const struct pixels *a, const struct pixels *b,
                           enum picture_encoding encoding, const struct cancel *cancel,
                           struct blob **out);

/* Frees them; zeroed ones are fine. */
void pixels_clear(struct pixels *pixels);

#endif

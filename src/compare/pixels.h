/* SPDX-License-Identifier: MIT */
/* Pictures of a tree as pixels, and where two pictures differ. Any thread. */
#ifndef GPUDUMPFS_COMPARE_PIXELS_H
#define GPUDUMPFS_COMPARE_PIXELS_H

#include "image/picture.h"
#include "tree/tree.h"

struct pixels {
    uint32_t width, height;
    uint8_t *rgb; /* rows of width * 3 bytes, from the top */
};

/*
 * Decodes a PNG of the tree, over black where it is transparent, for pixels_clear(). Returns 0,
 * -EIO if the file is no picture, or another -errno.
 */
int pixels_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct pixels *out);

/* As pixels_read(), for a file on disk. */
int pixels_load(const char *path, struct pixels *out);

/* Returns the three bytes of a pixel, or NULL outside the picture. */
const uint8_t *pixels_at(const struct pixels *pixels, uint32_t x, uint32_t y);

/* Writes a pixel as `#rrggbb`, or `none` outside the picture. */
enum { PIXELS_COLOUR = 8 };
void pixels_colour(const struct pixels *pixels, uint32_t x, uint32_t y, char out[PIXELS_COLOUR]);

/* Reads `X,Y=#rrggbb`. Returns false if the text is anything else. */
bool pixels_parse(const char *text, uint32_t *x, uint32_t *y, uint8_t rgb[3]);

/* Compares two pictures; pixels that only one of them has count as different. */
struct pixels_difference {
    uint64_t count;
    uint32_t x, y; /* first one in reading order */
    uint8_t max;   /* greatest difference of a channel; 255 if only one has a pixel */
};
void pixels_compare(const struct pixels *a, const struct pixels *b, struct pixels_difference *out);

/*
 * Draws where two pictures differ, as large as both together: equal pixels are dimmed, others have
 * a colour that no dimmed pixel has. Returns 0; -ENOMEM; -EINTR; -EFBIG if the result would be far
 * larger than either picture, since their sizes are very different; or an error of
 * picture_encode().
 */
int pixels_draw_difference(const struct pixels *a, const struct pixels *b,
                           enum picture_encoding encoding, const struct cancel *cancel,
                           struct blob **out);

/* Frees the pixels, which may be zeroed. */
void pixels_clear(struct pixels *pixels);

#endif

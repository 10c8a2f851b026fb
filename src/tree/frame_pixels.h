/* SPDX-License-Identifier: MIT */
/* Pictures of the tree as pixels, for what is made of many of them. Any thread; may take long. */
#ifndef GPUDUMPFS_TREE_FRAME_PIXELS_H
#define GPUDUMPFS_TREE_FRAME_PIXELS_H

#include "tree/internal.h"

/*
 * The pixels of a rule's picture, PICTURE_RGB, made as a reader would get it; what nobody else
 * wants is not left in the cache. 0, or a negative errno.
 */
int frame_pixels_get(struct tree *tree, const struct rule *rule, uint64_t key,
                     const struct cancel *cancel, struct picture_pixels *out);

/* `names_next_picture`, once that is known. */
int frame_pixels_next(struct dump *dump, uint64_t from, const struct cancel *cancel,
                      uint64_t *frame);

/*
 * At most `max` frames with pictures in order, evenly over all: their numbers, and how many they
 * are. 0, -EAGAIN. Never waits.
 */
int frame_pixels_choose(struct dump *dump, unsigned max, uint64_t *frames, unsigned *count);

#endif

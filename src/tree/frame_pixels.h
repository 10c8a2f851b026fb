/* SPDX-License-Identifier: MIT */
/* Pictures of the tree as pixels, for what is made from many of them. Any thread; may take long. */
#ifndef GPUDUMPFS_TREE_FRAME_PIXELS_H
#define GPUDUMPFS_TREE_FRAME_PIXELS_H

#include "tree/internal.h"

/*
 * Decodes the picture of a rule and key to PICTURE_RGB pixels. The picture is taken from the cache
 * if it is there, and stays. Otherwise it is made as for a reader, and then dropped from the cache
 * unless it is pinned. Returns 0 or -errno.
 */
int frame_pixels_get(struct tree *tree, const struct rule *rule, uint64_t key,
                     const struct cancel *cancel, struct picture_pixels *out);

/* As names_next_picture(), but waits until the answer is known. */
int frame_pixels_next(struct dump *dump, uint64_t from, const struct cancel *cancel,
                      uint64_t *frame);

/*
 * Chooses at most `max` frames with pictures, evenly distributed and in order; stores their numbers
 * and how many they are. Returns 0, or -EAGAIN while the frames are not known. Never waits.
 */
int frame_pixels_choose(struct dump *dump, unsigned max, uint64_t *frames, unsigned *count);

#endif

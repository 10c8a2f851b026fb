/*
 * A frame's picture: the pixels of the post that ends it (gapir.md 4.2).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_PICTURES_H
#define GPUDUMPFS_GAPIR_VIEWS_PICTURES_H

#include "formats/gapir/dump.h"

/* The picture that a frame ends with: all but its texts. False: it has none. */
bool gapir_frame_header(const struct gapir_index *index, uint32_t frame,
                        struct picture_header *out);

/* struct dump_ops' frame_picture. */
int gapir_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out);

#endif

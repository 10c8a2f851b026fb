/* SPDX-License-Identifier: MIT */
/*
 * Which draw wrote each pixel of a picture last: for each pixel, row by row from the top, 32 bits
 * of its frame and 32 bits of the draw in it, both little-endian; all ones for none. And the same
 * as a picture: a colour for each draw. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_DRAW_IDS_H
#define GPUDUMPFS_IMAGE_DRAW_IDS_H

#include "image/picture.h"

#include <stdbool.h>

enum { DRAW_IDS_BYTES = 8 }; /* of a pixel */

struct draw_id {
    uint32_t frame, writer; /* as the format numbers what writes */
};

static const struct draw_id draw_id_none = {UINT32_MAX, UINT32_MAX};

/* One pixel. */
void draw_ids_store(struct draw_id id, uint8_t *bytes);
struct draw_id draw_ids_load(const uint8_t *bytes);
bool draw_ids_is_none(const uint8_t *bytes);

/* All of so many pixels are those of none. */
void draw_ids_clear(uint8_t *bytes, uint64_t pixels);

/*
 * The picture of the ids, width by height of the header, whose colour is PICTURE_RGB: each id has
 * the same colour wherever it is seen, none is black. As picture_write().
 */
int draw_ids_write(const struct picture_header *header, enum picture_encoding encoding,
                   const struct blob *ids, const struct cancel *cancel, struct blob **out);

#endif

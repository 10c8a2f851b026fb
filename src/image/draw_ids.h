/* SPDX-License-Identifier: MIT */
/*
 * Records which draw wrote each pixel of a picture last. Pixels are in rows from the top. Each has
 * 32 bits for the frame and 32 bits for the draw in that frame, both little-endian, or all ones for
 * none. Can also show this as a picture, with a colour for each draw. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_DRAW_IDS_H
#define GPUDUMPFS_IMAGE_DRAW_IDS_H

#include "image/picture.h"

#include <stdbool.h>

enum { DRAW_IDS_BYTES = 8 }; /* per pixel */

struct draw_id {
    uint32_t frame, writer; /* `writer`: the number that the format gives to the draw that writes */
};

static const struct draw_id draw_id_none = {UINT32_MAX, UINT32_MAX};

/* Stores the id of one pixel in DRAW_IDS_BYTES bytes. */
void draw_ids_store(struct draw_id id, uint8_t *bytes);

/* Returns the id that DRAW_IDS_BYTES bytes hold. */
struct draw_id draw_ids_load(const uint8_t *bytes);

/* Returns whether these bytes are those of draw_id_none. */
bool draw_ids_is_none(const uint8_t *bytes);

/* Sets this many pixels to none. */
void draw_ids_clear(uint8_t *bytes, uint64_t pixels);

/*
 * Writes the picture of the ids, which has the header's width and height; its colour must be
 * PICTURE_RGB. An id has the same colour wherever it occurs, and is never black, unlike none.
 * Returns as picture_write().
 */
int draw_ids_write(const struct picture_header *header, enum picture_encoding encoding,
                   const struct blob *ids, const struct cancel *cancel, struct blob **out);

#endif

/*
 * What a replay is to give: the pixels of an area at a position in the dump, and
 * what may serve in its place. Pure functions over the index.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_VRAM_REQUEST_H
#define GPUDUMPFS_PSX_REPLAY_VRAM_REQUEST_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/tiles.h"

struct psx_vram_request {
    uint64_t packet;     /* the state before this packet … */
    uint64_t upto;       /* … or before any other up to this one, which have the same VRAM */
    struct psx_box area; /* the pixels that are needed, with wraps; others may hold anything */
    bool shown;          /* they are what the display shows there, at a frame's end */
    bool read;           /* the open read's data is needed too */
    const struct psx_tiles *tiles; /* NULL, or what is needed instead of the area */
};

/* The end of a frame, of which all of VRAM is wanted. Needs the frame's counts. */
void psx_vram_request_frame(const struct psx_index *index, uint64_t frame,
                            struct psx_vram_request *out);

/* The same, of which the picture is wanted. */
void psx_vram_request_picture(const struct psx_index *index, uint64_t frame,
                              struct psx_vram_request *out);

/* Whether all of VRAM is wanted. */
bool psx_vram_request_is_all(const struct psx_vram_request *request);

/* The tiles, and the latches, that the wanted pixels stand in. */
void psx_vram_request_tiles(const struct psx_vram_request *request, struct psx_tiles *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the command stream does to the GPU's state, except VRAM: registers, the palette latch's key,
 * transfers in progress, an open polyline. The index follows the stream with these functions and
 * draws nothing; the replay core uses them while it draws. Pure functions over struct psx_state;
 * facts: psx-gpu.md 2, 6, 11, 12, psx-dump.md 3.1, 3.6.
 */
#ifndef GPUDUMPFS_PSX_GPU_STATE_H
#define GPUDUMPFS_PSX_GPU_STATE_H

#include "formats/psx/gpu/gp0.h"
#include "formats/psx/gpu/registers.h"

#include <stdbool.h>
#include <stdint.h>

/* The palette latch's key (psx-gpu.md 6), which follows from the stream alone. */
struct psx_clut_key {
    uint16_t id;
    uint16_t entries; /* 16 or 256; 0 if nothing is latched */
};

/*
 * An upload or a read in progress. y has 10 bits, as sent; how many of them count may change
 * meanwhile.
 */
struct psx_transfer {
    uint16_t x, y, width, height;
    uint32_t done, total; /* halfwords written, or words read; total is 0 if there is none */
};

/* All except the contents of memory: what the parser needs to know at a frame's start. */
struct psx_state {
    struct psx_registers registers;
    struct psx_gp0_parser parser;
    struct psx_clut_key clut;
    struct psx_transfer upload;
    struct psx_transfer read; /* the read that the last C0 began, if words of it are left */
    uint32_t last_vertex[2];  /* of an open polyline: colour, vertex */
    uint32_t texel_run;       /* how often the texel cache was dropped: psx-gpu.md 6 */
    bool restoring;           /* before Trace begin: psx-dump.md 3.2 */
};

/* Sets the state at power-on. */
void psx_state_reset(struct psx_state *state, enum psx_gpu_model model);

/*
 * Returns whether a state that comes from a file is one that a command stream may lead to. Its
 * flags must be 0 or 1 already. Each part is checked; whether all parts go together is not.
 */
bool psx_state_is_sound(const struct psx_state *state, enum psx_gpu_model model);

/* Applies one event of psx_gp0_parse(), including the progress of a polyline or an upload. */
void psx_state_gp0(struct psx_state *state, const struct psx_gp0_event *event);

/* Makes a line command of a polyline's next segment, from the vertex that waits to the next one. */
void psx_state_segment(const struct psx_state *state, const struct psx_gp0_event *segment,
                       struct psx_gp0_event *line);

/* Applies one word to port 1. 00 and 01 drop the command, the upload and the read in progress. */
void psx_state_gp1(struct psx_state *state, uint32_t word);

/* Takes up to `words` words from the open read. Returns how many were taken. */
uint32_t psx_state_read(struct psx_state *state, uint32_t words);

/* Returns how many words the open read has left; 0 if there is none. */
uint32_t psx_state_read_left(const struct psx_state *state);

/*
 * Returns whether a primitive with this palette loads it, and if so sets the key to the entries
 * that are latched then (psx-gpu.md 6). `id` is that of psx_registers_palette(), `depth` an enum
 * psx_depth.
 */
bool psx_clut_key_latch(struct psx_clut_key *key, uint16_t id, unsigned depth);

/*
 * Returns a number that stays the same as long as a change of E1 does not drop the texel cache:
 * another page drops it, and so does 4 bits in place of 8 or 15, or the reverse; 8 in place of 15
 * does not (psx-gpu.md 6).
 */
static inline uint32_t psx_texel_place(uint32_t e1)
{
    enum { PAGE = 0x81F, DEPTH = 0x180, DEEP = 0x200 };

    /* The sum carries into bit 9 unless the depth is 4 bits. */
    return ((e1 & (PAGE | DEPTH)) + DEPTH) & (PAGE | DEEP);
}

/* Returns whether the texel cache is dropped when E1 changes like that. */
static inline bool psx_page_drops_texels(uint32_t e1_before, uint32_t e1_after)
{
    return psx_texel_place(e1_before) != psx_texel_place(e1_after);
}

/* Returns whether the event is a complete primitive with a texture. */
static inline bool psx_event_is_textured(const struct psx_gp0_event *event)
{
    enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;

    return event->type == GP0_EVENT_COMMAND && (kind == GP0_POLYGON || kind == GP0_RECTANGLE) &&
           (event->op & GP0_TEXTURED);
}

/*
 * Returns the id of the palette of a textured polygon or rectangle, reduced to the bits that count.
 * `state` is the state before the event.
 */
uint16_t psx_state_clut_id(const struct psx_state *state, const struct psx_gp0_event *event);

/*
 * Returns the texture page of a textured polygon or rectangle in the form of E1, reduced to the
 * bits that count. `state` is the state before the event; a rectangle has the page of that state.
 */
uint32_t psx_state_page(const struct psx_state *state, const struct psx_gp0_event *event);

/*
 * Returns whether the upload in progress is written as if E6 were 0, as one of all of VRAM before
 * Trace begin is (psx-dump.md 3.2).
 */
bool psx_state_ignores_mask(const struct psx_state *state);

/*
 * The members of a GPU, for the files that carry commands out (the functions to use a GPU are in
 * gpu.h). One thread at a time per GPU.
 */

struct psx_observer;
struct psx_texel_cache;
struct psx_raster_ops;

struct psx_gpu {
    struct psx_state state;
    uint16_t *vram;      /* 1024 * lines halfwords */
    uint32_t lines;      /* lines of the model's memory */
    uint16_t clut[258];  /* the latched palette, and two entries that a wide load may touch */
    uint16_t *read_data; /* the data of the last C0: two halfwords a word */
    uint64_t pixels;     /* covered by drawing commands since creation, including masked ones */
    uint64_t moved;      /* halfwords of copies and uploads since creation, including masked ones */
    bool never_skip;     /* option field=both */
    bool in_order;       /* draw rows in the chip's order even where that makes no difference */
    struct psx_texel_cache *texel_cache; /* NULL if texels are read from VRAM at all times */
    const struct psx_raster_ops *ops;    /* how pixels are drawn: plain C, or a faster twin of it */
    struct psx_observer *observer;       /* sees all pixels before they are written; or NULL */
};

#endif

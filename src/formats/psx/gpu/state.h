/* SPDX-License-Identifier: MIT */
/*
 * What the command stream does to the GPU's state, VRAM left aside: registers,
 * the palette latch's key, transfers under way, an open polyline. The index
 * follows the stream with these functions and draws nothing; the replay core
 * does the same while it draws. Pure functions over struct psx_state; facts:
 * psx-gpu.md 2, 6, 11, 12, psx-dump.md 3.1, 3.6.
 */
#ifndef GPUDUMPFS_PSX_GPU_STATE_H
#define GPUDUMPFS_PSX_GPU_STATE_H

#include "formats/psx/gpu/gp0.h"
#include "formats/psx/gpu/registers.h"

#include <stdbool.h>
#include <stdint.h>

/* The palette latch's key (psx-gpu.md 6): follows from the stream alone. */
struct psx_clut_key {
    uint16_t id;
    uint16_t entries; /* 16 or 256; 0: nothing is latched */
};

/* An upload or a read under way. y as sent, 10 bits: how many count may change on the way. */
struct psx_transfer {
    uint16_t x, y, width, height;
    uint32_t done, total; /* halfwords written, or words read; total 0: none */
};

/* Everything but memory contents: what a frame's start looks like to the parser. */
struct psx_state {
    struct psx_registers registers;
    struct psx_gp0_parser parser;
    struct psx_clut_key clut;
    struct psx_transfer upload;
    struct psx_transfer read; /* the last C0 that has words left */
    uint32_t last_vertex[2];  /* open polyline: colour, vertex */
    uint32_t texel_run;       /* how often the texel cache was dropped: psx-gpu.md 6 */
    bool restoring;           /* before Trace begin: psx-dump.md 3.2 */
};

/* Power-on. */
void psx_state_reset(struct psx_state *state, enum psx_gpu_model model);

/*
 * Whether it is a state that a command stream may lead to, for one that comes from a file: flags
 * are such already. What holds for each of its parts is known then, not that they go together.
 */
bool psx_state_is_sound(const struct psx_state *state, enum psx_gpu_model model);

/* What one event of psx_gp0_parse() changes; a polyline's and an upload's progress too. */
void psx_state_gp0(struct psx_state *state, const struct psx_gp0_event *event);

/* A polyline's next segment, as the line command from the vertex that waits to the next one. */
void psx_state_segment(const struct psx_state *state, const struct psx_gp0_event *segment,
                       struct psx_gp0_event *line);

/* One word to port 1. 00 and 01 drop the command, the upload and the read in progress. */
void psx_state_gp1(struct psx_state *state, uint32_t word);

/* Takes up to `words` words from the open read; returns how many it had. */
uint32_t psx_state_read(struct psx_state *state, uint32_t words);

/* Words that the open read has left; 0 when there is none. */
uint32_t psx_state_read_left(const struct psx_state *state);

/*
 * Whether a primitive with this palette loads it anew, and then which entries
 * stand latched: psx-gpu.md 6. `id` is psx_registers_palette()'s, `depth` enum psx_depth.
 */
bool psx_clut_key_latch(struct psx_clut_key *key, uint16_t id, unsigned depth);

/*
 * Whether E1 drops the texel cache when it becomes that: another page, or 4 bits in place of 8 or
 * 15 or the other way round, do; 8 in place of 15 does not (psx-gpu.md 6).
 */
static inline bool psx_page_drops_texels(uint32_t e1_before, uint32_t e1_after)
{
    enum { PLACE = 0x81F, DEPTH = 0x180 };

    return (((e1_before ^ e1_after) & PLACE) != 0) | (!(e1_before & DEPTH) != !(e1_after & DEPTH));
}

/* Whether it is a primitive with a texture, all its words here. */
static inline bool psx_event_is_textured(const struct psx_gp0_event *event)
{
    enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;

    return event->type == GP0_EVENT_COMMAND && (kind == GP0_POLYGON || kind == GP0_RECTANGLE) &&
           (event->op & GP0_TEXTURED);
}

/*
 * Of a textured polygon or rectangle: its palette's id, and its texture page as E1 has
 * it, those of their bits that count; a rectangle's page is that of `state`, before it.
 */
uint16_t psx_state_clut_id(const struct psx_state *state, const struct psx_gp0_event *event);
uint32_t psx_state_page(const struct psx_state *state, const struct psx_gp0_event *event);

/* Before Trace begin an upload of all of VRAM is written as if E6 were 0 (psx-dump.md 3.2). */
bool psx_state_ignores_mask(const struct psx_state *state);

/*
 * What a GPU is made of, for the files that carry commands out (gpu.h has what they
 * are used through). One thread at a time per GPU.
 */

struct psx_observer;
struct psx_texel_cache;
struct psx_raster_ops;

struct psx_gpu {
    struct psx_state state;
    uint16_t *vram;      /* 1024 * lines halfwords */
    uint32_t lines;      /* of the model's memory */
    uint16_t clut[258];  /* the latched palette; two that a wide load may touch */
    uint16_t *read_data; /* what the last C0 saw: two halfwords a word */
    uint64_t pixels;     /* covered by drawing commands since creation, masked ones too */
    uint64_t moved;      /* halfwords that copies and uploads wrote, likewise */
    bool never_skip;     /* field=both */
    bool in_order;       /* rows are made in the chip's order even where it is not seen */
    struct psx_texel_cache *texel_cache; /* NULL: texels are read from VRAM at all times */
    const struct psx_raster_ops *ops;    /* how pixels are made: plain C, or a faster twin of it */
    struct psx_observer *observer; /* told of all pixels before they are written; NULL: none */
};

#endif

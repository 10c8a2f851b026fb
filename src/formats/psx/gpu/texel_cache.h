/* SPDX-License-Identifier: MIT */
/*
 * The GPU's texel cache (psx-gpu.md 6): 256 lines of four halfwords of VRAM, read where a
 * texel is in none of them, and not told of what is drawn over VRAM afterwards. While
 * that cannot be seen, notes stand in for it: texel_trace.h. One thread per VRAM.
 */
#ifndef GPUDUMPFS_PSX_GPU_TEXEL_CACHE_H
#define GPUDUMPFS_PSX_GPU_TEXEL_CACHE_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/gpu/texel_reach.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PSX_TEXEL_LINES = 256,
    PSX_TEXEL_NOTES = 256, /* the lines are found out when there are so many */
};

/* A textured primitive since the last drop. */
struct psx_texel_note {
    struct psx_registers registers;
    struct psx_draw draw;
};

struct psx_texel_cache {
    struct psx_texel_reach reach;
    bool every; /* for tests: each texel is looked up, from the drop on */
    /* Which line of VRAM, by its first halfword / 4, and 1 more; 0: none. Without the notes'. */
    uint32_t tags[PSX_TEXEL_LINES];
    bool is_tagged;                                  /* any of them */
    uint16_t lines[PSX_TEXEL_LINES][PSX_TEXEL_LINE]; /* while reach.stale */
    unsigned count;
    struct psx_texel_note notes[PSX_TEXEL_NOTES];
};

/* Empty. 0 or -ENOMEM. */
int psx_texel_cache_create(struct psx_texel_cache **out);

void psx_texel_cache_copy(struct psx_texel_cache *to, const struct psx_texel_cache *from);

/* All that it holds, of the run `run` (psx_state.texel_run): of a later one it holds nothing. */
struct psx_texel_lines {
    uint32_t run;
    uint32_t tags[PSX_TEXEL_LINES];
    uint16_t lines[PSX_TEXEL_LINES][PSX_TEXEL_LINE];
};

/* Puts it into the cache of a GPU that goes on from the same point. */
void psx_texel_cache_load(struct psx_texel_cache *cache, const struct psx_texel_lines *lines);

/* At a drop. */
void psx_texel_cache_empty(struct psx_texel_cache *cache);

/* Empties it: what is drawn next does not go on from what was drawn last. */
void psx_texel_cache_forget(struct psx_texel_cache *cache);

/* Whether texels have to be looked up. */
static inline bool psx_texel_cache_is_stale(const struct psx_texel_cache *cache)
{
    return cache != NULL && cache->reach.stale;
}

/* The halfword `index` of VRAM as the next texel that lies in it will find it. */
const uint16_t *psx_texel_cache_look(const struct psx_texel_cache *cache, const uint16_t *vram,
                                     uint32_t index, enum psx_depth depth);

/* Where a line of VRAM has its place. */
static inline unsigned psx_texel_cache_place(uint32_t line, enum psx_depth depth)
{
    return depth == PSX_DEPTH_4 ? (line >> 6 & 0xFC) | (line & 3) : (line >> 5 & 0xF8) | (line & 7);
}

#endif

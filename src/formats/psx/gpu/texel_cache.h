/* SPDX-License-Identifier: MIT */
/*
 * The GPU's texel cache (psx-gpu.md 6): 256 lines of four halfwords of VRAM. The line of a texel
 * that is in none of them is read from VRAM; drawing over VRAM does not change the lines. As long
 * as that makes no difference, notes of what was drawn stand in for the lines (texel_trace.h). One
 * thread per VRAM.
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
    PSX_TEXEL_NOTES = 256, /* with that many, the lines are found from the notes */
};

/* A textured primitive that was drawn since the last drop. */
struct psx_texel_note {
    struct psx_registers registers;
    struct psx_draw draw;
};

struct psx_texel_cache {
    struct psx_texel_reach reach;
    bool every; /* for tests: look up each texel from the drop on */
    /*
     * Which line of VRAM each line holds: 1 more than its first halfword / 4; 0: none. Lines that
     * only the notes would fill are missing.
     */
    uint32_t tags[PSX_TEXEL_LINES];
    bool is_tagged;                                  /* any tag is set */
    uint16_t lines[PSX_TEXEL_LINES][PSX_TEXEL_LINE]; /* valid while reach.stale */
    unsigned count;
    struct psx_texel_note notes[PSX_TEXEL_NOTES];
};

/* Creates an empty cache, to be freed with free(). Returns 0 or -ENOMEM. */
int psx_texel_cache_create(struct psx_texel_cache **out);

void psx_texel_cache_copy(struct psx_texel_cache *to, const struct psx_texel_cache *from);

/*
 * All that a cache holds in the run `run` (psx_state.texel_run). In a later run it holds nothing.
 */
struct psx_texel_lines {
    uint32_t run;
    uint32_t tags[PSX_TEXEL_LINES];
    uint16_t lines[PSX_TEXEL_LINES][PSX_TEXEL_LINE];
};

/* Puts these lines into the cache of a GPU that goes on from the same point. */
void psx_texel_cache_load(struct psx_texel_cache *cache, const struct psx_texel_lines *lines);

/* Empties the cache at a drop. */
void psx_texel_cache_empty(struct psx_texel_cache *cache);

/*
 * Empties the cache and forgets its run, when what is drawn next does not continue what was drawn
 * last.
 */
void psx_texel_cache_forget(struct psx_texel_cache *cache);

/* Returns whether texels have to be looked up in the cache. */
static inline bool psx_texel_cache_is_stale(const struct psx_texel_cache *cache)
{
    return cache != NULL && cache->reach.stale;
}

/*
 * Returns the halfword that the next texel in halfword `index` of VRAM will be taken from: in the
 * cache or in VRAM.
 */
const uint16_t *psx_texel_cache_look(const struct psx_texel_cache *cache, const uint16_t *vram,
                                     uint32_t index, enum psx_depth depth);

/* Returns the place in the cache of a line of VRAM. */
static inline unsigned psx_texel_cache_place(uint32_t line, enum psx_depth depth)
{
    return depth == PSX_DEPTH_4 ? (line >> 6 & 0xFC) | (line & 3) : (line >> 5 & 0xF8) | (line & 7);
}

#endif

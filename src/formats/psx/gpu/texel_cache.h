/* SPDX-License-Identifier: MIT */
/*
 * The GPU's texel cache (psx-gpu.md 6). It has 256 places, each of which holds a line: four
 * consecutive halfwords of VRAM. If a texel is sampled whose line is not in the cache, that line is
 * read from VRAM into its place. Drawing over VRAM does not change the lines in the cache, so that
 * texels may come from the cache that VRAM no longer has. A drop empties the cache; a run is what
 * is drawn from one drop to the next.
 *
 * To look up every texel takes long, and makes no difference before something in the run is drawn
 * over texels that the cache may hold (texel_reach.h). Until then texels are read from VRAM, and
 * only a note of each textured primitive is kept. If the difference can be seen from some point on,
 * the lines are found from these notes, and from there to the next drop every texel is looked up
 * (texel_trace.h).
 *
 * One thread per VRAM.
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
    PSX_TEXEL_NOTES = 256, /* notes at most; before the next one, the tags are found from them */
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
     * Which line of VRAM is in each place: the line's first halfword / 4, plus 1; 0: none. What the
     * primitives of `notes` load is not included yet.
     */
    uint32_t tags[PSX_TEXEL_LINES];
    bool is_tagged;                                  /* any tag may be set */
    uint16_t lines[PSX_TEXEL_LINES][PSX_TEXEL_LINE]; /* valid while reach.stale */
    unsigned count;                                  /* number of notes */
    struct psx_texel_note notes[PSX_TEXEL_NOTES];    /* in the order of drawing */
};

/* Creates an empty cache, to be freed with free(). Returns 0 or -ENOMEM. */
int psx_texel_cache_create(struct psx_texel_cache **out);

/* Makes `to` equal to `from`. */
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

/* Returns the place in the cache, 0 to 255, of a line of VRAM: its first halfword / 4. */
static inline unsigned psx_texel_cache_place(uint32_t line, enum psx_depth depth)
{
    return depth == PSX_DEPTH_4 ? (line >> 6 & 0xFC) | (line & 3) : (line >> 5 & 0xF8) | (line & 7);
}

#endif

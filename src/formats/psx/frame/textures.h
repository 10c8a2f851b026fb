/* SPDX-License-Identifier: MIT */
/*
 * Textures: which texels a draw samples, the textures of a frame, their identity by
 * contents, and the catalog of all textures of a dump.
 */
#ifndef GPUDUMPFS_PSX_FRAME_TEXTURES_H
#define GPUDUMPFS_PSX_FRAME_TEXTURES_H

#include "base/locks.h"
#include "formats/psx/dump.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/index/walk.h"

#include <pthread.h>

struct psx_player;

enum { PSX_FRAME_TEXTURES_MAX = 1 << 16 }; /* that are told of a frame */

/* Which texel a pixel samples: the plain arithmetic of psx-gpu.md 6. Pure functions. */
static inline uint8_t texel_coordinate(const struct psx_raster_plane *plane, int x, int y)
{
    return (uint8_t)((plane->origin + (int64_t)x * plane->dx + (int64_t)y * plane->dy) >>
                     RASTER_FRACTION);
}

/* U and V behind the window. */
static inline uint8_t texel_u(const struct psx_raster_job *job, int x, int y)
{
    return (uint8_t)((texel_coordinate(&job->u, x, y) & job->and_u) | job->or_u);
}

static inline uint8_t texel_v(const struct psx_raster_job *job, int x, int y)
{
    return (uint8_t)((texel_coordinate(&job->v, x, y) & job->and_v) | job->or_v);
}

/* The halfword of VRAM that texel (u, v) of a page lies in. */
static inline uint32_t texel_index(unsigned page_x, unsigned page_y, unsigned depth, unsigned u,
                                   unsigned v)
{
    unsigned column = page_x + (depth == PSX_DEPTH_4 ? u >> 2 : depth == PSX_DEPTH_8 ? u >> 1 : u);

    return (page_y + v) * PSX_VRAM_WIDTH + (column & (PSX_VRAM_WIDTH - 1));
}

/* What that halfword stands for, behind the palette. */
static inline uint16_t texel_value(unsigned depth, const uint16_t *clut, unsigned u,
                                   uint16_t halfword)
{
    switch (depth) {
    case PSX_DEPTH_4:
        return clut[halfword >> 4 * (u & 3) & 15];
    case PSX_DEPTH_8:
        return clut[halfword >> 8 * (u & 1) & 255];
    default:
        return halfword;
    }
}

/* The texel as VRAM has it. */
static inline uint16_t texel_fetch(const uint16_t *vram, unsigned page_x, unsigned page_y,
                                   unsigned depth, const uint16_t *clut, unsigned u, unsigned v)
{
    return texel_value(depth, clut, u, vram[texel_index(page_x, page_y, depth, u, v)]);
}

/*
 * Which texels a draw samples, told without VRAM: the draw is set up into rows and
 * planes, and nothing is drawn. One thread.
 */
struct psx_sampling {
    struct psx_observer observer;
    struct psx_gpu gpu;     /* registers alone */
    uint64_t pixels;        /* that the draw covers */
    uint8_t u0, v0, u1, v1; /* of the texels, inclusive, behind the window */
};

/* 0 or -ENOMEM. */
int psx_sampling_create(struct psx_sampling **out);
void psx_sampling_destroy(struct psx_sampling **sampling);

/*
 * Whether a step, not yet applied, is a textured draw that covers any pixel; if so
 * it is taken apart, and the sampling says which texels it is about.
 */
bool psx_sampling_of(struct psx_sampling *sampling, const struct psx_walk *walk,
                     const struct psx_step *step, struct psx_draw *draw);

/*
 * The textures of a frame: every texture page, palette and depth that its draws
 * sample, where in them, and which draws. Found by setting the draws up without
 * drawing them. Kept by the cache, and the latest few beside it, so that names
 * can be told at once. Any thread.
 *
 * A page, a palette and a depth as a number of 24 bits, in the order of their
 * names; 15 bits a texel have no palette.
 */
uint32_t psx_texture_key(const struct psx_draw *draw);
unsigned psx_texture_page(uint32_t key);
unsigned psx_texture_depth(uint32_t key); /* enum psx_depth */
unsigned psx_texture_clut(uint32_t key);  /* of other depths than 15 */

enum { TEXTURE_NAME_MAX = 16, TEXTURE_SIDE = 256 /* texels */ };

/* `PAGE-CLUT-DEPTH`, and the key of such a name, which `suffix` ends; false: it is none. */
void psx_texture_name(uint32_t key, char name[TEXTURE_NAME_MAX]);
bool psx_texture_parse(const char *name, const char *suffix, uint64_t *key);

struct psx_frame_texture {
    uint32_t key;
    uint32_t first;         /* the first draw that samples it */
    uint32_t draws;         /* how many do */
    uint32_t range, ranges; /* which: the first of its ranges, and how many; a million in all */
    uint8_t u0, v0, u1, v1; /* what is sampled, inclusive, behind the window */
};

struct psx_frame_texture_range {
    uint32_t from, to; /* draws, inclusive */
};

/*
 * The blob of a frame's textures: this, then the textures by key, all ranges, and the keys of
 * palettes, each once and in their order.
 */
struct psx_frame_textures {
    uint32_t textures, ranges, palettes;
};

/* A palette's key, its id and depth, of a texture whose depth has one. */
static inline uint32_t psx_texture_palette(uint32_t key)
{
    return psx_texture_clut(key) << 1 | (psx_texture_depth(key) == PSX_DEPTH_8);
}

static inline const struct psx_frame_texture *frame_textures_list(const struct blob *frame_textures)
{
    return (const struct psx_frame_texture *)(const void *)(frame_textures->data +
                                                            sizeof(struct psx_frame_textures));
}

static inline uint32_t frame_textures_count(const struct blob *frame_textures)
{
    return ((const struct psx_frame_textures *)(const void *)frame_textures->data)->textures;
}

static inline const struct psx_frame_texture_range *frame_textures_ranges(
    const struct blob *frame_textures)
{
    return (const struct psx_frame_texture_range *)(frame_textures_list(frame_textures) +
                                                    frame_textures_count(frame_textures));
}

static inline uint32_t frame_textures_palette_count(const struct blob *frame_textures)
{
    return ((const struct psx_frame_textures *)(const void *)frame_textures->data)->palettes;
}

static inline const uint32_t *frame_textures_palettes(const struct blob *frame_textures)
{
    const struct psx_frame_textures *head = (const void *)frame_textures->data;

    return (const uint32_t *)(const void *)(frame_textures_ranges(frame_textures) + head->ranges);
}

/* The first texture whose key is at least this one; frame_textures_count(): none. */
uint32_t psx_frame_textures_find(const struct blob *frame_textures, uint32_t key);

/* The same of palettes. */
uint32_t psx_frame_textures_find_palette(const struct blob *frame_textures, uint32_t palette);

enum { RECENT_TEXTURES = 4 };

struct psx_recent_textures {
    pthread_mutex_t lock;
    struct {
        uint64_t frame;
        struct blob *textures;
    } recent[RECENT_TEXTURES] GUARDED_BY(lock_of_psx_textures);
    unsigned oldest GUARDED_BY(lock_of_psx_textures);
};

/* 0 or -ENOMEM. */
int psx_recent_textures_create(struct psx_recent_textures **out);
void psx_recent_textures_destroy(struct psx_recent_textures **recent);

/* Made now if need be; waits. 0, -ENOENT, -EINTR, -ENOMEM. */
int psx_frame_textures_get(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);

/* If it is at hand; else -EAGAIN, or -ENOENT. */
int psx_frame_textures_peek(struct psx_dump *dump, uint64_t frame, struct blob **out);

/*
 * Where a frame samples a texture first (texture_use.c). The frame's counts are waited for. 0,
 * -ENOENT, -EINTR, -ENOMEM, and what players say. Any thread.
 */
int psx_texture_first_draw(struct psx_dump *dump, uint64_t frame, uint32_t key,
                           const struct cancel *cancel, uint64_t *draw);

/*
 * A GPU with VRAM and the palette latch as a draw finds them, before its pixels:
 * psx_player_forget() it.
 */
int psx_texture_player_take(struct psx_dump *dump, uint64_t frame, uint64_t draw,
                            const struct cancel *cancel, struct psx_player **out);

/* The first words of a draw, and the registers before them. */
struct psx_draw_begin {
    struct psx_step step;
    struct psx_registers registers;
};
int psx_draw_begin_find(struct psx_dump *dump, uint64_t frame, uint64_t draw,
                        const struct cancel *cancel, struct psx_draw_begin *out);

/*
 * What video memory holds, as far as the stream tells without drawing: in cells of
 * 16 pixels of a row (a palette of 16 is one) the uploaded, filled or copied
 * pixels, and a stamp of what was drawn into them since they were last written as
 * a whole. A texture's identity is a number made of the cells it lies in: it is
 * equal where page, palette, depth and contents are, and differs, but for a
 * collision of 64-bit numbers, where the contents may. Textures that are drawn
 * have as many identities as drawings. One thread.
 */
enum {
    VERSION_CELL = 16, /* pixels */
    VERSION_COLUMNS = PSX_VRAM_WIDTH / VERSION_CELL,
    VERSION_BLOCK_LINES = 16, /* of what tells that cells changed at all: 4 x 16 of them */
    VERSION_BLOCK_COLUMNS = 16,
};

/*
 * The palette is that which stands latched (psx-gpu.md 6), not what has become of it
 * since.
 */
struct psx_texture_identity {
    uint16_t vram[PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT_MAX];
    /* 0: all of the cell's pixels are known */
    uint64_t drawn[VERSION_COLUMNS * PSX_VRAM_HEIGHT_MAX];
    uint64_t changes[VERSION_BLOCK_COLUMNS * PSX_VRAM_HEIGHT_MAX / VERSION_BLOCK_LINES];
    struct psx_vram_lines lines; /* before the step that is followed */
    uint64_t stamp;              /* of the last drawing */
    uint64_t palette[2];         /* made of the latched one's first 16 colours, and of all 256 */
    uint64_t work;               /* cells written and looked at, ever */
};

/* Follows what a step latches, and then the step, which is not yet applied. */
void psx_texture_identity_latch(struct psx_texture_identity *identities,
                                const struct psx_walk *walk, const struct psx_step *step);
void psx_texture_identity_step(struct psx_texture_identity *identities, const struct psx_walk *walk,
                               const struct psx_step *step);

/* Equal while nothing writes the cells of a texture or latches a palette. */
uint64_t psx_texture_identity_changes(const struct psx_texture_identity *identities, uint32_t key);

/* The palette of that texture is latched. */
uint64_t psx_texture_identity_get(struct psx_texture_identity *identities, uint32_t key);

/*
 * What one pass over the whole dump finds out, without drawing: every texture by
 * its identity and the frames that use it, and the dump's counts.
 * Made by the first reader that needs it; others wait. It takes a share of the cache's budget; what
 * finds no room there is left out, and told as a problem. Any thread.
 */

/* A texture as some frame uses it, by frame and then by draw. */
struct psx_catalog_use {
    uint32_t frame, draw; /* the first that does, with these contents */
    uint32_t key;
    uint32_t texture; /* its number in the dump */
};

struct psx_catalog_texture {
    uint64_t identity;
    uint64_t draws;
    uint32_t key;
    uint32_t frame, draw; /* its first use */
    uint32_t frames;      /* how many use it … */
    uint64_t first_frame; /* … and where they are listed */
};

struct psx_catalog_counts {
    uint64_t triangles, quads, lines, polylines, rectangles, fills, copies;
    uint64_t textured, semi_transparent, culled;
    uint64_t upload_bytes;
    bool culled_so_far; /* the last command is a polyline, of which nothing is drawn yet */
};

struct psx_texture_catalog {
    struct index_task pass; /* the cells that were followed */
    const struct psx_dump *dump;
    bool full;        /* what is found from here on has no room */
    uint64_t account; /* with the cache */
    struct psx_walk *walk;
    struct psx_texture_identity *identities;
    struct psx_sampling *sampling;
    struct psx_catalog_memo *memos; /* open addressing, by key */
    uint32_t memo_count, memo_room;
    uint32_t *slots; /* of textures, by identity: number + 1 */
    uint32_t slot_count;

    struct psx_catalog_texture *textures;
    uint32_t texture_count, texture_room;
    struct psx_catalog_use *uses;
    uint64_t use_count, use_room;
    uint32_t *frames; /* of all textures */
    struct psx_catalog_counts counts;
};

/* Adds a step that completes a command, or comes with a polyline's segment, not yet applied. */
void psx_texture_catalog_count(struct psx_catalog_counts *counts, const struct psx_walk *walk,
                               const struct psx_step *step);

/* 0 or -ENOMEM. */
int psx_texture_catalog_create(struct psx_dump *dump, struct psx_texture_catalog **out);

/* `cache`: what the dump's was, as far as it had one. */
void psx_texture_catalog_destroy(struct psx_texture_catalog **destroyed, struct cache *cache);

/* Until it is complete; then its results are read-only. 0, -EINTR, -ENOMEM. */
int psx_texture_catalog_wait(struct psx_dump *dump, const struct cancel *cancel);

bool psx_texture_catalog_is_complete(struct psx_texture_catalog *catalog);

/*
 * The identity of a texture as a frame's first draw that samples it finds it; 0: none
 * does. The catalog is complete.
 */
uint64_t psx_texture_catalog_identity(struct psx_dump *dump, uint64_t frame, uint32_t key);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Textures: which texels a draw samples, the textures of a frame, the identity of textures by their
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

/* The largest number of textures that is listed for a frame. */
enum { PSX_FRAME_TEXTURES_MAX = 1 << 16 };

/* Which texel a pixel samples, in the plain arithmetic of psx-gpu.md 6. Pure functions. */
static inline uint8_t texel_coordinate(const struct psx_raster_plane *plane, int x, int y)
{
    return (uint8_t)((plane->origin + (int64_t)x * plane->dx + (int64_t)y * plane->dy) >>
                     RASTER_FRACTION);
}

/* U and V after the texture window has been applied. */
static inline uint8_t texel_u(const struct psx_raster_job *job, int x, int y)
{
    return (uint8_t)((texel_coordinate(&job->u, x, y) & job->and_u) | job->or_u);
}

static inline uint8_t texel_v(const struct psx_raster_job *job, int x, int y)
{
    return (uint8_t)((texel_coordinate(&job->v, x, y) & job->and_v) | job->or_v);
}

/* Returns the halfword of VRAM that contains texel (u, v) of a page. */
static inline uint32_t texel_index(unsigned page_x, unsigned page_y, unsigned depth, unsigned u,
                                   unsigned v)
{
    unsigned column = page_x + (depth == PSX_DEPTH_4 ? u >> 2 : depth == PSX_DEPTH_8 ? u >> 1 : u);

    return (page_y + v) * PSX_VRAM_WIDTH + (column & (PSX_VRAM_WIDTH - 1));
}

/* Returns the colour for that halfword, looked up in the palette if the depth has one. */
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

/* Returns the texel as it is in VRAM. */
static inline uint16_t texel_fetch(const uint16_t *vram, unsigned page_x, unsigned page_y,
                                   unsigned depth, const uint16_t *clut, unsigned u, unsigned v)
{
    return texel_value(depth, clut, u, vram[texel_index(page_x, page_y, depth, u, v)]);
}

/*
 * Which texels a draw samples, determined without VRAM: the draw is set up into rows and planes,
 * and nothing is drawn. One thread.
 */
struct psx_sampling {
    struct psx_observer observer;
    struct psx_gpu gpu;     /* only its registers are used */
    uint64_t pixels;        /* pixels that the draw covers */
    uint8_t u0, v0, u1, v1; /* range of the texels, inclusive, after the texture window */
};

/* Returns 0 or -ENOMEM. */
int psx_sampling_create(struct psx_sampling **out);
void psx_sampling_destroy(struct psx_sampling **sampling);

/*
 * Returns whether a step, not yet applied, is a textured draw that covers any pixel. If so, decodes
 * it into *draw, and `sampling` has the range of its texels.
 */
bool psx_sampling_of(struct psx_sampling *sampling, const struct psx_walk *walk,
                     const struct psx_step *step, struct psx_draw *draw);

/*
 * The textures of a frame: every texture page, palette and depth that its draws sample, which part
 * of them, and which draws do. They are found by setting the draws up without drawing them. The
 * cache keeps them, and the latest few are kept outside of it as well, so that names can be looked
 * up without waiting. Any thread.
 *
 * A key is a number of 24 bits for page, palette and depth. Keys are in the order of their names.
 * Textures of 15 bits a texel have no palette.
 */
uint32_t psx_texture_key(const struct psx_draw *draw);
unsigned psx_texture_page(uint32_t key);
unsigned psx_texture_depth(uint32_t key); /* enum psx_depth */
unsigned psx_texture_clut(uint32_t key);  /* undefined for 15 bits */

enum { TEXTURE_NAME_MAX = 16, TEXTURE_SIDE = 256 /* texels */ };

/* Writes the name of a texture, `PAGE-CLUT-DEPTH`. */
void psx_texture_name(uint32_t key, char name[TEXTURE_NAME_MAX]);

/*
 * Gets the key from a name of a texture followed by `suffix`. Returns false if `name` is anything
 * else.
 */
bool psx_texture_parse(const char *name, const char *suffix, uint64_t *key);

struct psx_frame_texture {
    uint32_t key;
    uint32_t first; /* the first draw that samples it */
    uint32_t draws; /* the number of draws that sample it */
    /*
     * The ranges of draws that sample it: index of the first of them, and their number. A frame has
     * a million ranges at most.
     */
    uint32_t range, ranges;
    uint8_t u0, v0, u1, v1; /* range of the texels sampled, inclusive, after the texture window */
};

struct psx_frame_texture_range {
    uint32_t from, to; /* numbers of draws, inclusive */
};

/*
 * Head of the blob of a frame's textures. After it come the textures by key, all ranges, and the
 * keys of the palettes, each once, ascending.
 */
struct psx_frame_textures {
    uint32_t textures, ranges, palettes;
};

/*
 * Returns the key of the texture's palette, made of its id and depth. The texture's depth must have
 * a palette.
 */
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

/*
 * Returns the index of the first texture whose key is at least `key`, or frame_textures_count() if
 * there is none.
 */
uint32_t psx_frame_textures_find(const struct blob *frame_textures, uint32_t key);

/* The same for palettes. */
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

/* Returns 0 or -ENOMEM. */
int psx_recent_textures_create(struct psx_recent_textures **out);
void psx_recent_textures_destroy(struct psx_recent_textures **recent);

/*
 * Gets a reference to the frame's textures, making them if necessary; may wait. Returns 0, -ENOENT
 * if there is no such frame, -EINTR or -ENOMEM.
 */
int psx_frame_textures_get(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);

/* The same without waiting. Returns -EAGAIN if the textures are not at hand. */
int psx_frame_textures_peek(struct psx_dump *dump, uint64_t frame, struct blob **out);

/*
 * Finds the first draw of a frame that samples a texture (texture_use.c). Waits for the frame's
 * counts. Returns 0, -ENOENT if no draw does, -EINTR, -ENOMEM, or an error of the player. Any
 * thread.
 */
int psx_texture_first_draw(struct psx_dump *dump, uint64_t frame, uint32_t key,
                           const struct cancel *cancel, uint64_t *draw);

/*
 * Provides a player whose VRAM and palette latch are as the pixels of `draw` find them, before
 * these are drawn. Call psx_player_forget() on it. Waits for the frame's counts. Returns 0, or
 * -errno with *out NULL: -ENOENT if there is no such draw, or an error of the player.
 */
int psx_texture_player_take(struct psx_dump *dump, uint64_t frame, uint64_t draw,
                            const struct cancel *cancel, struct psx_player **out);

/* Where a draw begins. */
struct psx_draw_begin {
    struct psx_step step;           /* has the draw's first words */
    struct psx_registers registers; /* before that step */
};

/*
 * Finds where a draw begins. Waits for the frame's counts. Returns 0, -ENOENT if there is no such
 * draw, -EINTR or -ENOMEM.
 */
int psx_draw_begin_find(struct psx_dump *dump, uint64_t frame, uint64_t draw,
                        const struct cancel *cancel, struct psx_draw_begin *out);

/*
 * The contents of video memory, as far as the stream determines them without drawing. For each cell
 * of 16 pixels of a row (a palette of 16 is one cell) there are the pixels that were uploaded,
 * filled or copied, and a stamp of what was drawn into the cell since it was last completely
 * written. A texture's identity is a number computed from the cells that it is in. Identities are
 * equal if page, palette, depth and contents are, and differ, except for collisions of 64-bit
 * numbers, if the contents may differ. A texture that is drawn has as many identities as drawings.
 * One thread.
 */
enum {
    VERSION_CELL = 16, /* pixels */
    VERSION_COLUMNS = PSX_VRAM_WIDTH / VERSION_CELL,
    VERSION_BLOCK_LINES = 16, /* changes are counted for blocks of 4 x 16 cells */
    VERSION_BLOCK_COLUMNS = 16,
};

/* The palette is the one that is latched (psx-gpu.md 6), whatever VRAM has at its place by now. */
struct psx_texture_identity {
    uint16_t vram[PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT_MAX];
    /* For each cell the stamp, or 0 if all its pixels are known. */
    uint64_t drawn[VERSION_COLUMNS * PSX_VRAM_HEIGHT_MAX];
    /* For each block the number of changes to its cells. */
    uint64_t changes[VERSION_BLOCK_COLUMNS * PSX_VRAM_HEIGHT_MAX / VERSION_BLOCK_LINES];
    struct psx_vram_lines lines; /* the lines before the step that is followed */
    uint64_t stamp;              /* the stamp of the last drawing */
    uint64_t palette[2]; /* hashes of the latched palette's first 16 colours, and of all 256 */
    uint64_t work;       /* number of cells written and looked at so far */
};

/*
 * Follows the palette that a step latches. To be called for each step before
 * psx_texture_identity_step(); the step must not be applied to the walk yet.
 */
void psx_texture_identity_latch(struct psx_texture_identity *identities,
                                const struct psx_walk *walk, const struct psx_step *step);

/* Follows what a step writes to VRAM. The step must not be applied to the walk yet. */
void psx_texture_identity_step(struct psx_texture_identity *identities, const struct psx_walk *walk,
                               const struct psx_step *step);

/*
 * Returns a number that stays equal as long as nothing writes to the cells of a texture or latches
 * a palette.
 */
uint64_t psx_texture_identity_changes(const struct psx_texture_identity *identities, uint32_t key);

/* Returns the texture's identity. The texture's palette must be the one that is latched. */
uint64_t psx_texture_identity_get(struct psx_texture_identity *identities, uint32_t key);

/*
 * The results of one pass over the whole dump, without drawing: every texture by its identity, the
 * frames that use it, and the dump's counts. The first reader that needs the catalog makes it;
 * others wait. The catalog may take a quarter of the cache's budget. What does not fit is left out,
 * and reported as a problem. Any thread.
 */

/* A use of a texture by a frame. Sorted by frame, key and draw. */
struct psx_catalog_use {
    uint32_t frame, draw; /* the first draw of the frame that uses it with these contents */
    uint32_t key;
    uint32_t texture; /* index in `textures` */
};

struct psx_catalog_texture {
    uint64_t identity;
    uint64_t draws;
    uint32_t key;
    uint32_t frame, draw; /* the first use of the texture */
    uint32_t frames;      /* number of frames that use it */
    uint64_t first_frame; /* where these frames begin in the catalog's array `frames` */
};

struct psx_catalog_counts {
    uint64_t triangles, quads, lines, polylines, rectangles, fills, copies;
    uint64_t textured, semi_transparent, culled;
    uint64_t upload_bytes;
    bool culled_so_far; /* the last command is a polyline, of which no segment has been drawn yet */
};

struct psx_texture_catalog {
    struct index_task pass; /* its position is the number of cells followed */
    const struct psx_dump *dump;
    bool full;        /* there is no room for further finds */
    uint64_t account; /* bytes charged to the cache */
    struct psx_walk *walk;
    struct psx_texture_identity *identities;
    struct psx_sampling *sampling;
    struct psx_catalog_memo *memos; /* open addressing, by key */
    uint32_t memo_count, memo_room;
    uint32_t *slots; /* hash table of textures, by identity: index + 1 */
    uint32_t slot_count;

    struct psx_catalog_texture *textures;
    uint32_t texture_count, texture_room;
    struct psx_catalog_use *uses;
    uint64_t use_count, use_room;
    uint32_t *frames; /* the frames of all textures, texture by texture */
    struct psx_catalog_counts counts;
};

/* Counts a step, not yet applied, that completes a command or brings a segment of a polyline. */
void psx_texture_catalog_count(struct psx_catalog_counts *counts, const struct psx_walk *walk,
                               const struct psx_step *step);

/* Returns 0 or -ENOMEM. */
int psx_texture_catalog_create(struct psx_dump *dump, struct psx_texture_catalog **out);

/* `cache` is the cache that the dump has had, or NULL. */
void psx_texture_catalog_destroy(struct psx_texture_catalog **destroyed, struct cache *cache);

/*
 * Waits until the catalog is complete, after which its results are read-only. Returns 0, -EINTR or
 * -ENOMEM.
 */
int psx_texture_catalog_wait(struct psx_dump *dump, const struct cancel *cancel);

bool psx_texture_catalog_is_complete(struct psx_texture_catalog *catalog);

/*
 * Returns the identity that a texture has for the frame's first draw that samples it, or 0 if no
 * draw does. The catalog must be complete.
 */
uint64_t psx_texture_catalog_identity(struct psx_dump *dump, uint64_t frame, uint32_t key);

#endif

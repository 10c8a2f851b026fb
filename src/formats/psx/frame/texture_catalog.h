/*
 * What one pass over the whole dump finds out, without drawing: every texture by
 * its identity (texture_identity.h) and the frames that use it, and the dump's counts.
 * Made in the background once the index is there; who needs it sooner waits, or
 * goes on with it if nobody does. It takes a share of the cache's budget; what finds
 * no room there is left out, and told as a problem. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_TEXTURE_CATALOG_H
#define GPUDUMPFS_PSX_FRAME_TEXTURE_CATALOG_H

#include "formats/psx/frame/frame_textures.h"
#include "formats/psx/index/walk.h"

struct sampling;
struct texture_identity;

/* A texture as some frame uses it, by frame and then by draw. */
struct catalog_use {
    uint32_t frame, draw; /* the first that does, with these contents */
    uint32_t key;
    uint32_t texture; /* its number in the dump */
};

struct catalog_texture {
    uint64_t identity;
    uint64_t draws;
    uint32_t key;
    uint32_t frame, draw; /* its first use */
    uint32_t frames;      /* how many use it … */
    uint64_t first_frame; /* … and where they are listed */
};

struct catalog_counts {
    uint64_t triangles, quads, lines, polylines, rectangles, fills, copies;
    uint64_t textured, semi_transparent, culled;
    uint64_t upload_bytes;
};

struct texture_catalog {
    struct index_task pass; /* the cells that were followed */
    const struct psx_dump *dump;
    bool full;        /* what is found from here on has no room */
    uint64_t account; /* with the cache */
    struct psx_walk *walk;
    struct texture_identity *identities;
    struct sampling *sampling;
    struct catalog_memo *memos; /* open addressing, by key */
    uint32_t memo_count, memo_room;
    uint32_t *slots; /* of textures, by identity: number + 1 */
    uint32_t slot_count;

    struct catalog_texture *textures;
    uint32_t texture_count, texture_room;
    struct catalog_use *uses;
    uint64_t use_count, use_room;
    uint32_t *frames;    /* of all textures */
    struct cache *cache; /* that `charged` is charged to; NULL: none so far */
    uint64_t charged;
    struct catalog_counts counts;
};

/* Adds a step that completes a command, not yet applied. */
void psx_texture_catalog_count(struct catalog_counts *counts, const struct psx_walk *walk,
                               const struct psx_step *step);

/* 0 or -ENOMEM. */
int psx_texture_catalog_create(const struct psx_dump *dump, struct texture_catalog **out);

/* `cache`: what the dump's was, as far as it had one. */
void psx_texture_catalog_destroy(struct texture_catalog **catalog, struct cache *cache);

/* Until it is complete; then its results are read-only. 0, -EINTR, -ENOMEM. */
int psx_texture_catalog_wait(struct psx_dump *dump, const struct cancel *cancel);

/* The same as far as is right while nobody asks for it. */
void psx_texture_catalog_prepare(struct psx_dump *dump, const struct cancel *cancel);

bool psx_texture_catalog_is_complete(struct texture_catalog *catalog);

/*
 * The identity of a texture as a frame's first draw that samples it finds it; 0: none
 * does. The catalog is complete.
 */
uint64_t psx_texture_catalog_identity(struct psx_dump *dump, uint64_t frame, uint32_t key);

#endif

/*
 * The textures of a frame: every texture page, palette and depth that its draws
 * sample, where in them, and which draws. Found by setting the draws up without
 * drawing them. Kept by the cache, and the latest few beside it, so that names
 * can be told at once. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_TEXTURES_H
#define GPUDUMPFS_PSX_FRAME_FRAME_TEXTURES_H

#include "formats/psx/dump.h"
#include "formats/psx/gpu/draw.h"

#include <pthread.h>

/*
 * A page, a palette and a depth as a number of 24 bits, in the order of their
 * names; 15 bits a texel have no palette.
 */
uint32_t psx_texture_key(const struct psx_draw *draw);
unsigned psx_texture_page(uint32_t key);
unsigned psx_texture_depth(uint32_t key); /* enum psx_depth */
unsigned psx_texture_clut(uint32_t key);  /* of other depths than 15 */

enum { TEXTURE_NAME_MAX = 16 };

/* `PAGE-CLUT-DEPTH`, and the key of such a name, which `suffix` ends; false: it is none. */
void psx_texture_name(uint32_t key, char name[TEXTURE_NAME_MAX]);
bool psx_texture_parse(const char *name, const char *suffix, uint64_t *key);

struct frame_texture {
    uint32_t key;
    uint32_t first;         /* the first draw that samples it */
    uint32_t draws;         /* how many do */
    uint32_t range, ranges; /* which: the first of its ranges, and how many; a million in all */
    uint8_t u0, v0, u1, v1; /* what is sampled, inclusive, behind the window */
};

struct frame_texture_range {
    uint32_t from, to; /* draws, inclusive */
};

/* The blob of a frame's textures: this, then the textures by key, then all ranges. */
struct frame_textures {
    uint32_t textures, ranges;
};

static inline const struct frame_texture *frame_textures_list(const struct blob *frame_textures)
{
    return (const struct frame_texture *)(const void *)(frame_textures->data +
                                                        sizeof(struct frame_textures));
}

static inline uint32_t frame_textures_count(const struct blob *frame_textures)
{
    return ((const struct frame_textures *)(const void *)frame_textures->data)->textures;
}

static inline const struct frame_texture_range *frame_textures_ranges(
    const struct blob *frame_textures)
{
    return (const struct frame_texture_range *)(frame_textures_list(frame_textures) +
                                                frame_textures_count(frame_textures));
}

/* The first texture whose key is at least this one; frame_textures_count(): none. */
uint32_t psx_frame_textures_find(const struct blob *frame_textures, uint32_t key);

enum { RECENT_TEXTURES = 4 };

struct recent_textures {
    pthread_mutex_t lock;
    struct {
        uint64_t frame;
        struct blob *textures;
    } recent[RECENT_TEXTURES];
    unsigned oldest;
};

/* 0 or -ENOMEM. */
int psx_recent_textures_create(struct recent_textures **out);
void psx_recent_textures_destroy(struct recent_textures **recent);

/* Made now if need be; waits. 0, -ENOENT, -EINTR, -ENOMEM. */
int psx_frame_textures_get(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);

/* If it is at hand; else -EAGAIN, or -ENOENT. */
int psx_frame_textures_peek(struct psx_dump *dump, uint64_t frame, struct blob **out);

#endif

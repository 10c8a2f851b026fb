/* SPDX-License-Identifier: MIT */
#include "formats/psx/replay/keyframe_store.h"

#include "base/clock.h"
#include "base/locks.h"
#include "base/thread.h"
#include "cache/checkpoint_list.h"
#include "formats/psx/gpu/texel_trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ORDER_MS = 30 }; /* after this long without a picture a reader in order counts as stopped */

struct tile {
    atomic_uint references;
    uint16_t pixels[][PSX_TILE_WIDTH];
};

static size_t tile_bytes(unsigned height)
{
    return sizeof(struct tile) + height * sizeof(((struct tile *)NULL)->pixels[0]);
}

struct psx_keyframe {
    struct checkpoint_item item;
    struct psx_keyframe_store *store;
    struct psx_tiles tiles;
    uint32_t tile_count;
    unsigned height;                /* lines in each tile */
    uint16_t clut[256];             /* valid if the palette is among `tiles` */
    struct psx_texel_lines *texels; /* NULL unless the texel cache is among `tiles` */
    struct tile *tile[];            /* one for each of `tiles`, row by row */
};

struct psx_keyframe_store {
    struct checkpoint_list list;
    struct psx_keyframe_store *lender; /* has the keyframes up to `lent`; NULL if there is none */
    uint64_t lent;
    atomic_bool wanted;   /* set with the lock held, read without */
    pthread_mutex_t lock; /* protects what follows */
    pthread_cond_t progress;
    uint64_t reached GUARDED_BY(lock_of_psx_keyframes);
    unsigned waiting GUARDED_BY(lock_of_psx_keyframes); /* readers that wait for more keyframes */
    /* When a reader in order was last served without keyframes, in milliseconds. */
    int64_t in_order GUARDED_BY(lock_of_psx_keyframes);
};

static void take_lock(struct psx_keyframe_store *keyframes) ACQUIRE(lock_of_psx_keyframes)
{
    pthread_mutex_lock(&keyframes->lock);
}

static void give_lock(struct psx_keyframe_store *keyframes) RELEASE(lock_of_psx_keyframes)
{
    pthread_mutex_unlock(&keyframes->lock);
}

static struct psx_keyframe *keyframe_of(const struct checkpoint_item *item)
{
    return (struct psx_keyframe *)(uintptr_t)item; /* the keyframe's first member */
}

static void destroy(struct checkpoint_list *list, struct checkpoint_item *item)
{
    struct psx_keyframe *keyframe = keyframe_of(item);

    for (uint32_t i = 0; i < keyframe->tile_count; i++) {
        struct tile *tile = keyframe->tile[i];

        if (tile == NULL || atomic_fetch_sub(&tile->references, 1) != 1)
            continue;
        atomic_fetch_sub(&list->bytes, tile_bytes(keyframe->height));
        free(tile);
    }
    free(keyframe->texels);
    free(keyframe);
}

int psx_keyframe_store_create(uint64_t max_bytes, struct cache *const *cache,
                              struct psx_keyframe_store **out)
{
    const struct checkpoint_list_params params = {
        .max_bytes = max_bytes, .destroy = destroy, .cache = cache};

    *out = calloc(1, sizeof(**out));
    if (*out == NULL)
        return -ENOMEM;
    checkpoint_list_init(&(*out)->list, &params);
    pthread_mutex_init(&(*out)->lock, NULL);
    thread_condition_init(&(*out)->progress);
    return 0;
}

void psx_keyframe_unref(struct psx_keyframe **keyframe)
{
    struct psx_keyframe *dropped = *keyframe;

    *keyframe = NULL;
    if (dropped != NULL)
        checkpoint_list_unref(&dropped->store->list, &dropped->item);
}

void psx_keyframe_store_destroy(struct psx_keyframe_store **keyframes)
{
    struct psx_keyframe_store *destroyed = *keyframes;

    *keyframes = NULL;
    if (destroyed == NULL)
        return;
    checkpoint_list_clear(&destroyed->list);
    pthread_cond_destroy(&destroyed->progress);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

static uint32_t count_tiles(const struct psx_tiles *tiles)
{
    unsigned count = 0;

    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        count += (unsigned)__builtin_popcount(tiles->row[y]);
    return count;
}

/*
 * A walk over the tiles of a set, row by row. Zero-initialise it, then call next_tile() until that
 * returns false.
 */
struct tile_walk {
    unsigned x, y, left;
    bool begun;
};

static bool next_tile(const struct psx_tiles *tiles, struct tile_walk *walk)
{
    if (!walk->begun) {
        walk->begun = true;
        walk->left = tiles->row[0];
    }
    while (walk->left == 0) {
        if (++walk->y == PSX_TILE_ROWS)
            return false;
        walk->left = tiles->row[walk->y];
    }
    walk->x = (unsigned)__builtin_ctz(walk->left);
    walk->left &= walk->left - 1;
    return true;
}

static uint16_t *corner(const struct psx_gpu *gpu, const struct tile_walk *at)
{
    return gpu->vram + at->y * psx_tile_height(gpu->lines) * PSX_VRAM_WIDTH +
           at->x * PSX_TILE_WIDTH;
}

/* Returns the keyframe's tile at the walk's position, or NULL if it has none there. */
static struct tile *tile_at(const struct psx_keyframe *keyframe, const struct tile_walk *at)
{
    uint32_t number = 0;

    if (keyframe == NULL || !psx_tiles_have(&keyframe->tiles, at->x, at->y))
        return NULL;
    for (unsigned y = 0; y < at->y; y++)
        number += (unsigned)__builtin_popcount(keyframe->tiles.row[y]);
    number += (unsigned)__builtin_popcount(keyframe->tiles.row[at->y] & ((1u << at->x) - 1));
    return keyframe->tile[number];
}

static bool is_equal(const struct tile *tile, unsigned height, const uint16_t *pixels)
{
    for (unsigned i = 0; i < height; i++)
        if (memcmp(tile->pixels[i], pixels + i * PSX_VRAM_WIDTH, sizeof(tile->pixels[i])) != 0)
            return false;
    return true;
}

static struct tile *copy_tile(const uint16_t *pixels, unsigned height)
{
    struct tile *tile = malloc(tile_bytes(height));

    if (tile == NULL)
        return NULL;
    atomic_init(&tile->references, 1);
    for (unsigned i = 0; i < height; i++)
        memcpy(tile->pixels[i], pixels + i * PSX_VRAM_WIDTH, sizeof(tile->pixels[i]));
    return tile;
}

/* Takes the GPU's tiles: shares those that are equal to tiles of `last`, and copies the others. */
static int fill(struct psx_keyframe *keyframe, const struct psx_keyframe *last,
                const struct psx_tiles *written, const struct psx_gpu *gpu)
{
    struct tile_walk walk = {0};

    for (uint32_t i = 0; next_tile(&keyframe->tiles, &walk); i++) {
        const uint16_t *pixels = corner(gpu, &walk);
        struct tile *tile = tile_at(last, &walk);

        if (tile != NULL && (!psx_tiles_have(written, walk.x, walk.y) ||
                             is_equal(tile, keyframe->height, pixels))) {
            atomic_fetch_add(&tile->references, 1);
        } else {
            tile = copy_tile(pixels, keyframe->height);
            if (tile == NULL)
                return -ENOMEM;
            atomic_fetch_add(&keyframe->store->list.bytes, tile_bytes(keyframe->height));
        }
        keyframe->tile[i] = tile;
    }
    return 0;
}

static int fill_texels(struct psx_keyframe *keyframe, const struct psx_gpu *gpu)
{
    if (!(keyframe->tiles.latches & PSX_LATCH_TEXELS))
        return 0;
    keyframe->texels = malloc(sizeof(*keyframe->texels));
    if (keyframe->texels == NULL)
        return -ENOMEM;
    psx_texel_trace_save(gpu, keyframe->texels);
    keyframe->item.bytes += sizeof(*keyframe->texels);
    return 0;
}

static struct psx_keyframe *own_before(struct psx_keyframe_store *keyframes, uint64_t checkpoint)
{
    struct checkpoint_item *item = checkpoint_list_before(&keyframes->list, checkpoint);

    return item != NULL ? keyframe_of(item) : NULL;
}

int psx_keyframe_store_add(struct psx_keyframe_store *keyframes, uint64_t checkpoint,
                           const struct psx_tiles *tiles, const struct psx_tiles *written,
                           const struct psx_gpu *gpu, unsigned *halvings)
{
    uint32_t count = count_tiles(tiles);
    struct psx_keyframe *keyframe, *last;
    size_t bytes = sizeof(*keyframe) + count * sizeof(keyframe->tile[0]);
    int status;

    *halvings = 0;
    keyframe = calloc(1, bytes);
    if (keyframe == NULL)
        return -ENOMEM;
    keyframe->item.position = checkpoint;
    keyframe->item.bytes = bytes;
    keyframe->store = keyframes;
    keyframe->tiles = *tiles;
    keyframe->tiles.latches &= PSX_LATCH_PALETTE | PSX_LATCH_TEXELS;
    if (gpu->texel_cache == NULL)
        keyframe->tiles.latches &= PSX_LATCH_PALETTE;
    keyframe->tile_count = count;
    keyframe->height = psx_tile_height(gpu->lines);
    memcpy(keyframe->clut, gpu->clut, sizeof(keyframe->clut));
    last = own_before(keyframes, UINT64_MAX);
    status = fill(keyframe, last, written, gpu);
    psx_keyframe_unref(&last);
    if (status == 0)
        status = fill_texels(keyframe, gpu);
    if (status == 0)
        status = checkpoint_list_add(&keyframes->list, &keyframe->item, halvings);
    if (status != 0)
        destroy(&keyframes->list, &keyframe->item);
    return status;
}

void psx_keyframe_store_reach(struct psx_keyframe_store *keyframes, uint64_t checkpoint)
{
    take_lock(keyframes);
    keyframes->reached = checkpoint;
    pthread_cond_broadcast(&keyframes->progress);
    give_lock(keyframes);
}

bool psx_keyframe_store_wait(struct psx_keyframe_store *keyframes, uint64_t checkpoint,
                             unsigned milliseconds, const struct cancel *cancel)
{
    int64_t end = clock_ms() + milliseconds;
    bool reached;

    take_lock(keyframes);
    keyframes->waiting++;
    while (keyframes->reached < checkpoint && !cancel_requested(cancel) && clock_ms() < end)
        thread_wait_a_little(&keyframes->progress, &keyframes->lock);
    keyframes->waiting--;
    reached = keyframes->reached >= checkpoint;
    give_lock(keyframes);
    return reached;
}

void psx_keyframe_store_want(struct psx_keyframe_store *keyframes)
{
    if (atomic_load_explicit(&keyframes->wanted, memory_order_relaxed))
        return;
    take_lock(keyframes);
    atomic_store_explicit(&keyframes->wanted, true, memory_order_relaxed);
    pthread_cond_broadcast(&keyframes->progress);
    give_lock(keyframes);
}

void psx_keyframe_store_await_want(struct psx_keyframe_store *keyframes)
{
    take_lock(keyframes);
    while (!atomic_load_explicit(&keyframes->wanted, memory_order_relaxed))
        pthread_cond_wait(&keyframes->progress, &keyframes->lock);
    give_lock(keyframes);
}

void psx_keyframe_store_note_order(struct psx_keyframe_store *keyframes)
{
    take_lock(keyframes);
    keyframes->in_order = clock_ms();
    give_lock(keyframes);
}

bool psx_keyframe_store_give_way(struct psx_keyframe_store *keyframes, const struct cancel *cancel)
{
    bool gave_way = false;

    take_lock(keyframes);
    while (keyframes->waiting == 0 && !cancel_requested(cancel) &&
           clock_ms() < keyframes->in_order + ORDER_MS) {
        thread_wait_a_little(&keyframes->progress, &keyframes->lock);
        gave_way = true;
    }
    give_lock(keyframes);
    return gave_way;
}

void psx_keyframe_store_borrow(struct psx_keyframe_store *keyframes,
                               struct psx_keyframe_store *lender, uint64_t checkpoint)
{
    keyframes->lender = lender;
    keyframes->lent = checkpoint;
}

uint64_t psx_keyframe_store_bytes(struct psx_keyframe_store *keyframes)
{
    return atomic_load(&keyframes->list.bytes);
}

struct psx_keyframe *psx_keyframe_store_before(struct psx_keyframe_store *keyframes,
                                               uint64_t checkpoint)
{
    struct psx_keyframe *keyframe = own_before(keyframes, checkpoint);

    if (keyframe == NULL && keyframes->lender != NULL)
        keyframe = own_before(keyframes->lender,
                              checkpoint < keyframes->lent ? checkpoint : keyframes->lent);
    return keyframe;
}

uint64_t psx_keyframe_checkpoint(const struct psx_keyframe *keyframe)
{
    return keyframe->item.position;
}

const struct psx_tiles *psx_keyframe_tiles(const struct psx_keyframe *keyframe)
{
    return &keyframe->tiles;
}

void psx_keyframe_load(const struct psx_keyframe *keyframe, const struct psx_tiles *tiles,
                       struct psx_gpu *gpu)
{
    struct tile_walk walk = {0};

    for (uint32_t i = 0; next_tile(&keyframe->tiles, &walk); i++) {
        uint16_t *pixels = corner(gpu, &walk);

        if (!psx_tiles_have(tiles, walk.x, walk.y))
            continue;
        for (unsigned row = 0; row < keyframe->height; row++)
            memcpy(pixels + row * PSX_VRAM_WIDTH, keyframe->tile[i]->pixels[row],
                   sizeof(keyframe->tile[i]->pixels[row]));
    }
    if (tiles->latches & PSX_LATCH_PALETTE)
        memcpy(gpu->clut, keyframe->clut, sizeof(keyframe->clut));
    if (tiles->latches & PSX_LATCH_TEXELS)
        psx_texel_cache_load(gpu->texel_cache, keyframe->texels);
}

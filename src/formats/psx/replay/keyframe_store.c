#include "formats/psx/replay/keyframe_store.h"

#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROOM_FIRST = 64,
    ORDER_MS = 30, /* after which who reads in order has stopped */
};

/* Counted under the lock of the list, as keyframes are. */
struct tile {
    uint32_t references;
    uint16_t pixels[PSX_TILE_HEIGHT][PSX_TILE_WIDTH];
};

struct psx_keyframe {
    struct psx_keyframe_store *list;
    uint32_t references;
    uint64_t checkpoint;
    struct psx_tiles tiles;
    uint32_t tile_count;
    uint16_t clut[256];  /* if the palette is among `tiles` */
    struct tile *tile[]; /* of each of `tiles`, row by row */
};

struct psx_keyframe_store {
    pthread_mutex_t lock;
    pthread_cond_t progress;
    struct psx_keyframe **list; /* by checkpoint */
    uint64_t count, room;
    uint64_t bytes;
    uint64_t reached;
    unsigned waiting; /* readers who wait for more of them */
    int64_t in_order; /* when somebody was last served without them, in milliseconds */
};

static size_t keyframe_bytes(const struct psx_keyframe *keyframe)
{
    return sizeof(*keyframe) + keyframe->tile_count * sizeof(keyframe->tile[0]);
}

int psx_keyframe_store_create(struct psx_keyframe_store **out)
{
    *out = calloc(1, sizeof(**out));
    if (*out == NULL)
        return -ENOMEM;
    pthread_mutex_init(&(*out)->lock, NULL);
    thread_condition_init(&(*out)->progress);
    return 0;
}

/* The lock is held. */
static void drop(struct psx_keyframe *keyframe)
{
    struct psx_keyframe_store *list = keyframe->list;

    if (--keyframe->references > 0)
        return;
    for (uint32_t i = 0; i < keyframe->tile_count; i++) {
        if (keyframe->tile[i] == NULL || --keyframe->tile[i]->references > 0)
            continue;
        list->bytes -= sizeof(*keyframe->tile[i]);
        free(keyframe->tile[i]);
    }
    list->bytes -= keyframe_bytes(keyframe);
    free(keyframe);
}

void psx_keyframe_unref(struct psx_keyframe **keyframe)
{
    struct psx_keyframe *dropped = *keyframe;
    struct psx_keyframe_store *list;

    *keyframe = NULL;
    if (dropped == NULL)
        return;
    list = dropped->list;
    pthread_mutex_lock(&list->lock);
    drop(dropped);
    pthread_mutex_unlock(&list->lock);
}

void psx_keyframe_store_destroy(struct psx_keyframe_store **keyframes)
{
    struct psx_keyframe_store *destroyed = *keyframes;

    *keyframes = NULL;
    if (destroyed == NULL)
        return;
    for (uint64_t i = 0; i < destroyed->count; i++)
        drop(destroyed->list[i]);
    pthread_cond_destroy(&destroyed->progress);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed->list);
    free(destroyed);
}

static uint32_t count_tiles(const struct psx_tiles *tiles)
{
    unsigned count = 0;

    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        count += (unsigned)__builtin_popcount(tiles->row[y]);
    return count;
}

/* A walk over the tiles of a set, row by row: zero-initialised, then until false. */
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

static uint16_t *corner(uint16_t *vram, const struct tile_walk *at)
{
    return vram + at->y * PSX_TILE_HEIGHT * PSX_VRAM_WIDTH + at->x * PSX_TILE_WIDTH;
}

/* The tile of a keyframe that lies at the walk's position; NULL: it has none there. */
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

static bool is_equal(const struct tile *tile, const uint16_t *pixels)
{
    for (unsigned i = 0; i < PSX_TILE_HEIGHT; i++)
        if (memcmp(tile->pixels[i], pixels + i * PSX_VRAM_WIDTH, sizeof(tile->pixels[i])) != 0)
            return false;
    return true;
}

static struct tile *copy_tile(const uint16_t *pixels)
{
    struct tile *tile = malloc(sizeof(*tile));

    if (tile == NULL)
        return NULL;
    tile->references = 0;
    for (unsigned i = 0; i < PSX_TILE_HEIGHT; i++)
        memcpy(tile->pixels[i], pixels + i * PSX_VRAM_WIDTH, sizeof(tile->pixels[i]));
    return tile;
}

/* Takes the GPU's tiles, new ones unless they are those of `last`. */
static int fill(struct psx_keyframe *keyframe, const struct psx_keyframe *last,
                const struct psx_tiles *written, const struct psx_gpu *gpu)
{
    struct tile_walk walk = {0};

    for (uint32_t i = 0; next_tile(&keyframe->tiles, &walk); i++) {
        const uint16_t *pixels = corner(gpu->vram, &walk);
        struct tile *tile = tile_at(last, &walk);

        if (tile == NULL || (psx_tiles_have(written, walk.x, walk.y) && !is_equal(tile, pixels)))
            tile = copy_tile(pixels);
        if (tile == NULL)
            return -ENOMEM;
        keyframe->tile[i] = tile;
    }
    return 0;
}

/* Frees a keyframe that no list has: only the tiles that are its own. */
static void discard(struct psx_keyframe *keyframe)
{
    for (uint32_t i = 0; i < keyframe->tile_count; i++)
        if (keyframe->tile[i] != NULL && keyframe->tile[i]->references == 0)
            free(keyframe->tile[i]);
    free(keyframe);
}

/* The lock is held. */
static int append(struct psx_keyframe_store *keyframes, struct psx_keyframe *keyframe)
{
    if (keyframes->count == keyframes->room) {
        uint64_t room = keyframes->room == 0 ? ROOM_FIRST : keyframes->room * 2;
        void *moved = realloc(keyframes->list, room * sizeof(*keyframes->list));

        if (moved == NULL)
            return -ENOMEM;
        keyframes->list = moved;
        keyframes->room = room;
    }
    keyframes->list[keyframes->count++] = keyframe;
    keyframes->bytes += keyframe_bytes(keyframe);
    for (uint32_t i = 0; i < keyframe->tile_count; i++)
        if (keyframe->tile[i]->references++ == 0)
            keyframes->bytes += sizeof(*keyframe->tile[i]);
    return 0;
}

int psx_keyframe_store_add(struct psx_keyframe_store *keyframes, uint64_t checkpoint,
                           const struct psx_tiles *tiles, const struct psx_tiles *written,
                           const struct psx_gpu *gpu)
{
    struct psx_keyframe *last = psx_keyframe_store_before(keyframes, UINT64_MAX), *keyframe;
    uint32_t count = count_tiles(tiles);
    int status = -ENOMEM;

    keyframe = calloc(1, sizeof(*keyframe) + count * sizeof(keyframe->tile[0]));
    if (keyframe == NULL)
        goto out;
    keyframe->list = keyframes;
    keyframe->references = 1;
    keyframe->checkpoint = checkpoint;
    keyframe->tiles = *tiles;
    keyframe->tiles.latches &= PSX_LATCH_PALETTE;
    keyframe->tile_count = count;
    memcpy(keyframe->clut, gpu->clut, sizeof(keyframe->clut));
    status = fill(keyframe, last, written, gpu);
    pthread_mutex_lock(&keyframes->lock);
    if (status == 0)
        status = append(keyframes, keyframe);
    if (status != 0)
        discard(keyframe);
    pthread_mutex_unlock(&keyframes->lock);
out:
    psx_keyframe_unref(&last);
    return status;
}

static int64_t milliseconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void psx_keyframe_store_reach(struct psx_keyframe_store *keyframes, uint64_t checkpoint)
{
    pthread_mutex_lock(&keyframes->lock);
    keyframes->reached = checkpoint;
    pthread_cond_broadcast(&keyframes->progress);
    pthread_mutex_unlock(&keyframes->lock);
}

bool psx_keyframe_store_wait(struct psx_keyframe_store *keyframes, uint64_t checkpoint,
                             unsigned milliseconds, const struct cancel *cancel)
{
    int64_t end = milliseconds_now() + milliseconds;
    bool reached;

    pthread_mutex_lock(&keyframes->lock);
    keyframes->waiting++;
    while (keyframes->reached < checkpoint && !cancel_requested(cancel) && milliseconds_now() < end)
        thread_wait_a_little(&keyframes->progress, &keyframes->lock);
    keyframes->waiting--;
    reached = keyframes->reached >= checkpoint;
    pthread_mutex_unlock(&keyframes->lock);
    return reached;
}

void psx_keyframe_store_note_order(struct psx_keyframe_store *keyframes)
{
    pthread_mutex_lock(&keyframes->lock);
    keyframes->in_order = milliseconds_now();
    pthread_mutex_unlock(&keyframes->lock);
}

bool psx_keyframe_store_give_way(struct psx_keyframe_store *keyframes, const struct cancel *cancel)
{
    bool gave_way = false;

    pthread_mutex_lock(&keyframes->lock);
    while (keyframes->waiting == 0 && !cancel_requested(cancel) &&
           milliseconds_now() < keyframes->in_order + ORDER_MS) {
        thread_wait_a_little(&keyframes->progress, &keyframes->lock);
        gave_way = true;
    }
    pthread_mutex_unlock(&keyframes->lock);
    return gave_way;
}

void psx_keyframe_store_thin(struct psx_keyframe_store *keyframes)
{
    uint64_t kept = 0; /* the last one among them */

    pthread_mutex_lock(&keyframes->lock);
    for (uint64_t i = 0; i < keyframes->count; i++) {
        if ((keyframes->count - i) % 2 == 1 && keyframes->count > 1)
            keyframes->list[kept++] = keyframes->list[i];
        else
            drop(keyframes->list[i]);
    }
    keyframes->count = kept;
    pthread_mutex_unlock(&keyframes->lock);
}

uint64_t psx_keyframe_store_bytes(struct psx_keyframe_store *keyframes)
{
    uint64_t bytes;

    pthread_mutex_lock(&keyframes->lock);
    bytes = keyframes->bytes;
    pthread_mutex_unlock(&keyframes->lock);
    return bytes;
}

struct psx_keyframe *psx_keyframe_store_before(struct psx_keyframe_store *keyframes,
                                               uint64_t checkpoint)
{
    struct psx_keyframe *found = NULL;
    uint64_t low = 0, high;

    pthread_mutex_lock(&keyframes->lock);
    high = keyframes->count; /* those from `high` on are behind, those below `low` are not */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (keyframes->list[middle]->checkpoint <= checkpoint)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        found = keyframes->list[low - 1];
        found->references++;
    }
    pthread_mutex_unlock(&keyframes->lock);
    return found;
}

uint64_t psx_keyframe_checkpoint(const struct psx_keyframe *keyframe)
{
    return keyframe->checkpoint;
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
        uint16_t *pixels = corner(gpu->vram, &walk);

        if (!psx_tiles_have(tiles, walk.x, walk.y))
            continue;
        for (unsigned row = 0; row < PSX_TILE_HEIGHT; row++)
            memcpy(pixels + row * PSX_VRAM_WIDTH, keyframe->tile[i]->pixels[row],
                   sizeof(keyframe->tile[i]->pixels[row]));
    }
    if (tiles->latches & PSX_LATCH_PALETTE)
        memcpy(gpu->clut, keyframe->clut, sizeof(keyframe->clut));
}

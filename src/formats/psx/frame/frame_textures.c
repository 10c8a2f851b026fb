/* SPDX-License-Identifier: MIT */
#include "formats/psx/frame/textures.h"

#include "base/array.h"
#include "base/hash.h"
#include "formats/psx/dump.h"
#include "formats/psx/frame/frame.h"
#include "tree/inode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The range of a coordinate over all pixels of a draw, before it is cut to 8 bits. */
struct span {
    int64_t min, max;
};

static void widen_span(struct span *span, const struct psx_raster_plane *plane, int x, int y)
{
    int64_t value =
        (plane->origin + (int64_t)x * plane->dx + (int64_t)y * plane->dy) >> RASTER_FRACTION;

    span->min = value < span->min ? value : span->min;
    span->max = value > span->max ? value : span->max;
}

/* Widens the range of texels by those that the window maps a span's values to. */
static void add_window(const struct span *span, uint8_t and, uint8_t or, uint8_t *min, uint8_t *max)
{
    int64_t end = span->max - span->min < 256 ? span->max : span->min + 255;

    for (int64_t value = span->min; value <= end; value++) {
        uint8_t texel = (uint8_t)(((uint8_t)value & and) | or);

        *min = texel < *min ? texel : *min;
        *max = texel > *max ? texel : *max;
    }
}

/* Along a row both coordinates only grow or only fall, so that the ends of rows are sufficient. */
static bool note_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                     psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct psx_sampling *sampling = (struct psx_sampling *)observer;
    struct span u = {INT64_MAX, INT64_MIN}, v = u;

    (void)gpu;
    (void)shade;
    for (int y = job->y0; y < job->y1; y++) {
        if (job->left[y] >= job->right[y])
            continue;
        sampling->pixels += (uint64_t)(job->right[y] - job->left[y]);
        widen_span(&u, &job->u, job->left[y], y);
        widen_span(&u, &job->u, job->right[y] - 1, y);
        widen_span(&v, &job->v, job->left[y], y);
        widen_span(&v, &job->v, job->right[y] - 1, y);
    }
    if (u.min <= u.max) {
        add_window(&u, job->and_u, job->or_u, &sampling->u0, &sampling->u1);
        add_window(&v, job->and_v, job->or_v, &sampling->v0, &sampling->v1);
    }
    return false;
}

int psx_sampling_create(struct psx_sampling **out)
{
    struct psx_sampling *sampling = calloc(1, sizeof(*sampling));

    if (sampling == NULL)
        return -ENOMEM;
    sampling->observer.job = note_job;
    sampling->gpu.observer = &sampling->observer;
    sampling->gpu.ops = &psx_raster_ops_c;
    *out = sampling;
    return 0;
}

void psx_sampling_destroy(struct psx_sampling **sampling)
{
    free(*sampling);
    *sampling = NULL;
}

bool psx_sampling_of(struct psx_sampling *sampling, const struct psx_walk *walk,
                     const struct psx_step *step, struct psx_draw *draw)
{
    if (step->kind != PSX_STEP_GP0 || step->event.type != GP0_EVENT_COMMAND ||
        (psx_gp0_table[step->event.op].kind != GP0_POLYGON &&
         psx_gp0_table[step->event.op].kind != GP0_RECTANGLE) ||
        !(step->event.op & GP0_TEXTURED))
        return false;
    psx_draw_decode(&step->event, &walk->at.state.registers, draw);
    sampling->gpu.state.registers = walk->at.state.registers;
    sampling->gpu.lines = walk->index->vram_lines;
    sampling->gpu.never_skip = walk->index->field_option == PSX_FIELD_BOTH;
    sampling->pixels = 0;
    sampling->u0 = sampling->v0 = 255;
    sampling->u1 = sampling->v1 = 0;
    psx_raster_draw(&sampling->gpu, draw);
    return sampling->pixels > 0;
}

/* Where the cache keeps the textures: as a part of overdraw.png. */
static const uint64_t frame_textures_part = 2;

/*
 * Order of keys: by page, then by palette, then by whether the palette has 256 entries; textures
 * without a palette come last.
 */
enum { KEY_NO_CLUT = 1 << 17, KEYS_OF_PAGE = KEY_NO_CLUT + 1 };

static const char *const depth_names[] = {"4", "8", "15"};

static uint32_t key_of(uint32_t page, uint32_t clut, unsigned depth)
{
    uint32_t palette = clut << 1 | (depth == PSX_DEPTH_8);

    return page * KEYS_OF_PAGE + (depth == PSX_DEPTH_15 ? (uint32_t)KEY_NO_CLUT : palette);
}

uint32_t psx_texture_key(const struct psx_draw *draw)
{
    return key_of(draw->page, draw->clut, draw->depth);
}

unsigned psx_texture_page(uint32_t key)
{
    return key / KEYS_OF_PAGE;
}

unsigned psx_texture_depth(uint32_t key)
{
    uint32_t palette = key % KEYS_OF_PAGE;

    return palette == KEY_NO_CLUT ? PSX_DEPTH_15 : palette & 1 ? PSX_DEPTH_8 : PSX_DEPTH_4;
}

unsigned psx_texture_clut(uint32_t key)
{
    return key % KEYS_OF_PAGE >> 1 & 0xFFFF;
}

void psx_texture_name(uint32_t key, char name[TEXTURE_NAME_MAX])
{
    if (psx_texture_depth(key) == PSX_DEPTH_15)
        snprintf(name, TEXTURE_NAME_MAX, "%02u-none-15", psx_texture_page(key) & 63);
    else
        snprintf(name, TEXTURE_NAME_MAX, "%02u-%04X-%s", psx_texture_page(key) & 63,
                 psx_texture_clut(key), depth_names[psx_texture_depth(key)]);
}

bool psx_texture_parse(const char *name, const char *suffix, uint64_t *key)
{
    unsigned page = 0, clut = 0, depth = 0;
    char own[2 * TEXTURE_NAME_MAX];

    if (sscanf(name, "%2u-none-15", &page) == 1 && strstr(name, "none") != NULL)
        depth = PSX_DEPTH_15;
    else if (sscanf(name, "%2u-%4X-%1u", &page, &clut, &depth) == 3)
        depth = depth == 8 ? PSX_DEPTH_8 : PSX_DEPTH_4;
    else
        return false;
    *key = key_of(page & 63, clut, depth);
    psx_texture_name((uint32_t)*key, own);
    return strncmp(name, own, strlen(own)) == 0 && strcmp(name + strlen(own), suffix) == 0;
}

enum { RANGES_MAX = 1 << 20 };

/*
 * State while textures are collected, in the order of their first use. A hash table finds them by
 * key.
 */
struct making {
    struct psx_frame_texture *textures;
    struct psx_frame_texture_range *ranges; /* in the order of the draws */
    uint32_t *owners;                       /* index of each range's texture */
    uint32_t *last_range;                   /* index of each texture's last range */
    uint32_t *slots;                        /* index of the texture + 1; 0 if free */
    uint32_t count, room, range_count, range_room, slot_count;
    bool full; /* textures were left out */
};

static uint32_t *slot_of(const struct making *making, uint32_t key)
{
    uint32_t slot = (uint32_t)(hash_u64(key) % making->slot_count);

    while (making->slots[slot] != 0 && making->textures[making->slots[slot] - 1].key != key)
        slot = (slot + 1) % making->slot_count;
    return &making->slots[slot];
}

static int grow_textures(struct making *making)
{
    uint32_t room = making->room == 0 ? 32 : 2 * making->room;

    if (array_resize(&making->textures, room, sizeof(*making->textures)) != 0 ||
        array_resize(&making->last_range, room, sizeof(*making->last_range)) != 0 ||
        array_resize(&making->slots, 2 * (size_t)room, sizeof(*making->slots)) != 0)
        return -ENOMEM;
    making->room = room;
    making->slot_count = 2 * room;
    memset(making->slots, 0, sizeof(*making->slots) * making->slot_count);
    for (uint32_t i = 0; i < making->count; i++)
        *slot_of(making, making->textures[i].key) = i + 1;
    return 0;
}

static int add_range(struct making *making, uint32_t texture, uint32_t draw)
{
    if (making->range_count == making->range_room) {
        uint32_t room = making->range_room == 0 ? 64 : 2 * making->range_room;

        if (array_resize(&making->ranges, room, sizeof(*making->ranges)) != 0 ||
            array_resize(&making->owners, room, sizeof(*making->owners)) != 0)
            return -ENOMEM;
        making->range_room = room;
    }
    making->ranges[making->range_count] = (struct psx_frame_texture_range){draw, draw};
    making->owners[making->range_count] = texture;
    making->last_range[texture] = making->range_count++;
    making->textures[texture].ranges++;
    return 0;
}

static void widen(struct psx_frame_texture *texture, const struct psx_sampling *sampled)
{
    texture->u0 = sampled->u0 < texture->u0 ? sampled->u0 : texture->u0;
    texture->v0 = sampled->v0 < texture->v0 ? sampled->v0 : texture->v0;
    texture->u1 = sampled->u1 > texture->u1 ? sampled->u1 : texture->u1;
    texture->v1 = sampled->v1 > texture->v1 ? sampled->v1 : texture->v1;
}

static int add_use(struct making *making, uint32_t key, uint32_t draw,
                   const struct psx_sampling *sampled)
{
    uint32_t *slot, number;

    if (making->count == making->room && grow_textures(making) != 0)
        return -ENOMEM;
    slot = slot_of(making, key);
    number = *slot == 0 ? making->count : *slot - 1;
    making->full |= number == PSX_FRAME_TEXTURES_MAX;
    if (number == PSX_FRAME_TEXTURES_MAX)
        return 0;
    if (*slot == 0) {
        making->textures[making->count++] =
            (struct psx_frame_texture){.key = key, .first = draw, .u0 = 255, .v0 = 255};
        *slot = making->count;
    }
    widen(&making->textures[number], sampled);
    making->textures[number].draws++;
    if (making->textures[number].ranges > 0 &&
        making->ranges[making->last_range[number]].to + 1 == draw) {
        making->ranges[making->last_range[number]].to = draw;
        return 0;
    }
    return making->range_count < RANGES_MAX ? add_range(making, number, draw) : 0;
}

static int frame_textures_frame(const struct psx_index *index, uint64_t frame,
                                const struct cancel *cancel, struct making *making)
{
    struct psx_sampling *sampling = NULL;
    struct psx_parser_state checkpoint;
    struct psx_walk walk;
    struct psx_step step;
    unsigned steps = 0;
    int status = psx_sampling_create(&sampling);

    psx_index_frame_checkpoint(index, frame, &checkpoint);
    psx_walk_resume(&walk, index, &checkpoint);
    while (status == 0 && psx_find_goes_on(&walk, frame) && psx_walk_next(&walk, &step)) {
        struct psx_draw draw;

        if (psx_find_began_in(index, &walk, frame) &&
            psx_sampling_of(sampling, &walk, &step, &draw))
            status =
                add_use(making, psx_texture_key(&draw), find_draw_number(&walk, frame), sampling);
        psx_walk_apply(&walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            status = -EINTR;
    }
    psx_sampling_destroy(&sampling);
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    uint32_t key_a = ((const struct psx_frame_texture *)a)->key;
    uint32_t key_b = ((const struct psx_frame_texture *)b)->key;

    return (key_a > key_b) - (key_a < key_b);
}

static int compare_palettes(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

/*
 * Lists the palettes of all textures, once each. `palettes` has room for as many as there are
 * textures. Returns their number.
 */
static uint32_t list_palettes(const struct making *making, uint32_t *palettes)
{
    uint32_t count = 0, kept = 0;

    for (uint32_t i = 0; i < making->count; i++)
        if (psx_texture_depth(making->textures[i].key) != PSX_DEPTH_15)
            palettes[count++] = psx_texture_palette(making->textures[i].key);
    if (count > 0)
        qsort(palettes, count, sizeof(*palettes), compare_palettes);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || palettes[kept - 1] != palettes[i])
            palettes[kept++] = palettes[i];
    return kept;
}

/* Builds the blob, in which the ranges of each texture are together. */
static int finish(struct making *making, struct blob **out)
{
    struct psx_frame_textures head = {making->count, making->range_count, 0};
    size_t texture_bytes = making->count * sizeof(struct psx_frame_texture);
    size_t range_bytes = making->range_count * sizeof(struct psx_frame_texture_range);
    uint32_t next = 0;
    int status = blob_create(
        sizeof(head) + texture_bytes + range_bytes + making->count * sizeof(uint32_t), out);

    if (status != 0)
        return status;
    head.palettes = list_palettes(
        making, (uint32_t *)(void *)((*out)->data + sizeof(head) + texture_bytes + range_bytes));
    for (uint32_t i = 0; i < making->count; i++) {
        making->textures[i].range = next;
        making->last_range[i] = next;
        next += making->textures[i].ranges;
    }
    memcpy((*out)->data, &head, sizeof(head));
    for (uint32_t i = 0; i < making->range_count; i++)
        memcpy((*out)->data + sizeof(head) + texture_bytes +
                   sizeof(struct psx_frame_texture_range) * making->last_range[making->owners[i]]++,
               &making->ranges[i], sizeof(struct psx_frame_texture_range));
    if (making->count > 0) {
        qsort(making->textures, making->count, sizeof(*making->textures), compare_keys);
        memcpy((*out)->data + sizeof(head), making->textures, texture_bytes);
    }
    return 0;
}

static int make_frame_textures(void *context, struct cache_key key, const struct cancel *cancel,
                               struct blob **out)
{
    struct psx_dump *dump = context;
    struct making making = {0};
    int status = frame_textures_frame(&dump->index, inode_key(key.item), cancel, &making);

    if (status == 0 && making.full)
        problems_add(dump->base.problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "frame %" PRIu64 " samples more than %d textures: the others are not listed",
                     inode_key(key.item), PSX_FRAME_TEXTURES_MAX);
    if (status == 0)
        status = finish(&making, out);
    free(making.textures);
    free(making.ranges);
    free(making.owners);
    free(making.last_range);
    free(making.slots);
    return status;
}

int psx_recent_textures_create(struct psx_recent_textures **out)
{
    struct psx_recent_textures *recent = calloc(1, sizeof(*recent));

    if (recent == NULL)
        return -ENOMEM;
    pthread_mutex_init(&recent->lock, NULL);
    *out = recent;
    return 0;
}

void psx_recent_textures_destroy(struct psx_recent_textures **recent) LOCKS_UNCHECKED
{
    if (*recent == NULL)
        return;
    for (unsigned i = 0; i < RECENT_TEXTURES; i++)
        blob_unref(&(*recent)->recent[i].textures);
    pthread_mutex_destroy(&(*recent)->lock);
    free(*recent);
    *recent = NULL;
}

static void take_lock(struct psx_recent_textures *recent) ACQUIRE(lock_of_psx_textures)
{
    pthread_mutex_lock(&recent->lock);
}

static void give_lock(struct psx_recent_textures *recent) RELEASE(lock_of_psx_textures)
{
    pthread_mutex_unlock(&recent->lock);
}

static struct blob *peek_recent(struct psx_recent_textures *recent_textures, uint64_t frame)
{
    struct blob *found = NULL;

    take_lock(recent_textures);
    for (unsigned i = 0; i < RECENT_TEXTURES && found == NULL; i++)
        if (recent_textures->recent[i].textures != NULL &&
            recent_textures->recent[i].frame == frame)
            found = blob_ref(recent_textures->recent[i].textures);
    give_lock(recent_textures);
    return found;
}

static void keep_recent(struct psx_recent_textures *recent_textures, uint64_t frame,
                        struct blob *frame_textures)
{
    struct blob *dropped = NULL, *there = peek_recent(recent_textures, frame);

    blob_unref(&there);
    if (there != NULL)
        return;
    take_lock(recent_textures);
    dropped = recent_textures->recent[recent_textures->oldest].textures;
    recent_textures->recent[recent_textures->oldest].textures = blob_ref(frame_textures);
    recent_textures->recent[recent_textures->oldest].frame = frame;
    recent_textures->oldest = (recent_textures->oldest + 1) % RECENT_TEXTURES;
    give_lock(recent_textures);
    blob_unref(&dropped);
}

static struct cache_key frame_textures_key(uint64_t frame)
{
    return (struct cache_key){inode_pack(PSX_RULE_OVERDRAW, frame), frame_textures_part};
}

int psx_frame_textures_get(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out)
{
    static const struct cache_maker maker = {.work = CACHE_INDEX, .make = make_frame_textures};
    const struct psx_frame_counts *counts;
    int status = psx_frame_counts_wait(&dump->base, frame, cancel, &counts);

    if (status == 0)
        status = cache_get(dump->base.cache, frame_textures_key(frame), &maker, dump, cancel, out);
    if (status == 0)
        keep_recent(dump->recent_textures, frame, *out);
    return status;
}

int psx_frame_textures_peek(struct psx_dump *dump, uint64_t frame, struct blob **out)
{
    if (!psx_index_shows(&dump->index, frame))
        return -ENOENT;
    *out = peek_recent(dump->recent_textures, frame);
    if (*out == NULL && (*out = cache_peek(dump->base.cache, frame_textures_key(frame))) != NULL)
        keep_recent(dump->recent_textures, frame, *out);
    return *out != NULL ? 0 : -EAGAIN;
}

uint32_t psx_frame_textures_find_palette(const struct blob *frame_textures, uint32_t palette)
{
    const uint32_t *palettes = frame_textures_palettes(frame_textures);
    uint32_t low = 0, high = frame_textures_palette_count(frame_textures);

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (palettes[middle] < palette)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t psx_frame_textures_find(const struct blob *frame_textures, uint32_t key)
{
    const struct psx_frame_texture *textures = frame_textures_list(frame_textures);
    uint32_t low = 0, high = frame_textures_count(frame_textures);

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (textures[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* SPDX-License-Identifier: MIT */
#include "formats/psx/frame/textures.h"

#include "base/array.h"
#include "base/hash.h"
#include "formats/psx/frame/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE_STEPS = 64 * 1024,
    SHARE = 4, /* the catalog may take 1/4 of the cache's budget */
    /* Work between two looks at the cancel flag: */
    POLL_STEPS = 256,
    POLL_CELLS = 1 << 20,
    /* Work of one call of advance(), after which callers look at their own cancel flag. */
    SLICE_CELLS = 1 << 22,
};

/* What a page, palette and depth was when it was last sampled. */
struct psx_catalog_memo {
    bool used;
    uint32_t key, texture, frame;
    uint64_t changes;
};

static void free_work(struct psx_texture_catalog *catalog)
{
    free(catalog->walk);
    free(catalog->identities);
    psx_sampling_destroy(&catalog->sampling);
    free(catalog->memos);
    free(catalog->slots);
    catalog->walk = NULL;
    catalog->identities = NULL;
    catalog->memos = NULL;
    catalog->memo_count = catalog->memo_room = 0;
    catalog->slots = NULL;
    catalog->slot_count = 0;
}

void psx_texture_catalog_destroy(struct psx_texture_catalog **destroyed, struct cache *cache)
{
    struct psx_texture_catalog *catalog = *destroyed;

    if (catalog == NULL)
        return;
    free_work(catalog);
    if (catalog->account > 0)
        cache_charge(cache, &catalog->account, 0, 0);
    free(catalog->textures);
    free(catalog->uses);
    free(catalog->frames);
    index_task_destroy(&catalog->pass);
    free(catalog);
    *destroyed = NULL;
}

static int begin(struct psx_texture_catalog *catalog)
{
    catalog->walk = malloc(sizeof(*catalog->walk));
    catalog->identities = calloc(1, sizeof(*catalog->identities));
    if (catalog->walk == NULL || catalog->identities == NULL ||
        psx_sampling_create(&catalog->sampling) != 0)
        return -ENOMEM;
    psx_walk_start(catalog->walk, &catalog->dump->index);
    return 0;
}

static struct psx_catalog_memo *memo_slot(const struct psx_texture_catalog *catalog, uint32_t key)
{
    uint32_t slot = (uint32_t)(hash_u64(key) % catalog->memo_room);

    while (catalog->memos[slot].used && catalog->memos[slot].key != key)
        slot = (slot + 1) % catalog->memo_room;
    return &catalog->memos[slot];
}

static int grow_memos(struct psx_texture_catalog *catalog)
{
    struct psx_texture_catalog larger = {
        .memo_room = catalog->memo_room == 0 ? 128 : 2 * catalog->memo_room};

    larger.memos = calloc(larger.memo_room, sizeof(*larger.memos));
    if (larger.memos == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < catalog->memo_room; i++)
        if (catalog->memos[i].used)
            *memo_slot(&larger, catalog->memos[i].key) = catalog->memos[i];
    free(catalog->memos);
    catalog->memos = larger.memos;
    catalog->memo_room = larger.memo_room;
    return 0;
}

/* A table that is half full counts as full. */
static bool has_all_memos(const struct psx_texture_catalog *catalog)
{
    return 2 * catalog->memo_count >= catalog->memo_room;
}

static uint32_t *texture_slot(const struct psx_texture_catalog *catalog, uint64_t identity)
{
    uint32_t slot = (uint32_t)(hash_u64(identity) % catalog->slot_count);

    while (catalog->slots[slot] != 0 &&
           catalog->textures[catalog->slots[slot] - 1].identity != identity)
        slot = (slot + 1) % catalog->slot_count;
    return &catalog->slots[slot];
}

static int grow_textures(struct psx_texture_catalog *catalog)
{
    uint32_t room = catalog->texture_room == 0 ? 64 : 2 * catalog->texture_room;
    void *textures = realloc(catalog->textures, room * sizeof(*catalog->textures));
    uint32_t *slots = calloc(2 * (size_t)room, sizeof(*slots));

    if (textures != NULL)
        catalog->textures = textures;
    if (textures == NULL || slots == NULL) {
        free(slots);
        return -ENOMEM;
    }
    free(catalog->slots);
    catalog->slots = slots;
    catalog->slot_count = 2 * room;
    catalog->texture_room = room;
    for (uint32_t i = 0; i < catalog->texture_count; i++)
        *texture_slot(catalog, catalog->textures[i].identity) = i + 1;
    return 0;
}

static int add_use(struct psx_texture_catalog *catalog, const struct psx_catalog_use *use)
{
    if (ARRAY_GROW(catalog->uses, catalog->use_count, catalog->use_room) != 0)
        return -ENOMEM;
    catalog->uses[catalog->use_count++] = *use;
    return 0;
}

/*
 * Gets the number of the texture that has these contents now. Returns -ENOSPC if it is new and
 * there is no room for it.
 */
static int identify(struct psx_texture_catalog *catalog, const struct psx_catalog_use *use,
                    uint32_t *number)
{
    uint64_t identity = psx_texture_identity_get(catalog->identities, use->key);
    uint32_t *slot;

    if (!catalog->full && catalog->texture_count == catalog->texture_room &&
        grow_textures(catalog) != 0)
        return -ENOMEM;
    slot = texture_slot(catalog, identity);
    if (*slot == 0) {
        if (catalog->full)
            return -ENOSPC;
        catalog->textures[catalog->texture_count++] = (struct psx_catalog_texture){
            .identity = identity, .key = use->key, .frame = use->frame, .draw = use->draw};
        *slot = catalog->texture_count;
    }
    *number = *slot - 1;
    return 0;
}

/*
 * Brings the memo of a key up to date with the texture that it is now. Returns -ENOSPC if that
 * texture was left out.
 */
static int look_up(struct psx_texture_catalog *catalog, const struct psx_catalog_use *use,
                   struct psx_catalog_memo *memo)
{
    uint64_t changes = psx_texture_identity_changes(catalog->identities, use->key);
    uint32_t texture = memo->texture;
    int status = 0;

    if (memo->used && memo->changes == changes)
        return 0;
    status = identify(catalog, use, &texture);
    if (status != 0)
        return status;
    if (!memo->used) {
        *memo = (struct psx_catalog_memo){.used = true, .key = use->key, .frame = UINT32_MAX};
        catalog->memo_count++;
    }
    if (texture != memo->texture)
        memo->frame = UINT32_MAX;
    memo->texture = texture;
    memo->changes = changes;
    return 0;
}

static int note_texture(struct psx_texture_catalog *catalog, struct psx_catalog_use *use)
{
    struct psx_catalog_memo *memo;
    int status;

    if (has_all_memos(catalog) && catalog->full)
        return 0;
    if (has_all_memos(catalog) && grow_memos(catalog) != 0)
        return -ENOMEM;
    memo = memo_slot(catalog, use->key);
    status = look_up(catalog, use, memo);
    if (status != 0)
        return status == -ENOSPC ? 0 : status;
    catalog->textures[memo->texture].draws++;
    if (memo->frame == use->frame || catalog->full)
        return 0;
    memo->frame = use->frame;
    use->texture = memo->texture;
    return add_use(catalog, use);
}

/* Allocated room counts, too, since arrays double. */
static uint64_t bytes_of(const struct psx_texture_catalog *catalog)
{
    return catalog->texture_room * sizeof(*catalog->textures) +
           catalog->slot_count * sizeof(*catalog->slots) +
           catalog->use_room * (sizeof(*catalog->uses) + sizeof(*catalog->frames)) +
           catalog->memo_room * sizeof(*catalog->memos);
}

static void tell_full(const struct psx_texture_catalog *catalog)
{
    problems_add(catalog->dump->base.problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "textures.tsv is not complete: more than %" PRIu32
                 " textures do not fit in the cache's budget",
                 catalog->texture_count);
}

/* Charges what the catalog takes to the cache's budget, as far as the budget has room. */
static void charge(struct psx_texture_catalog *catalog)
{
    struct cache *cache = catalog->dump->base.cache;
    uint64_t bytes = bytes_of(catalog);

    if (cache != NULL && bytes != catalog->account)
        (void)cache_charge(cache, &catalog->account, bytes, UINT64_MAX);
}

/* Ends the collection when it would exceed its share. */
static void stay_in_share(struct psx_texture_catalog *catalog)
{
    uint64_t max = catalog->dump->base.options->cache / SHARE, bytes = bytes_of(catalog);
    uint64_t next =
        catalog->use_count == catalog->use_room || catalog->texture_count == catalog->texture_room
            ? 2 * bytes
            : bytes;

    charge(catalog);
    if (catalog->full || next <= max)
        return;
    catalog->full = true;
    tell_full(catalog);
}

/* A polyline counts as culled until one of its segments is not. */
static void count_segment(struct psx_catalog_counts *counts, const struct psx_walk *walk,
                          const struct psx_gp0_event *event)
{
    const struct psx_state *state = &walk->at.state;
    struct psx_gp0_event line = *event;
    struct psx_draw draw;
    struct psx_box box;

    if (!counts->culled_so_far)
        return;
    psx_state_segment(state, event, &line);
    psx_draw_decode(&line, &state->registers, &draw);
    if (psx_draw_box(&draw, &state->registers, &box) != PSX_CULL_NO)
        return;
    counts->culled_so_far = false;
    counts->culled--;
}

void psx_texture_catalog_count(struct psx_catalog_counts *counts, const struct psx_walk *walk,
                               const struct psx_step *step)
{
    const struct psx_registers *registers = &walk->at.state.registers;
    struct psx_draw draw;
    struct psx_box box;
    bool culled;

    if (step->event.type == GP0_EVENT_SEGMENT) {
        count_segment(counts, walk, &step->event);
        return;
    }
    psx_draw_decode(&step->event, registers, &draw);
    counts->triangles += draw.kind == GP0_POLYGON && draw.vertex_count == 3;
    counts->quads += draw.kind == GP0_POLYGON && draw.vertex_count == 4;
    counts->lines += draw.kind == GP0_LINE;
    counts->polylines += draw.kind == GP0_POLYLINE;
    counts->rectangles += draw.kind == GP0_RECTANGLE;
    counts->fills += draw.kind == GP0_FILL;
    counts->copies += draw.kind == GP0_COPY;
    counts->textured += draw.textured;
    counts->semi_transparent += draw.semi;
    if (draw.kind == GP0_UPLOAD)
        counts->upload_bytes += 2 * (uint64_t)draw.width * draw.height;
    culled = psx_kind_draws(draw.kind) && psx_draw_box(&draw, registers, &box) != PSX_CULL_NO;
    counts->culled += culled;
    counts->culled_so_far = culled && draw.kind == GP0_POLYLINE;
}

/* Notes a step that completes a command of frame `frame`, or brings a segment of a polyline. */
static int note_command(struct psx_texture_catalog *catalog, const struct psx_step *step,
                        uint64_t frame)
{
    struct psx_draw draw;

    psx_texture_catalog_count(&catalog->counts, catalog->walk, step);
    if (!psx_sampling_of(catalog->sampling, catalog->walk, step, &draw))
        return 0;

    struct psx_catalog_use use = {(uint32_t)frame, find_draw_number(catalog->walk, frame),
                                  psx_texture_key(&draw), 0};

    stay_in_share(catalog);
    return note_texture(catalog, &use);
}

/*
 * Returns the frame in which the command in progress began, or PSX_INITIAL if that was before the
 * first frame.
 */
static uint64_t frame_of_command(const struct psx_walk *walk)
{
    const struct psx_index *index = walk->index;

    if (walk->at.frame >= index->frame_count || psx_find_began_in(index, walk, walk->at.frame))
        return walk->at.frame;
    return psx_index_frame_of(index, walk->at.command_packet);
}

/* Follows the stream for a number of steps. */
static int follow(struct psx_texture_catalog *catalog, const struct cancel *cancel, bool *ended)
{
    const struct psx_index *index = &catalog->dump->index;
    struct psx_walk *walk;
    struct psx_step step;
    uint64_t polled = 0, start;
    int status = catalog->walk == NULL ? begin(catalog) : 0;

    walk = catalog->walk;
    start = status == 0 ? catalog->identities->work : 0;
    for (unsigned steps = 0;
         status == 0 && steps < SLICE_STEPS && catalog->identities->work - start < SLICE_CELLS;
         steps++) {
        if (steps % POLL_STEPS == 0 || catalog->identities->work - polled > POLL_CELLS) {
            if (cancel_requested(cancel))
                break;
            polled = catalog->identities->work;
        }
        if (!psx_walk_next(walk, &step)) {
            *ended = true;
            break;
        }
        psx_texture_identity_latch(catalog->identities, walk, &step);
        if (step.kind == PSX_STEP_GP0 &&
            (step.event.type == GP0_EVENT_COMMAND || step.event.type == GP0_EVENT_SEGMENT)) {
            uint64_t frame = frame_of_command(walk);

            if (frame < index->frame_count)
                status = note_command(catalog, &step, frame);
        }
        psx_texture_identity_step(catalog->identities, walk, &step);
        psx_walk_apply(walk, &step);
    }
    return status;
}

static int compare_uses(const void *a, const void *b)
{
    const struct psx_catalog_use *use_a = a, *use_b = b;

    if (use_a->frame != use_b->frame)
        return use_a->frame < use_b->frame ? -1 : 1;
    if (use_a->key != use_b->key)
        return use_a->key < use_b->key ? -1 : 1;
    return (use_a->draw > use_b->draw) - (use_a->draw < use_b->draw);
}

/* Lists the frames of each texture, once each. `uses` are still in the order of the stream. */
static int list_frames(struct psx_texture_catalog *catalog)
{
    uint64_t total = 0;
    uint32_t *last = calloc(catalog->texture_count + (size_t)1, sizeof(*last));

    catalog->frames = calloc(catalog->use_count + 1, sizeof(*catalog->frames));
    if (last == NULL || catalog->frames == NULL) {
        free(last);
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < catalog->use_count; i++) {
        const struct psx_catalog_use *use = &catalog->uses[i];

        catalog->textures[use->texture].frames += last[use->texture] != use->frame + 1;
        last[use->texture] = use->frame + 1;
    }
    for (uint32_t i = 0; i < catalog->texture_count; i++) {
        catalog->textures[i].first_frame = total;
        total += catalog->textures[i].frames;
        last[i] = 0;
    }
    for (uint64_t i = 0; i < catalog->use_count; i++) {
        const struct psx_catalog_use *use = &catalog->uses[i];
        struct psx_catalog_texture *texture = &catalog->textures[use->texture];
        uint64_t at = texture->first_frame + last[use->texture];

        if (last[use->texture] == 0 || catalog->frames[at - 1] != use->frame) {
            catalog->frames[at] = use->frame;
            last[use->texture]++;
        }
    }
    free(last);
    return 0;
}

static int finish(struct psx_texture_catalog *catalog)
{
    int status = list_frames(catalog);

    if (catalog->use_count > 0)
        qsort(catalog->uses, catalog->use_count, sizeof(*catalog->uses), compare_uses);
    free_work(catalog);
    return status;
}

/* Implements `advance` of struct index_task_work. */
static int advance(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct psx_texture_catalog *catalog = context;
    bool ended = false;
    int status = follow(catalog, cancel, &ended);

    if (catalog->identities != NULL)
        position->known = catalog->identities->work;
    if (status == 0 && ended) {
        status = finish(catalog);
        position->ended = status == 0;
    }
    charge(catalog);
    return status;
}

int psx_texture_catalog_create(struct psx_dump *dump, struct psx_texture_catalog **out)
{
    struct psx_texture_catalog *catalog = calloc(1, sizeof(*catalog));

    if (catalog == NULL)
        return -ENOMEM;
    catalog->dump = dump;
    index_task_init(&catalog->pass, &(struct index_task_work){.advance = advance,
                                                              .context = catalog,
                                                              .cancel = &dump->base.cancel,
                                                              .spending = &dump->base.budget});
    *out = catalog;
    return 0;
}

int psx_texture_catalog_wait(struct psx_dump *dump, const struct cancel *cancel)
{
    int status = psx_index_wait_all(&dump->index, cancel);

    return status == 0 ? index_task_wait_all(&dump->catalog->pass, cancel) : status;
}

bool psx_texture_catalog_is_complete(struct psx_texture_catalog *catalog)
{
    return index_task_knows_all(&catalog->pass);
}

uint64_t psx_texture_catalog_identity(struct psx_dump *dump, uint64_t frame, uint32_t key)
{
    const struct psx_texture_catalog *catalog = dump->catalog;
    uint64_t low = 0, high = catalog->use_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const struct psx_catalog_use *use = &catalog->uses[middle];

        if (use->frame < frame || (use->frame == frame && use->key < key))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == catalog->use_count || catalog->uses[low].frame != frame ||
        catalog->uses[low].key != key)
        return 0;
    return catalog->textures[catalog->uses[low].texture].identity;
}

#include "formats/psx/frame/texture_catalog.h"

#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/sampling.h"
#include "formats/psx/frame/texture_identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE_STEPS = 64 * 1024,
    SHARE = 4, /* of the cache's budget, for what is found */
    /* Cells that are followed unasked: what games do stays far below. */
    UNASKED_CELLS = 256 << 20,
    UNASKED_CELLS_PER_BYTE = 16, /* of the dump */
};

/* What a page, palette and depth was when it was last sampled. */
struct census_memo {
    bool used;
    uint32_t key, texture, frame;
    uint64_t changes;
};

static void free_work(struct census *census)
{
    free(census->walk);
    free(census->versions);
    psx_sampling_destroy(&census->sampling);
    free(census->memos);
    free(census->slots);
    census->walk = NULL;
    census->versions = NULL;
    census->memos = NULL;
    census->slots = NULL;
}

void psx_census_destroy(struct census *census, struct cache *cache)
{
    free_work(census);
    if (census->account > 0)
        cache_charge(cache, &census->account, 0, 0);
    free(census->textures);
    free(census->uses);
    free(census->frames);
    if (census->cache != NULL)
        cache_charge(census->cache, &census->charged, 0, 0);
    pass_destroy(&census->pass);
}

static int begin(struct census *census)
{
    census->walk = malloc(sizeof(*census->walk));
    census->versions = calloc(1, sizeof(*census->versions));
    if (census->walk == NULL || census->versions == NULL ||
        psx_sampling_create(&census->sampling) != 0)
        return -ENOMEM;
    psx_walk_start(census->walk, &census->dump->index);
    return 0;
}

static struct census_memo *memo_slot(const struct census *census, uint32_t key)
{
    uint32_t checkpoint = key * UINT32_C(2654435761) % census->memo_room;

    while (census->memos[checkpoint].used && census->memos[checkpoint].key != key)
        checkpoint = (checkpoint + 1) % census->memo_room;
    return &census->memos[checkpoint];
}

static int grow_memos(struct census *census)
{
    struct census larger = {.memo_room = census->memo_room == 0 ? 128 : 2 * census->memo_room};

    larger.memos = calloc(larger.memo_room, sizeof(*larger.memos));
    if (larger.memos == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < census->memo_room; i++)
        if (census->memos[i].used)
            *memo_slot(&larger, census->memos[i].key) = census->memos[i];
    free(census->memos);
    census->memos = larger.memos;
    census->memo_room = larger.memo_room;
    return 0;
}

/* Half of the table is enough. */
static bool has_all_memos(const struct census *census)
{
    return 2 * census->memo_count >= census->memo_room;
}

static uint32_t *texture_slot(const struct census *census, uint64_t identity)
{
    uint32_t checkpoint = (uint32_t)(identity % census->slot_count);

    while (census->slots[checkpoint] != 0 &&
           census->textures[census->slots[checkpoint] - 1].identity != identity)
        checkpoint = (checkpoint + 1) % census->slot_count;
    return &census->slots[checkpoint];
}

static int grow_textures(struct census *census)
{
    uint32_t room = census->texture_room == 0 ? 64 : 2 * census->texture_room;
    void *textures = realloc(census->textures, room * sizeof(*census->textures));
    uint32_t *slots = calloc(2 * (size_t)room, sizeof(*slots));

    if (textures != NULL)
        census->textures = textures;
    if (textures == NULL || slots == NULL) {
        free(slots);
        return -ENOMEM;
    }
    free(census->slots);
    census->slots = slots;
    census->slot_count = 2 * room;
    census->texture_room = room;
    for (uint32_t i = 0; i < census->texture_count; i++)
        *texture_slot(census, census->textures[i].identity) = i + 1;
    return 0;
}

static int add_use(struct census *census, const struct census_use *use)
{
    if (census->use_count == census->use_room) {
        uint64_t room = census->use_room == 0 ? 256 : 2 * census->use_room;
        void *uses = realloc(census->uses, room * sizeof(*census->uses));

        if (uses == NULL)
            return -ENOMEM;
        census->uses = uses;
        census->use_room = room;
    }
    census->uses[census->use_count++] = *use;
    return 0;
}

/* The number of the texture that has these contents. -ENOSPC: it is left out. */
static int identify(struct census *census, const struct census_use *use, uint32_t *number)
{
    uint64_t identity = psx_versions_identity(census->versions, use->key);
    uint32_t *slot;

    if (!census->full && census->texture_count == census->texture_room &&
        grow_textures(census) != 0)
        return -ENOMEM;
    slot = texture_slot(census, identity);
    if (*slot == 0) {
        if (census->full)
            return -ENOSPC;
        census->textures[census->texture_count++] = (struct census_texture){
            .identity = identity, .key = use->key, .frame = use->frame, .draw = use->draw};
        *slot = census->texture_count;
    }
    *number = *slot - 1;
    return 0;
}

/* What is remembered of that key: the texture that it is now. -ENOSPC: it is none. */
static int look_up(struct census *census, const struct census_use *use, struct census_memo *memo)
{
    uint64_t changes = psx_versions_changes(census->versions, use->key);
    uint32_t texture = memo->texture;
    int status = 0;

    if (memo->used && memo->changes == changes)
        return 0;
    status = identify(census, use, &texture);
    if (status != 0)
        return status;
    if (!memo->used) {
        *memo = (struct census_memo){.used = true, .key = use->key, .frame = UINT32_MAX};
        census->memo_count++;
    }
    if (texture != memo->texture)
        memo->frame = UINT32_MAX;
    memo->texture = texture;
    memo->changes = changes;
    return 0;
}

static int note_texture(struct census *census, struct census_use *use)
{
    struct census_memo *memo;
    int status;

    if (has_all_memos(census) && census->full)
        return 0;
    if (has_all_memos(census) && grow_memos(census) != 0)
        return -ENOMEM;
    memo = memo_slot(census, use->key);
    status = look_up(census, use, memo);
    if (status != 0)
        return status == -ENOSPC ? 0 : status;
    census->textures[memo->texture].draws++;
    if (memo->frame == use->frame || census->full)
        return 0;
    memo->frame = use->frame;
    use->texture = memo->texture;
    return add_use(census, use);
}

/* Room for as much again is part of it: arrays double. */
static uint64_t bytes_of(const struct census *census)
{
    return census->texture_room * (sizeof(*census->textures) + 2 * sizeof(*census->slots)) +
           census->use_room * (sizeof(*census->uses) + sizeof(*census->frames)) +
           census->memo_room * sizeof(*census->memos);
}

static void tell_full(const struct census *census)
{
    problems_add(census->dump->base.problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "textures.tsv is not complete: more than %" PRIu32
                 " textures do not fit in the cache's budget",
                 census->texture_count);
}

/* Keeps what is found within its share. */
static void account(struct census *census)
{
    const struct dump *dump = &census->dump->base;
    uint64_t most = dump->options->cache / SHARE, bytes = bytes_of(census);
    uint64_t next =
        census->use_count == census->use_room || census->texture_count == census->texture_room
            ? 2 * bytes
            : bytes;

    if (dump->cache != NULL && bytes != census->account)
        cache_charge(dump->cache, &census->account, bytes, most);
    if (census->full || next <= most)
        return;
    census->full = true;
    tell_full(census);
}

void psx_census_count(struct census_counts *counts, const struct psx_walk *walk,
                      const struct psx_step *step)
{
    const struct psx_registers *registers = &walk->at.state.registers;
    struct psx_draw draw;
    struct psx_box box;

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
    else if (psx_kind_draws(draw.kind))
        counts->culled += psx_draw_box(&draw, registers, &box) != PSX_CULL_NO;
}

/* A step that completes a command of frame `frame`. */
static int note_command(struct census *census, const struct psx_step *step, uint64_t frame)
{
    struct psx_draw draw;

    psx_census_count(&census->counts, census->walk, step);
    if (!psx_sampling_of(census->sampling, census->walk, step, &draw))
        return 0;

    struct census_use use = {(uint32_t)frame, find_draw_number(census->walk, frame),
                             psx_texture_key(&draw), 0};

    account(census);
    return note_texture(census, &use);
}

/* The frame in which the command in progress began; PSX_INITIAL: in none. */
static uint64_t frame_of_command(const struct psx_walk *walk)
{
    const struct psx_index *index = walk->index;

    if (walk->at.frame >= index->frame_count || psx_find_began_in(index, walk, walk->at.frame))
        return walk->at.frame;
    return psx_index_frame_of(index, walk->at.command_packet);
}

/* Some steps. */
static int follow(struct census *census, const struct cancel *cancel, bool *ended)
{
    const struct psx_index *index = &census->dump->index;
    struct psx_walk *walk;
    struct psx_step step;
    int status = census->walk == NULL ? begin(census) : 0;

    walk = census->walk;
    for (unsigned steps = 0; status == 0 && steps < SLICE_STEPS; steps++) {
        if (steps % 256 == 255 && cancel_requested(cancel))
            break;
        if (!psx_walk_next(walk, &step)) {
            *ended = true;
            break;
        }
        psx_versions_latch(census->versions, walk, &step);
        if (step.kind == PSX_STEP_GP0 && step.event.type == GP0_EVENT_COMMAND) {
            uint64_t frame = frame_of_command(walk);

            if (frame < index->frame_count)
                status = note_command(census, &step, frame);
        }
        psx_versions_step(census->versions, walk, &step);
        psx_walk_apply(walk, &step);
    }
    return status;
}

static int compare_uses(const void *a, const void *b)
{
    const struct census_use *use_a = a, *use_b = b;

    if (use_a->frame != use_b->frame)
        return use_a->frame < use_b->frame ? -1 : 1;
    if (use_a->key != use_b->key)
        return use_a->key < use_b->key ? -1 : 1;
    return (use_a->draw > use_b->draw) - (use_a->draw < use_b->draw);
}

/* The frames of each texture, once each; `uses` are in the order of the stream. */
static int list_frames(struct census *census)
{
    uint64_t total = 0;
    uint32_t *last = calloc(census->texture_count + (size_t)1, sizeof(*last));

    census->frames = calloc(census->use_count + 1, sizeof(*census->frames));
    if (last == NULL || census->frames == NULL) {
        free(last);
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < census->use_count; i++) {
        const struct census_use *use = &census->uses[i];

        census->textures[use->texture].frames += last[use->texture] != use->frame + 1;
        last[use->texture] = use->frame + 1;
    }
    for (uint32_t i = 0; i < census->texture_count; i++) {
        census->textures[i].first_frame = total;
        total += census->textures[i].frames;
        last[i] = 0;
    }
    for (uint64_t i = 0; i < census->use_count; i++) {
        const struct census_use *use = &census->uses[i];
        struct census_texture *texture = &census->textures[use->texture];
        uint64_t at = texture->first_frame + last[use->texture];

        if (last[use->texture] == 0 || census->frames[at - 1] != use->frame) {
            census->frames[at] = use->frame;
            last[use->texture]++;
        }
    }
    free(last);
    return 0;
}

static int finish(struct census *census)
{
    int status = list_frames(census);

    if (census->use_count > 0)
        qsort(census->uses, census->use_count, sizeof(*census->uses), compare_uses);
    free_work(census);
    return status;
}

/* What is kept counts in the cache's budget, as far as that goes. */
static void charge(struct census *census, struct cache *cache)
{
    uint64_t bytes = census->texture_room * sizeof(*census->textures) +
                     census->slot_count * sizeof(*census->slots) +
                     census->memo_room * sizeof(*census->memos) +
                     census->use_room * sizeof(*census->uses);

    if (census->frames != NULL)
        bytes += census->use_count * sizeof(*census->frames);
    census->cache = cache;
    if (cache != NULL)
        (void)cache_charge(cache, &census->charged, bytes, UINT64_MAX);
}

/* struct pass_work's `advance`. */
static int advance(void *context, const struct cancel *cancel, struct pass_position *position)
{
    struct census *census = context;
    bool ended = false;
    int status = follow(census, cancel, &ended);

    if (census->versions != NULL)
        position->known = census->versions->work;
    if (status == 0 && ended) {
        status = finish(census);
        position->ended = status == 0;
    }
    charge(census, census->dump->base.cache);
    return status;
}

/* Pictures and texts that are being made need the processors, and their caches. */
static bool busy(void *context)
{
    const struct census *census = context;

    return census->dump->base.cache != NULL && !cache_is_idle(census->dump->base.cache);
}

void psx_census_init(struct census *census, const struct psx_dump *dump)
{
    census->dump = dump;
    pass_init(&census->pass, &(struct pass_work){.advance = advance,
                                                 .busy = busy,
                                                 .context = census,
                                                 .cancel = &dump->base.cancel});
}

int psx_census_wait(struct psx_dump *dump, const struct cancel *cancel)
{
    int status = psx_index_wait_all(&dump->index, cancel);

    return status == 0 ? pass_wait_all(&dump->inside->census.pass, cancel) : status;
}

void psx_census_prepare(struct psx_dump *dump, const struct cancel *cancel)
{
    uint64_t most = UNASKED_CELLS + UNASKED_CELLS_PER_BYTE * dump->index.size;

    if (psx_index_wait_all(&dump->index, cancel) == 0)
        (void)pass_work_ahead(&dump->inside->census.pass, most, cancel);
}

bool psx_census_is_complete(struct census *census)
{
    return pass_knows_all(&census->pass);
}

uint64_t psx_census_identity(struct psx_dump *dump, uint64_t frame, uint32_t key)
{
    const struct census *census = &dump->inside->census;
    uint64_t low = 0, high = census->use_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const struct census_use *use = &census->uses[middle];

        if (use->frame < frame || (use->frame == frame && use->key < key))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == census->use_count || census->uses[low].frame != frame ||
        census->uses[low].key != key)
        return 0;
    return census->textures[census->uses[low].texture].identity;
}

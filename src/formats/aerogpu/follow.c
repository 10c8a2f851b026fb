/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/dump.h"

#include "base/hash.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/memory.h"
#include "formats/aerogpu/index.h"
#include "formats/aerogpu/scan_make.h"
#include "source/growing_source.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIN_MEMORY = 1 << 20,
};

struct aerogpu_follower {
    struct dump *dump;
    const struct aerogpu_limits *limits;
    struct growing_source *growth;
    struct aerogpu_index index; /* as far as records are complete; its last frame may be open */
    struct aerogpu_capacity capacity; /* entries for which address space is reserved */
    struct aerogpu_scan scan;
    struct aerogpu_scanner *scanner;
    uint64_t offset; /* of the next record */
    uint64_t seen;   /* bytes available when last checked */
    bool open;       /* a frame is open */
    bool misaligned; /* records out of order: nothing more is shown before the end */

    struct aerogpu_index whole; /* of the complete trace, once it has ended */
    struct aerogpu_scan whole_scan;
    atomic_bool is_whole; /* `whole` and `whole_scan` are valid */
    pthread_mutex_t lock; /* protects what follows, so that counts belong together */
    struct aerogpu_index shown GUARDED_BY(lock_of_aerogpu_follower);
    struct aerogpu_scan shown_scan GUARDED_BY(lock_of_aerogpu_follower);
};

static void take_lock(struct aerogpu_follower *follower) ACQUIRE(lock_of_aerogpu_follower)
{
    pthread_mutex_lock(&follower->lock);
}

static void give_lock(struct aerogpu_follower *follower) RELEASE(lock_of_aerogpu_follower)
{
    pthread_mutex_unlock(&follower->lock);
}

int aerogpu_follow_open(struct growing_source *growth, const struct cancel *cancel,
                        struct aerogpu_header *header)
{
    int status = growing_source_fill(growth, AEROGPU_HEADER, -1, cancel);

    if (status != 0)
        return status;
    if (!aerogpu_header_read(growing_source_data(growth), growing_source_size(growth), header) ||
        !aerogpu_header_known(header))
        return -EPROTO;
    return growing_source_fill(growth, AEROGPU_HEADER + (uint64_t)header->meta_length, -1, cancel);
}

/* Reserves address space, so that nothing in the index moves when it gets longer. */
static int reserve(struct aerogpu_follower *follower, uint64_t max_memory)
{
    struct aerogpu_index *index = &follower->index;
    uint64_t max = max_memory / (2 * AEROGPU_RECORD_COST);

    if (max > AEROGPU_NONE - 1)
        max = AEROGPU_NONE - 1;
    follower->capacity = (struct aerogpu_capacity){max, max, max};
    index->places = memory_reserve(max * sizeof(*index->places));
    index->blobs = memory_reserve(max * sizeof(*index->blobs));
    index->submissions = memory_reserve(max * sizeof(*index->submissions));
    index->frames = memory_reserve(max * sizeof(*index->frames));
    if (index->places == NULL || index->blobs == NULL || index->submissions == NULL ||
        index->frames == NULL)
        return -ENOMEM;
    return aerogpu_blob_map_create((uint32_t)max, &index->map);
}

static void unreserve(struct aerogpu_follower *follower)
{
    struct aerogpu_index *index = &follower->index;

    memory_unreserve(index->places, follower->capacity.places * sizeof(*index->places));
    memory_unreserve(index->blobs, follower->capacity.places * sizeof(*index->blobs));
    memory_unreserve(index->submissions, follower->capacity.places * sizeof(*index->submissions));
    memory_unreserve(index->frames, follower->capacity.places * sizeof(*index->frames));
    aerogpu_blob_map_destroy(&index->map);
}

/*
 * Sets the size and verdict of what is shown: a trace that is cut off where the next record begins,
 * without a footer.
 */
static void set_cut_off(struct aerogpu_follower *follower) REQUIRES(lock_of_aerogpu_follower)
{
    follower->shown.size = follower->offset;
    follower->shown.verdict = (struct aerogpu_verdict){.kind = AEROGPU_VERDICT_INVALID_MAGIC,
                                                       .offset = follower->offset - AEROGPU_FOOTER};
}

int aerogpu_follow_create(struct dump *dump, const struct aerogpu_limits *limits,
                          const struct aerogpu_header *header,
                          struct aerogpu_follower **out) LOCKS_UNCHECKED
{
    const struct source *source = dump->source;
    uint64_t memory = dump->options->max_memory;
    const struct aerogpu_scan_params params = {.limits = limits, .max_memory = memory};
    struct aerogpu_follower *follower = calloc(1, sizeof(*follower));
    uint64_t held = growing_source_size(source->growth) - AEROGPU_HEADER;
    int status;

    if (follower == NULL)
        return -ENOMEM;
    *out = follower;
    follower->dump = dump;
    follower->limits = limits;
    follower->growth = source->growth;
    pthread_mutex_init(&follower->lock, NULL);
    follower->index = (struct aerogpu_index){
        .data = source->data,
        .header = *header,
        .meta_length = header->meta_length < held ? header->meta_length : held,
        .rebuilt = true,
    };
    follower->offset = AEROGPU_HEADER + follower->index.meta_length;
    status = reserve(follower, memory > MIN_MEMORY ? memory : MIN_MEMORY);
    if (status == 0)
        status = aerogpu_scanner_create(&follower->index, &params, dump->problems, &dump->cancel,
                                        &follower->scan, &follower->scanner);
    follower->shown = follower->index;
    set_cut_off(follower);
    follower->shown_scan = follower->scan;
    return status;
}

void aerogpu_follow_destroy(struct aerogpu_follower **follower)
{
    struct aerogpu_follower *destroyed = *follower;

    *follower = NULL;
    if (destroyed == NULL)
        return;
    aerogpu_scanner_destroy(&destroyed->scanner);
    unreserve(destroyed);
    aerogpu_scan_clear(&destroyed->whole_scan);
    aerogpu_index_close(&destroyed->whole);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* Shows all that the working index has. */
static void show(struct aerogpu_follower *follower)
{
    struct aerogpu_index *shown = &follower->shown;
    const struct aerogpu_index *index = &follower->index;

    take_lock(follower);
    follower->shown_scan = follower->scan;
    memcpy(shown->types, index->types, sizeof(shown->types));
    shown->blob_count = index->blob_count;
    shown->last_blob_id = index->last_blob_id;
    set_cut_off(follower);
    shown->submission_count = index->submission_count;
    shown->frame_count = index->frame_count;
    shown->records = index->records;
    give_lock(follower);
    follow_show(follower->dump->follow, index->records, index->frame_count, false);
}

static void open_frame(struct aerogpu_follower *follower)
{
    struct aerogpu_index *index = &follower->index;
    uint32_t record = index->records - 1;

    index->frames[index->frame_count++] = (struct aerogpu_frame){
        .entry = {.frame_index = aerogpu_index_word(index, record),
                  .start = index->places[record].offset},
        .first = record,
        .first_submission = index->submission_count,
    };
    follower->open = true;
}

static int close_frame(struct aerogpu_follower *follower)
{
    struct aerogpu_index *index = &follower->index;
    struct aerogpu_frame *frame = &index->frames[index->frame_count - 1];
    uint32_t last = index->records - 1;
    int status;

    frame->end = index->records;
    frame->submissions_end = index->submission_count;
    frame->present = true;
    frame->entry.present = index->places[last].offset;
    frame->entry.end = follower->offset;
    for (uint32_t i = frame->first; i < frame->end; i++)
        aerogpu_index_check(index, i, follower->dump->problems);
    follower->open = false;
    status = aerogpu_scanner_frame(follower->scanner);
    if (status == 0)
        show(follower);
    follower->misaligned = status == -EFBIG; /* reported at the end */
    return status == -EFBIG ? 0 : status;
}

/* Returns whether every reader takes the record as part of a frame, and of the same frame. */
static bool is_in_order(const struct aerogpu_follower *follower,
                        const struct aerogpu_record *record)
{
    if (record->type < AEROGPU_RECORD_BEGIN || record->type > AEROGPU_RECORD_SUBMISSION)
        return false;
    return follower->open == (record->type != AEROGPU_RECORD_BEGIN);
}

static int take_record(struct aerogpu_follower *follower, const struct aerogpu_record *record)
{
    struct aerogpu_index *index = &follower->index;
    int status = aerogpu_index_add(index, &follower->capacity, record);

    if (status != 0)
        return status;
    follower->offset += AEROGPU_RECORD_HEADER + (uint64_t)record->length;
    if (record->type == AEROGPU_RECORD_BEGIN)
        open_frame(follower);
    index->places[index->records - 1].frame = index->frame_count - 1;
    return record->type == AEROGPU_RECORD_PRESENT ? close_frame(follower) : 0;
}

/* Takes all records that are complete. */
static int take_records(struct aerogpu_follower *follower, uint64_t size,
                        const struct cancel *cancel)
{
    struct aerogpu_record record;
    int status = 0;

    while (status == 0 && !follower->misaligned &&
           aerogpu_record_read(follower->index.data, follower->offset, size, &record)) {
        follower->misaligned =
            !is_in_order(follower, &record) || follower->index.records == follower->capacity.places;
        if (follower->misaligned || record.length < record.claimed)
            break;
        status = cancel_requested(cancel) ? -EINTR : take_record(follower, &record);
    }
    return status;
}

static bool same_entry(const struct aerogpu_toc_entry *a, const struct aerogpu_toc_entry *b)
{
    return a->frame_index == b->frame_index && a->flags == b->flags && a->start == b->start &&
           a->present == b->present && a->end == b->end;
}

/* Returns whether the complete trace begins with what was shown. */
static bool agrees(const struct aerogpu_index *shown, const struct aerogpu_index *whole)
{
    if (whole->frame_count < shown->frame_count || whole->records < shown->records)
        return false;
    for (uint32_t i = 0; i < shown->frame_count; i++) {
        const struct aerogpu_frame *a = &shown->frames[i], *b = &whole->frames[i];

        if (a->first != b->first || a->end != b->end ||
            a->first_submission != b->first_submission ||
            a->submissions_end != b->submissions_end || !same_entry(&a->entry, &b->entry))
            return false;
    }
    return true;
}

/* Makes index and scan of the complete trace, as if it had just been opened. */
static int make_whole(struct aerogpu_follower *follower, const struct cancel *cancel)
{
    struct dump *dump = follower->dump;
    struct problems *problems = dump->problems;
    const struct aerogpu_scan_params params = {.limits = follower->limits,
                                               .max_memory = dump->options->max_memory};
    int status = aerogpu_index_open(follower->index.data, follower->seen, params.max_memory,
                                    problems, cancel, &follower->whole);

    if (status != 0)
        return status;
    aerogpu_lint_container(&follower->whole, problems);
    if (!agrees(&follower->shown, &follower->whole)) {
        problems_add(problems, PROBLEM_ERROR, follower->whole.toc.offset, PROBLEM_NOWHERE,
                     "the table of contents divides the trace into other frames than were shown "
                     "before it was written: mount the trace again to see them");
        return 0;
    }
    status = aerogpu_scan_make(&follower->whole, &params, problems, cancel, &follower->whole_scan);
    follower->is_whole = status == 0;
    return status;
}

static int finish(struct aerogpu_follower *follower, const struct cancel *cancel)
{
    const struct aerogpu_index *shown;
    int status = make_whole(follower, cancel);

    if (status == -EINTR) {
        aerogpu_index_close(&follower->whole);
        return status;
    }
    if (status == -EFBIG)
        problems_add(follower->dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     AEROGPU_SCAN_TOO_MUCH);
    else if (status != 0)
        log_write(LOG_ERR, "the trace cannot be indexed: %s", strerror(-status));
    shown = aerogpu_follow_index(follower);
    follow_show(follower->dump->follow, shown->records, shown->frame_count, true);
    return 0;
}

int aerogpu_follow_advance(struct aerogpu_follower *follower, const struct cancel *cancel,
                           struct index_task_position *position)
{
    bool ended = false;
    int status;

    if (!growing_source_await(follower->growth, &follower->seen, &ended))
        return 0;
    status = take_records(follower, follower->seen, cancel);
    growing_source_pass(follower->growth, follower->seen);
    if (status == -EINTR)
        return status;
    if (status != 0) {
        log_write(LOG_ERR, "the trace cannot be followed: %s", strerror(-status));
        follower->misaligned = true;
    }
    status = ended ? finish(follower, cancel) : 0;
    position->ended = ended && status == 0;
    return status;
}

const struct aerogpu_index *aerogpu_follow_index(const struct aerogpu_follower *follower)
{
    return follower->is_whole ? &follower->whole : &follower->shown;
}

const struct aerogpu_scan *aerogpu_follow_scan(const struct aerogpu_follower *follower)
{
    return follower->is_whole ? &follower->whole_scan : &follower->scan;
}

bool aerogpu_follow_is_whole(const struct aerogpu_follower *follower)
{
    return follower->is_whole;
}

void aerogpu_follow_totals(struct aerogpu_follower *follower, struct aerogpu_index *index,
                           struct aerogpu_scan *scan)
{
    take_lock(follower);
    *index = *aerogpu_follow_index(follower);
    *scan = follower->is_whole ? follower->whole_scan : follower->shown_scan;
    give_lock(follower);
}

/* The blobs by id. */

enum { SLOTS_FIRST = 1024 };

struct link {
    uint64_t id;
    uint32_t record;
    uint32_t before, jump; /* indices of earlier links of the same id; 0: none */
    uint32_t depth;        /* number of earlier links of the same id */
};

struct aerogpu_blob_map {
    struct link *links; /* does not move; [0] is not used */
    uint32_t count, max;
    pthread_mutex_t lock; /* protects what follows, and the links while one is added */
    uint32_t *slots GUARDED_BY(lock_of_aerogpu_blobs); /* the last link of each id; 0: free */
    uint32_t slot_count GUARDED_BY(lock_of_aerogpu_blobs), ids GUARDED_BY(lock_of_aerogpu_blobs);
};

static void take_map(struct aerogpu_blob_map *map) ACQUIRE(lock_of_aerogpu_blobs)
{
    pthread_mutex_lock(&map->lock);
}

static void give_map(struct aerogpu_blob_map *map) RELEASE(lock_of_aerogpu_blobs)
{
    pthread_mutex_unlock(&map->lock);
}

int aerogpu_blob_map_create(uint32_t max, struct aerogpu_blob_map **out) LOCKS_UNCHECKED
{
    struct aerogpu_blob_map *map = calloc(1, sizeof(*map));

    *out = NULL;
    if (map == NULL)
        return -ENOMEM;
    map->max = max;
    map->links = memory_reserve(((size_t)max + 1) * sizeof(*map->links));
    map->slots = calloc(SLOTS_FIRST, sizeof(*map->slots));
    map->slot_count = SLOTS_FIRST;
    pthread_mutex_init(&map->lock, NULL);
    *out = map;
    if (map->links == NULL || map->slots == NULL)
        aerogpu_blob_map_destroy(out);
    return *out != NULL ? 0 : -ENOMEM;
}

void aerogpu_blob_map_destroy(struct aerogpu_blob_map **map) LOCKS_UNCHECKED
{
    struct aerogpu_blob_map *destroyed = *map;

    *map = NULL;
    if (destroyed == NULL)
        return;
    memory_unreserve(destroyed->links, ((size_t)destroyed->max + 1) * sizeof(*destroyed->links));
    free(destroyed->slots);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/*
 * Returns the slot of an id. The dump could choose ids that collide, but the key of the hash is
 * secret.
 */
static uint32_t slot_of(const struct aerogpu_blob_map *map, uint64_t id)
    REQUIRES(lock_of_aerogpu_blobs)
{
    uint32_t slot = (uint32_t)hash_u64(id) & (map->slot_count - 1);

    while (map->slots[slot] != 0 && map->links[map->slots[slot]].id != id)
        slot = (slot + 1) & (map->slot_count - 1);
    return slot;
}

static int reserve_one(struct aerogpu_blob_map *map) REQUIRES(lock_of_aerogpu_blobs)
{
    uint32_t *before = map->slots, count = map->slot_count;

    if (map->ids < count / 2)
        return 0;
    map->slots = calloc((size_t)count * 2, sizeof(*map->slots));
    if (map->slots == NULL) {
        map->slots = before;
        return -ENOMEM;
    }
    map->slot_count = count * 2;
    for (uint32_t i = 0; i < count; i++)
        if (before[i] != 0)
            map->slots[slot_of(map, map->links[before[i]].id)] = before[i];
    free(before);
    return 0;
}

static void add_link(struct aerogpu_blob_map *map, uint64_t id, uint32_t record)
    REQUIRES(lock_of_aerogpu_blobs)
{
    uint32_t slot = slot_of(map, id), before = map->slots[slot];
    const struct link *links = map->links, *last = &links[before];
    struct link added = {.id = id, .record = record, .before = before, .jump = before};

    if (before != 0) {
        uint32_t far = links[last->jump].jump;

        added.depth = last->depth + 1;
        if (last->jump != 0 && far != 0 &&
            last->depth - links[last->jump].depth == links[last->jump].depth - links[far].depth)
            added.jump = far;
    }
    map->links[++map->count] = added;
    map->slots[slot] = map->count;
    map->ids += before == 0;
}

int aerogpu_blob_map_add(struct aerogpu_blob_map *map, uint64_t id, uint32_t record)
{
    int status;

    if (map->count == map->max)
        return -ENOMEM;
    take_map(map);
    status = reserve_one(map);
    if (status == 0)
        add_link(map, id, record);
    give_map(map);
    return status;
}

bool aerogpu_blob_map_find(struct aerogpu_blob_map *map, uint64_t id, uint32_t user,
                           uint32_t *record)
{
    const struct link *links = map->links;
    uint32_t link;

    take_map(map);
    link = map->slots[slot_of(map, id)];
    while (link != 0 && links[link].record >= user)
        link = links[link].jump != 0 && links[links[link].jump].record >= user ? links[link].jump
                                                                               : links[link].before;
    if (link != 0)
        *record = links[link].record;
    give_map(map);
    return link != 0;
}

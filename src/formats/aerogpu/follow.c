#include "formats/aerogpu/follow.h"

#include "core/growth.h"
#include "core/log.h"
#include "core/memory.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAIT_MS = 20,
    LEAST_MEMORY = 1 << 20,
};

struct aerogpu_live {
    struct aerogpu_dump *dump;
    struct growth *growth;
    struct aerogpu_index index; /* as far as records are whole; its last frame may be open */
    struct aerogpu_rooms rooms; /* for which address space is reserved */
    struct aerogpu_scan scan;
    struct aerogpu_scanner *scanner;
    uint64_t offset; /* of the next record */
    uint64_t seen;   /* bytes, as last looked at */
    bool open;       /* a frame is */
    bool astray;     /* nothing more is shown before the end */

    struct aerogpu_index whole; /* once the trace has ended */
    struct aerogpu_scan whole_scan;
    atomic_bool is_whole; /* they are there */
    atomic_bool final;    /* nothing more will be shown */
    pthread_mutex_t lock; /* of what follows, and of the shown index's counts */
    struct aerogpu_scan shown;
};

int aerogpu_live_open(struct growth *growth, const struct cancel *cancel,
                      struct aerogpu_header *header)
{
    int status = growth_fill(growth, AEROGPU_HEADER, -1, cancel);

    if (status != 0)
        return status;
    if (!aerogpu_header_read(growth_data(growth), growth_size(growth), header) ||
        !aerogpu_header_known(header))
        return -EPROTO;
    return growth_fill(growth, AEROGPU_HEADER + (uint64_t)header->meta_length, -1, cancel);
}

/* Nothing in the index moves when it gets longer. */
static int reserve(struct aerogpu_live *live, uint64_t max_memory)
{
    struct aerogpu_index *index = &live->index;
    uint64_t most = max_memory / (2 * AEROGPU_RECORD_COST);

    if (most > AEROGPU_NONE - 1)
        most = AEROGPU_NONE - 1;
    live->rooms = (struct aerogpu_rooms){most, most, most};
    index->places = memory_reserve(most * sizeof(*index->places));
    index->blobs = memory_reserve(most * sizeof(*index->blobs));
    index->submissions = memory_reserve(most * sizeof(*index->submissions));
    index->frames = memory_reserve(most * sizeof(*index->frames));
    if (index->places == NULL || index->blobs == NULL || index->submissions == NULL ||
        index->frames == NULL)
        return -ENOMEM;
    return aerogpu_blob_map_create((uint32_t)most, &index->map);
}

static void unreserve(struct aerogpu_live *live)
{
    struct aerogpu_index *index = &live->index;

    memory_unreserve(index->places, live->rooms.places * sizeof(*index->places));
    memory_unreserve(index->blobs, live->rooms.places * sizeof(*index->blobs));
    memory_unreserve(index->submissions, live->rooms.places * sizeof(*index->submissions));
    memory_unreserve(index->frames, live->rooms.places * sizeof(*index->frames));
    aerogpu_blob_map_destroy(&index->map);
}

/* A trace that is cut off where the next record begins has no footer. */
static void set_cut_off(struct aerogpu_live *live)
{
    live->dump->index.size = live->offset;
    live->dump->index.verdict = (struct aerogpu_verdict){.kind = AEROGPU_VERDICT_INVALID_MAGIC,
                                                         .offset = live->offset - AEROGPU_FOOTER};
}

int aerogpu_live_create(struct aerogpu_dump *dump, const struct aerogpu_header *header)
{
    const struct source *source = dump->base.source;
    uint64_t memory = dump->base.options->max_memory;
    const struct aerogpu_scan_params params = {.limits = &dump->limits, .max_memory = memory};
    struct aerogpu_live *live = calloc(1, sizeof(*live));
    uint64_t held = growth_size(source->growth) - AEROGPU_HEADER;
    int status;

    if (live == NULL)
        return -ENOMEM;
    dump->live = live;
    live->dump = dump;
    live->growth = source->growth;
    pthread_mutex_init(&live->lock, NULL);
    live->index = (struct aerogpu_index){
        .data = source->data,
        .header = *header,
        .meta_length = header->meta_length < held ? header->meta_length : held,
        .rebuilt = true,
    };
    live->offset = AEROGPU_HEADER + live->index.meta_length;
    status = reserve(live, memory > LEAST_MEMORY ? memory : LEAST_MEMORY);
    if (status == 0)
        status = aerogpu_scanner_create(&live->index, &params, dump->base.problems,
                                        &dump->base.cancel, &live->scan, &live->scanner);
    dump->index = live->index;
    set_cut_off(live);
    live->shown = live->scan;
    return status;
}

void aerogpu_live_destroy(struct aerogpu_live **live)
{
    struct aerogpu_live *destroyed = *live;

    *live = NULL;
    if (destroyed == NULL)
        return;
    aerogpu_scanner_destroy(&destroyed->scanner);
    unreserve(destroyed);
    aerogpu_scan_clear(&destroyed->whole_scan);
    aerogpu_index_close(&destroyed->whole);
    destroyed->dump->index = (struct aerogpu_index){0};
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* All that the working index has may be asked for. */
static void show(struct aerogpu_live *live)
{
    struct aerogpu_index *shown = &live->dump->index;
    const struct aerogpu_index *index = &live->index;

    pthread_mutex_lock(&live->lock);
    live->shown = live->scan;
    memcpy(shown->types, index->types, sizeof(shown->types));
    shown->blob_count = index->blob_count;
    shown->last_blob_id = index->last_blob_id;
    set_cut_off(live);
    shown->submission_count = index->submission_count;
    shown->frame_count = index->frame_count;
    shown->records = index->records;
    pthread_mutex_unlock(&live->lock);
    tree_grew(live->dump->base.tree);
}

static void open_frame(struct aerogpu_live *live)
{
    struct aerogpu_index *index = &live->index;
    uint32_t record = index->records - 1;

    index->frames[index->frame_count++] = (struct aerogpu_frame){
        .entry = {.frame_index = aerogpu_index_word(index, record),
                  .start = index->places[record].offset},
        .first = record,
        .first_submission = index->submission_count,
    };
    live->open = true;
}

static int close_frame(struct aerogpu_live *live)
{
    struct aerogpu_index *index = &live->index;
    struct aerogpu_frame *frame = &index->frames[index->frame_count - 1];
    uint32_t last = index->records - 1;
    int status;

    frame->end = index->records;
    frame->submissions_end = index->submission_count;
    frame->present = true;
    frame->entry.present = index->places[last].offset;
    frame->entry.end = live->offset;
    for (uint32_t i = frame->first; i < frame->end; i++)
        aerogpu_index_check(index, i, live->dump->base.problems);
    live->open = false;
    status = aerogpu_scanner_frame(live->scanner);
    if (status == 0)
        show(live);
    live->astray = status == -EFBIG; /* told at the end */
    return status == -EFBIG ? 0 : status;
}

/* Whether every reader takes the record for part of a frame, and of which. */
static bool is_plain(const struct aerogpu_live *live, const struct aerogpu_record *record)
{
    if (record->type < AEROGPU_RECORD_BEGIN || record->type > AEROGPU_RECORD_SUBMISSION)
        return false;
    return live->open == (record->type != AEROGPU_RECORD_BEGIN);
}

static int take_record(struct aerogpu_live *live, const struct aerogpu_record *record)
{
    struct aerogpu_index *index = &live->index;
    int status = aerogpu_index_add(index, &live->rooms, record);

    if (status != 0)
        return status;
    live->offset += AEROGPU_RECORD_HEADER + (uint64_t)record->length;
    if (record->type == AEROGPU_RECORD_BEGIN)
        open_frame(live);
    index->places[index->records - 1].frame = index->frame_count - 1;
    return record->type == AEROGPU_RECORD_PRESENT ? close_frame(live) : 0;
}

/* All records that are whole. */
static int take_records(struct aerogpu_live *live, uint64_t size, const struct cancel *cancel)
{
    struct aerogpu_record record;
    int status = 0;

    while (status == 0 && !live->astray &&
           aerogpu_record_read(live->index.data, live->offset, size, &record)) {
        live->astray = !is_plain(live, &record) || live->index.records == live->rooms.places;
        if (live->astray || record.length < record.claimed)
            break;
        status = cancel_requested(cancel) ? -EINTR : take_record(live, &record);
    }
    return status;
}

static bool same_entry(const struct aerogpu_toc_entry *a, const struct aerogpu_toc_entry *b)
{
    return a->frame_index == b->frame_index && a->flags == b->flags && a->start == b->start &&
           a->present == b->present && a->end == b->end;
}

/* Whether the whole trace begins with what was shown. */
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

/* Of the whole trace, as if it had been opened now. */
static int make_whole(struct aerogpu_live *live, const struct cancel *cancel)
{
    struct aerogpu_dump *dump = live->dump;
    struct problems *problems = dump->base.problems;
    const struct aerogpu_scan_params params = {.limits = &dump->limits,
                                               .max_memory = dump->base.options->max_memory};
    int status = aerogpu_index_open(live->index.data, live->seen, params.max_memory, problems,
                                    cancel, &live->whole);

    if (status != 0)
        return status;
    if (!agrees(&dump->index, &live->whole)) {
        problems_add(problems, PROBLEM_ERROR, live->whole.toc.offset, PROBLEM_NOWHERE,
                     "the table of contents divides the trace into other frames than were shown "
                     "before it came: mount the trace anew to see those");
        return 0;
    }
    status = aerogpu_scan_make(&live->whole, &params, problems, cancel, &live->whole_scan);
    live->is_whole = status == 0;
    return status;
}

static int finish(struct aerogpu_live *live, const struct cancel *cancel)
{
    int status = make_whole(live, cancel);

    if (status == -EINTR) {
        aerogpu_index_close(&live->whole);
        return status;
    }
    if (status == -EFBIG)
        problems_add(live->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     AEROGPU_TOO_MUCH);
    else if (status != 0)
        log_write(LOG_ERR, "the trace cannot be indexed: %s", strerror(-status));
    live->final = true;
    tree_grew(live->dump->base.tree);
    return 0;
}

int aerogpu_live_advance(void *context, const struct cancel *cancel, struct pass_position *position)
{
    struct aerogpu_live *live = ((struct aerogpu_dump *)context)->live;
    bool ended = growth_has_ended(live->growth);
    uint64_t size = growth_size(live->growth);
    int status;

    if (size == live->seen && !ended) {
        growth_wait(live->growth, size, WAIT_MS);
        return 0;
    }
    live->seen = size;
    status = take_records(live, size, cancel);
    growth_pass(live->growth, size);
    if (status == -EINTR)
        return status;
    if (status != 0) {
        log_write(LOG_ERR, "the trace cannot be followed: %s", strerror(-status));
        live->astray = true;
    }
    status = ended ? finish(live, cancel) : 0;
    position->ended = ended && status == 0;
    return status;
}

const struct aerogpu_index *aerogpu_live_index(const struct aerogpu_live *live)
{
    return live->is_whole ? &live->whole : &live->dump->index;
}

const struct aerogpu_scan *aerogpu_live_scan(const struct aerogpu_live *live)
{
    return live->is_whole ? &live->whole_scan : &live->scan;
}

bool aerogpu_live_is_whole(const struct aerogpu_live *live)
{
    return live->is_whole;
}

bool aerogpu_live_grows(const struct aerogpu_live *live)
{
    return !live->final;
}

void aerogpu_live_totals(struct aerogpu_live *live, struct aerogpu_index *index,
                         struct aerogpu_scan *scan)
{
    pthread_mutex_lock(&live->lock);
    *index = *aerogpu_live_index(live);
    *scan = live->is_whole ? live->whole_scan : live->shown;
    pthread_mutex_unlock(&live->lock);
}

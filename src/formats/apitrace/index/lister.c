/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/lister.h"

#include <errno.h>
#include <stdlib.h>

enum {
    THREADS_OF_PAGE = 1024,
    THREAD_PAGES = APITRACE_ID_MAX / THREADS_OF_PAGE,
};

static void fail(struct apitrace_lister *lister, int status)
{
    if (lister->status == 0)
        lister->status = status;
}

static struct apitrace_frame_record *begin_frame(struct apitrace_lister *lister)
{
    struct apitrace_index *index = lister->index;
    struct apitrace_frame_record *last;

    if (apitrace_grow(&index->frames, index->frame_count, &index->frame_room,
                      sizeof(*index->frames), &index->memory) < 0)
        return NULL;
    last = &index->frames[index->frame_count++];
    *last = (struct apitrace_frame_record){.first = index->listed,
                                           .end = index->listed,
                                           .min_number = UINT32_MAX,
                                           .function = APITRACE_NO_FUNCTION};
    lister->frame = last;
    return last;
}

/* Returns the frame of the next listed call; NULL if memory is short. */
static inline struct apitrace_frame_record *current_frame(struct apitrace_lister *lister)
{
    return lister->frame != NULL ? lister->frame : begin_frame(lister);
}

static void note(struct apitrace_lister *lister, enum apitrace_note kind, uint64_t number)
{
    struct apitrace_notes *notes = &lister->index->notes[kind];

    if (apitrace_grow(&notes->numbers, notes->count, &notes->room, sizeof(*notes->numbers),
                      &lister->index->memory) < 0)
        fail(lister, -ENOMEM);
    else
        notes->numbers[notes->count++] = (uint32_t)number;
}

static void note_semantic(struct apitrace_lister *lister, const struct apitrace_function *function,
                          uint64_t number)
{
    if (function->semantic == 0)
        return;
    if (function->semantic & APITRACE_OF_SHADERS)
        note(lister, APITRACE_NOTE_SHADERS, number);
    else if (function->semantic & APITRACE_OF_TEXTURES)
        note(lister, APITRACE_NOTE_TEXTURES, number);
    else if (function->semantic & APITRACE_OF_RESOURCES ||
             (function->semantic == APITRACE_MAPPED_WRITE &&
              lister->index->notes[APITRACE_NOTE_RESOURCES].count > 0))
        note(lister, APITRACE_NOTE_RESOURCES, number);
    else if (function->semantic == APITRACE_GET_STRING)
        note(lister, APITRACE_NOTE_STRINGS, number);
}

/* Returns where the index of a thread is stored; NULL if memory is short. */
static uint32_t *thread_slot(struct apitrace_lister *lister, uint32_t id)
{
    uint32_t **page = &lister->thread_pages[id / THREADS_OF_PAGE];

    if (*page == NULL)
        *page = calloc(THREADS_OF_PAGE, sizeof(**page));
    return *page != NULL ? &(*page)[id % THREADS_OF_PAGE] : NULL;
}

/* Finds a thread that is not the last one, or appends a new one. */
static struct apitrace_thread *find_other_thread(struct apitrace_lister *lister, uint32_t id)
{
    struct apitrace_index *index = lister->index;
    uint32_t *slot;

    slot = thread_slot(lister, id);
    if (slot == NULL)
        return NULL;
    if (*slot == 0) {
        if (apitrace_grow(&index->threads, index->thread_count, &index->thread_room,
                          sizeof(*index->threads), &index->memory) < 0)
            return NULL;
        index->threads[index->thread_count++] =
            (struct apitrace_thread){.id = id, .first = UINT32_MAX};
        *slot = (uint32_t)index->thread_count;
    }
    lister->last_thread = *slot - 1;
    return &index->threads[lister->last_thread];
}

/* Returns the thread's row, and remembers it for the next call. */
static inline struct apitrace_thread *find_thread(struct apitrace_lister *lister, uint32_t id)
{
    const struct apitrace_index *index = lister->index;

    if (lister->last_thread < index->thread_count && index->threads[lister->last_thread].id == id)
        return &index->threads[lister->last_thread];
    return find_other_thread(lister, id);
}

static int compare_threads(const void *a, const void *b)
{
    const struct apitrace_thread *left = a, *right = b;

    return left->id < right->id ? -1 : left->id > right->id;
}

/* A push is noted with the depth outside of it, and so is its pop. */
static void note_marker(struct apitrace_lister *lister, const struct apitrace_function *function,
                        struct apitrace_thread *thread, uint64_t number)
{
    if (function->classes & APITRACE_POP && thread->depth > 0)
        thread->depth--;
    note(lister, APITRACE_NOTE_MARKERS, number);
    note(lister, APITRACE_NOTE_MARKERS, thread->depth);
    if (function->classes & APITRACE_PUSH && thread->depth < UINT32_MAX)
        thread->depth++;
}

static void count_call(struct apitrace_lister *lister, const struct apitrace_record *record,
                       const struct apitrace_function *function)
{
    struct apitrace_index *index = lister->index;
    struct apitrace_thread *thread = find_thread(lister, record->thread);
    uint32_t number = (uint32_t)record->number;

    if (thread == NULL) {
        fail(lister, -ENOMEM);
        return;
    }
    thread->calls++;
    thread->first = number < thread->first ? number : thread->first;
    thread->last = number > thread->last ? number : thread->last;
    if (function->classes & APITRACE_MARKER)
        note_marker(lister, function, thread, record->number);
    index->function_calls[function->number]++;
    if (record->marks != 0) {
        index->hidden += (record->marks & APITRACE_HIDDEN) != 0;
        index->fake += (record->marks & APITRACE_FAKE) != 0;
        index->incomplete += (record->marks & APITRACE_INCOMPLETE) != 0;
    }
}

static void count_in_frame(struct apitrace_lister *lister, struct apitrace_frame_record *frame,
                           const struct apitrace_record *record,
                           const struct apitrace_function *function)
{
    uint32_t number = (uint32_t)record->number;

    frame->end = lister->index->listed;
    frame->min_number = number < frame->min_number ? number : frame->min_number;
    frame->max_number = number > frame->max_number ? number : frame->max_number;
    frame->hidden += (record->marks & APITRACE_HIDDEN) != 0;
    frame->draws += (function->classes & APITRACE_RENDER) != 0;
}

static void end_frame(struct apitrace_lister *lister, struct apitrace_frame_record *frame,
                      uint32_t function, uint64_t position)
{
    frame->bytes = position - lister->frame_start;
    frame->function = function;
    lister->frame_start = position;
    lister->index->finished_frames += function != APITRACE_NO_FUNCTION;
    lister->frame_ended = true;
    lister->frame = NULL;
}

static void add_run(struct apitrace_lister *lister, uint64_t number)
{
    struct apitrace_index *index = lister->index;

    if (apitrace_grow(&index->runs, index->run_count, &index->run_room, sizeof(*index->runs),
                      &index->memory) < 0)
        fail(lister, -ENOMEM);
    if (lister->status != 0)
        return;
    index->runs[index->run_count] =
        (struct apitrace_run){(uint32_t)index->listed, (uint32_t)number};
    lister->shift = number - index->listed;
    index->run_count++; /* last, since other threads may be searching the runs */
}

int apitrace_lister_add(struct apitrace_lister *lister, const struct apitrace_listed *listed)
{
    const struct apitrace_function *function = listed->function;
    struct apitrace_frame_record *frame = current_frame(lister);
    struct apitrace_record *record = listed->record;

    lister->frame_ended = false;
    if (record->number - lister->index->listed != lister->shift)
        add_run(lister, record->number);
    if (frame == NULL)
        fail(lister, -ENOMEM);
    if (lister->status != 0)
        return lister->status;
    record->order = lister->index->listed++;
    count_call(lister, record, function);
    count_in_frame(lister, frame, record, function);
    note_semantic(lister, function, record->number);
    if (listed->is_error)
        note(lister, APITRACE_NOTE_ERRORS, record->number);
    if (function->classes & APITRACE_END_FRAME)
        end_frame(lister, frame, function->number, listed->position);
    return lister->status;
}

int apitrace_lister_meet(struct apitrace_lister *lister, const struct apitrace_function *function)
{
    struct apitrace_index *index = lister->index;
    uint64_t before = index->function_room;

    if (apitrace_grow(&index->function_calls, index->definitions.functions.count,
                      &index->function_room, sizeof(*index->function_calls), &index->memory) < 0) {
        fail(lister, -ENOMEM);
        return lister->status;
    }
    if (index->function_room > before)
        memset(index->function_calls + before, 0,
               (size_t)(index->function_room - before) * sizeof(*index->function_calls));
    if (index->api == APITRACE_UNKNOWN)
        index->api = apitrace_api_of(function->name.bytes);
    return 0;
}

void apitrace_lister_end(struct apitrace_lister *lister, uint64_t position)
{
    struct apitrace_index *index = lister->index;

    if (index->frame_count > index->finished_frames)
        end_frame(lister, &index->frames[index->frame_count - 1], APITRACE_NO_FUNCTION, position);
}

void apitrace_lister_order_threads(struct apitrace_lister *lister)
{
    struct apitrace_index *index = lister->index;

    if (index->thread_count > 1)
        qsort(index->threads, (size_t)index->thread_count, sizeof(*index->threads),
              compare_threads);
}

int apitrace_lister_init(struct apitrace_lister *lister, struct apitrace_index *index)
{
    *lister = (struct apitrace_lister){.index = index, .shift = UINT64_MAX /* of no run */};
    lister->thread_pages = calloc(THREAD_PAGES, sizeof(*lister->thread_pages));
    return lister->thread_pages != NULL ? 0 : -ENOMEM;
}

void apitrace_lister_clear(struct apitrace_lister *lister)
{
    for (size_t n = 0; lister->thread_pages != NULL && n < THREAD_PAGES; n++)
        free(lister->thread_pages[n]);
    free(lister->thread_pages);
    lister->thread_pages = NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * Events come in the order of the trace: the next enter event that is kept or the next leave event,
 * whichever comes first in the stream. Each event becomes a list of parts: its bytes in the stream,
 * and between them definitions from other places in the stream, and the new number of the call, in
 * as many bytes as the old one.
 */
#include "base/array.h"
#include "formats/apitrace/cut/cut.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHECK_EVERY = 4096,
    OPEN_MAX = 1 << 16, /* calls that return after the next one has begun */
    OPEN_BYTES = 128,   /* of memory for each of them */
    NUMBER_MAX = 10,    /* bytes of a varint */
};

/* Bytes of the stream, or bytes that the cut adds itself. */
struct event_part {
    uint64_t position, size;
    bool own;
    uint8_t bytes[NUMBER_MAX]; /* if `own` */
};

struct apitrace_cut_cursor {
    struct apitrace_cut cut;
    uint64_t position;

    struct apitrace_call call;    /* reads the events */
    struct apitrace_reader bytes; /* reads the bytes to copy */
    uint64_t number, numbers;     /* the next call that may be entered, and the end of the calls */
    uint64_t order;               /* the next order in the listing */
    struct apitrace_walk enters, leaves;
    bool *defined; /* by serial of a definition: whether the cut contains it already */

    uint64_t kept; /* calls entered so far: the new number of the next one */
    /* Old and new number of the last call; `last` is APITRACE_NO_ORDER if it is not open. */
    uint64_t last, last_number;
    struct apitrace_map open; /* new numbers, by old ones, of the other open calls */
    uint64_t events;

    struct event_part *parts; /* of the current event */
    size_t part_count, part_room, part;
    uint64_t done; /* bytes of the current part that were produced */
    uint64_t from; /* offset in the stream up to which the event's bytes are in `parts` */
    int status;
};

static void add_part(struct apitrace_cut_cursor *cursor, const struct event_part *part)
{
    if (ARRAY_GROW(cursor->parts, cursor->part_count, cursor->part_room) != 0)
        cursor->status = -ENOMEM;
    else
        cursor->parts[cursor->part_count++] = *part;
}

/* Adds a part for the bytes of the event up to `position`. */
static void add_up_to(struct apitrace_cut_cursor *cursor, uint64_t position)
{
    if (position > cursor->from)
        add_part(cursor,
                 &(struct event_part){.position = cursor->from, .size = position - cursor->from});
    cursor->from = position;
}

static void refer(void *context, const struct apitrace_definition *definition, uint64_t position)
{
    struct apitrace_cut_cursor *cursor = context;

    if (!cursor->defined[definition->serial] && definition->position != position) {
        add_up_to(cursor, position);
        add_part(cursor,
                 &(struct event_part){.position = definition->position, .size = definition->bytes});
    }
    cursor->defined[definition->serial] = true;
}

/* Encodes a number in exactly `size` bytes, which have room for it. */
static struct event_part number_part(uint64_t number, uint64_t size)
{
    struct event_part part = {.size = size, .own = true};

    for (uint64_t n = 0; n < size && n < NUMBER_MAX; n++)
        part.bytes[n] = (uint8_t)((number >> 7 * n & 0x7F) | (n + 1 < size ? 0x80 : 0));
    return part;
}

/* Adds the rest of the current event, and the definitions that its details need. */
static void add_details(struct apitrace_cut_cursor *cursor, uint64_t end)
{
    static const struct apitrace_details nobody = {0};
    struct apitrace_call *call = &cursor->call;

    apitrace_scan_details(&call->reader, call->definitions, call->function->argument_count,
                          &nobody);
    add_up_to(cursor, end);
}

/* Moves the last call to the open ones, if it has not returned. */
static int remember_last(struct apitrace_cut_cursor *cursor)
{
    if (cursor->last == APITRACE_NO_ORDER)
        return 0;
    return apitrace_map_count(&cursor->open) < OPEN_MAX
               ? apitrace_map_set(&cursor->open, cursor->last, 0, cursor->last_number)
               : -EFBIG;
}

static void enter(struct apitrace_cut_cursor *cursor, const struct apitrace_record *record)
{
    struct apitrace_call *call = &cursor->call;

    cursor->status = remember_last(cursor);
    cursor->last = record->leave != APITRACE_NO_LEAVE ? record->number : APITRACE_NO_ORDER;
    cursor->last_number = cursor->kept++;
    cursor->from = record->enter;
    apitrace_call_choose(call, record->number);
    call->reader.refers = refer;
    if (cursor->status == 0 && apitrace_call_enter(call))
        add_details(cursor, call->record->enter + call->record->enter_bytes);
}

static void leave(struct apitrace_cut_cursor *cursor, const struct apitrace_record *record)
{
    struct apitrace_call *call = &cursor->call;
    uint64_t number = cursor->last_number, place = record->leave + 1;
    struct event_part part;

    if (cursor->last == record->number)
        cursor->last = APITRACE_NO_ORDER;
    else if (apitrace_map_get(&cursor->open, record->number, 0, &number))
        apitrace_map_remove(&cursor->open, record->number, 0);
    cursor->from = record->leave;
    apitrace_call_choose(call, record->number);
    if (!apitrace_call_leave(call))
        return;
    add_up_to(cursor, place);
    part = number_part(number, apitrace_reader_position(&call->reader) - place);
    add_part(cursor, &part);
    cursor->from = place + part.size;
    add_details(cursor, call->record->leave + call->record->leave_bytes);
}

/* Returns the next call that the cut keeps, beginning with the current one; NULL at the end. */
static const struct apitrace_record *next_enter(struct apitrace_cut_cursor *cursor)
{
    for (; cursor->number < cursor->numbers; cursor->number++) {
        const struct apitrace_record *record = apitrace_walk_to(&cursor->enters, cursor->number);

        if (apitrace_cut_keeps(&cursor->cut, record))
            return record;
    }
    return NULL;
}

/* Does the same for calls that return, in the order of the listing. */
static const struct apitrace_record *next_leave(struct apitrace_cut_cursor *cursor)
{
    const struct apitrace_index *index = cursor->cut.cuts->index;

    for (; cursor->order < cursor->cut.end; cursor->order++) {
        const struct apitrace_record *record =
            apitrace_walk_to(&cursor->leaves, apitrace_index_listed(index, cursor->order));

        if (record->leave != APITRACE_NO_LEAVE && apitrace_cut_keeps(&cursor->cut, record))
            return record;
    }
    return NULL;
}

/* Makes the parts of the next event. Returns false at the end or after a failure. */
static bool next_event(struct apitrace_cut_cursor *cursor, const struct cancel *cancel)
{
    const struct apitrace_record *entered = next_enter(cursor), *left = next_leave(cursor);

    cursor->part_count = cursor->part = 0;
    if (cursor->events++ % CHECK_EVERY == 0 && cancel_requested(cancel))
        cursor->status = -EINTR;
    if (cursor->status != 0 || (entered == NULL && left == NULL))
        return false;
    if (entered != NULL && (left == NULL || entered->enter < left->leave)) {
        enter(cursor, entered);
        cursor->number++;
    } else {
        leave(cursor, left);
        cursor->order++;
    }
    if (cursor->status == 0)
        cursor->status = apitrace_call_status(&cursor->call);
    return cursor->status == 0;
}

/* Copies `size` bytes of the current part. */
static void copy(struct apitrace_cut_cursor *cursor, const struct event_part *part, uint8_t *to,
                 size_t size)
{
    if (part->own) {
        memcpy(to, part->bytes + cursor->done, size);
        return;
    }
    apitrace_reader_seek(&cursor->bytes, part->position + cursor->done);
    apitrace_read_bytes(&cursor->bytes, to, size);
    cursor->status = apitrace_reader_error(&cursor->bytes);
}

int64_t apitrace_cut_cursor_read(struct apitrace_cut_cursor *cursor, void *to, uint64_t size,
                                 const struct cancel *cancel)
{
    uint64_t read = 0;

    cursor->call.reader.cancel = cursor->bytes.cancel = cancel;
    while (read < size && cursor->status == 0) {
        const struct event_part *part = &cursor->parts[cursor->part];
        uint64_t some;

        if (cursor->part == cursor->part_count) {
            if (!next_event(cursor, cancel))
                break;
            continue;
        }
        some = part->size - cursor->done < size - read ? part->size - cursor->done : size - read;
        if (to != NULL)
            copy(cursor, part, (uint8_t *)to + read, (size_t)some);
        read += some;
        cursor->done += some;
        if (cursor->done == part->size) {
            cursor->done = 0;
            cursor->part++;
        }
    }
    cursor->position += read;
    cursor->call.reader.cancel = cursor->bytes.cancel = NULL;
    return cursor->status == 0 ? (int64_t)read : cursor->status;
}

/* Adds the header; its last byte, the empty name, ends the properties. */
static void add_header(struct apitrace_cut_cursor *cursor)
{
    const uint64_t size = cursor->cut.cuts->index->header_size;
    char window[APITRACE_CUT_WINDOW];
    size_t window_size = apitrace_cut_window(&cursor->cut, window);

    add_up_to(cursor, window_size > 0 ? size - 1 : size);
    for (size_t done = 0; done < window_size; done += NUMBER_MAX) {
        struct event_part part = {
            .size = window_size - done < NUMBER_MAX ? window_size - done : NUMBER_MAX, .own = true};

        memcpy(part.bytes, window + done, (size_t)part.size);
        add_part(cursor, &part);
    }
    add_up_to(cursor, size);
}

/* Returns the end of the call numbers in frames up to the last one. */
static uint64_t numbers_of(const struct apitrace_cut *cut)
{
    uint64_t numbers = 0;

    for (uint64_t frame = 0; frame <= cut->last; frame++) {
        uint64_t max = cut->cuts->index->frames[frame].max_number;

        numbers = max + 1 > numbers ? max + 1 : numbers;
    }
    return numbers;
}

int apitrace_cut_cursor_create(const struct apitrace_cut *cut, struct apitrace_cut_cursor **out)
{
    const struct apitrace_index *index = cut->cuts->index;
    struct apitrace_cut_cursor *cursor = calloc(1, sizeof(*cursor));

    *out = cursor;
    if (cursor == NULL)
        return -ENOMEM;
    cursor->cut = *cut;
    cursor->numbers = numbers_of(cut);
    cursor->last = APITRACE_NO_ORDER;
    apitrace_call_init(&cursor->call, index, NULL);
    cursor->call.reader.refers_context = cursor;
    apitrace_reader_init(&cursor->bytes, &index->stream, NULL);
    apitrace_walk_init(&cursor->enters, &index->calls);
    apitrace_walk_init(&cursor->leaves, &index->calls);
    cursor->defined = calloc((size_t)index->definitions.count + 1, sizeof(*cursor->defined));
    add_header(cursor);
    if (cursor->defined == NULL || cursor->status != 0) {
        apitrace_cut_cursor_destroy(out);
        return -ENOMEM;
    }
    return 0;
}

void apitrace_cut_cursor_destroy(struct apitrace_cut_cursor **cursor)
{
    if (*cursor == NULL)
        return;
    apitrace_call_clear(&(*cursor)->call);
    apitrace_reader_clear(&(*cursor)->bytes);
    apitrace_map_clear(&(*cursor)->open);
    free((*cursor)->defined);
    free((*cursor)->parts);
    free(*cursor);
    *cursor = NULL;
}

const struct apitrace_cut *apitrace_cut_cursor_cut(const struct apitrace_cut_cursor *cursor)
{
    return &cursor->cut;
}

uint64_t apitrace_cut_cursor_position(const struct apitrace_cut_cursor *cursor)
{
    return cursor->position;
}

uint64_t apitrace_cut_cursor_memory(const struct apitrace_cut_cursor *cursor)
{
    return sizeof(*cursor) + cursor->part_room * sizeof(*cursor->parts) +
           cursor->cut.cuts->index->definitions.count * sizeof(*cursor->defined) +
           apitrace_map_count(&cursor->open) * OPEN_BYTES + cursor->call.reader.stretch.size +
           cursor->bytes.stretch.size;
}

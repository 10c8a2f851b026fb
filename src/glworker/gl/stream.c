/* SPDX-License-Identifier: MIT */
/*
 * Events are read in the buffer without copying. An incomplete event is read again from its
 * beginning after considerably more bytes have arrived; definitions that were seen before are
 * recognised by their position. Enter events of calls that are still open are copied before their
 * bytes are dropped.
 */
#include "config.h"

#include "glworker/gl/stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    VERSION_MAX = 6,
    DEFINITIONS_MAX = 256 << 20, /* bytes of all definitions */
    TAIL = 64,                   /* bytes after the buffer's end that may be accessed */
};

int retrace_stream_init(struct retrace_stream *stream)
{
    *stream = (struct retrace_stream){.bytes = NULL};
    return apitrace_definitions_init(&stream->definitions, DEFINITIONS_MAX);
}

static void free_event(struct retrace_event *event)
{
    if (event != NULL)
        free(event->copy);
    free(event);
}

void retrace_stream_clear(struct retrace_stream *stream)
{
    for (uint32_t n = 0; n < stream->open_count; n++)
        free_event(stream->open[n]);
    free_event(stream->ready);
    while (stream->spare != NULL) {
        struct retrace_event *event = stream->spare;

        stream->spare = event->next;
        free_event(event);
    }
    free(stream->open);
    free(stream->bytes);
    apitrace_definitions_clear(&stream->definitions);
    *stream = (struct retrace_stream){.bytes = NULL};
}

/* Feeding. */

/*
 * Copies the enter event of an open call from the bytes before `at`, which are about to be dropped.
 */
static int copy_enter(struct retrace_stream *stream, struct retrace_event *event)
{
    const uint64_t size = event->copied;

    if (event->copy != NULL)
        return 0;
    if (size > RETRACE_HELD_MAX - stream->held)
        return -EFBIG;
    event->copy = malloc((size_t)size);
    if (event->copy == NULL)
        return -ENOMEM;
    memcpy(event->copy, stream->bytes + (event->enter - stream->begin), (size_t)size);
    stream->held += size;
    return 0;
}

/* Drops the bytes before the next event, except those that the call at hand needs. */
static int drop_read(struct retrace_stream *stream)
{
    const struct retrace_event *ready = stream->ready;
    uint64_t gone = stream->at - stream->begin;

    if (ready != NULL && ready->copy == NULL)
        gone = ready->enter - stream->begin;
    else if (ready != NULL && ready->returned)
        gone = ready->left - stream->begin;
    for (uint32_t n = 0; n < stream->open_count; n++) {
        int status = copy_enter(stream, stream->open[n]);

        if (status < 0)
            return status;
    }
    memmove(stream->bytes, stream->bytes + gone, (size_t)(stream->size - gone));
    stream->begin += gone;
    stream->size -= gone;
    return 0;
}

static int make_room(struct retrace_stream *stream, uint64_t more)
{
    uint64_t room = stream->size + more + stream->size / 2;
    uint8_t *bytes;

    if (more <= stream->room - stream->size)
        return 0;
    if (stream->size + more > RETRACE_HELD_MAX)
        return -EFBIG;
    bytes = realloc(stream->bytes, (size_t)room + TAIL);
    if (bytes == NULL)
        return -ENOMEM;
    stream->bytes = bytes;
    stream->room = room;
    return 0;
}

/* As long as more bytes may come, counts are not checked against the bytes that there are. */
static struct apitrace_stream window_of(const struct retrace_stream *stream, const uint8_t *bytes,
                                        uint64_t begin, uint64_t size)
{
    return (struct apitrace_stream){.container = APITRACE_BARE,
                                    .size = stream->ended ? stream->begin + stream->size
                                                          : (uint64_t)INT64_MAX,
                                    .fed = bytes,
                                    .fed_at = begin,
                                    .fed_size = size};
}

/*
 * Readers keep their state from one event to the next, because there are hundreds of thousands of
 * events.
 */
static void open_windows(struct retrace_stream *stream)
{
    stream->window = window_of(stream, stream->bytes, stream->begin, stream->size);
    apitrace_reader_init(&stream->reader, &stream->window, NULL);
    stream->reader.defines = true;
    stream->values.stream = NULL;
}

static int append(struct retrace_stream *stream, const uint8_t *bytes, size_t size)
{
    int status = stream->at > stream->begin ? drop_read(stream) : 0;

    if (status == 0)
        status = make_room(stream, size);
    if (status < 0)
        return status;
    memcpy(stream->bytes + stream->size, bytes, size);
    stream->size += size;
    return 0;
}

int retrace_stream_feed(struct retrace_stream *stream, const uint8_t *bytes, size_t size, bool last)
{
    int status = size > 0 && !stream->broken ? append(stream, bytes, size) : 0;

    if (status == 0) {
        stream->end += size;
        stream->ended |= last;
        /* no more bytes were provided, so try with those that there are */
        stream->retry = size == 0 ? 0 : stream->retry;
    }
    open_windows(stream);
    return status;
}

/* Reading. */

struct apitrace_reader *retrace_stream_read(struct retrace_stream *stream,
                                            const struct retrace_event *event, uint64_t place)
{
    if (event->copy != NULL && place - event->enter < event->copied) {
        stream->copy = window_of(stream, event->copy, event->enter, event->copied);
        apitrace_reader_init(&stream->values, &stream->copy, NULL);
    } else if (stream->values.stream != &stream->window) {
        apitrace_reader_init(&stream->values, &stream->window, NULL);
    }
    apitrace_reader_seek(&stream->values, place);
    return &stream->values;
}

static void break_off(struct retrace_stream *stream, const char *why)
{
    stream->broken = true;
    snprintf(stream->fault, sizeof(stream->fault), "%s", why);
}

static struct retrace_event *take_event(struct retrace_stream *stream)
{
    struct retrace_event *event = stream->spare;

    if (event == NULL)
        return calloc(1, sizeof(*event));
    stream->spare = event->next;
    *event = (struct retrace_event){.number = 0};
    return event;
}

static void drop(struct retrace_stream *stream, struct retrace_event *event)
{
    if (event->copy != NULL)
        stream->held -= event->copied;
    free(event->copy);
    event->copy = NULL;
    event->next = stream->spare;
    stream->spare = event;
}

/* Returns the index of an open call, or the index at which it would be inserted. */
static uint32_t find_open(const struct retrace_stream *stream, uint64_t number)
{
    uint32_t low = 0, high = stream->open_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (stream->open[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int add_open(struct retrace_stream *stream, struct retrace_event *event)
{
    if (stream->open_count == stream->open_room) {
        uint32_t room = stream->open_room == 0 ? 16 : 2 * stream->open_room;
        struct retrace_event **open;

        open = room > RETRACE_OPEN_MAX ? NULL : realloc(stream->open, room * sizeof(*open));
        if (open == NULL)
            return -ENOMEM;
        stream->open = open;
        stream->open_room = room;
    }
    stream->open[stream->open_count++] = event; /* in ascending order of numbers */
    return 0;
}

static struct retrace_event *remove_open(struct retrace_stream *stream, uint32_t place)
{
    struct retrace_event *event = stream->open[place];

    stream->open_count--;
    memmove(stream->open + place, stream->open + place + 1,
            (stream->open_count - place) * sizeof(*stream->open));
    return event;
}

/* Stores details of an event in the call. */
struct detail {
    struct retrace_event *event;
    struct apitrace_definitions *definitions;
};

static void meet_argument(void *context, struct apitrace_reader *reader, uint32_t number)
{
    struct detail *detail = context;
    uint64_t place = apitrace_reader_position(reader);

    apitrace_skip_value(reader, detail->definitions, NULL, NULL);
    if (reader->status == 0 && number < RETRACE_PLACES)
        detail->event->places[number] = place;
}

static void meet_result(void *context, struct apitrace_reader *reader)
{
    struct detail *detail = context;
    uint64_t place = apitrace_reader_position(reader);

    apitrace_skip_value(reader, detail->definitions, NULL, NULL);
    if (reader->status == 0)
        detail->event->result = place;
}

static void meet_thread(void *context, uint64_t thread)
{
    struct detail *detail = context;

    if (detail->definitions->version < 4)
        detail->event->thread = (uint32_t)thread;
}

static void meet_flags(void *context, uint64_t flags)
{
    struct detail *detail = context;

    detail->event->fake = (flags & 1) != 0;
}

static void read_details(struct retrace_stream *stream, struct apitrace_reader *reader,
                         struct retrace_event *event)
{
    struct detail detail = {event, &stream->definitions};
    const struct apitrace_details details = {.context = &detail,
                                             .argument = meet_argument,
                                             .result = meet_result,
                                             .thread = meet_thread,
                                             .flags = meet_flags};

    apitrace_scan_details(reader, &stream->definitions, event->function->argument_count, &details);
}

static int read_enter(struct retrace_stream *stream, struct apitrace_reader *reader)
{
    struct retrace_event *event = take_event(stream);
    int status = event == NULL ? -ENOMEM : 0;

    if (status < 0)
        return status;
    event->number = stream->calls;
    event->enter = stream->at;
    if (stream->definitions.version >= 4)
        event->thread = (uint32_t)apitrace_read_number(reader);
    event->function = apitrace_read_function(reader, &stream->definitions);
    if (event->function != NULL)
        read_details(stream, reader, event);
    event->copied = apitrace_reader_position(reader) - event->enter;
    if (reader->status == 0)
        status = add_open(stream, event);
    if (reader->status != 0 || status < 0)
        drop(stream, event);
    else
        stream->calls++;
    return status;
}

/*
 * Reads the return of a call. Ignores calls that are not open, and calls whose return is cut off.
 */
static struct retrace_event *read_leave(struct retrace_stream *stream,
                                        struct apitrace_reader *reader)
{
    const struct apitrace_details nobody = {0};
    uint64_t number = apitrace_read_number(reader);
    uint32_t place = find_open(stream, number);
    struct retrace_event *event;

    if (reader->status != 0)
        return NULL;
    if (place == stream->open_count || stream->open[place]->number != number) {
        apitrace_scan_details(reader, &stream->definitions, UINT32_MAX - 16, &nobody);
        return NULL;
    }
    event = stream->open[place];
    event->left = stream->at;
    event->returned = true;
    read_details(stream, reader, event);
    if (reader->status == 0)
        return remove_open(stream, place);
    if (stream->ended || reader->status != -ENODATA)
        drop(stream, remove_open(stream, place));
    return NULL;
}

static void read_head(struct retrace_stream *stream, struct apitrace_reader *reader)
{
    uint64_t version = apitrace_read_number(reader);

    if (reader->status == 0 && version > VERSION_MAX)
        apitrace_reader_fault(reader, 0, "version %llu is unknown", (unsigned long long)version);
    stream->definitions.version = (unsigned)version;
    if (version < 6)
        return;
    apitrace_read_number(reader);
    for (;;) {
        uint64_t length = apitrace_read_number(reader);

        if (length == 0 || reader->status != 0)
            return;
        apitrace_skip_bytes(reader, length);
        apitrace_skip_bytes(reader, apitrace_read_number(reader));
    }
}

/* Reads one event, or the header. Returns false if that is not possible, now or ever. */
static bool read_one(struct retrace_stream *stream, struct retrace_event **ready)
{
    struct apitrace_reader *reader = &stream->reader;
    uint64_t left = stream->begin + stream->size - stream->at;
    uint8_t event;
    int status = 0;

    if (left == 0 || stream->broken || (left < stream->retry && !stream->ended))
        return false;
    apitrace_reader_seek(reader, stream->at);
    if (!stream->headed) {
        read_head(stream, reader);
    } else {
        event = apitrace_read_byte(reader);
        if (event == APITRACE_EVENT_ENTER)
            status = read_enter(stream, reader);
        else if (event == APITRACE_EVENT_LEAVE)
            *ready = read_leave(stream, reader);
        else
            apitrace_reader_fault(reader, stream->at, "unknown event %u", event);
    }
    if (status == 0 && reader->status == -ENODATA && !stream->ended) {
        stream->retry = left + left / 4 + 256;
        return false;
    }
    if (status < 0 || reader->status != 0) {
        break_off(stream, status < 0                   ? "too many calls are open"
                          : reader->status == -ENODATA ? "it is cut off"
                          : reader->fault[0] != '\0'   ? reader->fault
                                                       : "it is damaged");
        return false;
    }
    stream->headed = true;
    stream->retry = 0;
    stream->at = apitrace_reader_position(reader);
    return true;
}

struct retrace_event *retrace_stream_next(struct retrace_stream *stream)
{
    while (stream->ready == NULL && read_one(stream, &stream->ready))
        ;
    if (stream->ready == NULL && stream->ended && stream->open_count > 0)
        stream->ready = remove_open(stream, 0);
    return stream->ready;
}

void retrace_stream_drop(struct retrace_stream *stream)
{
    drop(stream, stream->ready);
    stream->ready = NULL;
}

void retrace_stream_rewind(struct retrace_stream *stream, uint64_t place, uint64_t call)
{
    while (stream->open_count > 0)
        drop(stream, remove_open(stream, stream->open_count - 1));
    if (stream->ready != NULL)
        retrace_stream_drop(stream);
    stream->begin = stream->end = stream->at = place;
    stream->size = stream->retry = 0;
    stream->ended = stream->broken = false; /* damage after that place is found again */
    stream->fault[0] = '\0';
    stream->calls = call;
    open_windows(stream);
}

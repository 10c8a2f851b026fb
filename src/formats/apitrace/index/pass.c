/* SPDX-License-Identifier: MIT */
/*
 * Enter events open calls, and leave events list them. The latest WINDOW calls are kept as they
 * are. Older ones are written to the index's records. An older call that is still open also has an
 * entry in the table of late calls, which takes its leave. So every call is found in constant time,
 * and even a file that consists only of enter events costs little more than its records.
 */
#include "formats/apitrace/index/index.h"

#include "formats/apitrace/decode/events.h"
#include "formats/apitrace/index/lister.h"

#include <errno.h>
#include <stdlib.h>

enum {
    WINDOW = 4096,      /* a power of two */
    CHECK_EVERY = 4096, /* events between checks for cancellation, memory and progress */
};

/* A call in the window. */
struct open_call {
    struct apitrace_record record;
    bool closed;
    bool has_blobs;
};

struct apitrace_pass {
    struct apitrace_index *index;
    const struct apitrace_index_params *params;
    struct apitrace_reader reader;
    struct apitrace_details details;
    struct open_call *window; /* by number modulo WINDOW: the calls from `base` on */
    uint64_t base, count;     /* `count` is the number of calls so far */
    struct apitrace_lister lister;
    uint64_t cut[2];             /* numbers of calls that are cut off; UINT64_MAX if none */
    uint64_t events;             /* number so far */
    const struct cancel *cancel; /* of the caller that runs the pass */
    int status;                  /* 0, or a failure that is not the trace's fault */
    bool frame_ended;            /* by the current event */

    /* The current event. */
    struct open_call *call; /* NULL: its call is not open, or is late */
    uint64_t number;
    uint32_t argument;
    bool has_blobs, fake, error; /* `error`: glGetError returned something other than 0 */
    bool has_thread, has_result;
    uint64_t thread;
    const struct apitrace_function *function;
};

static void fail(struct apitrace_pass *pass, int status)
{
    if (pass->status == 0)
        pass->status = status;
}

static void problem(struct apitrace_pass *pass, enum problem_severity severity, uint64_t place,
                    uint64_t call, const char *what)
{
    problems_add(pass->params->problems, severity, place, call, "stream: %s", what);
}

/* Gives a call, whose function is known, its place in the listing. */
static void list_call(struct apitrace_pass *pass, struct apitrace_record *record,
                      const struct apitrace_function *function)
{
    const struct apitrace_listed listed = {.record = record,
                                           .function = function,
                                           .is_error = pass->error,
                                           .position = apitrace_reader_position(&pass->reader)};

    if (pass->status == 0)
        fail(pass, apitrace_lister_add(&pass->lister, &listed));
    pass->frame_ended |= pass->lister.frame_ended;
}

/* The window. */

/* Writes the record of call number `base`. */
static void write_call(struct apitrace_pass *pass, const struct apitrace_record *record, bool late)
{
    if (pass->status == 0 && apitrace_calls_add(&pass->index->calls, record, late) < 0)
        fail(pass, -ENOMEM);
    if (pass->status == 0)
        pass->base++;
}

/* Moves the oldest call of the window to the records. */
static void flush_call(struct apitrace_pass *pass)
{
    const struct open_call *call = &pass->window[pass->base % WINDOW];

    write_call(pass, &call->record, !call->closed);
}

static struct open_call *open_call(struct apitrace_pass *pass, uint64_t place)
{
    struct open_call *call;

    if (pass->count - pass->base == WINDOW)
        flush_call(pass);
    call = &pass->window[pass->count % WINDOW];
    *call = (struct open_call){.record = {.number = pass->count,
                                          .enter = place,
                                          .leave = APITRACE_NO_LEAVE,
                                          .order = APITRACE_NO_ORDER,
                                          .function = APITRACE_NO_FUNCTION}};
    pass->count++;
    return call;
}

/* Writes the closed calls at the front of the window, so that it usually holds only few. */
static void flush_closed(struct apitrace_pass *pass)
{
    while (pass->status == 0 && pass->base < pass->count &&
           pass->window[pass->base % WINDOW].closed)
        flush_call(pass);
}

static struct open_call *find_open(struct apitrace_pass *pass, uint64_t number)
{
    struct open_call *call = NULL;

    if (number >= pass->base && number < pass->count)
        call = &pass->window[number % WINDOW];
    return call != NULL && !call->closed ? call : NULL;
}

/* Details. */

static void add_blob(struct apitrace_pass *pass, uint64_t position, uint64_t size, uint32_t ordinal)
{
    struct apitrace_index *index = pass->index;

    if (apitrace_grow(&index->blobs, index->blob_count, &index->blob_room, sizeof(*index->blobs),
                      &index->memory) < 0)
        fail(pass, -ENOMEM);
    else
        index->blobs[index->blob_count++] =
            (struct apitrace_blob){position, size, (uint32_t)pass->number, pass->argument, ordinal};
}

static void blob_met(void *context, uint64_t position, uint64_t size)
{
    struct apitrace_pass *pass = context;

    pass->has_blobs = true;
    pass->details.plain = false; /* any later argument may replace one that was given before */
    add_blob(pass, position, size, 0);
}

/* A later value of an argument replaces an earlier one, including the blobs in it. */
static void read_value(struct apitrace_pass *pass, struct apitrace_reader *reader,
                       uint32_t argument)
{
    pass->argument = argument;
    if (pass->has_blobs)
        add_blob(pass, apitrace_reader_position(reader), 0, APITRACE_BLOB_REPLACED);
    apitrace_skip_value(reader, &pass->index->definitions, blob_met, pass);
}

static void read_argument(void *context, struct apitrace_reader *reader, uint32_t number)
{
    read_value(context, reader, number);
}

static void read_error(struct apitrace_pass *pass, struct apitrace_reader *reader)
{
    struct apitrace_value value;
    int64_t error = 0;

    apitrace_read_value(reader, &pass->index->definitions, &value);
    if (value.type == APITRACE_REPR) { /* the form for machines counts */
        apitrace_skip_value(reader, &pass->index->definitions, NULL, NULL);
        apitrace_read_value(reader, &pass->index->definitions, &value);
    }
    apitrace_skip_rest(reader, &pass->index->definitions, &value);
    pass->error = apitrace_value_integer(&value, &error) && error != 0;
    pass->has_result = true;
}

static void read_result(void *context, struct apitrace_reader *reader)
{
    struct apitrace_pass *pass = context;

    if (pass->function != NULL && pass->function->semantic == APITRACE_GET_ERROR)
        read_error(pass, reader);
    else
        read_value(pass, reader, APITRACE_RESULT);
}

static void read_thread(void *context, uint64_t thread)
{
    struct apitrace_pass *pass = context;

    pass->has_thread = true;
    pass->thread = thread;
}

static void read_flags(void *context, uint64_t flags)
{
    struct apitrace_pass *pass = context;

    pass->fake = (flags & 1) != 0;
}

static bool read_details(struct apitrace_pass *pass, uint32_t arguments)
{
    pass->details.plain = !pass->has_blobs;
    pass->fake = pass->error = pass->has_thread = pass->has_result = false;
    return apitrace_scan_details(&pass->reader, &pass->index->definitions, arguments,
                                 &pass->details);
}

/* Applies the details of an event to its call's record. */
static void take_details(struct apitrace_pass *pass, struct apitrace_record *record)
{
    if (pass->has_thread && pass->index->version < 4 && pass->thread < APITRACE_ID_MAX)
        record->thread = (uint32_t)pass->thread;
    if (pass->fake)
        record->marks |= APITRACE_FAKE;
    if (pass->has_result && !pass->error)
        record->marks |= APITRACE_HIDDEN;
}

/* Events. */

static void cut_call(struct apitrace_pass *pass, struct apitrace_record *record)
{
    record->marks = (uint8_t)((record->marks & ~APITRACE_INCOMPLETE) | APITRACE_CUT);
    pass->cut[pass->cut[0] != UINT64_MAX] = record->number;
}

static void meet_function(struct apitrace_pass *pass, struct apitrace_record *record)
{
    const struct apitrace_function *function = pass->function;

    record->function = function->number;
    record->marks |= function->classes & APITRACE_VERBOSE ? APITRACE_HIDDEN : 0;
    fail(pass, apitrace_lister_meet(&pass->lister, function));
}

static void read_enter(struct apitrace_pass *pass, uint64_t place)
{
    struct apitrace_reader *reader = &pass->reader;
    struct open_call *call = open_call(pass, place);
    struct apitrace_record *record = &call->record;
    uint64_t thread;

    if (pass->status != 0)
        return;
    pass->number = record->number;
    pass->has_blobs = false;
    thread = pass->index->version >= 4 ? apitrace_read_number(reader) : 0;
    if (reader->status == 0 && thread >= APITRACE_ID_MAX)
        apitrace_reader_fault(reader, place + 1, "thread %llu is too large",
                              (unsigned long long)thread);
    record->thread = (uint32_t)thread;
    pass->function = apitrace_read_function(reader, &pass->index->definitions);
    if (pass->function != NULL)
        meet_function(pass, record);
    if (pass->function != NULL && read_details(pass, pass->function->argument_count)) {
        take_details(pass, record);
        call->has_blobs = pass->has_blobs;
    } else {
        cut_call(pass, record);
        call->closed = true;
    }
    record->enter_bytes = apitrace_reader_position(reader) - place;
}

static void leave_open(struct apitrace_pass *pass, struct open_call *call, uint64_t place)
{
    struct apitrace_record *record = &call->record;

    pass->function = apitrace_index_function(pass->index, record);
    pass->has_blobs = call->has_blobs;
    if (read_details(pass, pass->function->argument_count))
        take_details(pass, record);
    else
        cut_call(pass, record);
    record->leave = place;
    record->leave_bytes = apitrace_reader_position(&pass->reader) - place;
    call->closed = true;
    if ((record->marks & APITRACE_CUT) == 0)
        list_call(pass, record, pass->function);
    flush_closed(pass);
}

/*
 * Reads a call that returns before anything else happens and has nothing to be kept, as most calls
 * do. It is read in one go and needs no place in the window. Returns false, without reading
 * anything, for any other call.
 */
static bool read_plain_call(struct apitrace_pass *pass, uint64_t place)
{
    struct apitrace_plain_call call;
    struct apitrace_record record;

    if (pass->base != pass->count || pass->index->version < 4 ||
        !apitrace_scan_plain_call(&pass->reader, &pass->index->definitions, pass->count, &call))
        return false;
    record = (struct apitrace_record){.number = pass->count,
                                      .enter = place,
                                      .enter_bytes = call.enter_bytes,
                                      .leave = place + call.enter_bytes,
                                      .leave_bytes = call.leave_bytes,
                                      .function = call.function->number,
                                      .thread = call.thread};
    if (call.function->classes & APITRACE_VERBOSE)
        record.marks = APITRACE_HIDDEN;
    pass->error = false;
    pass->count++;
    list_call(pass, &record, call.function);
    write_call(pass, &record, false);
    return true;
}

/* Returns the record of a call that has left the window, as it would be in the window. */
static struct apitrace_record late_record(struct apitrace_pass *pass, uint64_t number)
{
    struct apitrace_walk walk;
    struct apitrace_record record;

    apitrace_walk_init(&walk, &pass->index->calls);
    record = *apitrace_walk_to(&walk, number);
    record.leave = APITRACE_NO_LEAVE;
    record.order = APITRACE_NO_ORDER;
    record.marks &= APITRACE_HIDDEN | APITRACE_FAKE;
    return record;
}

static void leave_late(struct apitrace_pass *pass, uint64_t number, uint64_t place)
{
    struct apitrace_record record = late_record(pass, number);

    pass->function = apitrace_index_function(pass->index, &record);
    pass->has_blobs = true; /* no longer known */
    if (read_details(pass, pass->function->argument_count))
        take_details(pass, &record);
    else
        cut_call(pass, &record);
    record.leave = place;
    record.leave_bytes = apitrace_reader_position(&pass->reader) - place;
    if ((record.marks & APITRACE_CUT) == 0)
        list_call(pass, &record, pass->function);
    apitrace_calls_close(&pass->index->calls, &record);
}

static void read_leave(struct apitrace_pass *pass, uint64_t place)
{
    struct apitrace_reader *reader = &pass->reader;
    uint64_t number = apitrace_read_number(reader);
    struct open_call *call = find_open(pass, number);
    const struct apitrace_details ignored = {0};

    pass->number = number;
    if (reader->status != 0)
        return;
    if (call != NULL) {
        leave_open(pass, call, place);
    } else if (apitrace_calls_is_open(&pass->index->calls, number)) {
        leave_late(pass, number, place);
    } else {
        problem(pass, PROBLEM_WARNING, place, PROBLEM_NOWHERE,
                "a call returns that was not entered");
        apitrace_scan_details(reader, &pass->index->definitions, UINT32_MAX - 16, &ignored);
    }
}

/* The end. */

static void finish_open(struct apitrace_pass *pass)
{
    struct apitrace_index *index = pass->index;

    pass->error = false;
    for (uint64_t n = 0; index->calls.late_open > 0 && pass->status == 0; n++) {
        struct apitrace_record record;

        if (index->calls.late[n].known)
            continue;
        record = late_record(pass, index->calls.late[n].number);
        record.marks |= APITRACE_INCOMPLETE;
        list_call(pass, &record, apitrace_index_function(index, &record));
        apitrace_calls_close(&index->calls, &record);
    }
    while (pass->base < pass->count && pass->status == 0) {
        struct open_call *call = &pass->window[pass->base % WINDOW];

        if (!call->closed) {
            call->record.marks |= APITRACE_INCOMPLETE;
            list_call(pass, &call->record, apitrace_index_function(index, &call->record));
            call->closed = true;
        }
        flush_call(pass);
    }
    apitrace_lister_end(&pass->lister, apitrace_reader_position(&pass->reader));
}

/* Reports why the pass ended before the stream's end, and which flags are not shown. */
static void report_end(struct apitrace_pass *pass)
{
    struct apitrace_reader *reader = &pass->reader;
    uint64_t call = pass->cut[0] != UINT64_MAX ? pass->cut[0] : PROBLEM_NOWHERE;

    if (pass->index->definitions.cut_bitmasks > 0)
        problem(pass, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                "a bit mask has too many flags: the last ones are shown as numbers");
    switch (reader->status) {
    case 0:
        break;
    case -ENODATA:
        problem(pass, PROBLEM_WARNING, reader->fault_place, call,
                "the trace ends in the middle of an event");
        break;
    case -EBADMSG:
        if (reader->fault[0] == '\0')
            problem(pass, PROBLEM_ERROR, reader->fault_place, call, "a chunk is damaged");
        else
            problem(pass, PROBLEM_ERROR, reader->fault_place, call, reader->fault);
        break;
    case -EFBIG:
        problem(pass, PROBLEM_ERROR, reader->fault_place, call,
                "definitions take more than max-memory allows");
        break;
    default:
        fail(pass, reader->status);
    }
}

/* Returns whether the pass may continue. Called every CHECK_EVERY events. */
static bool check(struct apitrace_pass *pass)
{
    const struct source_params *params = pass->params->source_params;
    const struct apitrace_stream *stream = &pass->index->stream;
    uint64_t position = apitrace_reader_position(&pass->reader);

    if (cancel_requested(pass->cancel))
        fail(pass, -EINTR);
    if (pass->index->memory.taken + pass->index->calls.memory.taken > pass->params->max_memory) {
        problem(pass, PROBLEM_ERROR, position, PROBLEM_NOWHERE,
                "the index takes more than max-memory allows: the rest is not shown");
        return false;
    }
    if (pass->count >= UINT32_MAX - CHECK_EVERY) {
        problem(pass, PROBLEM_ERROR, position, PROBLEM_NOWHERE,
                "there are more calls than can be numbered: the rest is not shown");
        return false;
    }
    if (params->progress != NULL)
        params->progress(params->progress_context, position, stream->size);
    return pass->status == 0;
}

/* Writes all calls so far to the records. */
static void flush_all(struct apitrace_pass *pass)
{
    while (pass->status == 0 && pass->base < pass->count)
        flush_call(pass);
}

/* Reports the end of a frame of a trace that grows to the owner, which shows it. */
static void tell_frame(struct apitrace_pass *pass)
{
    const struct apitrace_index_params *params = pass->params;

    flush_all(pass);
    if (pass->status == 0 && apitrace_index_sum_up(pass->index) < 0)
        fail(pass, -ENOMEM);
    if (pass->status == 0)
        fail(pass, params->indexed(params->context));
}

static void read_event(struct apitrace_pass *pass, uint64_t place)
{
    uint8_t event = apitrace_read_byte(&pass->reader);

    if (event == APITRACE_EVENT_ENTER)
        read_enter(pass, place);
    else if (event == APITRACE_EVENT_LEAVE)
        read_leave(pass, place);
    else
        apitrace_reader_fault(&pass->reader, place, "unknown event %u", event);
}

static void read_one(struct apitrace_pass *pass)
{
    uint64_t place = apitrace_reader_position(&pass->reader);

    pass->frame_ended = false;
    if (!read_plain_call(pass, place))
        read_event(pass, place);
    if (pass->reader.status == 0)
        pass->index->end = apitrace_reader_position(&pass->reader);
    if (pass->frame_ended && pass->index->stream.growing != NULL)
        tell_frame(pass);
}

/* Returns true if there is nothing more to be read. */
static bool read_events(struct apitrace_pass *pass, uint64_t events, bool frame)
{
    for (uint64_t n = 0; n < events; n++) {
        if (pass->status != 0 || !apitrace_reader_more(&pass->reader))
            return true;
        read_one(pass);
        if (pass->reader.status != 0 || (++pass->events % CHECK_EVERY == 0 && !check(pass)))
            return true;
        if (frame && pass->frame_ended)
            break;
    }
    return false;
}

static void finish(struct apitrace_pass *pass)
{
    report_end(pass);
    if (pass->status == 0)
        finish_open(pass);
    if (pass->status == 0)
        apitrace_index_order_blobs(pass->index, pass->cut);
    apitrace_lister_order_threads(&pass->lister);
}

int apitrace_pass_create(struct apitrace_index *index, const struct apitrace_stream *stream,
                         uint64_t position, struct apitrace_pass **out)
{
    struct apitrace_pass *pass = calloc(1, sizeof(*pass));

    *out = pass;
    if (pass == NULL)
        return -ENOMEM;
    *pass = (struct apitrace_pass){.index = index,
                                   .params = &index->params,
                                   .cut = {UINT64_MAX, UINT64_MAX},
                                   .details = {.context = pass,
                                               .argument = read_argument,
                                               .result = read_result,
                                               .thread = read_thread,
                                               .flags = read_flags}};
    apitrace_reader_init(&pass->reader, stream, NULL);
    if (index->stream.growing != NULL)
        apitrace_reader_follow(&pass->reader, &index->stream);
    pass->reader.defines = true;
    apitrace_reader_seek(&pass->reader, position);
    index->end = position;
    pass->window = calloc(WINDOW, sizeof(*pass->window));
    if (pass->window != NULL && apitrace_lister_init(&pass->lister, index) == 0)
        return 0;
    apitrace_pass_destroy(out);
    return -ENOMEM;
}

void apitrace_pass_destroy(struct apitrace_pass **pass)
{
    if (*pass == NULL)
        return;
    apitrace_reader_clear(&(*pass)->reader);
    apitrace_lister_clear(&(*pass)->lister);
    free((*pass)->window);
    free(*pass);
    *pass = NULL;
}

int apitrace_pass_go(struct apitrace_pass *pass, uint64_t events, bool frame,
                     const struct cancel *cancel, bool *ended)
{
    pass->cancel = pass->reader.cancel = cancel;
    *ended = read_events(pass, events, frame);
    if (*ended)
        finish(pass);
    else if (frame)
        flush_all(pass);
    *ended &= pass->status == 0;
    return pass->status;
}

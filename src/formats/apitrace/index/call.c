/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/call.h"

#include "base/array.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

void apitrace_call_init(struct apitrace_call *call, const struct apitrace_index *index,
                        const struct cancel *cancel)
{
    *call = (struct apitrace_call){.index = index};
    /* the reader does not define anything */
    call->definitions = (struct apitrace_definitions *)(uintptr_t)&index->definitions;
    apitrace_reader_init(&call->reader, &index->stream, cancel);
    apitrace_walk_init(&call->walk, &index->calls);
}

void apitrace_call_clear(struct apitrace_call *call)
{
    apitrace_reader_clear(&call->reader);
    free(call->arguments);
    call->arguments = NULL;
}

static bool make_room(struct apitrace_call *call, uint32_t count)
{
    while (call->argument_room < count)
        if (ARRAY_GROW(call->arguments, call->argument_room, call->argument_room) != 0) {
            apitrace_reader_fail(&call->reader, -ENOMEM);
            return false;
        }
    return true;
}

/* Ensures at least `count` arguments; additional ones count as not given. */
static bool set_count(struct apitrace_call *call, uint32_t count)
{
    if (!make_room(call, count))
        return false;
    for (uint32_t n = call->argument_count; n < count; n++)
        call->arguments[n] = 0;
    if (count > call->argument_count)
        call->argument_count = count;
    return true;
}

static void meet_argument(void *context, struct apitrace_reader *reader, uint32_t number)
{
    struct apitrace_call *call = context;
    uint64_t place = apitrace_reader_position(reader);

    apitrace_skip_value(reader, call->definitions, NULL, NULL);
    if (reader->status == 0 && (number < call->argument_count || set_count(call, number + 1)))
        call->arguments[number] = place;
}

static void meet_result(void *context, struct apitrace_reader *reader)
{
    struct apitrace_call *call = context;
    uint64_t place = apitrace_reader_position(reader);

    apitrace_skip_value(reader, call->definitions, NULL, NULL);
    if (reader->status == 0)
        call->result = place;
}

static void meet_backtrace(void *context, uint64_t position)
{
    ((struct apitrace_call *)context)->backtrace = position;
}

static void read_details(struct apitrace_call *call)
{
    const struct apitrace_details details = {.context = call,
                                             .argument = meet_argument,
                                             .result = meet_result,
                                             .backtrace = meet_backtrace};

    apitrace_scan_details(&call->reader, call->definitions, call->function->argument_count,
                          &details);
}

/*
 * Returns the address after the thread and the function's id, if they are in memory, no definition
 * follows, and no function needs to be called for the id; otherwise NULL.
 */
static const uint8_t *plain_enter(const struct apitrace_call *call)
{
    const struct apitrace_reader *reader = &call->reader;
    const uint8_t *at = reader->at;
    uint64_t number;

    if (call->index->version < 4 || reader->end - at < APITRACE_PLAIN_MAX || reader->refers != NULL)
        return NULL;
    at = apitrace_plain_number(at + 1, &number);
    if (at != NULL)
        at = apitrace_plain_number(at, &number);
    return at != NULL && apitrace_reader_position(reader) + (uint64_t)(at - reader->at) !=
                             call->function->base.position
               ? at
               : NULL;
}

bool apitrace_call_enter(struct apitrace_call *call)
{
    struct apitrace_reader *reader = &call->reader;
    const uint8_t *at;

    apitrace_reader_seek(reader, call->record->enter);
    at = plain_enter(call);
    if (at != NULL) {
        reader->at = at;
        return true;
    }
    apitrace_read_byte(reader);
    if (call->index->version >= 4)
        apitrace_read_number(reader);
    apitrace_skip_function(reader, call->function);
    return reader->status == 0;
}

bool apitrace_call_leave(struct apitrace_call *call)
{
    struct apitrace_reader *reader = &call->reader;
    const uint8_t *at = NULL;
    uint64_t number;

    if (call->record->leave == APITRACE_NO_LEAVE)
        return false;
    apitrace_reader_seek(reader, call->record->leave);
    if (reader->end - reader->at >= APITRACE_PLAIN_MAX)
        at = apitrace_plain_number(reader->at + 1, &number);
    if (at != NULL) {
        reader->at = at;
        return true;
    }
    apitrace_read_byte(reader);
    apitrace_read_number(reader);
    return reader->status == 0;
}

int apitrace_call_status(const struct apitrace_call *call)
{
    return apitrace_reader_error(&call->reader);
}

void apitrace_call_choose(struct apitrace_call *call, uint64_t number)
{
    call->record = apitrace_walk_to(&call->walk, number);
    call->function = apitrace_index_function(call->index, call->record);
    call->argument_count = 0;
    call->result = call->backtrace = 0;
}

int apitrace_call_read(struct apitrace_call *call, uint64_t number)
{
    int status;

    apitrace_call_choose(call, number);
    if (call->function == NULL)
        return 0;
    if (apitrace_call_enter(call) && set_count(call, call->function->argument_count))
        read_details(call);
    if (call->reader.status == 0 && apitrace_call_leave(call))
        read_details(call);
    status = apitrace_call_status(call);
    /* reading a call that is cut off fails, but yields what there is */
    return status == -EIO && call->record->marks & APITRACE_CUT ? 0 : status;
}

bool apitrace_call_argument(struct apitrace_call *call, uint32_t n, struct apitrace_value *value)
{
    if (n >= call->argument_count || call->arguments[n] == 0)
        return false;
    apitrace_reader_seek(&call->reader, call->arguments[n]);
    apitrace_read_value(&call->reader, call->definitions, value);
    if (value->type == APITRACE_ARRAY && value->number == 1)
        apitrace_read_value(&call->reader, call->definitions, value);
    return call->reader.status == 0;
}

/* Converts a value to an integer; floating-point numbers are truncated. */
static int64_t integer_of(const struct apitrace_value *value, int64_t otherwise)
{
    int64_t integer = 0;
    double real = 0;

    if (apitrace_value_integer(value, &integer))
        return integer;
    if (apitrace_value_real(value, &real) && real > -1e15 && real < 1e15)
        return (int64_t)real;
    return otherwise;
}

int64_t apitrace_call_integer(struct apitrace_call *call, uint32_t n, int64_t otherwise)
{
    struct apitrace_value value;

    return apitrace_call_argument(call, n, &value) ? integer_of(&value, otherwise) : otherwise;
}

static uint32_t argument_named(const struct apitrace_function *function, const char *name)
{
    for (uint32_t n = 0; n < function->argument_count; n++)
        if (strcmp(function->arguments[n].bytes, name) == 0)
            return n;
    return UINT32_MAX;
}

uint32_t apitrace_call_named(const struct apitrace_call *call, const char *name, ...)
{
    uint32_t argument = UINT32_MAX;
    va_list names;

    va_start(names, name);
    for (; name != NULL && argument == UINT32_MAX; name = va_arg(names, const char *))
        argument = argument_named(call->function, name);
    va_end(names);
    return argument;
}

int64_t apitrace_call_integer_named(struct apitrace_call *call, const char *name, int64_t otherwise)
{
    return apitrace_call_integer(call, argument_named(call->function, name), otherwise);
}

size_t apitrace_call_array(struct apitrace_call *call, uint32_t n, int64_t *out, size_t max)
{
    struct apitrace_value value;
    uint64_t count = 1;

    if (n >= call->argument_count || call->arguments[n] == 0 || max == 0)
        return 0;
    apitrace_reader_seek(&call->reader, call->arguments[n]);
    apitrace_read_value(&call->reader, call->definitions, &value);
    if (value.type == APITRACE_ARRAY) {
        count = value.number < max ? value.number : max;
        for (uint64_t i = 0; i < count && call->reader.status == 0; i++) {
            apitrace_read_value(&call->reader, call->definitions, &value);
            out[i] = integer_of(&value, 0);
            apitrace_skip_rest(&call->reader, call->definitions, &value);
        }
    } else {
        out[0] = integer_of(&value, 0);
    }
    return call->reader.status == 0 ? (size_t)count : 0;
}

int64_t apitrace_call_result(struct apitrace_call *call, int64_t otherwise)
{
    struct apitrace_value value;
    int64_t integer = 0;

    if (call->result == 0)
        return otherwise;
    apitrace_reader_seek(&call->reader, call->result);
    apitrace_read_value(&call->reader, call->definitions, &value);
    return apitrace_value_integer(&value, &integer) ? integer : otherwise;
}

int64_t apitrace_call_operand(struct apitrace_call *call, unsigned n)
{
    uint32_t argument = call->function->gl->arguments[n];

    return argument == APITRACE_RESULT ? apitrace_call_result(call, 0)
                                       : apitrace_call_integer(call, argument, 0);
}

/* SPDX-License-Identifier: MIT */
/* Reads the values of a call from the trace, converted to the types that its function takes. */
#include "config.h"

#include "glworker/gl/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_BLOCK = 256 << 10,
    ALIGNMENT = 64,
    OTHERS_MIN = 8, /* arguments that rules of functions other than OpenGL's may read */
};
#define SCRATCH_MAX (UINT64_C(1) << 30)

/* Memory of a call. */

void *retrace_scratch_take(struct retrace_scratch *scratch, uint64_t size)
{
    size_t used = (scratch->used + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    void *taken, **extra;

    if (size > SCRATCH_MAX)
        return NULL;
    if (scratch->block == NULL) {
        scratch->block = aligned_alloc(ALIGNMENT, FIRST_BLOCK);
        scratch->room = scratch->block == NULL ? 0 : FIRST_BLOCK;
    }
    if (used <= scratch->room && size <= scratch->room - used) {
        scratch->used = used + (size_t)size;
        return memset(scratch->block + used, 0, (size_t)size);
    }
    if (scratch->extra_count == scratch->extra_room) {
        extra = realloc(scratch->extra, (scratch->extra_room + 64) * sizeof(*extra));
        if (extra == NULL)
            return NULL;
        scratch->extra = extra;
        scratch->extra_room += 64;
    }
    taken = calloc(1, (size_t)size);
    if (taken != NULL)
        scratch->extra[scratch->extra_count++] = taken;
    return taken;
}

void retrace_scratch_reset(struct retrace_scratch *scratch)
{
    while (scratch->extra_count > 0)
        free(scratch->extra[--scratch->extra_count]);
    scratch->used = 0;
}

void retrace_scratch_clear(struct retrace_scratch *scratch)
{
    retrace_scratch_reset(scratch);
    free(scratch->extra);
    free(scratch->block);
    *scratch = (struct retrace_scratch){.block = NULL};
}

/* Reading. */

struct reading {
    struct retrace_scratch *scratch;
    struct apitrace_definitions *definitions;
    struct apitrace_reader *reader;
    bool short_of_memory;
};

/* Takes scratch memory that is aligned, and followed by zeros. */
static uint8_t *take(struct reading *reading, uint64_t size)
{
    uint8_t *bytes = NULL;

    if (size < SCRATCH_MAX - RETRACE_PAD)
        bytes = retrace_scratch_take(reading->scratch, size + RETRACE_PAD);
    reading->short_of_memory |= bytes == NULL;
    return bytes;
}

static void read_head(struct reading *reading, struct apitrace_value *value)
{
    apitrace_read_value(reading->reader, reading->definitions, value);
    if (value->type != APITRACE_REPR)
        return;
    apitrace_skip_value(reading->reader, reading->definitions, NULL, NULL);
    apitrace_read_value(reading->reader, reading->definitions, value);
}

static void store(uint8_t *to, unsigned type, const struct apitrace_value *value)
{
    int64_t integer = 0;
    double real = 0;
    float single;

    apitrace_value_real(value, &real);
    if (!apitrace_value_integer(value, &integer) && real > -9e18 && real < 9e18)
        integer = (int64_t)real;
    single = (float)real;
    if (type == RETRACE_F32)
        memcpy(to, &single, sizeof(single));
    else if (type == RETRACE_F64)
        memcpy(to, &real, sizeof(real));
    else
        /* little-endian, as all supported machines */
        memcpy(to, &integer, retrace_type_size(type));
}

/* Reads the bytes of a blob or string. */
static void read_bytes(struct reading *reading, const struct apitrace_value *value,
                       struct retrace_argument *out)
{
    if (value->number <= apitrace_reader_left(reading->reader))
        out->memory = take(reading, value->number);
    if (out->memory == NULL)
        return;
    out->kind = RETRACE_MEMORY;
    out->is_blob = true;
    out->size = value->number;
    apitrace_read_bytes(reading->reader, out->memory, (size_t)value->number);
}

static void read_elements(struct reading *reading, uint64_t count, unsigned type,
                          struct retrace_argument *out)
{
    const size_t size = retrace_type_size(type);
    struct apitrace_value value;

    out->memory = take(reading, count * size);
    if (out->memory == NULL)
        return;
    out->kind = RETRACE_MEMORY;
    out->count = count;
    out->size = count * size;
    for (uint64_t n = 0; n < count && reading->reader->status == 0; n++) {
        read_head(reading, &value);
        apitrace_skip_rest(reading->reader, reading->definitions, &value);
        store(out->memory + n * size, type, &value);
    }
}

static void read_pointers(struct reading *reading, uint64_t count, struct retrace_argument *out)
{
    struct apitrace_value value;
    void **pointers;

    out->memory = take(reading, count * sizeof(void *));
    out->sizes = (uint64_t *)take(reading, count * sizeof(*out->sizes));
    if (out->memory == NULL || out->sizes == NULL)
        return;
    pointers = (void **)out->memory;
    out->kind = RETRACE_MEMORY;
    out->count = count;
    out->size = count * sizeof(void *);
    for (uint64_t n = 0; n < count && reading->reader->status == 0; n++) {
        struct retrace_argument element = {.kind = RETRACE_ABSENT};

        read_head(reading, &value);
        if (value.type == APITRACE_BLOB || value.type == APITRACE_STRING)
            read_bytes(reading, &value, &element);
        else
            apitrace_skip_rest(reading->reader, reading->definitions, &value);
        if (value.type == APITRACE_OPAQUE || value.type == APITRACE_POSITIVE)
            pointers[n] = (void *)(uintptr_t)value.number; /* an offset (draws.c) */
        else
            pointers[n] = element.memory;
        out->sizes[n] = element.size;
    }
}

static void read_argument(struct reading *reading, const struct retrace_parameter *parameter,
                          struct retrace_argument *out)
{
    struct apitrace_value value;
    int64_t integer = 0;

    read_head(reading, &value);
    switch (value.type) {
    case APITRACE_BLOB:
    case APITRACE_STRING:
        /* Bytes instead of a list of pointers would let the trace choose the pointers. */
        if (parameter->way == RETRACE_IN_POINTERS)
            break;
        read_bytes(reading, &value, out);
        if (out->memory != NULL)
            out->count = out->size / retrace_type_size(parameter->type);
        break;
    case APITRACE_ARRAY:
        if (parameter->way == RETRACE_IN_POINTERS)
            read_pointers(reading, value.number, out);
        else
            read_elements(reading, value.number, parameter->type, out);
        break;
    case APITRACE_STRUCT:
    case APITRACE_WSTRING:
        break;
    case APITRACE_OPAQUE:
        out->kind = RETRACE_ADDRESS;
        out->number = value.number;
        break;
    default:
        out->kind = RETRACE_NUMBER;
        apitrace_value_real(&value, &out->real);
        if (!apitrace_value_integer(&value, &integer) && out->real > -9e18 && out->real < 9e18)
            integer = (int64_t)out->real;
        out->number = (uint64_t)integer;
    }
}

/* For functions that are not OpenGL's, which have lists of attributes and handles. */
static const struct retrace_parameter others = {.type = RETRACE_I64, .way = RETRACE_IN};

static void read_place(struct retrace *retrace, struct reading *reading,
                       const struct retrace_event *event, uint64_t place,
                       const struct retrace_parameter *parameter, struct retrace_argument *out)
{
    *out = (struct retrace_argument){.kind = RETRACE_ABSENT};
    if (place == 0)
        return;
    reading->reader = retrace_stream_read(&retrace->stream, event, place);
    read_argument(reading, parameter, out);
    if (reading->reader->status == -ENOMEM)
        reading->short_of_memory = true;
}

int retrace_call_read(struct retrace *retrace, struct retrace_event *event,
                      struct retrace_binding *binding, struct retrace_call *call)
{
    struct reading reading = {.scratch = &retrace->scratch,
                              .definitions = &retrace->stream.definitions};
    const struct retrace_function *gl = binding->gl;

    call->event = event;
    call->binding = binding;
    call->returned.wide = 0;
    call->count = gl != NULL ? gl->count : event->function->argument_count;
    if (call->count > RETRACE_ARGUMENTS_MAX)
        call->count = RETRACE_ARGUMENTS_MAX;
    for (unsigned n = call->count; gl == NULL && n < OTHERS_MIN; n++)
        call->arguments[n] = (struct retrace_argument){.kind = RETRACE_ABSENT};
    for (unsigned n = 0; n < call->count; n++)
        read_place(retrace, &reading, event, event->places[n],
                   gl != NULL ? &gl->parameters[n] : &others, &call->arguments[n]);
    read_place(retrace, &reading, event, event->result, &others, &call->result);
    return reading.short_of_memory ? -ENOMEM : 0;
}

int64_t retrace_integer(const struct retrace_call *call, unsigned n)
{
    return n < call->count ? (int64_t)call->arguments[n].number : 0;
}

int64_t retrace_element(const struct retrace_call *call, unsigned argument, uint64_t n)
{
    const struct retrace_function *gl = call->binding->gl;
    unsigned type = gl != NULL ? gl->parameters[argument].type : RETRACE_I64;
    uint64_t bits = 0;
    size_t size = retrace_type_size(type);

    if (argument >= call->count || call->arguments[argument].kind != RETRACE_MEMORY ||
        n >= call->arguments[argument].count)
        return 0;
    memcpy(&bits, call->arguments[argument].memory + n * size, size);
    if (type == RETRACE_I32)
        return (int32_t)bits;
    return (int64_t)bits;
}

uint64_t retrace_result(const struct retrace_call *call)
{
    return call->result.number;
}

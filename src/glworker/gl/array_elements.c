/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/array_elements.h"

#include "glworker/gl/buffers.h"
#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/draw_range.h"
#include "glworker/gl/values.h"

#include <string.h>

bool retrace_changes_arrays(const char *name)
{
    static const char *const parts[] = {
        "Array",  "Pointer", "ClientState", "ClientAttrib",  "VertexBuffer",
        "Format", "Binding", "BufferData",  "BufferStorage", "DeleteBuffers"};
    static const char *const draws[] = {"glDraw", "glMultiDraw", "glArrayElement"};

    for (size_t n = 0; n < sizeof(draws) / sizeof(draws[0]); n++)
        if (strncmp(name, draws[n], strlen(draws[n])) == 0)
            return false;
    for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++)
        if (strstr(name, parts[n]) != NULL)
            return true;
    return false;
}

static int64_t last_of(const struct retrace_fetch *fetch)
{
    const uint64_t element = retrace_fetch_bytes(fetch);
    int64_t size;

    if (fetch->buffer == 0)
        return fetch->memory != NULL ? INT64_MAX : -1;
    size = retrace_buffer_size(fetch->buffer);
    if (size < 0 || fetch->offset > (uint64_t)size || element > (uint64_t)size - fetch->offset)
        return -1;
    if (fetch->stride == 0)
        return INT64_MAX;
    return (int64_t)(((uint64_t)size - fetch->offset - element) / (uint64_t)fetch->stride);
}

static int64_t ask(const struct retrace *retrace)
{
    struct retrace_fetch fetches[RETRACE_FETCHES_MAX];
    const unsigned count = retrace_fetches(retrace, fetches);
    int64_t last = INT64_MAX;

    for (unsigned n = 0; n < count; n++) {
        const int64_t own = last_of(&fetches[n]);

        last = own < last ? own : last;
    }
    return last;
}

void retrace_elements_begin(struct retrace *retrace)
{
    struct retrace_context *context = retrace_context(retrace);

    if (context->in_begin || context->begun_changes == retrace->array_changes + 1)
        return;
    context->begun_last = ask(retrace);
    context->begun_changes = retrace->array_changes + 1;
}

/*
 * Returns the last element that all enabled arrays have, counting arrays in buffers and those
 * without a pointer; arrays.c checks those in memory of the trace. Returns INT64_MAX if there are
 * no such arrays, and -1 if one of them has no element.
 */
static int64_t last_element(struct retrace *retrace)
{
    retrace_elements_begin(retrace);
    return retrace_context(retrace)->begun_last;
}

enum retrace_outcome retrace_array_element(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_range range = {.last = (int32_t)retrace_integer(call, 0), .instances = 1};
    const enum retrace_outcome outcome = retrace_range_check(retrace, &range);
    const int64_t last = outcome == RETRACE_GO_ON ? last_element(retrace) : INT64_MAX;

    if (last < 0)
        return retrace_refuse(retrace, "it reads from an array without elements");
    if (last < INT64_MAX && (range.last < 0 || range.last > last))
        return retrace_refuse(retrace,
                              "it reads element %lld, but the last element of its arrays is %lld",
                              (long long)range.last, (long long)last);
    return outcome;
}

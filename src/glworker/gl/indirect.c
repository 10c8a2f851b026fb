/* SPDX-License-Identifier: MIT */
/* Draws whose parameters are in a buffer, or in memory of the trace. */
#include "config.h"

#include "base/bytes.h"
#include "glworker/gl/buffers.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/values.h"

#include <string.h>

enum { NUMBERS = 5 };

/*
 * Reads the parameters of a draw at an offset in memory or in the bound buffer. Returns false if
 * they are not there.
 */
static bool read_numbers(const struct retrace_argument *from, uint64_t place, uint64_t bytes,
                         uint32_t out[NUMBERS])
{
    const GLuint buffer = (GLuint)retrace_get(GL_DRAW_INDIRECT_BUFFER_BINDING);
    const uint64_t offset = from->number + place;

    if (from->kind == RETRACE_MEMORY) {
        if (!bytes_inside(place, bytes, from->size))
            return false;
        memcpy(out, from->memory + place, (size_t)bytes);
        return true;
    }
    return from->number <= UINT32_MAX && buffer != 0 &&
           bytes_inside(offset, bytes, (uint64_t)retrace_buffer_size(buffer)) &&
           retrace_buffer_read(buffer, (int64_t)offset, (int64_t)bytes, (uint8_t *)out);
}

/*
 * Returns the bytes from one draw's parameters to the next: the call's last argument, or their size
 * if that is 0 or missing.
 */
static uint64_t stride_of(const struct retrace_call *call)
{
    const int32_t stride = call->count > (call->binding->detail & 15) + 2
                               ? (int32_t)retrace_integer(call, call->count - 1)
                               : 0;

    return stride > 0 ? (uint32_t)stride : call->binding->detail >> 4;
}

/*
 * Checks a draw with these parameters. `type` is the type of its indices, which are in the bound
 * buffer, or 0 if it has none.
 */
static enum retrace_outcome check_indirect(struct retrace *retrace, const uint32_t *numbers,
                                           int64_t type)
{
    const uint32_t count = numbers[0], instances = numbers[1];
    struct retrace_range range = {.none = count == 0 || instances == 0,
                                  .last = (int64_t)numbers[2] + count - 1,
                                  .instances = instances > 0 ? instances : 1,
                                  .first_instance = numbers[type == 0 ? 3 : 4]};
    enum retrace_outcome outcome = retrace_amount_check(retrace, (uint64_t)count * instances);
    struct retrace_span span;

    if (type != 0 && outcome == RETRACE_GO_ON && !range.none) {
        if (retrace_index_bytes(type) == 0)
            return RETRACE_GO_ON; /* an error */
        span = retrace_span_in_buffer((uint64_t)numbers[2] * retrace_index_bytes(type),
                                      retrace_index_bytes(type), count);
        if (span.largest == -2)
            return retrace_refuse(retrace, "its indices cannot be read");
        retrace_range_set(&range, &span, (int32_t)numbers[3]);
    }
    return outcome == RETRACE_GO_ON ? retrace_range_check(retrace, &range) : outcome;
}

/* Checks all draws of a call that reads memory of the trace. */
static enum retrace_outcome check_all_indirect(struct retrace *retrace,
                                               const struct retrace_call *call, uint64_t many,
                                               uint64_t stride)
{
    const uint64_t bytes = call->binding->detail >> 4;
    const int64_t type = bytes == RETRACE_ELEMENTS_BYTES ? retrace_integer(call, 1) : 0;
    enum retrace_outcome outcome = RETRACE_GO_ON;

    if (many > RETRACE_DRAWS_MAX)
        return retrace_refuse(retrace, "there are too many draws");
    for (uint64_t n = 0; n < many && outcome == RETRACE_GO_ON; n++) {
        uint32_t numbers[NUMBERS] = {0};

        if (!read_numbers(&call->arguments[call->binding->detail & 15], n * stride, bytes, numbers))
            return retrace_refuse(retrace, "there are too few parameters for its draws");
        outcome = check_indirect(retrace, numbers, type);
    }
    return outcome;
}

/* `detail` has the index of the argument with the parameters, and their bytes per draw. */
enum retrace_outcome retrace_draw_indirect(struct retrace *retrace, struct retrace_call *call)
{
    unsigned place = call->binding->detail & 15;
    uint64_t bytes = call->binding->detail >> 4, stride = stride_of(call), many = 1;
    struct retrace_argument *numbers = &call->arguments[place];
    const bool in_buffer = retrace_get(GL_DRAW_INDIRECT_BUFFER_BINDING) != 0;

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (call->count > place + 2)
        many = (uint32_t)retrace_integer(call, place + 1);
    numbers->checked = true;
    if (in_buffer && numbers->kind == RETRACE_MEMORY)
        return retrace_refuse(retrace,
                              "memory is passed instead of an offset into the bound buffer");
    if (!in_buffer && (numbers->kind != RETRACE_MEMORY || many == 0 ||
                       (many - 1) * stride + bytes > numbers->size))
        return retrace_refuse(retrace, "there are too few parameters for its draws");
    return retrace_reads_memory(retrace) ? check_all_indirect(retrace, call, many, stride)
                                         : RETRACE_GO_ON;
}

/* The number of draws is in a buffer, and so are their parameters. */
enum retrace_outcome retrace_draw_counted(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *numbers = &call->arguments[call->binding->detail & 15];

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (retrace_reads_memory(retrace) || numbers->kind == RETRACE_MEMORY ||
        retrace_get(GL_DRAW_INDIRECT_BUFFER_BINDING) == 0)
        return retrace_refuse(retrace, "the number of vertices that it reads is unknown");
    numbers->checked = true;
    return RETRACE_GO_ON;
}

/* Reading parameters of draws. */

/* Returns the number of draws that the bound buffer has at an offset, or 0 if it cannot be read. */
static uint32_t counted_draws(int64_t offset)
{
    const GLuint buffer = (GLuint)retrace_get(GL_PARAMETER_BUFFER_BINDING);
    uint8_t count[4];

    if (buffer == 0 || offset < 0 ||
        !bytes_inside((uint64_t)offset, sizeof(count), (uint64_t)retrace_buffer_size(buffer)) ||
        !retrace_buffer_read(buffer, offset, sizeof(count), count))
        return 0;
    return bytes_le32(count);
}

uint32_t retrace_indirect_count(const struct retrace_call *call)
{
    const unsigned place = call->binding->detail & 15;
    uint64_t many = 1, max = RETRACE_DRAWS_MAX;

    if (call->binding->rule == retrace_draw_counted) {
        many = counted_draws(retrace_integer(call, place + 1));
        max = (uint32_t)retrace_integer(call, place + 2);
        many = many < max ? many : max;
    } else if (call->binding->rule != retrace_draw_indirect) {
        return 0;
    } else if (call->count > place + 2) {
        many = (uint32_t)retrace_integer(call, place + 1);
    }
    return many <= RETRACE_DRAWS_MAX ? (uint32_t)many : 0;
}

bool retrace_indirect_vertices(const struct retrace_call *call, uint32_t n,
                               struct retrace_vertices *out)
{
    const unsigned place = call->binding->detail & 15;
    const uint64_t bytes = call->binding->detail >> 4;
    uint32_t numbers[NUMBERS] = {0};

    if (!read_numbers(&call->arguments[place], n * stride_of(call), bytes, numbers) ||
        (uint64_t)numbers[0] * numbers[1] > RETRACE_VERTICES_MAX)
        return false;
    *out = (struct retrace_vertices){.mode = retrace_integer(call, 0),
                                     .count = numbers[0],
                                     .instances = numbers[1],
                                     .indexed = bytes == RETRACE_ELEMENTS_BYTES};
    if (!out->indexed) {
        out->first = numbers[2];
        out->first_instance = numbers[3];
        return true;
    }
    out->type = retrace_integer(call, 1);
    out->base = (int32_t)numbers[3];
    out->first_instance = numbers[4];
    out->indices = (struct retrace_argument){
        .kind = RETRACE_ADDRESS, .number = (uint64_t)numbers[2] * retrace_index_bytes(out->type)};
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Draws by their functions' arguments: which vertices and indices they read, which is checked
 * against what there is (arrays.c), how many draws there are, and whether their pixels will be
 * seen.
 */
#include "config.h"

#include "glworker/gl/draws.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

/* Enumerators that core profiles lack. */
enum {
    PRIMITIVE_RESTART = 0x8F9D,
    PRIMITIVE_RESTART_INDEX = 0x8F9E,
    PRIMITIVE_RESTART_FIXED_INDEX = 0x8D69,
    RASTERIZER_DISCARD = 0x8C89,
};

unsigned retrace_index_bytes(int64_t type)
{
    return type == GL_UNSIGNED_BYTE    ? 1
           : type == GL_UNSIGNED_SHORT ? 2
           : type == GL_UNSIGNED_INT   ? 4
                                       : 0;
}

static uint32_t index_at(const uint8_t *indices, unsigned bytes, uint64_t n)
{
    return bytes == 1   ? indices[n]
           : bytes == 2 ? bytes_le16(indices + 2 * n)
                        : bytes_le32(indices + 4 * n);
}

static struct retrace_span span_of(const uint8_t *indices, unsigned bytes, uint64_t count)
{
    uint32_t restart = bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * bytes) - 1;
    bool restarts = glIsEnabled(PRIMITIVE_RESTART_FIXED_INDEX);
    struct retrace_span span = {-1, -1};

    if (!restarts && glIsEnabled(PRIMITIVE_RESTART)) {
        restarts = true;
        restart = (uint32_t)retrace_get(PRIMITIVE_RESTART_INDEX);
    }
    for (uint64_t n = 0; n < count; n++) {
        uint32_t index = index_at(indices, bytes, n);

        if (restarts && index == restart)
            continue;
        if (index > span.largest)
            span.largest = index;
        if (span.smallest < 0 || index < span.smallest)
            span.smallest = index;
    }
    return span;
}

struct retrace_span retrace_span_in_buffer(uint64_t offset, unsigned bytes, uint64_t count)
{
    GLint size = 0;
    const uint8_t *indices;
    struct retrace_span span = {-2, -2};

    glGetBufferParameteriv(GL_ELEMENT_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    if (size < 0 || !bytes_inside(offset, count * bytes, (uint64_t)size))
        return span;
    indices = glMapBufferRange(GL_ELEMENT_ARRAY_BUFFER, (GLintptr)offset,
                               (GLsizeiptr)(count * bytes), GL_MAP_READ_BIT);
    if (indices != NULL) {
        span = span_of(indices, bytes, count);
        glUnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
    }
    return span;
}

/* Indices of a function's arguments; -1 if it has no such argument. */
struct draw {
    int8_t count, first, type, indices, base, instances, first_instance;
};

enum {
    DRAW_ARRAYS,
    DRAW_ARRAYS_INSTANCED,
    DRAW_ARRAYS_FROM_INSTANCE,
    DRAW_ELEMENTS,
    DRAW_ELEMENTS_BASE,
    DRAW_ELEMENTS_INSTANCED,
    DRAW_ELEMENTS_INSTANCED_BASE,
    DRAW_ELEMENTS_FROM_INSTANCE,
    DRAW_ELEMENTS_BASE_FROM_INSTANCE,
    DRAW_RANGE,
    DRAW_RANGE_BASE,
};

static const struct draw draws[] = {
    [DRAW_ARRAYS] = {2, 1, -1, -1, -1, -1, -1},
    [DRAW_ARRAYS_INSTANCED] = {2, 1, -1, -1, -1, 3, -1},
    [DRAW_ARRAYS_FROM_INSTANCE] = {2, 1, -1, -1, -1, 3, 4},
    [DRAW_ELEMENTS] = {1, -1, 2, 3, -1, -1, -1},
    [DRAW_ELEMENTS_BASE] = {1, -1, 2, 3, 4, -1, -1},
    [DRAW_ELEMENTS_INSTANCED] = {1, -1, 2, 3, -1, 4, -1},
    [DRAW_ELEMENTS_INSTANCED_BASE] = {1, -1, 2, 3, 5, 4, -1},
    [DRAW_ELEMENTS_FROM_INSTANCE] = {1, -1, 2, 3, -1, 4, 5},
    [DRAW_ELEMENTS_BASE_FROM_INSTANCE] = {1, -1, 2, 3, 5, 4, 6},
    [DRAW_RANGE] = {3, -1, 4, 5, -1, -1, -1},
    [DRAW_RANGE_BASE] = {3, -1, 4, 5, 6, -1, -1},
};

static int64_t at(const struct retrace_call *call, int argument, int64_t otherwise)
{
    return argument < 0 ? otherwise : (int32_t)retrace_integer(call, (unsigned)argument);
}

/*
 * Checks indices in memory or in the bound buffer. Sets *span to their span if arrays in memory of
 * the trace need it, otherwise to an empty one.
 */
static enum retrace_outcome check_indices(struct retrace *retrace, struct retrace_argument *indices,
                                          int64_t type, int64_t count, struct retrace_span *span)
{
    bool wanted = retrace_context(retrace)->arrays != NULL;
    unsigned bytes = retrace_index_bytes(type);

    *span = (struct retrace_span){-1, -1};
    indices->checked = true;
    if (bytes == 0 || count <= 0)
        return RETRACE_GO_ON; /* an error, or nothing to draw */
    if (retrace_get(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0) {
        if (indices->kind == RETRACE_MEMORY)
            return retrace_refuse(retrace,
                                  "memory is passed instead of an offset into the bound buffer");
        if (wanted)
            *span = retrace_span_in_buffer(indices->number, bytes, (uint64_t)count);
        return span->largest == -2 ? retrace_refuse(retrace, "its indices cannot be read")
                                   : RETRACE_GO_ON;
    }
    if (indices->kind != RETRACE_MEMORY)
        return retrace_refuse(retrace, "the trace does not contain its indices");
    if ((uint64_t)count > indices->size / bytes)
        return retrace_refuse(retrace, "it has %llu bytes of indices, but %llu are needed",
                              (unsigned long long)indices->size, (unsigned long long)count * bytes);
    if (wanted)
        *span = span_of(indices->memory, bytes, (uint64_t)count);
    return RETRACE_GO_ON;
}

/* If the vertices begin before vertex 0, `last` is -1. */
void retrace_range_set(struct retrace_range *range, const struct retrace_span *span, int64_t base)
{
    range->none = span->largest < 0;
    range->last = span->smallest + base < 0 ? -1 : span->largest + base;
}

/* No program draws more than RETRACE_VERTICES_MAX at once, and more would take seconds. */
enum retrace_outcome retrace_amount_check(struct retrace *retrace, uint64_t vertices)
{
    if (vertices <= RETRACE_VERTICES_MAX)
        return RETRACE_GO_ON;
    return retrace_refuse(retrace, "it draws %llu vertices, but at most %u are allowed",
                          (unsigned long long)vertices, (unsigned)RETRACE_VERTICES_MAX);
}

static enum retrace_outcome draw(struct retrace *retrace, struct retrace_call *call)
{
    const struct draw *draw = &draws[call->binding->detail];
    int64_t count = at(call, draw->count, 0), first = at(call, draw->first, 0);
    int64_t instances = at(call, draw->instances, 1);
    struct retrace_span span;
    enum retrace_outcome outcome = RETRACE_GO_ON;
    struct retrace_range range = {.instances = instances > 0 ? (uint64_t)instances : 1,
                                  .first_instance = (uint32_t)at(call, draw->first_instance, 0)};

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (count > 0 && instances > 0)
        outcome = retrace_amount_check(retrace, (uint64_t)count * (uint64_t)instances);
    if (outcome != RETRACE_GO_ON)
        return outcome;
    if (draw->indices >= 0) {
        outcome = check_indices(retrace, &call->arguments[draw->indices], at(call, draw->type, 0),
                                count, &span);
        retrace_range_set(&range, &span, at(call, draw->base, 0));
    } else {
        range.none = count <= 0 || instances <= 0;
        range.last = first < 0 ? -1 : first + count - 1;
    }
    return outcome == RETRACE_GO_ON ? retrace_range_check(retrace, &range) : outcome;
}

bool retrace_tells_vertices(const struct retrace_binding *binding)
{
    return binding->rule == draw;
}

static void tell_draw(const struct retrace_call *call, struct retrace_vertices *out)
{
    const struct draw *places = &draws[call->binding->detail];

    *out = (struct retrace_vertices){.mode = at(call, 0, 0),
                                     .count = at(call, places->count, 0),
                                     .first = at(call, places->first, 0),
                                     .type = at(call, places->type, 0),
                                     .base = at(call, places->base, 0),
                                     .instances = at(call, places->instances, 1),
                                     .first_instance = at(call, places->first_instance, 0),
                                     .indexed = places->indices >= 0};
    if (out->indexed)
        out->indices = call->arguments[places->indices];
}

/* Several draws. */

static enum retrace_outcome draw_many_arrays(struct retrace *retrace, struct retrace_call *call)
{
    int64_t many = retrace_integer(call, 3);
    enum retrace_outcome outcome = RETRACE_GO_ON;
    uint64_t vertices = 0;

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (many < 0 || (uint64_t)many > call->arguments[1].count ||
        (uint64_t)many > call->arguments[2].count)
        return retrace_refuse(retrace, "there are too few parameters for its draws");
    for (uint64_t n = 0; n < (uint64_t)many && outcome == RETRACE_GO_ON; n++) {
        int64_t first = retrace_element(call, 1, n), count = retrace_element(call, 2, n);
        const struct retrace_range range = {
            .none = count <= 0, .last = first < 0 ? -1 : first + count - 1, .instances = 1};

        vertices += count > 0 ? (uint64_t)count : 0;
        outcome = retrace_range_check(retrace, &range);
    }
    return outcome == RETRACE_GO_ON ? retrace_amount_check(retrace, vertices) : outcome;
}

/* Checks the modes of glMultiModeDraw…IBM(): one for each of `many` draws, `stride` bytes apart. */
static enum retrace_outcome check_modes(struct retrace *retrace, struct retrace_call *call,
                                        int64_t many, int64_t stride)
{
    struct retrace_argument *modes = &call->arguments[0];

    if (many > 0 && (stride < 0 || modes->kind != RETRACE_MEMORY || modes->size < sizeof(GLenum) ||
                     (uint64_t)(many - 1) * (uint64_t)stride > modes->size - sizeof(GLenum)))
        return retrace_refuse(retrace, "there are too few modes for its draws");
    modes->checked = true;
    return RETRACE_GO_ON;
}

static enum retrace_outcome draw_many_modes(struct retrace *retrace, struct retrace_call *call)
{
    const enum retrace_outcome outcome =
        check_modes(retrace, call, retrace_integer(call, 3), retrace_integer(call, 4));

    return outcome == RETRACE_GO_ON ? draw_many_arrays(retrace, call) : outcome;
}

/* Returns the indices of the n-th draw. */
static struct retrace_argument indices_of_one(const struct retrace_argument *lists, uint64_t n)
{
    void *place = ((void **)lists->memory)[n];

    return (struct retrace_argument){.kind = lists->sizes[n] > 0 ? RETRACE_MEMORY : RETRACE_ADDRESS,
                                     .number = (uint64_t)(uintptr_t)place,
                                     .memory = place,
                                     .size = lists->sizes[n]};
}

/* `detail` is the argument with the numbers that are added to indices, or 0 if there is none. */
static enum retrace_outcome draw_many_elements(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *lists = &call->arguments[3];
    const unsigned bases = call->binding->detail;
    int64_t many = retrace_integer(call, 4), type = retrace_integer(call, 2);
    enum retrace_outcome outcome = RETRACE_GO_ON;
    uint64_t vertices = 0;
    struct retrace_span span;

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (many < 0 || (uint64_t)many > call->arguments[1].count || (uint64_t)many > lists->count)
        return retrace_refuse(retrace, "there are too few parameters for its draws");
    for (uint64_t n = 0; n < (uint64_t)many && outcome == RETRACE_GO_ON; n++) {
        struct retrace_argument one = indices_of_one(lists, n);
        struct retrace_range range = {.instances = 1};

        vertices += retrace_element(call, 1, n) > 0 ? (uint64_t)retrace_element(call, 1, n) : 0;
        outcome = check_indices(retrace, &one, type, retrace_element(call, 1, n), &span);
        retrace_range_set(&range, &span, bases > 0 ? retrace_element(call, bases, n) : 0);
        if (outcome == RETRACE_GO_ON)
            outcome = retrace_range_check(retrace, &range);
    }
    lists->checked = true;
    return outcome == RETRACE_GO_ON ? retrace_amount_check(retrace, vertices) : outcome;
}

static enum retrace_outcome draw_many_modes_elements(struct retrace *retrace,
                                                     struct retrace_call *call)
{
    const enum retrace_outcome outcome =
        check_modes(retrace, call, retrace_integer(call, 4), retrace_integer(call, 5));

    return outcome == RETRACE_GO_ON ? draw_many_elements(retrace, call) : outcome;
}

/*
 * Only the driver knows how many vertices the call draws, so they cannot be checked against memory
 * of the trace.
 */
static enum retrace_outcome draw_captured(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (retrace_reads_memory(retrace))
        return retrace_refuse(retrace, "the number of vertices that it reads is unknown");
    return RETRACE_GO_ON;
}

static void tell_one_of_arrays(const struct retrace_call *call, uint32_t n,
                               struct retrace_vertices *out)
{
    *out = (struct retrace_vertices){.mode = at(call, 0, 0),
                                     .first = retrace_element(call, 1, n),
                                     .count = retrace_element(call, 2, n),
                                     .instances = 1};
}

static void tell_one_of_elements(const struct retrace_call *call, uint32_t n,
                                 struct retrace_vertices *out)
{
    const unsigned bases = call->binding->detail;

    *out = (struct retrace_vertices){.mode = at(call, 0, 0),
                                     .count = retrace_element(call, 1, n),
                                     .type = at(call, 2, 0),
                                     .base = bases > 0 ? retrace_element(call, bases, n) : 0,
                                     .instances = 1,
                                     .indexed = true,
                                     .indices = indices_of_one(&call->arguments[3], n)};
}

/* Only for calls that their rules permitted, so that memory has as many draws as the call says. */
uint32_t retrace_draw_count(const struct retrace_call *call)
{
    retrace_rule *const rule = call->binding->rule;
    int64_t many;

    if (rule == draw)
        return 1;
    if (rule != draw_many_arrays && rule != draw_many_elements)
        return retrace_indirect_count(call);
    many = retrace_integer(call, rule == draw_many_arrays ? 3 : 4);
    if (many < 0 || many > RETRACE_DRAWS_MAX || (uint64_t)many > call->arguments[1].count)
        return 0;
    return (uint64_t)many > call->arguments[rule == draw_many_arrays ? 2 : 3].count
               ? 0
               : (uint32_t)many;
}

bool retrace_draw_vertices(const struct retrace_call *call, uint32_t n,
                           struct retrace_vertices *out)
{
    retrace_rule *const rule = call->binding->rule;

    if (rule == draw)
        tell_draw(call, out);
    else if (rule == draw_many_arrays)
        tell_one_of_arrays(call, n, out);
    else if (rule == draw_many_elements)
        tell_one_of_elements(call, n, out);
    else
        return retrace_indirect_vertices(call, n, out);
    return true;
}

/* Draws that are left out on the way to a frame. */

/* Returns whether draws go to framebuffer 0 while it is not shown. */
static bool is_invisible(const struct retrace *retrace, const struct retrace_context *context)
{
    return retrace->feed.discard && !retrace->effects && !context->in_list && !context->in_begin &&
           retrace_get(GL_DRAW_FRAMEBUFFER_BINDING) == 0;
}

bool retrace_can_skip_draw(struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);

    if (is_invisible(retrace, context) && retrace_get(GL_TRANSFORM_FEEDBACK_ACTIVE) == 0)
        return true;
    retrace_discard_update(retrace);
    return false;
}

/*
 * Returns whether lines or points may be drawn smooth. After such draws, and after any draw that is
 * clipped meanwhile, llvmpipe binds the rasteriser's state of that draw once more while it binds
 * the next one (aaline_flush() in llvmpipe_bind_rasterizer_state()), and so keeps its discard:
 * later draws would vanish, although glIsEnabled() says that the rasteriser is on.
 */
static bool may_be_smooth(const struct retrace *retrace, const struct retrace_context *context)
{
    return retrace->smooth_lists ||
           (!context->es && (glIsEnabled(GL_LINE_SMOOTH) ||
                             (!context->config.core && glIsEnabled(GL_POINT_SMOOTH))));
}

static void discard(struct retrace_context *context, bool wanted)
{
    if (context->in_list || context->in_begin || context->major < 3 ||
        wanted == context->discarding)
        return;
    if (wanted)
        glEnable(RASTERIZER_DISCARD);
    else
        glDisable(RASTERIZER_DISCARD);
    context->discarding = wanted;
}

void retrace_discard_update(struct retrace *retrace)
{
    struct retrace_context *context = retrace_context(retrace);

    discard(context, context->discards ||
                         (is_invisible(retrace, context) && !may_be_smooth(retrace, context)));
}

void retrace_discard_own(struct retrace *retrace)
{
    struct retrace_context *context = retrace_context(retrace);

    discard(context, context->discards);
}

/* The state that was popped may have a different setting. */
static void popped(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    if (retrace->feed.discard && !context->in_list && !context->in_begin)
        context->discarding = glIsEnabled(RASTERIZER_DISCARD);
}

/* Sorted by name. */
const struct retrace_rule_row retrace_draw_rules[] = {
    {"glDrawArrays", draw, NULL, DRAW_ARRAYS},
    {"glDrawArraysIndirect", retrace_draw_indirect, NULL,
     RETRACE_INDIRECT(1, RETRACE_ARRAYS_BYTES)},
    {"glDrawArraysInstanced", draw, NULL, DRAW_ARRAYS_INSTANCED},
    {"glDrawArraysInstancedBaseInstance", draw, NULL, DRAW_ARRAYS_FROM_INSTANCE},
    {"glDrawElements", draw, NULL, DRAW_ELEMENTS},
    {"glDrawElementsBaseVertex", draw, NULL, DRAW_ELEMENTS_BASE},
    {"glDrawElementsIndirect", retrace_draw_indirect, NULL,
     RETRACE_INDIRECT(2, RETRACE_ELEMENTS_BYTES)},
    {"glDrawElementsInstanced", draw, NULL, DRAW_ELEMENTS_INSTANCED},
    {"glDrawElementsInstancedBaseInstance", draw, NULL, DRAW_ELEMENTS_FROM_INSTANCE},
    {"glDrawElementsInstancedBaseVertex", draw, NULL, DRAW_ELEMENTS_INSTANCED_BASE},
    {"glDrawElementsInstancedBaseVertexBaseInstance", draw, NULL, DRAW_ELEMENTS_BASE_FROM_INSTANCE},
    {"glDrawRangeElements", draw, NULL, DRAW_RANGE},
    {"glDrawRangeElementsBaseVertex", draw, NULL, DRAW_RANGE_BASE},
    {"glDrawTransformFeedback", draw_captured, NULL, 0},
    {"glDrawTransformFeedbackInstanced", draw_captured, NULL, 0},
    {"glDrawTransformFeedbackStream", draw_captured, NULL, 0},
    {"glDrawTransformFeedbackStreamInstanced", draw_captured, NULL, 0},
    {"glMultiDrawArrays", draw_many_arrays, NULL, 0},
    {"glMultiDrawArraysIndirect", retrace_draw_indirect, NULL,
     RETRACE_INDIRECT(1, RETRACE_ARRAYS_BYTES)},
    {"glMultiDrawArraysIndirectCount", retrace_draw_counted, NULL,
     RETRACE_INDIRECT(1, RETRACE_ARRAYS_BYTES)},
    {"glMultiDrawElements", draw_many_elements, NULL, 0},
    {"glMultiDrawElementsBaseVertex", draw_many_elements, NULL, 5},
    {"glMultiDrawElementsIndirect", retrace_draw_indirect, NULL,
     RETRACE_INDIRECT(2, RETRACE_ELEMENTS_BYTES)},
    {"glMultiDrawElementsIndirectCount", retrace_draw_counted, NULL,
     RETRACE_INDIRECT(2, RETRACE_ELEMENTS_BYTES)},
    {"glMultiModeDrawArrays", draw_many_modes, NULL, 0},
    {"glMultiModeDrawElements", draw_many_modes_elements, NULL, 0},
    {"glPopAttrib", NULL, popped, 0},
};
const size_t retrace_draw_rule_count = sizeof(retrace_draw_rules) / sizeof(retrace_draw_rules[0]);

/* SPDX-License-Identifier: MIT */
/* Memory of buffers that the trace has mapped, and transfers into and out of buffers. */
#include "config.h"

#include "glworker/gl/memory.h"

#include "glworker/gl/budget.h"
#include "glworker/gl/draw_range.h"
#include "glworker/gl/images.h"
#include "glworker/gl/names.h"
#include "glworker/gl/values.h"

#include <stdlib.h>
#include <string.h>

enum { REGIONS_MAX = 65536 };

/* Returns the buffer that is bound to a target. */
static GLuint bound_buffer(GLenum target)
{
    static const struct {
        GLenum target, binding;
    } bindings[] = {
        {GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING},
        {GL_ELEMENT_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING},
        {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING},
        {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING},
        {GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING},
        {GL_TEXTURE_BUFFER, GL_TEXTURE_BUFFER},
        {GL_TRANSFORM_FEEDBACK_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING},
        {GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER},
        {GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER},
        {GL_DRAW_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER_BINDING},
        {GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING},
        {GL_DISPATCH_INDIRECT_BUFFER, GL_DISPATCH_INDIRECT_BUFFER_BINDING},
        {GL_QUERY_BUFFER, GL_QUERY_BUFFER_BINDING},
        {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_BINDING},
        {GL_PARAMETER_BUFFER, GL_PARAMETER_BUFFER_BINDING},
    };

    for (size_t n = 0; n < sizeof(bindings) / sizeof(bindings[0]); n++)
        if (bindings[n].target == target)
            return (GLuint)retrace_get(bindings[n].binding);
    return 0;
}

uint8_t *retrace_mapped(const struct retrace *retrace, uint64_t address, uint64_t *length)
{
    for (uint32_t n = 0; n < retrace->memory.region_count; n++) {
        const struct retrace_region *region = &retrace->memory.regions[n];

        if (address - region->address < region->length) {
            *length = region->length - (address - region->address);
            return region->memory + (address - region->address);
        }
    }
    return NULL;
}

static void unmap(struct retrace *retrace, GLuint buffer)
{
    uint32_t kept = 0;

    for (uint32_t n = 0; n < retrace->memory.region_count; n++)
        if (retrace->memory.regions[n].buffer != buffer)
            retrace->memory.regions[kept++] = retrace->memory.regions[n];
    retrace->memory.region_count = kept;
}

/*
 * For all these rules, `detail` is nonzero if the first argument is a buffer, and 0 if it is a
 * target.
 */
static GLuint buffer_of(const struct retrace_call *call)
{
    GLuint first = (GLuint)retrace_integer(call, 0);

    return call->binding->detail ? first : bound_buffer(first);
}

static uint64_t buffer_size(struct retrace *retrace, const struct retrace_call *call)
{
    GLint size = 0;

    if (call->binding->detail)
        glGetNamedBufferParameteriv((GLuint)retrace_integer(call, 0), GL_BUFFER_SIZE, &size);
    else
        glGetBufferParameteriv((GLenum)retrace_integer(call, 0), GL_BUFFER_SIZE, &size);
    (void)retrace;
    return size < 0 ? 0 : (uint64_t)size;
}

static void add_region(struct retrace *retrace, const struct retrace_call *call, uint64_t length)
{
    struct retrace_region *regions = retrace->memory.regions;
    struct retrace_region region = {.address = retrace_result(call),
                                    .length = length,
                                    .memory = call->returned.address,
                                    .buffer = buffer_of(call)};

    if (region.memory == NULL || region.address == 0 || length == 0)
        return;
    unmap(retrace, region.buffer);
    if (retrace->memory.region_count == retrace->memory.region_room) {
        uint32_t room = retrace->memory.region_room == 0 ? 16 : 2 * retrace->memory.region_room;

        regions = room > REGIONS_MAX ? NULL : realloc(regions, room * sizeof(*regions));
        if (regions == NULL)
            return;
        retrace->memory.regions = regions;
        retrace->memory.region_room = room;
    }
    retrace->memory.regions[retrace->memory.region_count++] = region;
}

static void map_all(struct retrace *retrace, struct retrace_call *call)
{
    add_region(retrace, call, buffer_size(retrace, call));
}

static void map_range(struct retrace *retrace, struct retrace_call *call)
{
    int64_t length = retrace_integer(call, 2);

    add_region(retrace, call, length < 0 ? 0 : (uint64_t)length);
}

/* The buffer is unmapped, or gets new memory. */
static enum retrace_outcome unmap_one(struct retrace *retrace, struct retrace_call *call)
{
    GLuint first = (GLuint)retrace_integer(call, 0);

    unmap(retrace, call->binding->detail ? (GLuint)retrace_name(retrace, RETRACE_BUFFER, first)
                                         : bound_buffer(first));
    return RETRACE_GO_ON;
}

/* The same for calls whose second argument is the new size. */
static enum retrace_outcome buffer_data(struct retrace *retrace, struct retrace_call *call)
{
    GLuint first = (GLuint)retrace_integer(call, 0);
    GLuint buffer = call->binding->detail ? (GLuint)retrace_name(retrace, RETRACE_BUFFER, first)
                                          : bound_buffer(first);
    int64_t size = retrace_integer(call, 1);

    if (!retrace_budget_ask(retrace, RETRACE_BUFFER, buffer, 0, size < 0 ? 0 : (uint64_t)size))
        return RETRACE_REFUSED;
    unmap(retrace, buffer);
    return RETRACE_GO_ON;
}

static enum retrace_outcome delete_buffers(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_argument *names = &call->arguments[1];

    for (uint64_t n = 0; retrace->memory.region_count > 0 && n < names->count; n++)
        unmap(retrace,
              (GLuint)retrace_name(retrace, RETRACE_BUFFER, (uint64_t)retrace_element(call, 1, n)));
    return RETRACE_GO_ON;
}

/* The program wrote to memory. Only memory of mapped buffers and of heap.c is kept here. */
static enum retrace_outcome copy(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_argument *from = &call->arguments[1];
    uint64_t length = 0, size = from->size, address = (uint64_t)retrace_integer(call, 0);
    uint8_t *to = retrace_mapped(retrace, address, &length);

    if (to == NULL)
        to = retrace_heap_find(retrace, address, &length);
    if (to == NULL || from->kind != RETRACE_MEMORY)
        return RETRACE_LEFT;
    if (call->arguments[2].kind == RETRACE_NUMBER && call->arguments[2].number < size)
        size = call->arguments[2].number;
    memcpy(to, from->memory, (size_t)(size < length ? size : length));
    return size > length ? retrace_refuse(retrace, "it writes beyond the end of the mapped memory")
                         : RETRACE_MADE;
}

/*
 * Calls that read pixels are only made if the pixels go to a buffer; the program's memory is not
 * needed. `detail` is the argument with the destination.
 */
static enum retrace_outcome read_back(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *to = &call->arguments[call->binding->detail];

    (void)retrace;
    if (retrace_get(GL_PIXEL_PACK_BUFFER_BINDING) == 0 || to->kind == RETRACE_MEMORY)
        return RETRACE_LEFT;
    to->checked = true; /* an offset */
    return RETRACE_GO_ON;
}

/*
 * The same for pixels of the framebuffer, except that they are also read into memory of heap.c if
 * they fit.
 */
static enum retrace_outcome read_pixels(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *to = &call->arguments[call->binding->detail];
    uint64_t bytes;

    if (!to->live)
        return read_back(retrace, call);
    if (retrace_get(GL_PIXEL_PACK_BUFFER_BINDING) != 0)
        return retrace_refuse(retrace,
                              "memory is passed instead of an offset into the bound buffer");
    bytes = retrace_packed_bytes(call);
    if (bytes == UINT64_MAX)
        return retrace_refuse(retrace, "the number of bytes that it reads is unknown");
    if (bytes > to->size)
        return retrace_refuse(retrace, "it writes %llu bytes to memory of %llu bytes",
                              (unsigned long long)bytes, (unsigned long long)to->size);
    to->checked = true;
    return RETRACE_GO_ON;
}

/* Sorted by name. */
const struct retrace_rule_row retrace_memory_rules[] = {
    {"glBufferData", buffer_data, retrace_budget_settle, 0},
    {"glBufferStorage", buffer_data, retrace_budget_settle, 0},
    {"glDeleteBuffers", delete_buffers, retrace_buffers_deleted, 0},
    {"glGetCompressedMultiTexImage", read_back, NULL, 3},
    {"glGetCompressedTexImage", read_back, NULL, 2},
    {"glGetCompressedTextureImage", read_back, NULL, 3},
    {"glGetCompressedTextureSubImage", read_back, NULL, 9},
    {"glGetMultiTexImage", read_back, NULL, 5},
    {"glGetTexImage", read_back, NULL, 4},
    {"glGetTextureImage", read_back, NULL, 5},
    {"glGetTextureSubImage", read_back, NULL, 11},
    {"glGetnCompressedTexImage", read_back, NULL, 3},
    {"glGetnTexImage", read_back, NULL, 5},
    {"glMapBuffer", NULL, map_all, 0},
    {"glMapBufferRange", NULL, map_range, 0},
    {"glMapNamedBuffer", NULL, map_all, 1},
    {"glMapNamedBufferRange", NULL, map_range, 1},
    {"glNamedBufferData", buffer_data, retrace_budget_settle, 1},
    {"glNamedBufferStorage", buffer_data, retrace_budget_settle, 1},
    {"glReadPixels", read_pixels, NULL, 6},
    {"glReadnPixels", read_pixels, NULL, 7},
    {"glUnmapBuffer", unmap_one, NULL, 0},
    {"glUnmapNamedBuffer", unmap_one, NULL, 1},
    {"malloc", retrace_heap_allocate, NULL, 0},
    {"memcpy", copy, NULL, 0},
};
const size_t retrace_memory_rule_count =
    sizeof(retrace_memory_rules) / sizeof(retrace_memory_rules[0]);

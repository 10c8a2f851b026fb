/* SPDX-License-Identifier: MIT */
/* Buffers that are bound for a draw, and memory of the trace that it reads instead. */
#include "config.h"

#include "glworker/gl/buffers.h"
#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/draw_parts.h"
#include "glworker/gl/reading.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"

#include <errno.h>
#include <string.h>

enum { PLACES_MAX = 96, BUFFER_MAX = 1 << 30 };

void retrace_parts_add_buffer(const struct retrace *retrace, struct retrace_parts *parts,
                              enum apitrace_buffer_role role, uint32_t slot, GLint name)
{
    int64_t size;
    struct retrace_part *part;

    if (name == 0)
        return;
    for (unsigned n = 0; n < parts->count; n++)
        if (parts->list[n].told.kind == APITRACE_PART_BUFFER &&
            parts->list[n].name == (GLuint)name && parts->list[n].told.number == (uint32_t)role)
            return;
    size = retrace_buffer_size((GLuint)name);
    if (size <= 0 || size > BUFFER_MAX)
        return;
    part = retrace_parts_add(parts, APITRACE_PART_BUFFER);
    part->name = (GLuint)name;
    part->told.number = (uint32_t)role;
    part->told.level = slot;
    part->told.object = (uint32_t)retrace_old_name(retrace, RETRACE_BUFFER, (uint32_t)name);
    part->told.bytes = (uint64_t)size;
}

/* Adds what vertices are fetched from: buffers, and memory of the trace. */
static void add_fetches(const struct retrace *retrace, struct retrace_parts *parts)
{
    struct retrace_fetch fetches[RETRACE_FETCHES_MAX];
    unsigned count = retrace_fetches(retrace, fetches);

    for (unsigned n = 0; n < count; n++) {
        struct retrace_part *part;

        retrace_parts_add_buffer(retrace, parts, APITRACE_BUFFER_VERTICES, fetches[n].slot,
                                 (GLint)fetches[n].buffer);
        if (fetches[n].memory == NULL)
            continue;
        part = retrace_parts_add(parts, APITRACE_PART_BUFFER);
        part->told.number = APITRACE_BUFFER_MEMORY;
        part->told.level = fetches[n].slot;
        part->told.bytes = fetches[n].size;
        part->memory = fetches[n].memory;
    }
}

static void add_indexed(const struct retrace *retrace, struct retrace_parts *parts)
{
    static const struct {
        GLenum binding, count;
        enum apitrace_buffer_role role;
    } kinds[] = {
        {GL_UNIFORM_BUFFER_BINDING, GL_MAX_UNIFORM_BUFFER_BINDINGS, APITRACE_BUFFER_UNIFORMS},
        {GL_SHADER_STORAGE_BUFFER_BINDING, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS,
         APITRACE_BUFFER_STORAGE},
        {GL_ATOMIC_COUNTER_BUFFER_BINDING, GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
         APITRACE_BUFFER_COUNTERS},
        {GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
         APITRACE_BUFFER_FEEDBACK},
    };

    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        GLint count = 0;

        retrace_state_get(kinds[k].count, &count);
        for (GLint n = 0; n < count && n < PLACES_MAX; n++) {
            GLint name = 0;

            glGetIntegeri_v(kinds[k].binding, (GLuint)n, &name);
            if (!graphics_failed())
                retrace_parts_add_buffer(retrace, parts, kinds[k].role, (uint32_t)n, name);
        }
    }
}

void retrace_parts_buffers(const struct retrace *retrace, struct retrace_parts *parts)
{
    const struct retrace_context *context = retrace_context(retrace);
    GLint name;

    if (!retrace_reads_apart(context))
        return;
    add_fetches(retrace, parts);
    if (retrace_state_get(GL_ELEMENT_ARRAY_BUFFER_BINDING, &name))
        retrace_parts_add_buffer(retrace, parts, APITRACE_BUFFER_INDICES, 0, name);
    add_indexed(retrace, parts);
    if (retrace_state_get(GL_DRAW_INDIRECT_BUFFER_BINDING, &name))
        retrace_parts_add_buffer(retrace, parts, APITRACE_BUFFER_INDIRECT, 0, name);
}

int retrace_part_buffer(const struct retrace_part *part, struct blob **out)
{
    int status = blob_create((size_t)part->told.bytes, out);

    if (status < 0)
        return status;
    if (part->memory != NULL)
        memcpy((*out)->data, part->memory, (size_t)part->told.bytes);
    else if (!retrace_buffer_read(part->name, 0, (int64_t)part->told.bytes, (*out)->data))
        status = -ENOENT;
    if (status < 0)
        blob_unref(out);
    return status;
}

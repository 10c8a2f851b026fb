/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/draw_call.h"

#include "base/bytes.h"
#include "glworker/gl/arrays.h"
#include "glworker/gl/buffers.h"
#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/values.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUFFER_MAX = 1 << 30,
    VERTICES_MAX = 1 << 24,
    SEVERAL_MAX = 1 << 22, /* of all draws of a call */
};

/* `before` has the sources that have been read already. */
static void read_source(struct retrace_array_source *source,
                        const struct retrace_array_source *before, unsigned count)
{
    int64_t size;

    source->bytes = source->fetch.memory;
    source->size = source->fetch.size;
    if (source->fetch.buffer == 0)
        return;
    for (unsigned n = 0; n < count; n++)
        if (before[n].fetch.buffer == source->fetch.buffer) {
            source->bytes = before[n].bytes;
            source->size = before[n].size;
            return;
        }
    size = retrace_buffer_size(source->fetch.buffer);
    source->size = 0;
    if (size <= 0 || size > BUFFER_MAX)
        return;
    source->copy = malloc((size_t)size);
    if (source->copy == NULL || !retrace_buffer_read(source->fetch.buffer, 0, size, source->copy))
        return;
    source->bytes = source->copy;
    source->size = (uint64_t)size;
}

static bool read_indices(struct retrace_draw_call *draw)
{
    const struct retrace_vertices *vertices = &draw->vertices;
    const struct retrace_argument *indices = &vertices->indices;
    GLint buffer = retrace_get(GL_ELEMENT_ARRAY_BUFFER_BINDING);
    uint64_t bytes;

    draw->index_bytes = retrace_index_bytes(vertices->type);
    bytes = (uint64_t)vertices->count * draw->index_bytes;
    draw->indices_here = indices->kind == RETRACE_MEMORY ? (const void *)indices->memory
                                                         : (const void *)(uintptr_t)indices->number;
    if (draw->index_bytes == 0)
        return false;
    if (indices->kind == RETRACE_MEMORY) {
        draw->indices = indices->memory;
        return bytes <= indices->size;
    }
    if (buffer == 0 ||
        !bytes_inside(indices->number, bytes, (uint64_t)retrace_buffer_size((GLuint)buffer)))
        return false;
    draw->copy = malloc((size_t)bytes + 1);
    draw->indices = draw->copy;
    return draw->copy != NULL && retrace_buffer_read((GLuint)buffer, (int64_t)indices->number,
                                                     (int64_t)bytes, draw->copy);
}

static void find_restart(struct retrace_draw_call *draw)
{
    GLint index = 0;

    draw->restart =
        draw->index_bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * draw->index_bytes) - 1;
    draw->restarts = glIsEnabled(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    graphics_failed();
    if (!draw->restarts && glIsEnabled(GL_PRIMITIVE_RESTART)) {
        draw->restarts = retrace_state_get(GL_PRIMITIVE_RESTART_INDEX, &index);
        draw->restart = (uint32_t)index;
    }
    graphics_failed();
}

void retrace_draw_call_free(struct retrace_draw_call *draw)
{
    if (draw == NULL)
        return;
    for (unsigned n = 0; n < draw->source_count; n++)
        free(draw->sources[n].copy);
    free(draw->copy);
    free(draw->order);
    free(draw->blocks);
    free(draw);
}

bool retrace_draw_call_set_block(struct retrace_draw_call *draw)
{
    draw->blocks = calloc(1, sizeof(*draw->blocks));
    if (draw->blocks == NULL)
        return false;
    draw->block_count = 1;
    draw->blocks[0] = (struct retrace_draw_block){.count = draw->vertices.count,
                                                  .instances = draw->vertices.instances,
                                                  .first_instance = draw->vertices.first_instance,
                                                  .mode = (GLenum)draw->vertices.mode};
    return true;
}

/*
 * Reads the parameters of one of the call's draws. Returns NULL, or the reason why they are not
 * known.
 */
static const char *read_one(const struct retrace_call *call, uint32_t n,
                            struct retrace_draw_call *draw)
{
    if (!retrace_draw_vertices(call, n, &draw->vertices) || draw->vertices.count < 0 ||
        draw->vertices.count > VERTICES_MAX)
        return "its vertices are unknown";
    if (draw->vertices.instances < 1)
        draw->vertices.count = 0; /* nothing is fetched */
    if (!draw->vertices.indexed || draw->vertices.count == 0)
        return NULL;
    if (!read_indices(draw))
        return "its indices cannot be read";
    find_restart(draw);
    return NULL;
}

/* Several draws. */

/* Appends the vertices of a draw as a block. */
static const char *add_draw(struct retrace_draw_call *several, const struct retrace_draw_call *one)
{
    const struct retrace_vertices *vertices = &one->vertices;
    const int64_t first = several->vertices.count;
    int64_t *order;

    if (vertices->count > SEVERAL_MAX - first)
        return "it has too many vertices";
    order = realloc(several->order, (size_t)(first + vertices->count + 1) * sizeof(*order));
    if (order == NULL)
        return "out of memory";
    several->order = order;
    for (int64_t n = 0; n < vertices->count; n++)
        order[first + n] = retrace_draw_call_index(one, n);
    several->vertices.count = first + vertices->count;
    several->blocks[several->block_count++] =
        (struct retrace_draw_block){.first = first,
                                    .count = vertices->count,
                                    .instances = vertices->instances,
                                    .first_instance = vertices->first_instance,
                                    .mode = (GLenum)vertices->mode};
    return NULL;
}

static const char *read_draw(const struct retrace_call *call, uint32_t n,
                             struct retrace_draw_call *several)
{
    struct retrace_draw_call *one = calloc(1, sizeof(*one));
    const char *why = one != NULL ? read_one(call, n, one) : "out of memory";

    if (why == NULL)
        why = add_draw(several, one);
    retrace_draw_call_free(one);
    return why;
}

static const char *read_several(const struct retrace_call *call, uint32_t count,
                                struct retrace_draw_call *draw)
{
    const char *why = NULL;

    draw->blocks = calloc(count, sizeof(*draw->blocks));
    if (draw->blocks == NULL)
        return "out of memory";
    draw->vertices.mode = retrace_integer(call, 0);
    for (uint32_t n = 0; n < count && why == NULL; n++)
        why = read_draw(call, n, draw);
    return why;
}

static const char *read_vertices(const struct retrace_call *call, struct retrace_draw_call *draw)
{
    const uint32_t count = retrace_draw_count(call);
    const char *why;

    if (count == 0)
        return "its vertices cannot be determined";
    if (count > 1)
        return read_several(call, count, draw);
    why = read_one(call, 0, draw);
    if (why == NULL && !retrace_draw_call_set_block(draw))
        why = "out of memory";
    return why;
}

struct retrace_draw_call *retrace_draw_call_of(const struct retrace_call *call, const char **why)
{
    struct retrace_draw_call *draw = calloc(1, sizeof(*draw));

    *why = draw != NULL ? read_vertices(call, draw) : "out of memory";
    if (*why == NULL)
        return draw;
    retrace_draw_call_free(draw);
    return NULL;
}

bool retrace_call_again(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_event *event = retrace->stream.ready;
    struct retrace_binding *binding =
        event != NULL && retrace->behind ? retrace_bind(retrace, event->function) : NULL;

    return binding != NULL && binding->gl != NULL &&
           retrace_call_read(retrace, event, binding, call) == 0;
}

void retrace_draw_call_arrays(const struct retrace *retrace, struct retrace_draw_call *draw)
{
    struct retrace_fetch fetches[RETRACE_FETCHES_MAX];

    draw->source_count = retrace_fetches(retrace, fetches);
    for (unsigned n = 0; n < draw->source_count; n++) {
        draw->sources[n].fetch = fetches[n];
        read_source(&draw->sources[n], draw->sources, n);
    }
}

struct retrace_draw_call *retrace_draw_call_read(struct retrace *retrace, const char **why)
{
    struct retrace_draw_call *draw;
    struct retrace_call call;

    *why = "there is no draw call here";
    draw = retrace_call_again(retrace, &call) ? retrace_draw_call_of(&call, why) : NULL;
    if (draw != NULL)
        retrace_draw_call_arrays(retrace, draw);
    return draw;
}

GLenum retrace_kind(GLenum mode)
{
    switch (mode) {
    case GL_POINTS:
        return GL_POINTS;
    case GL_LINES:
    case GL_LINE_LOOP:
    case GL_LINE_STRIP:
    case GL_LINES_ADJACENCY:
    case GL_LINE_STRIP_ADJACENCY:
        return GL_LINES;
    default:
        return GL_TRIANGLES;
    }
}

bool retrace_draw_call_is_several(const struct retrace_draw_call *draw)
{
    return draw->order != NULL;
}

bool retrace_draw_call_tells_blocks(const struct retrace_draw_call *draw)
{
    return draw->lists != NULL || retrace_draw_call_is_several(draw);
}

int64_t retrace_draw_call_index(const struct retrace_draw_call *draw, int64_t n)
{
    uint32_t index;

    if (draw->order != NULL)
        return draw->order[n];
    if (!draw->vertices.indexed)
        return draw->vertices.first + n;
    index = draw->index_bytes == 1   ? draw->indices[n]
            : draw->index_bytes == 2 ? bytes_le16(draw->indices + 2 * n)
                                     : bytes_le32(draw->indices + 4 * n);
    return draw->restarts && index == draw->restart ? -1 : index + draw->vertices.base;
}

int64_t retrace_draw_call_fetched(const struct retrace_draw_call *draw,
                                  const struct retrace_draw_block *block)
{
    int64_t count = 0;

    for (int64_t n = 0; n < block->count; n++)
        count += retrace_draw_call_index(draw, block->first + n) >= 0;
    return count;
}

unsigned retrace_draw_call_fetch(const struct retrace_draw_call *draw, unsigned array,
                                 int64_t index, int64_t first_instance, int64_t instance,
                                 double values[4])
{
    const struct retrace_array_source *source = &draw->sources[array];
    const struct retrace_fetch *fetch = &source->fetch;
    const uint64_t element = fetch->divisor > 0 ? (uint64_t)(uint32_t)first_instance +
                                                      (uint64_t)instance / (uint64_t)fetch->divisor
                                                : (uint64_t)index;
    const uint64_t at = fetch->offset + element * (uint64_t)fetch->stride;

    if (source->bytes == NULL || index < source->from ||
        !bytes_inside(at, retrace_fetch_bytes(fetch), source->size))
        return 0;
    return retrace_fetch_decode(fetch, source->bytes + at, values);
}

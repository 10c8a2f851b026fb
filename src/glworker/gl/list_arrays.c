/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/list_arrays.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/draw_call.h"
#include "glworker/gl/list_calls.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 16, READ_MAX = 256 << 20 /* bytes of buffers, for all lists of a session */ };

/* Keeping values. */

static bool is_element(const struct retrace_call *call)
{
    return strncmp(call->binding->gl->name, "glArrayElement", 14) == 0;
}

static struct retrace_draw_call *read_draw(const struct retrace_call *call)
{
    const char *unused;
    struct retrace_draw_call *draw = NULL;

    if (is_element(call))
        draw = calloc(1, sizeof(*draw));
    else if (retrace_tells_vertices(call->binding))
        draw = retrace_draw_call_of(call, &unused);
    if (draw != NULL && is_element(call))
        draw->vertices = (struct retrace_vertices){
            .count = 1, .first = (int32_t)retrace_integer(call, 0), .instances = 1};
    return draw;
}

/* Reads the draw's arrays, unless too many bytes of buffers have been read for lists already. */
static bool read_arrays(struct retrace *retrace, struct retrace_draw_call *draw)
{
    if (draw->vertices.instances != 1 || retrace->lists.read > READ_MAX)
        return false;
    retrace_draw_call_arrays(retrace, draw);
    for (unsigned n = 0; n < draw->source_count; n++)
        retrace->lists.read += draw->sources[n].copy != NULL ? draw->sources[n].size : 0;
    return retrace->lists.read <= READ_MAX;
}

static uint8_t *values_of(struct retrace_list_arrays *arrays, uint64_t vertex)
{
    return (uint8_t *)(arrays + 1) + vertex * arrays->count * VALUE_BYTES;
}

static void describe(const struct retrace_draw_call *draw, struct retrace_list_arrays *out)
{
    for (unsigned n = 0; n < draw->source_count; n++) {
        const struct retrace_fetch *fetch = &draw->sources[n].fetch;
        double unused[4];

        out->list[n].slot = retrace_current_slot(fetch);
        out->list[n].type = retrace_current_type(fetch);
        out->list[n].components = retrace_draw_call_fetch(draw, n, retrace_draw_call_index(draw, 0),
                                                          draw->vertices.first_instance, 0, unused);
    }
}

static bool has_places(const struct retrace_draw_call *draw)
{
    bool has = false;

    for (unsigned n = 0; n < draw->source_count; n++)
        has |= retrace_current_slot(&draw->sources[n].fetch) == RETRACE_SLOT_VERTEX;
    return has;
}

/* Returns false if a primitive ends there, or the vertex is beyond the end of an array. */
static bool copy_vertex(const struct retrace_draw_call *draw, int64_t index, uint8_t *out)
{
    for (unsigned n = 0; n < draw->source_count; n++) {
        double values[4] = {0, 0, 0, 1};
        union retrace_current value;

        if (index < 0 ||
            retrace_draw_call_fetch(draw, n, index, draw->vertices.first_instance, 0, values) == 0)
            return false;
        retrace_current_set(retrace_current_type(&draw->sources[n].fetch), values, &value);
        memcpy(out + n * VALUE_BYTES, &value, VALUE_BYTES);
    }
    return true;
}

/*
 * Without positions there are no vertices; only the last values matter, which are current
 * afterwards.
 */
static bool note(struct retrace *retrace, const struct retrace_call *call,
                 const struct retrace_draw_call *draw)
{
    const bool places = has_places(draw);
    const int64_t count = draw->vertices.count, first = places || count == 0 ? 0 : count - 1;
    const uint32_t arrays_count = count > 0 ? draw->source_count : 0;
    const uint64_t size =
        sizeof(struct retrace_list_arrays) + (uint64_t)(count - first) * arrays_count * VALUE_BYTES;
    struct retrace_list_arrays *arrays = retrace_list_calls_note_bytes(retrace, call, (size_t)size);
    bool copied = true;

    if (arrays == NULL)
        return false;
    arrays->mode = (GLenum)draw->vertices.mode;
    arrays->element = is_element(call);
    arrays->places = places;
    arrays->vertices = (uint32_t)(count - first);
    arrays->count = arrays_count;
    if (count > 0)
        describe(draw, arrays);
    for (int64_t n = first; n < count && copied; n++)
        copied = copy_vertex(draw, retrace_draw_call_index(draw, n),
                             values_of(arrays, (uint64_t)(n - first)));
    return copied;
}

/*
 * Returns whether the driver answers queries: between glBegin() and glEnd() only if they are
 * compiled without being executed.
 */
static bool can_ask(const struct retrace *retrace)
{
    const struct retrace_list_state *list = &retrace_context(retrace)->list;

    return !(list->executes && list->begun);
}

void retrace_list_arrays_note(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_draw_call *draw;

    if (!retrace_list_calls_noting(retrace) ||
        (!is_element(call) && strncmp(call->binding->gl->name, "glDraw", 6) != 0))
        return;
    draw = can_ask(retrace) ? read_draw(call) : NULL;
    if (draw == NULL || !read_arrays(retrace, draw) || !note(retrace, call, draw))
        retrace_list_calls_lose(retrace);
    retrace_draw_call_free(draw);
}

/* Reading values. */

void retrace_list_arrays_get(const struct retrace_list_arrays *arrays, uint32_t vertex, uint32_t n,
                             union retrace_current *out)
{
    const uint8_t *values = (const uint8_t *)(arrays + 1);

    memcpy(out, values + ((uint64_t)vertex * arrays->count + n) * VALUE_BYTES, VALUE_BYTES);
}

static void make_fixed(unsigned slot, const GLfloat *value)
{
    if (slot == RETRACE_SLOT_NORMAL)
        glNormal3fv(value);
    else if (slot == RETRACE_SLOT_COLOR)
        glColor4fv(value);
    else if (slot == RETRACE_SLOT_FOG)
        glFogCoordfv(value);
    else if (slot == RETRACE_SLOT_SECONDARY)
        glSecondaryColor3fv(value);
    else if (slot >= RETRACE_SLOT_TEXTURES)
        glMultiTexCoord4fv(GL_TEXTURE0 + slot - RETRACE_SLOT_TEXTURES, value);
}

static void make_number(GLuint number, GLenum type, const union retrace_current *value)
{
    if (type == GL_INT)
        glVertexAttribI4iv(number, value->integers);
    else if (type == GL_UNSIGNED_INT)
        glVertexAttribI4uiv(number, value->naturals);
    else
        glVertexAttrib4fv(number, value->floats);
}

void retrace_list_arrays_make(const struct retrace_list_arrays *arrays, uint32_t vertex,
                              bool with_place)
{
    union retrace_current value, place = {.floats = {0}};
    GLenum type = GL_NONE;

    for (uint32_t n = 0; n < arrays->count; n++) {
        const unsigned slot = arrays->list[n].slot;

        retrace_list_arrays_get(arrays, vertex, n, &value);
        if (slot == RETRACE_SLOT_VERTEX) {
            place = value;
            type = arrays->list[n].type;
        } else if (slot >= RETRACE_SLOT_NUMBERS) {
            make_number(slot - RETRACE_SLOT_NUMBERS, arrays->list[n].type, &value);
        } else {
            make_fixed(slot, value.floats);
        }
    }
    if (with_place && type == GL_FLOAT)
        glVertex4fv(place.floats);
    else if (with_place && type != GL_NONE)
        make_number(0, type, &place);
}

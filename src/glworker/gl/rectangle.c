/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/rectangle.h"

#include "glworker/gl/begun_calls.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/matrices.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/uniforms.h"
#include "glworker/gl/values.h"
#include "glworker/gl/vertex_values.h"

#include <stdlib.h>
#include <string.h>

enum { CORNERS = 4 };

bool retrace_is_rectangle(const struct retrace_call *call)
{
    return strncmp(call->binding->gl->name, "glRect", 6) == 0;
}

/* Returns a number that is an argument. */
static GLfloat value_of(const struct retrace_call *call, unsigned n)
{
    const unsigned type = call->binding->gl->parameters[n].type;

    return type == RETRACE_F32 || type == RETRACE_F64 ? (GLfloat)call->arguments[n].real
                                                      : (GLfloat)(int32_t)retrace_integer(call, n);
}

/* Finds x1, y1, x2 and y2: four arguments, or two arguments that point to two numbers each. */
static bool find_corners(const struct retrace_call *call, GLfloat corners[4])
{
    const struct retrace_function *gl = call->binding->gl;

    for (unsigned n = 0; n < 4 && gl->count == 4; n++)
        corners[n] = value_of(call, n);
    for (unsigned n = 0; n < 4 && gl->count == 2; n++) {
        const struct retrace_argument *argument = &call->arguments[n / 2];
        const size_t size = retrace_type_size(gl->parameters[n / 2].type);

        if (argument->kind != RETRACE_MEMORY || argument->size < 2 * size)
            return false;
        corners[n] =
            (GLfloat)retrace_number(gl->parameters[n / 2].type, argument->memory + n % 2 * size);
    }
    return gl->count == 4 || gl->count == 2;
}

/* Adds an array with the current value for each corner, as floats, integers or doubles. */
static bool add_array(const struct retrace *retrace, struct retrace_draw_call *draw, unsigned slot,
                      GLint components, GLenum type)
{
    struct retrace_array_source *source = &draw->sources[draw->source_count++];
    union retrace_current current = {.floats = {0}};

    source->fetch = (struct retrace_fetch){.slot = slot,
                                           .type = type,
                                           .components = components,
                                           .integer = type == GL_INT || type == GL_UNSIGNED_INT};
    source->fetch.stride = (GLint)retrace_fetch_bytes(&source->fetch);
    retrace_current_name(retrace, slot, source->fetch.name);
    source->size = (uint64_t)source->fetch.stride * CORNERS;
    source->bytes = source->copy = malloc((size_t)source->size);
    if (source->copy == NULL)
        return false;
    retrace_current_ask(slot, type, &current);
    for (int n = 0; n < CORNERS; n++)
        memcpy(source->copy + n * source->fetch.stride, &current, (size_t)source->fetch.stride);
    return true;
}

static void set_places(struct retrace_draw_call *draw, const GLfloat corners[4])
{
    const GLfloat places[CORNERS][2] = {{corners[0], corners[1]},
                                        {corners[2], corners[1]},
                                        {corners[2], corners[3]},
                                        {corners[0], corners[3]}};

    memcpy(draw->sources[0].copy, places, sizeof(places));
}

/* Returns the type of the current value of an attribute of a GLSL type. */
static GLenum current_type(GLenum type)
{
    switch (retrace_value_type(type)->base) {
    case RETRACE_BASE_DOUBLE:
        return GL_DOUBLE;
    case RETRACE_BASE_UNSIGNED:
        return GL_UNSIGNED_INT;
    case RETRACE_BASE_FLOAT:
        return GL_FLOAT;
    default:
        return GL_INT;
    }
}

/* Adds generic attributes, if a GLSL program has them. */
static bool add_numbers(const struct retrace *retrace, struct retrace_draw_call *draw)
{
    const GLint count = retrace_get(GL_MAX_VERTEX_ATTRIBS);
    bool added = true;

    for (int n = 1; n < count && n < RETRACE_BEGUN_NUMBERS && added; n++) {
        char name[64];
        const GLenum type = retrace_fetch_name_attribute(retrace, n, name);

        if (type != GL_NONE)
            added =
                add_array(retrace, draw, RETRACE_SLOT_NUMBERS + (unsigned)n, 4, current_type(type));
    }
    return added;
}

static bool add_arrays(const struct retrace *retrace, struct retrace_draw_call *draw)
{
    static const struct {
        uint8_t slot, components;
    } fixed[] = {{RETRACE_SLOT_VERTEX, 2},
                 {RETRACE_SLOT_NORMAL, 3},
                 {RETRACE_SLOT_COLOR, 4},
                 {RETRACE_SLOT_FOG, 1},
                 {RETRACE_SLOT_SECONDARY, 3}};
    const GLint units = retrace_matrix_units();
    bool added = true;

    for (size_t n = 0; n < sizeof(fixed) / sizeof(fixed[0]) && added; n++)
        added = add_array(retrace, draw, fixed[n].slot, fixed[n].components, GL_FLOAT);
    for (int n = 0; n < units && n < RETRACE_BEGUN_UNITS && added; n++)
        added = add_array(retrace, draw, RETRACE_SLOT_TEXTURES + (unsigned)n, 4, GL_FLOAT);
    return added && add_numbers(retrace, draw);
}

const char *retrace_rectangle_read(const struct retrace *retrace, const struct retrace_call *call,
                                   struct retrace_draw_call *out)
{
    const struct retrace_context *context = retrace_context(retrace);
    GLfloat corners[4];

    if (context->es || context->config.core || !find_corners(call, corners))
        return "the call was not executed";
    graphics_failed();
    if (!add_arrays(retrace, out))
        return "out of memory";
    set_places(out, corners);
    out->rectangle = true;
    out->vertices = (struct retrace_vertices){.mode = GL_QUADS, .count = CORNERS, .instances = 1};
    if (!retrace_draw_call_set_block(out))
        return "out of memory";
    return graphics_failed() ? "the driver refuses it" : NULL;
}

void retrace_rectangle_make_points(const struct retrace_draw_call *draw)
{
    glBegin(GL_POINTS);
    for (int n = 0; n < CORNERS; n++) {
        GLfloat place[2];

        memcpy(place, draw->sources[0].copy + n * (int)sizeof(place), sizeof(place));
        glVertex2f(place[0], place[1]);
    }
    glEnd();
}

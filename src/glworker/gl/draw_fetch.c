/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/draw_fetch.h"

#include "base/bytes.h"

#include "glworker/gl/arrays.h"
#include "glworker/gl/attributes.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/programs.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_ROOM = 1024,
    /* As in GL/gl.h. */
    TYPE_FIXED = 0x140C,
};

/* Sets the location of the array's elements: in a buffer, or in memory of the trace. */
static void place(const struct retrace *retrace, struct retrace_fetch *fetch, const void *pointer)
{
    if (fetch->buffer != 0)
        fetch->offset = (uint64_t)(uintptr_t)pointer;
    else
        retrace_array_memory(retrace_context(retrace), fetch->slot, &fetch->memory, &fetch->size);
    if (fetch->stride <= 0)
        fetch->stride = (GLint)retrace_fetch_bytes(fetch);
}

static bool ask_fixed(const struct retrace *retrace, const struct retrace_fixed_array *array,
                      unsigned slot, struct retrace_fetch *out)
{
    GLint value = 0;
    void *pointer = NULL;

    *out = (struct retrace_fetch){.slot = slot, .components = array->components};
    if (array->name == NULL || !glIsEnabled(array->enabled) || graphics_failed())
        return false;
    snprintf(out->name, sizeof(out->name), slot >= RETRACE_SLOT_TEXTURES ? "%s%u" : "%s",
             array->name, slot - RETRACE_SLOT_TEXTURES);
    if (array->size != 0 && retrace_state_get(array->size, &value))
        out->components = value;
    retrace_state_get(array->type, &value);
    out->type = (GLenum)value;
    retrace_state_get(array->stride, &out->stride);
    retrace_state_get(array->buffer, &value);
    out->buffer = (GLuint)value;
    out->normalized = slot != RETRACE_SLOT_VERTEX && slot < RETRACE_SLOT_TEXTURES;
    glGetPointerv(array->pointer, &pointer);
    place(retrace, out, pointer);
    return !graphics_failed();
}

static unsigned add_fixed(const struct retrace *retrace, struct retrace_fetch *out)
{
    GLint units = 0, active = 0;
    unsigned count = 0;

    for (unsigned slot = 0; slot < RETRACE_SLOTS_FIXED; slot++)
        count += ask_fixed(retrace, &retrace_fixed_arrays[slot], slot, &out[count]);
    if (!retrace_state_get(GL_MAX_TEXTURE_UNITS, &units) ||
        !retrace_state_get(GL_CLIENT_ACTIVE_TEXTURE, &active))
        return count;
    for (GLint unit = 0; unit < units && unit < RETRACE_COORDINATES_MAX; unit++) {
        glClientActiveTexture((GLenum)(GL_TEXTURE0 + unit));
        count += ask_fixed(retrace, &retrace_coordinate_array,
                           RETRACE_SLOT_TEXTURES + (unsigned)unit, &out[count]);
    }
    glClientActiveTexture((GLenum)active);
    return count;
}

GLenum retrace_fetch_name_attribute(const struct retrace *retrace, GLint location, char name[64])
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    unsigned program_count = retrace_programs(retrace, programs);
    GLenum found_type = GL_NONE;

    snprintf(name, 64, "GL_VERTEX_ATTRIB_ARRAY%d", location);
    for (unsigned p = 0; p < program_count; p++) {
        GLint count = 0, size;
        GLenum type;

        glGetProgramiv(programs[p].name, GL_ACTIVE_ATTRIBUTES, &count);
        for (GLint n = 0; n < count; n++) {
            char found[NAME_ROOM] = "";

            glGetActiveAttrib(programs[p].name, (GLuint)n, NAME_ROOM, NULL, &size, &type, found);
            if (glGetAttribLocation(programs[p].name, found) == location) {
                snprintf(name, 64, "%.63s", found);
                found_type = type;
            }
        }
    }
    return graphics_failed() ? GL_NONE : found_type;
}

/*
 * Sets the location of an attribute with a vertex buffer binding, because the driver's other
 * strides and pointers are those of the last pointer. Here a stride of 0 is meant: all vertices get
 * one element.
 */
static void ask_binding(GLuint n, struct retrace_fetch *out)
{
    GLint binding = 0, relative = 0, stride = 0;
    GLint64 offset = 0;

    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_BINDING, &binding);
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_RELATIVE_OFFSET, &relative);
    glGetIntegeri_v(GL_VERTEX_BINDING_STRIDE, (GLuint)binding, &stride);
    glGetInteger64i_v(GL_VERTEX_BINDING_OFFSET, (GLuint)binding, &offset);
    if (graphics_failed())
        return;
    out->stride = stride;
    out->offset = (uint64_t)offset + (uint64_t)relative;
}

static bool ask_attribute(const struct retrace *retrace, GLuint n, struct retrace_fetch *out)
{
    GLint enabled = 0, type = 0, normalized = 0, integer = 0, buffer = 0;
    void *pointer = NULL;

    *out = (struct retrace_fetch){.slot = RETRACE_SLOT_NUMBERS + n};
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &enabled);
    if (graphics_failed() || !enabled)
        return false;
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_SIZE, &out->components);
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_TYPE, &type);
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_STRIDE, &out->stride);
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_NORMALIZED, &normalized);
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_INTEGER, &integer);
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, &out->divisor);
    glGetVertexAttribiv(n, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &buffer);
    glGetVertexAttribPointerv(n, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
    out->type = (GLenum)type;
    out->normalized = normalized;
    out->integer = integer;
    out->buffer = (GLuint)buffer;
    (void)retrace_fetch_name_attribute(retrace, (GLint)n, out->name);
    place(retrace, out, pointer);
    if (out->buffer != 0 && retrace_context(retrace)->bindings)
        ask_binding(n, out);
    return true;
}

unsigned retrace_fetches(const struct retrace *retrace, struct retrace_fetch *out)
{
    unsigned api = retrace_state_api(retrace_context(retrace)), count = 0;
    GLint attributes = 0;

    if (api & STATE_FIXED)
        count = add_fixed(retrace, out);
    if (api & STATE_SHADED)
        retrace_state_get(GL_MAX_VERTEX_ATTRIBS, &attributes);
    for (GLint n = 0; n < attributes && n < RETRACE_ATTRIBUTES_MAX; n++)
        count += ask_attribute(retrace, (GLuint)n, &out[count]);
    return count;
}

/* Elements. */

static unsigned component_bytes(GLenum type)
{
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
    case GL_HALF_FLOAT_OES:
        return 2;
    case GL_DOUBLE:
        return 8;
    default:
        return 4;
    }
}

static bool is_packed(GLenum type)
{
    return type == GL_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_2_10_10_10_REV ||
           type == GL_UNSIGNED_INT_10F_11F_11F_REV;
}

static unsigned components_of(const struct retrace_fetch *fetch)
{
    return fetch->components == GL_BGRA ? 4
           : fetch->components < 1      ? 1
           : fetch->components > 4      ? 4
                                        : (unsigned)fetch->components;
}

unsigned retrace_fetch_bytes(const struct retrace_fetch *fetch)
{
    return is_packed(fetch->type) ? 4 : components_of(fetch) * component_bytes(fetch->type);
}

/*
 * Converts a small float: `mantissa` bits of mantissa, five bits of exponent, and possibly a sign.
 */
static double small_float(uint32_t bits, unsigned mantissa, bool has_sign)
{
    uint32_t fraction = bits & ((UINT32_C(1) << mantissa) - 1), exponent = bits >> mantissa & 31;
    double sign = has_sign && bits >> (mantissa + 5) & 1 ? -1 : 1;

    if (exponent == 31)
        return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, -14 - (int)mantissa);
    return sign * ldexp(1 + ldexp(fraction, -(int)mantissa), (int)exponent - 15);
}

/* Converts an integer of `bits` bits to a float as OpenGL does. */
static double scaled(const struct retrace_fetch *fetch, int64_t value, unsigned bits, bool has_sign)
{
    double max = (double)((INT64_C(1) << (bits - (has_sign ? 1 : 0))) - 1);
    double result = fetch->normalized && !fetch->integer ? (double)value / max : (double)value;

    return fetch->normalized && !fetch->integer && result < -1 ? -1 : result;
}

static double component(const struct retrace_fetch *fetch, const uint8_t *at)
{
    float single;
    double wide;
    uint64_t bits;

    switch (fetch->type) {
    case GL_BYTE:
        return scaled(fetch, (int8_t)*at, 8, true);
    case GL_UNSIGNED_BYTE:
        return scaled(fetch, *at, 8, false);
    case GL_SHORT:
        return scaled(fetch, (int16_t)bytes_le16(at), 16, true);
    case GL_UNSIGNED_SHORT:
        return scaled(fetch, bytes_le16(at), 16, false);
    case GL_INT:
        return scaled(fetch, (int32_t)bytes_le32(at), 32, true);
    case GL_UNSIGNED_INT:
        return scaled(fetch, bytes_le32(at), 32, false);
    case TYPE_FIXED:
        return (double)(int32_t)bytes_le32(at) / 65536;
    case GL_HALF_FLOAT:
    case GL_HALF_FLOAT_OES:
        return small_float(bytes_le16(at), 10, true);
    case GL_DOUBLE:
        bits = bytes_le64(at);
        memcpy(&wide, &bits, sizeof(wide));
        return wide;
    default:
        memcpy(&single, at, sizeof(single));
        return (double)single;
    }
}

static void decode_packed(const struct retrace_fetch *fetch, uint32_t word, double values[4])
{
    bool has_sign = fetch->type == GL_INT_2_10_10_10_REV;

    if (fetch->type == GL_UNSIGNED_INT_10F_11F_11F_REV) {
        values[0] = small_float(word & 0x7FF, 6, false);
        values[1] = small_float(word >> 11 & 0x7FF, 6, false);
        values[2] = small_float(word >> 22, 5, false);
        return;
    }
    for (unsigned n = 0; n < 4; n++) {
        unsigned bits = n < 3 ? 10 : 2;
        int64_t value = word >> (10 * n) & ((1U << bits) - 1);

        if (has_sign && value >> (bits - 1))
            value -= INT64_C(1) << bits;
        values[n] = scaled(fetch, value, bits, has_sign);
    }
}

unsigned retrace_fetch_decode(const struct retrace_fetch *fetch, const uint8_t *element,
                              double values[4])
{
    unsigned count = components_of(fetch);
    double red;

    if (is_packed(fetch->type))
        decode_packed(fetch, bytes_le32(element), values);
    else
        for (unsigned n = 0; n < count; n++)
            values[n] = component(fetch, element + n * component_bytes(fetch->type));
    if (fetch->components == GL_BGRA) {
        red = values[2];
        values[2] = values[0];
        values[0] = red;
    }
    return count;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/vertex_values.h"

#include "glworker/gl/arrays.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/gl.h"

#include <stdio.h>

static void ask_coords(GLuint unit, GLfloat *out)
{
    const GLenum active = (GLenum)retrace_get(GL_ACTIVE_TEXTURE);

    if (active != GL_TEXTURE0 + unit)
        glActiveTexture(GL_TEXTURE0 + unit);
    glGetFloatv(GL_CURRENT_TEXTURE_COORDS, out);
    if (active != GL_TEXTURE0 + unit)
        glActiveTexture(active);
}

static void ask_number(GLuint number, GLenum type, union retrace_current *out)
{
    if (type == GL_FLOAT)
        glGetVertexAttribfv(number, GL_CURRENT_VERTEX_ATTRIB, out->floats);
    else if (type == GL_DOUBLE)
        glGetVertexAttribLdv(number, GL_CURRENT_VERTEX_ATTRIB, out->doubles);
    else if (type == GL_INT)
        glGetVertexAttribIiv(number, GL_CURRENT_VERTEX_ATTRIB, out->integers);
    else
        glGetVertexAttribIuiv(number, GL_CURRENT_VERTEX_ATTRIB, out->naturals);
}

void retrace_current_ask(unsigned slot, GLenum type, union retrace_current *out)
{
    static const GLenum asked[RETRACE_SLOTS_FIXED] = {[RETRACE_SLOT_NORMAL] = GL_CURRENT_NORMAL,
                                                      [RETRACE_SLOT_COLOR] = GL_CURRENT_COLOR,
                                                      [RETRACE_SLOT_FOG] = GL_CURRENT_FOG_COORD,
                                                      [RETRACE_SLOT_SECONDARY] =
                                                          GL_CURRENT_SECONDARY_COLOR};

    if (slot >= RETRACE_SLOT_NUMBERS)
        ask_number(slot - RETRACE_SLOT_NUMBERS, type, out);
    else if (slot >= RETRACE_SLOT_TEXTURES)
        ask_coords(slot - RETRACE_SLOT_TEXTURES, out->floats);
    else if (slot != RETRACE_SLOT_VERTEX)
        glGetFloatv(asked[slot], out->floats);
}

void retrace_current_name(const struct retrace *retrace, unsigned slot, char name[64])
{
    static const char *const names[RETRACE_SLOTS_FIXED] = {
        [RETRACE_SLOT_VERTEX] = "GL_VERTEX_ARRAY",
        [RETRACE_SLOT_NORMAL] = "GL_NORMAL_ARRAY",
        [RETRACE_SLOT_COLOR] = "GL_COLOR_ARRAY",
        [RETRACE_SLOT_FOG] = "GL_FOG_COORD_ARRAY",
        [RETRACE_SLOT_SECONDARY] = "GL_SECONDARY_COLOR_ARRAY"};

    if (slot < RETRACE_SLOTS_FIXED && names[slot] != NULL)
        snprintf(name, 64, "%s", names[slot]);
    else if (slot < RETRACE_SLOT_NUMBERS)
        snprintf(name, 64, "GL_TEXTURE_COORD_ARRAY%u", slot - RETRACE_SLOT_TEXTURES);
    else
        (void)retrace_fetch_name_attribute(retrace, (GLint)(slot - RETRACE_SLOT_NUMBERS), name);
}

void retrace_current_set(GLenum type, const double numbers[4], union retrace_current *out)
{
    for (unsigned n = 0; n < 4; n++)
        if (type == GL_FLOAT)
            out->floats[n] = (GLfloat)numbers[n];
        else if (type == GL_DOUBLE)
            out->doubles[n] = numbers[n];
        else if (type == GL_INT)
            out->integers[n] = (GLint)numbers[n];
        else
            out->naturals[n] = (GLuint)numbers[n];
}

unsigned retrace_current_slot(const struct retrace_fetch *fetch)
{
    return fetch->slot == RETRACE_SLOT_NUMBERS ? (unsigned)RETRACE_SLOT_VERTEX : fetch->slot;
}

GLenum retrace_current_type(const struct retrace_fetch *fetch)
{
    if (!fetch->integer)
        return GL_FLOAT;
    return fetch->type == GL_UNSIGNED_BYTE || fetch->type == GL_UNSIGNED_SHORT ||
                   fetch->type == GL_UNSIGNED_INT
               ? GL_UNSIGNED_INT
               : GL_INT;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/uniform_copy.h"

#include "glworker/gl/uniforms.h"

#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 1024, ELEMENTS_MAX = 65536, COMPONENTS = 16 };

/* Values; the copy's program is current. */

static void copy_floats(GLuint from, GLint location, const struct retrace_value_type *type,
                        GLint here)
{
    static void (*const vectors[])(GLint, GLsizei, const GLfloat *) = {glUniform1fv, glUniform2fv,
                                                                       glUniform3fv, glUniform4fv};
    static void (*const matrices[3][3])(GLint, GLsizei, GLboolean, const GLfloat *) = {
        {glUniformMatrix2fv, glUniformMatrix2x3fv, glUniformMatrix2x4fv},
        {glUniformMatrix3x2fv, glUniformMatrix3fv, glUniformMatrix3x4fv},
        {glUniformMatrix4x2fv, glUniformMatrix4x3fv, glUniformMatrix4fv}};
    GLfloat values[COMPONENTS] = {0};

    glGetUniformfv(from, location, values);
    if (type->columns == 1)
        vectors[type->rows - 1](here, 1, values);
    else
        matrices[type->columns - 2][type->rows - 2](here, 1, GL_FALSE, values);
}

static void copy_integers(GLuint from, GLint location, const struct retrace_value_type *type,
                          GLint here)
{
    static void (*const vectors[])(GLint, GLsizei, const GLint *) = {glUniform1iv, glUniform2iv,
                                                                     glUniform3iv, glUniform4iv};
    static void (*const naturals[])(GLint, GLsizei, const GLuint *) = {
        glUniform1uiv, glUniform2uiv, glUniform3uiv, glUniform4uiv};
    GLint values[COMPONENTS] = {0};
    GLuint numbers[COMPONENTS] = {0};

    if (type->base == RETRACE_BASE_UNSIGNED) {
        glGetUniformuiv(from, location, numbers);
        naturals[type->rows - 1](here, 1, numbers);
        return;
    }
    glGetUniformiv(from, location, values);
    vectors[type->rows - 1](here, 1, values);
}

/* Copies one element. Returns false if it is a double, which is not copied. */
static bool copy_values(GLuint from, GLint location, GLenum kind, GLint here)
{
    const struct retrace_value_type *type = retrace_value_type(kind);

    if (location < 0 || here < 0)
        return true; /* in a block, or built into OpenGL */
    if (type->base == RETRACE_BASE_DOUBLE)
        return false;
    (type->base == RETRACE_BASE_FLOAT ? copy_floats : copy_integers)(from, location, type, here);
    return true;
}

/* By names. */

/* The name of an array ends with the first element's index. */
static void drop_index(char *name)
{
    const size_t length = strlen(name);

    if (length > 3 && strcmp(name + length - 3, "[0]") == 0)
        name[length - 3] = '\0';
}

static bool copy_uniforms(GLuint from, GLuint to)
{
    GLint count = 0;
    bool copied = true;

    glGetProgramiv(to, GL_ACTIVE_UNIFORMS, &count);
    for (GLint n = 0; n < count && copied; n++) {
        char name[NAME_ROOM] = "", element[NAME_ROOM + 16];
        GLint size = 0;
        GLenum type = GL_NONE;

        glGetActiveUniform(to, (GLuint)n, NAME_ROOM, NULL, &size, &type, name);
        if (size > 1)
            drop_index(name);
        for (GLint i = 0; i < size && i < ELEMENTS_MAX && copied; i++) {
            snprintf(element, sizeof(element), size > 1 ? "%s[%d]" : "%s", name, i);
            copied = copy_values(from, glGetUniformLocation(from, element), type,
                                 glGetUniformLocation(to, element));
        }
    }
    return copied;
}

static void copy_blocks(GLuint from, GLuint to)
{
    GLint count = 0;

    glGetProgramiv(to, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    for (GLint n = 0; n < count && !graphics_failed(); n++) {
        char name[NAME_ROOM] = "";
        GLint binding = 0;
        GLuint block;

        glGetActiveUniformBlockName(to, (GLuint)n, NAME_ROOM, NULL, name);
        block = glGetUniformBlockIndex(from, name);
        if (block == GL_INVALID_INDEX)
            continue;
        glGetActiveUniformBlockiv(from, block, GL_UNIFORM_BLOCK_BINDING, &binding);
        glUniformBlockBinding(to, (GLuint)n, (GLuint)binding);
    }
}

bool retrace_uniforms_copy(GLuint from, GLuint to)
{
    if (!copy_uniforms(from, to))
        return false;
    copy_blocks(from, to);
    return true;
}

/* By places: locations, and bindings as in the modules. */

struct place {
    GLenum type;
    GLint size, location; /* location is less than 0 in a block */
};

static struct place place_of(GLuint program, GLint n)
{
    static const GLenum properties[] = {GL_TYPE, GL_ARRAY_SIZE, GL_LOCATION};
    GLint values[3] = {GL_FLOAT, 0, -1};

    glGetProgramResourceiv(program, GL_UNIFORM, (GLuint)n, 3, properties, 3, NULL, values);
    return (struct place){(GLenum)values[0], values[1] > 0 ? values[1] : 1, values[2]};
}

static GLint count_of(GLuint program, GLenum what)
{
    GLint count = 0;

    glGetProgramiv(program, what, &count);
    return graphics_failed() ? 0 : count;
}

static GLint unit_of(GLuint program, GLint location)
{
    GLint unit = 0;

    glGetUniformiv(program, location, &unit);
    return unit;
}

/*
 * Returns the location in the program of a sampler or an image of the copy. A module may lack its
 * location, but has its initial unit. Returns -1 if the location cannot be found.
 */
static GLint find_unit(GLuint pristine, GLuint to, const struct place *place)
{
    const GLint unit = unit_of(to, place->location);
    const GLint count = count_of(pristine, GL_ACTIVE_UNIFORMS);
    GLint found = -1;

    for (GLint n = 0; n < count && !graphics_failed(); n++) {
        const struct place other = place_of(pristine, n);

        if (other.location < 0 || other.type != place->type || other.size != place->size ||
            unit_of(pristine, other.location) != unit)
            continue;
        if (other.location == place->location)
            return other.location;
        found = found < 0 ? other.location : found;
    }
    return found;
}

static bool is_opaque(GLenum type)
{
    const struct retrace_value_type *value = retrace_value_type(type);

    return value->type != type;
}

static bool copy_place(GLuint from, GLuint pristine, GLuint to, const struct place *place)
{
    GLint location = place->location;
    bool copied = true;

    if (location >= 0 && is_opaque(place->type))
        location = find_unit(pristine, to, place);
    for (GLint n = 0; location >= 0 && n < place->size && n < ELEMENTS_MAX && copied; n++)
        copied = copy_values(from, location + n, place->type, place->location + n);
    return copied;
}

static GLint binding_of(GLuint program, GLint block)
{
    GLint binding = -1;

    glGetActiveUniformBlockiv(program, (GLuint)block, GL_UNIFORM_BLOCK_BINDING, &binding);
    return binding;
}

static void copy_bindings(GLuint from, GLuint pristine, GLuint to)
{
    const GLint count = count_of(to, GL_ACTIVE_UNIFORM_BLOCKS);
    const GLint all = count_of(pristine, GL_ACTIVE_UNIFORM_BLOCKS);

    for (GLint n = 0; n < count; n++) {
        const GLint binding = binding_of(to, n);
        GLint block = 0;

        while (block < all && binding_of(pristine, block) != binding)
            block++;
        if (block < all && !graphics_failed())
            glUniformBlockBinding(to, (GLuint)n, (GLuint)binding_of(from, block));
    }
}

bool retrace_uniforms_copy_places(GLuint from, GLuint pristine, GLuint to)
{
    const GLint count = count_of(to, GL_ACTIVE_UNIFORMS);
    bool copied = true;

    if (count_of(from, GL_ACTIVE_UNIFORMS) != count_of(pristine, GL_ACTIVE_UNIFORMS) ||
        count_of(from, GL_ACTIVE_UNIFORM_BLOCKS) != count_of(pristine, GL_ACTIVE_UNIFORM_BLOCKS))
        return false;
    for (GLint n = 0; n < count && copied; n++) {
        const struct place place = place_of(to, n);

        copied = copy_place(from, pristine, to, &place);
    }
    copy_bindings(from, pristine, to);
    return copied;
}

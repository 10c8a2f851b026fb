/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/attributes.h"

#include "glworker/gl/surfaces.h"

enum { NAME_ROOM = 1024 };

/* Returns the number of locations that an attribute of this type takes, one for each column. */
static unsigned columns_of(GLenum type)
{
    switch (type) {
    case GL_FLOAT_MAT2:
    case GL_FLOAT_MAT2x3:
    case GL_FLOAT_MAT2x4:
    case GL_DOUBLE_MAT2:
    case GL_DOUBLE_MAT2x3:
    case GL_DOUBLE_MAT2x4:
        return 2;
    case GL_FLOAT_MAT3:
    case GL_FLOAT_MAT3x2:
    case GL_FLOAT_MAT3x4:
    case GL_DOUBLE_MAT3:
    case GL_DOUBLE_MAT3x2:
    case GL_DOUBLE_MAT3x4:
        return 3;
    case GL_FLOAT_MAT4:
    case GL_FLOAT_MAT4x2:
    case GL_FLOAT_MAT4x3:
    case GL_DOUBLE_MAT4:
    case GL_DOUBLE_MAT4x2:
    case GL_DOUBLE_MAT4x3:
        return 4;
    default:
        return 1;
    }
}

/* Returns the program that has the vertex stage. */
static GLuint vertex_program(void)
{
    GLint name = retrace_get(GL_CURRENT_PROGRAM);
    GLint pipeline = name == 0 ? retrace_get(GL_PROGRAM_PIPELINE_BINDING) : 0;

    if (pipeline != 0)
        glGetProgramPipelineiv((GLuint)pipeline, GL_VERTEX_SHADER, &name);
    return (GLuint)name;
}

uint32_t retrace_attributes_read(void)
{
    const GLuint program = vertex_program();
    uint32_t read = 0;
    GLint count = 0;

    if (program == 0)
        return UINT32_MAX;
    graphics_failed(); /* clears errors of earlier calls */
    glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (GLint n = 0; n < count; n++) {
        char name[NAME_ROOM] = "";
        GLint size = 0, location;
        GLenum type = GL_NONE;

        glGetActiveAttrib(program, (GLuint)n, NAME_ROOM, NULL, &size, &type, name);
        location = glGetAttribLocation(program, name);
        for (unsigned more = 0; location >= 0 && more < (unsigned)size * columns_of(type); more++)
            if ((unsigned)location + more < RETRACE_ATTRIBUTES_MAX)
                read |= UINT32_C(1) << ((unsigned)location + more);
    }
    return graphics_failed() ? UINT32_MAX : read;
}

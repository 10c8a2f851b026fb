/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/renderbuffers.h"

bool retrace_renderbuffer_bind(GLuint name, GLuint *bound)
{
    *bound = (GLuint)retrace_get(GL_RENDERBUFFER_BINDING);
    if (*bound == name)
        return name != 0;
    if (!glIsRenderbuffer(name) || (*bound != 0 && !glIsRenderbuffer(*bound)))
        return false;
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    return true;
}

void retrace_renderbuffer_unbind(GLuint name, GLuint bound)
{
    if (bound != name)
        glBindRenderbuffer(GL_RENDERBUFFER, bound);
}

static bool names_objects(const struct retrace_context *context)
{
    return !context->es && retrace_is_new(context, 45, 0);
}

GLint retrace_renderbuffer_get(const struct retrace_context *context, GLuint name, GLenum what)
{
    GLint value = 0;
    GLuint bound;

    if (names_objects(context) && glIsRenderbuffer(name)) {
        glGetNamedRenderbufferParameteriv(name, what, &value);
    } else if (retrace_renderbuffer_bind(name, &bound)) {
        glGetRenderbufferParameteriv(GL_RENDERBUFFER, what, &value);
        retrace_renderbuffer_unbind(name, bound);
    }
    return value;
}

GLuint retrace_renderbuffer_create(const struct retrace_context *context, GLenum format,
                                   GLsizei width, GLsizei height)
{
    GLuint name = 0;
    GLint bound;

    if (names_objects(context)) {
        glCreateRenderbuffers(1, &name);
        glNamedRenderbufferStorage(name, format, width, height);
        return name;
    }
    bound = retrace_get(GL_RENDERBUFFER_BINDING);
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)bound);
    return name;
}

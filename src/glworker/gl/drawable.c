/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/drawable.h"

#include "glworker/gl/blits.h"
#include "glworker/gl/reading.h"
#include "glworker/gl/renderbuffers.h"
#include "glworker/gl/surfaces.h"

enum { STENCIL_BITS = 8 };

static GLuint attach(const struct retrace_context *context, GLenum format, GLenum attachment,
                     const struct retrace_rectangle *part)
{
    const GLuint name =
        retrace_renderbuffer_create(context, format, part->x + part->width, part->y + part->height);

    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
    return name;
}

/*
 * Binds the resolved copy for reading. It has the part at the origin; in OpenGL ES, which can only
 * resolve a rectangle to an equal one, the part stays where it was.
 */
static void resolve(const struct retrace_context *context, const struct retrace_box *box,
                    struct retrace_drawable_resolved *out)
{
    const struct retrace_rectangle from = {(GLint)box->x, (GLint)box->y, (GLint)box->width,
                                           (GLint)box->height};
    const struct retrace_rectangle to = {context->es ? from.x : 0, context->es ? from.y : 0,
                                         from.width, from.height};
    GLint drawn = retrace_get(GL_DRAW_FRAMEBUFFER_BINDING);

    glGenFramebuffers(1, &out->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, out->framebuffer);
    out->renderbuffers[0] = attach(context, GL_RGBA8, GL_COLOR_ATTACHMENT0, &to);
    out->renderbuffers[1] = attach(context, GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT, &to);
    retrace_blit(context, &from, &to,
                 GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)drawn);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, out->framebuffer);
}

static void end_resolved(const struct retrace_drawable_resolved *resolved)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &resolved->framebuffer);
    glDeleteRenderbuffers(2, resolved->renderbuffers);
}

static GLenum colour_format(const struct retrace_drawable *part)
{
    if (!part->context->es && !part->is_resolved)
        return GL_BGRA;
    return retrace_get(GL_IMPLEMENTATION_COLOR_READ_FORMAT) == GL_BGRA &&
                   retrace_get(GL_IMPLEMENTATION_COLOR_READ_TYPE) == GL_UNSIGNED_BYTE
               ? GL_BGRA
               : GL_RGBA;
}

void retrace_drawable_begin(const struct retrace_thread *thread, const struct retrace_box *box,
                            struct retrace_drawable *part)
{
    const struct retrace_context *context = thread->context;

    *part = (struct retrace_drawable){.context = context, .at = *box};
    retrace_reading_begin(context, 0, &part->saved);
    if (retrace_reads_apart(context) && part->saved.read_buffer == GL_NONE)
        retrace_read_buffer(context,
                            context->es || retrace_get(GL_DOUBLEBUFFER) ? GL_BACK : GL_FRONT);
    graphics_failed();
    part->is_resolved = thread->draw->samples > 0 && retrace_reads_apart(context);
    if (part->is_resolved) {
        resolve(context, box, &part->resolved);
        if (!context->es)
            part->at.x = part->at.y = 0;
    }
    part->format = colour_format(part);
}

void retrace_drawable_end(const struct retrace_drawable *part)
{
    if (part->is_resolved)
        end_resolved(&part->resolved);
    retrace_reading_end(part->context, &part->saved);
}

bool retrace_drawable_colours(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                              uint32_t *out)
{
    glReadPixels((GLint)part->at.x, (GLint)(part->at.y + row), (GLsizei)part->at.width,
                 (GLsizei)rows, part->format, GL_UNSIGNED_BYTE, out);
    return !graphics_failed();
}

bool retrace_drawable_depths(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                             uint32_t *out)
{
    glReadPixels((GLint)part->at.x, (GLint)(part->at.y + row), (GLsizei)part->at.width,
                 (GLsizei)rows, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, out);
    return !graphics_failed();
}

bool retrace_drawable_only_depths(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                                  uint32_t *out)
{
    bool read = retrace_drawable_depths(part, row, rows, out);

    for (size_t n = 0; read && n < (size_t)part->at.width * rows; n++)
        out[n] >>= STENCIL_BITS;
    return read;
}

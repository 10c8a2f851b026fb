/* SPDX-License-Identifier: MIT */
/*
 * Reads multisample textures, which the driver cannot read back: they are attached to a framebuffer
 * and copied to one with one sample a pixel. The caller restores the framebuffer that is bound for
 * reading.
 */
#include "config.h"

#include "glworker/gl/samples.h"

#include "glworker/gl/blits.h"
#include "glworker/gl/surfaces.h"

enum { FROM, TO, FRAMEBUFFERS };

static bool is_depth(const struct retrace_resolved *texture)
{
    return texture->format == GL_DEPTH_COMPONENT;
}

static GLenum attachment_of(const struct retrace_resolved *texture)
{
    return is_depth(texture) ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0;
}

static void attach(const struct retrace_resolved *texture, const GLuint framebuffers[FRAMEBUFFERS],
                   GLuint renderbuffer)
{
    const GLenum attachment = attachment_of(texture);
    GLint format = GL_RGBA8;

    glGetTextureLevelParameteriv(texture->name, 0, GL_TEXTURE_INTERNAL_FORMAT, &format);
    glNamedRenderbufferStorage(renderbuffer, (GLenum)format, texture->width, texture->height);
    glNamedFramebufferRenderbuffer(framebuffers[TO], attachment, GL_RENDERBUFFER, renderbuffer);
    if (texture->layers > 1)
        glNamedFramebufferTextureLayer(framebuffers[FROM], attachment, texture->name, 0,
                                       texture->layer);
    else
        glNamedFramebufferTexture(framebuffers[FROM], attachment, texture->name, 0);
    if (is_depth(texture)) {
        glNamedFramebufferReadBuffer(framebuffers[FROM], GL_NONE);
        glNamedFramebufferDrawBuffer(framebuffers[TO], GL_NONE);
        glNamedFramebufferReadBuffer(framebuffers[TO], GL_NONE);
    }
}

bool retrace_read_resolved(const struct retrace_resolved *texture, GLenum type, void *pixels)
{
    const struct retrace_context *context = retrace_context(retrace_session());
    const struct retrace_rectangle all = {0, 0, texture->width, texture->height};
    const GLint drawn = retrace_get(GL_DRAW_FRAMEBUFFER_BINDING);
    GLuint framebuffers[FRAMEBUFFERS], renderbuffer;

    glCreateFramebuffers(FRAMEBUFFERS, framebuffers);
    glCreateRenderbuffers(1, &renderbuffer);
    attach(texture, framebuffers, renderbuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[FROM]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[TO]);
    retrace_blit(context, &all, &all,
                 is_depth(texture) ? GL_DEPTH_BUFFER_BIT : GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)drawn);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[TO]);
    glReadPixels(0, 0, texture->width, texture->height, texture->format, type, pixels);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glDeleteFramebuffers(FRAMEBUFFERS, framebuffers);
    glDeleteRenderbuffers(1, &renderbuffer);
    return !graphics_failed();
}

/* SPDX-License-Identifier: MIT */
/*
 * llvmpipe resolves depths with a shader that computes with floats, and changes integers of 24 bits
 * by one where they are large; texelFetch() does not return them exactly either. A blit between
 * framebuffers of the same format and number of samples copies memory, and of drawables with
 * several samples glReadPixels() reads the first one. So depths are copied to a pbuffer of the same
 * format, by a context that exists only for this, and read from there.
 */
#include "config.h"

#include "glworker/gl/sample_depths.h"

#include "glworker/gl/surfaces.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <string.h>

enum {
    BITS = 24,
    CONFIGS = 256,
    PIXELS = 1 << 18, /* maximum of a strip, in which depths are copied */
};

/* A pbuffer, the context that draws on it, and the framebuffer that has the depths. */
struct copier {
    EGLContext context;
    EGLSurface surface;
    GLuint framebuffer;
    GLint samples, stencil; /* of the depths' format */
    GLsizei rows;           /* of a strip */
};

static bool is_exact(EGLConfig config, const struct copier *copier)
{
    const EGLint exact[][2] = {{EGL_SAMPLES, copier->samples},
                               {EGL_DEPTH_SIZE, BITS},
                               {EGL_STENCIL_SIZE, copier->stencil}};
    EGLint value;

    for (size_t n = 0; n < sizeof(exact) / sizeof(exact[0]); n++)
        if (!eglGetConfigAttrib(graphics_display(), config, exact[n][0], &value) ||
            value != exact[n][1])
            return false;
    return true;
}

static bool make_surface(struct copier *copier, GLsizei width)
{
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, copier->rows, EGL_NONE};
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_SAMPLES,
                             copier->samples,  EGL_DEPTH_SIZE,  BITS,
                             EGL_STENCIL_SIZE, copier->stencil, EGL_NONE};
    EGLConfig configs[CONFIGS];
    EGLint count = 0;

    if (!eglChooseConfig(graphics_display(), wanted, configs, CONFIGS, &count))
        return false;
    for (EGLint n = 0; n < count && copier->surface == EGL_NO_SURFACE; n++)
        if (is_exact(configs[n], copier))
            copier->surface = eglCreatePbufferSurface(graphics_display(), configs[n], size);
    return copier->surface != EGL_NO_SURFACE;
}

/* Makes a context of OpenGL current that shares objects with a context of the trace. */
static bool make_context(struct copier *copier, const struct retrace_context *context)
{
    static const EGLint none[] = {EGL_NONE};

    if (!eglBindAPI(EGL_OPENGL_API))
        return false;
    copier->context =
        eglCreateContext(graphics_display(), EGL_NO_CONFIG_KHR, context->context, none);
    return copier->context != EGL_NO_CONTEXT &&
           eglMakeCurrent(graphics_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, copier->context);
}

static void query_format(const struct retrace_sample_depths *from, GLint *depth, GLint *stencil)
{
    *depth = *stencil = 0;
    if (from->type == GL_RENDERBUFFER) {
        glGetNamedRenderbufferParameteriv(from->name, GL_RENDERBUFFER_DEPTH_SIZE, depth);
        glGetNamedRenderbufferParameteriv(from->name, GL_RENDERBUFFER_STENCIL_SIZE, stencil);
    } else {
        glGetTextureLevelParameteriv(from->name, 0, GL_TEXTURE_DEPTH_SIZE, depth);
        glGetTextureLevelParameteriv(from->name, 0, GL_TEXTURE_STENCIL_SIZE, stencil);
    }
}

/* Attaches the depths to a framebuffer. Returns false if they are not integers of 24 bits. */
static bool attach(struct copier *copier, const struct retrace_sample_depths *from)
{
    GLenum attachment;
    GLint depth;

    query_format(from, &depth, &copier->stencil);
    if (graphics_failed() || depth != BITS)
        return false;
    attachment = copier->stencil > 0 ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT;
    glGenFramebuffers(1, &copier->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, copier->framebuffer);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    if (from->type == GL_RENDERBUFFER)
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, from->name);
    else
        glFramebufferTexture(GL_FRAMEBUFFER, attachment, from->name, 0);
    /* Drawables are stored from the top row down: no blit turns this framebuffer's rows then. */
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
    copier->samples = retrace_get(GL_SAMPLES);
    return !graphics_failed() && copier->samples > 0 &&
           glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* Reads rows from `first` on, counted from the top; `to` begins with the bottom row of all. */
static void read_strip(const struct copier *copier, const struct retrace_sample_depths *from,
                       GLint first, GLsizei rows, uint8_t *to)
{
    const size_t row = (size_t)from->width * sizeof(float);

    glBlitNamedFramebuffer(
        copier->framebuffer, 0, 0, first, from->width, first + rows, 0, 0, from->width, rows,
        GL_DEPTH_BUFFER_BIT | (copier->stencil > 0 ? GL_STENCIL_BUFFER_BIT : 0), GL_NEAREST);
    for (GLint y = 0; y < rows; y++)
        glReadPixels(0, y, from->width, 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                     to + (size_t)(from->height - 1 - first - y) * row);
}

static bool copy(struct copier *copier, const struct retrace_sample_depths *from, uint8_t *to)
{
    copier->rows = PIXELS / from->width;
    if (copier->rows < 1)
        copier->rows = 1;
    if (copier->rows > from->height)
        copier->rows = from->height;
    if (!make_surface(copier, from->width) ||
        !eglMakeCurrent(graphics_display(), copier->surface, copier->surface, copier->context))
        return false;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    for (GLint y = 0; y < from->height; y += copier->rows)
        read_strip(copier, from, y,
                   from->height - y < copier->rows ? from->height - y : copier->rows, to);
    return !graphics_failed();
}

bool retrace_read_sample_depths(struct retrace *retrace, const struct retrace_sample_depths *from,
                                uint8_t *to)
{
    struct retrace_thread *thread = retrace->current;
    struct copier copier = {.context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE};
    bool read;

    glFinish(); /* what the trace has drawn */
    retrace->current = NULL;
    read =
        make_context(&copier, thread->context) && attach(&copier, from) && copy(&copier, from, to);
    if (copier.framebuffer != 0)
        glDeleteFramebuffers(1, &copier.framebuffer);
    if (!retrace_enter(retrace, thread))
        read = false;
    if (copier.context != EGL_NO_CONTEXT)
        eglDestroyContext(graphics_display(), copier.context);
    if (copier.surface != EGL_NO_SURFACE)
        eglDestroySurface(graphics_display(), copier.surface);
    return read;
}

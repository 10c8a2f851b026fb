/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/gl.h"

/* The pixel store, and what is set for reading. */
static const struct {
    GLenum name;
    GLint read;
    bool in_es2;
} stores[] = {{GL_PACK_ALIGNMENT, 1, true},     {GL_PACK_ROW_LENGTH, 0, false},
              {GL_PACK_SKIP_ROWS, 0, false},    {GL_PACK_SKIP_PIXELS, 0, false},
              {GL_PACK_SWAP_BYTES, 0, false},   {GL_PACK_LSB_FIRST, 0, false},
              {GL_PACK_IMAGE_HEIGHT, 0, false}, {GL_PACK_SKIP_IMAGES, 0, false}};

_Static_assert(sizeof(stores) / sizeof(stores[0]) == RETRACE_STORES, "as many as are kept");

static bool has_store(const struct retrace_context *context, size_t n)
{
    if (stores[n].in_es2 || !context->es)
        return true;
    return context->major >= 3 && stores[n].name != GL_PACK_SWAP_BYTES &&
           stores[n].name != GL_PACK_LSB_FIRST && stores[n].name != GL_PACK_IMAGE_HEIGHT &&
           stores[n].name != GL_PACK_SKIP_IMAGES;
}

bool retrace_reads_apart(const struct retrace_context *context)
{
    return context->major >= 3;
}

void retrace_reading_begin(const struct retrace_context *context, GLuint framebuffer,
                           struct retrace_reading *saved)
{
    for (size_t n = 0; n < RETRACE_STORES; n++)
        if (has_store(context, n)) {
            saved->stores[n] = retrace_get(stores[n].name);
            glPixelStorei(stores[n].name, stores[n].read);
        }
    if (retrace_reads_apart(context)) {
        saved->framebuffer = retrace_get(GL_READ_FRAMEBUFFER_BINDING);
        saved->buffer = retrace_get(GL_PIXEL_PACK_BUFFER_BINDING);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        saved->read_buffer = retrace_get(GL_READ_BUFFER);
    } else {
        saved->framebuffer = retrace_get(GL_FRAMEBUFFER_BINDING);
        if (saved->framebuffer != (GLint)framebuffer)
            glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    }
}

void retrace_reading_end(const struct retrace_context *context, const struct retrace_reading *saved)
{
    for (size_t n = 0; n < RETRACE_STORES; n++)
        if (has_store(context, n))
            glPixelStorei(stores[n].name, saved->stores[n]);
    if (retrace_reads_apart(context)) {
        glReadBuffer((GLenum)saved->read_buffer);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)saved->framebuffer);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)saved->buffer);
    } else if (saved->framebuffer != 0) {
        glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)saved->framebuffer);
    }
    graphics_failed();
}

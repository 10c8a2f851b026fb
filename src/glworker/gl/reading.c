/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/reading.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/surfaces.h"

#include <stdlib.h>

/* Enumerators of compatibility contexts, which the header lacks. */
enum {
    MAP_COLOR = 0x0D10,
    MAP_STENCIL = 0x0D11,
    INDEX_SHIFT = 0x0D12,
    INDEX_OFFSET = 0x0D13,
    RED_SCALE = 0x0D14,
    RED_BIAS = 0x0D15,
    GREEN_SCALE = 0x0D18,
    GREEN_BIAS = 0x0D19,
    BLUE_SCALE = 0x0D1A,
    BLUE_BIAS = 0x0D1B,
    ALPHA_SCALE = 0x0D1C,
    ALPHA_BIAS = 0x0D1D,
    DEPTH_SCALE = 0x0D1E,
    DEPTH_BIAS = 0x0D1F,
};

/* The pixel store, and its values for reading. */
static const struct {
    GLenum name;
    GLint read;
    bool in_es2;
} stores[] = {{GL_PACK_ALIGNMENT, 1, true},     {GL_PACK_ROW_LENGTH, 0, false},
              {GL_PACK_SKIP_ROWS, 0, false},    {GL_PACK_SKIP_PIXELS, 0, false},
              {GL_PACK_SWAP_BYTES, 0, false},   {GL_PACK_LSB_FIRST, 0, false},
              {GL_PACK_IMAGE_HEIGHT, 0, false}, {GL_PACK_SKIP_IMAGES, 0, false}};

/*
 * Operations of compatibility contexts on transferred pixels, and the values that have no effect.
 */
static const struct {
    GLenum name;
    GLfloat none;
} transfers[] = {{MAP_COLOR, 0},   {MAP_STENCIL, 0}, {INDEX_SHIFT, 0}, {INDEX_OFFSET, 0},
                 {RED_SCALE, 1},   {RED_BIAS, 0},    {GREEN_SCALE, 1}, {GREEN_BIAS, 0},
                 {BLUE_SCALE, 1},  {BLUE_BIAS, 0},   {ALPHA_SCALE, 1}, {ALPHA_BIAS, 0},
                 {DEPTH_SCALE, 1}, {DEPTH_BIAS, 0}};

_Static_assert(sizeof(transfers) / sizeof(transfers[0]) == RETRACE_TRANSFERS,
               "as many as are kept");
_Static_assert(sizeof(stores) / sizeof(stores[0]) == RETRACE_STORES, "as many as are kept");

static bool has_store(const struct retrace_context *context, size_t n)
{
    if (stores[n].in_es2 || !context->es)
        return true;
    return context->major >= 3 && stores[n].name != GL_PACK_SWAP_BYTES &&
           stores[n].name != GL_PACK_LSB_FIRST && stores[n].name != GL_PACK_IMAGE_HEIGHT &&
           stores[n].name != GL_PACK_SKIP_IMAGES;
}

/* A barrier would not wait for what the driver still collects, such as glRect(). */
void retrace_await_stores(const struct retrace *retrace)
{
    if (retrace->stores)
        glFinish();
}

bool retrace_reads_apart(const struct retrace_context *context)
{
    return context->major >= 3;
}

/* while a list is compiled, the calls would be compiled into it */
static bool has_transfers(const struct retrace_context *context)
{
    return !context->es && !context->config.core && !context->in_list;
}

static void leave_pixels_alone(const struct retrace_context *context, struct retrace_reading *saved)
{
    for (size_t n = 0; n < RETRACE_TRANSFERS && has_transfers(context); n++) {
        saved->transfers[n] = transfers[n].none;
        glGetFloatv(transfers[n].name, &saved->transfers[n]);
        if (saved->transfers[n] != transfers[n].none)
            glPixelTransferf(transfers[n].name, transfers[n].none);
    }
}

static void change_pixels_again(const struct retrace_context *context,
                                const struct retrace_reading *saved)
{
    for (size_t n = 0; n < RETRACE_TRANSFERS && has_transfers(context); n++)
        if (saved->transfers[n] != transfers[n].none)
            glPixelTransferf(transfers[n].name, saved->transfers[n]);
}

/*
 * While a list is compiled, the call would be compiled into it; the current read buffer stays then.
 */
void retrace_read_buffer(const struct retrace_context *context, GLenum buffer)
{
    if (!context->in_list)
        glReadBuffer(buffer);
}

void retrace_reading_begin(const struct retrace_context *context, GLuint framebuffer,
                           struct retrace_reading *saved)
{
    leave_pixels_alone(context, saved);
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

GLenum retrace_colour_type(GLenum buffer)
{
    GLint type = GL_NONE;

    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, buffer,
                                          GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &type);
    return (GLenum)type;
}

void retrace_narrow_integers(GLenum type, const uint32_t *numbers, size_t count, uint8_t *to)
{
    for (size_t n = 0; n < count; n++) {
        const uint32_t value = type == GL_INT && numbers[n] > INT32_MAX ? 0 : numbers[n];

        to[n] = value < UINT8_MAX ? (uint8_t)value : UINT8_MAX;
    }
}

bool retrace_read_integers(GLsizei width, GLsizei height, GLenum type, uint8_t *to)
{
    const size_t count = (size_t)width * (size_t)height * 4;
    uint32_t *numbers = calloc(count, sizeof(*numbers));

    if (numbers == NULL)
        return false;
    glReadPixels(0, 0, width, height, GL_RGBA_INTEGER, type, numbers);
    retrace_narrow_integers(type, numbers, count, to);
    free(numbers);
    return true;
}

static uint8_t byte_of(float value)
{
    return value > 0 ? (uint8_t)(value < 1 ? value * UINT8_MAX + 0.5F : UINT8_MAX) : 0;
}

bool retrace_read_floats(GLsizei width, GLsizei height, uint8_t *to)
{
    const size_t count = (size_t)width * (size_t)height * 4;
    float *values = calloc(count, sizeof(*values));

    if (values == NULL)
        return false;
    glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, values);
    for (size_t n = 0; n < count; n++)
        to[n] = byte_of(values[n]);
    free(values);
    return true;
}

void retrace_reading_end(const struct retrace_context *context, const struct retrace_reading *saved)
{
    change_pixels_again(context, saved);
    for (size_t n = 0; n < RETRACE_STORES; n++)
        if (has_store(context, n))
            glPixelStorei(stores[n].name, saved->stores[n]);
    if (retrace_reads_apart(context)) {
        retrace_read_buffer(context, (GLenum)saved->read_buffer);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)saved->framebuffer);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)saved->buffer);
    } else if (saved->framebuffer != 0) {
        glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)saved->framebuffer);
    }
    graphics_failed();
}

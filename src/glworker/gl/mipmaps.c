/* SPDX-License-Identifier: MIT */
/*
 * The worker computes levels of half the width and half the height, for two-dimensional textures of
 * desktop OpenGL whose sides are powers of two and whose channels have eight bits. There the
 * driver's linear filter samples exactly between four texels: its weights are exactly one half, and
 * each of its two steps rounds up. tests/worker/test_mipmaps.c compares this with the driver.
 */
#include "config.h"

#include "glworker/gl/mipmaps.h"

#include "glworker/gl/reading.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <stdlib.h>

enum {
    GENERATE_MIPMAP = 0x8191, /* GL_GENERATE_MIPMAP, of compatibility profiles */
    LEVELS_MAX = 16,
    RGBA = 4,
    /* texels of a session; more are worth compiling the driver's shaders for */
    AVERAGED_MAX = 1 << 24,
    STORES = 6,
};

/* Formats of eight bits a channel. What an unsized format becomes depends on the upload. */
static const struct {
    GLenum name;
    bool sized;
} plain_formats[] = {
    {GL_RGBA8, true}, {GL_RGB8, true}, {GL_RG8, true},
    {GL_R8, true},    {0x803C, true},                   /* GL_ALPHA8 */
    {0x8040, true},                                     /* GL_LUMINANCE8 */
    {0x8045, true},                                     /* GL_LUMINANCE8_ALPHA8 */
    {0x804B, true},                                     /* GL_INTENSITY8 */
    {GL_RGBA, false}, {GL_RGB, false}, {0x1906, false}, /* GL_ALPHA */
    {0x1909, false},                                    /* GL_LUMINANCE */
    {0x190A, false},                                    /* GL_LUMINANCE_ALPHA */
    {0x8049, false},                                    /* GL_INTENSITY */
    {1, false},                                         /* number of components, as in OpenGL 1.0 */
    {2, false},       {3, false},      {4, false},
};

/* Pixel store for four bytes a pixel without gaps between rows. */
static const struct {
    GLenum name;
    GLint plain;
} stores[STORES] = {{GL_UNPACK_ALIGNMENT, 4},  {GL_UNPACK_ROW_LENGTH, 0},
                    {GL_UNPACK_SKIP_ROWS, 0},  {GL_UNPACK_SKIP_PIXELS, 0},
                    {GL_UNPACK_SWAP_BYTES, 0}, {GL_UNPACK_LSB_FIRST, 0}};

static GLint level_is(GLint level, GLenum what)
{
    GLint value = 0;

    glGetTexLevelParameteriv(GL_TEXTURE_2D, level, what, &value);
    return value;
}

static GLint parameter_is(GLenum what)
{
    GLint value = 0;

    glGetTexParameteriv(GL_TEXTURE_2D, what, &value);
    return value;
}

/*
 * Returns whether the worker may make the levels. While a list is compiled, the texture that it
 * will find is unknown; and with a bound buffer, a pointer to pixels would be an offset.
 */
static bool is_ours(const struct retrace *retrace, const struct retrace_call *call)
{
    const struct retrace_context *context = retrace_context(retrace);

    return !context->es && !context->in_list && retrace_integer(call, 0) == GL_TEXTURE_2D &&
           parameter_is(GL_TEXTURE_BASE_LEVEL) == 0 &&
           retrace_get(GL_PIXEL_UNPACK_BUFFER_BINDING) == 0;
}

static bool has_level(GLint level, GLint width, GLint height, GLint internal)
{
    return level_is(level, GL_TEXTURE_WIDTH) == width &&
           level_is(level, GL_TEXTURE_HEIGHT) == height &&
           level_is(level, GL_TEXTURE_INTERNAL_FORMAT) == internal;
}

/*
 * If `make` is set, allocates the levels below the first one, by images of the same kind, unless
 * they exist. Returns whether all levels exist.
 */
static bool give_levels(GLenum format, GLenum type, bool make)
{
    const GLint internal = level_is(0, GL_TEXTURE_INTERNAL_FORMAT);
    GLint width = level_is(0, GL_TEXTURE_WIDTH), height = level_is(0, GL_TEXTURE_HEIGHT);
    bool all = true;

    for (GLint level = 1; level < LEVELS_MAX && (width > 1 || height > 1); level++) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        if (make && !has_level(level, width, height, internal))
            glTexImage2D(GL_TEXTURE_2D, level, internal, width, height, 0, format, type, NULL);
        all = all && has_level(level, width, height, internal);
    }
    return all;
}

/* Averaging. */

static bool is_power(uint64_t side)
{
    return side != 0 && (side & (side - 1)) == 0;
}

static bool is_plain(GLenum internal, bool *sized)
{
    for (size_t n = 0; n < sizeof(plain_formats) / sizeof(plain_formats[0]); n++)
        if (plain_formats[n].name == internal) {
            *sized = plain_formats[n].sized;
            return true;
        }
    return false;
}

/*
 * Returns whether the first level can be averaged as it is: the driver may have chosen another
 * format than requested.
 */
static bool is_averaged(const struct retrace *retrace, bool *sized)
{
    static const GLenum sizes[] = {GL_TEXTURE_RED_SIZE,
                                   GL_TEXTURE_GREEN_SIZE,
                                   GL_TEXTURE_BLUE_SIZE,
                                   GL_TEXTURE_ALPHA_SIZE,
                                   0x8060,  /* GL_TEXTURE_LUMINANCE_SIZE */
                                   0x8061}; /* GL_TEXTURE_INTENSITY_SIZE */
    const bool old = !retrace_context(retrace)->config.core;
    const uint64_t width = (uint64_t)level_is(0, GL_TEXTURE_WIDTH);
    const uint64_t height = (uint64_t)level_is(0, GL_TEXTURE_HEIGHT);

    if (!retrace_reads_apart(retrace_context(retrace)) || !is_power(width) || !is_power(height) ||
        retrace->averaged + width * height > AVERAGED_MAX ||
        parameter_is(GL_TEXTURE_MAX_LEVEL) < LEVELS_MAX ||
        !is_plain((GLenum)level_is(0, GL_TEXTURE_INTERNAL_FORMAT), sized))
        return false;
    for (size_t n = 0; n < (old ? 6 : 4); n++) {
        const GLint bits = level_is(0, sizes[n]);

        if (bits != 0 && bits != 8)
            return false;
    }
    return true;
}

static uint8_t middle(uint8_t a, uint8_t b)
{
    return (uint8_t)((a + b + 1) / 2);
}

/* Averages four texels, or two if a side is 1, into one; first within rows. */
static void halve(const uint8_t *from, size_t width, size_t height, uint8_t *to)
{
    const size_t right = width > 1 ? RGBA : 0, below = height > 1 ? width * RGBA : 0;
    const size_t to_width = width > 1 ? width / 2 : 1, to_height = height > 1 ? height / 2 : 1;

    for (size_t y = 0; y < to_height; y++)
        for (size_t x = 0; x < to_width; x++) {
            const uint8_t *at = from + (2 * y * width + 2 * x) * RGBA;

            for (size_t n = 0; n < RGBA; n++, at++)
                *to++ = middle(middle(at[0], at[right]), middle(at[below], at[below + right]));
        }
}

/*
 * Computes the levels below the first one, whose pixels are `from`, and uploads them to existing
 * images.
 */
static void upload_levels(uint8_t *from, uint8_t *to)
{
    GLint width = level_is(0, GL_TEXTURE_WIDTH), height = level_is(0, GL_TEXTURE_HEIGHT);

    for (GLint level = 1; width > 1 || height > 1; level++) {
        uint8_t *next = from;

        halve(from, (size_t)width, (size_t)height, to);
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, to);
        from = to;
        to = next; /* larger than all remaining levels */
    }
}

/* Computes all levels from the pixels of the first one. Returns false without memory. */
static bool average_levels(struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);
    const size_t texels =
        (size_t)level_is(0, GL_TEXTURE_WIDTH) * (size_t)level_is(0, GL_TEXTURE_HEIGHT);
    uint8_t *pixels = malloc(texels * RGBA * 2);
    struct retrace_reading saved;
    GLint unpacking[STORES];

    if (pixels == NULL)
        return false;
    for (size_t n = 0; n < STORES; n++) {
        unpacking[n] = retrace_get(stores[n].name);
        glPixelStorei(stores[n].name, stores[n].plain);
    }
    retrace_reading_begin(context, (GLuint)retrace_get(GL_READ_FRAMEBUFFER_BINDING), &saved);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    upload_levels(pixels, pixels + texels * RGBA);
    retrace_reading_end(context, &saved);
    for (size_t n = 0; n < STORES; n++)
        glPixelStorei(stores[n].name, unpacking[n]);
    free(pixels);
    retrace->averaged += texels;
    return true;
}

/* `certain` means that levels of this format and type have the same kind as the first one. */
static bool make_levels(struct retrace *retrace, GLenum format, GLenum type, bool certain)
{
    bool sized = false;

    return is_averaged(retrace, &sized) && give_levels(format, type, certain || sized) &&
           average_levels(retrace);
}

/* Uploads. */

/* Returns whether the levels below can probably be averaged. */
static bool may_average(const struct retrace_upload *upload)
{
    bool sized;

    if (!upload->has_pixels)
        return false;
    return upload->internal == GL_NONE ||
           (is_power(upload->width) && is_power(upload->height) &&
            is_plain(upload->internal, &sized) && (sized || upload->type == GL_UNSIGNED_BYTE));
}

bool retrace_mipmaps_hold(const struct retrace *retrace, const struct retrace_call *call,
                          const struct retrace_upload *upload)
{
    if (!is_ours(retrace, call) || retrace_context(retrace)->config.core ||
        retrace_integer(call, 1) != 0 || parameter_is(GENERATE_MIPMAP) == 0 ||
        !(graphics_is_compile_only() || may_average(upload)))
        return false;
    glTexParameteri(GL_TEXTURE_2D, GENERATE_MIPMAP, 0);
    return true;
}

void retrace_mipmaps_release(struct retrace *retrace, const struct retrace_upload *upload,
                             bool made)
{
    if (made && graphics_is_compile_only())
        (void)give_levels(upload->format, upload->type, true);
    else if (made &&
             !make_levels(retrace, upload->format, upload->type, upload->internal != GL_NONE))
        glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GENERATE_MIPMAP, 1);
    graphics_failed();
}

enum retrace_outcome retrace_generate_mipmap(struct retrace *retrace, struct retrace_call *call)
{
    if (!is_ours(retrace, call) || level_is(0, GL_TEXTURE_DEPTH_SIZE) > 0)
        return RETRACE_GO_ON;
    if (!graphics_is_compile_only())
        return make_levels(retrace, GL_RGBA, GL_UNSIGNED_BYTE, false) ? RETRACE_MADE
                                                                      : RETRACE_GO_ON;
    (void)give_levels(GL_RGBA, GL_UNSIGNED_BYTE, true);
    /* If the levels could not be allocated, the driver makes them. */
    return level_is(1, GL_TEXTURE_WIDTH) > 0 ? RETRACE_MADE : RETRACE_GO_ON;
}

/* SPDX-License-Identifier: MIT */
/* Reads what was drawn, and leaves the state of the trace's context unchanged. */
#include "config.h"

#include "glworker/gl/pictures.h"

#include "glworker/gl/blits.h"
#include "glworker/gl/depths.h"
#include "glworker/gl/named_target.h"
#include "glworker/gl/names.h"
#include "glworker/gl/reading.h"
#include "glworker/gl/renderbuffers.h"
#include "glworker/gl/samples.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"
#include "glworker/gl/windows.h"
#include "image/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the drawable that the call at hand swaps, or 0 if it swaps the current one or nothing. */
static uint64_t swapped(struct retrace *retrace, const struct retrace_event *event)
{
    struct retrace_binding *binding = retrace_bind(retrace, event->function);
    struct retrace_call call;
    uint64_t drawable = 0;

    if (binding == NULL || binding->rule != retrace_swap || event->function->argument_count == 0)
        return 0;
    if (retrace_call_read(retrace, retrace->stream.ready, binding, &call) == 0)
        drawable = (uint64_t)retrace_integer(&call, binding->detail);
    retrace_scratch_reset(&retrace->scratch);
    return drawable;
}

static struct retrace_thread *thread_with(struct retrace *retrace,
                                          const struct retrace_surface *surface)
{
    for (uint32_t n = 0; n < retrace->thread_count; n++)
        if (retrace->threads[n]->context != NULL && retrace->threads[n]->draw == surface)
            return retrace->threads[n];
    return NULL;
}

struct retrace_thread *retrace_drawing_thread(struct retrace *retrace)
{
    const struct retrace_event *event = retrace->stream.ready;
    struct retrace_thread *thread = retrace_thread(retrace, retrace->progress.last_thread), *owner;
    struct retrace_surface *surface = NULL;

    if (event != NULL) {
        uint64_t drawable = swapped(retrace, event);

        thread = retrace_thread(retrace, event->thread);
        surface = drawable != 0 ? retrace_surface_find(retrace, drawable) : NULL;
    }
    /* the thread may get an implicit context */
    if (thread != NULL && thread->context == NULL)
        retrace_enter(retrace, thread);
    if (thread != NULL && thread->context != NULL && (surface == NULL || thread->draw == surface))
        return thread;
    owner = surface != NULL ? thread_with(retrace, surface) : NULL;
    if (owner != NULL)
        return owner;
    return thread != NULL && thread->context != NULL ? thread : retrace->current;
}

/*
 * Returns memory for pixels that are read. It is kept, because new pages cost as much time as
 * reading does.
 */
static uint8_t *pixel_room(size_t size)
{
    static uint8_t *room;
    static size_t room_size;

    if (size > room_size) {
        free(room);
        room = malloc(size);
        room_size = room == NULL ? 0 : size;
    }
    return room;
}

/* Converts pixels of four bytes to three. `turned` means that blue comes first. */
static void narrow(const uint8_t *from, uint32_t width, bool turned, uint8_t *to)
{
    for (uint32_t x = 0; x < width; x++) {
        uint32_t pixel = bytes_le32(from + (size_t)x * 4);

        if (turned)
            pixel = __builtin_bswap32(pixel) >> 8;
        /* little-endian, as all supported machines; the next pixel overwrites the fourth byte */
        memcpy(to + (size_t)x * 3, &pixel, x + 1 < width ? 4 : 3);
    }
}

/*
 * What is read: the drawable, or the first colour buffer that is drawn to in a framebuffer object.
 */
struct drawn_on {
    GLuint framebuffer; /* 0 is the drawable */
    GLenum buffer;
    GLint samples; /* 0 means one a pixel */
};

/* How a framebuffer is read, always four bytes a pixel, and the size of the result. */
struct reading {
    GLenum format, type;
    unsigned bytes; /* of a pixel in the result */
};

/*
 * Chooses the format in which colours are stored, so that they need no conversion. OpenGL's
 * drawables store blue first, which the driver does not report.
 */
static struct reading reading_of(const struct retrace_context *context, uint32_t what,
                                 const struct drawn_on *source)
{
    const bool own = !context->es && source->framebuffer == 0 && source->samples == 0;
    const GLenum buffer = source->samples > 0 ? GL_COLOR_ATTACHMENT0 : source->buffer;
    const GLenum type = source->framebuffer != 0 && retrace_reads_apart(context)
                            ? retrace_colour_type(buffer)
                            : GL_NONE;

    if (what == APITRACE_PICTURE_DEPTH)
        return (struct reading){GL_DEPTH_COMPONENT, GL_FLOAT, 4};
    if (retrace_is_integer(type))
        return (struct reading){GL_RGBA_INTEGER, type, 3};
    if (context->es && type == GL_FLOAT)
        return (struct reading){GL_RGBA, type, 3};
    if (own || (retrace_get(GL_IMPLEMENTATION_COLOR_READ_FORMAT) == GL_BGRA &&
                retrace_get(GL_IMPLEMENTATION_COLOR_READ_TYPE) == GL_UNSIGNED_BYTE))
        return (struct reading){GL_BGRA, GL_UNSIGNED_BYTE, 3};
    return (struct reading){GL_RGBA, GL_UNSIGNED_BYTE, 3};
}

/* Reverses the order of rows: from bottom-up to top-down. */
static int turn(const struct reading *reading, const uint8_t *from, uint32_t width, uint32_t height,
                struct blob **out)
{
    const size_t row = (size_t)width * reading->bytes;
    int status = blob_create(row * height, out);

    for (uint32_t y = 0; status == 0 && y < height; y++) {
        const uint8_t *source = from + (size_t)(height - 1 - y) * width * 4;
        uint8_t *to = (*out)->data + y * row;

        if (reading->bytes == 4)
            memcpy(to, source, row);
        else
            narrow(source, width, reading->format == GL_BGRA, to);
    }
    return status;
}

/* Finds what is drawn to. Returns false if no colour buffer is. */
static bool find_target(const struct retrace_context *context, struct drawn_on *out)
{
    *out = (struct drawn_on){.buffer = GL_COLOR_ATTACHMENT0};
    out->framebuffer = (GLuint)retrace_get(
        retrace_reads_apart(context) ? GL_DRAW_FRAMEBUFFER_BINDING : GL_FRAMEBUFFER_BINDING);
    if (out->framebuffer == 0 || !retrace_reads_apart(context))
        return true;
    out->samples = retrace_get(GL_SAMPLES);
    for (GLenum n = 0; n < 8; n++) {
        out->buffer = (GLenum)retrace_get(GL_DRAW_BUFFER0 + n);
        if (out->buffer != GL_NONE)
            return true;
    }
    return false;
}

/* Returns the format of the attachment, for a copy of it. */
static GLenum format_of(const struct drawn_on *source, const struct retrace_context *context)
{
    GLint type = GL_NONE, name = 0, level = 0, format = GL_RGBA8;

    if (source->framebuffer == 0)
        return GL_RGBA8;
    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, source->buffer,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, source->buffer,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
    if (type == GL_RENDERBUFFER) {
        format = retrace_renderbuffer_get(context, (GLuint)name, GL_RENDERBUFFER_INTERNAL_FORMAT);
    } else if (type == GL_TEXTURE && !context->es) {
        glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, source->buffer,
                                              GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, &level);
        glGetTextureLevelParameteriv((GLuint)name, level, GL_TEXTURE_INTERNAL_FORMAT, &format);
    }
    return format != GL_NONE ? (GLenum)format : GL_RGBA8;
}

/*
 * Multisample buffers cannot be read: copies the buffer to a framebuffer with one sample a pixel,
 * and binds that for reading. The caller deletes `names`, the framebuffer and its renderbuffer,
 * after reading.
 */
static void resolve(const struct retrace_context *context, const struct drawn_on *source,
                    uint32_t width, uint32_t height, GLuint names[2])
{
    GLint drawn = retrace_get(GL_DRAW_FRAMEBUFFER_BINDING);
    const struct retrace_rectangle all = {0, 0, (GLint)width, (GLint)height};

    glGenFramebuffers(1, &names[0]);
    names[1] = retrace_renderbuffer_create(context, format_of(source, context), (GLsizei)width,
                                           (GLsizei)height);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, names[0]);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[1]);
    retrace_blit(context, &all, &all, GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)drawn);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, names[0]);
}

static int read_pixels(const struct retrace_context *context, uint32_t what,
                       const struct drawn_on *source, uint32_t width, uint32_t height,
                       struct serve_answer *answer)
{
    struct retrace_reading saved;
    struct reading reading;
    GLuint copies[2] = {0, 0};
    uint8_t *pixels = pixel_room((size_t)width * height * 4);
    int status = pixels == NULL ? -ENOMEM : 0;
    bool read = true;

    if (status < 0)
        return status;
    /* the attachment may be smaller than the daemon believes */
    if (source->framebuffer != 0)
        memset(pixels, 0, (size_t)width * height * 4);
    retrace_reading_begin(context, source->framebuffer, &saved);
    if (source->framebuffer != 0 && retrace_reads_apart(context))
        retrace_read_buffer(context, source->buffer);
    else if (retrace_reads_apart(context) && saved.read_buffer == GL_NONE)
        retrace_read_buffer(context,
                            context->es || retrace_get(GL_DOUBLEBUFFER) ? GL_BACK : GL_FRONT);
    graphics_failed();
    if (source->samples > 0)
        resolve(context, source, width, height, copies);
    reading = reading_of(context, what, source);
    if (retrace_is_integer(reading.type))
        read = retrace_read_integers((GLsizei)width, (GLsizei)height, reading.type, pixels);
    else if (what == APITRACE_PICTURE_DEPTH)
        read = retrace_read_depths(retrace_session(), (GLsizei)width, (GLsizei)height, pixels);
    else if (reading.type == GL_FLOAT)
        read = retrace_read_floats((GLsizei)width, (GLsizei)height, pixels);
    else
        glReadPixels(0, 0, (GLsizei)width, (GLsizei)height, reading.format, reading.type, pixels);
    if (graphics_failed() || !read)
        status = serve_refuse(answer, -ENOENT, "the driver cannot read it back");
    if (source->samples > 0) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, source->framebuffer);
        glDeleteFramebuffers(1, &copies[0]);
        glDeleteRenderbuffers(1, &copies[1]);
    }
    retrace_reading_end(context, &saved);
    return status == 0 ? turn(&reading, pixels, width, height, &answer->bulk) : status;
}

static void describe(struct serve_answer *answer, uint32_t width, uint32_t height, uint32_t bytes,
                     bool real)
{
    message_write_u32(&answer->body, width);
    message_write_u32(&answer->body, height);
    message_write_u32(&answer->body, bytes);
    message_write_u32(&answer->body, real);
}

/* Reads a picture through the thread's context, which is current. */
static int answer_picture(struct retrace *retrace, struct retrace_thread *thread, uint32_t what,
                          uint32_t width, uint32_t height, struct serve_answer *answer)
{
    struct drawn_on source = {0};
    int status;

    if (what == APITRACE_PICTURE_TARGET && !find_target(thread->context, &source))
        return serve_refuse(answer, -ENOENT, "the framebuffer has no colour buffer");
    if (source.framebuffer == 0 && thread->draw == NULL)
        return serve_refuse(answer, -ENOENT, "the context has no drawable");
    if (source.framebuffer != 0 &&
        (width == 0 || height == 0 || width > PICTURE_MAX || height > PICTURE_MAX))
        return serve_refuse(answer, -EINVAL, "the size of the picture must be given");
    if (source.framebuffer == 0 && (width == 0 || width > thread->draw->width))
        width = thread->draw->width;
    if (source.framebuffer == 0 && (height == 0 || height > thread->draw->height))
        height = thread->draw->height;
    /* A blit would be compiled into a list. Drawables can be read without resolving them. */
    if (source.framebuffer == 0 && what != APITRACE_PICTURE_DEPTH &&
        retrace_reads_apart(thread->context) && !thread->context->in_list)
        source.samples = (GLint)thread->draw->samples;
    if (source.samples > 0 && thread->context->in_list)
        return serve_refuse(answer, -ENOENT,
                            "resolving its samples would be compiled into a display list");
    if (retrace_read_drawn(retrace, thread))
        status = read_pixels(thread->context, what, &source, width, height, answer);
    else
        status = serve_refuse(answer, -ENOENT, "the context cannot be made current");
    retrace_read_own(retrace, thread);
    if (status == 0)
        describe(answer, width, height, what == APITRACE_PICTURE_DEPTH ? 4 : 3,
                 what == APITRACE_PICTURE_DEPTH);
    return status;
}

int retrace_handle_picture(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t what = message_read_u32(request), width = message_read_u32(request);
    uint32_t height = message_read_u32(request);
    struct retrace *retrace = retrace_session();
    struct retrace_named_target named = {0};
    struct retrace_thread *thread;
    int status;

    if (!message_read_all(request) || what > APITRACE_PICTURE_TARGET)
        return -EPROTO;
    if (retrace == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    thread = retrace_drawing_thread(retrace);
    if (thread == NULL || !retrace_enter(retrace, thread))
        return serve_refuse(answer, -ENOENT, "no context is current");
    if (!retrace_driver_tells())
        return serve_refuse(answer, -ENOENT, "the call is between glBegin and glEnd");
    if (what == APITRACE_PICTURE_TARGET)
        retrace_named_target_bind(retrace, &named);
    status = answer_picture(retrace, thread, what, width, height, answer);
    retrace_named_target_end(&named);
    return status;
}

/* Textures. */

enum { HELPER_THREAD = UINT32_MAX };
#define HELPER_HANDLE (UINT64_MAX - 1)

/*
 * Makes a context current that can read textures, and returns its thread. OpenGL ES cannot read
 * them, but a context of OpenGL that shares with it can. Returns NULL on failure.
 */
static struct retrace_thread *texture_reader(struct retrace *retrace)
{
    struct retrace_thread *thread = retrace->current, *helper;
    struct retrace_context_config config = {.handle = HELPER_HANDLE, .major = 1};
    struct retrace_context *context;

    for (uint32_t n = 0; thread == NULL && n < retrace->thread_count; n++)
        if (retrace->threads[n]->context != NULL)
            thread = retrace->threads[n];
    if (thread == NULL || !retrace_enter(retrace, thread))
        return NULL;
    retrace_await_stores(retrace);
    if (!thread->context->es)
        return thread;
    glFinish();
    helper = retrace_thread(retrace, HELPER_THREAD);
    config.share = thread->context->handle;
    context = retrace_context_find(retrace, HELPER_HANDLE);
    if (context == NULL || context->config.share != config.share)
        context = retrace_context_create(retrace, &config);
    if (helper == NULL || context == NULL ||
        retrace_make_current(retrace, helper, context, NULL, NULL) != RETRACE_MADE ||
        !retrace_enter(retrace, helper))
        return NULL;
    return helper;
}

struct level {
    GLuint name;
    GLint width, height, depth, type, bits, alpha_bits, depth_bits, samples;
    uint32_t level, layer;
    bool real, integer;
};

/* Finds the properties of a level. Returns false if there is nothing that can be read. */
static bool find_level(struct level *level, uint32_t target)
{
    const struct {
        GLenum what;
        GLint *to;
    } asked[] = {
        {GL_TEXTURE_WIDTH, &level->width},           {GL_TEXTURE_HEIGHT, &level->height},
        {GL_TEXTURE_DEPTH, &level->depth},           {GL_TEXTURE_RED_TYPE, &level->type},
        {GL_TEXTURE_RED_SIZE, &level->bits},         {GL_TEXTURE_ALPHA_SIZE, &level->alpha_bits},
        {GL_TEXTURE_DEPTH_SIZE, &level->depth_bits}, {GL_TEXTURE_SAMPLES, &level->samples}};

    if (!glIsTexture(level->name))
        return false;
    for (size_t n = 0; n < sizeof(asked) / sizeof(asked[0]); n++)
        glGetTextureLevelParameteriv(level->name, (GLint)level->level, asked[n].what, asked[n].to);
    if (target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z) {
        level->layer = target - GL_TEXTURE_CUBE_MAP_POSITIVE_X;
        level->depth = 6;
    }
    level->integer = retrace_is_integer((GLenum)level->type);
    level->real =
        !level->integer && (level->depth_bits > 0 || level->type == GL_FLOAT || level->bits > 8);
    return !graphics_failed() && level->width > 0 && level->height > 0;
}

/* Reads the level's pixels into `size` bytes. */
static bool read_texels(const struct level *level, GLenum format, GLenum type, GLsizei size,
                        void *pixels)
{
    const struct retrace_resolved resolved = {.name = level->name,
                                              .width = level->width,
                                              .height = level->height,
                                              .layer = (GLint)level->layer,
                                              .layers = level->depth,
                                              .format = format};

    if (level->samples > 0)
        return retrace_read_resolved(&resolved, type, pixels);
    glGetTextureSubImage(level->name, (GLint)level->level, 0, 0, (GLint)level->layer, level->width,
                         level->height, 1, format, type, size, pixels);
    return !graphics_failed();
}

/* Integers are not scaled. Without an alpha channel pixels are opaque. */
static bool read_integers(const struct level *level, uint8_t *pixels)
{
    const size_t count = (size_t)level->width * (size_t)level->height * 4;
    uint32_t *numbers = calloc(count, sizeof(*numbers));
    const bool read = numbers != NULL && read_texels(level, GL_RGBA_INTEGER, (GLenum)level->type,
                                                     (GLsizei)(count * sizeof(*numbers)), numbers);

    if (read)
        retrace_narrow_integers((GLenum)level->type, numbers, count, pixels);
    for (size_t n = 3; read && level->alpha_bits == 0 && n < count; n += 4)
        pixels[n] = UINT8_MAX;
    free(numbers);
    return read;
}

static bool read_slice(const struct level *level, GLsizei size, void *pixels)
{
    if (level->integer)
        return read_integers(level, pixels);
    return read_texels(level, level->depth_bits > 0 ? GL_DEPTH_COMPONENT : GL_RGBA,
                       level->real ? GL_FLOAT : GL_UNSIGNED_BYTE, size, pixels);
}

static int read_level(const struct retrace_context *context, const struct level *level,
                      struct blob **out)
{
    uint64_t size = (uint64_t)level->width * (uint64_t)level->height * (level->real ? 16 : 4);
    struct retrace_reading saved;
    int status;

    if (size > WORKER_PAYLOAD_MAX / 2 || level->layer >= (uint32_t)level->depth)
        return -ENOENT;
    status = blob_create((size_t)size, out);
    if (status < 0)
        return status;
    memset((*out)->data, 0, (size_t)size);
    retrace_reading_begin(context, 0, &saved);
    graphics_failed();
    status = read_slice(level, (GLsizei)size, (*out)->data) ? 0 : -ENOENT;
    retrace_reading_end(context, &saved);
    return status;
}

/* Converts depths to grey pixels. */
static void spread(uint8_t *pixels, uint64_t count)
{
    static const float one = 1;

    while (count-- > 0) {
        for (int channel = 2; channel >= 0; channel--)
            memcpy(pixels + count * 16 + channel * 4, pixels + count * 4, 4);
        memcpy(pixels + count * 16 + 12, &one, sizeof(one));
    }
}

bool retrace_texture_depths(struct retrace *retrace, GLuint name, GLsizei width, GLsizei height,
                            uint8_t *to)
{
    struct retrace_thread *thread = retrace->current, *reader = texture_reader(retrace);
    struct retrace_reading saved;
    bool read = false;

    if (reader != NULL) {
        retrace_reading_begin(reader->context, 0, &saved);
        graphics_failed();
        glGetTextureSubImage(name, 0, 0, 0, 0, width, height, 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                             width * height * 4, to);
        read = !graphics_failed();
        retrace_reading_end(reader->context, &saved);
    }
    return retrace_enter(retrace, thread) && read;
}

/* OpenGL ES cannot query a texture that is not bound, so another context does. */
bool retrace_texture_size(struct retrace *retrace, GLuint name, GLint level, GLint *width,
                          GLint *height, GLint *depth)
{
    struct retrace_thread *thread = retrace->current;
    struct level asked = {.name = name, .level = (uint32_t)level};
    bool found = texture_reader(retrace) != NULL && find_level(&asked, GL_TEXTURE_2D);

    *width = asked.width;
    *height = asked.height;
    *depth = asked.depth;
    return retrace_enter(retrace, thread) && found;
}

int retrace_handle_texture(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t name = message_read_u32(request), target = message_read_u32(request);
    struct level level = {.level = message_read_u32(request), .layer = message_read_u32(request)};
    struct retrace *retrace = retrace_session();
    struct retrace_thread *thread;
    int status;

    if (!message_read_all(request))
        return -EPROTO;
    if (retrace == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    level.name = (GLuint)retrace_name(retrace, RETRACE_TEXTURE, name);
    thread = texture_reader(retrace);
    if (thread == NULL)
        return serve_refuse(answer, -ENOENT, "no context is current");
    graphics_failed();
    if (name == 0 || level.level > 31 || !find_level(&level, target))
        return serve_refuse(answer, -ENOENT, "there is no such texture");
    status = read_level(thread->context, &level, &answer->bulk);
    if (status < 0) {
        blob_unref(&answer->bulk);
        return serve_refuse(answer, status, "the driver cannot read it back");
    }
    if (level.depth_bits > 0)
        spread(answer->bulk->data, (uint64_t)level.width * (uint64_t)level.height);
    describe(answer, (uint32_t)level.width, (uint32_t)level.height, level.real ? 16 : 4,
             level.real);
    return 0;
}

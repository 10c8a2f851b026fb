/* SPDX-License-Identifier: MIT */
/* What a draw left in each attachment of the framebuffer that it drew on. */
#include "config.h"

#include "glworker/gl/blits.h"
#include "glworker/gl/coverage.h"
#include "glworker/gl/depths.h"
#include "glworker/gl/draw_parts.h"
#include "glworker/gl/reading.h"
#include "glworker/gl/renderbuffers.h"
#include "glworker/gl/sample_depths.h"
#include "glworker/gl/surfaces.h"
#include "image/picture.h"

#include <errno.h>
#include <string.h>

enum { COLOURS = 8, BYTES = 4, CUBE_FACES = 6 };

struct extent {
    GLint width, height, layers;
    GLenum target; /* of a texture whose layers are all attached */
};

/* Finds the size of a level that is attached, and its layers if all of them are. */
static bool size_of_texture(struct retrace *retrace, GLenum attachment, GLuint name,
                            struct extent *out)
{
    const GLenum target = retrace_texture_target(name);
    GLint level = 0, layered = 0, depth = 0, layers;

    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, &level);
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_LAYERED, &layered);
    if (graphics_failed())
        layered = 0;
    if (!retrace_texture_size(retrace, name, level, &out->width, &out->height, &depth))
        return false;
    layers = target == GL_TEXTURE_CUBE_MAP   ? CUBE_FACES
             : target == GL_TEXTURE_1D_ARRAY ? out->height
                                             : depth;
    if (target == GL_TEXTURE_1D_ARRAY)
        out->height = 1;
    if (layered && layers > 1) {
        out->layers = layers;
        out->target = target;
    }
    return true;
}

/* Leaves out layers that are too many for a picture or a message. */
static void limit(struct extent *extent)
{
    const uint64_t pixels = (uint64_t)extent->width * (uint64_t)extent->height;
    const uint64_t sent = WORKER_PAYLOAD_MAX / 2 / BYTES / pixels;

    if ((uint64_t)extent->layers > sent)
        extent->layers = sent > 0 ? (GLint)sent : 1;
    if (extent->layers > PICTURE_MAX / extent->height)
        extent->layers = PICTURE_MAX / extent->height;
}

/* Finds the size of an attachment. Returns false if there is none. */
static bool size_of(struct retrace *retrace, GLenum attachment, struct extent *out)
{
    const struct retrace_context *context = retrace_context(retrace);
    GLint type = GL_NONE, name = 0;

    *out = (struct extent){.layers = 1};

    graphics_failed();
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    if (graphics_failed() || type == GL_NONE)
        return false;
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
    if (type == GL_RENDERBUFFER) {
        out->width = retrace_renderbuffer_get(context, (GLuint)name, GL_RENDERBUFFER_WIDTH);
        out->height = retrace_renderbuffer_get(context, (GLuint)name, GL_RENDERBUFFER_HEIGHT);
    } else if (!size_of_texture(retrace, attachment, (GLuint)name, out)) {
        return false;
    }
    if (out->width <= 0 || out->height <= 0 || out->width > PICTURE_MAX ||
        out->height > PICTURE_MAX)
        return false;
    limit(out);
    return true;
}

static void add(struct retrace_parts *parts, enum apitrace_part_kind kind, GLenum attachment,
                uint32_t number, const struct extent *extent)
{
    struct retrace_part *part = retrace_parts_add(parts, kind);

    part->attachment = attachment;
    part->told.number = number;
    part->told.target = extent->target;
    part->told.width = (uint32_t)extent->width;
    part->told.height = (uint32_t)extent->height;
    part->told.slices = (uint32_t)extent->layers;
    part->told.bytes = (uint64_t)part->told.width * part->told.height * part->told.slices *
                       (kind == APITRACE_PART_STENCIL ? 1 : BYTES);
}

static void add_drawable(const struct retrace *retrace, struct retrace_parts *parts)
{
    const struct retrace_surface *surface = retrace->current->draw;
    struct extent extent = {.layers = 1};

    if (surface == NULL)
        return;
    extent.width =
        (GLint)(parts->width > 0 && parts->width < surface->width ? parts->width : surface->width);
    extent.height = (GLint)(parts->height > 0 && parts->height < surface->height ? parts->height
                                                                                 : surface->height);
    add(parts, APITRACE_PART_COLOUR, 0, 0, &extent);
    if (!retrace_reads_apart(retrace_context(retrace)))
        return; /* OpenGL ES below 3 cannot read them */
    add(parts, APITRACE_PART_DEPTH, 0, 0, &extent);
    add(parts, APITRACE_PART_STENCIL, 0, 0, &extent);
}

void retrace_parts_targets(struct retrace *retrace, struct retrace_parts *parts)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct extent extent;

    if (retrace_get(retrace_reads_apart(context) ? GL_DRAW_FRAMEBUFFER_BINDING
                                                 : GL_FRAMEBUFFER_BINDING) == 0) {
        add_drawable(retrace, parts);
        return;
    }
    if (!retrace_reads_apart(context))
        return;
    for (unsigned n = 0; n < COLOURS; n++)
        if (size_of(retrace, GL_COLOR_ATTACHMENT0 + n, &extent))
            add(parts, APITRACE_PART_COLOUR, GL_COLOR_ATTACHMENT0 + n, n, &extent);
    if (size_of(retrace, GL_DEPTH_ATTACHMENT, &extent))
        add(parts, APITRACE_PART_DEPTH, GL_DEPTH_ATTACHMENT, 0, &extent);
    if (size_of(retrace, GL_STENCIL_ATTACHMENT, &extent))
        add(parts, APITRACE_PART_STENCIL, GL_STENCIL_ATTACHMENT, 0, &extent);
}

/*
 * Returns how the call after which the session has stopped covers pixels, or 0 if that cannot be
 * found.
 */
static unsigned coverage_of(const struct retrace *retrace)
{
    const struct retrace_event *event = retrace->stream.ready;
    const struct retrace_binding *binding =
        event != NULL && retrace->behind ? retrace_bind(retrace_session(), event->function) : NULL;
    unsigned told;

    if (binding == NULL || binding->gl == NULL)
        return 0;
    told = retrace_can_cover(retrace, binding) & ~(unsigned)APITRACE_COVERED_SPOILS;
    if (told != 0 || binding->paints == RETRACE_PAINTS_CLEAR)
        return told != 0 ? told : APITRACE_COVERED_CHANGES;
    return binding->paints != RETRACE_PAINTS_NOTHING &&
                   retrace_get(retrace_reads_apart(retrace_context(retrace))
                                   ? GL_DRAW_FRAMEBUFFER_BINDING
                                   : GL_FRAMEBUFFER_BINDING) == 0
               ? APITRACE_COVERED_CHANGES
               : 0;
}

void retrace_parts_coverage(const struct retrace *retrace, struct retrace_parts *parts)
{
    const struct retrace_part *first = &parts->list[0];
    const unsigned told = parts->count > 0 ? coverage_of(retrace) : 0;
    struct retrace_part *part;

    if (told == 0)
        return;
    part = retrace_parts_add(parts, APITRACE_PART_COVERAGE);
    part->told.number = told;
    part->told.width = first->told.width;
    part->told.height = first->told.height;
    part->told.slices = 1;
    part->told.bytes = (uint64_t)part->told.width * part->told.height * BYTES;
}

/* Reading. */

/* A copy, with one sample a pixel, of an attachment with several. */
struct resolved_copy {
    GLuint framebuffer, renderbuffer;
};

static GLenum copy_format(const struct retrace_part *part)
{
    GLint bits = 0, type = GL_NONE;

    if (part->told.kind == APITRACE_PART_STENCIL)
        return GL_DEPTH24_STENCIL8;
    if (part->attachment != 0)
        glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, part->attachment,
                                              GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE, &bits);
    if (part->attachment != 0)
        glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, part->attachment,
                                              GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &type);
    if (retrace_is_integer((GLenum)type))
        return type == GL_INT ? GL_RGBA32I : GL_RGBA32UI;
    return type == GL_FLOAT ? (bits > 16 ? GL_RGBA32F : GL_RGBA16F) : GL_RGBA8;
}

static void resolve(const struct retrace_context *context, const struct retrace_part *part,
                    struct resolved_copy *copy)
{
    const GLint width = (GLint)part->told.width, height = (GLint)part->told.height;
    const struct retrace_rectangle all = {0, 0, width, height};
    bool colour = part->told.kind == APITRACE_PART_COLOUR;
    GLint drawn = retrace_get(GL_DRAW_FRAMEBUFFER_BINDING);

    glGenFramebuffers(1, &copy->framebuffer);
    copy->renderbuffer = retrace_renderbuffer_create(context, copy_format(part), width, height);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, copy->framebuffer);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER,
                              colour ? GL_COLOR_ATTACHMENT0 : GL_DEPTH_STENCIL_ATTACHMENT,
                              GL_RENDERBUFFER, copy->renderbuffer);
    retrace_blit(context, &all, &all, colour ? GL_COLOR_BUFFER_BIT : GL_STENCIL_BUFFER_BIT);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)drawn);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, copy->framebuffer);
}

/* Queries how the framebuffer for reading stores depths. */
static void query_depth(GLint *bits, GLint *type)
{
    const GLenum depth =
        retrace_get(GL_READ_FRAMEBUFFER_BINDING) == 0 ? GL_DEPTH : GL_DEPTH_ATTACHMENT;

    *bits = 0;
    *type = GL_NONE;
    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, depth,
                                          GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE, bits);
    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, depth,
                                          GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, type);
}

GLenum retrace_depth_format(GLbitfield *planes)
{
    const bool own = retrace_get(GL_READ_FRAMEBUFFER_BINDING) == 0;
    GLint bits, stencil = 0, type;

    query_depth(&bits, &type);
    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER,
                                          own ? GL_STENCIL : GL_STENCIL_ATTACHMENT,
                                          GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE, &stencil);
    graphics_failed();
    *planes = (bits > 0 ? GL_DEPTH_BUFFER_BIT : 0) | (stencil > 0 ? GL_STENCIL_BUFFER_BIT : 0);
    if (type != GL_FLOAT && bits == 32 && stencil == 0)
        return GL_DEPTH_COMPONENT32;
    if (type == GL_FLOAT || bits == 32)
        return stencil > 0 ? GL_DEPTH32F_STENCIL8 : GL_DEPTH_COMPONENT32F;
    if (bits == 16)
        return GL_DEPTH_COMPONENT16;
    return stencil > 0 ? GL_DEPTH24_STENCIL8 : GL_DEPTH_COMPONENT24;
}

/*
 * Reads depths as they are stored: GL_NV_read_depth converts neither integers to floats nor floats
 * to integers. Integers of fewer than 32 bits are in the upper bits.
 */
static bool read_stored(GLsizei width, GLsizei height, uint8_t *to)
{
    GLint bits, type;
    uint32_t stored;
    double unit;

    query_depth(&bits, &type);
    glReadPixels(0, 0, width, height, GL_DEPTH_COMPONENT,
                 type == GL_FLOAT ? GL_FLOAT : GL_UNSIGNED_INT, to);
    if (graphics_failed() || bits <= 0 || bits > 32)
        return false;
    unit = 1.0 / (double)(UINT32_MAX >> (32 - bits));
    if (bits == 16)
        unit = (double)(float)unit; /* as the driver rounds it for OpenGL */
    for (size_t n = 0; type != GL_FLOAT && n < (size_t)width * (size_t)height; n++) {
        float depth;

        memcpy(&stored, to + n * sizeof(stored), sizeof(stored));
        depth = (float)((double)(stored >> (32 - bits)) * unit);
        memcpy(to + n * sizeof(depth), &depth, sizeof(depth));
    }
    return true;
}

/*
 * Copies depths from the framebuffer for reading to a texture with as many samples: the driver does
 * not tell which layer of a multisample array is attached.
 */
static GLuint copy_samples(const struct retrace *retrace, GLsizei width, GLsizei height)
{
    const GLint drawn = retrace_get(GL_DRAW_FRAMEBUFFER_BINDING), samples = retrace_get(GL_SAMPLES);
    const GLint bound = retrace_get(GL_TEXTURE_BINDING_2D_MULTISAMPLE);
    const struct retrace_rectangle all = {0, 0, width, height};
    GLbitfield planes;
    const GLenum format = retrace_depth_format(&planes);
    GLuint framebuffer, texture;

    glGenFramebuffers(1, &framebuffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, format, width, height, GL_TRUE);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, (GLuint)bound);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER,
                           (planes & GL_STENCIL_BUFFER_BIT) != 0 ? GL_DEPTH_STENCIL_ATTACHMENT
                                                                 : GL_DEPTH_ATTACHMENT,
                           GL_TEXTURE_2D_MULTISAMPLE, texture, 0);
    retrace_blit(retrace_context(retrace), &all, &all, planes);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)drawn);
    glDeleteFramebuffers(1, &framebuffer);
    return texture;
}

/* Reads depths with several samples of the framebuffer object that is bound for reading. */
static bool read_samples(struct retrace *retrace, GLsizei width, GLsizei height, uint8_t *to)
{
    struct retrace_sample_depths from = {.width = width, .height = height};
    GLint type = GL_NONE, name = 0;
    GLenum target = GL_NONE;
    GLuint texture = 0;
    bool read;

    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, GL_DEPTH_ATTACHMENT,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, GL_DEPTH_ATTACHMENT,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
    if (type == GL_TEXTURE && (target = retrace_texture_target((GLuint)name)) == GL_NONE)
        return false; /* it may be any layer of an array */
    if (target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
        texture = copy_samples(retrace, width, height);
    from.type = (GLenum)type;
    from.name = texture != 0 ? texture : (GLuint)name;
    read = !graphics_failed() && retrace_read_sample_depths(retrace, &from, to);
    glDeleteTextures(1, &texture);
    return read;
}

bool retrace_read_depths(struct retrace *retrace, GLsizei width, GLsizei height, uint8_t *to)
{
    const bool own = retrace_get(GL_READ_FRAMEBUFFER_BINDING) == 0; /* reads the first sample */
    GLint drawn, bound;
    GLuint names[2] = {0, 0};
    GLbitfield planes;
    GLenum format = retrace_depth_format(&planes);
    bool stencil = format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8, read;
    const struct retrace_rectangle all = {0, 0, width, height};

    if (retrace_context(retrace)->es && (own || retrace_get(GL_SAMPLES) == 0))
        return read_stored(width, height, to);
    if (own || retrace_get(GL_SAMPLES) == 0) {
        glReadPixels(0, 0, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, to);
        return !graphics_failed();
    }
    if (read_samples(retrace, width, height, to))
        return true;
    drawn = retrace_get(GL_DRAW_FRAMEBUFFER_BINDING);
    bound = retrace_get(GL_TEXTURE_BINDING_2D);
    glGenFramebuffers(1, &names[0]);
    glGenTextures(1, &names[1]);
    glBindTexture(GL_TEXTURE_2D, names[1]);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    glBindTexture(GL_TEXTURE_2D, (GLuint)bound);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, names[0]);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER,
                           stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                           GL_TEXTURE_2D, names[1], 0);
    retrace_blit(retrace_context(retrace), &all, &all, GL_DEPTH_BUFFER_BIT);
    read = !graphics_failed();
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)drawn);
    read = read && retrace_texture_depths(retrace, names[1], width, height, to);
    glDeleteFramebuffers(1, &names[0]);
    glDeleteTextures(1, &names[1]);
    return read;
}

static bool read_values(struct retrace *retrace, const struct retrace_part *part, uint8_t *to)
{
    const GLsizei width = (GLsizei)part->told.width, height = (GLsizei)part->told.height;
    GLint type = GL_NONE;

    if (part->told.kind == APITRACE_PART_DEPTH)
        return retrace_read_depths(retrace, width, height, to);
    if (part->told.kind == APITRACE_PART_STENCIL)
        glReadPixels(0, 0, width, height, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, to);
    if (part->told.kind != APITRACE_PART_COLOUR)
        return !graphics_failed();
    if (part->attachment != 0)
        glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, part->attachment,
                                              GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &type);
    if (retrace_is_integer((GLenum)type))
        return retrace_read_integers(width, height, (GLenum)type, to) && !graphics_failed();
    if (type == GL_FLOAT && retrace_context(retrace)->es)
        return retrace_read_floats(width, height, to) && !graphics_failed();
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, to);
    return !graphics_failed();
}

/* Reverses the order of rows: from bottom-up to top-down. */
static void turn(uint8_t *bytes, size_t row, size_t rows)
{
    uint8_t kept[4 * PICTURE_MAX];

    for (size_t y = 0; y < rows / 2; y++) {
        uint8_t *upper = bytes + y * row, *lower = bytes + (rows - 1 - y) * row;

        memcpy(kept, upper, row);
        memcpy(upper, lower, row);
        memcpy(lower, kept, row);
    }
}

static void turn_layers(const struct retrace_part *part, uint8_t *bytes)
{
    const size_t layer = (size_t)(part->told.bytes / part->told.slices);

    for (uint32_t n = 0; n < part->told.slices; n++)
        turn(bytes + n * layer, layer / part->told.height, part->told.height);
}

/*
 * Reads from the framebuffer that is bound for reading. `unread`: the trace has set no buffer of a
 * drawable for reading.
 */
static bool read_bound(struct retrace *retrace, const struct retrace_part *part, GLuint framebuffer,
                       bool unread, uint8_t *to)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct resolved_copy copy = {0, 0};
    bool read;

    if (retrace_reads_apart(context) && part->told.kind == APITRACE_PART_COLOUR) {
        if (part->attachment != 0)
            retrace_read_buffer(context, part->attachment);
        else if (unread)
            retrace_read_buffer(context,
                                context->es || retrace_get(GL_DOUBLEBUFFER) ? GL_BACK : GL_FRONT);
    }
    graphics_failed();
    if (retrace_reads_apart(context) && retrace_get(GL_SAMPLES) > 0 &&
        part->told.kind != APITRACE_PART_DEPTH)
        resolve(context, part, &copy);
    read = read_values(retrace, part, to);
    if (copy.framebuffer != 0) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
        glDeleteFramebuffers(1, &copy.framebuffer);
        glDeleteRenderbuffers(1, &copy.renderbuffer);
    }
    return read;
}

/* Attaches a layer of what is attached to the framebuffer that is drawn on, for reading. */
static void attach_layer(const struct retrace_part *part, GLint layer)
{
    GLint name = 0, level = 0;

    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, part->attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, part->attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, &level);
    if (part->told.target == GL_TEXTURE_CUBE_MAP)
        glFramebufferTexture2D(GL_READ_FRAMEBUFFER, part->attachment,
                               (GLenum)(GL_TEXTURE_CUBE_MAP_POSITIVE_X + layer), (GLuint)name,
                               level);
    else
        glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, part->attachment, (GLuint)name, level,
                                  layer);
}

/* Reads all layers, by a framebuffer with one of them at a time. */
static bool read_layers(struct retrace *retrace, const struct retrace_part *part, uint8_t *to)
{
    const size_t bytes = (size_t)(part->told.bytes / part->told.slices);
    GLuint framebuffer;
    bool read = true;

    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    if (part->told.kind != APITRACE_PART_COLOUR)
        retrace_read_buffer(retrace_context(retrace), GL_NONE);
    for (uint32_t layer = 0; read && layer < part->told.slices; layer++) {
        attach_layer(part, (GLint)layer);
        read = read_bound(retrace, part, framebuffer, false, to + layer * bytes);
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)retrace_get(GL_DRAW_FRAMEBUFFER_BINDING));
    glDeleteFramebuffers(1, &framebuffer);
    return read;
}

/* Reads from the framebuffer that is drawn on. */
static bool read_target(struct retrace *retrace, const struct retrace_part *part, uint8_t *to)
{
    const struct retrace_context *context = retrace_context(retrace);
    const GLuint framebuffer =
        part->attachment == 0 ? 0 : (GLuint)retrace_get(GL_DRAW_FRAMEBUFFER_BINDING);
    struct retrace_reading saved;
    bool read;

    retrace_reading_begin(context, framebuffer, &saved);
    if (part->told.slices > 1)
        read = read_layers(retrace, part, to);
    else
        read = read_bound(retrace, part, framebuffer, saved.read_buffer == GL_NONE, to);
    retrace_reading_end(context, &saved);
    return read;
}

int retrace_part_target(struct retrace *retrace, const struct retrace_part *part, struct blob **out)
{
    struct retrace_thread *thread = retrace->current;
    int status = blob_create((size_t)part->told.bytes, out);

    if (status < 0)
        return status;
    memset((*out)->data, 0, (size_t)part->told.bytes);
    status = retrace_read_drawn(retrace, thread) && read_target(retrace, part, (*out)->data)
                 ? 0
                 : -ENOENT;
    retrace_read_own(retrace, thread);
    if (status == 0)
        turn_layers(part, (*out)->data);
    else
        blob_unref(out);
    return status;
}

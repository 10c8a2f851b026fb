/* SPDX-License-Identifier: MIT */
/* Images that the driver reads: checks that the trace has as many bytes as the driver will read. */
#include "config.h"

#include "glworker/gl/images.h"

#include "glworker/gl/budget.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/mipmaps.h"
#include "glworker/gl/names.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

/* Enumerators that core profiles lack. */
enum {
    TYPE_BITMAP = 0x1A00,
    FORMAT_INDEX = 0x1900,
    FORMAT_STENCIL = 0x1901,
    FORMAT_DEPTH = 0x1902,
    FORMAT_RED = 0x1903,
    FORMAT_ALPHA = 0x1906,
    FORMAT_LUMINANCE = 0x1909,
    FORMAT_LUMINANCE_ALPHA = 0x190A,
    FORMAT_INTENSITY = 0x8049,
    FORMAT_ABGR = 0x8000,
    FORMAT_LUMINANCE_INTEGER = 0x8D9C,
    FORMAT_LUMINANCE_ALPHA_INTEGER = 0x8D9D,
    FORMAT_ALPHA_INTEGER = 0x8D97,
};

enum { NONE = -1, SIDE = 32 /* of a stipple pattern */, SAMPLES_MAX = 64 };

/* Returns the number of components of a pixel, or 0 if the format is unknown. */
static unsigned components(GLenum format)
{
    switch (format) {
    case FORMAT_INDEX:
    case FORMAT_STENCIL:
    case FORMAT_DEPTH:
    case FORMAT_RED:
    case GL_GREEN:
    case GL_BLUE:
    case FORMAT_ALPHA:
    case FORMAT_LUMINANCE:
    case FORMAT_INTENSITY:
    case GL_RED_INTEGER:
    case GL_GREEN_INTEGER:
    case GL_BLUE_INTEGER:
    case FORMAT_ALPHA_INTEGER:
    case FORMAT_LUMINANCE_INTEGER:
        return 1;
    case GL_RG:
    case GL_RG_INTEGER:
    case GL_DEPTH_STENCIL:
    case FORMAT_LUMINANCE_ALPHA:
    case FORMAT_LUMINANCE_ALPHA_INTEGER:
        return 2;
    case GL_RGB:
    case GL_BGR:
    case GL_RGB_INTEGER:
    case GL_BGR_INTEGER:
    case GL_SRGB:
        return 3;
    case GL_RGBA:
    case GL_BGRA:
    case GL_RGBA_INTEGER:
    case GL_BGRA_INTEGER:
    case GL_SRGB_ALPHA:
    case FORMAT_ABGR:
        return 4;
    default:
        return 0;
    }
}

/* Returns the bytes of a pixel whose components are packed, or 0 if they are not packed. */
static unsigned packed_bytes(GLenum type)
{
    switch (type) {
    case GL_UNSIGNED_BYTE_3_3_2:
    case GL_UNSIGNED_BYTE_2_3_3_REV:
        return 1;
    case GL_UNSIGNED_SHORT_5_6_5:
    case GL_UNSIGNED_SHORT_5_6_5_REV:
    case GL_UNSIGNED_SHORT_4_4_4_4:
    case GL_UNSIGNED_SHORT_4_4_4_4_REV:
    case GL_UNSIGNED_SHORT_5_5_5_1:
    case GL_UNSIGNED_SHORT_1_5_5_5_REV:
        return 2;
    case GL_UNSIGNED_INT_8_8_8_8:
    case GL_UNSIGNED_INT_8_8_8_8_REV:
    case GL_UNSIGNED_INT_10_10_10_2:
    case GL_UNSIGNED_INT_2_10_10_10_REV:
    case GL_UNSIGNED_INT_24_8:
    case GL_UNSIGNED_INT_10F_11F_11F_REV:
    case GL_UNSIGNED_INT_5_9_9_9_REV:
        return 4;
    case GL_FLOAT_32_UNSIGNED_INT_24_8_REV:
        return 8;
    default:
        return 0;
    }
}

static unsigned component_bytes(GLenum type)
{
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
    case GL_HALF_FLOAT_OES:
        return 2;
    case GL_INT:
    case GL_UNSIGNED_INT:
    case GL_FLOAT:
        return 4;
    default:
        return 0;
    }
}

/* The parameters of the pixel store for reading from memory, or for writing to it. */
struct pixel_store {
    GLenum alignment, row_length, image_height, skip_pixels, skip_rows, skip_images;
};

static const struct pixel_store unpacking = {GL_UNPACK_ALIGNMENT,    GL_UNPACK_ROW_LENGTH,
                                             GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_PIXELS,
                                             GL_UNPACK_SKIP_ROWS,    GL_UNPACK_SKIP_IMAGES};
static const struct pixel_store packing = {GL_PACK_ALIGNMENT,    GL_PACK_ROW_LENGTH,
                                           GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_PIXELS,
                                           GL_PACK_SKIP_ROWS,    GL_PACK_SKIP_IMAGES};

/*
 * Returns the bytes that the driver reads or writes under the current pixel store, or UINT64_MAX if
 * they are unknown. `is_deep` is set for three-dimensional images.
 */
static uint64_t stored_bytes(const struct pixel_store *store, GLenum format, GLenum type,
                             uint64_t width, uint64_t height, uint64_t depth, bool is_deep)
{
    enum { LARGEST = 1 << 20 };
    uint64_t alignment = (uint64_t)retrace_get(store->alignment);
    uint64_t length = (uint64_t)retrace_get(store->row_length);
    uint64_t rows = (uint64_t)retrace_get(store->image_height);
    uint64_t skip_pixels = (uint64_t)retrace_get(store->skip_pixels);
    uint64_t skip_rows = (uint64_t)retrace_get(store->skip_rows);
    uint64_t skip_images = is_deep ? (uint64_t)retrace_get(store->skip_images) : 0;
    uint64_t bits = 8 * (uint64_t)packed_bytes(type), row;

    if (width == 0 || height == 0 || depth == 0)
        return 0;
    if (bits == 0)
        bits = type == TYPE_BITMAP ? 1 : 8 * (uint64_t)components(format) * component_bytes(type);
    length = length == 0 ? width : length;
    rows = rows == 0 ? height : rows;
    alignment = alignment == 0 ? 1 : alignment;
    if (bits == 0 || width > LARGEST || height > LARGEST || depth > LARGEST || length > LARGEST ||
        rows > LARGEST || skip_pixels > LARGEST || skip_rows > LARGEST || skip_images > LARGEST)
        return UINT64_MAX;
    row = ((length * bits + 7) / 8 + alignment - 1) / alignment * alignment;
    if (depth == 1 && skip_images == 0)
        return (skip_rows + height - 1) * row + ((skip_pixels + width) * bits + 7) / 8;
    if (row > UINT32_MAX || rows * row > UINT64_C(1) << 40)
        return UINT64_MAX;
    return (skip_images + depth - 1) * rows * row + (skip_rows + height - 1) * row +
           ((skip_pixels + width) * bits + 7) / 8;
}

static uint64_t image_bytes(GLenum format, GLenum type, uint64_t width, uint64_t height,
                            uint64_t depth, bool is_deep)
{
    return stored_bytes(&unpacking, format, type, width, height, depth, is_deep);
}

uint64_t retrace_packed_bytes(const struct retrace_call *call)
{
    int64_t width = retrace_integer(call, 2), height = retrace_integer(call, 3);

    if (width < 0 || height < 0)
        return 0; /* an error */
    return stored_bytes(&packing, (GLenum)retrace_integer(call, 4),
                        (GLenum)retrace_integer(call, 5), (uint64_t)width, (uint64_t)height, 1,
                        false);
}

/* Indices of a function's arguments; NONE if it has no such argument. */
struct shape {
    int8_t width, height, depth, format, type, pixels;
    bool makes; /* creates the image, without contents if the pixels are null */
    int8_t internal, target, name, level, samples; /* if it creates the image */
    bool has_unit; /* argument 0 is the texture unit with the texture */
};

enum {
    IMAGE_1,
    IMAGE_2,
    IMAGE_3,
    PART_1,
    PART_2,
    PART_3,
    NAMED_1, /* EXT_direct_state_access: texture, target, … */
    NAMED_2,
    NAMED_3,
    NAMED_PART_1,
    NAMED_PART_2,
    NAMED_PART_3,
    UNIT_1, /* EXT_direct_state_access: texture unit, target, … */
    UNIT_2,
    UNIT_3,
    STORAGE_1,
    STORAGE_2,
    STORAGE_3,
    NAMED_STORAGE_1, /* texture, levels, … */
    NAMED_STORAGE_2,
    NAMED_STORAGE_3,
    EXT_STORAGE_1, /* texture, target, levels, … */
    EXT_STORAGE_2,
    EXT_STORAGE_3,
    SAMPLES_2,
    SAMPLES_3,
    NAMED_SAMPLES_2,
    NAMED_SAMPLES_3,
    EXT_SAMPLES_2,
    EXT_SAMPLES_3,
    COPY_1,
    COPY_2,
    NAMED_COPY_1,
    NAMED_COPY_2,
    UNIT_COPY_1,
    UNIT_COPY_2,
    DRAWN,
    BITMAP,
    TABLE,
    FILTER_2,
};

static const struct shape shapes[] = {
    [IMAGE_1] = {3, NONE, NONE, 5, 6, 7, true, 2, 0, NONE, 1, NONE, false},
    [IMAGE_2] = {3, 4, NONE, 6, 7, 8, true, 2, 0, NONE, 1, NONE, false},
    [IMAGE_3] = {3, 4, 5, 7, 8, 9, true, 2, 0, NONE, 1, NONE, false},
    [PART_1] = {3, NONE, NONE, 4, 5, 6, false, NONE, NONE, NONE, NONE, NONE, false},
    [PART_2] = {4, 5, NONE, 6, 7, 8, false, NONE, NONE, NONE, NONE, NONE, false},
    [PART_3] = {5, 6, 7, 8, 9, 10, false, NONE, NONE, NONE, NONE, NONE, false},
    [NAMED_1] = {4, NONE, NONE, 6, 7, 8, true, 3, 1, 0, 2, NONE, false},
    [NAMED_2] = {4, 5, NONE, 7, 8, 9, true, 3, 1, 0, 2, NONE, false},
    [NAMED_3] = {4, 5, 6, 8, 9, 10, true, 3, 1, 0, 2, NONE, false},
    [NAMED_PART_1] = {4, NONE, NONE, 5, 6, 7, false, NONE, NONE, NONE, NONE, NONE, false},
    [NAMED_PART_2] = {5, 6, NONE, 7, 8, 9, false, NONE, NONE, NONE, NONE, NONE, false},
    [NAMED_PART_3] = {6, 7, 8, 9, 10, 11, false, NONE, NONE, NONE, NONE, NONE, false},
    [UNIT_1] = {4, NONE, NONE, 6, 7, 8, true, 3, 1, NONE, 2, NONE, true},
    [UNIT_2] = {4, 5, NONE, 7, 8, 9, true, 3, 1, NONE, 2, NONE, true},
    [UNIT_3] = {4, 5, 6, 8, 9, 10, true, 3, 1, NONE, 2, NONE, true},
    [STORAGE_1] = {3, NONE, NONE, NONE, NONE, NONE, true, 2, 0, NONE, NONE, NONE, false},
    [STORAGE_2] = {3, 4, NONE, NONE, NONE, NONE, true, 2, 0, NONE, NONE, NONE, false},
    [STORAGE_3] = {3, 4, 5, NONE, NONE, NONE, true, 2, 0, NONE, NONE, NONE, false},
    [NAMED_STORAGE_1] = {3, NONE, NONE, NONE, NONE, NONE, true, 2, NONE, 0, NONE, NONE, false},
    [NAMED_STORAGE_2] = {3, 4, NONE, NONE, NONE, NONE, true, 2, NONE, 0, NONE, NONE, false},
    [NAMED_STORAGE_3] = {3, 4, 5, NONE, NONE, NONE, true, 2, NONE, 0, NONE, NONE, false},
    [EXT_STORAGE_1] = {4, NONE, NONE, NONE, NONE, NONE, true, 3, 1, 0, NONE, NONE, false},
    [EXT_STORAGE_2] = {4, 5, NONE, NONE, NONE, NONE, true, 3, 1, 0, NONE, NONE, false},
    [EXT_STORAGE_3] = {4, 5, 6, NONE, NONE, NONE, true, 3, 1, 0, NONE, NONE, false},
    [SAMPLES_2] = {3, 4, NONE, NONE, NONE, NONE, true, 2, 0, NONE, NONE, 1, false},
    [SAMPLES_3] = {3, 4, 5, NONE, NONE, NONE, true, 2, 0, NONE, NONE, 1, false},
    [NAMED_SAMPLES_2] = {3, 4, NONE, NONE, NONE, NONE, true, 2, NONE, 0, NONE, 1, false},
    [NAMED_SAMPLES_3] = {3, 4, 5, NONE, NONE, NONE, true, 2, NONE, 0, NONE, 1, false},
    [EXT_SAMPLES_2] = {4, 5, NONE, NONE, NONE, NONE, true, 3, 1, 0, NONE, 2, false},
    [EXT_SAMPLES_3] = {4, 5, 6, NONE, NONE, NONE, true, 3, 1, 0, NONE, 2, false},
    [COPY_1] = {5, NONE, NONE, NONE, NONE, NONE, true, 2, 0, NONE, 1, NONE, false},
    [COPY_2] = {5, 6, NONE, NONE, NONE, NONE, true, 2, 0, NONE, 1, NONE, false},
    [NAMED_COPY_1] = {6, NONE, NONE, NONE, NONE, NONE, true, 3, 1, 0, 2, NONE, false},
    [NAMED_COPY_2] = {6, 7, NONE, NONE, NONE, NONE, true, 3, 1, 0, 2, NONE, false},
    [UNIT_COPY_1] = {6, NONE, NONE, NONE, NONE, NONE, true, 3, 1, NONE, 2, NONE, true},
    [UNIT_COPY_2] = {6, 7, NONE, NONE, NONE, NONE, true, 3, 1, NONE, 2, NONE, true},
    [DRAWN] = {0, 1, NONE, 2, 3, 4, false, NONE, NONE, NONE, NONE, NONE, false},
    [BITMAP] = {0, 1, NONE, NONE, NONE, 6, false, NONE, NONE, NONE, NONE, NONE, false},
    [TABLE] = {2, NONE, NONE, 3, 4, 5, false, NONE, NONE, NONE, NONE, NONE, false},
    [FILTER_2] = {2, 3, NONE, 4, 5, 6, false, NONE, NONE, NONE, NONE, NONE, false},
};

static uint64_t extent(const struct retrace_call *call, int argument)
{
    int64_t value = argument == NONE ? 1 : retrace_integer(call, (unsigned)argument);

    return value < 0 ? 0 : (uint64_t)value;
}

/* Returns whether pixels are read from a buffer, which the driver checks. */
static bool from_buffer(struct retrace_argument *pixels)
{
    if (pixels->kind == RETRACE_MEMORY || retrace_get(GL_PIXEL_UNPACK_BUFFER_BINDING) == 0)
        return false;
    pixels->checked = true;
    return true;
}

static enum retrace_outcome check_pixels(struct retrace *retrace, struct retrace_argument *pixels,
                                         uint64_t min, bool may_be_null)
{
    if (from_buffer(pixels))
        return RETRACE_GO_ON;
    if (pixels->kind == RETRACE_ADDRESS && pixels->number != 0)
        return retrace_refuse(retrace, "the trace does not contain its pixels");
    if (pixels->kind != RETRACE_MEMORY && !may_be_null && min > 0)
        return retrace_refuse(retrace, "it has no pixels");
    if (pixels->kind == RETRACE_MEMORY && min > pixels->size)
        return retrace_refuse(retrace, "it has %llu bytes of pixels, but %llu are needed",
                              (unsigned long long)pixels->size, (unsigned long long)min);
    pixels->checked = true;
    return RETRACE_GO_ON;
}

/* Lowers the number of samples to what this driver supports, and returns it. */
static uint64_t lower_samples(struct retrace_argument *samples)
{
    GLint max = retrace_get(GL_MAX_SAMPLES);

    if (max > 0 && (int64_t)samples->number > max)
        samples->number = (uint64_t)max;
    if (samples->number > SAMPLES_MAX)
        return SAMPLES_MAX; /* an error */
    return samples->number > 1 ? samples->number : 1;
}

static GLuint bound_texture(GLenum target)
{
    static const struct {
        GLenum target, binding;
    } bindings[] = {
        {GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D},
        {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
        {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D},
        {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE},
        {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY},
        {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY},
        {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY},
        {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE},
        {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY},
    };

    for (size_t n = 0; n < sizeof(bindings) / sizeof(bindings[0]); n++)
        if (bindings[n].target == target)
            return (GLuint)retrace_get(bindings[n].binding);
    return (GLuint)retrace_get(GL_TEXTURE_BINDING_CUBE_MAP);
}

/* Returns the texture that is bound to a target of another unit. */
static GLuint bound_to_unit(GLenum unit, GLenum target)
{
    const GLenum was = (GLenum)retrace_get(GL_ACTIVE_TEXTURE);
    GLuint name;

    glActiveTexture(unit);
    name = bound_texture(target);
    glActiveTexture(was);
    return name;
}

/* Returns the name here of the texture that a call changes. */
static GLuint texture_of(const struct retrace *retrace, const struct retrace_call *call,
                         const struct shape *shape, GLenum target)
{
    if (shape->name != NONE)
        return (GLuint)retrace_name(retrace, RETRACE_TEXTURE, extent(call, shape->name));
    return shape->has_unit ? bound_to_unit((GLenum)extent(call, 0), target) : bound_texture(target);
}

static bool is_proxy(GLenum target)
{
    switch (target) {
    case GL_PROXY_TEXTURE_1D:
    case GL_PROXY_TEXTURE_2D:
    case GL_PROXY_TEXTURE_3D:
    case GL_PROXY_TEXTURE_RECTANGLE:
    case GL_PROXY_TEXTURE_CUBE_MAP:
    case GL_PROXY_TEXTURE_1D_ARRAY:
    case GL_PROXY_TEXTURE_2D_ARRAY:
    case GL_PROXY_TEXTURE_CUBE_MAP_ARRAY:
    case GL_PROXY_TEXTURE_2D_MULTISAMPLE:
    case GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY:
        return true;
    default:
        return false;
    }
}

/*
 * Returns whether the texture may have an image or storage of this number of texels; if not, the
 * call is refused.
 */
static bool may_have(struct retrace *retrace, struct retrace_call *call, uint64_t texels)
{
    const struct shape *shape = &shapes[call->binding->detail];
    GLenum target = shape->target == NONE ? GL_TEXTURE_2D : (GLenum)extent(call, shape->target);
    GLuint name = texture_of(retrace, call, shape, target);
    uint64_t bytes = retrace_budget_texels((GLenum)extent(call, shape->internal), texels);
    unsigned image = RETRACE_ALL_IMAGES;

    if (shape->level != NONE)
        image = retrace_budget_image(target, retrace_integer(call, (unsigned)shape->level));
    else if (target == GL_TEXTURE_CUBE_MAP)
        bytes *= 6;
    /* An image in a list is allocated each time the list is called, for any texture. */
    if (retrace_context(retrace)->in_list && shape->pixels != NONE &&
        call->arguments[shape->pixels].kind != RETRACE_MEMORY && texels > 0 &&
        retrace_get(GL_PIXEL_UNPACK_BUFFER_BINDING) == 0) {
        retrace_refuse(retrace, "an image without pixels in a display list");
        return false;
    }
    return retrace_budget_ask(retrace, RETRACE_TEXTURE, name, image, bytes);
}

static enum retrace_outcome image(struct retrace *retrace, struct retrace_call *call)
{
    const struct shape *shape = &shapes[call->binding->detail];
    uint64_t width = extent(call, shape->width), height = extent(call, shape->height);
    uint64_t depth = extent(call, shape->depth), min = 0, samples = 1;
    GLenum format = shape->format == NONE ? 0 : (GLenum)extent(call, shape->format);
    GLenum type = shape->type == NONE ? (GLenum)TYPE_BITMAP : (GLenum)extent(call, shape->type);

    /* a query, which the trace has answered */
    if (shape->makes && shape->target != NONE && is_proxy((GLenum)extent(call, shape->target)))
        return RETRACE_LEFT;
    /* Few formats have more than eight bytes a pixel. */
    if (shape->makes && height > 0 && depth > 0 &&
        (width > UINT32_MAX || height > UINT32_MAX || depth > UINT16_MAX ||
         width > retrace->given.texture_bytes / 8 / height / depth))
        return retrace_refuse(retrace, "an image of %llux%llux%llu is too large",
                              (unsigned long long)width, (unsigned long long)height,
                              (unsigned long long)depth);
    if (shape->samples != NONE)
        samples = lower_samples(&call->arguments[shape->samples]);
    if (shape->makes && !may_have(retrace, call, width * height * depth * samples))
        return RETRACE_REFUSED;
    if (call->binding->detail == DRAWN || call->binding->detail == BITMAP)
        retrace_discard_update(retrace);
    if (shape->pixels == NONE)
        return RETRACE_GO_ON;
    if (call->arguments[shape->pixels].kind == RETRACE_MEMORY)
        min = image_bytes(format, type, width, height, depth, shape->depth != NONE);
    /*
     * A null pointer provides no pixels to the driver either, or the call is an error. A pointer
     * that the trace lacks may have been valid.
     */
    else if (width > 0 && height > 0 && depth > 0 &&
             call->arguments[shape->pixels].kind == RETRACE_ABSENT)
        min = 1;
    return check_pixels(retrace, &call->arguments[shape->pixels], min,
                        shape->makes || call->binding->detail == BITMAP);
}

/* Rules. */

/* Uploads an image of which the driver may generate mipmaps. */
static enum retrace_outcome texture(struct retrace *retrace, struct retrace_call *call)
{
    const struct shape *shape = &shapes[call->binding->detail];
    const struct retrace_upload upload = {
        .internal = shape->internal == NONE ? GL_NONE : (GLenum)extent(call, shape->internal),
        .format = (GLenum)extent(call, shape->format),
        .type = (GLenum)extent(call, shape->type),
        .width = extent(call, shape->width),
        .height = extent(call, shape->height),
        .has_pixels = call->arguments[shape->pixels].kind == RETRACE_MEMORY};
    enum retrace_outcome outcome = image(retrace, call);

    if (outcome != RETRACE_GO_ON || !retrace_mipmaps_hold(retrace, call, &upload))
        return outcome;
    outcome = retrace_make(retrace, call);
    retrace_mipmaps_release(retrace, &upload, outcome == RETRACE_MADE);
    return outcome;
}

/*
 * After the call that gives a texture an EGLImage, the tracer writes a call with the image's
 * pixels, as if the program had uploaded them. The call is left out: the pixels are there, and the
 * texture continues to share them.
 */
static bool tells_image(const struct retrace *retrace)
{
    const struct retrace_event *event = retrace->stream.ready;

    return event->fake && event->number == retrace_context(retrace)->imaged;
}

static enum retrace_outcome image_2d(struct retrace *retrace, struct retrace_call *call)
{
    return tells_image(retrace) ? RETRACE_LEFT : texture(retrace, call);
}

static enum retrace_outcome stipple(struct retrace *retrace, struct retrace_call *call)
{
    return check_pixels(retrace, &call->arguments[0],
                        image_bytes(FORMAT_INDEX, TYPE_BITMAP, SIDE, SIDE, 1, false), false);
}

/* Checks the row and the column of pixels of glSeparableFilter2D(). */
static enum retrace_outcome separable(struct retrace *retrace, struct retrace_call *call)
{
    GLenum format = (GLenum)extent(call, 4), type = (GLenum)extent(call, 5);
    enum retrace_outcome outcome = RETRACE_GO_ON;

    for (int n = 0; n < 2 && outcome == RETRACE_GO_ON; n++)
        outcome = check_pixels(retrace, &call->arguments[6 + n],
                               image_bytes(format, type, extent(call, 2 + n), 1, 1, false), false);
    return outcome;
}

/* Indices of arguments of functions for renderbuffers. */
static const struct buffer_shape {
    int8_t name, samples, internal, width, height;
} buffer_shapes[] = {
    {NONE, NONE, 1, 2, 3},
    {NONE, 1, 2, 3, 4},
    {0, NONE, 1, 2, 3},
    {0, 1, 2, 3, 4},
};

static enum retrace_outcome renderbuffer(struct retrace *retrace, struct retrace_call *call)
{
    const struct buffer_shape *shape = &buffer_shapes[call->binding->detail];
    uint64_t width = extent(call, shape->width), height = extent(call, shape->height), samples = 1;
    GLuint name = shape->name == NONE ? (GLuint)retrace_get(GL_RENDERBUFFER_BINDING)
                                      : (GLuint)retrace_name(retrace, RETRACE_RENDERBUFFER,
                                                             extent(call, shape->name));

    if (shape->samples != NONE)
        samples = lower_samples(&call->arguments[shape->samples]);
    if (width > UINT16_MAX || height > UINT16_MAX)
        return RETRACE_GO_ON; /* an error */
    if (!retrace_budget_ask(
            retrace, RETRACE_RENDERBUFFER, name, 0,
            retrace_budget_texels((GLenum)extent(call, shape->internal), width * height * samples)))
        return RETRACE_REFUSED;
    return RETRACE_GO_ON;
}

/*
 * The size of compressed images and tables is an argument; the registry's table covers it unless
 * they are in a buffer.
 */
static enum retrace_outcome counted(struct retrace *retrace, struct retrace_call *call)
{
    (void)retrace;
    from_buffer(&call->arguments[call->binding->detail]);
    return RETRACE_GO_ON;
}

/* One pixel; zeros follow it. */
static enum retrace_outcome texel(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *pixel = &call->arguments[call->binding->detail];

    if (pixel->kind == RETRACE_ADDRESS && pixel->number != 0)
        return retrace_refuse(retrace, "the trace does not contain its pixel");
    pixel->checked = true;
    return RETRACE_GO_ON;
}

/* Sorted by name. */
const struct retrace_rule_row retrace_image_rules[] = {
    {"glBitmap", image, NULL, BITMAP},
    {"glClearBufferData", texel, NULL, 4},
    {"glClearBufferSubData", texel, NULL, 6},
    {"glClearNamedBufferData", texel, NULL, 4},
    {"glClearNamedBufferSubData", texel, NULL, 6},
    {"glClearTexImage", texel, NULL, 4},
    {"glClearTexSubImage", texel, NULL, 10},
    {"glColorSubTable", image, NULL, TABLE},
    {"glColorTable", image, NULL, TABLE},
    {"glCompressedMultiTexImage1D", counted, NULL, 7},
    {"glCompressedMultiTexImage2D", counted, NULL, 8},
    {"glCompressedMultiTexImage3D", counted, NULL, 9},
    {"glCompressedMultiTexSubImage1D", counted, NULL, 7},
    {"glCompressedMultiTexSubImage2D", counted, NULL, 9},
    {"glCompressedMultiTexSubImage3D", counted, NULL, 11},
    {"glCompressedTexImage1D", counted, NULL, 6},
    {"glCompressedTexImage2D", counted, NULL, 7},
    {"glCompressedTexImage3D", counted, NULL, 8},
    {"glCompressedTexSubImage1D", counted, NULL, 6},
    {"glCompressedTexSubImage2D", counted, NULL, 8},
    {"glCompressedTexSubImage3D", counted, NULL, 10},
    {"glCompressedTextureImage1DEXT", counted, NULL, 7},
    {"glCompressedTextureImage2DEXT", counted, NULL, 8},
    {"glCompressedTextureImage3DEXT", counted, NULL, 9},
    {"glCompressedTextureSubImage1D", counted, NULL, 6},
    {"glCompressedTextureSubImage1DEXT", counted, NULL, 7},
    {"glCompressedTextureSubImage2D", counted, NULL, 8},
    {"glCompressedTextureSubImage2DEXT", counted, NULL, 9},
    {"glCompressedTextureSubImage3D", counted, NULL, 10},
    {"glCompressedTextureSubImage3DEXT", counted, NULL, 11},
    {"glConvolutionFilter1D", image, NULL, TABLE},
    {"glConvolutionFilter2D", image, NULL, FILTER_2},
    {"glCopyMultiTexImage1D", image, retrace_budget_settle, UNIT_COPY_1},
    {"glCopyMultiTexImage2D", image, retrace_budget_settle, UNIT_COPY_2},
    {"glCopyTexImage1D", image, retrace_budget_settle, COPY_1},
    {"glCopyTexImage2D", image, retrace_budget_settle, COPY_2},
    {"glCopyTextureImage1D", image, retrace_budget_settle, NAMED_COPY_1},
    {"glCopyTextureImage2D", image, retrace_budget_settle, NAMED_COPY_2},
    {"glDrawPixels", image, NULL, DRAWN},
    {"glGenerateMipmap", retrace_generate_mipmap, NULL, 0},
    {"glMultiTexImage1D", image, retrace_budget_settle, UNIT_1},
    {"glMultiTexImage2D", image, retrace_budget_settle, UNIT_2},
    {"glMultiTexImage3D", image, retrace_budget_settle, UNIT_3},
    {"glMultiTexSubImage1D", image, NULL, NAMED_PART_1},
    {"glMultiTexSubImage2D", image, NULL, NAMED_PART_2},
    {"glMultiTexSubImage3D", image, NULL, NAMED_PART_3},
    {"glNamedRenderbufferStorage", renderbuffer, retrace_budget_settle, 2},
    {"glNamedRenderbufferStorageMultisample", renderbuffer, retrace_budget_settle, 3},
    {"glPixelMapfv", counted, NULL, 2},
    {"glPixelMapuiv", counted, NULL, 2},
    {"glPixelMapusv", counted, NULL, 2},
    {"glPolygonStipple", stipple, NULL, 0},
    {"glRenderbufferStorage", renderbuffer, retrace_budget_settle, 0},
    {"glRenderbufferStorageMultisample", renderbuffer, retrace_budget_settle, 1},
    {"glSeparableFilter2D", separable, NULL, 0},
    {"glTexImage1D", image, retrace_budget_settle, IMAGE_1},
    {"glTexImage2D", image_2d, retrace_budget_settle, IMAGE_2},
    {"glTexImage2DMultisample", image, retrace_budget_settle, SAMPLES_2},
    {"glTexImage3D", image, retrace_budget_settle, IMAGE_3},
    {"glTexImage3DMultisample", image, retrace_budget_settle, SAMPLES_3},
    {"glTexStorage1D", image, retrace_budget_settle, STORAGE_1},
    {"glTexStorage2D", image, retrace_budget_settle, STORAGE_2},
    {"glTexStorage2DMultisample", image, retrace_budget_settle, SAMPLES_2},
    {"glTexStorage3D", image, retrace_budget_settle, STORAGE_3},
    {"glTexStorage3DMultisample", image, retrace_budget_settle, SAMPLES_3},
    {"glTexSubImage1D", image, NULL, PART_1},
    {"glTexSubImage2D", texture, NULL, PART_2},
    {"glTexSubImage3D", image, NULL, PART_3},
    {"glTextureImage1DEXT", image, retrace_budget_settle, NAMED_1},
    {"glTextureImage2DEXT", image, retrace_budget_settle, NAMED_2},
    {"glTextureImage3DEXT", image, retrace_budget_settle, NAMED_3},
    {"glTextureStorage1D", image, retrace_budget_settle, NAMED_STORAGE_1},
    {"glTextureStorage1DEXT", image, retrace_budget_settle, EXT_STORAGE_1},
    {"glTextureStorage2D", image, retrace_budget_settle, NAMED_STORAGE_2},
    {"glTextureStorage2DEXT", image, retrace_budget_settle, EXT_STORAGE_2},
    {"glTextureStorage2DMultisample", image, retrace_budget_settle, NAMED_SAMPLES_2},
    {"glTextureStorage2DMultisampleEXT", image, retrace_budget_settle, EXT_SAMPLES_2},
    {"glTextureStorage3D", image, retrace_budget_settle, NAMED_STORAGE_3},
    {"glTextureStorage3DEXT", image, retrace_budget_settle, EXT_STORAGE_3},
    {"glTextureStorage3DMultisample", image, retrace_budget_settle, NAMED_SAMPLES_3},
    {"glTextureStorage3DMultisampleEXT", image, retrace_budget_settle, EXT_SAMPLES_3},
    {"glTextureSubImage1D", image, NULL, PART_1},
    {"glTextureSubImage1DEXT", image, NULL, NAMED_PART_1},
    {"glTextureSubImage2D", image, NULL, PART_2},
    {"glTextureSubImage2DEXT", image, NULL, NAMED_PART_2},
    {"glTextureSubImage3D", image, NULL, PART_3},
    {"glTextureSubImage3DEXT", image, NULL, NAMED_PART_3},
};
const size_t retrace_image_rule_count =
    sizeof(retrace_image_rules) / sizeof(retrace_image_rules[0]);

/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/driver_state.h"

/* Returns whether `size` bytes are rows with that stride; the last row may end with its pixels. */
static bool fits_stride(const struct gapir_readback *readback, uint32_t stride, uint64_t size)
{
    uint64_t pixels = (uint64_t)readback->width * readback->format->pixel.bytes;

    if (readback->width == 0 || readback->height == 0 || pixels > stride)
        return false;
    return size == (uint64_t)stride * readback->height ||
           size == (uint64_t)stride * (readback->height - 1) + pixels;
}

/*
 * Returns the bytes from one row to the next in a post of `size` bytes, or 0 if the readback does
 * not fit. Rows of GL may be tight regardless of glPixelStorei(), which affects one context only.
 */
static uint32_t find_stride(const struct gapir_readback *readback, uint64_t size)
{
    if (readback->format == NULL)
        return 0;
    uint32_t tight = readback->width * readback->format->pixel.bytes;
    if (fits_stride(readback, readback->stride, size))
        return readback->stride;
    return readback->opengl && fits_stride(readback, tight, size) ? tight : 0;
}

static const struct gapir_readback *readback_at(const struct gapir_driver *driver, uint64_t age)
{
    return &driver->readbacks[(driver->readback_count - 1 - age) % GAPIR_READBACKS];
}

static uint64_t readback_ages(const struct gapir_driver *driver)
{
    return driver->readback_count < GAPIR_READBACKS ? driver->readback_count : GAPIR_READBACKS;
}

static void set_shape(const struct gapir_readback *readback, uint32_t stride, uint32_t offset,
                      struct gapir_framebuffer_shape *out)
{
    *out = (struct gapir_framebuffer_shape){.format = readback->format,
                                            .width = readback->width,
                                            .height = readback->height,
                                            .stride = stride,
                                            .offset = offset,
                                            .bottom_up = readback->opengl};
}

/* A POST that begins with the format, if this had to be queried: format, type, error, pixels. */
enum { QUERIED_HEAD = 12, QUERIED_PIXEL = 16 };

static bool queried_shape(const struct gapir_vm *vm, const struct gapir_post *post,
                          const struct gapir_readback *last, struct gapir_framebuffer_shape *out)
{
    uint32_t format, type;

    if (post->size != (uint64_t)last->width * last->height * QUERIED_PIXEL + QUERIED_HEAD ||
        !gapir_peek32(vm, post->address, &format) || !gapir_peek32(vm, post->address + 4, &type))
        return false;
    struct gapir_readback readback = *last;
    readback.format = gapir_format_gl(format, type);
    if (readback.format == NULL)
        return false;
    set_shape(&readback, readback.width * readback.format->pixel.bytes, QUERIED_HEAD, out);
    return true;
}

static bool opengl_shape(const struct gapir_driver *driver, const struct gapir_vm *vm,
                         const struct gapir_post *post, struct gapir_framebuffer_shape *out)
{
    for (uint64_t age = 0; age < readback_ages(driver); age++) {
        const struct gapir_readback *readback = readback_at(driver, age);
        if (!readback->opengl)
            continue;
        uint32_t stride = find_stride(readback, post->size);
        if (readback->address == post->address && stride != 0) {
            set_shape(readback, stride, 0, out);
            return true;
        }
        if (readback->address - post->address == QUERIED_HEAD &&
            queried_shape(vm, post, readback, out))
            return true;
    }
    return false;
}

/*
 * Returns whether the readback went to where the posted bytes are, or were before a copy. Sets
 * *known to whether the buffer's memory is known.
 */
static bool same_memory(const struct gapir_driver *driver, const struct gapir_vm *vm,
                        const struct gapir_location *origin, const struct gapir_readback *readback,
                        bool *known)
{
    const struct gapir_object *buffer = gapir_driver_object(driver, readback->buffer, GAPIR_BUFFER);
    const struct gapir_window *window = &vm->windows[origin->window];

    *known = buffer != NULL && buffer->memory != 0;
    if (!*known || buffer->memory != window->tag)
        return false;
    const struct gapir_object *memory =
        gapir_driver_object(driver, buffer->memory, GAPIR_DEVICE_MEMORY);
    return memory == NULL ||
           buffer->offset + readback->offset == memory->mapped_from + origin->offset;
}

static bool vulkan_shape(const struct gapir_driver *driver, const struct gapir_vm *vm,
                         const struct gapir_post *post, struct gapir_framebuffer_shape *out)
{
    const struct gapir_location origin = gapir_driver_origin(driver, post);

    if (origin.region != GAPIR_WINDOW)
        return false;
    for (uint64_t age = 0; age < readback_ages(driver); age++) {
        const struct gapir_readback *readback = readback_at(driver, age);
        uint32_t stride = readback->opengl ? 0 : find_stride(readback, post->size);
        bool known;
        if (stride == 0)
            continue;
        if (same_memory(driver, vm, &origin, readback, &known) || (!known && age == 0)) {
            set_shape(readback, stride, 0, out);
            return true;
        }
    }
    return false;
}

void gapir_framebuffer_shape_find(const struct gapir_driver *driver, const struct gapir_vm *vm,
                                  const struct gapir_post *post,
                                  struct gapir_framebuffer_shape *out)
{
    *out = (struct gapir_framebuffer_shape){0};
    if (!opengl_shape(driver, vm, post, out))
        vulkan_shape(driver, vm, post, out);
}

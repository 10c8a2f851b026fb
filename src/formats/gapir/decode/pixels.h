/*
 * Pixel formats of framebuffers, by VkFormat and by GL format and type, as one
 * table of where each channel lies; and their way into 8- or 16-bit pictures
 * (gapir.md 4.2). Pure functions, any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_PIXELS_H
#define GPUDUMPFS_GAPIR_DECODE_PIXELS_H

#include "image/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gapir_number {
    GAPIR_UNORM,
    GAPIR_SNORM,
    GAPIR_SRGB,     /* stays encoded: pictures are sRGB */
    GAPIR_FLOATING, /* IEEE of 16 or 32 bits; of 10 or 11 bits unsigned */
    GAPIR_SHARED,   /* 9 bits with one exponent of 5 */
    GAPIR_INTEGER,  /* taken as fractions of the largest value */
};

/* The bits of one channel within a pixel, counted from bit 0 of its first byte. */
struct gapir_channel {
    uint8_t shift, bits; /* bits 0: there is none */
};

struct gapir_format {
    const char *name; /* VK_FORMAT_…, or GL's: RGBA8 */
    uint16_t vulkan;  /* VkFormat; 0: a format of GL */
    uint16_t gl_format, gl_type;
    uint8_t bytes; /* of a pixel */
    enum gapir_number number;
    enum picture_colour look;                     /* of a picture that shows it */
    struct gapir_channel red, green, blue, alpha; /* grey and depth: red alone */
};

/* NULL: unknown. `aspect` is VkImageAspectFlags: depth and stencil are read apart. */
const struct gapir_format *gapir_format_vulkan(uint32_t format, uint32_t aspect);
const struct gapir_format *gapir_format_gl(uint32_t format, uint32_t type);
/* By name, with or without VK_FORMAT_, in any case. */
const struct gapir_format *gapir_format_named(const char *name, size_t length);

/* One row: 16-bit samples are written high byte first, as PNG has them. */
void gapir_format_row(const struct gapir_format *format, const uint8_t *pixels, uint32_t width,
                      uint8_t *out);

#endif

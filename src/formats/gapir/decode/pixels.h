/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats of framebuffers, by VkFormat and by GL format and type (gapir.md 4.2).
 * Pure functions, any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_PIXELS_H
#define GPUDUMPFS_GAPIR_DECODE_PIXELS_H

#include "image/pixel_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gapir_format {
    const char *name; /* VK_FORMAT_…, or GL's: RGBA8 */
    uint16_t vulkan;  /* VkFormat; 0: a format of GL */
    uint16_t gl_format, gl_type;
    struct pixel_format pixel;
};

/* NULL: unknown. `aspect` is VkImageAspectFlags: depth and stencil are read apart. */
const struct gapir_format *gapir_format_vulkan(uint32_t format, uint32_t aspect);
const struct gapir_format *gapir_format_gl(uint32_t format, uint32_t type);
/* By name, with or without VK_FORMAT_, in any case. */
const struct gapir_format *gapir_format_named(const char *name, size_t length);

#endif

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
    const char *name; /* VK_FORMAT_…, or in GL's style: RGBA8 */
    uint16_t vulkan;  /* VkFormat; 0 for a format of GL */
    uint16_t gl_format, gl_type;
    struct pixel_format pixel;
};

/*
 * Finds a VkFormat. `aspect` is a VkImageAspectFlags: depth and stencil are read separately.
 * Returns NULL if the format is unknown.
 */
const struct gapir_format *gapir_format_vulkan(uint32_t format, uint32_t aspect);

/* Finds a format by GL's format and type. Returns NULL if it is unknown. */
const struct gapir_format *gapir_format_gl(uint32_t format, uint32_t type);

/*
 * Finds a format by name, with or without VK_FORMAT_, ignoring case. Returns NULL if it is unknown.
 */
const struct gapir_format *gapir_format_named(const char *name, size_t length);

#endif

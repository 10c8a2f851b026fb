/* SPDX-License-Identifier: MIT */
/* What Vulkan scenes draw with shaders: a triangle, and the output of a compute shader */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_VK_DRAWS_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_VK_DRAWS_H

#include "tests/formats/gapir/vk_scene.h"

/* The layout that the scene's image has after each draw */
enum { VK_TRIANGLE_LAYOUT = 6, VK_COMPUTE_LAYOUT = 7 };

/*
 * Draws the upper left half of the image in orange on black. The vertices are written to mapped
 * memory.
 */
void vk_draw_triangle(struct vk_scene *scene);

/* Pixel n is FF000000h | n * VK_COMPUTE_STEP, written to a buffer that is copied to the image. */
enum { VK_COMPUTE_STEP = 0x1357 };
void vk_draw_compute(struct vk_scene *scene);

#endif

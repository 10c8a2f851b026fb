/* SPDX-License-Identifier: MIT */
/*
 * Swapchains, whose images belong to the worker, since there is no window system: their rules,
 * which are functions of struct vk_rule (rules.h), and the picture that was presented last. One
 * thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_SWAPCHAIN_H
#define GPUDUMPFS_GLWORKER_VK_SWAPCHAIN_H

#include "glworker/vk/calls.h"

void vk_create_swapchain(struct vk_session *session, const uint64_t *arguments);
void vk_create_swapchains(struct vk_session *session, const uint64_t *arguments);
void vk_destroy_swapchain(struct vk_session *session, const uint64_t *arguments);
void vk_give_images(struct vk_session *session, const uint64_t *arguments);
void vk_acquire_image(struct vk_session *session, const uint64_t *arguments);
void vk_acquire_image2(struct vk_session *session, const uint64_t *arguments);
void vk_present(struct vk_session *session, const uint64_t *arguments);

/* The replay may not destroy the images of swapchains, nor bind memory to them. */
bool vk_check_image_end(struct vk_session *session, struct vk_call *call);
bool vk_is_presentable(const struct vk_session *session, VkImage image);

/* Destroys the swapchains of a device. Call it before the device is destroyed. */
void vk_swapchains_end(struct vk_session *session, VkDevice device);

/*
 * Appends the rows of the image that was presented last, from the top, with `pixel_bytes` bytes for
 * each pixel. Returns false, having appended nothing, if no image of that size was presented, or it
 * cannot be read.
 */
bool vk_presented_rows(struct vk_session *session, uint32_t width, uint32_t height,
                       uint32_t pixel_bytes, struct message_writer *rows);

#endif

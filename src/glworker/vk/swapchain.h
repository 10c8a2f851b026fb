/* SPDX-License-Identifier: MIT */
/*
 * Swapchains, whose images are ours, since there is no window system: rules about them (rules.h),
 * and what was presented. One thread.
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

/* The images of swapchains are not the replay's to destroy, or to bind. */
bool vk_check_image_end(struct vk_session *session, struct vk_call *call);
bool vk_is_presentable(const struct vk_session *session, VkImage image);

/* Swapchains of a device end before it. */
void vk_swapchains_end(struct vk_session *session, VkDevice device);

/*
 * Rows of what was presented last, from the top, with so many bytes for a pixel. False: nothing was
 * of that size.
 */
bool vk_presented_rows(struct vk_session *session, uint32_t width, uint32_t height,
                       uint32_t pixel_bytes, struct message_writer *rows);

#endif

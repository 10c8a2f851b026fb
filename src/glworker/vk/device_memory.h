/* SPDX-License-Identifier: MIT */
/*
 * Allocates device memory within a session's limit (allocate.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_DEVICE_MEMORY_H
#define GPUDUMPFS_GLWORKER_VK_DEVICE_MEMORY_H

#include "glworker/vk/vk.h"

/*
 * Allocates memory of a device and counts its bytes. Returns false, with a note, if the session's
 * limit would be exceeded or the driver refuses. The caller frees it with vk_memory_release(), with
 * the same size.
 */
bool vk_memory_allocate(struct vk_session *session, VkDevice device, uint64_t size,
                        VkDeviceMemory *memory);
/* Frees memory of a device, and no longer counts its bytes. */
void vk_memory_release(struct vk_session *session, VkDevice device, VkDeviceMemory memory,
                       uint64_t size);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Memory of devices, within what a session may have (allocate.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_DEVICE_MEMORY_H
#define GPUDUMPFS_GLWORKER_VK_DEVICE_MEMORY_H

#include "glworker/vk/vk.h"

/* Memory of a device within what a session may have; its bytes count. False, with a note: none. */
bool vk_memory_allocate(struct vk_session *session, VkDevice device, uint64_t size,
                        VkDeviceMemory *memory);
void vk_memory_release(struct vk_session *session, VkDevice device, VkDeviceMemory memory,
                       uint64_t size);

#endif

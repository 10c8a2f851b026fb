/* SPDX-License-Identifier: MIT */
/*
 * Waiting for devices (device.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_WAIT_H
#define GPUDUMPFS_GLWORKER_VK_WAIT_H

#include "glworker/vk/vk.h"

/*
 * Wait until one device, or every device, is idle. Return false, with a note, if a device is lost.
 * There is no time limit: the daemon ends a worker that waits for ever.
 */
bool vk_device_wait(struct vk_session *session, VkDevice device);
bool vk_devices_wait(struct vk_session *session);

#endif

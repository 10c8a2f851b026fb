/* SPDX-License-Identifier: MIT */
/*
 * Waiting for devices (device.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_WAIT_H
#define GPUDUMPFS_GLWORKER_VK_WAIT_H

#include "glworker/vk/vk.h"

/*
 * Waits until a device is idle. Returns false, with a note, if the device is lost. There is no time
 * limit: the daemon ends a worker that waits for ever.
 */
bool vk_device_wait(struct vk_session *session, VkDevice device);
/* Does the same for all devices. */
bool vk_devices_wait(struct vk_session *session);

#endif

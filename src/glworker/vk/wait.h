/* SPDX-License-Identifier: MIT */
/*
 * Waiting for devices (device.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_WAIT_H
#define GPUDUMPFS_GLWORKER_VK_WAIT_H

#include "glworker/vk/vk.h"

/* Waits until devices do nothing; false, with a note: one is lost. The daemon ends what waits for
 * ever. */
bool vk_device_wait(struct vk_session *session, VkDevice device);
bool vk_devices_wait(struct vk_session *session);

#endif

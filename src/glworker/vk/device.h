/* SPDX-License-Identifier: MIT */
/*
 * Rules for instances, devices and queues: functions of struct vk_rule (rules.h). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_DEVICE_H
#define GPUDUMPFS_GLWORKER_VK_DEVICE_H

#include "glworker/vk/calls.h"

bool vk_check_instance(struct vk_session *session, struct vk_call *call);
void vk_after_instance(struct vk_session *session, struct vk_call *call);
bool vk_check_device(struct vk_session *session, struct vk_call *call);
void vk_after_device(struct vk_session *session, struct vk_call *call);
void vk_enumerate_devices(struct vk_session *session, const uint64_t *arguments);
bool vk_check_queue(struct vk_session *session, struct vk_call *call);
bool vk_check_queue_info(struct vk_session *session, struct vk_call *call);
bool vk_check_pool(struct vk_session *session, struct vk_call *call);

void vk_destroy_device(struct vk_session *session, const uint64_t *arguments);

/* Destroys all devices and instances. */
void vk_devices_end(struct vk_session *session);

#endif

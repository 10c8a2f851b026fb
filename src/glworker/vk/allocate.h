/* SPDX-License-Identifier: MIT */
/*
 * Rules for memory of devices: functions of struct vk_rule (rules.h). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_ALLOCATE_H
#define GPUDUMPFS_GLWORKER_VK_ALLOCATE_H

#include "glworker/vk/calls.h"

bool vk_check_allocation(struct vk_session *session, struct vk_call *call);
void vk_after_allocation(struct vk_session *session, struct vk_call *call);
void vk_allocate_for_image(struct vk_session *session, const uint64_t *arguments);
bool vk_check_buffer_memory(struct vk_session *session, struct vk_call *call);
bool vk_check_image_memory(struct vk_session *session, struct vk_call *call);
bool vk_check_buffer_memories(struct vk_session *session, struct vk_call *call);
bool vk_check_image_memories(struct vk_session *session, struct vk_call *call);
void vk_map(struct vk_session *session, const uint64_t *arguments);
bool vk_check_unmap(struct vk_session *session, struct vk_call *call);
bool vk_check_free(struct vk_session *session, struct vk_call *call);

#endif

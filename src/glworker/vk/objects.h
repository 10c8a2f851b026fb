/* SPDX-License-Identifier: MIT */
/*
 * Objects by the replay's handles. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_OBJECTS_H
#define GPUDUMPFS_GLWORKER_VK_OBJECTS_H

#include "glworker/vk/vk.h"

/* NULL: there is none of that name. */
struct vk_object *vk_object_find(const struct vk_session *session, uint64_t name);

/* NULL, with a note: there are too many, or the name is one of memory. */
struct vk_object *vk_object_put(struct vk_session *session, uint64_t name, uint64_t handle,
                                uint32_t type);
void vk_object_remove(struct vk_session *session, uint64_t name);

/*
 * The driver's handle of one of the replay's; 0 stays 0. False: there is none of that type, or it
 * belongs to another device than the call at hand.
 */
bool vk_object_handle(const struct vk_session *session, uint32_t type, uint64_t name,
                      uint64_t *handle);

/* The device that an object is, or belongs to; NULL: none. */
VkDevice vk_object_device(const struct vk_session *session, uint64_t name);

/* The type of handles that a command of the registry has for a parameter. */
uint32_t vk_handle_type(const char *name, unsigned parameter);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The table of objects by the replay's handles. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_OBJECTS_H
#define GPUDUMPFS_GLWORKER_VK_OBJECTS_H

#include "glworker/vk/vk.h"

/* Returns the object of that name; NULL if there is none. Valid until the next put or remove. */
struct vk_object *vk_object_find(const struct vk_session *session, uint64_t name);

/*
 * Adds an object of the current call's device, or replaces the object of that name. Returns NULL,
 * with a note, if there are too many objects, or the name is that of memory.
 */
struct vk_object *vk_object_put(struct vk_session *session, uint64_t name, uint64_t handle,
                                uint32_t type);
void vk_object_remove(struct vk_session *session, uint64_t name);

/*
 * Stores the driver's handle for one of the replay's; 0 stays 0. Returns false, with *handle 0, if
 * there is no such object of that type, or if it belongs to another device than the current call.
 */
bool vk_object_handle(const struct vk_session *session, uint32_t type, uint64_t name,
                      uint64_t *handle);

/* Returns the device that an object is, or belongs to; NULL if there is none. */
VkDevice vk_object_device(const struct vk_session *session, uint64_t name);

/*
 * Returns the handle type of a parameter of the registry's command; 0 if there is no such
 * parameter.
 */
uint32_t vk_handle_type(const char *name, unsigned parameter);

#endif

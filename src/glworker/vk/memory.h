/* SPDX-License-Identifier: MIT */
/*
 * The replay's memory, as it is mirrored here, and room for one call. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_MEMORY_H
#define GPUDUMPFS_GLWORKER_VK_MEMORY_H

#include "glworker/vk/vk.h"

/* False: there is no room for it. */
bool vk_memory_add(struct vk_session *session, uint64_t address, uint64_t size);
void vk_memory_clear(struct vk_session *session);

/* So many bytes at an address; NULL: they are not all there. */
uint8_t *vk_memory_at(const struct vk_session *session, uint64_t address, uint64_t size);

/* A string there, *length bytes before its NUL, which the driver may change; NULL: none. */
const char *vk_memory_text(const struct vk_session *session, uint64_t address, uint64_t *length);

bool vk_memory_map(struct vk_session *session, const struct vk_window *window);
void vk_memory_unmap(struct vk_session *session, uint64_t memory);

/* Zeroed room until the call is over; NULL: too much. */
void *vk_scratch(struct vk_session *session, uint64_t size);
void vk_scratch_clear(struct vk_session *session);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The mirror of the replay's memory, and scratch memory for one call. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_MEMORY_H
#define GPUDUMPFS_GLWORKER_VK_MEMORY_H

#include "glworker/vk/vk.h"

/*
 * Adds a block of zeros at an address of the replay. Returns false if the block is too large, or
 * there are too many blocks, or there is no memory.
 */
bool vk_memory_add(struct vk_session *session, uint64_t address, uint64_t size);
/* Frees all blocks and forgets all windows. */
void vk_memory_clear(struct vk_session *session);

/* Returns a pointer to `size` bytes at an address of the replay; NULL if they are not all there. */
uint8_t *vk_memory_at(const struct vk_session *session, uint64_t address, uint64_t size);

/*
 * Returns the string at an address of the replay, and the number of bytes before its NUL in
 * *length; NULL if there is no NUL-terminated string. The driver may change the NUL later, so use
 * *length.
 */
const char *vk_memory_text(const struct vk_session *session, uint64_t address, uint64_t *length);

/* Adds a window. Returns false, with a note, if there are too many. */
bool vk_memory_map(struct vk_session *session, const struct vk_window *window);
/* Removes the windows of the memory with that handle of the replay. */
void vk_memory_unmap(struct vk_session *session, uint64_t memory);

/*
 * Returns `size` bytes of zeros that are valid until vk_scratch_clear(), which ends each call; NULL
 * if the call takes too much.
 */
void *vk_scratch(struct vk_session *session, uint64_t size);
void vk_scratch_clear(struct vk_session *session);

#endif

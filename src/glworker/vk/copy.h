/* SPDX-License-Identifier: MIT */
/*
 * Copies what arguments point to out of the replay's memory, structure by structure, with lengths
 * checked. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_COPY_H
#define GPUDUMPFS_GLWORKER_VK_COPY_H

#include "glworker/vk/calls.h"

/*
 * Fills in call->values, and the lists of handles that the call creates or frees. Returns false,
 * with a note, if the call cannot be made.
 */
bool vk_copy_arguments(struct vk_session *session, struct vk_call *call);

/* Registers the objects that the call has created by the replay's handles. */
void vk_learn_objects(struct vk_session *session, const struct vk_call *call);

#endif

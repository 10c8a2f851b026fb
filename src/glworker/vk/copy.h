/* SPDX-License-Identifier: MIT */
/*
 * What arguments point to, copied out of the replay's memory, structure by structure with lengths
 * checked. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_COPY_H
#define GPUDUMPFS_GLWORKER_VK_COPY_H

#include "glworker/vk/calls.h"

/* Fills in call->values. False, with a note: the call cannot be made. */
bool vk_copy_arguments(struct vk_session *session, struct vk_call *call);

/* What the call has made has the replay's handles from now on. */
void vk_learn_objects(struct vk_session *session, const struct vk_call *call);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The messages by which the daemon has Vulkan calls made (worker.md 7). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_SESSION_H
#define GPUDUMPFS_GLWORKER_VK_SESSION_H

#include "glworker/core/serve.h"

extern const struct serve_kind vk_kinds[];

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The driver of Vulkan: Mesa's lavapipe, which draws in software on every machine. It is loaded by
 * its own name, without a loader: so no other driver and no layer comes in, whatever the machine
 * is told to use. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_VULKAN_H
#define GPUDUMPFS_GLWORKER_CORE_VULKAN_H

#include "worker/worker.h"

#include <vulkan/vulkan_core.h>

/*
 * Loads it, with all that it loads late. Before the process may open files no more. 0 or -ENODEV
 * with a reason.
 */
int vulkan_load(char reason[WORKER_REASON]);

/* Whether it is there. */
bool vulkan_is_loaded(void);

/* A function by its name, of an instance (NULL: one that needs none); NULL: it has none. */
PFN_vkVoidFunction vulkan_function(VkInstance instance, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The Vulkan driver: Mesa's lavapipe, which draws in software on every machine. It is loaded by its
 * own name, without a loader, so that no other driver and no layer is loaded, however the machine
 * is configured. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_VULKAN_H
#define GPUDUMPFS_GLWORKER_CORE_VULKAN_H

#include "worker/worker.h"

#include <vulkan/vulkan_core.h>

/*
 * Loads the driver, together with everything that it loads lazily. Call it while the process may
 * still open files. Returns 0, or -ENODEV with a reason.
 */
int vulkan_load(char reason[WORKER_REASON]);

/* Returns whether the driver is loaded. */
bool vulkan_is_loaded(void);

/*
 * Returns a function of an instance by its name; NULL if the driver does not have it or is not
 * loaded. `instance` is NULL for the functions that need none.
 */
PFN_vkVoidFunction vulkan_function(VkInstance instance, const char *name);

#endif

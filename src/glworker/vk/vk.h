/* SPDX-License-Identifier: MIT */
/*
 * Makes the Vulkan calls of a GAPIR replay (worker.md 7). The replay's memory is mirrored here;
 * what arguments point to is copied out of the mirror, structure by structure, with lengths
 * checked; handles of the replay are replaced by the driver's; and libffi makes the call. One
 * thread; the driver has others.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_VK_H
#define GPUDUMPFS_GLWORKER_VK_VK_H

#include "formats/gapir/decode/vk_names.h"
#include "formats/gapir/replay/worker_protocol.h"
#include "glworker/core/serve.h"
#include "glworker/core/vulkan.h"

enum {
    VK_ARGUMENTS_MAX = 16,
    VK_BLOCKS_MAX = 8,
    VK_WINDOWS_MAX = 4096,
    VK_SCRATCH_MAX = 64,
    VK_INSTANCES_MAX = 8, /* at the same time, like those below */
    VK_DEVICES_MAX = 8,
    VK_SWAPCHAINS_MAX = 8,
    VK_SWAPCHAIN_IMAGES_MAX = 8,
};

/* A block of the replay's memory. */
struct vk_block {
    uint64_t address, size;
    uint8_t *bytes;
};

/*
 * Device memory that the replay has mapped: its address in the replay, and its bytes in this
 * process.
 */
struct vk_window {
    uint64_t address, size;
    uint64_t memory; /* the replay's handle */
    uint8_t *bytes;
};

/* An object, by the replay's handle. */
struct vk_object {
    uint64_t name, handle;
    uint32_t type;   /* type of the handle, as in struct gapir_vk_member */
    uint64_t size;   /* bytes of device memory; 0 for other objects */
    VkDevice device; /* the device that it is or belongs to; NULL if there is none */
};

/* An instance and its only physical device. */
struct vk_instance {
    VkInstance instance;
    VkPhysicalDevice physical;
};

/* A swapchain. Its images belong to the worker, since there is no window system. */
struct vk_swapchain {
    uint64_t name; /* the replay's; 0 if the entry is free */
    VkDevice device;
    VkImageCreateInfo info;
    VkImage images[VK_SWAPCHAIN_IMAGES_MAX];
    VkDeviceMemory memories[VK_SWAPCHAIN_IMAGES_MAX];
    uint64_t sizes[VK_SWAPCHAIN_IMAGES_MAX]; /* bytes of the memories */
    uint32_t count;
};

/* The image that was presented last. */
struct vk_presented {
    VkDevice device;
    VkImage image; /* NULL if nothing was presented */
    VkDeviceMemory memory;
    uint32_t width, height;
};

struct vk_session {
    struct vk_block blocks[VK_BLOCKS_MAX];
    uint32_t block_count;
    struct vk_window windows[VK_WINDOWS_MAX];
    uint32_t window_count;
    struct vk_object *objects; /* sorted by name, ascending */
    uint32_t object_count, object_room;
    uint64_t bad[GAPIR_BAD_CALLS_MAX];
    uint32_t bad_count;
    struct vk_instance instances[VK_INSTANCES_MAX];
    uint32_t instance_count;
    VkDevice devices[VK_DEVICES_MAX];
    uint32_t device_count;
    struct vk_swapchain swapchains[VK_SWAPCHAINS_MAX];
    struct vk_presented presented;
    VkDevice device;                  /* the device of the current call; NULL if there is none */
    uint64_t allocated;               /* bytes of device memory */
    uint8_t *scratch[VK_SCRATCH_MAX]; /* where a call's arguments are copied to */
    uint32_t scratch_count;
    uint64_t scratch_left, scratch_bytes;
    const char *name;   /* name of the current call's function */
    uint64_t number;    /* number of the current call */
    uint64_t submitted; /* the number of the latest call that submitted work */
    struct message_writer notes;
    uint32_t note_count, note_total;
};

/*
 * Adds a note about the current call, unless the session has GAPIR_VK_NOTES_MAX notes. Returns
 * false, for callers that give up.
 */
bool vk_note(struct vk_session *of, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Making the calls of Vulkan that a GAPIR replay makes (worker.md 7): its memory is mirrored here,
 * what arguments point to is copied out of that, structure by structure with their lengths checked,
 * handles of the replay become those of the driver, and libffi makes the call. One thread; the
 * driver has others.
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
    VK_INSTANCES_MAX = 8, /* at one time, as these */
    VK_DEVICES_MAX = 8,
    VK_SWAPCHAINS_MAX = 8,
    VK_SWAPCHAIN_IMAGES_MAX = 8,
};

/* Memory of the replay. */
struct vk_block {
    uint64_t address, size;
    uint8_t *bytes;
};

/* Device memory that the replay has mapped: at which of its addresses, and where it is. */
struct vk_window {
    uint64_t address, size;
    uint64_t memory; /* the replay's handle */
    uint8_t *bytes;
};

/* An object, by the replay's handle. */
struct vk_object {
    uint64_t name, handle;
    uint32_t type;   /* struct gapir_vk_member's, of handles */
    uint64_t size;   /* of memory: bytes */
    VkDevice device; /* that it belongs to; NULL: none */
};

/* An instance, and the one device that it has. */
struct vk_instance {
    VkInstance instance;
    VkPhysicalDevice physical;
};

/* Images that are presented: ours, since there is no window system. */
struct vk_swapchain {
    uint64_t name; /* the replay's; 0: there is none */
    VkDevice device;
    VkImageCreateInfo info;
    VkImage images[VK_SWAPCHAIN_IMAGES_MAX];
    VkDeviceMemory memories[VK_SWAPCHAIN_IMAGES_MAX];
    uint64_t sizes[VK_SWAPCHAIN_IMAGES_MAX]; /* of the memories, bytes */
    uint32_t count;
};

/* What was presented last. */
struct vk_presented {
    VkDevice device;
    VkImage image; /* NULL: nothing */
    VkDeviceMemory memory;
    uint32_t width, height;
};

struct vk_session {
    struct vk_block blocks[VK_BLOCKS_MAX];
    uint32_t block_count;
    struct vk_window windows[VK_WINDOWS_MAX];
    uint32_t window_count;
    struct vk_object *objects; /* by rising name */
    uint32_t object_count, object_room;
    uint64_t bad[GAPIR_BAD_CALLS_MAX];
    uint32_t bad_count;
    struct vk_instance instances[VK_INSTANCES_MAX];
    uint32_t instance_count;
    VkDevice devices[VK_DEVICES_MAX];
    uint32_t device_count;
    struct vk_swapchain swapchains[VK_SWAPCHAINS_MAX];
    struct vk_presented presented;
    VkDevice device;                  /* that the call at hand is of; NULL: of none */
    uint64_t allocated;               /* device memory, bytes */
    uint8_t *scratch[VK_SCRATCH_MAX]; /* what a call's arguments are copied to */
    uint32_t scratch_count;
    uint64_t scratch_left, scratch_bytes;
    const char *name;   /* of the call at hand … */
    uint64_t number;    /* … and its number */
    uint64_t submitted; /* the number of the latest call that submitted work */
    struct message_writer notes;
    uint32_t note_count, note_total;
};

/* Tells something about the call at hand. False, for callers that give up. */
bool vk_note(struct vk_session *of, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

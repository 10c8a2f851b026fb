/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan scene as a GAPIR payload, in the form of gapit's exporter: structures are in volatile
 * memory, later calls load handles from slots, and pixels are read back through a mapped staging
 * buffer. Structures and calls are written by name:
 *
 *     vk_scene_put(&scene, "VkImageCreateInfo", "format=37 extent.width=%u image=$16", 64);
 *     vk_scene_call(&scene, "vkCreateImage", "$8 &512 0 &16");
 *
 * A value is a number (a float if it has a point), `&N`, a pointer to volatile address N, or `$N`,
 * what the slot at N holds when the program runs. sType is filled in.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_VK_SCENE_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_VK_SCENE_H

#include "examples/gapir_build.h"

#include <stdbool.h>

enum { VK_SCENE_WIDTH = 64, VK_SCENE_HEIGHT = 48, VK_SCENE_BYTES = 64 * 48 * 4 };

/* Slots: volatile addresses of handles */
enum vk_scene_slot {
    VK_SLOT_INSTANCE = 8,
    VK_SLOT_COUNT = 16,
    VK_SLOT_PHYSICAL = 24,
    VK_SLOT_DEVICE = 32,
    VK_SLOT_QUEUE = 40,
    VK_SLOT_POOL = 48,
    VK_SLOT_COMMANDS = 56,
    VK_SLOT_IMAGE = 64,
    VK_SLOT_IMAGE_MEMORY = 72,
    VK_SLOT_BUFFER = 80,
    VK_SLOT_BUFFER_MEMORY = 88,
    VK_SLOT_MAPPED = 96,
    VK_SLOT_FREE = 104, /* this slot and those after it are free, 8 bytes each */
    VK_SCENE_HEAP = 512,
};

struct vk_scene {
    struct build build;
    uint32_t used; /* bytes of volatile memory used from VK_SCENE_HEAP on */
    uint32_t label;
};

/*
 * Writes a structure to volatile memory of its own, which stays in use. Returns its volatile
 * address.
 */
uint32_t vk_scene_put(struct vk_scene *scene, const char *structure, const char *members, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the volatile address of `size` bytes that are zero and not in use yet. */
uint32_t vk_scene_room(struct vk_scene *scene, uint32_t size);

/* Writes a structure to a given volatile address. */
void vk_scene_put_at(struct vk_scene *scene, uint32_t address, const char *structure,
                     const char *members, ...) __attribute__((format(printf, 4, 5)));

uint32_t vk_scene_bytes(struct vk_scene *scene, const void *bytes, size_t size);

void vk_scene_call(struct vk_scene *scene, const char *name, const char *arguments, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends the CALL instruction alone: the test has already pushed the arguments. */
void vk_scene_call_word(struct vk_scene *scene, const char *name);

/*
 * Starts a scene with an instance, a device, a queue, a command buffer, an RGBA8 image that is
 * drawn on, and a staging buffer.
 */
void vk_scene_begin(struct vk_scene *scene);

/* Creates all of these once more, in the same slots. */
void vk_scene_more(struct vk_scene *scene);

/*
 * vk_scene_record() begins the command buffer; vk_scene_layout() records the image's transition
 * from one layout to another.
 */
void vk_scene_record(struct vk_scene *scene);
void vk_scene_layout(struct vk_scene *scene, unsigned from, unsigned to);

/* Clears the image to a colour, and leaves it in the layout for copies to it. */
void vk_scene_clear(struct vk_scene *scene, float red, float green, float blue, float alpha);

/*
 * Copies the image, which has layout `from`, to the staging buffer, and submits what was recorded.
 */
void vk_scene_read_back(struct vk_scene *scene, unsigned from);

/* vk_scene_map() maps the staging buffer; vk_scene_store() has the program write a word of it. */
void vk_scene_map(struct vk_scene *scene);
void vk_scene_store(struct vk_scene *scene, unsigned offset, uint32_t value);

/* Does what vk_scene_read_back() does, then posts the pixels. */
void vk_scene_post(struct vk_scene *scene, unsigned from);

/* Posts the pixels that the slot VK_SLOT_MAPPED points to. */
void vk_scene_post_mapped(struct vk_scene *scene);

/*
 * Creates a buffer of the given size and usage with memory bound to it. The handles are stored in
 * the slots `buffer` and `memory`.
 */
void vk_scene_buffer(struct vk_scene *scene, unsigned size, unsigned usage, unsigned buffer,
                     unsigned memory);

/*
 * Ends the payload, writes it into a new folder, and clears the scene. The caller owns the returned
 * path and removes the folder.
 */
char *vk_scene_write(struct vk_scene *scene);

#endif

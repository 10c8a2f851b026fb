/* SPDX-License-Identifier: MIT */
/*
 * A scene of Vulkan as a GAPIR payload, in the form of gapit's exporter: structures in volatile
 * memory, handles in slots from which later calls load them, pixels read back by a staging
 * buffer that is mapped. Structures and calls are written by name:
 *
 *     vk_scene_put(&scene, "VkImageCreateInfo", "format=37 extent.width=%u image=$16", 64);
 *     vk_scene_call(&scene, "vkCreateImage", "$8 &512 0 &16");
 *
 * A value is a number (a float if it has a point), `&N` a pointer to volatile address N, `$N` what
 * the slot at N holds when it is run. sType is filled in.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_VK_SCENE_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_VK_SCENE_H

#include "examples/gapir_build.h"

#include <stdbool.h>

enum { VK_SCENE_WIDTH = 64, VK_SCENE_HEIGHT = 48, VK_SCENE_BYTES = 64 * 48 * 4 };

/* Slots: volatile addresses of handles. */
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
    VK_SLOT_FREE = 104, /* and those behind it, 8 bytes each */
    VK_SCENE_HEAP = 512,
};

struct vk_scene {
    struct build build;
    uint32_t used; /* of volatile memory, from VK_SCENE_HEAP on */
    uint32_t label;
};

/* A structure in memory of its own, which stays; its volatile address. */
uint32_t vk_scene_put(struct vk_scene *scene, const char *structure, const char *members, ...)
    __attribute__((format(printf, 3, 4)));

/* `count` structures, one behind the other, of room that is zero. */
uint32_t vk_scene_room(struct vk_scene *scene, uint32_t size);

/* The same at an address. */
void vk_scene_put_at(struct vk_scene *scene, uint32_t address, const char *structure,
                     const char *members, ...) __attribute__((format(printf, 4, 5)));

uint32_t vk_scene_bytes(struct vk_scene *scene, const void *bytes, size_t size);

void vk_scene_call(struct vk_scene *scene, const char *name, const char *arguments, ...)
    __attribute__((format(printf, 3, 4)));

/* The CALL alone: the test has pushed what it takes. */
void vk_scene_call_word(struct vk_scene *scene, const char *name);

/* Instance, device, queue, a command buffer; an image of RGBA8 that is drawn on, a staging buffer.
 */
void vk_scene_begin(struct vk_scene *scene);

/* All of that once more, in the same slots. */
void vk_scene_more(struct vk_scene *scene);

/* The command buffer is begun; the image goes from one layout to another. */
void vk_scene_record(struct vk_scene *scene);
void vk_scene_layout(struct vk_scene *scene, unsigned from, unsigned to);

/* The image, cleared to a colour. It has the layout for copies to it. */
void vk_scene_clear(struct vk_scene *scene, float red, float green, float blue, float alpha);

/* From layout `from` the image is copied to the staging buffer, and what was recorded runs. */
void vk_scene_read_back(struct vk_scene *scene, unsigned from);

/* The staging buffer is mapped; the program writes a word of it. */
void vk_scene_map(struct vk_scene *scene);
void vk_scene_store(struct vk_scene *scene, unsigned offset, uint32_t value);

/* The same as vk_scene_read_back(), and the pixels are posted. */
void vk_scene_post(struct vk_scene *scene, unsigned from);

/* The pixels that the slot VK_SLOT_MAPPED leads to are posted. */
void vk_scene_post_mapped(struct vk_scene *scene);

/* Memory of `size` bytes for a buffer of that usage, bound; slots of both. */
void vk_scene_buffer(struct vk_scene *scene, unsigned size, unsigned usage, unsigned buffer,
                     unsigned memory);

/* Ends the payload, writes it into a folder of its own, which is the caller's, and clears all. */
char *vk_scene_write(struct vk_scene *scene);

#endif

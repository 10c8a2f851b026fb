/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/gapir/vk_scene.h"

#include "formats/gapir/decode/names.h"
#include "formats/gapir/decode/vk_names.h"
#include "tests/support/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define VK "vulkan_v3.3.1"

enum { MEMORY = 64 << 10, TEXT_MAX = 2048, ALIGNMENT = 16 };

/* Enumerators of Vulkan */
enum {
    FORMAT_RGBA8 = 37,
    USAGE_IMAGE = 0x1 | 0x2 | 0x8 | 0x10, /* copies, storage, colour attachment */
    LAYOUT_UNDEFINED = 0,
    LAYOUT_SOURCE = 6,
    LAYOUT_TARGET = 7,
    STAGE_ALL = 0x10000,
    ACCESS_ALL = 0x8000 | 0x10000,
    BUFFER_TARGET = 2,
};

/* A value as written in the text */
struct value {
    char kind; /* '&', '$', 'f', 'i' */
    uint64_t bits;
    double real;
};

static struct value read_value(const char *text)
{
    struct value value = {.kind = 'i'};

    if (text[0] == '&' || text[0] == '$')
        value.kind = *text++;
    else if (strchr(text, '.') != NULL)
        value.kind = 'f';
    if (value.kind == 'f')
        value.bits = build_float(strtof(text, NULL));
    else if (text[0] == '-')
        value.bits = (uint64_t)strtoll(text, NULL, 0);
    else
        value.bits = strtoull(text, NULL, 0);
    return value;
}

static const struct gapir_vk_structure *find_structure(const char *name)
{
    for (size_t n = 0; n < gapir_vk_structure_count; n++)
        if (strcmp(gapir_vk_structures[n].name, name) == 0)
            return &gapir_vk_structures[n];
    fail_msg("no %s", name);
    return NULL;
}

static const struct gapir_vk_member *find_member(const struct gapir_vk_structure *structure,
                                                 const char *name, size_t length)
{
    for (unsigned n = 0; n < structure->count; n++) {
        const struct gapir_vk_member *member = &gapir_vk_members[structure->first + n];

        if (strlen(member->name) == length && memcmp(member->name, name, length) == 0)
            return member;
    }
    fail_msg("no %s in %s", name, structure->name);
    return NULL;
}

/* Returns the offset of a member such as `extent.width` or `colour[2]`, and sets *member. */
static uint32_t find_place(const struct gapir_vk_structure *structure, const char *path,
                           const struct gapir_vk_member **member)
{
    uint32_t place = 0;

    for (;;) {
        size_t length = strcspn(path, ".[=");

        *member = find_member(structure, path, length);
        place += (*member)->offset;
        path += length;
        if (*path == '[') {
            place += (uint32_t)(strtoul(path + 1, NULL, 10) * gapir_vk_element_size(*member));
            path = strchr(path, ']') + 1;
        }
        if (*path != '.')
            return place;
        structure = gapir_vk_structure_of(*member);
        assert_non_null(structure);
        path++;
    }
}

/* Stores what cannot be in the structure's own bytes: pointers, and handles from their slots. */
static void patch(struct vk_scene *scene, uint32_t at, const struct value *value)
{
    if (value->kind == '$') {
        build_copy(&scene->build, at, (uint32_t)value->bits, 8);
        return;
    }
    build_push(&scene->build, GAPIR_VOLATILE_POINTER, value->bits);
    build_op(&scene->build, GAPIR_STORE_V, at);
}

static void fill_type(const struct gapir_vk_structure *structure, uint8_t *bytes)
{
    for (size_t n = 0; n < gapir_vk_chain_count; n++)
        if (structure->chained && &gapir_vk_structures[gapir_vk_chain[n].structure] == structure) {
            uint32_t type = gapir_vk_chain[n].type;
            memcpy(bytes, &type, sizeof(type));
        }
}

/* Writes numbers into the bytes, which are stored first, and everything else afterwards. */
static void put_members(struct vk_scene *scene, uint32_t address,
                        const struct gapir_vk_structure *structure, char *members)
{
    uint8_t *bytes = calloc(1, structure->size);
    char *copy = strdup(members), *rest = NULL;
    const struct gapir_vk_member *member;

    fill_type(structure, bytes);
    for (char *item = strtok_r(copy, " ", &rest); item != NULL; item = strtok_r(NULL, " ", &rest)) {
        struct value value = read_value(strchr(item, '=') + 1);
        uint32_t place = find_place(structure, item, &member);
        if (value.kind != '&' && value.kind != '$')
            memcpy(bytes + place, &value.bits,
                   member->pointers > 0 ? 8 : gapir_vk_kind_size(member->kind));
    }
    build_inline(&scene->build, address, bytes, structure->size);
    for (char *item = strtok_r(members, " ", &rest); item != NULL;
         item = strtok_r(NULL, " ", &rest)) {
        struct value value = read_value(strchr(item, '=') + 1);
        uint32_t place = find_place(structure, item, &member);
        if (value.kind == '&' || value.kind == '$')
            patch(scene, address + place, &value);
    }
    free(copy);
    free(bytes);
}

uint32_t vk_scene_room(struct vk_scene *scene, uint32_t size)
{
    uint32_t address = VK_SCENE_HEAP + scene->used;

    scene->used += (size + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
    assert_true(VK_SCENE_HEAP + scene->used <= MEMORY);
    return address;
}

void vk_scene_put_at(struct vk_scene *scene, uint32_t address, const char *structure,
                     const char *members, ...)
{
    char text[TEXT_MAX];
    va_list list;

    va_start(list, members);
    assert_true(vsnprintf(text, sizeof(text), members, list) < TEXT_MAX);
    va_end(list);
    put_members(scene, address, find_structure(structure), text);
}

uint32_t vk_scene_put(struct vk_scene *scene, const char *structure, const char *members, ...)
{
    uint32_t address = vk_scene_room(scene, find_structure(structure)->size);
    char text[TEXT_MAX];
    va_list list;

    va_start(list, members);
    assert_true(vsnprintf(text, sizeof(text), members, list) < TEXT_MAX);
    va_end(list);
    put_members(scene, address, find_structure(structure), text);
    return address;
}

uint32_t vk_scene_bytes(struct vk_scene *scene, const void *bytes, size_t size)
{
    uint32_t address = vk_scene_room(scene, (uint32_t)size);

    build_inline(&scene->build, address, bytes, (uint32_t)size);
    return address;
}

static const struct gapir_function *find_function(const char *name)
{
    const struct gapir_table *table = gapir_table_named(VK);

    for (uint32_t n = 0; n < gapir_table_size(table); n++) {
        const struct gapir_function *function = &gapir_functions[table->first + n];

        if (function->callable && strcmp(gapir_function_name(function), name) == 0)
            return function;
    }
    fail_msg("no %s", name);
    return NULL;
}

static void push(struct vk_scene *scene, unsigned type, const struct value *value)
{
    if (type == GAPIR_SIZE)
        type = GAPIR_UINT64;
    if (value->kind == '$')
        build_typed(&scene->build, GAPIR_LOAD_V, (enum gapir_type)type, (uint32_t)value->bits);
    else if (type == GAPIR_ANY_POINTER)
        build_push(&scene->build,
                   value->kind == '&' ? GAPIR_VOLATILE_POINTER : GAPIR_ABSOLUTE_POINTER,
                   value->bits);
    else
        build_push(&scene->build, (enum gapir_type)type, value->bits);
}

void vk_scene_call_word(struct vk_scene *scene, const char *name)
{
    unsigned id = gapir_table_id(gapir_table_named(VK), find_function(name));

    build_word(&scene->build, gapir_encode_call(2, id, false));
}

void vk_scene_call(struct vk_scene *scene, const char *name, const char *arguments, ...)
{
    const struct gapir_function *function = find_function(name);
    char text[TEXT_MAX], *rest = NULL, *item;
    unsigned count = 0;
    va_list list;

    va_start(list, arguments);
    assert_true(vsnprintf(text, sizeof(text), arguments, list) < TEXT_MAX);
    va_end(list);
    for (item = strtok_r(text, " ", &rest); item != NULL; item = strtok_r(NULL, " ", &rest)) {
        struct value value = read_value(item);

        assert_true(count < function->count);
        push(scene, gapir_function_argument(function, count++)->type, &value);
    }
    assert_int_equal(count, function->count);
    vk_scene_call_word(scene, name);
}

/* What all scenes have */

static void make_device(struct vk_scene *scene)
{
    float one = 1.0F;
    uint32_t application =
        vk_scene_put(scene, "VkApplicationInfo", "apiVersion=%u", 1U << 22 | 1U << 12);
    uint32_t info =
        vk_scene_put(scene, "VkInstanceCreateInfo", "pApplicationInfo=&%u", application);

    vk_scene_call(scene, "replayCreateVkInstance", "&%u 0 &%d", info, VK_SLOT_INSTANCE);
    vk_scene_call(scene, "replayRegisterVkInstance", "$%d", VK_SLOT_INSTANCE);
    build_inline(&scene->build, VK_SLOT_COUNT, "\1\0\0\0", 4);
    vk_scene_call(scene, "replayEnumeratePhysicalDevices", "$%d &%d &%d &%u", VK_SLOT_INSTANCE,
                  VK_SLOT_COUNT, VK_SLOT_PHYSICAL, vk_scene_room(scene, 8));
    uint32_t priorities = vk_scene_bytes(scene, &one, sizeof(one));
    uint32_t queues = vk_scene_put(scene, "VkDeviceQueueCreateInfo",
                                   "queueCount=1 pQueuePriorities=&%u", priorities);
    info = vk_scene_put(scene, "VkDeviceCreateInfo", "queueCreateInfoCount=1 pQueueCreateInfos=&%u",
                        queues);
    vk_scene_call(scene, "ReplayCreateVkDevice", "$%d &%u 0 &%d", VK_SLOT_PHYSICAL, info,
                  VK_SLOT_DEVICE);
    vk_scene_call(scene, "replayRegisterVkDevice", "$%d $%d &%u", VK_SLOT_PHYSICAL, VK_SLOT_DEVICE,
                  info);
    vk_scene_call(scene, "vkGetDeviceQueue", "$%d 0 0 &%d", VK_SLOT_DEVICE, VK_SLOT_QUEUE);
}

static void make_commands(struct vk_scene *scene)
{
    uint32_t info = vk_scene_put(scene, "VkCommandPoolCreateInfo", "flags=2");

    vk_scene_call(scene, "vkCreateCommandPool", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info,
                  VK_SLOT_POOL);
    info = vk_scene_put(scene, "VkCommandBufferAllocateInfo",
                        "commandPool=$%d commandBufferCount=1", VK_SLOT_POOL);
    vk_scene_call(scene, "vkAllocateCommandBuffers", "$%d &%u &%d", VK_SLOT_DEVICE, info,
                  VK_SLOT_COMMANDS);
    vk_scene_call(scene, "replayRegisterVkCommandBuffers", "$%d 1 &%d", VK_SLOT_DEVICE,
                  VK_SLOT_COMMANDS);
}

void vk_scene_buffer(struct vk_scene *scene, unsigned size, unsigned usage, unsigned buffer,
                     unsigned memory)
{
    uint32_t info = vk_scene_put(scene, "VkBufferCreateInfo", "size=%u usage=%u", size, usage);

    vk_scene_call(scene, "vkCreateBuffer", "$%d &%u 0 &%u", VK_SLOT_DEVICE, info, buffer);
    info = vk_scene_put(scene, "VkMemoryAllocateInfo", "allocationSize=%u", (size + 255) & ~255U);
    vk_scene_call(scene, "vkAllocateMemory", "$%d &%u 0 &%u", VK_SLOT_DEVICE, info, memory);
    vk_scene_call(scene, "vkBindBufferMemory", "$%d $%u $%u 0", VK_SLOT_DEVICE, buffer, memory);
}

static void make_image(struct vk_scene *scene)
{
    uint32_t info = vk_scene_put(scene, "VkImageCreateInfo",
                                 "imageType=1 format=%d extent.width=%d extent.height=%d "
                                 "extent.depth=1 mipLevels=1 arrayLayers=1 samples=1 usage=%d",
                                 FORMAT_RGBA8, VK_SCENE_WIDTH, VK_SCENE_HEIGHT, USAGE_IMAGE);
    uint32_t properties = vk_scene_put(scene, "VkPhysicalDeviceMemoryProperties",
                                       "memoryTypeCount=1 memoryTypes[0].propertyFlags=15 "
                                       "memoryHeapCount=1 memoryHeaps[0].size=1073741824");

    vk_scene_call(scene, "vkCreateImage", "$%d &%u 0 &%d", VK_SLOT_DEVICE, info, VK_SLOT_IMAGE);
    vk_scene_call(scene, "replayAllocateImageMemory", "$%d &%u $%d &%d", VK_SLOT_DEVICE, properties,
                  VK_SLOT_IMAGE, VK_SLOT_IMAGE_MEMORY);
    vk_scene_call(scene, "vkBindImageMemory", "$%d $%d $%d 0", VK_SLOT_DEVICE, VK_SLOT_IMAGE,
                  VK_SLOT_IMAGE_MEMORY);
}

void vk_scene_begin(struct vk_scene *scene)
{
    *scene = (struct vk_scene){.build = {.stack_size = 512, .volatile_size = MEMORY}};
    build_op(&scene->build, GAPIR_LABEL, ++scene->label);
    vk_scene_more(scene);
}

void vk_scene_more(struct vk_scene *scene)
{
    make_device(scene);
    make_commands(scene);
    make_image(scene);
    vk_scene_buffer(scene, VK_SCENE_BYTES, BUFFER_TARGET, VK_SLOT_BUFFER, VK_SLOT_BUFFER_MEMORY);
}

void vk_scene_record(struct vk_scene *scene)
{
    uint32_t info = vk_scene_put(scene, "VkCommandBufferBeginInfo", "flags=1");

    vk_scene_call(scene, "vkBeginCommandBuffer", "$%d &%u", VK_SLOT_COMMANDS, info);
}

void vk_scene_layout(struct vk_scene *scene, unsigned from, unsigned to)
{
    uint32_t barrier = vk_scene_put(
        scene, "VkImageMemoryBarrier",
        "srcAccessMask=%d dstAccessMask=%d oldLayout=%u newLayout=%u "
        "srcQueueFamilyIndex=0xffffffff dstQueueFamilyIndex=0xffffffff image=$%d "
        "subresourceRange.aspectMask=1 subresourceRange.levelCount=1 subresourceRange.layerCount=1",
        ACCESS_ALL, ACCESS_ALL, from, to, VK_SLOT_IMAGE);

    vk_scene_call(scene, "vkCmdPipelineBarrier", "$%d %d %d 0 0 0 0 0 1 &%u", VK_SLOT_COMMANDS,
                  STAGE_ALL, STAGE_ALL, barrier);
}

void vk_scene_clear(struct vk_scene *scene, float red, float green, float blue, float alpha)
{
    uint32_t colour =
        vk_scene_put(scene, "VkClearColorValue",
                     "float32[0]=%.6f float32[1]=%.6f float32[2]=%.6f float32[3]=%.6f", (double)red,
                     (double)green, (double)blue, (double)alpha);
    uint32_t range =
        vk_scene_put(scene, "VkImageSubresourceRange", "aspectMask=1 levelCount=1 layerCount=1");

    vk_scene_layout(scene, LAYOUT_UNDEFINED, LAYOUT_TARGET);
    vk_scene_call(scene, "vkCmdClearColorImage", "$%d $%d %d &%u 1 &%u", VK_SLOT_COMMANDS,
                  VK_SLOT_IMAGE, LAYOUT_TARGET, colour, range);
}

static void submit(struct vk_scene *scene)
{
    uint32_t info = vk_scene_put(scene, "VkSubmitInfo", "commandBufferCount=1 pCommandBuffers=&%d",
                                 VK_SLOT_COMMANDS);

    vk_scene_call(scene, "vkEndCommandBuffer", "$%d", VK_SLOT_COMMANDS);
    vk_scene_call(scene, "vkQueueSubmit", "$%d 1 &%u 0", VK_SLOT_QUEUE, info);
    vk_scene_call(scene, "vkDeviceWaitIdle", "$%d", VK_SLOT_DEVICE);
}

void vk_scene_post_mapped(struct vk_scene *scene)
{
    build_typed(&scene->build, GAPIR_LOAD_V, GAPIR_ABSOLUTE_POINTER, VK_SLOT_MAPPED);
    build_push(&scene->build, GAPIR_UINT32, VK_SCENE_BYTES);
    build_op(&scene->build, GAPIR_POST, 0);
}

void vk_scene_map(struct vk_scene *scene)
{
    vk_scene_call(scene, "vkMapMemory", "$%d $%d 0 %d 0 &%d", VK_SLOT_DEVICE, VK_SLOT_BUFFER_MEMORY,
                  VK_SCENE_BYTES, VK_SLOT_MAPPED);
}

void vk_scene_store(struct vk_scene *scene, unsigned offset, uint32_t value)
{
    build_push(&scene->build, GAPIR_UINT32, value);
    build_typed(&scene->build, GAPIR_LOAD_V, GAPIR_ABSOLUTE_POINTER, VK_SLOT_MAPPED);
    build_push(&scene->build, GAPIR_ABSOLUTE_POINTER, offset);
    build_op(&scene->build, GAPIR_ADD, 2);
    build_op(&scene->build, GAPIR_STORE, 0);
}

void vk_scene_read_back(struct vk_scene *scene, unsigned from)
{
    uint32_t region = vk_scene_put(
        scene, "VkBufferImageCopy",
        "imageSubresource.aspectMask=1 imageSubresource.layerCount=1 imageExtent.width=%d "
        "imageExtent.height=%d imageExtent.depth=1",
        VK_SCENE_WIDTH, VK_SCENE_HEIGHT);

    vk_scene_layout(scene, from, LAYOUT_SOURCE);
    vk_scene_call(scene, "vkCmdCopyImageToBuffer", "$%d $%d %d $%d 1 &%u", VK_SLOT_COMMANDS,
                  VK_SLOT_IMAGE, LAYOUT_SOURCE, VK_SLOT_BUFFER, region);
    submit(scene);
}

void vk_scene_post(struct vk_scene *scene, unsigned from)
{
    uint32_t range =
        vk_scene_put(scene, "VkMappedMemoryRange", "memory=$%d size=-1", VK_SLOT_BUFFER_MEMORY);

    vk_scene_read_back(scene, from);
    vk_scene_map(scene);
    vk_scene_call(scene, "vkInvalidateMappedMemoryRanges", "$%d 1 &%u", VK_SLOT_DEVICE, range);
    vk_scene_post_mapped(scene);
    vk_scene_call(scene, "vkUnmapMemory", "$%d $%d", VK_SLOT_DEVICE, VK_SLOT_BUFFER_MEMORY);
    build_op(&scene->build, GAPIR_LABEL, ++scene->label);
}

char *vk_scene_write(struct vk_scene *scene)
{
    char *folder = support_folder();

    build_end(&scene->build);
    assert_int_equal(build_write(&scene->build, folder), 0);
    build_clear(&scene->build);
    return folder;
}

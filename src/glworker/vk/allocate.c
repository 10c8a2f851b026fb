/* SPDX-License-Identifier: MIT */
/*
 * Device memory, of which there is only one type here. Bindings are checked for room, since objects
 * may need more memory than on the recorded device.
 */
#include "config.h"

#include "glworker/vk/allocate.h"

#include "glworker/vk/device_memory.h"
#include "glworker/vk/memory.h"
#include "glworker/vk/objects.h"
#include "glworker/vk/swapchain.h"

#include <string.h>

#define ALLOCATED_MAX (UINT64_C(1) << 30)

static uint32_t memory_type(void)
{
    return vk_handle_type("vkFreeMemory", 1);
}

static bool fits(struct vk_session *session, uint64_t size)
{
    return size <= ALLOCATED_MAX - session->allocated ||
           vk_note(session,
                   "it allocates %llu bytes of device memory, and all memory may have %llu bytes",
                   (unsigned long long)size, (unsigned long long)ALLOCATED_MAX);
}

static bool is_free(struct vk_session *session, uint64_t name)
{
    const struct vk_object *object = vk_object_find(session, name);

    return object == NULL || object->type != memory_type() ||
           vk_note(session, "there is already memory of that name");
}

bool vk_check_allocation(struct vk_session *session, struct vk_call *call)
{
    VkMemoryAllocateInfo *info = (VkMemoryAllocateInfo *)(uintptr_t)call->values[1];

    if (info == NULL || call->values[0] == 0 || call->made[3].count == 0)
        return vk_note(session, "there is nothing to allocate");
    /* Imported memory does not exist here, and exported memory would go nowhere. */
    info->pNext = NULL;
    info->memoryTypeIndex = 0;
    return is_free(session, call->made[3].names[0]) && fits(session, info->allocationSize);
}

/*
 * Counts allocated memory as that of object `name`; frees memory that could not be registered under
 * its name.
 */
static void note_size(struct vk_session *session, uint64_t name, uint64_t handle, uint64_t size)
{
    struct vk_object *object = vk_object_find(session, name);

    session->allocated += size;
    if (object != NULL && object->type == memory_type() && object->handle == handle)
        object->size = size;
    else
        vk_memory_release(session, session->device, (VkDeviceMemory)handle, size);
}

void vk_after_allocation(struct vk_session *session, struct vk_call *call)
{
    const VkMemoryAllocateInfo *info = (const VkMemoryAllocateInfo *)(uintptr_t)call->values[1];
    const uint64_t *handle = (const uint64_t *)(uintptr_t)call->values[3];

    note_size(session, call->made[3].names[0], *handle, info->allocationSize);
}

bool vk_memory_allocate(struct vk_session *session, VkDevice device, uint64_t size,
                        VkDeviceMemory *memory)
{
    PFN_vkAllocateMemory allocate = (PFN_vkAllocateMemory)vk_function(session, "vkAllocateMemory");
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = size};

    if (allocate == NULL || !fits(session, size) ||
        !vk_succeeded(session, "vkAllocateMemory", allocate(device, &info, NULL, memory)))
        return false;
    session->allocated += size;
    return true;
}

void vk_memory_release(struct vk_session *session, VkDevice device, VkDeviceMemory memory,
                       uint64_t size)
{
    PFN_vkFreeMemory release = (PFN_vkFreeMemory)vk_function(session, "vkFreeMemory");

    if (release != NULL)
        release(device, memory, NULL);
    session->allocated -= size;
}

/* replayAllocateImageMemory(device, pPhysicalDeviceMemoryProperties, image, pMemory) */
void vk_allocate_for_image(struct vk_session *session, const uint64_t *arguments)
{
    PFN_vkGetImageMemoryRequirements ask =
        (PFN_vkGetImageMemoryRequirements)vk_function(session, "vkGetImageMemoryRequirements");
    const uint8_t *place = vk_memory_at(session, arguments[3], 8);
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    struct vk_object *object;
    uint64_t device, image, name;

    if (ask == NULL || place == NULL ||
        !vk_object_handle(session, vk_handle_type("vkDestroyDevice", 0), arguments[0], &device) ||
        !vk_object_handle(session, vk_handle_type("vkDestroyImage", 1), arguments[2], &image) ||
        device == 0 || image == 0) {
        vk_note(session, "there is no such image");
        return;
    }
    ask((VkDevice)(uintptr_t)device, (VkImage)image, &needs);
    memcpy(&name, place, sizeof(name));
    if (!is_free(session, name) ||
        !vk_memory_allocate(session, (VkDevice)(uintptr_t)device, needs.size, &memory))
        return;
    object = vk_object_put(session, name, (uint64_t)memory, memory_type());
    if (object != NULL)
        object->size = needs.size;
    else
        vk_memory_release(session, (VkDevice)(uintptr_t)device, memory, needs.size);
}

/*
 * Returns whether device memory, by the driver's handle, has room at `offset` for what an object
 * needs. Otherwise adds a note.
 */
static bool has_room(struct vk_session *session, const VkMemoryRequirements *needs, uint64_t memory,
                     uint64_t offset)
{
    for (uint32_t n = 0; n < session->object_count; n++) {
        const struct vk_object *object = &session->objects[n];

        if (object->type != memory_type() || object->handle != memory)
            continue;
        if (needs->size <= object->size && offset <= object->size - needs->size)
            return true;
        return vk_note(session, "%llu bytes at offset %llu do not fit into memory of %llu bytes",
                       (unsigned long long)needs->size, (unsigned long long)offset,
                       (unsigned long long)object->size);
    }
    return vk_note(session, "there is no such memory");
}

static bool buffer_fits(struct vk_session *session, uint64_t device, uint64_t buffer,
                        uint64_t memory, uint64_t offset)
{
    PFN_vkGetBufferMemoryRequirements ask =
        (PFN_vkGetBufferMemoryRequirements)vk_function(session, "vkGetBufferMemoryRequirements");
    VkMemoryRequirements needs;

    if (ask == NULL || device == 0 || buffer == 0)
        return vk_note(session, "there is nothing to bind");
    ask((VkDevice)(uintptr_t)device, (VkBuffer)buffer, &needs);
    return has_room(session, &needs, memory, offset);
}

static bool image_fits(struct vk_session *session, uint64_t device, uint64_t image, uint64_t memory,
                       uint64_t offset)
{
    PFN_vkGetImageMemoryRequirements ask =
        (PFN_vkGetImageMemoryRequirements)vk_function(session, "vkGetImageMemoryRequirements");
    VkMemoryRequirements needs;

    if (ask == NULL || device == 0 || image == 0)
        return vk_note(session, "there is nothing to bind");
    if (vk_is_presentable(session, (VkImage)image))
        return vk_note(session, "images of swapchains have memory already");
    ask((VkDevice)(uintptr_t)device, (VkImage)image, &needs);
    return has_room(session, &needs, memory, offset);
}

bool vk_check_buffer_memory(struct vk_session *session, struct vk_call *call)
{
    return buffer_fits(session, call->values[0], call->values[1], call->values[2], call->values[3]);
}

bool vk_check_image_memory(struct vk_session *session, struct vk_call *call)
{
    return image_fits(session, call->values[0], call->values[1], call->values[2], call->values[3]);
}

bool vk_check_buffer_memories(struct vk_session *session, struct vk_call *call)
{
    VkBindBufferMemoryInfo *infos = (VkBindBufferMemoryInfo *)(uintptr_t)call->values[2];

    for (uint32_t n = 0; infos != NULL && n < (uint32_t)call->values[1]; n++) {
        infos[n].pNext = NULL;
        if (!buffer_fits(session, call->values[0], (uint64_t)infos[n].buffer,
                         (uint64_t)infos[n].memory, infos[n].memoryOffset))
            return false;
    }
    return infos != NULL || vk_note(session, "there is nothing to bind");
}

bool vk_check_image_memories(struct vk_session *session, struct vk_call *call)
{
    VkBindImageMemoryInfo *infos = (VkBindImageMemoryInfo *)(uintptr_t)call->values[2];

    for (uint32_t n = 0; infos != NULL && n < (uint32_t)call->values[1]; n++) {
        infos[n].pNext = NULL;
        if (!image_fits(session, call->values[0], (uint64_t)infos[n].image,
                        (uint64_t)infos[n].memory, infos[n].memoryOffset))
            return false;
    }
    return infos != NULL || vk_note(session, "there is nothing to bind");
}

/*
 * vkMapMemory(device, memory, offset, size, flags, ppData): maps at the address that the replay has
 * at ppData.
 */
void vk_map(struct vk_session *session, const uint64_t *arguments)
{
    PFN_vkMapMemory map = (PFN_vkMapMemory)vk_function(session, "vkMapMemory");
    const struct vk_object *memory = vk_object_find(session, arguments[1]);
    const uint8_t *place = vk_memory_at(session, arguments[5], 8);
    struct vk_window window = {.memory = arguments[1]};
    uint64_t device, offset = arguments[2];
    void *data = NULL;

    if (map == NULL || memory == NULL || memory->type != memory_type() || place == NULL ||
        offset > memory->size ||
        !vk_object_handle(session, vk_handle_type("vkDestroyDevice", 0), arguments[0], &device) ||
        device == 0) {
        vk_note(session, "there is no such memory");
        return;
    }
    memcpy(&window.address, place, sizeof(window.address));
    window.size = memory->size - offset;
    if (arguments[3] < window.size)
        window.size = arguments[3];
    if (!vk_succeeded(session, "vkMapMemory",
                      map((VkDevice)(uintptr_t)device, (VkDeviceMemory)memory->handle, offset,
                          window.size, 0, &data)))
        return;
    window.bytes = data;
    if (data != NULL)
        (void)vk_memory_map(session, &window);
}

bool vk_check_unmap(struct vk_session *session, struct vk_call *call)
{
    vk_memory_unmap(session, call->given[1]);
    return true;
}

bool vk_check_free(struct vk_session *session, struct vk_call *call)
{
    const struct vk_object *memory = vk_object_find(session, call->given[1]);

    vk_memory_unmap(session, call->given[1]);
    if (memory != NULL)
        session->allocated -= memory->size;
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Instances and devices: as many as the replay creates, within limits. Each instance has one
 * physical device and each device one queue, whatever was recorded.
 */
#include "config.h"

#include "glworker/vk/device.h"

#include "glworker/vk/device_memory.h"
#include "glworker/vk/memory.h"
#include "glworker/vk/objects.h"
#include "glworker/vk/swapchain.h"
#include "glworker/vk/wait.h"

#include <string.h>

enum { EXTENSIONS_MAX = 512 };

/* Keeps only the names that the driver offers, and returns their number. */
static uint32_t keep_offered(const VkExtensionProperties *offered, uint32_t offered_count,
                             const char **names, uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t n = 0; n < count; n++)
        for (uint32_t i = 0; i < offered_count; i++)
            if (strcmp(names[n], offered[i].extensionName) == 0) {
                names[kept++] = names[n];
                break;
            }
    return kept;
}

bool vk_check_instance(struct vk_session *session, struct vk_call *call)
{
    VkInstanceCreateInfo *info = (VkInstanceCreateInfo *)(uintptr_t)call->values[0];
    PFN_vkEnumerateInstanceExtensionProperties enumerate =
        (PFN_vkEnumerateInstanceExtensionProperties)vulkan_function(
            NULL, "vkEnumerateInstanceExtensionProperties");
    VkExtensionProperties *offered = vk_scratch(session, EXTENSIONS_MAX * sizeof(*offered));
    uint32_t count = EXTENSIONS_MAX;

    if (info == NULL || enumerate == NULL || offered == NULL ||
        enumerate(NULL, &count, offered) < 0)
        return vk_note(session, "there is nothing to create");
    if (session->instance_count == VK_INSTANCES_MAX)
        return vk_note(session, "there are too many instances");
    info->pNext = NULL; /* callbacks */
    info->flags = 0;
    info->enabledLayerCount = 0;
    info->enabledExtensionCount =
        info->ppEnabledExtensionNames != NULL
            ? keep_offered(offered, count, (const char **)(uintptr_t)info->ppEnabledExtensionNames,
                           info->enabledExtensionCount)
            : 0;
    return true;
}

void vk_after_instance(struct vk_session *session, struct vk_call *call)
{
    struct vk_instance *made = &session->instances[session->instance_count++];
    PFN_vkEnumeratePhysicalDevices enumerate;
    uint32_t count = 1;

    memcpy(&made->instance, (const void *)(uintptr_t)call->values[2], sizeof(VkInstance));
    enumerate = (PFN_vkEnumeratePhysicalDevices)vk_function(session, "vkEnumeratePhysicalDevices");
    if (enumerate == NULL || enumerate(made->instance, &count, &made->physical) < 0 || count == 0)
        made->physical = VK_NULL_HANDLE;
}

/* Returns the physical device of an instance by the replay's handle; NULL if there is none. */
static VkPhysicalDevice physical_of(const struct vk_session *session, uint64_t name)
{
    uint64_t handle;

    if (!vk_object_handle(session, vk_handle_type("vkDestroyInstance", 0), name, &handle))
        return VK_NULL_HANDLE;
    for (uint32_t n = 0; n < session->instance_count; n++)
        if (session->instances[n].instance == (VkInstance)(uintptr_t)handle)
            return session->instances[n].physical;
    return VK_NULL_HANDLE;
}

/* (instance, pCount, pDevices …): all devices are the only one that there is. */
void vk_enumerate_devices(struct vk_session *session, const uint64_t *arguments)
{
    const uint8_t *count = vk_memory_at(session, arguments[1], 4);
    const VkPhysicalDevice physical = physical_of(session, arguments[0]);
    uint32_t type = vk_handle_type("vkCreateDevice", 0), devices = 0;
    uint64_t name;

    if (arguments[2] == 0)
        return;
    if (physical == VK_NULL_HANDLE || count == NULL) {
        vk_note(session, "there is no device");
        return;
    }
    memcpy(&devices, count, sizeof(devices));
    for (uint32_t n = 0; n < devices && n < EXTENSIONS_MAX; n++) {
        const uint8_t *place = vk_memory_at(session, arguments[2] + (uint64_t)n * 8, 8);

        if (place == NULL)
            return;
        memcpy(&name, place, sizeof(name));
        (void)vk_object_put(session, name, (uintptr_t)physical, type);
    }
}

/* Removes the features that the driver does not have from the requested ones. */
static void mask_features(struct vk_session *session, VkPhysicalDevice physical,
                          VkPhysicalDeviceFeatures *wanted)
{
    PFN_vkGetPhysicalDeviceFeatures get =
        (PFN_vkGetPhysicalDeviceFeatures)vk_function(session, "vkGetPhysicalDeviceFeatures");
    VkPhysicalDeviceFeatures there = {0};
    VkBool32 *asked = (VkBool32 *)wanted;
    const VkBool32 *has = (const VkBool32 *)&there;

    if (get != NULL)
        get(physical, &there);
    for (size_t n = 0; n < sizeof(there) / sizeof(*has); n++)
        asked[n] = asked[n] && has[n];
}

bool vk_check_device(struct vk_session *session, struct vk_call *call)
{
    static const float priority = 1;
    VkDeviceCreateInfo *info = (VkDeviceCreateInfo *)(uintptr_t)call->values[1];
    PFN_vkEnumerateDeviceExtensionProperties enumerate =
        (PFN_vkEnumerateDeviceExtensionProperties)vk_function(
            session, "vkEnumerateDeviceExtensionProperties");
    VkExtensionProperties *offered = vk_scratch(session, EXTENSIONS_MAX * sizeof(*offered));
    VkDeviceQueueCreateInfo *queue = vk_scratch(session, sizeof(*queue));
    uint32_t count = EXTENSIONS_MAX;

    if (info == NULL || enumerate == NULL || offered == NULL || queue == NULL ||
        call->values[0] == 0 ||
        enumerate((VkPhysicalDevice)(uintptr_t)call->values[0], NULL, &count, offered) < 0)
        return vk_note(session, "there is nothing to create");
    if (session->device_count == VK_DEVICES_MAX)
        return vk_note(session, "there are too many devices");
    *queue = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                       .queueCount = 1,
                                       .pQueuePriorities = &priority};
    info->pNext = NULL;
    info->flags = 0;
    info->queueCreateInfoCount = 1;
    info->pQueueCreateInfos = queue;
    info->enabledLayerCount = 0;
    info->enabledExtensionCount =
        info->ppEnabledExtensionNames != NULL
            ? keep_offered(offered, count, (const char **)(uintptr_t)info->ppEnabledExtensionNames,
                           info->enabledExtensionCount)
            : 0;
    if (info->pEnabledFeatures != NULL)
        mask_features(session, (VkPhysicalDevice)(uintptr_t)call->values[0],
                      (VkPhysicalDeviceFeatures *)(uintptr_t)info->pEnabledFeatures);
    return true;
}

void vk_after_device(struct vk_session *session, struct vk_call *call)
{
    VkDevice *device = &session->devices[session->device_count++];
    struct vk_object *object = vk_object_find(session, call->made[3].names[0]);

    memcpy(device, (const void *)(uintptr_t)call->values[3], sizeof(*device));
    if (object != NULL && object->handle == (uintptr_t)*device)
        object->device = *device; /* it belongs to itself */
}

/* Replaces every queue with the only one that there is. */
bool vk_check_queue(struct vk_session *session, struct vk_call *call)
{
    (void)session;
    call->values[1] = call->values[2] = 0;
    return call->values[0] != 0 || vk_note(session, "there is no device");
}

/* As vk_check_queue(), for the queue in a structure. */
bool vk_check_queue_info(struct vk_session *session, struct vk_call *call)
{
    VkDeviceQueueInfo2 *info = (VkDeviceQueueInfo2 *)(uintptr_t)call->values[1];

    if (info == NULL || call->values[0] == 0 || call->values[2] == 0)
        return vk_note(session, "there is no device");
    info->pNext = NULL;
    info->flags = 0;
    info->queueFamilyIndex = info->queueIndex = 0;
    return true;
}

bool vk_check_pool(struct vk_session *session, struct vk_call *call)
{
    VkCommandPoolCreateInfo *info = (VkCommandPoolCreateInfo *)(uintptr_t)call->values[1];

    if (info == NULL || call->values[0] == 0)
        return vk_note(session, "there is nothing to create");
    info->queueFamilyIndex = 0;
    return true;
}

bool vk_device_wait(struct vk_session *session, VkDevice device)
{
    PFN_vkDeviceWaitIdle idle = (PFN_vkDeviceWaitIdle)vk_function(session, "vkDeviceWaitIdle");

    return idle != NULL && vk_succeeded(session, "vkDeviceWaitIdle", idle(device));
}

bool vk_devices_wait(struct vk_session *session)
{
    bool all = true;

    for (uint32_t n = 0; n < session->device_count; n++)
        all = vk_device_wait(session, session->devices[n]) && all;
    return all;
}

/* Removes the objects of a device; its memory is unmapped and freed. */
static void forget_objects(struct vk_session *session, VkDevice device)
{
    uint32_t type = vk_handle_type("vkFreeMemory", 1), kept = 0;

    for (uint32_t n = 0; n < session->object_count; n++) {
        const struct vk_object *object = &session->objects[n];

        if (object->device != device) {
            session->objects[kept++] = *object;
            continue;
        }
        if (object->type != type)
            continue;
        vk_memory_unmap(session, object->name);
        vk_memory_release(session, device, (VkDeviceMemory)object->handle, object->size);
    }
    session->object_count = kept;
}

/* Destroys swapchains and memory, and then the device with everything else that it has. */
static void end_device(struct vk_session *session, VkDevice device)
{
    PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)vk_function(session, "vkDestroyDevice");

    if (!vk_device_wait(session, device))
        return; /* a lost device is not destroyed */
    vk_swapchains_end(session, device);
    forget_objects(session, device);
    if (destroy != NULL)
        destroy(device, NULL);
}

/* vkDestroyDevice(device, pAllocator) */
void vk_destroy_device(struct vk_session *session, const uint64_t *arguments)
{
    uint64_t handle;

    if (!vk_object_handle(session, vk_handle_type("vkDestroyDevice", 0), arguments[0], &handle)) {
        vk_note(session, "there is no such device");
        return;
    }
    for (uint32_t n = 0; n < session->device_count; n++)
        if ((uintptr_t)session->devices[n] == handle) {
            session->devices[n] = session->devices[--session->device_count];
            end_device(session, (VkDevice)(uintptr_t)handle);
            return;
        }
}

void vk_devices_end(struct vk_session *session)
{
    PFN_vkDestroyInstance destroy;

    while (session->device_count > 0)
        end_device(session, session->devices[--session->device_count]);
    for (; session->instance_count > 0; session->instance_count--) {
        destroy = (PFN_vkDestroyInstance)vk_function(session, "vkDestroyInstance");
        if (destroy != NULL)
            destroy(session->instances[session->instance_count - 1].instance, NULL);
    }
}

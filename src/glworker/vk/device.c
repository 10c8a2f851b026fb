/* SPDX-License-Identifier: MIT */
/* Instances and devices: there is one of each kind here, whatever the replay asks for. */
#include "config.h"

#include "glworker/vk/vk.h"

#include <string.h>

enum { EXTENSIONS_MAX = 512 };

/* Names that the driver offers stay; how many. */
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
    if (session->instance != VK_NULL_HANDLE)
        return vk_note(session, "there is an instance already");
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
    PFN_vkEnumeratePhysicalDevices enumerate;
    uint32_t count = 1;

    memcpy(&session->instance, (const void *)(uintptr_t)call->values[2], sizeof(VkInstance));
    enumerate = (PFN_vkEnumeratePhysicalDevices)vk_function(session, "vkEnumeratePhysicalDevices");
    if (enumerate == NULL || enumerate(session->instance, &count, &session->physical) < 0 ||
        count == 0)
        session->physical = VK_NULL_HANDLE;
}

/* (instance, pCount, pDevices …): all devices are the one that there is. */
void vk_enumerate_devices(struct vk_session *session, const uint64_t *arguments)
{
    const uint8_t *count = vk_memory_at(session, arguments[1], 4);
    uint32_t type = vk_handle_type("vkCreateDevice", 0), devices = 0;
    uint64_t name;

    if (arguments[2] == 0)
        return;
    if (session->physical == VK_NULL_HANDLE || count == NULL) {
        vk_note(session, "there is no device");
        return;
    }
    memcpy(&devices, count, sizeof(devices));
    for (uint32_t n = 0; n < devices && n < EXTENSIONS_MAX; n++) {
        const uint8_t *place = vk_memory_at(session, arguments[2] + (uint64_t)n * 8, 8);

        if (place == NULL)
            return;
        memcpy(&name, place, sizeof(name));
        (void)vk_object_put(session, name, (uintptr_t)session->physical, type);
    }
}

/* Features that the driver has not are not asked for. */
static void mask_features(struct vk_session *session, VkPhysicalDeviceFeatures *wanted)
{
    PFN_vkGetPhysicalDeviceFeatures get =
        (PFN_vkGetPhysicalDeviceFeatures)vk_function(session, "vkGetPhysicalDeviceFeatures");
    VkPhysicalDeviceFeatures there = {0};
    VkBool32 *asked = (VkBool32 *)wanted;
    const VkBool32 *has = (const VkBool32 *)&there;

    if (get != NULL)
        get(session->physical, &there);
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
    if (session->device != VK_NULL_HANDLE)
        return vk_note(session, "there is a device already");
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
        mask_features(session, (VkPhysicalDeviceFeatures *)(uintptr_t)info->pEnabledFeatures);
    return true;
}

void vk_after_device(struct vk_session *session, struct vk_call *call)
{
    memcpy(&session->device, (const void *)(uintptr_t)call->values[3], sizeof(VkDevice));
}

/* All queues are the one that there is. */
bool vk_check_queue(struct vk_session *session, struct vk_call *call)
{
    (void)session;
    call->values[1] = call->values[2] = 0;
    return call->values[0] != 0 || vk_note(session, "there is no device");
}

/* The same by a structure. */
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

bool vk_device_wait(struct vk_session *session)
{
    PFN_vkDeviceWaitIdle idle =
        (PFN_vkDeviceWaitIdle)vulkan_function(session->instance, "vkDeviceWaitIdle");

    if (session->device == VK_NULL_HANDLE)
        return true;
    return idle != NULL && vk_succeeded(session, "vkDeviceWaitIdle", idle(session->device));
}

static void free_memory(const struct vk_session *session)
{
    PFN_vkFreeMemory release = (PFN_vkFreeMemory)vulkan_function(session->instance, "vkFreeMemory");
    uint32_t type = vk_handle_type("vkFreeMemory", 1);

    for (uint32_t n = 0; release != NULL && n < session->object_count; n++)
        if (session->objects[n].type == type)
            release(session->device, (VkDeviceMemory)session->objects[n].handle, NULL);
}

/* What is large goes by itself, then the device, with what else it has, and the instance. */
void vk_device_end(struct vk_session *session)
{
    PFN_vkDestroyDevice end_device =
        (PFN_vkDestroyDevice)vulkan_function(session->instance, "vkDestroyDevice");
    PFN_vkDestroyInstance end_instance =
        (PFN_vkDestroyInstance)vulkan_function(session->instance, "vkDestroyInstance");

    if (!vk_device_wait(session))
        return; /* it is lost, and stays as it is */
    if (session->device != VK_NULL_HANDLE) {
        free_memory(session);
        if (end_device != NULL)
            end_device(session->device, NULL);
    }
    if (session->instance != VK_NULL_HANDLE && end_instance != NULL)
        end_instance(session->instance, NULL);
    session->device = VK_NULL_HANDLE;
    session->instance = VK_NULL_HANDLE;
}

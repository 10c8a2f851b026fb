/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/core/vulkan.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

#define LIBRARY "libvulkan_lvp.so"

enum {
    INTERFACE_VERSION = 5
}; /* of loaders and drivers: the first with vk_icdGetInstanceProcAddr */

typedef VkResult negotiate_function(uint32_t *version);

static PFN_vkGetInstanceProcAddr get_function;

bool vulkan_is_loaded(void)
{
    return get_function != NULL;
}

PFN_vkVoidFunction vulkan_function(VkInstance instance, const char *name)
{
    return get_function != NULL ? get_function(instance, name) : NULL;
}

static int refuse(char reason[WORKER_REASON], const char *what)
{
    get_function = NULL;
    snprintf(reason, WORKER_REASON, "no Vulkan: %s", what);
    return -ENODEV;
}

static VkPhysicalDevice first_device(VkInstance instance)
{
    PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)vulkan_function(instance, "vkEnumeratePhysicalDevices");
    VkPhysicalDevice device = VK_NULL_HANDLE;
    uint32_t count = 1;

    if (enumerate == NULL || enumerate(instance, &count, &device) < 0 || count == 0)
        return VK_NULL_HANDLE;
    return device;
}

/* Creates a device and destroys it, so that the driver loads now whatever it loads lazily. */
static bool try_device(VkInstance instance, VkPhysicalDevice physical)
{
    static const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)vulkan_function(instance, "vkCreateDevice");
    PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)vulkan_function(instance, "vkDestroyDevice");
    VkDevice device;

    if (create == NULL || destroy == NULL || create(physical, &info, NULL, &device) < 0)
        return false;
    destroy(device, NULL);
    return true;
}

static bool try_instance(void)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)vulkan_function(NULL, "vkCreateInstance");
    PFN_vkDestroyInstance destroy;
    VkPhysicalDevice physical;
    VkInstance instance;
    bool made;

    if (create == NULL || create(&info, NULL, &instance) < 0)
        return false;
    destroy = (PFN_vkDestroyInstance)vulkan_function(instance, "vkDestroyInstance");
    physical = first_device(instance);
    made = physical != VK_NULL_HANDLE && try_device(instance, physical);
    if (destroy != NULL)
        destroy(instance, NULL);
    return made;
}

int vulkan_load(char reason[WORKER_REASON])
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    negotiate_function *negotiate;
    uint32_t version = INTERFACE_VERSION;

    if (library == NULL)
        return refuse(reason, "there is no " LIBRARY " (Debian: mesa-vulkan-drivers)");
    negotiate = (negotiate_function *)dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion");
    get_function = (PFN_vkGetInstanceProcAddr)dlsym(library, "vk_icdGetInstanceProcAddr");
    if (negotiate == NULL || get_function == NULL || negotiate(&version) != VK_SUCCESS)
        return refuse(reason, LIBRARY " is not a known driver");
    return try_instance() ? 0 : refuse(reason, LIBRARY " cannot create a device");
}

/* SPDX-License-Identifier: MIT */
/* Functions that are not called as the registry's tables say. */
#include "config.h"

#include "glworker/vk/rules.h"

#include "glworker/vk/allocate.h"
#include "glworker/vk/device.h"
#include "glworker/vk/memory.h"
#include "glworker/vk/objects.h"
#include "glworker/vk/swapchain.h"
#include "glworker/vk/wait.h"

#include <string.h>

/* In nanoseconds; a fence that is not signalled by then never will be. */
#define FENCE_TIME UINT64_C(2000000000)

static void leave_out(struct vk_session *session, const uint64_t *arguments)
{
    (void)session, (void)arguments;
}

/*
 * vkUpdateDescriptorSetWithTemplate: the length of the data is known only from the template, which
 * is the driver's.
 */
static void tell_templates(struct vk_session *session, const uint64_t *arguments)
{
    (void)arguments;
    vk_note(session, "the size of what pData points to is unknown");
}

/*
 * vkImport…: a file descriptor number of the dump would be one of this process's own descriptors.
 */
static void tell_imports(struct vk_session *session, const uint64_t *arguments)
{
    (void)arguments;
    vk_note(session, "it imports an object of another process");
}

static void tell_groups(struct vk_session *session, const uint64_t *arguments)
{
    if (arguments[2] != 0)
        vk_note(session, "device groups are not supported");
}

/* vkWaitForFences: limits the time, since the wait succeeded when it was recorded. */
static bool check_wait(struct vk_session *session, struct vk_call *call)
{
    (void)session;
    if (call->values[4] > FENCE_TIME)
        call->values[4] = FENCE_TIME;
    return true;
}

/* After a timeout, waits for the devices, so that the work is not half done. */
static void settle(struct vk_session *session, VkResult result, uint64_t time)
{
    if (result != VK_TIMEOUT)
        return;
    if (time >= FENCE_TIME)
        vk_note(session, "its fences were not signalled within two seconds: the device's work is "
                         "waited for instead");
    vk_devices_wait(session);
}

static void after_wait(struct vk_session *session, struct vk_call *call)
{
    settle(session, call->result, call->values[4]);
}

/*
 * vkQueueSubmit: waits for the work, so that this call is blamed for what its shaders do to the
 * driver's threads. The wait is limited: the submitted work may wait for an event that the replay
 * sets later.
 */
static void after_submit(struct vk_session *session, struct vk_call *call)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    PFN_vkCreateFence create = (PFN_vkCreateFence)vk_function(session, "vkCreateFence");
    PFN_vkDestroyFence destroy = (PFN_vkDestroyFence)vk_function(session, "vkDestroyFence");
    PFN_vkQueueSubmit submit = (PFN_vkQueueSubmit)vk_function(session, "vkQueueSubmit");
    PFN_vkWaitForFences wait = (PFN_vkWaitForFences)vk_function(session, "vkWaitForFences");
    VkFence fence;

    session->submitted = session->number;
    if (create == NULL || destroy == NULL || submit == NULL || wait == NULL ||
        !vk_succeeded(session, "vkCreateFence", create(session->device, &info, NULL, &fence)))
        return;
    if (vk_succeeded(session, "vkQueueSubmit",
                     submit((VkQueue)(uintptr_t)call->values[0], 0, NULL, fence)) &&
        wait(session->device, 1, &fence, VK_TRUE, FENCE_TIME) == VK_TIMEOUT)
        vk_note(session, "the submitted work did not finish within two seconds");
    else
        destroy(session->device, fence, NULL); /* after a timeout the device still uses it */
}

static void wait_for(struct vk_session *session, uint64_t device, uint32_t count, uint64_t fences,
                     bool all)
{
    PFN_vkWaitForFences wait = (PFN_vkWaitForFences)vk_function(session, "vkWaitForFences");
    const uint8_t *names = vk_memory_at(session, fences, (uint64_t)count * 8);
    VkFence *handles = names != NULL ? vk_scratch(session, (uint64_t)count * 8) : NULL;
    uint64_t handle, fence, name;
    VkResult result;

    if (wait == NULL || handles == NULL || count == 0)
        return;
    if (!vk_object_handle(session, vk_handle_type("vkDestroyDevice", 0), device, &handle) ||
        handle == 0) {
        vk_note(session, "device is not a known object");
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        memcpy(&name, names + (size_t)n * 8, sizeof(name));
        if (!vk_object_handle(session, vk_handle_type("vkDestroyFence", 1), name, &fence) ||
            fence == 0) {
            vk_note(session, "there is no such fence");
            return;
        }
        handles[n] = (VkFence)fence;
    }
    result = wait((VkDevice)(uintptr_t)handle, count, handles, all, FENCE_TIME);
    (void)vk_succeeded(session, "vkWaitForFences", result);
    settle(session, result, FENCE_TIME);
}

/* replayWaitForFences(device, count, pFences, pExpected, waitAll, timeout) */
static void wait_for_fences(struct vk_session *session, const uint64_t *arguments)
{
    wait_for(session, arguments[0], (uint32_t)arguments[1], arguments[2],
             (uint32_t)arguments[4] != 0);
}

/* The first match counts. */
static const struct vk_rule rules[] = {
    {.name = "replayCreateVkInstance",
     .count = 3,
     .check = vk_check_instance,
     .after = vk_after_instance,
     .as = "vkCreateInstance"},
    {.name = "vkCreateInstance",
     .count = 3,
     .check = vk_check_instance,
     .after = vk_after_instance},
    {.name = "replayDestroyVkInstance", .raw = leave_out},
    {.name = "vkDestroyInstance", .raw = leave_out},
    {.name = "vkDestroyDevice", .count = 2, .raw = vk_destroy_device},
    {.name = "replayRegisterVk*", .raw = leave_out},
    {.name = "replayUnregisterVk*", .raw = leave_out},
    {.name = "replayEnumeratePhysicalDevices", .count = 3, .raw = vk_enumerate_devices},
    {.name = "vkEnumeratePhysicalDevices", .count = 3, .raw = vk_enumerate_devices},
    {.name = "vkEnumeratePhysicalDeviceGroups*", .count = 3, .raw = tell_groups},
    {.name = "vkEnumerate*", .raw = leave_out},
    {.name = "ReplayCreateVkDevice",
     .count = 4,
     .check = vk_check_device,
     .after = vk_after_device,
     .as = "vkCreateDevice"},
    {.name = "vkCreateDevice", .count = 4, .check = vk_check_device, .after = vk_after_device},
    {.name = "vkGetDeviceQueue", .count = 4, .check = vk_check_queue},
    {.name = "vkGetDeviceQueue2", .count = 3, .check = vk_check_queue_info},
    {.name = "vkCreateCommandPool", .count = 4, .check = vk_check_pool},
    {.name = "vkGetSwapchainImagesKHR", .count = 4, .raw = vk_give_images},
    {.name = "vkGet*", .raw = leave_out}, /* the replay has their recorded results */
    {.name = "vkAllocateMemory",
     .count = 4,
     .check = vk_check_allocation,
     .after = vk_after_allocation},
    {.name = "replayAllocateImageMemory", .count = 4, .raw = vk_allocate_for_image},
    {.name = "vkFreeMemory", .count = 3, .check = vk_check_free},
    {.name = "vkBindBufferMemory", .count = 4, .check = vk_check_buffer_memory},
    {.name = "vkBindImageMemory", .count = 4, .check = vk_check_image_memory},
    {.name = "vkBindBufferMemory2*", .count = 3, .check = vk_check_buffer_memories},
    {.name = "vkBindImageMemory2*", .count = 3, .check = vk_check_image_memories},
    {.name = "vkMapMemory", .count = 6, .raw = vk_map},
    {.name = "vkUnmapMemory", .count = 2, .check = vk_check_unmap},
    {.name = "vkFlushMappedMemoryRanges", .raw = leave_out}, /* the memory is coherent */
    {.name = "vkInvalidateMappedMemoryRanges", .raw = leave_out},
    {.name = "vkUpdateDescriptorSetWithTemplate*", .raw = tell_templates},
    {.name = "vkImport*", .raw = tell_imports},
    {.name = "vkWaitForFences", .count = 5, .check = check_wait, .after = after_wait},
    {.name = "vkQueueSubmit*", .count = 4, .after = after_submit},
    {.name = "replayWaitForFences", .count = 6, .raw = wait_for_fences},
    {.name = "replayGet*", .raw = leave_out},
    {.name = "toggleVirtualSwapchain*", .raw = leave_out},
    {.name = "ReplayCreateSwapchain", .count = 4, .raw = vk_create_swapchain},
    {.name = "vkCreateSwapchainKHR", .count = 4, .raw = vk_create_swapchain},
    {.name = "vkCreateSharedSwapchainsKHR", .count = 5, .raw = vk_create_swapchains},
    {.name = "vkAcquireNextImageKHR", .count = 6, .raw = vk_acquire_image},
    {.name = "vkAcquireNextImage2KHR", .count = 3, .raw = vk_acquire_image2},
    {.name = "vkQueuePresentKHR", .count = 2, .raw = vk_present},
    {.name = "vkDestroyImage", .count = 3, .check = vk_check_image_end},
    {.name = "vkCreateAndroidSurfaceKHR", .raw = leave_out}, /* swapchains need no surface */
    {.name = "vkCreateXcbSurfaceKHR", .raw = leave_out},
    {.name = "vkCreateXlibSurfaceKHR", .raw = leave_out},
    {.name = "vkCreateWaylandSurfaceKHR", .raw = leave_out},
    {.name = "vkCreateWin32SurfaceKHR", .raw = leave_out},
    {.name = "vkCreateMacOSSurfaceMVK", .raw = leave_out},
    {.name = "vkCreateStreamDescriptorSurfaceGGP", .raw = leave_out},
    {.name = "vkCreateHeadlessSurfaceEXT", .raw = leave_out},
    {.name = "vkDestroySurfaceKHR", .raw = leave_out},
    {.name = "vkDestroySwapchainKHR", .count = 3, .raw = vk_destroy_swapchain},
    {.name = "ReplayCreateVkDebugReportCallback", .raw = leave_out},
    {.name = "ReplayDestroyVkDebugReportCallback", .raw = leave_out},
    {.name = "vkCreateDebug*", .raw = leave_out},
    {.name = "vkDestroyDebug*", .raw = leave_out},
    {.name = "vkDebug*", .raw = leave_out},
    {.name = "vkSetDebug*", .raw = leave_out},
    {.name = "vkCmdDebug*", .raw = leave_out},
};

static bool matches(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);

    if (pattern[length - 1] == '*')
        return strncmp(pattern, name, length - 1) == 0;
    return strcmp(pattern, name) == 0;
}

const struct vk_rule *vk_rule_find(const char *name)
{
    for (size_t n = 0; n < sizeof(rules) / sizeof(rules[0]); n++)
        if (matches(rules[n].name, name))
            return &rules[n];
    return NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * Swapchains without a window system, like gapir's own virtual ones: the replay draws on images of
 * the worker. An image can be acquired at once, whichever one the recorded call returned. The image
 * that is presented is remembered, for a reader that requests it. Swapchains are not in the table
 * of objects, as the driver never gets their handles.
 */
#include "config.h"

#include "glworker/vk/swapchain.h"

#include "glworker/vk/device_memory.h"
#include "glworker/vk/memory.h"
#include "glworker/vk/objects.h"
#include "glworker/vk/wait.h"

#include <string.h>

/*
 * Copies the structure at an address of the replay. Returns false, with a note, if it is not there.
 */
static bool read_structure(struct vk_session *session, uint64_t address, void *structure,
                           size_t size)
{
    const uint8_t *bytes = vk_memory_at(session, address, size);

    if (bytes == NULL)
        return vk_note(session, "its structure points to memory that the replay does not have");
    memcpy(structure, bytes, size);
    return true;
}

/*
 * Returns the replay's address or number that is in a structure where the driver would have a
 * pointer.
 */
static uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static struct vk_swapchain *find(struct vk_session *session, uint64_t name)
{
    for (uint32_t n = 0; name != 0 && n < VK_SWAPCHAINS_MAX; n++)
        if (session->swapchains[n].name == name)
            return &session->swapchains[n];
    return NULL;
}

static struct vk_swapchain *find_or_tell(struct vk_session *session, uint64_t name)
{
    struct vk_swapchain *swapchain = find(session, name);

    if (swapchain == NULL)
        vk_note(session, "there is no such swapchain");
    return swapchain;
}

/* Creation. */

/* Describes an image of a swapchain. It is linear, since its rows are read from mapped memory. */
static VkImageCreateInfo image_info(const VkSwapchainCreateInfoKHR *info)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = info->imageFormat,
        .extent = {info->imageExtent.width, info->imageExtent.height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_LINEAR,
        .usage = info->imageUsage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
}

/*
 * Creates a swapchain. Adds a note instead if there are too many, if the name at `place` is 0 or in
 * use, or if its images have layers.
 */
static void create(struct vk_session *session, const VkSwapchainCreateInfoKHR *info, uint64_t place)
{
    struct vk_swapchain *swapchain = NULL;
    uint64_t name = 0;

    if (session->device == NULL || !read_structure(session, place, &name, sizeof(name)))
        return;
    for (uint32_t n = 0; n < VK_SWAPCHAINS_MAX && swapchain == NULL; n++)
        if (session->swapchains[n].name == 0)
            swapchain = &session->swapchains[n];
    if (swapchain == NULL || name == 0 || find(session, name) != NULL)
        vk_note(session, "there are too many swapchains, or there is already one of that name");
    else if (info->imageArrayLayers > 1)
        vk_note(session, "images of %u layers cannot be presented", info->imageArrayLayers);
    else
        *swapchain = (struct vk_swapchain){
            .name = name, .device = session->device, .info = image_info(info)};
}

/* vkCreateSwapchainKHR(device, pCreateInfo, pAllocator, pSwapchain), ReplayCreateSwapchain() */
void vk_create_swapchain(struct vk_session *session, const uint64_t *arguments)
{
    VkSwapchainCreateInfoKHR info;

    if (read_structure(session, arguments[1], &info, sizeof(info)))
        create(session, &info, arguments[3]);
}

/* vkCreateSharedSwapchainsKHR(device, count, pCreateInfos, pAllocator, pSwapchains) */
void vk_create_swapchains(struct vk_session *session, const uint64_t *arguments)
{
    VkSwapchainCreateInfoKHR info;

    for (uint32_t n = 0; n < (uint32_t)arguments[1] && n <= VK_SWAPCHAINS_MAX; n++)
        if (read_structure(session, arguments[2] + n * sizeof(info), &info, sizeof(info)))
            create(session, &info, arguments[4] + (uint64_t)n * 8);
}

/* Images. */

static bool make_memory(struct vk_session *session, struct vk_swapchain *swapchain, uint32_t n)
{
    PFN_vkGetImageMemoryRequirements ask =
        (PFN_vkGetImageMemoryRequirements)vk_function(session, "vkGetImageMemoryRequirements");
    PFN_vkBindImageMemory bind = (PFN_vkBindImageMemory)vk_function(session, "vkBindImageMemory");
    VkMemoryRequirements needs;

    if (ask == NULL || bind == NULL)
        return false;
    ask(swapchain->device, swapchain->images[n], &needs);
    if (!vk_memory_allocate(session, swapchain->device, needs.size, &swapchain->memories[n]))
        return false;
    swapchain->sizes[n] = needs.size;
    return vk_succeeded(session, "vkBindImageMemory",
                        bind(swapchain->device, swapchain->images[n], swapchain->memories[n], 0));
}

static void end_image(struct vk_session *session, struct vk_swapchain *swapchain, uint32_t n)
{
    PFN_vkDestroyImage destroy = (PFN_vkDestroyImage)vk_function(session, "vkDestroyImage");

    if (session->presented.image == swapchain->images[n])
        session->presented = (struct vk_presented){.image = VK_NULL_HANDLE};
    if (destroy != NULL)
        destroy(swapchain->device, swapchain->images[n], NULL);
    if (swapchain->memories[n] != VK_NULL_HANDLE)
        vk_memory_release(session, swapchain->device, swapchain->memories[n], swapchain->sizes[n]);
}

/* Adds an image. Returns false, with a note, if this fails. */
static bool add_image(struct vk_session *session, struct vk_swapchain *swapchain)
{
    PFN_vkCreateImage make = (PFN_vkCreateImage)vk_function(session, "vkCreateImage");
    const uint32_t n = swapchain->count;

    if (make == NULL ||
        !vk_succeeded(session, "vkCreateImage",
                      make(swapchain->device, &swapchain->info, NULL, &swapchain->images[n])))
        return false;
    swapchain->memories[n] = VK_NULL_HANDLE;
    if (!make_memory(session, swapchain, n)) {
        end_image(session, swapchain, n);
        return false;
    }
    swapchain->count++;
    return true;
}

/*
 * vkGetSwapchainImagesKHR(device, swapchain, pCount, pImages): creates as many images as the replay
 * has.
 */
void vk_give_images(struct vk_session *session, const uint64_t *arguments)
{
    struct vk_swapchain *swapchain;
    uint64_t name = 0;
    uint32_t count = 0;

    if (arguments[3] == 0 || (swapchain = find_or_tell(session, arguments[1])) == NULL ||
        !read_structure(session, arguments[2], &count, sizeof(count)))
        return;
    if (count > VK_SWAPCHAIN_IMAGES_MAX)
        vk_note(session, "it creates too many images: %u", count);
    for (uint32_t n = 0; n < count && n < VK_SWAPCHAIN_IMAGES_MAX; n++) {
        if (!read_structure(session, arguments[3] + (uint64_t)n * 8, &name, sizeof(name)) ||
            (n == swapchain->count && !add_image(session, swapchain)))
            return;
        (void)vk_object_put(session, name, (uint64_t)swapchain->images[n],
                            vk_handle_type("vkDestroyImage", 1));
    }
}

bool vk_is_presentable(const struct vk_session *session, VkImage image)
{
    for (uint32_t n = 0; n < VK_SWAPCHAINS_MAX; n++)
        for (uint32_t i = 0; session->swapchains[n].name != 0 && i < session->swapchains[n].count;
             i++)
            if (session->swapchains[n].images[i] == image)
                return true;
    return false;
}

bool vk_check_image_end(struct vk_session *session, struct vk_call *call)
{
    return !vk_is_presentable(session, (VkImage)call->values[1]) ||
           vk_note(session, "it destroys an image of a swapchain");
}

/* Destroys a swapchain, and removes the replay's names of its images. */
static void end_swapchain(struct vk_session *session, struct vk_swapchain *swapchain)
{
    const uint32_t type = vk_handle_type("vkDestroyImage", 1);
    uint32_t kept = 0;

    for (uint32_t n = 0; n < session->object_count; n++) {
        const struct vk_object *object = &session->objects[n];
        bool ends = false;

        for (uint32_t i = 0; object->type == type && i < swapchain->count && !ends; i++)
            ends = object->handle == (uint64_t)swapchain->images[i];
        if (!ends)
            session->objects[kept++] = *object;
    }
    session->object_count = kept;
    while (swapchain->count > 0)
        end_image(session, swapchain, --swapchain->count);
    swapchain->name = 0;
}

/* vkDestroySwapchainKHR(device, swapchain, pAllocator): waits until nothing draws on it. */
void vk_destroy_swapchain(struct vk_session *session, const uint64_t *arguments)
{
    struct vk_swapchain *swapchain = arguments[1] != 0 ? find_or_tell(session, arguments[1]) : NULL;

    if (swapchain != NULL && vk_device_wait(session, swapchain->device))
        end_swapchain(session, swapchain);
}

void vk_swapchains_end(struct vk_session *session, VkDevice device)
{
    for (uint32_t n = 0; n < VK_SWAPCHAINS_MAX; n++)
        if (session->swapchains[n].name != 0 && session->swapchains[n].device == device)
            end_swapchain(session, &session->swapchains[n]);
}

/* Acquiring and presenting. */

/* Submits no commands, only the semaphores and the fence. */
static void submit_nothing(struct vk_session *session, VkQueue queue, const VkSubmitInfo *info,
                           VkFence fence)
{
    PFN_vkQueueSubmit submit = (PFN_vkQueueSubmit)vk_function(session, "vkQueueSubmit");

    if (submit != NULL)
        (void)vk_succeeded(session, "vkQueueSubmit", submit(queue, 1, info, fence));
}

/* Acquires an image: signals the semaphore and the fence at once. */
static void acquire(struct vk_session *session, uint64_t swapchain, uint64_t semaphore_name,
                    uint64_t fence_name)
{
    PFN_vkGetDeviceQueue get = (PFN_vkGetDeviceQueue)vk_function(session, "vkGetDeviceQueue");
    uint64_t semaphore, fence;
    VkQueue queue;

    if (get == NULL || session->device == NULL || find_or_tell(session, swapchain) == NULL)
        return;
    if (!vk_object_handle(session, vk_handle_type("vkDestroySemaphore", 1), semaphore_name,
                          &semaphore) ||
        !vk_object_handle(session, vk_handle_type("vkDestroyFence", 1), fence_name, &fence)) {
        vk_note(session, "there is no such semaphore, or fence");
        return;
    }
    get(session->device, 0, 0, &queue);
    submit_nothing(session, queue,
                   &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .signalSemaphoreCount = semaphore != 0,
                                   .pSignalSemaphores = (const VkSemaphore *)&semaphore},
                   (VkFence)fence);
}

/* vkAcquireNextImageKHR(device, swapchain, timeout, semaphore, fence, pImageIndex) */
void vk_acquire_image(struct vk_session *session, const uint64_t *arguments)
{
    acquire(session, arguments[1], arguments[3], arguments[4]);
}

/* vkAcquireNextImage2KHR(device, pAcquireInfo, pImageIndex) */
void vk_acquire_image2(struct vk_session *session, const uint64_t *arguments)
{
    VkAcquireNextImageInfoKHR info;

    if (read_structure(session, arguments[1], &info, sizeof(info)))
        acquire(session, (uint64_t)info.swapchain, (uint64_t)info.semaphore, (uint64_t)info.fence);
}

/* Waits for a presentation's semaphores on the queue, so that they may be signalled again. */
static bool wait_to_present(struct vk_session *session, VkQueue queue, const VkPresentInfoKHR *info)
{
    const uint32_t count = info->waitSemaphoreCount;
    const uint8_t *names =
        vk_memory_at(session, address_of(info->pWaitSemaphores), (uint64_t)count * 8);
    uint64_t *semaphores = vk_scratch(session, (uint64_t)count * 8), name;
    VkPipelineStageFlags *stages = vk_scratch(session, (uint64_t)count * sizeof(*stages));

    if (count == 0)
        return true;
    if (names == NULL || semaphores == NULL || stages == NULL)
        return vk_note(session, "pWaitSemaphores points to memory that the replay does not have");
    for (uint32_t n = 0; n < count; n++) {
        memcpy(&name, names + (size_t)n * 8, sizeof(name));
        stages[n] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        if (!vk_object_handle(session, vk_handle_type("vkDestroySemaphore", 1), name,
                              &semaphores[n]) ||
            semaphores[n] == 0)
            return vk_note(session, "there is no such semaphore");
    }
    submit_nothing(session, queue,
                   &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .waitSemaphoreCount = count,
                                   .pWaitSemaphores = (const VkSemaphore *)semaphores,
                                   .pWaitDstStageMask = stages},
                   VK_NULL_HANDLE);
    return true;
}

/*
 * vkQueuePresentKHR(queue, pPresentInfo): if there are several swapchains, only the first one's
 * image counts.
 */
void vk_present(struct vk_session *session, const uint64_t *arguments)
{
    const struct vk_swapchain *swapchain;
    VkPresentInfoKHR info;
    uint64_t queue, name = 0;
    uint32_t image = 0;

    if (!vk_object_handle(session, vk_handle_type("vkQueueSubmit", 0), arguments[0], &queue) ||
        queue == 0) {
        vk_note(session, "there is no such queue");
        return;
    }
    if (!read_structure(session, arguments[1], &info, sizeof(info)) ||
        !wait_to_present(session, (VkQueue)(uintptr_t)queue, &info) || info.swapchainCount == 0 ||
        !read_structure(session, address_of(info.pSwapchains), &name, sizeof(name)) ||
        !read_structure(session, address_of(info.pImageIndices), &image, sizeof(image)) ||
        (swapchain = find_or_tell(session, name)) == NULL)
        return;
    if (image >= swapchain->count) {
        vk_note(session, "there is no image %u", image);
        return;
    }
    session->presented = (struct vk_presented){.device = swapchain->device,
                                               .image = swapchain->images[image],
                                               .memory = swapchain->memories[image],
                                               .width = swapchain->info.extent.width,
                                               .height = swapchain->info.extent.height};
}

/* Reading. */

/* Returns whether `height` rows of `row` bytes are inside the image. */
static bool rows_fit(const VkSubresourceLayout *layout, uint64_t row, uint32_t height)
{
    return height > 0 && row <= layout->rowPitch &&
           layout->rowPitch * (height - 1) + row <= layout->size;
}

bool vk_presented_rows(struct vk_session *session, uint32_t width, uint32_t height,
                       uint32_t pixel_bytes, struct message_writer *rows)
{
    const VkImageSubresource part = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const struct vk_presented *shown = &session->presented;
    PFN_vkGetImageSubresourceLayout ask =
        (PFN_vkGetImageSubresourceLayout)vk_function(session, "vkGetImageSubresourceLayout");
    PFN_vkMapMemory map = (PFN_vkMapMemory)vk_function(session, "vkMapMemory");
    PFN_vkUnmapMemory unmap = (PFN_vkUnmapMemory)vk_function(session, "vkUnmapMemory");
    const uint64_t row = (uint64_t)width * pixel_bytes;
    VkSubresourceLayout layout;
    void *bytes = NULL;

    if (shown->image == VK_NULL_HANDLE || shown->width != width || shown->height != height ||
        ask == NULL || map == NULL || unmap == NULL)
        return false;
    ask(shown->device, shown->image, &part, &layout);
    if (!rows_fit(&layout, row, height) ||
        map(shown->device, shown->memory, 0, VK_WHOLE_SIZE, 0, &bytes) < 0)
        return false;
    for (uint32_t y = 0; y < height; y++)
        message_write_bytes(rows, (const uint8_t *)bytes + layout.offset + y * layout.rowPitch,
                            row);
    unmap(shown->device, shown->memory);
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Vulkan calls that the worker makes, with a driver that does nothing except return handles and
 * memory: the input is the records of a feed, after which memory and a picture are requested.
 */
#include "config.h"

#include "formats/gapir/replay/worker_protocol.h"
#include "glworker/core/confine.h"
#include "glworker/core/graphics.h"
#include "glworker/core/vulkan.h"
#include "glworker/vk/session.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct serve_kind *const kinds[] = {vk_kinds, NULL};

/* Stubs for the rest of the worker. */

int confine_finish(void)
{
    return 0;
}

void confine_time(void)
{
}

void confine_be_busy(bool now)
{
    (void)now;
}

int graphics_start(char reason[WORKER_REASON])
{
    (void)reason;
    return 0;
}

bool vulkan_is_loaded(void)
{
    return true;
}

/*
 * A driver that does nothing. Handles are numbers, except those of memory, which point to its
 * bytes.
 */

static uint64_t next_handle = 0x1000;

static VkResult nothing(void)
{
    return VK_SUCCESS;
}

static VkResult give_third(uint64_t a, uint64_t b, uint64_t *out)
{
    (void)a, (void)b;
    *out = next_handle++;
    return VK_SUCCESS;
}

static VkResult give_fourth(uint64_t a, uint64_t b, uint64_t c, uint64_t *out)
{
    (void)a, (void)b, (void)c;
    *out = next_handle++;
    return VK_SUCCESS;
}

static VkResult give_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                               const void *infos, const VkAllocationCallbacks *allocator,
                               VkPipeline *pipelines)
{
    (void)device, (void)cache, (void)infos, (void)allocator;
    for (uint32_t n = 0; n < count; n++)
        pipelines[n] = (VkPipeline)next_handle++;
    return VK_SUCCESS;
}

static void give_queue(VkDevice device, uint32_t family, uint32_t index, VkQueue *queue)
{
    (void)device;
    if (family != 0 || index != 0)
        abort(); /* there is only one queue */
    *queue = (VkQueue)(uintptr_t)next_handle++;
}

static VkResult give_commands(VkDevice device, const VkCommandBufferAllocateInfo *info,
                              VkCommandBuffer *buffers)
{
    (void)device, (void)info;
    buffers[0] = (VkCommandBuffer)(uintptr_t)next_handle++;
    return VK_SUCCESS;
}

static VkResult enumerate(VkInstance instance, uint32_t *count, VkPhysicalDevice *devices)
{
    (void)instance;
    *count = 1;
    devices[0] = (VkPhysicalDevice)(uintptr_t)1;
    return VK_SUCCESS;
}

static VkResult no_extensions(const char *layer, uint32_t *count, VkExtensionProperties *properties)
{
    (void)layer, (void)properties;
    *count = 0;
    return VK_SUCCESS;
}

static VkResult no_device_extensions(VkPhysicalDevice device, const char *layer, uint32_t *count,
                                     VkExtensionProperties *properties)
{
    (void)device;
    return no_extensions(layer, count, properties);
}

static void need(VkDevice device, uint64_t object, VkMemoryRequirements *needs)
{
    (void)device, (void)object;
    *needs = (VkMemoryRequirements){.size = 1 << 12, .alignment = 16, .memoryTypeBits = 1};
}

static void lay_out(VkDevice device, VkImage image, const VkImageSubresource *part,
                    VkSubresourceLayout *layout)
{
    (void)device, (void)image, (void)part;
    *layout = (VkSubresourceLayout){.size = 1 << 12, .rowPitch = 64};
}

/* Allocates the requested size, of at most 1 MiB, and one byte more. */
static VkResult allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                         const VkAllocationCallbacks *allocator, VkDeviceMemory *memory)
{
    void *bytes = info->allocationSize <= 1 << 20 ? calloc(1, info->allocationSize + 1) : NULL;

    (void)device;
    if (allocator != NULL || info->pNext != NULL || info->memoryTypeIndex != 0)
        abort();
    *memory = (VkDeviceMemory)bytes;
    return bytes != NULL ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static void release(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks *allocator)
{
    (void)device;
    if (allocator != NULL)
        abort();
    free((void *)memory);
}

static VkResult map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                    VkMemoryMapFlags flags, void **data)
{
    (void)device, (void)size, (void)flags;
    *data = (uint8_t *)memory + offset;
    return VK_SUCCESS;
}

/* The first entry whose name is a prefix of the function's name applies. */
static const struct {
    const char *name;
    PFN_vkVoidFunction function;
} functions[] = {
#define ENTRY(name, function)                                                                      \
    {                                                                                              \
        name, (PFN_vkVoidFunction)(function)                                                       \
    }
    ENTRY("vkAllocateMemory", allocate),
    ENTRY("vkFreeMemory", release),
    ENTRY("vkMapMemory", map),
    ENTRY("vkAllocateCommandBuffers", give_commands),
    ENTRY("vkCreateInstance", give_third),
    ENTRY("vkCreateGraphicsPipelines", give_pipelines),
    ENTRY("vkCreateComputePipelines", give_pipelines),
    ENTRY("vkAllocateDescriptorSets", give_third),
    ENTRY("vkCreateDevice", give_fourth),
    ENTRY("vkCreateBuffer", give_fourth),
    ENTRY("vkCreateImage", give_fourth),
    ENTRY("vkCreateSemaphore", give_fourth),
    ENTRY("vkCreateFence", give_fourth),
    ENTRY("vkCreateCommandPool", give_fourth),
    ENTRY("vkCreateDescriptor", give_fourth),
    ENTRY("vkCreateRenderPass", give_fourth),
    ENTRY("vkCreateFramebuffer", give_fourth),
    ENTRY("vkCreatePipelineLayout", give_fourth),
    ENTRY("vkCreateShaderModule", give_fourth),
    ENTRY("vkGetDeviceQueue2", give_third),
    ENTRY("vkGetDeviceQueue", give_queue),
    ENTRY("vkEnumeratePhysicalDevices", enumerate),
    ENTRY("vkEnumerateInstanceExtensionProperties", no_extensions),
    ENTRY("vkEnumerateDeviceExtensionProperties", no_device_extensions),
    ENTRY("vkGetBufferMemoryRequirements", need),
    ENTRY("vkGetImageMemoryRequirements", need),
    ENTRY("vkGetImageSubresourceLayout", lay_out),
    ENTRY("vk", nothing),
};

PFN_vkVoidFunction vulkan_function(VkInstance instance, const char *name)
{
    (void)instance;
    for (size_t n = 0; n < sizeof(functions) / sizeof(functions[0]); n++)
        if (strncmp(name, functions[n].name, strlen(functions[n].name)) == 0)
            return functions[n].function;
    return NULL;
}

/* Sends a message. Returns the first eight bytes of the answer, or 0. */
static uint64_t send(uint16_t kind, const void *bytes, size_t size)
{
    struct serve_answer answer = {.bulk = NULL};
    struct blob *payload = NULL;
    uint64_t first = 0;

    if (blob_create(size, &payload) < 0)
        return 0;
    if (size > 0)
        memcpy(payload->data, bytes, size);
    if (serve_one(kinds, kind, payload, &answer) < 0 && answer.reason[0] == '\0')
        abort();
    if (answer.body.size >= sizeof(first))
        memcpy(&first, answer.body.bytes, sizeof(first));
    serve_answer_free(&answer);
    blob_unref(&payload);
    return first;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* a bad call; bytes of a window of the null driver, and of volatile memory */
    static const uint32_t reset[] = {1, 9, 0};
    static const uint32_t window[] = {0, 0x6000, 64, 0}, memory[] = {16, 0x4000, 64, 0};
    static const uint32_t picture[] = {16, 8, 4};
    uint64_t taken = 0;

    send(GAPIR_MESSAGE_RESET, reset, sizeof(reset));
    for (size_t at = 0; at < size; at += taken) {
        taken = send(GAPIR_MESSAGE_FEED, data + at, size - at);
        if (taken == 0 || taken > size - at)
            break;
    }
    send(GAPIR_MESSAGE_MEMORY, window, sizeof(window));
    send(GAPIR_MESSAGE_MEMORY, memory, sizeof(memory));
    send(GAPIR_MESSAGE_PICTURE, picture, sizeof(picture));
    send(GAPIR_MESSAGE_RESET, reset, sizeof(reset));
    return 0;
}

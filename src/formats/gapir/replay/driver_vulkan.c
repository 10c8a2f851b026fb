/* SPDX-License-Identifier: MIT */
/*
 * What Vulkan's functions do in the null driver: objects are numbers; sizes of memory, images and
 * buffers are remembered; mapped memory is a window of the VM (gapir.md 3.6).
 */
#include "formats/gapir/replay/driver_service.h"

enum {
    SWAPCHAIN_IMAGES = 3,
    VK_ERROR_MEMORY_MAP_FAILED = -5,
};

#define VK_WHOLE_SIZE UINT64_MAX

static unsigned pointer_size(const struct gapir_service *service)
{
    return service->vm->program->pointer_size;
}

/* Offsets in Vulkan structures begin after sType and pNext: 16 bytes, or 8 with 4-byte pointers. */
static unsigned head_size(const struct gapir_service *service)
{
    return 2 * pointer_size(service);
}

/*
 * Accounts for `count` handles before a call writes them. More than GAPIR_OBJECTS_MAX are a fault
 * at once.
 */
static enum gapir_fault take_handles(const struct gapir_service *service, uint64_t count)
{
    return count <= GAPIR_OBJECTS_MAX ? gapir_vm_move(service->vm, 8 * count) : GAPIR_FAULT_STEPS;
}

static enum gapir_fault give_handle(const struct gapir_service *service, uint64_t address)
{
    return gapir_poke(service->vm, address, 8, service->driver->next_handle++);
}

static enum gapir_fault give_handles(const struct gapir_service *service, uint64_t address,
                                     uint64_t count)
{
    enum gapir_fault fault = take_handles(service, count);

    for (uint64_t n = 0; n < count && fault == GAPIR_FAULT_NONE; n++)
        fault = give_handle(service, address + 8 * n);
    return fault;
}

static enum gapir_fault serve_create(const struct gapir_service *service)
{
    return give_handles(service, gapir_argument(service, service->count - 1), 1);
}

/* For pipelines and swapchains: the number of objects is an argument. */
static enum gapir_fault serve_create_pipelines(const struct gapir_service *service)
{
    return give_handles(service, gapir_argument(service, 5), gapir_argument(service, 2));
}

/*
 * VkSwapchainCreateInfoKHR: flags, surface, minImageCount, imageFormat, imageColorSpace,
 * imageExtent. Remembers the swapchain under the handle that is handed out next.
 */
static void add_swapchain(const struct gapir_service *service, uint64_t info)
{
    uint64_t format = info + head_size(service) + 20;
    struct gapir_object *object =
        gapir_driver_add_object(service->driver, service->vm, GAPIR_SWAPCHAIN);

    if (object != NULL && !(gapir_peek32(service->vm, format, &object->format) &&
                            gapir_peek32(service->vm, format + 8, &object->width) &&
                            gapir_peek32(service->vm, format + 12, &object->height)))
        object->format = 0;
}

static enum gapir_fault serve_create_swapchain(const struct gapir_service *service)
{
    add_swapchain(service, gapir_argument(service, 1));
    return serve_create(service);
}

/* Returns the size of a VkSwapchainCreateInfoKHR in bytes. */
static unsigned swapchain_info_size(const struct gapir_service *service)
{
    return pointer_size(service) == 8 ? 104 : 80;
}

static enum gapir_fault serve_create_swapchains(const struct gapir_service *service)
{
    const uint64_t count = gapir_argument(service, 1);
    enum gapir_fault fault = take_handles(service, count);

    for (uint64_t n = 0; n < count && fault == GAPIR_FAULT_NONE; n++) {
        add_swapchain(service, gapir_argument(service, 2) + n * swapchain_info_size(service));
        fault = give_handle(service, gapir_argument(service, 4) + 8 * n);
    }
    return fault;
}

/* VkCommandBufferAllocateInfo: pool, level, count. VkDescriptorSetAllocateInfo: pool, count. */
static enum gapir_fault allocate_many(const struct gapir_service *service, unsigned offset)
{
    uint32_t count = 1;

    if (!gapir_peek32(service->vm, gapir_argument(service, 1) + head_size(service) + offset,
                      &count))
        count = 1;
    return give_handles(service, gapir_argument(service, 2), count);
}

static enum gapir_fault serve_allocate_command_buffers(const struct gapir_service *service)
{
    return allocate_many(service, 12);
}

static enum gapir_fault serve_allocate_descriptor_sets(const struct gapir_service *service)
{
    return allocate_many(service, 8);
}

/* VkImageCreateInfo: flags, imageType, format, extent. */
static enum gapir_fault serve_create_image(const struct gapir_service *service)
{
    uint64_t info = gapir_argument(service, 1) + head_size(service);
    struct gapir_object *object =
        gapir_driver_add_object(service->driver, service->vm, GAPIR_IMAGE);

    if (object != NULL && !(gapir_peek32(service->vm, info + 8, &object->format) &&
                            gapir_peek32(service->vm, info + 12, &object->width) &&
                            gapir_peek32(service->vm, info + 16, &object->height)))
        object->format = 0;
    return serve_create(service);
}

/* VkBufferCreateInfo: flags, size. */
static enum gapir_fault serve_create_buffer(const struct gapir_service *service)
{
    struct gapir_object *object =
        gapir_driver_add_object(service->driver, service->vm, GAPIR_BUFFER);

    if (object != NULL)
        gapir_peek64(service->vm, gapir_argument(service, 1) + head_size(service) + 8,
                     &object->size);
    return serve_create(service);
}

/* VkMemoryAllocateInfo: allocationSize. */
static enum gapir_fault serve_allocate_memory(const struct gapir_service *service)
{
    struct gapir_object *object =
        gapir_driver_add_object(service->driver, service->vm, GAPIR_DEVICE_MEMORY);

    if (object != NULL)
        gapir_peek64(service->vm, gapir_argument(service, 1) + head_size(service), &object->size);
    return serve_create(service);
}

static uint64_t image_bytes(const struct gapir_object *image)
{
    const struct gapir_format *format = gapir_format_vulkan(image->format, 0);

    return (uint64_t)image->width * image->height * (format != NULL ? format->pixel.bytes : 4);
}

/* Allocates as much memory as an image needs. */
static enum gapir_fault serve_allocate_image_memory(const struct gapir_service *service)
{
    const struct gapir_object *image =
        gapir_driver_object(service->driver, gapir_argument(service, 2), GAPIR_IMAGE);
    uint64_t size = image != NULL ? image_bytes(image) : 0;
    struct gapir_object *object =
        gapir_driver_add_object(service->driver, service->vm, GAPIR_DEVICE_MEMORY);

    if (object != NULL)
        object->size = size;
    return serve_create(service);
}

static void bind_buffer(struct gapir_driver *driver, uint64_t buffer, uint64_t memory,
                        uint64_t offset)
{
    struct gapir_object *object = gapir_driver_object(driver, buffer, GAPIR_BUFFER);

    if (object != NULL) {
        object->memory = memory;
        object->offset = offset;
    }
}

static enum gapir_fault serve_bind_buffer(const struct gapir_service *service)
{
    bind_buffer(service->driver, gapir_argument(service, 1), gapir_argument(service, 2),
                gapir_argument(service, 3));
    return GAPIR_FAULT_NONE;
}

/* VkBindBufferMemoryInfo: buffer, memory, memoryOffset. */
static enum gapir_fault serve_bind_buffers(const struct gapir_service *service)
{
    uint64_t stride = head_size(service) + 24, buffer, memory, offset;
    uint64_t count = gapir_argument(service, 1);
    enum gapir_fault fault = gapir_vm_move(service->vm, stride * (uint32_t)count);

    for (uint64_t n = 0; n < count && fault == GAPIR_FAULT_NONE; n++) {
        uint64_t info = gapir_argument(service, 2) + n * stride + head_size(service);
        if (!gapir_peek64(service->vm, info, &buffer) ||
            !gapir_peek64(service->vm, info + 8, &memory) ||
            !gapir_peek64(service->vm, info + 16, &offset))
            break;
        bind_buffer(service->driver, buffer, memory, offset);
    }
    return fault;
}

static enum gapir_fault fail_mapping(const struct gapir_service *service, uint64_t address)
{
    *service->result = (uint32_t)VK_ERROR_MEMORY_MAP_FAILED;
    return gapir_poke_optional(service->vm, address, pointer_size(service), 0);
}

static enum gapir_fault serve_map_memory(const struct gapir_service *service)
{
    struct gapir_object *memory =
        gapir_driver_object(service->driver, gapir_argument(service, 1), GAPIR_DEVICE_MEMORY);
    uint64_t offset = gapir_argument(service, 2), size = gapir_argument(service, 3);
    uint64_t address = gapir_argument(service, 5);
    uint32_t window;

    if (size == VK_WHOLE_SIZE)
        size = memory != NULL && memory->size > offset ? memory->size - offset : 0;
    if (!gapir_vm_map(service->vm, size, gapir_argument(service, 1), &window))
        return fail_mapping(service, address);
    if (memory != NULL) {
        memory->window = window;
        memory->mapped = true;
        memory->mapped_from = offset;
    }
    return gapir_poke(service->vm, address, pointer_size(service),
                      service->vm->windows[window].address);
}

static enum gapir_fault serve_unmap_memory(const struct gapir_service *service)
{
    uint64_t handle = gapir_argument(service, 1);
    struct gapir_object *memory = gapir_driver_object(service->driver, handle, GAPIR_DEVICE_MEMORY);

    if (memory == NULL)
        return gapir_unmap_tagged(service->vm, handle);
    if (memory->mapped)
        gapir_vm_unmap(service->vm, memory->window);
    memory->mapped = false;
    return GAPIR_FAULT_NONE;
}

const struct gapir_presented *gapir_driver_presented(const struct gapir_driver *driver)
{
    return &driver->presented;
}

const struct gapir_readback *gapir_driver_readback(const struct gapir_driver *driver)
{
    if (driver->readback_count == 0)
        return NULL;
    return &driver->readbacks[(driver->readback_count - 1) % GAPIR_READBACKS];
}

uint64_t gapir_readback_bytes(const struct gapir_readback *readback)
{
    if (readback->format == NULL || readback->width == 0 || readback->height == 0)
        return 0;
    return (uint64_t)readback->stride * (readback->height - 1) +
           (uint64_t)readback->width * readback->format->pixel.bytes;
}

/* VkBufferImageCopy: bufferOffset, bufferRowLength, bufferImageHeight, aspect, …, extent. */
static enum gapir_fault serve_copy_image(const struct gapir_service *service)
{
    const struct gapir_object *image =
        gapir_driver_object(service->driver, gapir_argument(service, 1), GAPIR_IMAGE);
    uint64_t region = gapir_argument(service, 5);
    struct gapir_readback readback = {.buffer = gapir_argument(service, 3)};
    uint32_t row_length, aspect;

    if (image == NULL || !gapir_peek64(service->vm, region, &readback.offset) ||
        !gapir_peek32(service->vm, region + 8, &row_length) ||
        !gapir_peek32(service->vm, region + 16, &aspect) ||
        !gapir_peek32(service->vm, region + 44, &readback.width) ||
        !gapir_peek32(service->vm, region + 48, &readback.height))
        return GAPIR_FAULT_NONE;
    readback.format = gapir_format_vulkan(image->format, aspect);
    if (readback.format == NULL || row_length > UINT32_MAX / 16 || readback.width > UINT32_MAX / 16)
        return GAPIR_FAULT_NONE;
    readback.stride =
        (row_length != 0 ? row_length : readback.width) * readback.format->pixel.bytes;
    gapir_driver_add_readback(service->driver, &readback);
    return GAPIR_FAULT_NONE;
}

/*
 * Serves a call with a count and an array: fills the array as far as it goes, or writes the number
 * `all` if the program only asks how many there are.
 */
static enum gapir_fault enumerate(const struct gapir_service *service, unsigned counter,
                                  uint32_t all)
{
    uint64_t address = gapir_argument(service, counter),
             array = gapir_argument(service, counter + 1);
    uint32_t count;

    if (array == 0)
        return gapir_poke_optional(service->vm, address, 4, all);
    if (!gapir_peek32(service->vm, address, &count))
        return GAPIR_FAULT_NONE;
    return give_handles(service, array, count);
}

static enum gapir_fault serve_enumerate_devices(const struct gapir_service *service)
{
    return enumerate(service, 1, 1);
}

/* Images of a swapchain have its format and size. */
static void add_swapchain_image(const struct gapir_service *service,
                                const struct gapir_object *swapchain)
{
    const struct gapir_object like = *swapchain;
    struct gapir_object *object =
        gapir_driver_add_object(service->driver, service->vm, GAPIR_IMAGE);

    if (object == NULL)
        return;
    object->format = like.format;
    object->width = like.width;
    object->height = like.height;
}

static enum gapir_fault serve_swapchain_images(const struct gapir_service *service)
{
    const uint64_t swapchain = gapir_argument(service, 1), images = gapir_argument(service, 3);
    enum gapir_fault fault;
    uint32_t count;

    if (images == 0 || !gapir_peek32(service->vm, gapir_argument(service, 2), &count))
        return enumerate(service, 2, SWAPCHAIN_IMAGES);
    fault = take_handles(service, count);
    for (uint32_t n = 0; n < count && fault == GAPIR_FAULT_NONE; n++) {
        const struct gapir_object *object =
            gapir_driver_object(service->driver, swapchain, GAPIR_SWAPCHAIN);

        if (object != NULL)
            add_swapchain_image(service, object);
        fault = give_handle(service, images + 8 * (uint64_t)n);
    }
    return fault;
}

/* VkPresentInfoKHR: waitSemaphoreCount, pWaitSemaphores, swapchainCount, pSwapchains. */
static enum gapir_fault serve_present(const struct gapir_service *service)
{
    const unsigned size = pointer_size(service);
    struct gapir_presented *presented = &service->driver->presented;
    const struct gapir_object *swapchain;
    uint64_t list, handle;

    *presented = (struct gapir_presented){.format = NULL};
    if (service->count < 2 || size != 8 ||
        !gapir_peek64(service->vm, gapir_argument(service, 1) + head_size(service) + 24, &list) ||
        !gapir_peek64(service->vm, list, &handle))
        return GAPIR_FAULT_NONE;
    swapchain = gapir_driver_object(service->driver, handle, GAPIR_SWAPCHAIN);
    if (swapchain != NULL)
        *presented = (struct gapir_presented){.format = gapir_format_vulkan(swapchain->format, 0),
                                              .width = swapchain->width,
                                              .height = swapchain->height};
    return GAPIR_FAULT_NONE;
}

/* VkMemoryRequirements: size, alignment, memoryTypeBits. */
static enum gapir_fault require(const struct gapir_service *service, uint64_t size)
{
    uint64_t out = gapir_argument(service, 2);
    enum gapir_fault fault =
        gapir_poke_optional(service->vm, out, 8, (size + 255) & ~UINT64_C(255));

    if (fault == GAPIR_FAULT_NONE && out != 0)
        fault = gapir_poke(service->vm, out + 8, 8, 256);
    if (fault == GAPIR_FAULT_NONE && out != 0)
        fault = gapir_poke(service->vm, out + 16, 4, 1);
    return fault;
}

static enum gapir_fault serve_buffer_requirements(const struct gapir_service *service)
{
    const struct gapir_object *buffer =
        gapir_driver_object(service->driver, gapir_argument(service, 1), GAPIR_BUFFER);

    return require(service, buffer != NULL ? buffer->size : 0);
}

static enum gapir_fault serve_image_requirements(const struct gapir_service *service)
{
    const struct gapir_object *image =
        gapir_driver_object(service->driver, gapir_argument(service, 1), GAPIR_IMAGE);

    return require(service, image != NULL ? image_bytes(image) : 0);
}

gapir_serve *const gapir_vulkan_actions[GAPIR_ACTIONS] = {
    [GAPIR_ACTION_CREATE] = serve_create,
    [GAPIR_ACTION_CREATE_IMAGE] = serve_create_image,
    [GAPIR_ACTION_CREATE_BUFFER] = serve_create_buffer,
    [GAPIR_ACTION_CREATE_PIPELINES] = serve_create_pipelines,
    [GAPIR_ACTION_CREATE_SWAPCHAIN] = serve_create_swapchain,
    [GAPIR_ACTION_CREATE_SWAPCHAINS] = serve_create_swapchains,
    [GAPIR_ACTION_ALLOCATE_COMMAND_BUFFERS] = serve_allocate_command_buffers,
    [GAPIR_ACTION_ALLOCATE_DESCRIPTOR_SETS] = serve_allocate_descriptor_sets,
    [GAPIR_ACTION_ALLOCATE_MEMORY] = serve_allocate_memory,
    [GAPIR_ACTION_ALLOCATE_IMAGE_MEMORY] = serve_allocate_image_memory,
    [GAPIR_ACTION_BIND_BUFFER] = serve_bind_buffer,
    [GAPIR_ACTION_BIND_BUFFERS] = serve_bind_buffers,
    [GAPIR_ACTION_MAP_MEMORY] = serve_map_memory,
    [GAPIR_ACTION_UNMAP_MEMORY] = serve_unmap_memory,
    [GAPIR_ACTION_COPY_IMAGE] = serve_copy_image,
    [GAPIR_ACTION_ENUMERATE_DEVICES] = serve_enumerate_devices,
    [GAPIR_ACTION_SWAPCHAIN_IMAGES] = serve_swapchain_images,
    [GAPIR_ACTION_BUFFER_REQUIREMENTS] = serve_buffer_requirements,
    [GAPIR_ACTION_IMAGE_REQUIREMENTS] = serve_image_requirements,
    [GAPIR_ACTION_PRESENT] = serve_present,
};

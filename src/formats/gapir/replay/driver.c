/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/driver.h"

#include "formats/gapir/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_HANDLE = 0x1001,
    SWAPCHAIN_IMAGES = 3,
    VK_ERROR_MEMORY_MAP_FAILED = -5,
    SEARCH_COST = 16, /* of looking at a window, in bytes moved */
};

#define VK_WHOLE_SIZE UINT64_MAX

int gapir_driver_create(const struct gapir_model *model, struct gapir_driver **out)
{
    struct gapir_driver *driver = calloc(1, sizeof(*driver));

    if (driver == NULL)
        return -ENOMEM;
    driver->model = model;
    driver->next_handle = FIRST_HANDLE;
    driver->next_name = 1;
    driver->pack_alignment = 4;
    driver->bound = GAPIR_UNBOUND;
    *out = driver;
    return 0;
}

void gapir_driver_destroy(struct gapir_driver **driver)
{
    if (*driver == NULL)
        return;
    free((*driver)->objects);
    free(*driver);
    *driver = NULL;
}

static enum gapir_fault poke(struct gapir_vm *vm, uint64_t address, unsigned size, uint64_t value)
{
    uint8_t *data;
    enum gapir_fault fault = gapir_vm_write(vm, address, size, &data);

    for (unsigned n = 0; n < size && fault == GAPIR_FAULT_NONE; n++)
        data[n] = (uint8_t)(value >> 8 * n);
    return fault;
}

/* An answer that the caller may not want. */
static enum gapir_fault poke_optional(struct gapir_vm *vm, uint64_t address, unsigned size,
                                      uint64_t value)
{
    return address != 0 ? poke(vm, address, size, value) : GAPIR_FAULT_NONE;
}

/* A call being served. */
struct service {
    struct gapir_driver *driver;
    struct gapir_vm *vm;
    const struct gapir_slot *arguments;
    unsigned count;
    uint64_t *result;
};

static uint64_t argument(const struct service *service, unsigned n)
{
    return service->arguments[n].value;
}

static unsigned pointer_size(const struct service *service)
{
    return service->vm->program->pointer_size;
}

/* Offsets in Vulkan structures: sType and pNext come first, 16 bytes, or 8 with 4-byte pointers. */
static unsigned head_size(const struct service *service)
{
    return 2 * pointer_size(service);
}

/* Before a call gives so many handles: more than are remembered are a fault at once. */
static enum gapir_fault take_handles(const struct service *service, uint64_t count)
{
    return count <= GAPIR_OBJECTS_MAX ? gapir_vm_move(service->vm, 8 * count) : GAPIR_FAULT_STEPS;
}

static enum gapir_fault give_handle(const struct service *service, uint64_t address)
{
    return poke(service->vm, address, 8, service->driver->next_handle++);
}

static enum gapir_fault give_handles(const struct service *service, uint64_t address,
                                     uint64_t count)
{
    enum gapir_fault fault = take_handles(service, count);

    for (uint64_t n = 0; n < count && fault == GAPIR_FAULT_NONE; n++)
        fault = give_handle(service, address + 8 * n);
    return fault;
}

static enum gapir_fault serve_nothing(const struct service *service)
{
    (void)service;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_create(const struct service *service)
{
    return give_handles(service, argument(service, service->count - 1), 1);
}

/* Pipelines and swapchains: the number stands among the arguments. */
static enum gapir_fault serve_create_pipelines(const struct service *service)
{
    return give_handles(service, argument(service, 5), argument(service, 2));
}

/*
 * VkSwapchainCreateInfoKHR: flags, surface, minImageCount, imageFormat, imageColorSpace,
 * imageExtent. The handle that is given out next.
 */
static void add_swapchain(const struct service *service, uint64_t info)
{
    uint64_t format = info + head_size(service) + 20;
    struct gapir_object *object = gapir_driver_add_object(service->driver, GAPIR_SWAPCHAIN);

    if (object != NULL && !(gapir_peek32(service->vm, format, &object->format) &&
                            gapir_peek32(service->vm, format + 8, &object->width) &&
                            gapir_peek32(service->vm, format + 12, &object->height)))
        object->format = 0;
}

static enum gapir_fault serve_create_swapchain(const struct service *service)
{
    add_swapchain(service, argument(service, 1));
    return serve_create(service);
}

/* Bytes of a VkSwapchainCreateInfoKHR. */
static unsigned swapchain_info_size(const struct service *service)
{
    return pointer_size(service) == 8 ? 104 : 80;
}

static enum gapir_fault serve_create_swapchains(const struct service *service)
{
    const uint64_t count = argument(service, 1);
    enum gapir_fault fault = take_handles(service, count);

    for (uint64_t n = 0; n < count && fault == GAPIR_FAULT_NONE; n++) {
        add_swapchain(service, argument(service, 2) + n * swapchain_info_size(service));
        fault = give_handle(service, argument(service, 4) + 8 * n);
    }
    return fault;
}

/* VkCommandBufferAllocateInfo: pool, level, count. VkDescriptorSetAllocateInfo: pool, count. */
static enum gapir_fault allocate_many(const struct service *service, unsigned offset)
{
    uint32_t count = 1;

    if (!gapir_peek32(service->vm, argument(service, 1) + head_size(service) + offset, &count))
        count = 1;
    return give_handles(service, argument(service, 2), count);
}

static enum gapir_fault serve_allocate_command_buffers(const struct service *service)
{
    return allocate_many(service, 12);
}

static enum gapir_fault serve_allocate_descriptor_sets(const struct service *service)
{
    return allocate_many(service, 8);
}

/* VkImageCreateInfo: flags, imageType, format, extent. */
static enum gapir_fault serve_create_image(const struct service *service)
{
    uint64_t info = argument(service, 1) + head_size(service);
    struct gapir_object *object = gapir_driver_add_object(service->driver, GAPIR_IMAGE);

    if (object != NULL && !(gapir_peek32(service->vm, info + 8, &object->format) &&
                            gapir_peek32(service->vm, info + 12, &object->width) &&
                            gapir_peek32(service->vm, info + 16, &object->height)))
        object->format = 0;
    return serve_create(service);
}

/* VkBufferCreateInfo: flags, size. */
static enum gapir_fault serve_create_buffer(const struct service *service)
{
    struct gapir_object *object = gapir_driver_add_object(service->driver, GAPIR_BUFFER);

    if (object != NULL)
        gapir_peek64(service->vm, argument(service, 1) + head_size(service) + 8, &object->size);
    return serve_create(service);
}

/* VkMemoryAllocateInfo: allocationSize. */
static enum gapir_fault serve_allocate_memory(const struct service *service)
{
    struct gapir_object *object = gapir_driver_add_object(service->driver, GAPIR_DEVICE_MEMORY);

    if (object != NULL)
        gapir_peek64(service->vm, argument(service, 1) + head_size(service), &object->size);
    return serve_create(service);
}

static uint64_t image_bytes(const struct gapir_object *image)
{
    const struct gapir_format *format = gapir_format_vulkan(image->format, 0);

    return (uint64_t)image->width * image->height * (format != NULL ? format->pixel.bytes : 4);
}

/* Memory for an image, as large as it needs. */
static enum gapir_fault serve_allocate_image_memory(const struct service *service)
{
    const struct gapir_object *image =
        gapir_driver_object(service->driver, argument(service, 2), GAPIR_IMAGE);
    uint64_t size = image != NULL ? image_bytes(image) : 0;
    struct gapir_object *object = gapir_driver_add_object(service->driver, GAPIR_DEVICE_MEMORY);

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

static enum gapir_fault serve_bind_buffer(const struct service *service)
{
    bind_buffer(service->driver, argument(service, 1), argument(service, 2), argument(service, 3));
    return GAPIR_FAULT_NONE;
}

/* VkBindBufferMemoryInfo: buffer, memory, memoryOffset. */
static enum gapir_fault serve_bind_buffers(const struct service *service)
{
    uint64_t stride = head_size(service) + 24, buffer, memory, offset;
    uint64_t count = argument(service, 1);
    enum gapir_fault fault = gapir_vm_move(service->vm, stride * (uint32_t)count);

    for (uint64_t n = 0; n < count && fault == GAPIR_FAULT_NONE; n++) {
        uint64_t info = argument(service, 2) + n * stride + head_size(service);
        if (!gapir_peek64(service->vm, info, &buffer) ||
            !gapir_peek64(service->vm, info + 8, &memory) ||
            !gapir_peek64(service->vm, info + 16, &offset))
            break;
        bind_buffer(service->driver, buffer, memory, offset);
    }
    return fault;
}

static enum gapir_fault fail_mapping(const struct service *service, uint64_t address)
{
    *service->result = (uint32_t)VK_ERROR_MEMORY_MAP_FAILED;
    return poke_optional(service->vm, address, pointer_size(service), 0);
}

static enum gapir_fault serve_map_memory(const struct service *service)
{
    struct gapir_object *memory =
        gapir_driver_object(service->driver, argument(service, 1), GAPIR_DEVICE_MEMORY);
    uint64_t offset = argument(service, 2), size = argument(service, 3);
    uint64_t address = argument(service, 5);
    uint32_t window;

    if (size == VK_WHOLE_SIZE)
        size = memory != NULL && memory->size > offset ? memory->size - offset : 0;
    if (!gapir_vm_map(service->vm, size, argument(service, 1), &window))
        return fail_mapping(service, address);
    if (memory != NULL) {
        memory->window = window;
        memory->mapped = true;
        memory->mapped_from = offset;
    }
    return poke(service->vm, address, pointer_size(service), service->vm->windows[window].address);
}

/* Mappings of what is no memory object that we remember are searched. */
static enum gapir_fault unmap_tagged(struct gapir_vm *vm, uint64_t tag)
{
    enum gapir_fault fault = gapir_vm_move(vm, SEARCH_COST * (uint64_t)vm->window_count);

    for (uint32_t n = vm->window_count; n-- > 0 && fault == GAPIR_FAULT_NONE;)
        if (vm->windows[n].mapped && vm->windows[n].tag == tag) {
            gapir_vm_unmap(vm, n);
            break;
        }
    return fault;
}

static enum gapir_fault serve_unmap_memory(const struct service *service)
{
    uint64_t handle = argument(service, 1);
    struct gapir_object *memory = gapir_driver_object(service->driver, handle, GAPIR_DEVICE_MEMORY);

    if (memory == NULL)
        return unmap_tagged(service->vm, handle);
    if (memory->mapped)
        gapir_vm_unmap(service->vm, memory->window);
    memory->mapped = false;
    return GAPIR_FAULT_NONE;
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

static void add_readback(struct gapir_driver *driver, const struct gapir_readback *readback)
{
    driver->readbacks[driver->readback_count++ % GAPIR_READBACKS] = *readback;
}

/* VkBufferImageCopy: bufferOffset, bufferRowLength, bufferImageHeight, aspect, …, extent. */
static enum gapir_fault serve_copy_image(const struct service *service)
{
    const struct gapir_object *image =
        gapir_driver_object(service->driver, argument(service, 1), GAPIR_IMAGE);
    uint64_t region = argument(service, 5);
    struct gapir_readback readback = {.buffer = argument(service, 3)};
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
    add_readback(service->driver, &readback);
    return GAPIR_FAULT_NONE;
}

/* count, array: as many as fit, or one when the program only wants to know how many there are. */
static enum gapir_fault enumerate(const struct service *service, unsigned counter, uint32_t all)
{
    uint64_t address = argument(service, counter), array = argument(service, counter + 1);
    uint32_t count;

    if (array == 0)
        return poke_optional(service->vm, address, 4, all);
    if (!gapir_peek32(service->vm, address, &count))
        return GAPIR_FAULT_NONE;
    return give_handles(service, array, count);
}

static enum gapir_fault serve_enumerate_devices(const struct service *service)
{
    return enumerate(service, 1, 1);
}

/* Images of a swapchain are as it is. */
static void add_swapchain_image(struct gapir_driver *driver, const struct gapir_object *swapchain)
{
    const struct gapir_object like = *swapchain;
    struct gapir_object *object = gapir_driver_add_object(driver, GAPIR_IMAGE);

    if (object == NULL)
        return;
    object->format = like.format;
    object->width = like.width;
    object->height = like.height;
}

static enum gapir_fault serve_swapchain_images(const struct service *service)
{
    const uint64_t swapchain = argument(service, 1), images = argument(service, 3);
    enum gapir_fault fault;
    uint32_t count;

    if (images == 0 || !gapir_peek32(service->vm, argument(service, 2), &count))
        return enumerate(service, 2, SWAPCHAIN_IMAGES);
    fault = take_handles(service, count);
    for (uint32_t n = 0; n < count && fault == GAPIR_FAULT_NONE; n++) {
        const struct gapir_object *object =
            gapir_driver_object(service->driver, swapchain, GAPIR_SWAPCHAIN);

        if (object != NULL)
            add_swapchain_image(service->driver, object);
        fault = give_handle(service, images + 8 * (uint64_t)n);
    }
    return fault;
}

/* VkPresentInfoKHR: waitSemaphoreCount, pWaitSemaphores, swapchainCount, pSwapchains. */
static enum gapir_fault serve_present(const struct service *service)
{
    const unsigned size = pointer_size(service);
    struct gapir_presented *presented = &service->driver->presented;
    const struct gapir_object *swapchain;
    uint64_t list, handle;

    *presented = (struct gapir_presented){.format = NULL};
    if (service->count < 2 || size != 8 ||
        !gapir_peek64(service->vm, argument(service, 1) + head_size(service) + 24, &list) ||
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
static enum gapir_fault require(const struct service *service, uint64_t size)
{
    uint64_t out = argument(service, 2);
    enum gapir_fault fault = poke_optional(service->vm, out, 8, (size + 255) & ~UINT64_C(255));

    if (fault == GAPIR_FAULT_NONE && out != 0)
        fault = poke(service->vm, out + 8, 8, 256);
    if (fault == GAPIR_FAULT_NONE && out != 0)
        fault = poke(service->vm, out + 16, 4, 1);
    return fault;
}

static enum gapir_fault serve_buffer_requirements(const struct service *service)
{
    const struct gapir_object *buffer =
        gapir_driver_object(service->driver, argument(service, 1), GAPIR_BUFFER);

    return require(service, buffer != NULL ? buffer->size : 0);
}

static enum gapir_fault serve_image_requirements(const struct service *service)
{
    const struct gapir_object *image =
        gapir_driver_object(service->driver, argument(service, 1), GAPIR_IMAGE);

    return require(service, image != NULL ? image_bytes(image) : 0);
}

static enum gapir_fault serve_gen_names(const struct service *service)
{
    uint64_t count = argument(service, 0), address = argument(service, 1);
    enum gapir_fault fault = gapir_vm_move(service->vm, 4 * count);

    for (uint64_t n = 0; n < count && address != 0 && fault == GAPIR_FAULT_NONE; n++)
        fault = poke(service->vm, address + 4 * n, 4, service->driver->next_name++);
    return fault;
}

static enum gapir_fault serve_new_name(const struct service *service)
{
    *service->result = service->driver->next_name++;
    return GAPIR_FAULT_NONE;
}

/* Replays keep what they are told of uniforms and blocks, and pass it on. */
static enum gapir_fault serve_new_number(const struct service *service)
{
    *service->result = service->driver->next_number++ & INT32_MAX;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_new_handle(const struct service *service)
{
    *service->result = service->driver->next_handle++;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_true(const struct service *service)
{
    *service->result = 1;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_framebuffer_complete(const struct service *service)
{
    *service->result = 0x8cd5;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_already_signaled(const struct service *service)
{
    *service->result = 0x911a;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_egl_success(const struct service *service)
{
    *service->result = 0x3000;
    return GAPIR_FAULT_NONE;
}

/* GL_DELETE_STATUS 0x8b80 is false; compile, link and validate status are true. */
static enum gapir_fault serve_status(const struct service *service)
{
    uint64_t name = argument(service, 1);

    if (name < 0x8b81 || name > 0x8b83)
        return GAPIR_FAULT_NONE;
    return poke_optional(service->vm, argument(service, 2), 4, 1);
}

/* GL_IMPLEMENTATION_COLOR_READ_TYPE 0x8b9a and _FORMAT 0x8b9b: bytes of RGBA. */
static enum gapir_fault serve_get_integer(const struct service *service)
{
    uint64_t name = argument(service, 0);

    if (name != 0x8b9a && name != 0x8b9b)
        return GAPIR_FAULT_NONE;
    return poke_optional(service->vm, argument(service, 1), 4, name == 0x8b9a ? 0x1401 : 0x1908);
}

static enum gapir_fault serve_map_range(const struct service *service)
{
    uint64_t length = argument(service, 2);
    uint32_t window;

    if (length <= INT32_MAX &&
        gapir_vm_map(service->vm, length, GAPIR_GL_TAG | argument(service, 0), &window))
        *service->result = service->vm->windows[window].address;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_unmap_buffer(const struct service *service)
{
    *service->result = 1;
    return unmap_tagged(service->vm, GAPIR_GL_TAG | argument(service, 0));
}

static enum gapir_fault serve_pixel_store(const struct service *service)
{
    uint64_t name = argument(service, 0), value = argument(service, 1);

    if (name == 0x0d05 && (value == 1 || value == 2 || value == 4 || value == 8))
        service->driver->pack_alignment = (uint32_t)value;
    if (name == 0x0d02 && value <= INT32_MAX / 16)
        service->driver->pack_row_length = (uint32_t)value;
    return GAPIR_FAULT_NONE;
}

/* glReadPixels(), or glReadnPixels(), where the size of the buffer stands before its pointer. */
static enum gapir_fault serve_read_pixels(const struct service *service)
{
    struct gapir_driver *driver = service->driver;
    struct gapir_readback readback = {.opengl = true,
                                      .width = (uint32_t)argument(service, 2),
                                      .height = (uint32_t)argument(service, 3),
                                      .address = argument(service, service->count - 1)};

    if (readback.width > INT32_MAX / 16)
        return GAPIR_FAULT_NONE;
    readback.format =
        gapir_format_gl((uint32_t)argument(service, 4), (uint32_t)argument(service, 5));
    if (readback.format != NULL) {
        uint32_t row = driver->pack_row_length != 0 ? driver->pack_row_length : readback.width;
        uint32_t alignment = driver->pack_alignment;
        readback.stride =
            (row * readback.format->pixel.bytes + alignment - 1) / alignment * alignment;
    }
    add_readback(driver, &readback);
    return GAPIR_FAULT_NONE;
}

struct gapir_renderer *gapir_driver_renderer(struct gapir_driver *driver, uint32_t id)
{
    for (uint32_t n = 0; n < driver->renderer_count; n++)
        if (driver->renderers[n].id == id)
            return &driver->renderers[n];
    return NULL;
}

static struct gapir_renderer *renderer_of(const struct service *service)
{
    return gapir_driver_renderer(service->driver, (uint32_t)argument(service, 0));
}

/* One of an id that there is takes its place. */
static enum gapir_fault serve_create_renderer(const struct service *service)
{
    struct gapir_driver *driver = service->driver;
    struct gapir_renderer *renderer = renderer_of(service);

    if (renderer == NULL && driver->renderer_count == GAPIR_RENDERERS_MAX)
        return GAPIR_FAULT_NONE;
    if (renderer == NULL)
        renderer = &driver->renderers[driver->renderer_count++];
    *renderer = (struct gapir_renderer){.id = (uint32_t)argument(service, 0),
                                        .width = GAPIR_BACKBUFFER,
                                        .height = GAPIR_BACKBUFFER,
                                        .thread = GAPIR_UNBOUND,
                                        .surfaces = renderer->surfaces + 1};
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_bind_renderer(const struct service *service)
{
    struct gapir_driver *driver = service->driver;
    struct gapir_renderer *renderer = renderer_of(service);

    if (renderer == NULL)
        return GAPIR_FAULT_NONE;
    for (uint32_t n = 0; n < driver->renderer_count; n++)
        if (driver->renderers[n].thread == service->vm->thread)
            driver->renderers[n].thread = GAPIR_UNBOUND;
    renderer->thread = service->vm->thread;
    driver->bound = renderer->id;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_unbind_renderer(const struct service *service)
{
    struct gapir_renderer *renderer = renderer_of(service);

    if (renderer != NULL)
        renderer->thread = GAPIR_UNBOUND;
    return GAPIR_FAULT_NONE;
}

/* A backbuffer of other sides is a new one. */
static enum gapir_fault serve_change_backbuffer(const struct service *service)
{
    struct gapir_renderer *renderer = renderer_of(service);
    uint32_t width = (uint32_t)argument(service, 1), height = (uint32_t)argument(service, 2);

    if (renderer == NULL || (renderer->width == width && renderer->height == height))
        return GAPIR_FAULT_NONE;
    renderer->width = width;
    renderer->height = height;
    renderer->surfaces++;
    return GAPIR_FAULT_NONE;
}

/* How each action is served. */
static enum gapir_fault (*const actions[GAPIR_ACTIONS])(const struct service *service) = {
    [GAPIR_ACTION_NOTHING] = serve_nothing,
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
    [GAPIR_ACTION_GEN_NAMES] = serve_gen_names,
    [GAPIR_ACTION_NEW_NAME] = serve_new_name,
    [GAPIR_ACTION_NEW_NUMBER] = serve_new_number,
    [GAPIR_ACTION_NEW_HANDLE] = serve_new_handle,
    [GAPIR_ACTION_TRUE] = serve_true,
    [GAPIR_ACTION_FRAMEBUFFER_COMPLETE] = serve_framebuffer_complete,
    [GAPIR_ACTION_ALREADY_SIGNALED] = serve_already_signaled,
    [GAPIR_ACTION_EGL_SUCCESS] = serve_egl_success,
    [GAPIR_ACTION_STATUS] = serve_status,
    [GAPIR_ACTION_GET_INTEGER] = serve_get_integer,
    [GAPIR_ACTION_MAP_RANGE] = serve_map_range,
    [GAPIR_ACTION_UNMAP_BUFFER] = serve_unmap_buffer,
    [GAPIR_ACTION_PIXEL_STORE] = serve_pixel_store,
    [GAPIR_ACTION_READ_PIXELS] = serve_read_pixels,
    [GAPIR_ACTION_PRESENT] = serve_present,
    [GAPIR_ACTION_SWAP] = serve_true,
    [GAPIR_ACTION_DELIMITER] = serve_nothing,
    [GAPIR_ACTION_CREATE_RENDERER] = serve_create_renderer,
    [GAPIR_ACTION_BIND_RENDERER] = serve_bind_renderer,
    [GAPIR_ACTION_UNBIND_RENDERER] = serve_unbind_renderer,
    [GAPIR_ACTION_CHANGE_BACKBUFFER] = serve_change_backbuffer,
    [GAPIR_ACTION_EXTERNAL_IMAGE] = serve_new_handle,
};

static enum gapir_fault pop_argument(struct gapir_vm *vm, unsigned type, struct gapir_slot *out)
{
    switch (type) {
    case GAPIR_ANY_POINTER:
        out->type = GAPIR_ABSOLUTE_POINTER;
        return gapir_vm_pop_pointer(vm, &out->value);
    case GAPIR_SIZE:
        out->type = vm->program->pointer_size == 4 ? GAPIR_UINT32 : GAPIR_UINT64;
        return gapir_vm_pop(vm, out->type, &out->value);
    default:
        out->type = (uint8_t)type;
        return gapir_vm_pop(vm, type, &out->value);
    }
}

static unsigned result_type(const struct gapir_vm *vm, unsigned type)
{
    if (type == GAPIR_SIZE)
        return vm->program->pointer_size == 4 ? GAPIR_UINT32 : GAPIR_UINT64;
    return type == GAPIR_ANY_POINTER ? GAPIR_ABSOLUTE_POINTER : type;
}

enum gapir_fault gapir_driver_call(struct gapir_driver *driver, struct gapir_vm *vm)
{
    struct gapir_call *call = &vm->call;
    const struct gapir_function *function = gapir_scan_function(driver->model->scan, call->word);
    enum gapir_fault fault = GAPIR_FAULT_NONE;

    if (function == NULL)
        return GAPIR_FAULT_NOFUNC;
    call->function = function;
    call->count = function->count;
    for (unsigned n = function->count; n-- > 0 && fault == GAPIR_FAULT_NONE;)
        fault = pop_argument(vm, gapir_function_argument(function, n)->type, &call->arguments[n]);
    if (fault != GAPIR_FAULT_NONE)
        return fault;
    uint64_t result = 0;
    struct service service = {driver, vm, call->arguments, call->count, &result};
    enum gapir_action action =
        gapir_model_action(driver->model, gapir_call_api(call->word), function);
    fault = actions[action](&service);
    if (fault != GAPIR_FAULT_NONE || function->result == GAPIR_VOID)
        return fault;
    call->has_result = true;
    call->result.type = (uint8_t)result_type(vm, function->result);
    call->result.value = result & vm->mask[call->result.type];
    return gapir_call_pushes(call->word) ? gapir_vm_push(vm, call->result.type, result)
                                         : GAPIR_FAULT_NONE;
}

void gapir_driver_note_copy(struct gapir_driver *driver, const struct gapir_vm *vm, uint64_t target,
                            uint64_t source, uint32_t size)
{
    struct gapir_location location;

    if (source < vm->plan->windows || target >= vm->plan->windows)
        return;
    location = gapir_vm_locate(vm, source);
    if (location.region == GAPIR_WINDOW)
        driver->copies[driver->copy_count++ % GAPIR_READBACKS] =
            (struct gapir_copy){.target = target, .size = size, .source = location};
}

struct gapir_location gapir_driver_origin(const struct gapir_driver *driver,
                                          const struct gapir_post *post)
{
    struct gapir_location origin = post->location;

    if (origin.region != GAPIR_VOLATILE)
        return origin;
    for (uint64_t n = driver->copy_count; n > 0 && n + GAPIR_READBACKS > driver->copy_count; n--) {
        const struct gapir_copy *copy = &driver->copies[(n - 1) % GAPIR_READBACKS];
        const uint64_t from = post->address - copy->target;

        if (from > copy->size || post->size > copy->size - from)
            continue;
        origin = copy->source;
        origin.offset += from;
        break;
    }
    return origin;
}

struct gapir_object *gapir_driver_object(const struct gapir_driver *driver, uint64_t handle,
                                         enum gapir_object_kind kind)
{
    uint32_t low = 0, high = driver->object_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct gapir_object *object = &driver->objects[middle];
        if (object->handle == handle)
            return object->kind == kind ? object : NULL;
        if (object->handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

struct gapir_object *gapir_driver_add_object(struct gapir_driver *driver,
                                             enum gapir_object_kind kind)
{
    if (driver->object_count == GAPIR_OBJECTS_MAX ||
        GAPIR_GROW(driver->objects, driver->object_count, driver->object_room) != 0)
        return NULL;
    struct gapir_object *object = &driver->objects[driver->object_count++];
    *object = (struct gapir_object){.handle = driver->next_handle, .kind = kind};
    return object;
}

bool gapir_peek32(const struct gapir_vm *vm, uint64_t address, uint32_t *value)
{
    const uint8_t *data;

    if (gapir_vm_read(vm, address, 4, &data) != GAPIR_FAULT_NONE)
        return false;
    *value = bytes_le32(data);
    return true;
}

bool gapir_peek64(const struct gapir_vm *vm, uint64_t address, uint64_t *value)
{
    const uint8_t *data;

    if (gapir_vm_read(vm, address, 8, &data) != GAPIR_FAULT_NONE)
        return false;
    *value = bytes_le64(data);
    return true;
}

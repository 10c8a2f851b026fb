/* SPDX-License-Identifier: MIT */
/*
 * What functions of OpenGL ES do in the null driver, and the replay's own functions that create and
 * bind renderers (gapir.md 3.6): names are numbers, everything succeeds, and readbacks are noted.
 */
#include "formats/gapir/replay/driver_service.h"

static enum gapir_fault serve_gen_names(const struct gapir_service *service)
{
    uint64_t count = gapir_argument(service, 0), address = gapir_argument(service, 1);
    enum gapir_fault fault = gapir_vm_move(service->vm, 4 * count);

    for (uint64_t n = 0; n < count && address != 0 && fault == GAPIR_FAULT_NONE; n++)
        fault = gapir_poke(service->vm, address + 4 * n, 4, service->driver->next_name++);
    return fault;
}

static enum gapir_fault serve_new_name(const struct gapir_service *service)
{
    *service->result = service->driver->next_name++;
    return GAPIR_FAULT_NONE;
}

/* Replays store the locations and indices that they get, and pass them on: each must be unique. */
static enum gapir_fault serve_new_number(const struct gapir_service *service)
{
    *service->result = service->driver->next_number++ & INT32_MAX;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_new_handle(const struct gapir_service *service)
{
    *service->result = service->driver->next_handle++;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_true(const struct gapir_service *service)
{
    *service->result = 1;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_framebuffer_complete(const struct gapir_service *service)
{
    *service->result = 0x8cd5;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_already_signaled(const struct gapir_service *service)
{
    *service->result = 0x911a;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_egl_success(const struct gapir_service *service)
{
    *service->result = 0x3000;
    return GAPIR_FAULT_NONE;
}

/* GL_DELETE_STATUS 0x8b80 is false; compile, link and validate status are true. */
static enum gapir_fault serve_status(const struct gapir_service *service)
{
    uint64_t name = gapir_argument(service, 1);

    if (name < 0x8b81 || name > 0x8b83)
        return GAPIR_FAULT_NONE;
    return gapir_poke_optional(service->vm, gapir_argument(service, 2), 4, 1);
}

/* GL_IMPLEMENTATION_COLOR_READ_TYPE 0x8b9a and _FORMAT 0x8b9b: bytes of RGBA. */
static enum gapir_fault serve_get_integer(const struct gapir_service *service)
{
    uint64_t name = gapir_argument(service, 0);

    if (name != 0x8b9a && name != 0x8b9b)
        return GAPIR_FAULT_NONE;
    return gapir_poke_optional(service->vm, gapir_argument(service, 1), 4,
                               name == 0x8b9a ? 0x1401 : 0x1908);
}

static enum gapir_fault serve_map_range(const struct gapir_service *service)
{
    uint64_t length = gapir_argument(service, 2);
    uint32_t window;

    if (length <= INT32_MAX &&
        gapir_vm_map(service->vm, length, GAPIR_GL_TAG | gapir_argument(service, 0), &window))
        *service->result = service->vm->windows[window].address;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_unmap_buffer(const struct gapir_service *service)
{
    *service->result = 1;
    return gapir_unmap_tagged(service->vm, GAPIR_GL_TAG | gapir_argument(service, 0));
}

static enum gapir_fault serve_pixel_store(const struct gapir_service *service)
{
    uint64_t name = gapir_argument(service, 0), value = gapir_argument(service, 1);

    if (name == 0x0d05 && (value == 1 || value == 2 || value == 4 || value == 8))
        service->driver->pack_alignment = (uint32_t)value;
    if (name == 0x0d02 && value <= INT32_MAX / 16)
        service->driver->pack_row_length = (uint32_t)value;
    return GAPIR_FAULT_NONE;
}

/* glReadPixels(), or glReadnPixels(), where the size of the buffer precedes its pointer. */
static enum gapir_fault serve_read_pixels(const struct gapir_service *service)
{
    struct gapir_driver *driver = service->driver;
    struct gapir_readback readback = {.opengl = true,
                                      .width = (uint32_t)gapir_argument(service, 2),
                                      .height = (uint32_t)gapir_argument(service, 3),
                                      .address = gapir_argument(service, service->count - 1)};

    if (readback.width > INT32_MAX / 16)
        return GAPIR_FAULT_NONE;
    readback.format =
        gapir_format_gl((uint32_t)gapir_argument(service, 4), (uint32_t)gapir_argument(service, 5));
    if (readback.format != NULL) {
        uint32_t row = driver->pack_row_length != 0 ? driver->pack_row_length : readback.width;
        uint32_t alignment = driver->pack_alignment;
        readback.stride =
            (row * readback.format->pixel.bytes + alignment - 1) / alignment * alignment;
    }
    gapir_driver_add_readback(driver, &readback);
    return GAPIR_FAULT_NONE;
}

const struct gapir_renderer *gapir_driver_renderer(const struct gapir_driver *driver, uint32_t id)
{
    for (uint32_t n = 0; n < driver->renderer_count; n++)
        if (driver->renderers[n].id == id)
            return &driver->renderers[n];
    return NULL;
}

const struct gapir_renderer *gapir_driver_bound(const struct gapir_driver *driver)
{
    return driver->bound;
}

static struct gapir_renderer *renderer_of(const struct gapir_service *service)
{
    struct gapir_driver *driver = service->driver;
    const struct gapir_renderer *renderer =
        gapir_driver_renderer(driver, (uint32_t)gapir_argument(service, 0));

    return renderer != NULL ? &driver->renderers[renderer->number] : NULL;
}

/* A new renderer replaces an existing one with the same id. */
static enum gapir_fault serve_create_renderer(const struct gapir_service *service)
{
    struct gapir_driver *driver = service->driver;
    struct gapir_renderer *renderer = renderer_of(service);

    if (renderer == NULL && driver->renderer_count == GAPIR_RENDERERS_MAX)
        return GAPIR_FAULT_NONE;
    if (renderer == NULL)
        renderer = &driver->renderers[driver->renderer_count++];
    *renderer = (struct gapir_renderer){.id = (uint32_t)gapir_argument(service, 0),
                                        .number = (uint32_t)(renderer - driver->renderers),
                                        .width = GAPIR_BACKBUFFER,
                                        .height = GAPIR_BACKBUFFER,
                                        .thread = GAPIR_UNBOUND,
                                        .surfaces = renderer->surfaces + 1};
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_bind_renderer(const struct gapir_service *service)
{
    struct gapir_driver *driver = service->driver;
    struct gapir_renderer *renderer = renderer_of(service);

    if (renderer == NULL)
        return GAPIR_FAULT_NONE;
    for (uint32_t n = 0; n < driver->renderer_count; n++)
        if (driver->renderers[n].thread == service->vm->thread)
            driver->renderers[n].thread = GAPIR_UNBOUND;
    renderer->thread = service->vm->thread;
    driver->bound = renderer;
    return GAPIR_FAULT_NONE;
}

static enum gapir_fault serve_unbind_renderer(const struct gapir_service *service)
{
    struct gapir_renderer *renderer = renderer_of(service);

    if (renderer != NULL)
        renderer->thread = GAPIR_UNBOUND;
    return GAPIR_FAULT_NONE;
}

/* A backbuffer of another size is a new backbuffer. */
static enum gapir_fault serve_change_backbuffer(const struct gapir_service *service)
{
    struct gapir_renderer *renderer = renderer_of(service);
    uint32_t width = (uint32_t)gapir_argument(service, 1),
             height = (uint32_t)gapir_argument(service, 2);

    if (renderer == NULL || (renderer->width == width && renderer->height == height))
        return GAPIR_FAULT_NONE;
    renderer->width = width;
    renderer->height = height;
    renderer->surfaces++;
    return GAPIR_FAULT_NONE;
}

gapir_serve *const gapir_gl_actions[GAPIR_ACTIONS] = {
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
    [GAPIR_ACTION_SWAP] = serve_true,
    [GAPIR_ACTION_CREATE_RENDERER] = serve_create_renderer,
    [GAPIR_ACTION_BIND_RENDERER] = serve_bind_renderer,
    [GAPIR_ACTION_UNBIND_RENDERER] = serve_unbind_renderer,
    [GAPIR_ACTION_CHANGE_BACKBUFFER] = serve_change_backbuffer,
    [GAPIR_ACTION_EXTERNAL_IMAGE] = serve_new_handle,
};

/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/replay.h"

#include "formats/gapir/replay/driver_call.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

static enum gapir_fault on_call(void *context, struct gapir_vm *vm)
{
    struct gapir_vm_instance *instance = context;

    return gapir_driver_call(instance->driver, vm);
}

#define OBSERVED(instance, event)                                                                  \
    ((instance)->observer != NULL && (instance)->observer->event != NULL)

static int on_called(void *context, struct gapir_vm *vm)
{
    struct gapir_vm_instance *instance = context;

    (void)vm;
    return OBSERVED(instance, called) ? instance->observer->called(instance->context, instance) : 0;
}

static int on_entered(void *context, struct gapir_vm *vm, uint64_t steps)
{
    struct gapir_vm_instance *instance = context;

    (void)vm;
    return OBSERVED(instance, entered)
               ? instance->observer->entered(instance->context, instance, steps)
               : 0;
}

static int on_post(void *context, struct gapir_vm *vm, const struct gapir_post *post)
{
    struct gapir_vm_instance *instance = context;

    (void)vm;
    return OBSERVED(instance, post) ? instance->observer->post(instance->context, instance, post)
                                    : 0;
}

static int on_notification(void *context, struct gapir_vm *vm,
                           const struct gapir_notification *notification)
{
    struct gapir_vm_instance *instance = context;

    (void)vm;
    return OBSERVED(instance, notification)
               ? instance->observer->notification(instance->context, instance, notification)
               : 0;
}

static int on_fence(void *context, struct gapir_vm *vm, uint32_t id)
{
    struct gapir_vm_instance *instance = context;

    (void)vm;
    return OBSERVED(instance, fence) ? instance->observer->fence(instance->context, instance, id)
                                     : 0;
}

static int on_resource(void *context, struct gapir_vm *vm, uint32_t index)
{
    struct gapir_vm_instance *instance = context;

    (void)vm;
    return OBSERVED(instance, resource)
               ? instance->observer->resource(instance->context, instance, index)
               : 0;
}

static int on_reading(void *context, struct gapir_vm *vm, const struct gapir_location *location,
                      uint64_t size)
{
    struct gapir_vm_instance *instance = context;

    (void)vm;
    return OBSERVED(instance, reading)
               ? instance->observer->reading(instance->context, instance, location, size)
               : 0;
}

static void on_copying(void *context, const struct gapir_vm *vm, uint64_t target, uint64_t source,
                       uint32_t size)
{
    struct gapir_vm_instance *instance = context;

    gapir_driver_note_copy(instance->driver, vm, target, source, size);
}

static const struct gapir_host host = {
    .call = on_call,
    .called = on_called,
    .entered = on_entered,
    .post = on_post,
    .notification = on_notification,
    .fence = on_fence,
    .resource = on_resource,
    .reading = on_reading,
    .copying = on_copying,
};

static void set_program(struct gapir_replay *replay)
{
    replay->program = (struct gapir_program){
        .code = replay->scan.code,
        .constants = replay->payload.constants.data,
        .constants_size = (uint32_t)replay->payload.constants.size,
        .stack_size = replay->payload.stack_size,
        .volatile_size = replay->payload.volatile_size,
        .resources = replay->resources,
        .resource_count = replay->payload.resource_count,
        .jumps = replay->scan.jumps,
        .jump_count = replay->scan.jump_count,
        .pointer_size = (uint8_t)replay->params.pointer_size,
        .fences_fail = replay->params.fences_fail,
    };
}

/* Returns the API of which a function creates a context or an instance. */
static enum gapir_api asked_api(const struct gapir_replay *replay, uint32_t word,
                                const struct gapir_function *function)
{
    const char *name = gapir_function_name(function);

    if (gapir_model_action(&replay->model, gapir_call_api(word), function) ==
        GAPIR_ACTION_CREATE_RENDERER)
        return GAPIR_API_GLES;
    /* The layout of Vulkan's structures is known for eight-byte pointers only. */
    if (replay->params.pointer_size == 8 &&
        (strcmp(name, "replayCreateVkInstance") == 0 || strcmp(name, "vkCreateInstance") == 0))
        return GAPIR_API_VULKAN;
    return GAPIR_API_NONE;
}

static enum gapir_api find_api(const struct gapir_replay *replay)
{
    const struct gapir_scan *scan = &replay->scan;
    enum gapir_api api = GAPIR_API_NONE;

    for (uint32_t n = 0; n < scan->usage_count && api != GAPIR_API_GLES; n++) {
        const uint32_t word = scan->usages[n].key;
        const struct gapir_function *function = gapir_scan_function(scan, word);
        enum gapir_api asked =
            function != NULL ? asked_api(replay, word, function) : GAPIR_API_NONE;

        if (asked != GAPIR_API_NONE)
            api = asked;
    }
    return api;
}

int gapir_replay_open(struct gapir_bytes payload, struct gapir_bytes index, struct gapir_bytes data,
                      const struct gapir_replay_params *params, struct problems *problems,
                      const struct cancel *cancel, struct gapir_replay **out)
{
    struct gapir_replay *replay = calloc(1, sizeof(*replay));
    int status;

    if (replay == NULL)
        return -ENOMEM;
    replay->params = *params;
    replay->problems = problems;
    status = gapir_payload_read(payload.data, payload.size, problems, cancel, &replay->payload);
    if (status == 0)
        status = gapir_archive_open(index.data, index.size, data.data, data.size, problems,
                                    &replay->archive);
    if (status == 0)
        status = gapir_archive_resolve(&replay->archive, &replay->payload, &replay->resources);
    if (status == 0)
        status = gapir_scan(&replay->payload, &params->scan, problems, cancel, &replay->scan);
    if (status == 0)
        status = gapir_model_create(&replay->scan, &replay->model);
    if (status != 0) {
        gapir_replay_close(&replay);
        return status;
    }
    set_program(replay);
    replay->api = find_api(replay);
    *out = replay;
    return 0;
}

void gapir_replay_close(struct gapir_replay **replay)
{
    if (*replay == NULL)
        return;
    gapir_model_clear(&(*replay)->model);
    gapir_scan_clear(&(*replay)->scan);
    free((*replay)->resources);
    gapir_archive_clear(&(*replay)->archive);
    gapir_payload_clear(&(*replay)->payload);
    free(*replay);
    *replay = NULL;
}

enum gapir_api gapir_replay_api(const struct gapir_replay *replay)
{
    return replay->api;
}

bool gapir_replay_may_draw(const struct gapir_replay *replay)
{
    return replay->params.drawing != GAPIR_DRAW_NONE && gapir_replay_api(replay) != GAPIR_API_NONE;
}

uint64_t gapir_replay_offset(const struct gapir_replay *replay, uint32_t pc)
{
    return replay->payload.opcodes.offset + (uint64_t)pc * 4;
}

int gapir_vm_instance_create(const struct gapir_replay *replay, struct gapir_vm_instance **out)
{
    struct gapir_vm_instance *instance = calloc(1, sizeof(*instance));
    int status;

    if (instance == NULL)
        return -ENOMEM;
    instance->replay = replay;
    status = gapir_driver_create(&replay->model, &instance->driver);
    if (status == 0)
        status = gapir_vm_create(&replay->program, &replay->params.limits, &host, instance,
                                 &instance->vm);
    if (status != 0) {
        gapir_vm_instance_destroy(&instance);
        return status;
    }
    *out = instance;
    return 0;
}

void gapir_vm_instance_destroy(struct gapir_vm_instance **instance)
{
    if (*instance == NULL)
        return;
    gapir_vm_destroy(&(*instance)->vm);
    gapir_driver_destroy(&(*instance)->driver);
    free(*instance);
    *instance = NULL;
}

int gapir_vm_instance_run(struct gapir_vm_instance *instance, uint64_t steps,
                          const struct cancel *cancel)
{
    return gapir_vm_run(instance->vm, steps, cancel);
}

void gapir_vm_instance_shape(const struct gapir_vm_instance *instance,
                             const struct gapir_post *post, struct gapir_framebuffer_shape *out)
{
    const struct gapir_framebuffer *said = &instance->replay->params.framebuffer;

    gapir_framebuffer_shape_find(instance->driver, instance->vm, post, out);
    if (out->format != NULL || said->format == NULL ||
        post->size != (uint64_t)said->width * said->height * said->format->pixel.bytes)
        return;
    *out = (struct gapir_framebuffer_shape){.format = said->format,
                                            .width = said->width,
                                            .height = said->height,
                                            .stride = said->width * said->format->pixel.bytes,
                                            .bottom_up = said->bottom_up};
}

/*
 * Returns `size` bytes of a window, or NULL. The extent was recorded by another run; if the
 * graphics worker fills in memory, this run may have mapped a smaller window.
 */
static const uint8_t *window_bytes(const struct gapir_vm *vm, const struct gapir_extent *extent,
                                   uint64_t size)
{
    const struct gapir_window *window;

    if (extent->window >= vm->window_count)
        return NULL;
    window = &vm->windows[extent->window];
    if (window->data == NULL || extent->offset > window->size ||
        size > window->size - extent->offset)
        return NULL;
    return window->data + extent->offset;
}

const uint8_t *gapir_vm_instance_bytes(const struct gapir_vm_instance *instance,
                                       const struct gapir_extent *extent)
{
    const struct gapir_vm *vm = instance->vm;

    switch (extent->region) {
    case GAPIR_CONSTANTS:
        return vm->program->constants + extent->offset;
    case GAPIR_VOLATILE:
        return vm->memory + extent->offset;
    case GAPIR_WINDOW:
        return window_bytes(vm, extent, extent->size);
    default:
        return (const uint8_t *)"";
    }
}

/*
 * Finds the next bytes of volatile memory, from `offset` up to `end` at most, that are all written
 * or all unwritten. Returns NULL for unwritten bytes, which are zero.
 */
static const uint8_t *next_run(const struct gapir_vm *vm, uint64_t offset, uint64_t end,
                               uint64_t *size)
{
    bool is_written;
    uint64_t run_end = gapir_written_run(&vm->written, offset, &is_written);

    *size = (run_end < end ? run_end : end) - offset;
    return is_written ? vm->memory + offset : NULL;
}

bool gapir_vm_instance_copy(const struct gapir_vm_instance *instance,
                            const struct gapir_extent *extent, size_t size, uint8_t *out)
{
    const uint8_t *bytes = extent->region == GAPIR_WINDOW
                               ? window_bytes(instance->vm, extent, size)
                               : gapir_vm_instance_bytes(instance, extent);
    uint64_t offset = extent->offset, length;

    if (extent->region != GAPIR_VOLATILE) {
        if (bytes != NULL)
            memcpy(out, bytes, size);
        return bytes != NULL;
    }
    for (const uint64_t end = offset + size; offset < end; offset += length, out += length) {
        bytes = next_run(instance->vm, offset, end, &length);
        if (bytes != NULL)
            memcpy(out, bytes, length);
        else
            memset(out, 0, length);
    }
    return true;
}

uint32_t gapir_vm_instance_crc32(const struct gapir_vm_instance *instance)
{
    static const uint8_t zeros[1 << 16];
    const uint64_t end = instance->vm->program->volatile_size;
    uint64_t offset = 0, length;
    uint32_t crc = 0;

    for (; offset < end; offset += length) {
        const uint8_t *bytes = next_run(instance->vm, offset, end, &length);

        if (bytes == NULL && length > sizeof(zeros))
            length = sizeof(zeros);
        crc = libdeflate_crc32(crc, bytes != NULL ? bytes : zeros, length);
    }
    return crc;
}

uint64_t gapir_vm_instance_footprint(const struct gapir_vm_instance *instance)
{
    const struct gapir_vm *vm = instance->vm;

    return sizeof(*vm) + vm->program->volatile_size +
           (vm->program->volatile_size >> GAPIR_GRAIN_OF_MEMORY) / 8 + vm->window_bytes +
           (vm->window_bytes >> GAPIR_GRAIN_OF_MAPPED) / 8 +
           (uint64_t)vm->room * sizeof(*vm->stack) +
           (uint64_t)vm->window_room * sizeof(*vm->windows);
}

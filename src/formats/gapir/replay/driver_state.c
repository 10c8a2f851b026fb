/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/driver_state.h"

#include "base/array.h"
#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_HANDLE = 0x1001,
    SEARCH_COST = 16, /* of searching one window, in bytes moved */
};

int gapir_driver_create(const struct gapir_model *model, struct gapir_driver **out)
{
    struct gapir_driver *driver = calloc(1, sizeof(*driver));

    if (driver == NULL)
        return -ENOMEM;
    driver->model = model;
    driver->next_handle = FIRST_HANDLE;
    driver->next_name = 1;
    driver->pack_alignment = 4;
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

enum gapir_fault gapir_poke(struct gapir_vm *vm, uint64_t address, unsigned size, uint64_t value)
{
    uint8_t *data;
    enum gapir_fault fault = gapir_vm_write(vm, address, size, &data);

    if (fault == GAPIR_FAULT_NONE)
        bytes_put_le(data, size, value);
    return fault;
}

enum gapir_fault gapir_poke_optional(struct gapir_vm *vm, uint64_t address, unsigned size,
                                     uint64_t value)
{
    return address != 0 ? gapir_poke(vm, address, size, value) : GAPIR_FAULT_NONE;
}

enum gapir_fault gapir_unmap_tagged(struct gapir_vm *vm, uint64_t tag)
{
    enum gapir_fault fault = gapir_vm_move(vm, SEARCH_COST * (uint64_t)vm->window_count);

    for (uint32_t n = vm->window_count; n-- > 0 && fault == GAPIR_FAULT_NONE;)
        if (vm->windows[n].mapped && vm->windows[n].tag == tag) {
            gapir_vm_unmap(vm, n);
            break;
        }
    return fault;
}

void gapir_driver_add_readback(struct gapir_driver *driver, const struct gapir_readback *readback)
{
    driver->readbacks[driver->readback_count++ % GAPIR_READBACKS] = *readback;
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

struct gapir_object *gapir_driver_add_object(struct gapir_driver *driver, struct gapir_vm *vm,
                                             enum gapir_object_kind kind)
{
    if (driver->object_count == GAPIR_OBJECTS_MAX)
        return NULL;
    if (ARRAY_GROW(driver->objects, driver->object_count, driver->object_room) != 0) {
        gapir_vm_run_short(vm);
        return NULL;
    }
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

#include "formats/gapir/replay/driver_state.h"

#include "formats/gapir/grow.h"

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

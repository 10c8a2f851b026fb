/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/vk/objects.h"

#include <stdlib.h>
#include <string.h>

enum { OBJECTS_MAX = 1 << 20 };

/* Returns the index of the first object whose name is not below `name`. */
static uint32_t place_of(const struct vk_session *session, uint64_t name)
{
    uint32_t low = 0, high = session->object_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (session->objects[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct vk_object *vk_object_find(const struct vk_session *session, uint64_t name)
{
    uint32_t n = place_of(session, name);

    return n < session->object_count && session->objects[n].name == name ? &session->objects[n]
                                                                         : NULL;
}

static bool grow(struct vk_session *session)
{
    uint32_t room = session->object_room != 0 ? 2 * session->object_room : 64;
    struct vk_object *objects = session->object_room < OBJECTS_MAX
                                    ? realloc(session->objects, room * sizeof(*objects))
                                    : NULL;

    if (objects == NULL)
        return vk_note(session, "there are too many objects");
    session->objects = objects;
    session->object_room = room;
    return true;
}

struct vk_object *vk_object_put(struct vk_session *session, uint64_t name, uint64_t handle,
                                uint32_t type)
{
    struct vk_object *object = vk_object_find(session, name);
    uint32_t n = place_of(session, name);

    /* Memory counts until it is freed by its name, so that name must not be reused. */
    if (object != NULL && object->size != 0) {
        vk_note(session, "it gives a new object the name of existing memory");
        return NULL;
    }
    if (object == NULL) {
        if (session->object_count == session->object_room && !grow(session))
            return NULL;
        object = &session->objects[n];
        memmove(object + 1, object, (session->object_count - n) * sizeof(*object));
        session->object_count++;
    }
    *object =
        (struct vk_object){.name = name, .handle = handle, .type = type, .device = session->device};
    return object;
}

void vk_object_remove(struct vk_session *session, uint64_t name)
{
    struct vk_object *object = vk_object_find(session, name);

    if (object == NULL)
        return;
    session->object_count--;
    memmove(object, object + 1,
            (size_t)(session->objects + session->object_count - object) * sizeof(*object));
}

bool vk_object_handle(const struct vk_session *session, uint32_t type, uint64_t name,
                      uint64_t *handle)
{
    const struct vk_object *object = name != 0 ? vk_object_find(session, name) : NULL;

    *handle = 0;
    if (name == 0)
        return true;
    if (object == NULL || object->type != type ||
        (object->device != NULL && session->device != NULL && object->device != session->device))
        return false;
    *handle = object->handle;
    return true;
}

VkDevice vk_object_device(const struct vk_session *session, uint64_t name)
{
    const struct vk_object *object = vk_object_find(session, name);

    return object != NULL ? object->device : NULL;
}

uint32_t vk_handle_type(const char *name, unsigned parameter)
{
    const struct gapir_vk_command *command = gapir_vk_command_find(name);

    return command != NULL && parameter < command->count
               ? gapir_vk_members[command->first + parameter].type
               : 0;
}

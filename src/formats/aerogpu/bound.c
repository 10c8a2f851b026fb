/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/bound.h"

struct list {
    const struct aerogpu_machine *machine;
    struct aerogpu_bound *entries;
    uint32_t count;
};

/*
 * Adds an entry whose other bytes are 0, padding included, so that lists can be compared bytewise.
 */
static struct aerogpu_bound *add(struct list *list, enum aerogpu_bound_role role, uint32_t stage,
                                 uint32_t slot)
{
    struct aerogpu_bound *entry = &list->entries[list->count++];

    memset(entry, 0, sizeof(*entry));
    entry->role = (uint8_t)role;
    entry->stage = (uint8_t)stage;
    entry->slot = (uint8_t)slot;
    return entry;
}

/* Adds a texture or a view of a texture. */
static void add_texture(struct list *list, enum aerogpu_bound_role role, uint32_t stage,
                        uint32_t slot, uint32_t handle)
{
    struct aerogpu_bound *entry;
    struct aerogpu_target target;

    if (handle == 0 || !aerogpu_machine_target_of(list->machine, handle, &target))
        return;
    entry = add(list, role, stage, slot);
    entry->life = aerogpu_machine_bound(list->machine, handle)->number;
    entry->drawn = target.texture->drawn;
}

static void add_buffer(struct list *list, enum aerogpu_bound_role role, uint32_t stage,
                       uint32_t slot, const struct aerogpu_binding *binding)
{
    const struct aerogpu_object *object = aerogpu_machine_bound(list->machine, binding->buffer);
    struct aerogpu_bound *entry;

    if (object == NULL || object->kind != AEROGPU_OBJECT_BUFFER)
        return;
    entry = add(list, role, stage, slot);
    entry->life = object->number;
    entry->drawn = object->drawn;
    entry->offset = binding->offset;
    entry->size = binding->size;
}

static void add_targets(struct list *list)
{
    const struct aerogpu_pipeline *pipeline = &list->machine->pipeline;
    struct aerogpu_bound *entry;

    for (uint32_t i = 0; i < pipeline->colour_count; i++)
        add_texture(list, AEROGPU_BOUND_COLOUR, 0, i, pipeline->colours[i]);
    if (aerogpu_machine_draws_back(list->machine)) {
        entry = add(list, AEROGPU_BOUND_COLOUR, 0, 0);
        entry->life = AEROGPU_NONE;
        entry->drawn = list->machine->back_drawn;
    }
    add_texture(list, AEROGPU_BOUND_DEPTH, 0, 0, pipeline->depth_stencil);
}

static void add_program(struct list *list, uint32_t stage)
{
    const struct aerogpu_object *shader =
        aerogpu_objects_find(&list->machine->objects, AEROGPU_SPACE_SHADER,
                             list->machine->pipeline.stages[stage].shader);

    if (shader != NULL)
        add(list, AEROGPU_BOUND_PROGRAM, stage, 0)->life = shader->number;
}

uint32_t aerogpu_bound_list(const struct aerogpu_machine *machine, struct aerogpu_bound *out)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;
    const struct aerogpu_binding indices = {pipeline->index_buffer, pipeline->index_offset, 0, 0};
    struct list list = {machine, out, 0};

    add_targets(&list);
    for (uint32_t stage = 0; stage < AEROGPU_PROGRAMS; stage++)
        for (uint32_t i = 0; i < AEROGPU_TEXTURE_SLOTS; i++)
            add_texture(&list, AEROGPU_BOUND_TEXTURE, stage, i,
                        pipeline->stages[stage].textures[i]);
    for (uint32_t i = 0; i < AEROGPU_VERTEX_SLOTS; i++) {
        const struct aerogpu_binding binding = {pipeline->vertices[i].buffer,
                                                pipeline->vertices[i].offset, 0, 0};

        add_buffer(&list, AEROGPU_BOUND_VERTEX, 0, i, &binding);
    }
    add_buffer(&list, AEROGPU_BOUND_INDEX, 0, 0, &indices);
    for (uint32_t stage = 0; stage < AEROGPU_PROGRAMS; stage++)
        for (uint32_t i = 0; i < AEROGPU_CONSTANT_SLOTS; i++)
            add_buffer(&list, AEROGPU_BOUND_CONSTANT, stage, i,
                       &pipeline->stages[stage].constants[i]);
    for (uint32_t stage = 0; stage < AEROGPU_PROGRAMS; stage++)
        add_program(&list, stage);
    return list.count;
}

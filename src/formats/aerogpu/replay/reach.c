/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/reach.h"

enum {
    ALL_CHANNELS = 0xF,
    D3DRS_ALPHABLENDENABLE = 27,
    D3DRS_COLORWRITEENABLE = 168,
    D3DRS_COLORWRITEENABLE1 = 190,
    D3DRS_COLORWRITEENABLE3 = 192
};

void aerogpu_part_of(const struct aerogpu_scan *scan, const struct aerogpu_shot *shot,
                     struct aerogpu_part *out)
{
    *out = (struct aerogpu_part){.life = shot->life,
                                 .mip = shot->mip,
                                 .layer = shot->layer,
                                 .width = shot->width,
                                 .height = shot->height};
    if (shot->life != AEROGPU_NONE)
        out->shape = scan->lives[shot->life].object.shape;
}

static uint32_t word(const struct aerogpu_command *command, uint32_t offset)
{
    return aerogpu_u32(command, offset);
}

/* Returns whether a handle names the texture. The back buffer has no handle. */
static bool names(const struct aerogpu_machine *machine, uint32_t handle,
                  const struct aerogpu_part *part)
{
    const struct aerogpu_object *object = aerogpu_machine_resource(machine, handle);

    return part->life != AEROGPU_NONE && object != NULL && object->kind == AEROGPU_OBJECT_TEXTURE &&
           object->number == part->life;
}

/*
 * Returns whether drawing to a bound target writes the subresource. A view of several layers writes
 * all of them.
 */
static bool is_target(const struct aerogpu_machine *machine, uint32_t original,
                      const struct aerogpu_part *part)
{
    struct aerogpu_target target;

    if (!aerogpu_machine_target_of(machine, original, &target) ||
        target.texture->number != part->life || target.mip != part->mip)
        return false;
    return part->layer >= target.layer && part->layer - target.layer < target.layers;
}

static bool is_drawn_to(const struct aerogpu_machine *machine, const struct aerogpu_part *part)
{
    if (part->life == AEROGPU_NONE)
        return aerogpu_machine_draws_back(machine);
    for (uint32_t slot = 0; slot < machine->pipeline.colour_count; slot++)
        if (is_target(machine, machine->pipeline.colours[slot], part))
            return true;
    return false;
}

static bool has_render_state(const struct aerogpu_pipeline *pipeline, uint32_t state)
{
    return (pipeline->render_states_set[state / 64] >> state % 64 & 1) != 0;
}

static bool masks_channels(const struct aerogpu_pipeline *pipeline, uint32_t state)
{
    return has_render_state(pipeline, state) &&
           (pipeline->render_states[state] & ALL_CHANNELS) != ALL_CHANNELS;
}

/*
 * Returns whether a draw may blend, or leave channels unwritten, by the state of either Direct3D
 * version.
 */
static bool blends(const struct aerogpu_pipeline *pipeline)
{
    if (pipeline->blend.enable != 0 || (pipeline->blend.write_mask & ALL_CHANNELS) != ALL_CHANNELS)
        return true;
    if (has_render_state(pipeline, D3DRS_ALPHABLENDENABLE) &&
        pipeline->render_states[D3DRS_ALPHABLENDENABLE] != 0)
        return true;
    for (uint32_t state = D3DRS_COLORWRITEENABLE1; state <= D3DRS_COLORWRITEENABLE3; state++)
        if (masks_channels(pipeline, state))
            return true;
    return masks_channels(pipeline, D3DRS_COLORWRITEENABLE);
}

static bool draw(const struct aerogpu_machine *machine, const struct aerogpu_command *command,
                 const struct aerogpu_part *part, struct aerogpu_reach *out)
{
    struct aerogpu_target painted;

    if (!is_drawn_to(machine, part))
        return false;
    out->kind = AEROGPU_REACH_DRAW;
    out->unshaded = aerogpu_machine_is_unshaded(machine, command);
    out->blends = !out->unshaded && blends(&machine->pipeline);
    if (!out->unshaded)
        return true;
    if (!aerogpu_machine_painted(machine, &painted))
        return false;
    return painted.texture == NULL || (painted.texture->number == part->life &&
                                       painted.mip == part->mip && painted.layer == part->layer);
}

/*
 * Sets the bytes of the texture that are written. Returns whether some of them may be the
 * subresource's.
 */
static bool upload(const struct aerogpu_part *part, uint64_t offset, uint64_t length,
                   struct aerogpu_reach *out)
{
    struct aerogpu_subresource sub;

    out->kind = AEROGPU_REACH_UPLOAD;
    out->begin = offset;
    out->end = offset + length;
    return aerogpu_subresource(&part->shape, part->mip, part->layer, &sub) && length > 0 &&
           out->begin < sub.offset + sub.size && out->end > sub.offset;
}

static bool copy(const struct aerogpu_command *command, const struct aerogpu_part *part,
                 struct aerogpu_reach *out)
{
    out->kind = AEROGPU_REACH_COPY;
    out->left = word(command, AEROGPU_AT_COPY_TEXTURE2D_DST_X);
    out->top = word(command, AEROGPU_AT_COPY_TEXTURE2D_DST_Y);
    out->right = out->left + word(command, AEROGPU_AT_COPY_TEXTURE2D_WIDTH);
    out->bottom = out->top + word(command, AEROGPU_AT_COPY_TEXTURE2D_HEIGHT);
    return word(command, AEROGPU_AT_COPY_TEXTURE2D_DST_MIP) == part->mip &&
           word(command, AEROGPU_AT_COPY_TEXTURE2D_DST_LAYER) == part->layer &&
           out->left < out->right && out->top < out->bottom;
}

/* A texture is created, or it lives already and its backing memory is read again. */
static bool create(const struct aerogpu_player *player, const struct aerogpu_life *life,
                   const struct aerogpu_part *part, struct aerogpu_reach *out)
{
    uint32_t command = player->submission != AEROGPU_NONE ? player->command.number : 0;

    if (life->created.record != player->record - 1 || life->created.command != command)
        return word(&player->command, AEROGPU_AT_CREATE_TEXTURE2D_ALLOC) != 0 &&
               upload(part, 0, aerogpu_shape_size(&part->shape), out);
    out->kind = AEROGPU_REACH_CREATE;
    return true;
}

static bool find_a3a0(const struct aerogpu_player *player, const struct aerogpu_scan *scan,
                      const struct aerogpu_part *part, struct aerogpu_reach *out)
{
    const struct aerogpu_machine *machine = &player->machine;
    const struct aerogpu_command *command = &player->command;

    switch (command->opcode) {
    case AEROGPU_CREATE_TEXTURE2D:
        return names(machine, word(command, AEROGPU_AT_CREATE_TEXTURE2D_TEXTURE), part) &&
               create(player, &scan->lives[part->life], part, out);
    case AEROGPU_UPLOAD_RESOURCE:
        return names(machine, word(command, AEROGPU_AT_UPLOAD_RESOURCE_RESOURCE), part) &&
               upload(part, aerogpu_u64(command, AEROGPU_AT_UPLOAD_RESOURCE_OFFSET),
                      command->tail_length, out);
    case AEROGPU_RESOURCE_DIRTY_RANGE:
        return names(machine, word(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_RESOURCE), part) &&
               upload(part, aerogpu_u64(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_OFFSET),
                      aerogpu_u64(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_SIZE), out);
    case AEROGPU_COPY_TEXTURE2D:
        return names(machine, word(command, AEROGPU_AT_COPY_TEXTURE2D_DST), part) &&
               copy(command, part, out);
    case AEROGPU_CLEAR:
        out->kind = AEROGPU_REACH_CLEAR;
        return (word(command, AEROGPU_AT_CLEAR_FLAGS) & AEROGPU_CLEAR_COLOUR) != 0 &&
               is_drawn_to(machine, part);
    case AEROGPU_DRAW:
    case AEROGPU_DRAW_INDEXED:
        return draw(machine, command, part, out);
    default:
        return false;
    }
}

bool aerogpu_reach_find(const struct aerogpu_player *player, const struct aerogpu_scan *scan,
                        const struct aerogpu_part *part, struct aerogpu_reach *out)
{
    const struct aerogpu_command *command = &player->command;

    *out = (struct aerogpu_reach){.right = part->width, .bottom = part->height, .end = UINT64_MAX};
    if (player->refusal != NULL || command->type == NULL)
        return false;
    if (command->type->dialect == AEROGPU_A3A0)
        return find_a3a0(player, scan, part, out);
    out->kind = command->opcode == AEROGPU_A_CLEAR ? AEROGPU_REACH_CLEAR : AEROGPU_REACH_DRAW;
    return part->life == AEROGPU_NONE &&
           (command->opcode == AEROGPU_A_CLEAR || command->opcode == AEROGPU_A_DRAW);
}

/*
 * Gets the bytes of the texel's block in the texture's linear layout. Returns false if there are
 * none.
 */
static bool find_bytes(const struct aerogpu_part *part, uint32_t x, uint32_t y, uint64_t *begin,
                       uint64_t *end)
{
    struct aerogpu_format_info format = {0};
    struct aerogpu_subresource sub;

    if (!aerogpu_format_find(part->shape.format, &format) ||
        !aerogpu_subresource(&part->shape, part->mip, part->layer, &sub))
        return false;
    *begin = sub.offset + (uint64_t)sub.pitch * (y / format.block) +
             (uint64_t)format.bytes * (x / format.block);
    *end = *begin + format.bytes;
    return true;
}

bool aerogpu_reach_has(const struct aerogpu_reach *reach, const struct aerogpu_part *part,
                       uint32_t x, uint32_t y)
{
    uint64_t begin, end;

    if (x < reach->left || x >= reach->right || y < reach->top || y >= reach->bottom)
        return false;
    return reach->kind != AEROGPU_REACH_UPLOAD ||
           (find_bytes(part, x, y, &begin, &end) && begin < reach->end && end > reach->begin);
}

bool aerogpu_reach_replaces(const struct aerogpu_reach *reach, const struct aerogpu_part *part,
                            uint32_t x, uint32_t y)
{
    uint64_t begin, end;

    if (reach->kind == AEROGPU_REACH_DRAW)
        return !reach->blends;
    return reach->kind != AEROGPU_REACH_UPLOAD ||
           (find_bytes(part, x, y, &begin, &end) && reach->begin <= begin && reach->end >= end);
}

bool aerogpu_reach_is_whole(const struct aerogpu_reach *reach, const struct aerogpu_part *part)
{
    struct aerogpu_subresource sub;

    if (reach->kind == AEROGPU_REACH_UPLOAD)
        return aerogpu_subresource(&part->shape, part->mip, part->layer, &sub) &&
               reach->begin <= sub.offset && reach->end >= sub.offset + sub.size;
    return reach->kind != AEROGPU_REACH_DRAW && reach->left == 0 && reach->top == 0 &&
           reach->right >= part->width && reach->bottom >= part->height;
}

/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/replay.h"

#include "formats/aerogpu/decode/layout.h"
#include "formats/aerogpu/replay/player.h"
#include "formats/aerogpu/replay/soft_draw.h"

#include <errno.h>
#include <stdlib.h>

enum {
    BACK_BYTES = 4,               /* bytes of a texel of the implicit back buffer */
    CHECKPOINT_BYTES = 256 << 20, /* maximum size of checkpoints, not counting the replay itself */
};

/*
 * The contents that an object shares with its copies in checkpoints until one of them is written
 * to.
 */
struct contents {
    unsigned users;
    uint64_t size;
    uint8_t bytes[];
};

struct aerogpu_cpu_replay {
    struct aerogpu_player player;
    uint8_t *back; /* RGBA8 rows */
    struct aerogpu_limits limits;
    bool has_contents;
    const struct cancel *cancel;
    struct aerogpu_checkpoints checkpoints;
    uint8_t *backs[AEROGPU_CHECKPOINTS_MAX]; /* `back` of each checkpoint */
    uint64_t held;                           /* bytes of all contents */
    struct cache *cache; /* the cache that checkpoints are charged to; may be NULL */
    uint64_t account;
};

static struct contents *contents_of(const struct aerogpu_object *object)
{
    return object->contents;
}

static struct contents *new_contents(struct aerogpu_cpu_replay *cpu, uint64_t size)
{
    struct contents *contents = calloc(1, sizeof(*contents) + size);

    if (contents == NULL)
        return NULL;
    contents->users = 1;
    contents->size = size;
    cpu->held += size;
    return contents;
}

static int make_contents(void *context, struct aerogpu_object *object)
{
    uint64_t size = aerogpu_object_size(object);

    if (size == 0)
        return 0;
    object->contents = new_contents(context, size);
    return object->contents != NULL ? 0 : -ENOMEM;
}

static void forget_contents(void *context, struct aerogpu_object *object)
{
    struct aerogpu_cpu_replay *cpu = context;
    struct contents *contents = contents_of(object);

    object->contents = NULL;
    if (contents == NULL || --contents->users > 0)
        return;
    cpu->held -= contents->size;
    free(contents);
}

static void share_contents(void *context, struct aerogpu_object *copy)
{
    (void)context;
    if (copy->contents != NULL)
        contents_of(copy)->users++;
}

/* Gives an object contents of its own before they are written to. */
static int own(struct aerogpu_cpu_replay *cpu, struct aerogpu_object *object)
{
    struct contents *shared = contents_of(object), *copy = NULL;

    if (shared == NULL || shared->users == 1)
        return 0;
    copy = new_contents(cpu, shared->size);
    if (copy == NULL)
        return -ENOMEM;
    memcpy(copy->bytes, shared->bytes, shared->size);
    shared->users--;
    object->contents = copy;
    return 0;
}

static int write_contents(void *context, struct aerogpu_object *object, uint64_t offset,
                          const uint8_t *bytes, uint64_t length)
{
    int status = length > 0 ? own(context, object) : 0;

    if (status == 0 && length > 0)
        memcpy(contents_of(object)->bytes + offset, bytes, length);
    return status;
}

static uint32_t word(const struct aerogpu_command *command, uint32_t offset)
{
    return aerogpu_u32(command, offset);
}

/* Returns the guest memory of an allocation for writing, or NULL if there is not enough memory. */
static uint8_t *writable(struct aerogpu_allocation *allocation)
{
    if (allocation->copy == NULL) {
        allocation->copy = malloc(allocation->held);
        if (allocation->copy == NULL)
            return NULL;
        memcpy(allocation->copy, allocation->bytes, allocation->held);
    }
    return allocation->copy;
}

static int write_back(struct aerogpu_cpu_replay *cpu, const struct aerogpu_object *object,
                      uint64_t offset, uint64_t length)
{
    struct aerogpu_allocation *allocation =
        aerogpu_memory_find(cpu->player.machine.memory, object->alloc);
    uint8_t *memory;

    if (allocation == NULL ||
        aerogpu_memory_bytes(allocation, object->alloc_offset + offset, length) == NULL)
        return -EIO; /* cannot happen: the machine has checked it */
    memory = writable(allocation);
    if (memory == NULL)
        return -ENOMEM;
    memcpy(memory + object->alloc_offset + offset, contents_of(object)->bytes + offset, length);
    return 0;
}

static int copy_buffer(struct aerogpu_cpu_replay *cpu, const struct aerogpu_copy *copy,
                       struct aerogpu_object *dst, const struct aerogpu_object *src)
{
    memmove(contents_of(dst)->bytes + copy->to_offset, contents_of(src)->bytes + copy->from_offset,
            copy->size);
    return copy->flags != 0 ? write_back(cpu, dst, copy->to_offset, copy->size) : 0;
}

/* Returns the block of a texture that holds a corner, and gets the distance of rows of blocks. */
static uint8_t *rectangle(const struct aerogpu_object *texture, const struct aerogpu_corner *corner,
                          uint32_t *pitch)
{
    struct aerogpu_format_info format = {0};
    struct aerogpu_subresource sub = {0};

    aerogpu_format_find(texture->shape.format, &format);
    aerogpu_subresource(&texture->shape, corner->mip, corner->layer, &sub);
    *pitch = sub.pitch;
    return contents_of(texture)->bytes + sub.offset +
           (size_t)sub.pitch * (corner->y / format.block) +
           (size_t)format.bytes * (corner->x / format.block);
}

static int copy_texture(struct aerogpu_cpu_replay *cpu, const struct aerogpu_copy *copy,
                        struct aerogpu_object *dst, const struct aerogpu_object *src)
{
    struct aerogpu_format_info format = {0};
    uint32_t to_pitch = 0, from_pitch = 0;
    uint8_t *to = rectangle(dst, &copy->to, &to_pitch);
    const uint8_t *from = rectangle(src, &copy->from, &from_pitch);
    uint32_t rows = 0, bytes = 0;
    bool upwards = dst == src && to > from;

    aerogpu_format_find(dst->shape.format, &format);
    rows = (copy->height + format.block - 1) / format.block;
    bytes = (copy->width + format.block - 1) / format.block * format.bytes;
    for (uint32_t i = 0; i < rows; i++) {
        size_t row = upwards ? rows - 1 - i : i;

        memmove(to + row * to_pitch, from + row * from_pitch, bytes);
    }
    if (copy->flags == 0)
        return 0;
    for (uint32_t i = 0; i < rows; i++, to += to_pitch) {
        int status = write_back(cpu, dst, (uint64_t)(to - contents_of(dst)->bytes), bytes);

        if (status != 0)
            return status;
    }
    return 0;
}

/* The machine has checked all parameters of the copy, and read them only once. */
static int copy_object(void *context, const struct aerogpu_copy *copy, struct aerogpu_object *dst,
                       struct aerogpu_object *src)
{
    int status = own(context, dst);

    if (status != 0)
        return status;
    if (dst->kind == AEROGPU_OBJECT_BUFFER)
        return copy_buffer(context, copy, dst, src);
    return copy_texture(context, copy, dst, src);
}

const uint8_t *aerogpu_cpu_replay_target(const struct aerogpu_cpu_replay *cpu,
                                         const struct aerogpu_target *target, uint32_t *pitch)
{
    if (target->texture != NULL)
        return rectangle(target->texture,
                         &(struct aerogpu_corner){.mip = target->mip, .layer = target->layer},
                         pitch);
    *pitch = cpu->limits.back_width * BACK_BYTES;
    return cpu->back;
}

/* The same for writing. Returns NULL if there is not enough memory. */
static uint8_t *target_bytes(struct aerogpu_cpu_replay *cpu, const struct aerogpu_target *target,
                             uint32_t *pitch)
{
    if (target->texture != NULL && own(cpu, target->texture) != 0)
        return NULL;
    return (uint8_t *)aerogpu_cpu_replay_target(cpu, target, pitch);
}

static int fill_layer(struct aerogpu_cpu_replay *cpu, const struct aerogpu_target *target,
                      const uint8_t *texel, uint32_t bytes)
{
    uint32_t pitch = 0;
    uint8_t *row = target_bytes(cpu, target, &pitch);

    if (row == NULL)
        return -ENOMEM;
    for (uint32_t y = 0; y < target->height && bytes > 0; y++, row += pitch) {
        if (cancel_requested(cpu->cancel))
            return -EINTR;
        for (uint32_t x = 0; x < target->width; x++)
            memcpy(row + (size_t)bytes * x, texel, bytes);
    }
    return 0;
}

/* Fills all layers of a target with texels of `format`. */
static int fill_target(struct aerogpu_cpu_replay *cpu, const struct aerogpu_target *target,
                       uint32_t format, const float colour[4])
{
    struct aerogpu_target layer = *target;
    uint8_t texel[4];
    uint32_t bytes = aerogpu_colour_encode(format, colour, texel);
    int status = 0;

    for (uint32_t i = 0; status == 0 && i < target->layers; i++, layer.layer++)
        status = fill_layer(cpu, &layer, texel, bytes);
    return status;
}

static int fill_depth_layer(struct aerogpu_cpu_replay *cpu, const struct aerogpu_target *target,
                            uint32_t bits, uint32_t mask)
{
    uint32_t pitch = 0;
    uint8_t *row = target_bytes(cpu, target, &pitch);

    if (row == NULL)
        return -ENOMEM;
    for (uint32_t y = 0; y < target->height; y++, row += pitch) {
        if (cancel_requested(cpu->cancel))
            return -EINTR;
        for (uint32_t x = 0; x < target->width; x++) {
            uint32_t texel = (bytes_le32(row + (size_t)4 * x) & ~mask) | (bits & mask);

            for (int i = 0; i < 4; i++)
                row[(size_t)4 * x + (size_t)i] = (uint8_t)(texel >> 8 * i);
        }
    }
    return 0;
}

static int fill_depth(struct aerogpu_cpu_replay *cpu, const struct aerogpu_target *target,
                      const struct aerogpu_command *command)
{
    struct aerogpu_target layer = *target;
    uint32_t flags = word(command, AEROGPU_AT_CLEAR_FLAGS), mask = 0;
    uint32_t bits = aerogpu_depth_encode(
        target->format, aerogpu_f32(command, AEROGPU_AT_CLEAR_DEPTH),
        word(command, AEROGPU_AT_CLEAR_STENCIL), (flags & AEROGPU_CLEAR_DEPTH) != 0,
        (flags & AEROGPU_CLEAR_STENCIL) != 0, &mask);
    int status = 0;

    for (uint32_t i = 0; status == 0 && i < target->layers; i++, layer.layer++)
        status = fill_depth_layer(cpu, &layer, bits, mask);
    return status;
}

/* Clears a target as the state says. */
static int clear_colour(struct aerogpu_cpu_replay *cpu, const struct aerogpu_target *target,
                        const float colour[4])
{
    return fill_target(
        cpu, target, aerogpu_machine_written_format(&cpu->player.machine, target->format), colour);
}

static int clear_a3a0(struct aerogpu_cpu_replay *cpu, const struct aerogpu_command *command)
{
    const struct aerogpu_machine *machine = &cpu->player.machine;
    uint32_t flags = word(command, AEROGPU_AT_CLEAR_FLAGS);
    struct aerogpu_format_info format;
    struct aerogpu_target target;
    float colour[4];
    int status = 0;

    for (uint32_t i = 0; i < 4; i++)
        colour[i] = aerogpu_f32(command, AEROGPU_AT_CLEAR_COLOR + 4 * i);
    if ((flags & AEROGPU_CLEAR_COLOUR) != 0) {
        for (uint32_t slot = 0; status == 0 && slot < machine->pipeline.colour_count; slot++)
            if (aerogpu_machine_target(machine, slot, &target))
                status = clear_colour(cpu, &target, colour);
        if (status == 0 && aerogpu_machine_draws_back(machine)) {
            aerogpu_machine_shown(machine, &target);
            status = clear_colour(cpu, &target, colour);
        }
    }
    if (status == 0 && (flags & (AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL)) != 0 &&
        aerogpu_machine_target_of(machine, machine->pipeline.depth_stencil, &target) &&
        aerogpu_format_find(target.format, &format) && format.depth)
        status = fill_depth(cpu, &target, command);
    return status;
}

static int clear(void *context, const struct aerogpu_command *command)
{
    struct aerogpu_cpu_replay *cpu = context;
    struct aerogpu_target target;
    float colour[4];

    if (command->type->dialect == AEROGPU_A3A0)
        return clear_a3a0(cpu, command);
    for (uint32_t i = 0; i < 4; i++)
        colour[i] = aerogpu_f32(command, AEROGPU_AT_A_CLEAR_COLOR + 4 * i);
    aerogpu_machine_back(&cpu->player.machine, &target);
    return fill_target(cpu, &target, target.format, colour);
}

/* A draw without shaders to one target. */
struct target_painting {
    uint32_t format, bytes, pitch;
    uint32_t written; /* bytes written of a texel; the unused byte of X8 formats is not */
    uint8_t *texels;
};

static void paint(void *context, uint32_t x, uint32_t y, const float colour[4])
{
    const struct target_painting *painting = context;
    uint8_t texel[4];

    aerogpu_colour_encode(painting->format, colour, texel);
    memcpy(painting->texels + (size_t)painting->pitch * y + (size_t)painting->bytes * x, texel,
           painting->written);
}

static int draw_onto(struct aerogpu_cpu_replay *cpu, const struct aerogpu_command *command,
                     const struct aerogpu_target *target)
{
    static const float nothing[4];
    struct aerogpu_format_info format = {0};
    struct target_painting painting = {
        .format = aerogpu_machine_written_format(&cpu->player.machine, target->format)};
    const struct aerogpu_soft_draw draw = {.machine = &cpu->player.machine,
                                           .command = command,
                                           .target = target,
                                           .cancel = cpu->cancel,
                                           .paint = paint,
                                           .context = &painting};
    uint8_t texel[4];

    painting.bytes = aerogpu_colour_encode(target->format, nothing, texel);
    if (painting.bytes == 0)
        return 0;
    painting.written =
        aerogpu_format_find(target->format, &format) && format.opaque && painting.bytes == 4
            ? painting.bytes - 1
            : painting.bytes;
    painting.texels = target_bytes(cpu, target, &painting.pitch);
    return painting.texels != NULL ? aerogpu_soft_draw(&draw) : -ENOMEM;
}

static int draw(void *context, const struct aerogpu_command *command)
{
    struct aerogpu_cpu_replay *cpu = context;
    struct aerogpu_target target;

    if (command->type->dialect != AEROGPU_A3A0 ||
        !aerogpu_machine_is_unshaded(&cpu->player.machine, command))
        return 0;
    return aerogpu_machine_painted(&cpu->player.machine, &target) ? draw_onto(cpu, command, &target)
                                                                  : 0;
}

static const struct aerogpu_effects effects = {
    .create = make_contents,
    .forget = forget_contents,
    .share = share_contents,
    .write = write_contents,
    .copy = copy_object,
    .clear = clear,
    .draw = draw,
};

static size_t back_size(const struct aerogpu_cpu_replay *cpu)
{
    return (size_t)cpu->limits.back_width * cpu->limits.back_height * BACK_BYTES;
}

static void begin(struct aerogpu_cpu_replay *cpu, const struct aerogpu_index *index)
{
    memset(cpu->back, 0, back_size(cpu));
    aerogpu_player_init(&cpu->player, index, cpu->has_contents ? &effects : NULL, cpu,
                        &cpu->limits);
}

int aerogpu_cpu_replay_create(const struct aerogpu_index *index,
                              const struct aerogpu_limits *limits, bool contents,
                              struct cache *cache, struct aerogpu_cpu_replay **out)
{
    struct aerogpu_cpu_replay *cpu = calloc(1, sizeof(*cpu));

    *out = NULL;
    if (cpu == NULL)
        return -ENOMEM;
    cpu->has_contents = contents;
    cpu->limits = *limits;
    cpu->cache = cache;
    cpu->back = malloc(back_size(cpu));
    if (cpu->back == NULL) {
        free(cpu);
        return -ENOMEM;
    }
    aerogpu_checkpoints_init(&cpu->checkpoints, index->frame_count);
    begin(cpu, index);
    *out = cpu;
    return 0;
}

static void drop_checkpoint(struct aerogpu_cpu_replay *cpu, int number)
{
    aerogpu_checkpoints_drop(&cpu->checkpoints, number);
    free(cpu->backs[number]);
    cpu->backs[number] = NULL;
}

void aerogpu_cpu_replay_destroy(struct aerogpu_cpu_replay **cpu)
{
    if (*cpu == NULL)
        return;
    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++)
        drop_checkpoint(*cpu, i);
    if ((*cpu)->cache != NULL)
        cache_charge((*cpu)->cache, &(*cpu)->account, 0, 0);
    aerogpu_player_clear(&(*cpu)->player);
    free((*cpu)->back);
    free(*cpu);
    *cpu = NULL;
}

static void rewind_to_begin(struct aerogpu_cpu_replay *cpu)
{
    const struct aerogpu_index *index = cpu->player.index;

    aerogpu_player_clear(&cpu->player);
    begin(cpu, index);
}

/* Returns whether the memory of checkpoints fits in their share of the cache. */
static bool charge(struct aerogpu_cpu_replay *cpu)
{
    uint64_t live = cpu->player.machine.live;
    uint64_t bytes = cpu->held > live ? cpu->held - live : 0;

    if (cpu->cache == NULL)
        return bytes <= CHECKPOINT_BYTES;
    return cache_charge(cpu->cache, &cpu->account, bytes, CHECKPOINT_BYTES) == 0;
}

static void drop_half(struct aerogpu_cpu_replay *cpu)
{
    aerogpu_checkpoints_spread(&cpu->checkpoints);
    for (int number = 0; number < AEROGPU_CHECKPOINTS_MAX; number++)
        if (aerogpu_checkpoints_misaligned(&cpu->checkpoints, number))
            drop_checkpoint(cpu, number);
}

/* Drops every second checkpoint as long as they take too much memory. */
static void thin_out(struct aerogpu_cpu_replay *cpu)
{
    for (unsigned i = 0; i < 32 && !charge(cpu); i++)
        drop_half(cpu);
}

/* Keeps a checkpoint, or continues without it if there is not enough memory. */
static void keep(struct aerogpu_cpu_replay *cpu)
{
    int number;

    if (aerogpu_checkpoints_full(&cpu->checkpoints))
        drop_half(cpu);
    number = aerogpu_checkpoints_wanted(&cpu->checkpoints, &cpu->player);
    if (number < 0)
        return;
    cpu->backs[number] = malloc(back_size(cpu));
    if (cpu->backs[number] == NULL ||
        aerogpu_checkpoints_add(&cpu->checkpoints, number, &cpu->player) != 0) {
        drop_checkpoint(cpu, number);
        return;
    }
    memcpy(cpu->backs[number], cpu->back, back_size(cpu));
    thin_out(cpu);
}

/* Goes back to the last checkpoint at or before `tick`, or to the beginning. */
static void go_back(struct aerogpu_cpu_replay *cpu, uint64_t tick)
{
    const struct aerogpu_index *index = cpu->player.index;
    int number = aerogpu_checkpoints_find(&cpu->checkpoints, tick);

    rewind_to_begin(cpu);
    if (number < 0)
        return;
    aerogpu_player_clear(&cpu->player);
    if (aerogpu_player_copy(&cpu->player, &cpu->checkpoints.list[number].player) == 0)
        memcpy(cpu->back, cpu->backs[number], back_size(cpu));
    else
        begin(cpu, index);
    cpu->player.index = index;
}

/* Returns whether a checkpoint is nearer to `tick` than the current position. */
static bool is_nearer(const struct aerogpu_cpu_replay *cpu, uint64_t tick)
{
    int number = aerogpu_checkpoints_find(&cpu->checkpoints, tick);

    return number >= 0 && cpu->checkpoints.list[number].player.tick > cpu->player.tick;
}

int aerogpu_cpu_replay_seek(struct aerogpu_cpu_replay *cpu, uint64_t tick,
                            const struct cancel *cancel)
{
    enum aerogpu_step step = AEROGPU_STEP_COMMAND;
    int status = 0;

    if (cpu->player.tick > tick || is_nearer(cpu, tick))
        go_back(cpu, tick);
    cpu->cancel = cancel;
    while (status == 0 && step != AEROGPU_STEP_DONE && cpu->player.tick < tick) {
        if (cancel_requested(cancel)) /* a step may be a copy of millions of texels */
            return -EINTR;
        status = aerogpu_player_step(&cpu->player, &step);
        if (status == 0 && step == AEROGPU_STEP_FRAME)
            keep(cpu);
    }
    /* A command that was done only in part cannot be continued. */
    if (status != 0)
        rewind_to_begin(cpu);
    return status;
}

void aerogpu_cpu_replay_follow(struct aerogpu_cpu_replay *cpu, const struct aerogpu_index *index)
{
    cpu->player.index = index;
}

const struct aerogpu_machine *aerogpu_cpu_replay_machine(const struct aerogpu_cpu_replay *cpu)
{
    return &cpu->player.machine;
}

const struct aerogpu_player *aerogpu_cpu_replay_player(const struct aerogpu_cpu_replay *cpu)
{
    return &cpu->player;
}

const uint8_t *aerogpu_cpu_replay_contents(const struct aerogpu_object *object)
{
    return object->contents != NULL ? contents_of(object)->bytes : NULL;
}

/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/cut/initial_state.h"

#include "base/hash.h"
#include "dxbc/dxbc.h"

#include <errno.h>
#include <stdlib.h>

enum { STREAM_MAX = 1 << 30, CANCEL_EVERY = 1024 };

struct aerogpu_initial_alloc {
    uint32_t alloc, lives;
    UT_hash_handle hh;
};

static struct aerogpu_initial_life *life_of(const struct aerogpu_object *object)
{
    return object->contents;
}

static bool is_stored(const struct aerogpu_object *object)
{
    return object->space == AEROGPU_SPACE_RESOURCE &&
           (object->kind == AEROGPU_OBJECT_BUFFER || object->kind == AEROGPU_OBJECT_TEXTURE);
}

/*
 * Returns the size of the command that creates the object. Its contents are counted separately once
 * they are written to.
 */
static uint64_t create_bytes(const struct aerogpu_initial_life *life)
{
    return life->command.type->min_size + (life->object->kind == AEROGPU_OBJECT_SHADER ||
                                                   life->object->kind == AEROGPU_OBJECT_LAYOUT
                                               ? life->command.size - life->command.type->min_size
                                               : 0);
}

static uint64_t upload_bytes(const struct aerogpu_initial_life *life)
{
    return AEROGPU_UPLOAD_BYTES + (aerogpu_object_size(life->object) + 3) / 4 * 4;
}

/* Guest memory. */

static int add_alloc(struct aerogpu_initial *initial, uint32_t number)
{
    struct aerogpu_initial_alloc *alloc = NULL;

    HASH_FIND(hh, initial->allocs, &number, sizeof(number), alloc);
    if (alloc == NULL) {
        alloc = calloc(1, sizeof(*alloc));
        if (alloc == NULL)
            return -ENOMEM;
        alloc->alloc = number;
        HASH_ADD(hh, initial->allocs, alloc, sizeof(alloc->alloc), alloc);
        if (alloc->hh.tbl == NULL) {
            free(alloc); /* uthash could not allocate */
            return -ENOMEM;
        }
    }
    alloc->lives++;
    return 0;
}

static void drop_alloc(struct aerogpu_initial *initial, uint32_t number)
{
    struct aerogpu_initial_alloc *alloc = NULL;

    HASH_FIND(hh, initial->allocs, &number, sizeof(number), alloc);
    if (alloc == NULL || --alloc->lives > 0)
        return;
    HASH_DEL(initial->allocs, alloc);
    free(alloc);
}

void aerogpu_initial_allocs(const struct aerogpu_initial *initial,
                            void (*emit)(void *context, uint32_t alloc), void *context)
{
    for (const struct aerogpu_initial_alloc *alloc = initial->allocs; alloc != NULL;
         alloc = alloc->hh.next)
        emit(context, alloc->alloc);
}

/* Follows the backing memory of an object, which may change when the object is created again. */
static int follow_backing(struct aerogpu_initial *initial, struct aerogpu_initial_life *life)
{
    const struct aerogpu_object *object = life->object;
    uint64_t end = object->alloc_offset + aerogpu_object_size(object);
    int status = 0;

    if (object->alloc != 0 && end > initial->memory)
        initial->memory = end;
    if (life->alloc == object->alloc)
        return 0;
    if (life->alloc != 0)
        drop_alloc(initial, life->alloc);
    life->alloc = 0;
    if (object->alloc != 0)
        status = add_alloc(initial, object->alloc);
    if (status == 0)
        life->alloc = object->alloc;
    return status;
}

/* Effects. */

static int begin_life(void *context, struct aerogpu_object *object)
{
    struct aerogpu_initial *initial = context;
    struct aerogpu_initial_life *life = calloc(1, sizeof(*life));

    if (life == NULL)
        return -ENOMEM;
    life->object = object;
    life->command = initial->player.command;
    life->previous = initial->last;
    if (initial->last != NULL)
        initial->last->next = life;
    else
        initial->first = life;
    initial->last = life;
    object->contents = life;
    initial->made += create_bytes(life);
    return 0;
}

static void end_life(void *context, struct aerogpu_object *object)
{
    struct aerogpu_initial *initial = context;
    struct aerogpu_initial_life *life = life_of(object);

    if (life == NULL)
        return;
    initial->made -= create_bytes(life) + (life->written ? upload_bytes(life) : 0);
    initial->lossy -= life->lossy;
    if (life->alloc != 0)
        drop_alloc(initial, life->alloc);
    if (life->previous != NULL)
        life->previous->next = life->next;
    else
        initial->first = life->next;
    if (life->next != NULL)
        life->next->previous = life->previous;
    else
        initial->last = life->previous;
    object->contents = NULL;
    free(life);
}

static void mark_written(struct aerogpu_initial *initial, const struct aerogpu_object *object)
{
    struct aerogpu_initial_life *life = life_of(object);

    if (life == NULL || life->written || !is_stored(object))
        return;
    life->written = true;
    initial->made += upload_bytes(life);
}

static void mark_lossy(struct aerogpu_initial *initial, const struct aerogpu_object *object)
{
    struct aerogpu_initial_life *life = life_of(object);

    if (life == NULL || life->lossy)
        return;
    life->lossy = true;
    initial->lossy++;
}

static int write_object(void *context, struct aerogpu_object *object, uint64_t offset,
                        const uint8_t *bytes, uint64_t length)
{
    (void)offset, (void)bytes, (void)length;
    mark_written(context, object);
    return 0;
}

static int copy_object(void *context, const struct aerogpu_copy *copy, struct aerogpu_object *dst,
                       struct aerogpu_object *src)
{
    (void)copy;
    mark_written(context, dst);
    if (life_of(src) != NULL && life_of(src)->lossy)
        mark_lossy(context, dst);
    return 0;
}

/*
 * Returns whether an upload restores everything that was drawn to a target. The worker keeps 8 bits
 * of each channel.
 */
static bool tells_all(const struct aerogpu_target *target)
{
    struct aerogpu_format_info info = {0};

    aerogpu_format_find(target->texture->shape.format, &info);
    return info.depth || info.bytes == 4;
}

static void mark_target(struct aerogpu_initial *initial, const struct aerogpu_target *target)
{
    mark_written(initial, target->texture);
    if (!tells_all(target))
        mark_lossy(initial, target->texture);
}

/*
 * Marks all targets that a draw or CLEAR may write to. Returns false if that is the implicit back
 * buffer.
 */
static bool mark_targets(struct aerogpu_initial *initial)
{
    const struct aerogpu_machine *machine = &initial->player.machine;
    struct aerogpu_target target;

    for (uint32_t slot = 0; slot < machine->pipeline.colour_count; slot++)
        if (aerogpu_machine_target(machine, slot, &target))
            mark_target(initial, &target);
    if (aerogpu_machine_target_of(machine, machine->pipeline.depth_stencil, &target))
        mark_target(initial, &target);
    return !aerogpu_machine_draws_back(machine);
}

static void mark_unordered(struct aerogpu_initial *initial)
{
    const struct aerogpu_machine *machine = &initial->player.machine;

    for (int program = 0; program < AEROGPU_PROGRAMS; program++)
        for (uint32_t slot = 0; slot < AEROGPU_UNORDERED_SLOTS; slot++) {
            const struct aerogpu_object *object = aerogpu_machine_bound(
                machine, machine->pipeline.stages[program].unordered[slot].buffer);

            if (object != NULL)
                mark_written(initial, object);
        }
}

static bool counts(const struct aerogpu_machine *machine, int program)
{
    const struct aerogpu_object *shader = aerogpu_objects_find(
        &machine->objects, AEROGPU_SPACE_SHADER, machine->pipeline.stages[program].shader);

    return shader != NULL && dxbc_counts(shader->shader.code, shader->shader.length);
}

/*
 * Marks buffers whose counters may be changed by shaders: no command can read such a counter, even
 * if none ever set it.
 */
static void mark_counted(struct aerogpu_initial *initial, bool compute)
{
    const struct aerogpu_machine *machine = &initial->player.machine;

    for (int program = 0; program < AEROGPU_PROGRAMS; program++) {
        const struct aerogpu_binding *bindings = machine->pipeline.stages[program].unordered;
        bool asked = false, counted = false;

        for (uint32_t slot = 0; slot < AEROGPU_UNORDERED_SLOTS; slot++) {
            const struct aerogpu_object *object =
                aerogpu_machine_bound(machine, bindings[slot].buffer);

            if (object == NULL || (program == DXBC_CS) != compute)
                continue;
            counted = asked ? counted : counts(machine, program);
            asked = true;
            if (counted)
                mark_lossy(initial, object);
        }
    }
}

/* Keeps the colour of a CLEAR of the implicit back buffer as it is written, encoded or not. */
static void keep_colour(struct aerogpu_initial *initial, const struct aerogpu_command *command)
{
    uint32_t format = aerogpu_machine_written_format(&initial->player.machine, AEROGPU_R8G8B8A8);
    float colour[4];
    uint8_t texel[4];

    for (uint32_t i = 0; i < 4; i++)
        colour[i] = aerogpu_f32(command, AEROGPU_AT_CLEAR_COLOR + 4 * i);
    if (format != AEROGPU_R8G8B8A8) {
        aerogpu_colour_encode(format, colour, texel);
        for (uint32_t i = 0; i < 4; i++)
            colour[i] = (float)texel[i] / 255;
    }
    memcpy(initial->colour, colour, sizeof(initial->colour));
}

static int clear(void *context, const struct aerogpu_command *command)
{
    struct aerogpu_initial *initial = context;
    bool colour = command->type->dialect == AEROGPU_A3A0 &&
                  (aerogpu_u32(command, AEROGPU_AT_CLEAR_FLAGS) & AEROGPU_CLEAR_COLOUR) != 0;

    if (command->type->dialect != AEROGPU_A3A0 || mark_targets(initial) || !colour)
        return 0;
    initial->back = AEROGPU_BACK_CLEARED;
    keep_colour(initial, command);
    return 0;
}

static int draw(void *context, const struct aerogpu_command *command)
{
    struct aerogpu_initial *initial = context;

    if (command->type->dialect != AEROGPU_A3A0)
        return 0;
    mark_unordered(initial);
    mark_counted(initial, command->opcode == AEROGPU_DISPATCH);
    if (command->opcode != AEROGPU_DISPATCH && !mark_targets(initial))
        initial->back = AEROGPU_BACK_DRAWN;
    return 0;
}

static int unbind(void *context, enum aerogpu_space space, uint32_t handle)
{
    struct aerogpu_initial *initial = context;

    return aerogpu_state_commands_destroy(&initial->state, space, handle);
}

static const struct aerogpu_effects effects = {
    .create = begin_life,
    .forget = end_life,
    .unbind = unbind,
    .write = write_object,
    .copy = copy_object,
    .clear = clear,
    .draw = draw,
};

/* The walk. */

int aerogpu_initial_init(struct aerogpu_initial *initial, const struct aerogpu_index *index,
                         const struct aerogpu_limits *limits)
{
    *initial = (struct aerogpu_initial){0};
    aerogpu_player_init(&initial->player, index, &effects, initial, limits);
    return aerogpu_state_commands_init(&initial->state);
}

void aerogpu_initial_clear(struct aerogpu_initial *initial)
{
    struct aerogpu_initial_alloc *alloc = NULL, *next = NULL;

    if (initial->player.index != NULL)
        aerogpu_player_clear(&initial->player);
    aerogpu_state_commands_clear(&initial->state);
    HASH_ITER (hh, initial->allocs, alloc, next) {
        HASH_DEL(initial->allocs, alloc);
        free(alloc);
    }
    *initial = (struct aerogpu_initial){0};
}

/* Marks buffers whose counters were set: they count on from there, and no command can read them. */
static void note_counters(struct aerogpu_initial *initial, const struct aerogpu_command *command)
{
    for (uint32_t at = 0; at + 16 <= command->tail_length; at += 16) {
        const struct aerogpu_object *object =
            aerogpu_machine_resource(&initial->player.machine, bytes_le32(command->tail + at));

        if (object != NULL && bytes_le32(command->tail + at + 12) != UINT32_MAX)
            mark_lossy(initial, object);
    }
}

/* Handles a resource that was created, maybe again, or a command that sets state. */
static int note_state(struct aerogpu_initial *initial, const struct aerogpu_command *command)
{
    struct aerogpu_object *object = NULL;

    if (command->opcode != AEROGPU_CREATE_BUFFER && command->opcode != AEROGPU_CREATE_TEXTURE2D)
        return aerogpu_state_commands_add(&initial->state, &initial->player.machine.objects,
                                          command);
    object = aerogpu_machine_resource(&initial->player.machine,
                                      aerogpu_u32(command, AEROGPU_PACKET_HEADER));
    return object != NULL ? follow_backing(initial, life_of(object)) : 0;
}

static int note_command(struct aerogpu_initial *initial)
{
    const struct aerogpu_command *command = &initial->player.command;

    if (initial->player.refusal != NULL)
        return 0;
    if (command->type->dialect == AEROGPU_APPENDIX_A) {
        initial->appendix = true;
        return 0;
    }
    if (!initial->commands || command->abi_minor > initial->minor)
        initial->minor = command->abi_minor;
    initial->commands = true;
    if (command->opcode == AEROGPU_SET_UNORDERED_ACCESS_BUFFERS)
        note_counters(initial, command);
    return note_state(initial, command);
}

bool aerogpu_initial_leaves_out(const struct aerogpu_index *index, uint32_t number)
{
    struct aerogpu_record record;
    struct aerogpu_command command;
    struct aerogpu_error error;

    aerogpu_index_record(index, number, &record);
    if (record.type == AEROGPU_RECORD_BEGIN || record.type == AEROGPU_RECORD_PRESENT)
        return true;
    if (record.type != AEROGPU_RECORD_PACKET || aerogpu_packet_is_stream(&record) ||
        !aerogpu_index_packet(index, &record, &command, &error) || command.type == NULL)
        return false;
    return command.type->dialect == AEROGPU_APPENDIX_A
               ? command.opcode == AEROGPU_A_PRESENT
               : command.opcode == AEROGPU_PRESENT || command.opcode == AEROGPU_PRESENT_EX;
}

static void count_records(struct aerogpu_initial *initial, const struct aerogpu_frame *frame)
{
    const struct aerogpu_index *index = initial->player.index;

    for (uint32_t i = frame->first; i < frame->end; i++)
        if (!aerogpu_initial_leaves_out(index, i))
            initial->replayed += AEROGPU_RECORD_HEADER + (uint64_t)index->places[i].length;
}

int aerogpu_initial_next(struct aerogpu_initial *initial, const struct cancel *cancel)
{
    struct aerogpu_player *player = &initial->player;
    uint32_t frame = player->frame;
    enum aerogpu_step step = AEROGPU_STEP_COMMAND;
    int status = 0;

    initial->is_inside = true;
    while (status == 0 && step != AEROGPU_STEP_DONE && player->frame == frame) {
        if (player->tick % CANCEL_EVERY == 0 && cancel_requested(cancel))
            return -EINTR;
        status = aerogpu_player_step(player, &step);
        if (status == 0 && step == AEROGPU_STEP_COMMAND)
            status = note_command(initial);
    }
    if (status == 0) {
        count_records(initial, &player->index->frames[frame]);
        initial->is_inside = false;
    }
    return status;
}

void aerogpu_initial_size(const struct aerogpu_initial *initial, struct aerogpu_initial_size *out)
{
    const struct aerogpu_objects *objects = &initial->player.machine.objects;
    uint64_t bytes =
        initial->state.bytes + initial->made +
        (initial->back == AEROGPU_BACK_CLEARED ? AEROGPU_CLEAR_BYTES : 0) +
        (uint64_t)AEROGPU_ALIAS_BYTES * objects->aliases +
        (uint64_t)AEROGPU_SHARE_BYTES * aerogpu_objects_tokens(objects) +
        (objects->retired > 0 ? AEROGPU_STUB_BUFFER_BYTES + AEROGPU_DESTROY_BYTES : 0) +
        (uint64_t)AEROGPU_DESTROY_BYTES * objects->reserved;

    *out = (struct aerogpu_initial_size){0};
    if (initial->appendix || initial->lossy > 0 || initial->back == AEROGPU_BACK_DRAWN ||
        bytes > STREAM_MAX) {
        out->replayed = true;
        out->records = initial->replayed;
    } else if (bytes > 0) {
        out->stream = AEROGPU_STREAM_BYTES + AEROGPU_MARKER_BYTES + bytes;
        out->ranges = HASH_COUNT(initial->allocs);
        out->memory = out->ranges > 0 ? initial->memory : 0;
    }
}

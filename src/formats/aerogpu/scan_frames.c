/* SPDX-License-Identifier: MIT */
/*
 * The second pass of the scan: executes the frames on the state machine, without contents, and
 * stores what they draw and present, the lives of objects, and the sizes of pictures.
 */
#include "formats/aerogpu/scan_state.h"

#include "dxbc/dxbc.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The array `bound` may take about 1/4 of the memory that is left. */
enum { BOUND_SHARE = 4 };

/* Returns the slot of the colour target that is shown. Without any, the result does not matter. */
static uint8_t shown_slot(const struct aerogpu_machine *machine)
{
    struct aerogpu_target target;

    for (uint8_t slot = 0; slot < machine->pipeline.colour_count; slot++)
        if (aerogpu_machine_target(machine, slot, &target))
            return slot;
    return 0;
}

static void shot_of(const struct aerogpu_scanning *scanning, const struct aerogpu_target *target,
                    struct aerogpu_shot *out)
{
    *out = (struct aerogpu_shot){
        .tick = scanning->player.tick,
        .width = target->width,
        .height = target->height,
        .format = target->format,
        .mip = target->mip,
        .layer = target->layer,
        .life = target->texture != NULL ? target->texture->number : AEROGPU_NONE,
        .slot = target->texture != NULL ? shown_slot(&scanning->player.machine)
                                        : (uint8_t)AEROGPU_SHOT_BACK,
        .drawn = aerogpu_machine_drawn(&scanning->player.machine, target),
    };
}

static struct aerogpu_where where_now(const struct aerogpu_scanning *scanning)
{
    const struct aerogpu_player *player = &scanning->player;

    return (struct aerogpu_where){
        .record = player->record - 1,
        .submission = player->submission,
        .command = player->submission != AEROGPU_NONE ? player->command.number : 0,
    };
}

static void note_shader(struct aerogpu_scan *scan, const struct aerogpu_object *object)
{
    enum dxbc_shader_kind kind = DXBC_SHADER_BAD;

    if (object->kind != AEROGPU_OBJECT_SHADER || object->shader.code == NULL)
        return;
    kind = dxbc_classify(object->shader.code, object->shader.length);
    if (kind != DXBC_SHADER_BAD)
        scan->shaders[kind - DXBC_SHADER_GENUINE]++;
}

static int begin_life(void *context, struct aerogpu_object *object)
{
    struct aerogpu_scanning *scanning = context;
    struct aerogpu_scan *scan = scanning->scan;
    int status = aerogpu_scan_grow(scanning, &scan->lives, &scanning->life_capacity,
                                   scan->life_count, sizeof(*scan->lives));

    if (status != 0)
        return status;
    scan->lives[scan->life_count++] = (struct aerogpu_life){
        .object = *object,
        .created = where_now(scanning),
        .destroyed = {.record = AEROGPU_NONE},
        .texture =
            object->kind == AEROGPU_OBJECT_VIEW ? object->view.texture->number : AEROGPU_NONE,
    };
    note_shader(scan, object);
    return 0;
}

/* The contents of an object are read just before the command that ends its life. */
static void end_life(void *context, struct aerogpu_object *object)
{
    struct aerogpu_scanning *scanning = context;
    struct aerogpu_life *life = NULL;

    if (object->number >= scanning->scan->life_count)
        return;
    life = &scanning->scan->lives[object->number];
    life->drawn = object->drawn;
    if (scanning->frame < scanning->index->frame_count) {
        life->destroyed = where_now(scanning);
        life->end = scanning->player.tick - 1;
    } else {
        life->end = scanning->player.tick;
    }
}

/*
 * Gets the target that a command shows. Commands of Appendix A use only the back buffer, whatever
 * commands of A3A0 have bound.
 */
static void find_shown(const struct aerogpu_scanning *scanning,
                       const struct aerogpu_command *command, struct aerogpu_target *out)
{
    const struct aerogpu_machine *machine = &scanning->player.machine;

    if (command->type->dialect == AEROGPU_A3A0)
        aerogpu_machine_shown(machine, out);
    else
        aerogpu_machine_back(machine, out);
}

static int note_present(void *context, const struct aerogpu_command *command)
{
    struct aerogpu_scanning *scanning = context;
    struct aerogpu_scan *scan = scanning->scan;
    struct aerogpu_scan_frame *frame = &scan->frames[scanning->frame];
    struct aerogpu_where where = where_now(scanning);
    struct aerogpu_target target;
    struct aerogpu_scan_present present = {
        .record = where.record, .submission = where.submission, .command = where.command};
    int status = aerogpu_scan_grow(scanning, &scan->presents, &scanning->present_capacity,
                                   scan->present_count, sizeof(*scan->presents));

    if (status != 0)
        return status;
    if (command->type->dialect == AEROGPU_A3A0)
        present.scanout = aerogpu_u32(command, AEROGPU_AT_PRESENT_SCANOUT);
    find_shown(scanning, command, &target);
    shot_of(scanning, &target, &present.shot);
    scan->presents[scan->present_count++] = present;
    frame->presents++;
    frame->shot = present.shot;
    frame->presented = target.texture != NULL ? AEROGPU_PRESENTED : AEROGPU_PRESENTED_IMPLICIT;
    return 0;
}

const struct aerogpu_effects aerogpu_scan_effects = {
    .create = begin_life, .forget = end_life, .present = note_present};

static bool is_clear(const struct aerogpu_command *command)
{
    return command->opcode == (command->type->dialect == AEROGPU_APPENDIX_A
                                   ? (uint32_t)AEROGPU_A_CLEAR
                                   : (uint32_t)AEROGPU_CLEAR);
}

/*
 * Makes room for `count` more elements of `bound`. These may take only a share of the memory, since
 * draws are useful without them.
 */
static int make_room(struct aerogpu_scanning *scanning, uint32_t count)
{
    struct aerogpu_scan *scan = scanning->scan;
    int status = 0;

    while (status == 0 && scan->bound_count + count > scanning->bound_capacity) {
        if (scanning->bound_capacity * sizeof(*scan->bound) > scanning->left / BOUND_SHARE)
            return -EFBIG;
        status = aerogpu_scan_grow(scanning, &scan->bound, &scanning->bound_capacity,
                                   scanning->bound_capacity, sizeof(*scan->bound));
    }
    return status;
}

/*
 * Stores what is bound at a draw. Shares the range of the draw before if that has the same bound.
 */
static int note_bound(struct aerogpu_scanning *scanning, const struct aerogpu_scan_draw *before,
                      struct aerogpu_scan_draw *draw)
{
    struct aerogpu_scan *scan = scanning->scan;
    struct aerogpu_bound bound[AEROGPU_BOUND_MAX];
    uint32_t count = aerogpu_bound_list(&scanning->player.machine, bound);
    int status;

    if (scan->bound_full)
        return 0;
    if (before != NULL && before->bound == count &&
        memcmp(scan->bound + before->first_bound, bound, count * sizeof(*bound)) == 0) {
        draw->first_bound = before->first_bound;
        draw->bound = count;
        return 0;
    }
    status = make_room(scanning, count);
    if (status == -EFBIG) {
        scan->bound_full = true;
        problems_add(scanning->problems, PROBLEM_WARNING, PROBLEM_NOWHERE, draw->record,
                     "the bindings of later draws would take more than max-memory allows, and are "
                     "not shown");
        return 0;
    }
    if (status != 0)
        return status;
    memcpy(scan->bound + scan->bound_count, bound, count * sizeof(*bound));
    draw->first_bound = scan->bound_count;
    draw->bound = count;
    scan->bound_count += count;
    return 0;
}

/* Stores a draw that was executed, with what it left in the first colour target. */
static int note_draw(struct aerogpu_scanning *scanning)
{
    struct aerogpu_scan *scan = scanning->scan;
    struct aerogpu_scan_frame *frame = &scan->frames[scanning->frame];
    struct aerogpu_where where = where_now(scanning);
    struct aerogpu_scan_draw draw = {
        .record = where.record, .submission = where.submission, .command = where.command};
    const struct aerogpu_command *command = &scanning->player.command;
    struct aerogpu_target target;
    int status = aerogpu_scan_grow(scanning, &scan->draws, &scanning->draw_capacity,
                                   scan->draw_count, sizeof(*scan->draws));

    if (status != 0)
        return status;
    find_shown(scanning, command, &target);
    shot_of(scanning, &target, &draw.shot);
    draw.fetches = command->type->dialect == AEROGPU_A3A0 && !is_clear(command);
    status = note_bound(scanning, scan->draw_count > 0 ? &scan->draws[scan->draw_count - 1] : NULL,
                        &draw);
    if (status != 0)
        return status;
    scan->draws[scan->draw_count++] = draw;
    frame->draws++;
    if (!is_clear(command)) {
        frame->draw_calls++;
        scan->draw_calls++;
    }
    return 0;
}

static void count_use(void *context, enum aerogpu_space space, uint32_t handle)
{
    struct aerogpu_scanning *scanning = context;
    const struct aerogpu_object *object =
        aerogpu_objects_find(&scanning->player.machine.objects, space, handle);

    if (object != NULL && object->number < scanning->scan->life_count)
        scanning->scan->lives[object->number].uses++;
}

/* Checks a packet that is alone in its record, and the bytes after it in the record. */
static void note_alone(struct aerogpu_scanning *scanning)
{
    const struct aerogpu_command *command = &scanning->player.command;
    uint32_t record = scanning->player.record - 1;
    const struct aerogpu_place *place = &scanning->index->places[record];
    bool bare = command->type != NULL && command->type->dialect == AEROGPU_A3A0;

    scanning->scan->commands++;
    if (command->type == NULL) {
        scanning->scan->unknown++;
        aerogpu_scan_unknown(scanning, command, record, true);
    }
    if (bare && !scanning->reported_bare)
        problems_add(scanning->problems, PROBLEM_NOTE, place->offset, record,
                     "packets of the A3A0 ABI are in records without a stream header");
    scanning->reported_bare = scanning->reported_bare || bare;
    if (command->size < place->length)
        problems_add(scanning->problems, PROBLEM_ERROR,
                     aerogpu_scan_offset(scanning, command->bytes) + command->size, record,
                     "%" PRIu32 " bytes after the packet of %" PRIu32
                     " bytes in its record are not executed",
                     place->length - command->size, command->size);
}

static int note_command(struct aerogpu_scanning *scanning)
{
    const struct aerogpu_player *player = &scanning->player;
    const struct aerogpu_command *command = &player->command;

    scanning->scan->frames[scanning->frame].commands++;
    if (player->submission == AEROGPU_NONE)
        note_alone(scanning);
    if (player->refusal != NULL) {
        if (command->type != NULL)
            problems_add(scanning->problems, PROBLEM_ERROR,
                         aerogpu_scan_offset(scanning, command->bytes), player->record - 1,
                         "%s is not executed: %s", command->type->name, player->refusal);
        return 0;
    }
    aerogpu_handles(command, count_use, scanning);
    return aerogpu_is_draw(command) ? note_draw(scanning) : 0;
}

static void note_depth(const struct aerogpu_scanning *scanning, const struct aerogpu_target *target,
                       struct aerogpu_shot *out)
{
    shot_of(scanning, target, out);
    out->slot = AEROGPU_SHOT_DEPTH;
}

static void end_frame(struct aerogpu_scanning *scanning)
{
    struct aerogpu_scan *scan = scanning->scan;
    struct aerogpu_scan_frame *frame = &scan->frames[scanning->frame];
    const struct aerogpu_machine *machine = &scanning->player.machine;
    const struct aerogpu_frame *place = &scanning->index->frames[scanning->frame];
    struct aerogpu_format_info format;
    struct aerogpu_target target;

    frame->end = scanning->player.tick;
    frame->lives_end = scan->life_count;
    if (aerogpu_machine_target_of(machine, machine->pipeline.depth_stencil, &target) &&
        aerogpu_format_find(target.format, &format) && format.depth)
        note_depth(scanning, &target, &frame->depth);
    if (frame->presented != AEROGPU_NOT_PRESENTED)
        return;
    aerogpu_machine_shown(machine, &target);
    if (target.texture != NULL || machine->back_touched)
        shot_of(scanning, &target, &frame->shot);
    problems_add(scanning->problems, PROBLEM_WARNING, place->entry.start,
                 place->first < place->end ? place->first : PROBLEM_NOWHERE,
                 "FrameNotPresented: frame %" PRIu32 " has no PRESENT command", scanning->frame);
}

void aerogpu_scan_begin_frame(struct aerogpu_scanning *scanning)
{
    struct aerogpu_scan *scan = scanning->scan;

    if (scanning->frame >= scanning->index->frame_count)
        return;
    scan->frames[scanning->frame] = (struct aerogpu_scan_frame){
        .begin = scanning->player.tick,
        .first_draw = scan->draw_count,
        .first_present = scan->present_count,
        .first_life = scan->life_count,
    };
}

static void note_submission(struct aerogpu_scanning *scanning)
{
    const struct aerogpu_player *player = &scanning->player;
    uint32_t record = player->record - 1;
    const struct aerogpu_place *place = &scanning->index->places[record];

    if (player->refusal != NULL)
        problems_add(scanning->problems, PROBLEM_ERROR, place->offset, record,
                     "submission %" PRIu32 " is not executed: %s", player->submission,
                     player->refusal);
}

static int note_step(struct aerogpu_scanning *scanning, enum aerogpu_step step)
{
    const struct aerogpu_player *player = &scanning->player;

    switch (step) {
    case AEROGPU_STEP_COMMAND:
        return note_command(scanning);
    case AEROGPU_STEP_SUBMISSION:
        note_submission(scanning);
        return 0;
    case AEROGPU_STEP_PACKET:
        problems_add(scanning->problems, PROBLEM_ERROR,
                     scanning->index->places[player->record - 1].offset, player->record - 1,
                     "the packet contains no command: %s",
                     aerogpu_error_name(player->stream.error.kind));
        return 0;
    case AEROGPU_STEP_FRAME:
        end_frame(scanning);
        scanning->frame++;
        aerogpu_scan_begin_frame(scanning);
        return 0;
    default:
        return 0;
    }
}

int aerogpu_scan_play(struct aerogpu_scanning *scanning, enum aerogpu_step last)
{
    enum aerogpu_step step = AEROGPU_STEP_COMMAND;
    unsigned steps = 0;
    int status = 0;

    while (status == 0 && step != last) {
        status = aerogpu_player_step(&scanning->player, &step);
        if (status == 0)
            status = note_step(scanning, step);
        if (++steps % AEROGPU_SCAN_CANCEL_EVERY == 0 && cancel_requested(scanning->cancel))
            status = -EINTR;
    }
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * The scan makes two passes: one over every submission, for its commands and their defects, and one
 * over the frames, on the state machine.
 */
#include "formats/aerogpu/scan.h"

#include "base/memory.h"
#include "dxbc/dxbc.h"
#include "formats/aerogpu/decode/command_stream.h"
#include "formats/aerogpu/index.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* BOUND_SHARE: the array `bound` may take about 1/4 of the memory that is left. */
enum { CANCEL_EVERY = 4096, REPORTED_MAX = 64, BOUND_SHARE = 4 };

/* Values that were reported. Each is reported once, however often it occurs. */
struct reported {
    uint32_t values[REPORTED_MAX];
    unsigned count;
};

struct scanning {
    const struct aerogpu_index *index;
    struct aerogpu_scan *scan;
    struct problems *problems;
    const struct cancel *cancel;
    struct aerogpu_player player;
    struct aerogpu_tables_seen tables_seen;
    uint64_t left; /* bytes that arrays may still take */
    size_t checkpoint_capacity, draw_capacity, present_capacity, life_capacity, bound_capacity;
    struct reported unknown[2]; /* opcodes, in streams and alone in packets */
    struct reported versions;   /* versions of streams that differ from the header's */
    bool reported_reserved;     /* reserved fields of a stream's header */
    bool reported_bare;         /* a packet of A3A0 without a stream */
    uint64_t walked;            /* bytes of streams in frames, as the player counts them */
    uint64_t unplayed;          /* the same for streams that are in no frame */
    uint32_t frame;             /* the frame that is played */
};

/*
 * Makes room for one more element of an array whose memory counts against max_memory. Returns 0,
 * -ENOMEM, or -EFBIG if max_memory would be exceeded.
 */
static int grow(struct scanning *scanning, void *array, size_t *capacity, size_t count, size_t size)
{
    size_t more = *capacity == 0 ? 64 : *capacity;
    void *grown = NULL;

    if (count < *capacity)
        return 0;
    if (more > scanning->left / size)
        return -EFBIG;
    memcpy(&grown, array, sizeof(grown));
    grown = realloc(grown, (*capacity + more) * size);
    if (grown == NULL)
        return -ENOMEM;
    memcpy(array, &grown, sizeof(grown));
    scanning->left -= more * size;
    *capacity += more;
    return 0;
}

static uint64_t file_offset(const struct scanning *scanning, const uint8_t *bytes)
{
    return (uint64_t)(bytes - scanning->index->data);
}

/*
 * Returns whether the value is new. Records at most REPORTED_MAX values; further ones are never
 * new.
 */
static bool is_new(struct reported *reported, uint32_t value)
{
    for (unsigned i = 0; i < reported->count; i++)
        if (reported->values[i] == value)
            return false;
    if (reported->count == REPORTED_MAX)
        return false;
    reported->values[reported->count++] = value;
    return true;
}

static void note_unknown(struct scanning *scanning, const struct aerogpu_command *command,
                         uint32_t record, bool alone)
{
    if (!is_new(&scanning->unknown[alone], command->opcode))
        return;
    problems_add(scanning->problems, PROBLEM_WARNING, file_offset(scanning, command->bytes), record,
                 "unknown opcode_id=0x%08" PRIX32 " at offset 0x%08" PRIX32 ", skipped",
                 command->opcode, command->offset);
}

static void note_stream_error(struct scanning *scanning, const struct aerogpu_stream *stream,
                              uint32_t record)
{
    const struct aerogpu_error *error = &stream->error;

    if (error->kind == AEROGPU_OK)
        return;
    if (stream->position < AEROGPU_STREAM_HEADER || error->offset < AEROGPU_STREAM_HEADER)
        problems_add(scanning->problems, PROBLEM_ERROR, file_offset(scanning, stream->bytes),
                     record, "command stream is refused: %s (0x%" PRIX32 ")",
                     aerogpu_error_name(error->kind), error->found);
    else
        problems_add(scanning->problems, PROBLEM_ERROR,
                     file_offset(scanning, stream->bytes) + error->offset, record,
                     "command stream ends at offset 0x%08" PRIX32 ": %s (%" PRIu32 ")",
                     error->offset, aerogpu_error_name(error->kind), error->found);
}

/* Notes a stream's header that contradicts the container's, or has fields that should be 0. */
static void note_stream_header(struct scanning *scanning, const struct aerogpu_stream *stream,
                               uint32_t record)
{
    uint32_t said = scanning->index->header.abi_version, found = stream->abi_version;
    bool reserved = (stream->flags | stream->reserved[0] | stream->reserved[1]) != 0;
    uint64_t offset = file_offset(scanning, stream->bytes);

    if (stream->magic != AEROGPU_STREAM_MAGIC)
        return;
    if (found != said && is_new(&scanning->versions, found))
        problems_add(scanning->problems, PROBLEM_NOTE, offset, record,
                     "command stream of ABI version 0x%08" PRIX32
                     " in a trace whose header says 0x%08" PRIX32,
                     found, said);
    if (reserved && !scanning->reported_reserved)
        problems_add(scanning->problems, PROBLEM_NOTE, offset, record,
                     "a command stream's header has flags or reserved fields that are not 0");
    scanning->reported_reserved = scanning->reported_reserved || reserved;
}

static int count_command(struct scanning *scanning, struct aerogpu_scan_stream *counts,
                         const struct aerogpu_command *command, uint32_t record)
{
    struct aerogpu_scan *scan = scanning->scan;
    int status = 0;

    if (command->number % AEROGPU_CHECKPOINT == 0) {
        status = grow(scanning, &scan->checkpoints, &scanning->checkpoint_capacity,
                      scan->checkpoint_count, sizeof(*scan->checkpoints));
        if (status != 0)
            return status;
        scan->checkpoints[scan->checkpoint_count++] = command->offset;
    }
    counts->commands++;
    if (command->type == NULL) {
        counts->unknown++;
        note_unknown(scanning, command, record, false);
    } else if (command->opcode == AEROGPU_DRAW || command->opcode == AEROGPU_DRAW_INDEXED) {
        counts->draws++;
    }
    return 0;
}

/* Returns whether the player executes a submission, that is, whether it is in a frame. */
static bool is_played(const struct aerogpu_index *index, uint32_t number)
{
    uint32_t low = 0, high = index->frame_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (index->frames[middle].submissions_end <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->frame_count && index->frames[low].first_submission <= number;
}

static int count_stream(struct scanning *scanning, uint32_t number, bool played)
{
    const struct aerogpu_index *index = scanning->index;
    struct aerogpu_scan_stream *counts = &scanning->scan->streams[number];
    uint32_t record = index->submissions[number];
    struct aerogpu_command command;
    struct aerogpu_stream stream;
    const uint8_t *bytes = NULL;
    uint64_t size = 0, *walked = played ? &scanning->walked : &scanning->unplayed;
    int status = 0;

    counts->first_checkpoint = (uint32_t)scanning->scan->checkpoint_count;
    if (aerogpu_index_stream(index, number, &bytes, &size) != NULL)
        return 0;
    *walked += size;
    if (aerogpu_walked_enough(index, record, *walked))
        return 0;
    aerogpu_stream_open(&stream, bytes, size);
    while (status == 0 && aerogpu_stream_next(&stream, &command)) {
        status = count_command(scanning, counts, &command, record);
        if (command.number % CANCEL_EVERY == 0 && cancel_requested(scanning->cancel))
            status = -EINTR;
    }
    note_stream_header(scanning, &stream, record);
    note_stream_error(scanning, &stream, record);
    scanning->scan->commands += counts->commands;
    scanning->scan->unknown += counts->unknown;
    return status;
}

/* Returns the slot of the colour target that is shown. Without any, the result does not matter. */
static uint8_t shown_slot(const struct aerogpu_machine *machine)
{
    struct aerogpu_target target;

    for (uint8_t slot = 0; slot < machine->pipeline.colour_count; slot++)
        if (aerogpu_machine_target(machine, slot, &target))
            return slot;
    return 0;
}

static void shot_of(const struct scanning *scanning, const struct aerogpu_target *target,
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

static struct aerogpu_where where_now(const struct scanning *scanning)
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
    struct scanning *scanning = context;
    struct aerogpu_scan *scan = scanning->scan;
    int status = grow(scanning, &scan->lives, &scanning->life_capacity, scan->life_count,
                      sizeof(*scan->lives));

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
    struct scanning *scanning = context;
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
static void find_shown(const struct scanning *scanning, const struct aerogpu_command *command,
                       struct aerogpu_target *out)
{
    const struct aerogpu_machine *machine = &scanning->player.machine;

    if (command->type->dialect == AEROGPU_A3A0)
        aerogpu_machine_shown(machine, out);
    else
        aerogpu_machine_back(machine, out);
}

static int note_present(void *context, const struct aerogpu_command *command)
{
    struct scanning *scanning = context;
    struct aerogpu_scan *scan = scanning->scan;
    struct aerogpu_scan_frame *frame = &scan->frames[scanning->frame];
    struct aerogpu_where where = where_now(scanning);
    struct aerogpu_target target;
    struct aerogpu_scan_present present = {
        .record = where.record, .submission = where.submission, .command = where.command};
    int status = grow(scanning, &scan->presents, &scanning->present_capacity, scan->present_count,
                      sizeof(*scan->presents));

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

static const struct aerogpu_effects effects = {
    .create = begin_life, .forget = end_life, .present = note_present};

bool aerogpu_is_draw(const struct aerogpu_command *command)
{
    if (command->type == NULL || command->error != AEROGPU_OK)
        return false;
    if (command->type->dialect == AEROGPU_APPENDIX_A)
        return command->opcode == AEROGPU_A_CLEAR || command->opcode == AEROGPU_A_DRAW;
    return command->opcode == AEROGPU_CLEAR || command->opcode == AEROGPU_DRAW ||
           command->opcode == AEROGPU_DRAW_INDEXED;
}

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
static int make_room(struct scanning *scanning, uint32_t count)
{
    struct aerogpu_scan *scan = scanning->scan;
    int status = 0;

    while (status == 0 && scan->bound_count + count > scanning->bound_capacity) {
        if (scanning->bound_capacity * sizeof(*scan->bound) > scanning->left / BOUND_SHARE)
            return -EFBIG;
        status = grow(scanning, &scan->bound, &scanning->bound_capacity, scanning->bound_capacity,
                      sizeof(*scan->bound));
    }
    return status;
}

/*
 * Stores what is bound at a draw. Shares the range of the draw before if that has the same bound.
 */
static int note_bound(struct scanning *scanning, const struct aerogpu_scan_draw *before,
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
static int note_draw(struct scanning *scanning)
{
    struct aerogpu_scan *scan = scanning->scan;
    struct aerogpu_scan_frame *frame = &scan->frames[scanning->frame];
    struct aerogpu_where where = where_now(scanning);
    struct aerogpu_scan_draw draw = {
        .record = where.record, .submission = where.submission, .command = where.command};
    const struct aerogpu_command *command = &scanning->player.command;
    struct aerogpu_target target;
    int status = grow(scanning, &scan->draws, &scanning->draw_capacity, scan->draw_count,
                      sizeof(*scan->draws));

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
    struct scanning *scanning = context;
    const struct aerogpu_object *object =
        aerogpu_objects_find(&scanning->player.machine.objects, space, handle);

    if (object != NULL && object->number < scanning->scan->life_count)
        scanning->scan->lives[object->number].uses++;
}

/* Checks a packet that is alone in its record, and the bytes after it in the record. */
static void note_alone(struct scanning *scanning)
{
    const struct aerogpu_command *command = &scanning->player.command;
    uint32_t record = scanning->player.record - 1;
    const struct aerogpu_place *place = &scanning->index->places[record];
    bool bare = command->type != NULL && command->type->dialect == AEROGPU_A3A0;

    scanning->scan->commands++;
    if (command->type == NULL) {
        scanning->scan->unknown++;
        note_unknown(scanning, command, record, true);
    }
    if (bare && !scanning->reported_bare)
        problems_add(scanning->problems, PROBLEM_NOTE, place->offset, record,
                     "packets of the A3A0 ABI are in records without a stream header");
    scanning->reported_bare = scanning->reported_bare || bare;
    if (command->size < place->length)
        problems_add(scanning->problems, PROBLEM_ERROR,
                     file_offset(scanning, command->bytes) + command->size, record,
                     "%" PRIu32 " bytes after the packet of %" PRIu32
                     " bytes in its record are not executed",
                     place->length - command->size, command->size);
}

static int note_command(struct scanning *scanning)
{
    const struct aerogpu_player *player = &scanning->player;
    const struct aerogpu_command *command = &player->command;

    scanning->scan->frames[scanning->frame].commands++;
    if (player->submission == AEROGPU_NONE)
        note_alone(scanning);
    if (player->refusal != NULL) {
        if (command->type != NULL)
            problems_add(scanning->problems, PROBLEM_ERROR, file_offset(scanning, command->bytes),
                         player->record - 1, "%s is not executed: %s", command->type->name,
                         player->refusal);
        return 0;
    }
    aerogpu_handles(command, count_use, scanning);
    return aerogpu_is_draw(command) ? note_draw(scanning) : 0;
}

static void note_depth(const struct scanning *scanning, const struct aerogpu_target *target,
                       struct aerogpu_shot *out)
{
    shot_of(scanning, target, out);
    out->slot = AEROGPU_SHOT_DEPTH;
}

static void end_frame(struct scanning *scanning)
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

static void begin_frame(struct scanning *scanning)
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

static void note_submission(struct scanning *scanning)
{
    const struct aerogpu_player *player = &scanning->player;
    uint32_t record = player->record - 1;
    const struct aerogpu_place *place = &scanning->index->places[record];

    if (player->refusal != NULL)
        problems_add(scanning->problems, PROBLEM_ERROR, place->offset, record,
                     "submission %" PRIu32 " is not executed: %s", player->submission,
                     player->refusal);
}

static int note_step(struct scanning *scanning, enum aerogpu_step step)
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
        begin_frame(scanning);
        return 0;
    default:
        return 0;
    }
}

/* Plays until `last`, which is AEROGPU_STEP_FRAME or AEROGPU_STEP_DONE. */
static int play_until(struct scanning *scanning, enum aerogpu_step last)
{
    enum aerogpu_step step = AEROGPU_STEP_COMMAND;
    unsigned steps = 0;
    int status = 0;

    while (status == 0 && step != last) {
        status = aerogpu_player_step(&scanning->player, &step);
        if (status == 0)
            status = note_step(scanning, step);
        if (++steps % CANCEL_EVERY == 0 && cancel_requested(scanning->cancel))
            status = -EINTR;
    }
    return status;
}

static int play(struct scanning *scanning, const struct aerogpu_scan_params *params)
{
    int status;

    aerogpu_player_init(&scanning->player, scanning->index, &effects, scanning, params->limits);
    begin_frame(scanning);
    status = play_until(scanning, AEROGPU_STEP_DONE);
    scanning->scan->ticks = scanning->player.tick;
    aerogpu_player_clear(&scanning->player);
    return status;
}

/*
 * Checks the memory ranges and the allocation table of a submission. This is the only place that
 * reports their defects.
 */
static int check_memory(struct scanning *scanning, uint32_t number)
{
    struct aerogpu_memory memory;
    int status = aerogpu_memory_open(scanning->index, number, scanning->problems, &memory);

    if (status != 0)
        return status;
    aerogpu_memory_clear(&memory);
    return aerogpu_lint_submission(scanning->index, number, &scanning->tables_seen,
                                   scanning->problems);
}

static int count_submission(struct scanning *scanning, uint32_t number, bool played)
{
    int status = cancel_requested(scanning->cancel) ? -EINTR : 0;

    if (status == 0)
        status = count_stream(scanning, number, played);

    return status == 0 ? check_memory(scanning, number) : status;
}

int aerogpu_scan_make(const struct aerogpu_index *index, const struct aerogpu_scan_params *params,
                      struct problems *problems, const struct cancel *cancel,
                      struct aerogpu_scan *out)
{
    struct scanning scanning = {.index = index,
                                .scan = out,
                                .problems = problems,
                                .cancel = cancel,
                                .left = params->max_memory};
    int status = 0;

    *out = (struct aerogpu_scan){0};
    out->streams = calloc((size_t)index->submission_count + 1, sizeof(*out->streams));
    out->frames = calloc((size_t)index->frame_count + 1, sizeof(*out->frames));
    if (out->streams == NULL || out->frames == NULL)
        status = -ENOMEM;
    for (uint32_t i = 0; status == 0 && i < index->submission_count; i++)
        status = count_submission(&scanning, i, is_played(index, i));
    if (status == 0)
        status = play(&scanning, params);
    aerogpu_tables_seen_clear(&scanning.tables_seen);
    if (status != 0)
        aerogpu_scan_clear(out);
    return status;
}

void aerogpu_scan_clear(struct aerogpu_scan *scan)
{
    free(scan->streams);
    free(scan->checkpoints);
    free(scan->frames);
    free(scan->draws);
    free(scan->presents);
    free(scan->lives);
    free(scan->bound);
    *scan = (struct aerogpu_scan){0};
}

/* The scanner of a trace that grows, frame by frame. */

enum { ARRAYS = 7 };

struct aerogpu_scanner {
    struct scanning scanning;
    size_t streams, frames; /* number for which there is room */
    struct {
        void *space;
        size_t bytes;
    } reserved[ARRAYS];
    unsigned reserved_count;
};

/*
 * Reserves address space for an array's share of the memory. Stores the number of elements that it
 * holds in *capacity.
 */
static void *reserve(struct aerogpu_scanner *scanner, uint64_t memory, size_t size,
                     size_t *capacity)
{
    size_t bytes;
    void *space;

    *capacity = memory / ARRAYS / size + 1;
    bytes = *capacity * size;
    space = memory_reserve(bytes);
    if (space == NULL)
        return NULL;
    scanner->reserved[scanner->reserved_count].space = space;
    scanner->reserved[scanner->reserved_count++].bytes = bytes;
    return space;
}

static int reserve_all(struct aerogpu_scanner *scanner, uint64_t memory)
{
    struct scanning *scanning = &scanner->scanning;
    struct aerogpu_scan *scan = scanning->scan;

    scan->streams = reserve(scanner, memory, sizeof(*scan->streams), &scanner->streams);
    scan->frames = reserve(scanner, memory, sizeof(*scan->frames), &scanner->frames);
    scan->checkpoints =
        reserve(scanner, memory, sizeof(*scan->checkpoints), &scanning->checkpoint_capacity);
    scan->draws = reserve(scanner, memory, sizeof(*scan->draws), &scanning->draw_capacity);
    scan->presents = reserve(scanner, memory, sizeof(*scan->presents), &scanning->present_capacity);
    scan->lives = reserve(scanner, memory, sizeof(*scan->lives), &scanning->life_capacity);
    scan->bound = reserve(scanner, memory, sizeof(*scan->bound), &scanning->bound_capacity);
    return scanner->reserved_count == ARRAYS ? 0 : -ENOMEM;
}

int aerogpu_scanner_create(const struct aerogpu_index *index,
                           const struct aerogpu_scan_params *params, struct problems *problems,
                           const struct cancel *cancel, struct aerogpu_scan *scan,
                           struct aerogpu_scanner **out)
{
    struct aerogpu_scanner *scanner = calloc(1, sizeof(*scanner));
    int status;

    *out = NULL;
    *scan = (struct aerogpu_scan){0};
    if (scanner == NULL)
        return -ENOMEM;
    scanner->scanning =
        (struct scanning){.index = index, .scan = scan, .problems = problems, .cancel = cancel};
    aerogpu_player_init(&scanner->scanning.player, index, &effects, &scanner->scanning,
                        params->limits);
    status = reserve_all(scanner, params->max_memory);
    *out = scanner;
    if (status != 0)
        aerogpu_scanner_destroy(out);
    return status;
}

void aerogpu_scanner_destroy(struct aerogpu_scanner **scanner)
{
    struct aerogpu_scanner *destroyed = *scanner;

    *scanner = NULL;
    if (destroyed == NULL)
        return;
    aerogpu_player_clear(&destroyed->scanning.player);
    aerogpu_tables_seen_clear(&destroyed->scanning.tables_seen);
    for (unsigned i = 0; i < destroyed->reserved_count; i++)
        memory_unreserve(destroyed->reserved[i].space, destroyed->reserved[i].bytes);
    *destroyed->scanning.scan = (struct aerogpu_scan){0};
    free(destroyed);
}

int aerogpu_scanner_frame(struct aerogpu_scanner *scanner)
{
    struct scanning *scanning = &scanner->scanning;
    const struct aerogpu_index *index = scanning->index;
    const struct aerogpu_frame *frame = &index->frames[scanning->frame];
    int status = 0;

    if (scanning->frame >= scanner->frames || frame->submissions_end > scanner->streams)
        return -EFBIG;
    begin_frame(scanning);
    for (uint32_t i = frame->first_submission; status == 0 && i < frame->submissions_end; i++)
        status = count_submission(scanning, i, true);
    return status == 0 ? play_until(scanning, AEROGPU_STEP_FRAME) : status;
}

bool aerogpu_scan_command(const struct aerogpu_index *index, const struct aerogpu_scan *scan,
                          uint32_t submission, uint32_t number, struct aerogpu_command *out)
{
    const struct aerogpu_scan_stream *counts = &scan->streams[submission];
    struct aerogpu_stream stream;
    const uint8_t *bytes = NULL;
    uint64_t size = 0;

    if (number >= counts->commands ||
        aerogpu_index_stream(index, submission, &bytes, &size) != NULL ||
        !aerogpu_stream_open(&stream, bytes, size))
        return false;
    stream.position = scan->checkpoints[counts->first_checkpoint + number / AEROGPU_CHECKPOINT];
    stream.number = number - number % AEROGPU_CHECKPOINT;
    do {
        if (!aerogpu_stream_next(&stream, out))
            return false;
    } while (out->number != number);
    return true;
}

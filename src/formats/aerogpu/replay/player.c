/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/player.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

void aerogpu_player_init(struct aerogpu_player *player, const struct aerogpu_index *index,
                         const struct aerogpu_effects *effects, void *context,
                         const struct aerogpu_limits *limits)
{
    *player = (struct aerogpu_player){.index = index};
    aerogpu_machine_init(&player->machine, effects, context, limits);
    if (index->frame_count > 0)
        player->record = index->frames[0].first;
}

void aerogpu_player_clear(struct aerogpu_player *player)
{
    aerogpu_machine_clear(&player->machine);
    aerogpu_memory_clear(&player->memory);
}

int aerogpu_player_copy(struct aerogpu_player *to, const struct aerogpu_player *from)
{
    *to = *from;
    to->memory = (struct aerogpu_memory){0};
    return aerogpu_machine_copy(&to->machine, &from->machine);
}

static int compare_allocations(const void *a, const void *b)
{
    const struct aerogpu_allocation *left = a, *right = b;

    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return left->range < right->range ? -1 : left->range > right->range;
}

static const char *range_bytes(const struct aerogpu_index *index, uint32_t record,
                               const struct aerogpu_range *range,
                               struct aerogpu_allocation *allocation)
{
    struct aerogpu_blob blob;
    uint32_t found = 0;

    if (!aerogpu_index_blob(index, range->blob, record, &blob, &found))
        return "MissingBlob";
    if (blob.kind != AEROGPU_BLOB_MEMORY)
        return "WrongBlobKind";
    allocation->bytes = blob.data;
    allocation->held = blob.size < range->size ? blob.size : range->size;
    return blob.size < range->size ? "its blob is shorter than the range" : NULL;
}

int aerogpu_memory_open(const struct aerogpu_index *index, uint32_t number,
                        struct problems *problems, struct aerogpu_memory *out)
{
    uint32_t record_number = index->submissions[number];
    struct aerogpu_submission submission = {0};
    struct aerogpu_record record;

    *out = (struct aerogpu_memory){0};
    aerogpu_index_record(index, record_number, &record);
    if (record.type == AEROGPU_RECORD_SUBMISSION)
        aerogpu_submission_read(&record, &submission);
    if (submission.ranges == 0)
        return 0;
    out->list = calloc(submission.ranges, sizeof(*out->list));
    if (out->list == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < submission.ranges; i++) {
        struct aerogpu_allocation *allocation = &out->list[i];
        struct aerogpu_range range;
        const char *why = NULL;

        aerogpu_range_read(&submission, i, &range);
        *allocation = (struct aerogpu_allocation){.id = range.alloc_id,
                                                  .flags = range.flags,
                                                  .range = i,
                                                  .gpa = range.gpa,
                                                  .size = range.size};
        why = range_bytes(index, record_number, &range, allocation);
        if (why != NULL && problems != NULL)
            problems_add(problems, PROBLEM_ERROR, record.offset, record_number,
                         "%s: memory range %" PRIu32 " names blob %" PRIu64, why, i, range.blob);
    }
    out->count = submission.ranges;
    qsort(out->list, out->count, sizeof(*out->list), compare_allocations);
    return 0;
}

void aerogpu_memory_clear(struct aerogpu_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++)
        free(memory->list[i].copy);
    free(memory->list);
    *memory = (struct aerogpu_memory){0};
}

bool aerogpu_walked_enough(const struct aerogpu_index *index, uint32_t record, uint64_t walked)
{
    const struct aerogpu_place *place = &index->places[record];

    return walked > AEROGPU_WALK_MIN && walked / AEROGPU_WALK_TIMES > place->offset + place->length;
}

static int end_stream(struct aerogpu_player *player, enum aerogpu_step *out)
{
    aerogpu_memory_clear(&player->memory);
    player->machine.memory = NULL;
    player->in_stream = false;
    *out = player->stream.error.kind != AEROGPU_OK ? AEROGPU_STEP_BROKEN : AEROGPU_STEP_END;
    return 0;
}

static int step_stream(struct aerogpu_player *player, enum aerogpu_step *out)
{
    if (!aerogpu_stream_next(&player->stream, &player->command))
        return end_stream(player, out);
    player->tick++;
    player->refusal = aerogpu_machine_apply(&player->machine, &player->command);
    *out = AEROGPU_STEP_COMMAND;
    return player->machine.status;
}

/* Begins to execute `submission`, which is made of that record. */
static int begin_submission(struct aerogpu_player *player, uint32_t record, uint32_t submission,
                            enum aerogpu_step *out)
{
    const struct aerogpu_index *index = player->index;
    const uint8_t *bytes = NULL;
    uint64_t size = 0;
    int status = 0;

    *out = AEROGPU_STEP_SUBMISSION;
    player->submission = submission;
    player->refusal = aerogpu_index_stream(index, player->submission, &bytes, &size);
    if (player->refusal != NULL)
        return 0;
    player->walked += size;
    if (aerogpu_walked_enough(index, record, player->walked)) {
        player->refusal = "the trace has more bytes of commands than are executed";
        return 0;
    }
    status = aerogpu_memory_open(index, player->submission, NULL, &player->memory);
    if (status != 0)
        return status;
    /* A stream whose header is refused has no commands, and ends with the next step. */
    aerogpu_stream_open(&player->stream, bytes, size);
    player->machine.memory = &player->memory;
    player->in_stream = true;
    return 0;
}

static int step_record(struct aerogpu_player *player, uint32_t number, enum aerogpu_step *out)
{
    uint32_t submission = aerogpu_index_submission_at(player->index, number);
    struct aerogpu_record record;

    if (submission != AEROGPU_NONE)
        return begin_submission(player, number, submission, out);
    aerogpu_index_record(player->index, number, &record);
    player->submission = AEROGPU_NONE;
    *out = AEROGPU_STEP_PACKET;
    if (!aerogpu_index_packet(player->index, &record, &player->command, &player->stream.error))
        return 0;
    player->tick++;
    player->refusal = aerogpu_machine_apply(&player->machine, &player->command);
    *out = AEROGPU_STEP_COMMAND;
    return player->machine.status;
}

static bool is_executed(const struct aerogpu_index *index, uint32_t record)
{
    uint8_t type = index->data[index->places[record].offset];

    return type == AEROGPU_RECORD_PACKET || type == AEROGPU_RECORD_SUBMISSION;
}

int aerogpu_player_step(struct aerogpu_player *player, enum aerogpu_step *out)
{
    const struct aerogpu_index *index = player->index;

    if (player->in_stream)
        return step_stream(player, out);
    if (player->frame >= index->frame_count) {
        *out = AEROGPU_STEP_DONE;
        return 0;
    }
    /*
     * If the trace grew in between, the beginning of this frame was not known when the last one
     * ended.
     */
    if (player->record < index->frames[player->frame].first)
        player->record = index->frames[player->frame].first;
    while (player->record < index->frames[player->frame].end) {
        uint32_t record = player->record++;

        if (is_executed(index, record))
            return step_record(player, record, out);
    }
    player->frame++;
    if (player->frame < index->frame_count)
        player->record = index->frames[player->frame].first;
    *out = AEROGPU_STEP_FRAME;
    return 0;
}

/* Checkpoints. */

void aerogpu_checkpoints_init(struct aerogpu_checkpoints *checkpoints, uint32_t frames)
{
    *checkpoints = (struct aerogpu_checkpoints){.every = frames / AEROGPU_CHECKPOINTS_MAX + 1};
}

void aerogpu_checkpoints_drop(struct aerogpu_checkpoints *checkpoints, int number)
{
    struct aerogpu_checkpoint *checkpoint = &checkpoints->list[number];

    if (checkpoint->used)
        aerogpu_player_clear(&checkpoint->player);
    checkpoint->used = false;
}

void aerogpu_checkpoints_clear(struct aerogpu_checkpoints *checkpoints)
{
    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++)
        aerogpu_checkpoints_drop(checkpoints, i);
}

int aerogpu_checkpoints_wanted(const struct aerogpu_checkpoints *checkpoints,
                               const struct aerogpu_player *player)
{
    int free_one = -1;

    if (player->in_stream || player->frame == 0 || player->frame % checkpoints->every != 0)
        return -1;
    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++) {
        const struct aerogpu_checkpoint *checkpoint = &checkpoints->list[i];

        if (checkpoint->used && checkpoint->frame == player->frame)
            return -1;
        if (!checkpoint->used)
            free_one = i;
    }
    return free_one;
}

int aerogpu_checkpoints_add(struct aerogpu_checkpoints *checkpoints, int number,
                            const struct aerogpu_player *player)
{
    struct aerogpu_checkpoint *checkpoint = &checkpoints->list[number];
    int status = aerogpu_player_copy(&checkpoint->player, player);

    checkpoint->used = status == 0;
    checkpoint->frame = player->frame;
    return status;
}

int aerogpu_checkpoints_find(const struct aerogpu_checkpoints *checkpoints, uint64_t tick)
{
    int found = -1;

    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++) {
        const struct aerogpu_checkpoint *checkpoint = &checkpoints->list[i];

        if (checkpoint->used && checkpoint->player.tick <= tick &&
            (found < 0 || checkpoint->frame > checkpoints->list[found].frame))
            found = i;
    }
    return found;
}

bool aerogpu_checkpoints_full(const struct aerogpu_checkpoints *checkpoints)
{
    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++)
        if (!checkpoints->list[i].used)
            return false;
    return true;
}

void aerogpu_checkpoints_spread(struct aerogpu_checkpoints *checkpoints)
{
    checkpoints->every *= checkpoints->every < UINT32_MAX / 2 ? 2 : 1;
}

bool aerogpu_checkpoints_misaligned(const struct aerogpu_checkpoints *checkpoints, int number)
{
    const struct aerogpu_checkpoint *checkpoint = &checkpoints->list[number];

    return checkpoint->used && checkpoint->frame % checkpoints->every != 0;
}

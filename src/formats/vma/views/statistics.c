#include "formats/vma/views/statistics.h"

#include "formats/vma/views/json.h"
#include "formats/vma/views/tables.h"

#include <errno.h>
#include <stdlib.h>

/* Texts whose length must still fit the index; longer ones are found by making them. */
enum { TOO_LONG = UINT32_MAX };

static int finish(struct text *text, int status, struct blob **out)
{
    if (status == 0)
        status = text_blob(text, out);
    text_clear(text);
    return status;
}

/* Texts of a frame's end. */

int vma_prepare_frame(struct vma_dump *dump, uint64_t frame, const struct cancel *cancel)
{
    if (frame >= dump->recording.frame_count)
        return -ENOENT;
    return vma_pass_until(dump->pass,
                          vma_recording_frame_last(&dump->recording, (uint32_t)frame) + 1, cancel);
}

static int known_size(uint32_t length, uint64_t *size)
{
    *size = length;
    return length == TOO_LONG ? -ENODATA : 0;
}

/* The lengths of a frame; -EAGAIN while the pass is not there. */
static int frame_lengths(struct dump *dump, uint64_t frame, struct vma_frame_lengths *out)
{
    struct vma_dump *vma = vma_dump_of(dump);

    if (frame >= vma->recording.frame_count)
        return -ENOENT;
    return vma_pass_lengths(vma->pass, (uint32_t)frame, out) ? 0 : -EAGAIN;
}

#define FRAME_SIZE(function, member)                                                               \
    int function(struct dump *dump, uint64_t frame, uint64_t *size)                                \
    {                                                                                              \
        struct vma_frame_lengths lengths;                                                          \
        int status = frame_lengths(dump, frame, &lengths);                                         \
                                                                                                   \
        return status == 0 ? known_size(lengths.member, size) : status;                            \
    }

FRAME_SIZE(vma_stats_size, stats)
FRAME_SIZE(vma_detailed_size, detailed)
FRAME_SIZE(vma_live_size, live)
FRAME_SIZE(vma_budget_size, budget)

static int write_stats(const struct vma_replay *replay, struct text *text)
{
    vma_json_write(&replay->allocator, false, text);
    return 0;
}

static int write_detailed(const struct vma_replay *replay, struct text *text)
{
    vma_json_write(&replay->allocator, true, text);
    return 0;
}

static int write_budget(const struct vma_replay *replay, struct text *text)
{
    vma_budget_write(&replay->allocator, text);
    return 0;
}

static int make_text(struct vma_dump *dump, uint64_t frame, const struct cancel *cancel,
                     int (*write)(const struct vma_replay *replay, struct text *text),
                     struct blob **out)
{
    struct vma_replay *replay = NULL;
    struct text text = TEXT_INIT;
    int status = vma_seek_frame(dump, frame, cancel, &replay);

    if (status == 0)
        status = write(replay, &text);
    vma_checkpoints_give_back(dump->checkpoints, &replay);
    return finish(&text, status, out);
}

int vma_stats_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct blob **out)
{
    return make_text(vma_dump_of(dump), frame, cancel, write_stats, out);
}

int vma_detailed_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out)
{
    return make_text(vma_dump_of(dump), frame, cancel, write_detailed, out);
}

int vma_live_make(struct dump *dump, uint64_t frame, const struct cancel *cancel, struct blob **out)
{
    return make_text(vma_dump_of(dump), frame, cancel, vma_live_write, out);
}

int vma_budget_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct blob **out)
{
    return make_text(vma_dump_of(dump), frame, cancel, write_budget, out);
}

int vma_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_frame(vma, frame, cancel, &replay);

    if (status == 0)
        vma_state_write(replay, text);
    vma_checkpoints_give_back(vma->checkpoints, &replay);
    return status;
}

/* after/BBBBB/NNNNNNNN.json */

static uint32_t group_size(const struct vma_recording *recording, uint64_t group)
{
    uint64_t left = recording->packets - group * VMA_GROUP_PACKETS;

    return left < VMA_GROUP_PACKETS ? (uint32_t)left : VMA_GROUP_PACKETS;
}

/* 0, or -EAGAIN while it was not measured. */
static int group_length(struct vma_dump *dump, uint64_t packet, uint32_t *length)
{
    const struct vma_lengths *lengths;
    bool known;

    pthread_mutex_lock(&dump->lock);
    lengths = dump->lengths[packet / VMA_GROUP_PACKETS];
    known = lengths != NULL && packet % VMA_GROUP_PACKETS < lengths->count;
    if (known)
        *length = lengths->after[packet % VMA_GROUP_PACKETS];
    pthread_mutex_unlock(&dump->lock);
    return known ? 0 : -EAGAIN;
}

int vma_after_json_size(struct dump *dump, uint64_t packet, uint64_t *size)
{
    struct vma_dump *vma = vma_dump_of(dump);
    uint32_t length = 0;
    int status;

    if (packet >= vma->recording.packets)
        return -ENOENT;
    status = group_length(vma, packet, &length);
    return status == 0 ? known_size(length, size) : status;
}

/* Measures the JSON after each packet of a group. */
static int measure_group(struct vma_dump *dump, uint64_t group, const struct cancel *cancel,
                         struct vma_lengths *lengths)
{
    struct vma_replay *replay = NULL;
    int status = vma_checkpoints_seek(dump->checkpoints, (uint32_t)(group * VMA_GROUP_PACKETS),
                                      cancel, &replay);

    for (uint32_t i = 0; i < lengths->count && status == 0; i++) {
        status = vma_replay_step(replay);
        if (status == 0) {
            uint64_t length = vma_json_length(&replay->allocator, true);

            lengths->after[i] = length < TOO_LONG ? (uint32_t)length : TOO_LONG;
        }
    }
    if (status < 0)
        vma_checkpoints_drop(&replay);
    vma_checkpoints_give_back(dump->checkpoints, &replay);
    return status;
}

/* Of a recording that grows there may be more of the group by now than were measured before. */
static void keep_lengths(struct vma_dump *dump, uint64_t group, struct vma_lengths **lengths)
{
    struct vma_lengths *before;

    pthread_mutex_lock(&dump->lock);
    before = dump->lengths[group];
    if (before == NULL || before->count < (*lengths)->count) {
        dump->lengths[group] = *lengths;
        *lengths = before;
    }
    pthread_mutex_unlock(&dump->lock);
}

int vma_prepare_after(struct vma_dump *dump, uint64_t packet, const struct cancel *cancel)
{
    uint64_t group = packet / VMA_GROUP_PACKETS;
    struct vma_lengths *lengths;
    uint32_t count, unused;
    int status;

    if (packet >= dump->recording.packets)
        return -ENOENT;
    if (group_length(dump, packet, &unused) == 0)
        return 0;
    count = group_size(&dump->recording, group);
    lengths = malloc(sizeof(*lengths) + count * sizeof(*lengths->after));
    if (lengths == NULL)
        return -ENOMEM;
    lengths->count = count;
    status = measure_group(dump, group, cancel, lengths);
    if (status == 0)
        keep_lengths(dump, group, &lengths);
    free(lengths);
    return status;
}

int vma_after_json_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                        struct blob **out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    struct text text = TEXT_INIT;
    int status = vma_seek_packet(vma, packet, cancel, &replay);

    if (status == 0)
        vma_json_write(&replay->allocator, true, &text);
    vma_checkpoints_give_back(vma->checkpoints, &replay);
    return finish(&text, status, out);
}

/* memory.tsv */

int vma_memory_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = (vma_dump_of(dump)->recording.frame_count + (uint64_t)VMA_MEMORY_FRAMES - 1) /
              VMA_MEMORY_FRAMES;
    return 0;
}

int vma_memory_table_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)key;
    vma_memory_head(&vma_dump_of(dump)->recording.configuration.device, text);
    return 0;
}

int vma_memory_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                     struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    uint64_t frame = piece * VMA_MEMORY_FRAMES, end = frame + VMA_MEMORY_FRAMES;
    int status = vma_seek_frame(vma, frame, cancel, &replay);

    (void)key;
    if (end > vma->recording.frame_count)
        end = vma->recording.frame_count;
    for (; frame < end && status == 0; frame++) {
        status = vma_replay_run(
            replay, vma_recording_frame_last(&vma->recording, (uint32_t)frame) + 1, cancel);
        if (status == 0)
            vma_memory_write(replay, text);
    }
    if (status == -ENOMEM)
        vma_checkpoints_drop(&replay);
    vma_checkpoints_give_back(vma->checkpoints, &replay);
    return status;
}

/* Blanks, as many as the pass has counted: nothing is replayed again for the size. */
int vma_memory_measure(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                       struct text *text)
{
    static const char blanks[] = "                                                                ";
    struct vma_dump *vma = vma_dump_of(dump);
    int status = vma_dump_wait(vma, cancel);
    uint64_t length;

    (void)key;
    if (status < 0)
        return status;
    for (length = vma_pass_memory_length(vma->pass, piece); length >= sizeof(blanks);
         length -= sizeof(blanks) - 1)
        text_add_bytes(text, blanks, sizeof(blanks) - 1);
    text_add_bytes(text, blanks, (size_t)length);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "tree/timeline_lanes.h"

#include "tree/pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 50,        /* hundredths of the batch's time that the figures leave to the pictures */
    POLLED = 0x10000, /* frames between two checks of the cancel flag */
};

static const char problems_name[] = "problems";

static unsigned column_lanes(const struct dump *dump)
{
    unsigned count = 0;

    while (count < DUMP_TIMELINE_MAX && dump->ops->tables.timeline[count] != NULL)
        count++;
    return count;
}

unsigned timeline_lanes_count(const struct dump *dump)
{
    return column_lanes(dump) + 1;
}

int64_t timeline_column(uint64_t frame_count, uint64_t frame)
{
    return (int64_t)((double)frame * TIMELINE_PLOT / (double)frame_count);
}

int timeline_lanes_init(struct timeline_lanes *lanes, struct dump *dump,
                        struct overview_state *state, uint64_t frame_count)
{
    unsigned count = timeline_lanes_count(dump);

    *lanes = (struct timeline_lanes){
        .dump = dump, .state = state, .frame_count = frame_count, .count = count};
    lanes->lanes = calloc(count, sizeof(*lanes->lanes));
    if (lanes->lanes == NULL)
        return -ENOMEM;
    for (unsigned i = 0; i + 1 < count; i++)
        lanes->lanes[i].name = dump->ops->tables.timeline[i];
    lanes->lanes[count - 1].name = problems_name;
    return 0;
}

void timeline_lanes_clear(struct timeline_lanes *lanes)
{
    free(lanes->lanes);
    lanes->lanes = NULL;
}

uint64_t timeline_lanes_left_off(const struct timeline_lanes *lanes)
{
    return lanes->count > 1 ? lanes->frame_count - lanes->lanes[0].counted : 0;
}

static void add_value(struct timeline_lanes *lanes, struct timeline_lane *lane, uint64_t frame,
                      double value)
{
    struct timeline_bucket *bucket;

    if (frame >= lanes->frame_count || !(value >= 0))
        return;
    bucket = &lane->buckets[timeline_column(lanes->frame_count, frame)];
    bucket->sum += value;
    bucket->max = value > bucket->max ? value : bucket->max;
    bucket->count++;
    lane->max = value > lane->max ? value : lane->max;
}

/* Figures from frames.tsv. */

static const char *next_cell(const char *cell, const char *end)
{
    while (cell < end && *cell != '\t' && *cell != '\n')
        cell++;
    return cell < end && *cell == '\t' ? cell + 1 : NULL;
}

/* Finds the columns of the lanes in the line of column names. */
static void read_head(struct timeline_lanes *lanes, const char *line, const char *end)
{
    unsigned number = 0;

    for (const char *cell = line; cell != NULL; cell = next_cell(cell, end), number++)
        for (unsigned i = 0; i + 1 < lanes->count; i++) {
            struct timeline_lane *lane = &lanes->lanes[i];
            size_t length = strlen(lane->name);

            if ((size_t)(end - cell) > length && memcmp(cell, lane->name, length) == 0 &&
                (cell[length] == '\t' || cell[length] == '\n')) {
                lane->cell = number;
                lane->found = true;
            }
        }
}

static void set_counted(struct timeline_lanes *lanes, uint64_t counted)
{
    for (unsigned i = 0; i + 1 < lanes->count; i++)
        lanes->lanes[i].counted = counted < lanes->frame_count ? counted : lanes->frame_count;
}

static void read_row(struct timeline_lanes *lanes, const char *line, const char *end)
{
    uint64_t frame = strtoull(line, NULL, 10);
    unsigned number = 0;

    set_counted(lanes, frame + 1);
    for (const char *cell = line; cell != NULL; cell = next_cell(cell, end), number++)
        for (unsigned i = 0; i + 1 < lanes->count; i++)
            if (lanes->lanes[i].found && lanes->lanes[i].cell == number && *cell != '-')
                add_value(lanes, &lanes->lanes[i], frame, strtod(cell, NULL));
}

static void read_lines(struct timeline_lanes *lanes, const struct text *text, bool has_head)
{
    const char *at = text->bytes, *all = text->bytes + text->length;

    while (at < all) {
        const char *end = memchr(at, '\n', (size_t)(all - at));

        if (end == NULL)
            return;
        if (has_head)
            read_head(lanes, at, end + 1);
        else
            read_row(lanes, at, end + 1);
        has_head = false;
        at = end + 1;
    }
}

/* Reads a piece of frames.tsv; returns -ENOENT after the last one. */
static int read_piece(struct timeline_lanes *lanes, uint64_t piece, const struct cancel *cancel)
{
    struct pieces_extent extent;
    struct text text = TEXT_INIT;
    int status = pieces_write(lanes->dump->tree, inode_pack(RULE_FRAMES_TSV, 0), piece, cancel,
                              &text, &extent);

    if (status == 0)
        status = text_status(&text);
    if (status == 0)
        read_lines(lanes, &text, piece == 0);
    text_clear(&text);
    return status == 0 && cancel_requested(cancel) ? -EINTR : status;
}

/* Reads all pieces for which there is time. */
static int read_figures(struct timeline_lanes *lanes, const struct cancel *cancel)
{
    uint64_t pieces = atomic_load(&lanes->state->figures);
    int status = 0;

    for (uint64_t piece = 0; status == 0; piece++) {
        if (pieces == 0 && piece > 0 && timeline_lanes_left_off(lanes) > 0 &&
            !picture_batch_has_time(KEPT))
            atomic_store(&lanes->state->figures, pieces = piece);
        if (pieces != 0 && piece >= pieces)
            return 0;
        status = read_piece(lanes, piece, cancel);
    }
    set_counted(lanes, lanes->frame_count);
    return status == -ENOENT ? 0 : status;
}

/* Lines of problems.txt, counted by the frames of their packets. */

static int compare_frames(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

/*
 * Replaces packet numbers by frame numbers and sorts these; DUMP_NO_FRAME if a packet is in no
 * frame, or its frame is not known.
 */
static void find_frames(struct dump *dump, uint64_t *packets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct dump_packet packet = {.frame = DUMP_NO_FRAME};
        int status = dump->ops->packet(dump, packets[i], &packet);

        packets[i] = status == 0 ? packet.frame : DUMP_NO_FRAME;
    }
    qsort(packets, count, sizeof(*packets), compare_frames);
}

/* Adds one value for each frame; most of them are 0. */
static int add_problems(struct timeline_lanes *lanes, const uint64_t *frames, size_t count,
                        const struct cancel *cancel)
{
    struct timeline_lane *lane = &lanes->lanes[lanes->count - 1];
    size_t at = 0;

    for (uint64_t frame = 0; frame < lanes->frame_count; frame++) {
        size_t first = at;

        if (frame % POLLED == 0 && cancel_requested(cancel))
            return -EINTR;
        while (at < count && frames[at] == frame)
            at++;
        add_value(lanes, lane, frame, (double)(at - first));
    }
    lane->counted = lanes->frame_count;
    return 0;
}

static int settle(struct timeline_lanes *lanes, const struct cancel *cancel)
{
    int status = -ETIME;

    if (!atomic_load(&lanes->state->problems))
        status = picture_batch_settle(lanes->dump->tree, cancel);
    if (status == -ETIME)
        atomic_store(&lanes->state->problems, true);
    return status;
}

/* If a dump cannot be read to its end, the problems found so far count. */
static int read_problems(struct timeline_lanes *lanes, const struct cancel *cancel)
{
    uint64_t *packets = NULL;
    size_t count = 0;
    int status = settle(lanes, cancel);

    if (status == -ETIME)
        return 0;
    if (status == -EINTR || status == -ENOMEM)
        return status;
    status = problems_packets(lanes->dump->problems, &packets, &count);
    if (status == 0) {
        find_frames(lanes->dump, packets, count);
        status = add_problems(lanes, packets, count, cancel);
    }
    free(packets);
    return status;
}

int timeline_lanes_read(struct timeline_lanes *lanes, const struct cancel *cancel)
{
    int status = lanes->count > 1 ? read_figures(lanes, cancel) : 0;

    return status == 0 ? read_problems(lanes, cancel) : status;
}

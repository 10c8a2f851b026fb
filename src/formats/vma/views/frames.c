/* SPDX-License-Identifier: MIT */
#include "formats/vma/views/views.h"

#include "tree/tables.h"

#include <errno.h>
#include <inttypes.h>

enum { POLL_LINES = 64 };

/* What is counted in a walk over a frame's lines. */
struct frame_counts {
    uint64_t calls, allocating, freeing, late;
    uint64_t functions[VMA_FUNCTIONS];
    uint32_t threads;
    struct vma_map seen; /* threads */
};

static int count_line(const struct vma_line *line, uint32_t index, struct frame_counts *counts)
{
    struct vma_call_head head;

    vma_call_read_head(line->text, &head);
    if (head.verdict != VMA_CALL_GOOD && head.verdict != VMA_CALL_UNKNOWN)
        return 0;
    counts->calls++;
    /* A line with another index is late, otherwise it would have begun a frame. */
    counts->late += head.frame_good && head.frame_index != index;
    if (head.verdict == VMA_CALL_GOOD) {
        counts->functions[head.function]++;
        counts->allocating += (vma_functions[head.function].roles & VMA_ALLOCATES) != 0;
        counts->freeing += (vma_functions[head.function].roles & VMA_FREES) != 0;
    }
    return head.thread_good ? vma_map_set(&counts->seen, head.thread, 1) : 0;
}

static int count_frame(const struct vma_recording *recording, uint32_t frame,
                       const struct cancel *cancel, struct frame_counts *counts)
{
    uint32_t packet = recording->frames[frame].first;
    uint32_t last = vma_recording_frame_last(recording, frame);
    struct vma_line line;
    int status;

    *counts = (struct frame_counts){0};
    vma_recording_line(recording, packet, &line);
    for (;; packet++) {
        status = count_line(&line, recording->frames[frame].index, counts);
        if (status == 0 && packet % POLL_LINES == 0 && cancel_requested(cancel))
            status = -EINTR;
        if (status < 0 || packet == last)
            break;
        vma_recording_next(recording, &line);
    }
    counts->threads = counts->seen.count;
    vma_map_clear(&counts->seen);
    return status;
}

static const char *end_name(const struct vma_frame *frame)
{
    static const char *const names[] = {
        [VMA_FRAME_INDEX] = "index", [VMA_FRAME_CALLS] = "calls", [VMA_FRAME_END] = "end"};

    return names[frame->ended_by];
}

static const char *grouping(const struct vma_recording *recording)
{
    return recording->by_index ? "index" : "calls";
}

int vma_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                    struct text *text)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;
    const struct vma_frame *frame = &recording->frames[number];
    struct frame_counts counts;
    int status = count_frame(recording, (uint32_t)number, cancel, &counts);

    if (status < 0)
        return status;
    text_cell(text, frame->index);
    text_cell_word(text, grouping(recording));
    text_cell(text, counts.calls);
    text_cell(text, counts.allocating);
    text_cell(text, counts.freeing);
    text_cell(text, counts.late);
    text_cell(text, counts.threads);
    text_cell_word(text, end_name(frame));
    return 0;
}

int vma_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                   struct text *text)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;
    const struct vma_frame *frame;
    struct frame_counts counts;
    int status;

    if (number >= recording->frame_count)
        return -ENOENT;
    frame = &recording->frames[number];
    status = count_frame(recording, (uint32_t)number, cancel, &counts);
    if (status < 0)
        return status;
    text_field(text, "frame_index", "%" PRIu32, frame->index);
    text_field(text, "first_packet", "%" PRIu32, frame->first);
    text_field(text, "last_packet", "%" PRIu32,
               vma_recording_frame_last(recording, (uint32_t)number));
    text_add(text, "time: ");
    if (frame->milliseconds != VMA_NO_TIME)
        vma_time_write(frame->milliseconds, text);
    else
        text_add_char(text, '-');
    text_add_char(text, '\n');
    text_field(text, "width", "%d", VMA_MAP_WIDTH);
    text_field(text, "height", "%" PRIu32, vma_map_height(recording));
    text_field(text, "grouping", "%s", grouping(recording));
    text_field(text, "calls", "%" PRIu64, counts.calls);
    text_field(text, "allocating", "%" PRIu64, counts.allocating);
    text_field(text, "freeing", "%" PRIu64, counts.freeing);
    text_field(text, "late", "%" PRIu64, counts.late);
    text_field(text, "threads", "%" PRIu32, counts.threads);
    text_field(text, "ended_by", "%s", end_name(frame));
    for (unsigned i = 0; i < VMA_FUNCTIONS; i++)
        if (counts.functions[i] > 0)
            text_printf(text, "functions.%s: %" PRIu64 "\n", vma_functions[i].name,
                        counts.functions[i]);
    return 0;
}

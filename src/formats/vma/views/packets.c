#include "formats/vma/views/packets.h"

#include "formats/vma/decode/escape.h"
#include "formats/vma/views/commands.h"
#include "formats/vma/views/memory_map.h"
#include "tree/tables.h"

#include <errno.h>
#include <inttypes.h>

enum { POLL_ROWS = 64 };

static void none_cells(struct text *text, unsigned count)
{
    while (count-- > 0)
        text_add(text, "\t-");
}

/* packets.tsv */

/* The object that a call creates or names: its own kind first, then a pool. */
static bool pointer_of(const struct vma_call *call, uint64_t *pointer)
{
    const struct vma_function *function = &vma_functions[call->head.function];
    struct vma_slice list = call->allocations, item;
    bool found = false;

    for (unsigned i = 0; i < function->parameter_count; i++) {
        enum vma_slot slot = function->parameters[i].slot;

        if (slot == VMA_ALLOCATION || slot == VMA_CONTEXT || (slot == VMA_POOL && !found)) {
            *pointer = call->value[slot];
            found = true;
        } else if (slot == VMA_ALLOCATION_LIST && vma_list_next(&list, &item)) {
            found = vma_read_pointer(item, pointer);
        }
    }
    return found;
}

/* As requested: the size in bytes, or an image's extent. */
static void size_cells(const struct vma_call *call, struct text *text)
{
    switch (call->head.function) {
    case VMA_CREATE_IMAGE:
        text_printf(text, "\t-\t%" PRIu64 "x%" PRIu64 "x%" PRIu64, call->value[VMA_WIDTH],
                    call->value[VMA_HEIGHT], call->value[VMA_DEPTH]);
        break;
    case VMA_CREATE_BUFFER:
    case VMA_ALLOCATE_MEMORY:
    case VMA_ALLOCATE_MEMORY_FOR_BUFFER:
    case VMA_ALLOCATE_MEMORY_FOR_IMAGE:
    case VMA_ALLOCATE_MEMORY_PAGES:
    case VMA_FLUSH_ALLOCATION:
    case VMA_INVALIDATE_ALLOCATION:
    case VMA_RESIZE_ALLOCATION:
        text_cell(text, call->value[VMA_SIZE]);
        none_cells(text, 1);
        break;
    case VMA_CREATE_POOL:
        text_cell(text, call->value[VMA_BLOCK_SIZE]);
        none_cells(text, 1);
        break;
    default:
        none_cells(text, 2);
        break;
    }
}

static void call_cells(const struct vma_line *line, struct text *text)
{
    struct vma_call call;
    struct vma_slice shown = line->text;
    uint64_t pointer = 0;

    vma_call_read(line->text, line->ended, &call);
    text_cell_or_none(text, call.head.thread_good, call.head.thread);
    text_add_char(text, '\t');
    if (call.head.time_good)
        vma_time_write(call.head.milliseconds, text);
    else
        text_add_char(text, '-');
    text_cell_or_none(text, call.head.frame_good, call.head.frame_index);
    if (call.verdict == VMA_CALL_GOOD) {
        text_add_char(text, '\t');
        if (pointer_of(&call, &pointer))
            vma_pointer_write(pointer, text);
        else
            text_add_char(text, '-');
        size_cells(&call, text);
        shown = call.text;
    } else {
        none_cells(text, 3);
    }
    text_add_char(text, '\t');
    vma_cell_write(shown.begin, vma_slice_length(shown), text);
}

void vma_packet_type(struct dump *dump, uint32_t type, struct text *text)
{
    static const char *const names[] = {[VMA_PACKET_HEADER] = "header",
                                        [VMA_PACKET_VERSION] = "version",
                                        [VMA_PACKET_CONFIG] = "config",
                                        [VMA_PACKET_CALL] = "call"};

    (void)dump;
    text_add(text, names[type]);
}

void vma_packet_describe(const struct vma_recording *recording, uint32_t packet, uint32_t frame,
                         const struct vma_line *line, struct dump_packet *out)
{
    out->offset = out->data = line->offset;
    out->bytes = line->bytes;
    out->frame = frame == VMA_NO_FRAME ? DUMP_NO_FRAME : frame;
    out->type = vma_recording_kind(recording, packet);
    out->name = vma_recording_name(recording, packet, line);
}

static void packet_row(struct vma_dump *dump, uint32_t packet, uint32_t frame,
                       const struct vma_line *line, struct text *text)
{
    struct dump_packet description;

    vma_packet_describe(&dump->recording, packet, frame, line, &description);
    tables_packet(&dump->base, packet, &description, text);
    text_cell(text, packet + (uint64_t)1);
    if (description.type == VMA_PACKET_CALL) {
        call_cells(line, text);
    } else {
        none_cells(text, 6);
        text_add_char(text, '\t');
        vma_cell_write(line->text.begin, vma_slice_length(line->text), text);
    }
    text_add_char(text, '\n');
}

int vma_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                    struct text *text)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;
    uint32_t frame;
    struct vma_line line;

    if (first >= end)
        return 0;
    frame = vma_recording_frame_of(recording, (uint32_t)first);
    vma_recording_line(recording, (uint32_t)first, &line);
    for (uint64_t packet = first; packet < end; packet++) {
        uint32_t next = frame == VMA_NO_FRAME ? 0 : frame + 1;

        if (packet > first)
            vma_recording_next(recording, &line);
        if (next < recording->frame_count && recording->frames[next].first == packet)
            frame = next;
        packet_row(vma_dump_of(dump), (uint32_t)packet, frame, &line, text);
        if (packet % POLL_ROWS == 0 && cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

/* Frames. */

/* What a walk over a frame's lines counts. */
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
    /* A line with another index would have begun a frame, were it not late. */
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
        if (status == 0 && packet % POLL_ROWS == 0 && cancel_requested(cancel))
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

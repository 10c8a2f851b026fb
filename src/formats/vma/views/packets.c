/* SPDX-License-Identifier: MIT */
#include "formats/vma/decode/decode.h"
#include "formats/vma/views/views.h"

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

/* Finds the object that a call creates or names: an allocation or context, otherwise a pool. */
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

/* Appends what the call requests: the size in bytes, or an image's extent. */
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
    text_cell_escaped(text, shown.begin, vma_slice_length(shown));
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
        text_cell_escaped(text, line->text.begin, vma_slice_length(line->text));
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

/* A packet decoded. */

static void write_slice(struct vma_slice slice, struct text *text)
{
    text_add_escaped(text, slice.begin, vma_slice_length(slice));
}

static void write_requirements(const struct vma_recording *recording, const struct vma_call *call,
                               struct text *text)
{
    struct vma_requirements needs;

    if (!vma_requirements(&recording->configuration.device, call, &needs)) {
        text_add(text, "requirements: more than 64 bits\n");
        return;
    }
    text_printf(
        text, "requirements: %" PRIu64 " bytes, alignment %" PRIu64 ", types 0x%08" PRIx32 "%s\n",
        needs.size, needs.alignment, needs.type_bits, needs.estimated ? " (estimated)" : "");
}

static void write_head(const struct vma_call_head *head, struct text *text)
{
    if (head->thread_good)
        text_field(text, "thread", "%" PRIu32, head->thread);
    else
        text_add(text, "thread: -\n");
    text_add(text, "time: ");
    if (head->time_good)
        vma_time_write(head->milliseconds, text);
    else
        text_add_char(text, '-');
    text_add_char(text, '\n');
    if (head->frame_good)
        text_field(text, "frame_index", "%" PRIu32, head->frame_index);
    else
        text_add(text, "frame_index: -\n");
}

static void write_call(const struct vma_recording *recording, const struct vma_call *call,
                       const struct vma_line *line, struct text *text)
{
    const struct vma_function *function;

    if (call->head.verdict == VMA_CALL_GOOD || call->head.verdict == VMA_CALL_UNKNOWN)
        write_head(&call->head, text);
    if (call->verdict != VMA_CALL_GOOD) {
        if (call->head.verdict == VMA_CALL_GOOD)
            text_field(text, "function", "%s", vma_functions[call->head.function].name);
        text_add(text, "text: ");
        write_slice(line->text, text);
        text_add_char(text, '\n');
        return;
    }
    function = &vma_functions[call->head.function];
    text_field(text, "function", "%s", function->name);
    for (unsigned i = 0; i < function->parameter_count; i++) {
        if (!vma_call_has_parameter(call, &function->parameters[i]))
            continue;
        text_add(text, function->parameters[i].name);
        text_add(text, ": ");
        vma_value_write(recording, call, &function->parameters[i], true, text);
        text_add_char(text, '\n');
    }
    if ((function->roles & VMA_ALLOCATES) != 0)
        write_requirements(recording, call, text);
}

int vma_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces)
{
    (void)cancel;
    *pieces = 1;
    return packet < vma_dump_of(dump)->recording.packets ? 0 : -ENOENT;
}

int vma_packet_text_piece(struct dump *dump, uint64_t packet, uint64_t piece,
                          const struct cancel *cancel, struct text *text)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;
    struct vma_diagnostics diagnostics = {.text = text};
    struct vma_line line;
    struct vma_call call;

    (void)piece, (void)cancel;
    if (packet >= recording->packets)
        return -ENOENT;
    vma_recording_line(recording, (uint32_t)packet, &line);
    text_field(text, "line", "%" PRIu64, packet + 1);
    if (vma_recording_kind(recording, (uint32_t)packet) != VMA_PACKET_CALL) {
        text_add(text, "text: ");
        write_slice(line.text, text);
        text_add_char(text, '\n');
        return 0;
    }
    vma_call_read(line.text, line.ended, &call);
    write_call(recording, &call, &line, text);
    vma_call_judge(&call, &line, packet, &diagnostics);
    return 0;
}

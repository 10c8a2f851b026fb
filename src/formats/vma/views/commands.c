/* SPDX-License-Identifier: MIT */
#include "formats/vma/decode/decode.h"
#include "formats/vma/views/views.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { POLL_COMMANDS = 64 };

void vma_time_write(uint64_t milliseconds, struct text *text)
{
    text_add_u64(text, milliseconds / 1000);
    text_add_char(text, '.');
    text_add_padded(text, milliseconds % 1000, 3);
}

static void write_slice(struct vma_slice slice, struct text *text)
{
    text_add_escaped(text, slice.begin, vma_slice_length(slice));
}

/* Appends pointers, separated by blanks. */
static void write_list(struct vma_slice list, struct text *text)
{
    struct vma_slice item;
    const char *joint = "";
    uint64_t pointer;

    while (vma_list_next(&list, &item) && vma_read_pointer(item, &pointer)) {
        text_add(text, joint);
        vma_pointer_write(pointer, text);
        joint = " ";
    }
}

/*
 * Returns whether user data is shown as it is in the line: without the state, strings and pointers
 * cannot be distinguished.
 */
static bool text_is_string(const struct vma_call *call)
{
    switch (call->head.function) {
    case VMA_SET_POOL_NAME:
    case VMA_SET_ALLOCATION_USER_DATA:
        return true;
    default:
        return (call->value[VMA_FLAGS] & VMA_FLAG_STRING) != 0;
    }
}

static void write_text_column(const struct vma_recording *recording, const struct vma_call *call,
                              bool quoted, struct text *text)
{
    struct vma_user_data data;

    vma_user_data(recording, call->text, text_is_string(call), &data);
    if (data.string || data.bad) {
        text_add(text, quoted ? "\"" : "");
        write_slice(call->text, text);
        text_add(text, quoted ? "\"" : "");
    } else {
        vma_pointer_write(data.value, text);
    }
}

void vma_value_write(const struct vma_recording *recording, const struct vma_call *call,
                     const struct vma_parameter *parameter, bool number, struct text *text)
{
    uint64_t value = parameter->slot < VMA_SLOTS ? call->value[parameter->slot] : 0;

    switch (parameter->kind) {
    case VMA_LIST:
        write_list(parameter->slot == VMA_POOL_LIST ? call->pools : call->allocations, text);
        return;
    case VMA_REST:
        write_text_column(recording, call, !number, text);
        return;
    case VMA_POINTER:
        vma_pointer_write(value, text);
        return;
    case VMA_U32:
        if (parameter->values != NULL) {
            vma_enum_write(parameter->values, (uint32_t)value, text);
            if (number)
                text_printf(text, " (%" PRIu64 ")", value);
            return;
        }
        break;
    default:
        break;
    }
    text_add_u64(text, value);
}

bool vma_call_has_parameter(const struct vma_call *call, const struct vma_parameter *parameter)
{
    if (parameter->kind == VMA_REST)
        return call->has_text;
    return !(call->late_pool && parameter->slot == VMA_FRAMES_IN_USE);
}

/* A frame's commands. */

/* Returns whether a call sets a parameter. That parameter is shown after the others. */
static bool is_output(const struct vma_function *function, const struct vma_parameter *parameter)
{
    if ((function->roles & VMA_CREATES) == 0)
        return false;
    switch (parameter->slot) {
    case VMA_ALLOCATION:
    case VMA_CONTEXT:
        return true;
    case VMA_POOL:
        return function == &vma_functions[VMA_CREATE_POOL];
    case VMA_ALLOCATION_LIST:
        return function == &vma_functions[VMA_ALLOCATE_MEMORY_PAGES];
    default:
        return false;
    }
}

static void write_arguments(const struct vma_recording *recording, const struct vma_call *call,
                            struct text *text)
{
    const struct vma_function *function = &vma_functions[call->head.function];
    const struct vma_parameter *output = NULL, *rest = NULL;

    for (unsigned i = 0; i < function->parameter_count; i++) {
        const struct vma_parameter *parameter = &function->parameters[i];

        if (!vma_call_has_parameter(call, parameter))
            continue;
        if (is_output(function, parameter)) {
            output = parameter;
            continue;
        }
        if (parameter->kind == VMA_REST) {
            rest = parameter;
            continue;
        }
        text_add_char(text, ' ');
        text_add(text, parameter->name);
        text_add_char(text, '=');
        vma_value_write(recording, call, parameter, false, text);
    }
    if (output != NULL) {
        text_add(text, " -> ");
        vma_value_write(recording, call, output, false, text);
    }
    if (rest != NULL && call->text.begin != call->text.end) {
        text_add_char(text, ' ');
        vma_value_write(recording, call, rest, false, text);
    }
}

static const char refused[] = "refused: ";

static void write_command(const struct vma_dump *dump, uint32_t packet, const struct vma_line *line,
                          struct text *text)
{
    struct vma_call call;

    vma_call_read(line->text, line->ended, &call);
    text_add_padded(text, packet, tree_packet_digits(&dump->base));
    text_add_char(text, ' ');
    if (call.verdict != VMA_CALL_GOOD) {
        text_add(text, refused);
        text_add(text, vma_verdict_message(call.verdict));
        text_add(text, " \"");
        write_slice(line->text, text);
        text_add(text, "\"\n");
        return;
    }
    if (call.head.thread_good)
        text_add_u64(text, call.head.thread);
    else
        text_add_char(text, '-');
    text_add_char(text, ' ');
    if (call.head.time_good)
        vma_time_write(call.head.milliseconds, text);
    else
        text_add_char(text, '-');
    text_add_char(text, ' ');
    text_add(text, vma_functions[call.head.function].name);
    write_arguments(&dump->recording, &call, text);
    text_add_char(text, '\n');
}

int vma_command_count(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      uint64_t *rows)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;

    (void)cancel;
    if (frame >= recording->frame_count)
        return -ENOENT;
    *rows = vma_recording_frame_last(recording, (uint32_t)frame) - recording->frames[frame].first +
            (uint64_t)1;
    return 0;
}

int vma_command_rows(struct dump *dump, uint64_t frame, uint64_t first, uint64_t end,
                     const struct cancel *cancel, struct text *text)
{
    const struct vma_dump *vma = vma_dump_of(dump);
    uint32_t begin = vma->recording.frames[frame].first;
    struct vma_line line;

    vma_recording_line(&vma->recording, begin + (uint32_t)first, &line);
    for (uint64_t row = first; row < end; row++) {
        if (row > first)
            vma_recording_next(&vma->recording, &line);
        write_command(vma, begin + (uint32_t)row, &line, text);
        if (row % POLL_COMMANDS == 0 && cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

size_t vma_command_place(const char *line, size_t length, unsigned *inside)
{
    size_t packet = text_skip_fields(line, length, 1);
    bool is_refused = length - packet >= sizeof(refused) - 1 &&
                      memcmp(line + packet, refused, sizeof(refused) - 1) == 0;

    (void)inside;
    return is_refused ? packet : text_skip_fields(line, length, 3);
}

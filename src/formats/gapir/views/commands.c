/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include "base/string.h"
#include "formats/gapir/decode/gl_names.h"
#include "tree/names.h"

#include <errno.h>
#include <string.h>

enum { STRING_MAX = 64, LIST_MAX = 16 };

/* How an argument is written; chosen by its C type. */
enum style { STYLE_PLAIN, STYLE_HEX, STYLE_SIGNED, STYLE_STRING };

/* Enumerations and bitfields of GL, flags, and Vulkan handles are usually read in hexadecimal. */
static enum style style_of(const char *ctype, unsigned type)
{
    if (type == GAPIR_ANY_POINTER)
        return string_ends(ctype, "char *") ? STYLE_STRING : STYLE_PLAIN;
    if (string_ends(ctype, "enum") || string_ends(ctype, "bitfield") ||
        strstr(ctype, "Flag") != NULL)
        return STYLE_HEX;
    if (strcmp(ctype, "VkResult") == 0)
        return STYLE_SIGNED;
    bool number = strcmp(ctype, "VkDeviceSize") == 0 || strcmp(ctype, "VkDeviceAddress") == 0;
    if (strncmp(ctype, "Vk", 2) == 0 && (type == GAPIR_SIZE || type == GAPIR_UINT64) && !number)
        return STYLE_HEX;
    return STYLE_PLAIN;
}

void gapir_write_hex(struct text *text, uint64_t value)
{
    char buffer[18];
    unsigned n = sizeof(buffer);

    do {
        buffer[--n] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    buffer[--n] = 'x';
    buffer[--n] = '0';
    text_add_bytes(text, buffer + n, sizeof(buffer) - n);
}

void gapir_write_string(const struct gapir_vm *vm, uint64_t address, struct text *text)
{
    struct gapir_location location = gapir_vm_locate(vm, address);
    uint64_t left = location.region == GAPIR_NOWHERE ? 0 : location.left;
    size_t max = left < STRING_MAX ? (size_t)left : STRING_MAX;

    if (max == 0)
        return;
    const uint8_t *end = memchr(location.data, 0, max);
    size_t length = end != NULL ? (size_t)(end - location.data) : max;
    text_add(text, " \"");
    text_add_escaped(text, location.data, length);
    text_add(text, end != NULL ? "\"" : "...\"");
}

static void write_bits(unsigned group, uint64_t bits, struct text *text)
{
    const char *name = gapir_gl_take_bits(group, &bits);

    if (name == NULL) {
        gapir_write_hex(text, bits);
        return;
    }
    for (; name != NULL; name = gapir_gl_take_bits(group, &bits)) {
        text_add(text, name);
        if (bits != 0)
            text_add(text, " | ");
    }
    if (bits != 0)
        gapir_write_hex(text, bits);
}

static void write_constant(unsigned group, uint64_t value, struct text *text)
{
    const char *name = gapir_gl_constant_name(group, value);

    if (name != NULL)
        text_add(text, name);
    else
        gapir_write_hex(text, value);
}

/* Returns a pointer in memory, as the program stores it. */
static uint64_t pointer_at(const struct gapir_vm *vm, const uint8_t *bytes)
{
    return vm->program->pointer_size == 4 ? bytes_le32(bytes) : bytes_le64(bytes);
}

static void write_element(const struct gapir_vm *vm, const struct gapir_gl_parameter *parameter,
                          const uint8_t *bytes, struct text *text)
{
    uint32_t value = bytes_le32(bytes);

    if (parameter->kind == GAPIR_GL_STRINGS) {
        gapir_write_value(vm->plan, GAPIR_ABSOLUTE_POINTER, pointer_at(vm, bytes), text);
        gapir_write_string(vm, pointer_at(vm, bytes), text);
    } else if (parameter->kind == GAPIR_GL_FLOATS) {
        gapir_write_value(vm->plan, GAPIR_FLOAT, value, text);
    } else if (parameter->kind == GAPIR_GL_INTS) {
        text_add_i64(text, (int32_t)value);
    } else if (parameter->kind == GAPIR_GL_ENUMS) {
        write_constant(parameter->group, value, text);
    } else {
        text_add_u64(text, value);
    }
}

/* Appends the first elements that a pointer refers to: ` {1, 2, 3}`. */
static void write_list(const struct gapir_vm *vm, const struct gapir_gl_parameter *parameter,
                       uint64_t address, struct text *text)
{
    const struct gapir_location location = gapir_vm_locate(vm, address);
    const size_t size = parameter->kind == GAPIR_GL_STRINGS ? vm->program->pointer_size : 4;
    uint64_t count = 1, told;

    if (parameter->counted > vm->call.count)
        return;
    if (parameter->counted != 0)
        count = (uint32_t)vm->call.arguments[parameter->counted - 1].value;
    count *= parameter->factor;
    if (location.region == GAPIR_NOWHERE || count == 0 || count > location.left / size)
        return;
    told = count < LIST_MAX ? count : LIST_MAX;
    text_add(text, " {");
    for (uint64_t n = 0; n < told; n++) {
        if (n != 0)
            text_add(text, ", ");
        write_element(vm, parameter, location.data + n * size, text);
    }
    text_add(text, told < count ? ", ...}" : "}");
}

/*
 * Writes an argument by what the registry of OpenGL knows about it. Returns false and writes
 * nothing if it knows nothing.
 */
static bool write_known(const struct gapir_vm *vm, unsigned argument, const char *ctype,
                        struct gapir_slot slot, struct text *text)
{
    const struct gapir_gl_parameter *parameter;

    if (strcmp(ctype, "GLboolean") == 0 && slot.value < 2) {
        text_add(text, slot.value != 0 ? "GL_TRUE" : "GL_FALSE");
        return true;
    }
    parameter = gapir_gl_parameter_find(gapir_function_name(vm->call.function), argument);
    if (parameter == NULL ||
        (parameter->kind != GAPIR_GL_PLAIN) != (slot.type == GAPIR_ABSOLUTE_POINTER))
        return false;
    if (parameter->kind != GAPIR_GL_PLAIN) {
        gapir_write_value(vm->plan, slot.type, slot.value, text);
        write_list(vm, parameter, slot.value, text);
        return true;
    }
    if (string_ends(ctype, "bitfield"))
        write_bits(parameter->group, slot.value, text);
    else
        write_constant(parameter->group, slot.value, text);
    return true;
}

/* Writes an argument, or the function's result if `argument` is GAPIR_GL_RESULT. */
static void write_styled(const struct gapir_vm *vm, unsigned argument, const char *ctype,
                         unsigned declared, struct gapir_slot slot, struct text *text)
{
    if (strncmp(gapir_function_name(vm->call.function), "gl", 2) == 0 &&
        write_known(vm, argument, ctype, slot, text))
        return;
    switch (style_of(ctype, declared)) {
    case STYLE_HEX:
        gapir_write_hex(text, slot.value);
        break;
    case STYLE_SIGNED:
        text_add_i64(text, (int32_t)slot.value);
        break;
    case STYLE_STRING:
        gapir_write_value(vm->plan, slot.type, slot.value, text);
        gapir_write_string(vm, slot.value, text);
        break;
    case STYLE_PLAIN:
        gapir_write_value(vm->plan, slot.type, slot.value, text);
        break;
    }
}

static void write_arguments(const struct gapir_vm *vm, struct text *text)
{
    const struct gapir_call *call = &vm->call;

    for (unsigned n = 0; n < call->count; n++) {
        const struct gapir_argument *argument =
            call->function != NULL ? gapir_function_argument(call->function, n) : NULL;
        if (n != 0)
            text_add(text, ", ");
        if (argument == NULL) {
            gapir_write_value(vm->plan, call->arguments[n].type, call->arguments[n].value, text);
            continue;
        }
        text_add(text, gapir_argument_name(argument));
        text_add_char(text, '=');
        if (gapir_write_vk_argument(vm, n, text))
            continue;
        write_styled(vm, n, gapir_argument_ctype(argument), argument->type, call->arguments[n],
                     text);
    }
}

/* Writes the call that a VM has just executed: `name(arg=value, …) = result`. */
static void write_call(const struct gapir_replay *replay, const struct gapir_vm *vm,
                       struct text *text)
{
    const struct gapir_call *call = &vm->call;

    gapir_write_function(&replay->scan, call->word, text);
    text_add_char(text, '(');
    write_arguments(vm, text);
    text_add_char(text, ')');
    if (call->has_result) {
        text_add(text, " = ");
        if (gapir_write_vk_result(vm, text))
            return;
        write_styled(vm, GAPIR_GL_RESULT, gapir_function_result_ctype(call->function),
                     call->function->result, call->result, text);
    }
}

/*
 * Writes calls while a program runs. The range begins and ends at the bounds of a stretch
 * (views/lengths.h).
 */
struct writer {
    struct gapir_dump *dump;
    const struct gapir_index *index;
    struct text *text;
    uint64_t first, end; /* range of the requested calls, by number */
    uint32_t packet;     /* of the latest call */
    unsigned packet_digits;
    uint32_t frame; /* a guess at the frame of the next call */
    size_t place;   /* the stretch that is being written */
    size_t begin;   /* where in the text that stretch begins */
};

static bool holds(const struct gapir_packet *packet, uint32_t pc)
{
    return pc >= packet->pc && pc - packet->pc < packet->words;
}

static uint32_t packet_of(struct writer *writer, uint32_t pc)
{
    const struct gapir_scan *scan = &writer->dump->replay->scan;
    uint32_t next = writer->packet + 1;

    if (next < scan->packet_count && holds(&scan->packets[next], pc))
        writer->packet = next;
    else if (!holds(&scan->packets[writer->packet], pc))
        writer->packet = gapir_scan_packet(scan, pc);
    return writer->packet;
}

static uint32_t frame_of_call(const struct gapir_index *index, uint64_t number)
{
    uint32_t low = 0, high = index->frame_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index->frames[middle].call_end <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void end_stretch(struct writer *writer)
{
    if (text_status(writer->text) == 0)
        gapir_lengths_note(&writer->dump->call_lengths, writer->place,
                           (unsigned)(writer->text->length - writer->begin));
    writer->begin = writer->text->length;
}

static void begin_call(struct writer *writer, uint64_t number)
{
    const struct gapir_index *index = writer->index;
    size_t place;

    if (writer->frame >= index->frame_count || index->frames[writer->frame].call_end <= number)
        writer->frame = frame_of_call(index, number);
    place = gapir_lengths_call_place(writer->frame, number);
    if (place != writer->place)
        end_stretch(writer);
    writer->place = place;
}

static int on_called(void *context, struct gapir_vm_instance *instance)
{
    struct writer *writer = context;
    const struct gapir_vm *vm = instance->vm;
    struct text *text = writer->text;
    uint64_t number = vm->calls - 1;

    if (number < writer->first || number >= writer->end)
        return 0;
    begin_call(writer, number);
    text_add_padded(text, packet_of(writer, vm->pc), writer->packet_digits);
    text_add_char(text, ' ');
    text_add_padded(text, vm->pc, 8);
    text_add_char(text, ' ');
    gapir_write_label(vm->labelled ? vm->label : GAPIR_LABEL_START, text);
    text_add_char(text, ' ');
    text_add_u64(text, vm->thread);
    text_add_char(text, ' ');
    write_call(instance->replay, vm, text);
    text_add_char(text, '\n');
    return text_status(text);
}

static const struct gapir_run_observer observer = {.called = on_called};

/* A part of the run in executed instructions, and which of its calls are requested. */
struct stretch {
    uint64_t from, to;
    uint64_t first, end; /* range of calls, by number */
};

/* Returns the part from mark `mark` to the next mark. */
static struct stretch stretch_at(const struct gapir_index *index, uint64_t mark)
{
    return (struct stretch){.from = index->call_marks[mark],
                            .to = mark + 1 < index->call_mark_count ? index->call_marks[mark + 1]
                                                                    : index->end.steps,
                            .end = UINT64_MAX};
}

/* Limits a part to a frame, whose first call comes after the previous frame is left. */
static void limit_to_frame(const struct gapir_index *index, uint64_t number,
                           struct stretch *stretch)
{
    const struct gapir_frame_record *frame = &index->frames[number];

    if (number > 0 && stretch->from < frame[-1].close)
        stretch->from = frame[-1].close;
    if (stretch->to > frame->close)
        stretch->to = frame->close;
    stretch->first = frame->first_call;
    stretch->end = frame->call_end;
}

static int write_calls(struct gapir_dump *dump, const struct gapir_index *index,
                       const struct stretch *stretch, const struct cancel *cancel,
                       struct text *text)
{
    struct writer writer = {.dump = dump,
                            .index = index,
                            .text = text,
                            .begin = text->length,
                            .first = stretch->first,
                            .end = stretch->end,
                            .packet_digits = names_digits(dump->replay->scan.packet_count, 8)};
    struct gapir_vm_instance *instance = NULL;
    int status = gapir_dump_take_vm(dump, stretch->from, cancel, &instance);

    if (status != 0)
        return status;
    instance->observer = &observer;
    instance->context = &writer;
    status = gapir_vm_instance_run(instance, stretch->to, cancel);
    if (status == 0)
        end_stretch(&writer);
    if (status == 0 || status == -EINTR)
        gapir_vm_pool_park(dump->pool, &instance);
    gapir_vm_instance_destroy(&instance);
    return status;
}

static int calls_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *pieces)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    (void)key;
    *pieces = status == 0 ? index->call_mark_count : 0;
    return status;
}

static int calls_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                       struct text *text)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_index *index;
    struct stretch stretch;
    int status = gapir_dump_index(gapir, cancel, &index);

    (void)key;
    if (status != 0)
        return status;
    if (piece >= index->call_mark_count)
        return -ENOENT;
    stretch = stretch_at(index, piece);
    return write_calls(gapir, index, &stretch, cancel, text);
}

static int calls_length(struct dump *dump, uint64_t key, uint64_t *length)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);

    (void)key;
    if (gapir_dump_peek(gapir) == NULL)
        return -ENODATA;
    return gapir_lengths_of_all(&gapir->call_lengths, length) ? 0 : -ENODATA;
}

const struct dump_listing gapir_calls_listing = {
    .pieces = calls_pieces, .piece = calls_piece, .length = calls_length};

int gapir_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces)
{
    const struct gapir_frame_record *frame;
    const struct gapir_index *index;
    int status = gapir_dump_frame(gapir_dump_of(dump), key, cancel, &index, &frame);

    *pieces = 0;
    if (status == 0 && frame->call_end > frame->first_call)
        *pieces = (frame->call_end - 1) / GAPIR_CALL_MARK - frame->first_call / GAPIR_CALL_MARK + 1;
    return status;
}

int gapir_commands_length(struct dump *dump, uint64_t key, uint64_t *length)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_index *index = gapir_dump_peek(gapir);
    const struct gapir_frame_record *frame;
    bool is_known;

    if (index == NULL)
        return -ENODATA;
    if (key >= index->frame_count)
        return -ENOENT;
    frame = &index->frames[key];
    *length = 0;
    is_known = frame->call_end == frame->first_call ||
               gapir_lengths_between(&gapir->call_lengths,
                                     gapir_lengths_call_place(key, frame->first_call),
                                     gapir_lengths_call_place(key, frame->call_end - 1), length);
    return is_known ? 0 : -ENODATA;
}

int gapir_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    const struct gapir_frame_record *frame;
    const struct gapir_index *index;
    struct stretch stretch;
    uint64_t mark;
    int status = gapir_dump_frame(gapir_dump_of(dump), key, cancel, &index, &frame);

    if (status != 0)
        return status;
    mark = frame->first_call / GAPIR_CALL_MARK + piece;
    if (mark >= index->call_mark_count)
        return -ENOENT;
    stretch = stretch_at(index, mark);
    limit_to_frame(index, (uint64_t)(frame - index->frames), &stretch);
    return write_calls(gapir_dump_of(dump), index, &stretch, cancel, text);
}

size_t gapir_command_place(const char *line, size_t length, unsigned *inside)
{
    (void)inside;
    return text_skip_fields(line, length, 4);
}

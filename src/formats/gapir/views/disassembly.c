/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include "base/bytes.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREVIEW_MAX = 40, ID_MAX = 64 };

enum { HEX_MAX = 16 };

/*
 * Writes at least `digits` lower-case hexadecimal digits, the last one just before `end`. Returns
 * their beginning.
 */
static char *put_hex(char *end, uint64_t value, unsigned digits)
{
    char *p = end;

    do {
        *--p = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0 || p > end - digits);
    return p;
}

/*
 * Writes at least `digits` decimal digits, the last one just before `end`. Returns their beginning.
 */
static char *put_decimal(char *end, uint64_t value, unsigned digits)
{
    char *p = end;

    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0 || p > end - digits);
    return p;
}

static void write_hex(struct text *text, uint64_t value, unsigned digits)
{
    char buffer[HEX_MAX], *end = buffer + sizeof(buffer), *p = put_hex(end, value, digits);

    text_add_bytes(text, p, (size_t)(end - p));
}

static void write_0x(struct text *text, uint64_t value)
{
    char buffer[2 + HEX_MAX], *end = buffer + sizeof(buffer), *p = put_hex(end, value, 1);

    *--p = 'x';
    *--p = '0';
    text_add_bytes(text, p, (size_t)(end - p));
}

static void write_type(struct text *text, uint32_t word)
{
    const char *name = gapir_type_name(gapir_operand_type(word));

    text_add_char(text, ' ');
    if (name != NULL)
        text_add(text, name);
    else
        text_printf(text, "type%u", gapir_operand_type(word));
}

static void write_inline(const struct gapir_code *code, const struct gapir_instruction *instruction,
                         struct text *text)
{
    struct gapir_inline parts;
    bool whole = gapir_decode_inline(code, instruction->pc, &parts);

    text_add(text, " size=");
    text_add_u64(text, parts.bytes);
    text_add(text, " vals=");
    text_add_u64(text, parts.value_patches);
    text_add(text, " ptrs=");
    if (whole)
        text_add_u64(text, parts.pointer_patches);
    else
        text_add_char(text, '-');
}

static void write_call(uint32_t word, struct text *text)
{
    text_add(text, " api=");
    text_add_u64(text, gapir_call_api(word));
    text_add(text, " fn=0x");
    write_hex(text, gapir_call_function(word), 4);
    if (gapir_call_pushes(word))
        text_add(text, " push");
}

void gapir_write_instruction(const struct gapir_code *code,
                             const struct gapir_instruction *instruction, struct text *text)
{
    const struct gapir_opcode_info *info = &gapir_opcode_table[instruction->opcode];
    uint32_t word = instruction->word;

    text_add(text, info->name);
    if (instruction->opcode == GAPIR_INVALID) {
        text_add(text, " 0x");
        write_hex(text, word, 8);
        return;
    }
    switch (info->operand) {
    case GAPIR_OPERAND_NONE:
        break;
    case GAPIR_OPERAND_NUMBER:
        text_add_char(text, ' ');
        text_add_u64(text, gapir_operand26(word));
        break;
    case GAPIR_OPERAND_CALL:
        write_call(word, text);
        break;
    case GAPIR_OPERAND_TYPED:
        write_type(text, word);
        text_add_char(text, ' ');
        write_0x(text, gapir_operand20(word));
        break;
    case GAPIR_OPERAND_TYPE:
        write_type(text, word);
        break;
    case GAPIR_OPERAND_INLINE:
        write_inline(code, instruction, text);
        break;
    }
}

void gapir_write_label(uint32_t label, struct text *text)
{
    if (label == GAPIR_LABEL_START)
        text_add_char(text, '-');
    else if (label == GAPIR_LABEL_NONE)
        text_add(text, "none");
    else
        text_add_u64(text, label);
}

/* Writes `VOL+0x10`, `CONST+0x8` or `WIN+0x20` for an address in a region, otherwise a number. */
static void write_address(const struct gapir_address_plan *plan, uint64_t address,
                          struct text *text)
{
    if (address >= plan->windows && address < plan->end) {
        text_add(text, "WIN+");
        address -= plan->windows;
    } else if (address >= plan->memory && address < plan->windows) {
        text_add(text, "VOL+");
        address -= plan->memory;
    } else if (address >= plan->constants && address < plan->memory) {
        text_add(text, "CONST+");
        address -= plan->constants;
    } else if (address == 0) {
        text_add(text, "null");
        return;
    }
    write_0x(text, address);
}

/* Most numbers are short integers: up to six digits, which %g prints in the same way. */
static bool is_short_integer(double value)
{
    return value > -1e6 && value < 1e6 && value == trunc(value) && !(value == 0 && signbit(value));
}

/* Writes the shortest decimal number that reads back as the same Float. */
static void write_float(struct text *text, uint64_t bits)
{
    float value;
    char buffer[32];

    memcpy(&value, &(uint32_t){(uint32_t)bits}, sizeof(value));
    if (is_short_integer(value)) {
        text_add_i64(text, (int64_t)value);
        return;
    }
    for (int precision = 6; precision <= 9; precision++) {
        snprintf(buffer, sizeof(buffer), "%.*g", precision, (double)value);
        if (isnan(value) || strtof(buffer, NULL) == value)
            break;
    }
    text_add(text, buffer);
}

static void write_double(struct text *text, uint64_t bits)
{
    double value;
    char buffer[32];

    memcpy(&value, &bits, sizeof(value));
    if (is_short_integer(value)) {
        text_add_i64(text, (int64_t)value);
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(buffer, sizeof(buffer), "%.*g", precision, value);
        if (isnan(value) || strtod(buffer, NULL) == value)
            break;
    }
    text_add(text, buffer);
}

void gapir_write_value(const struct gapir_address_plan *plan, unsigned type, uint64_t value,
                       struct text *text)
{
    switch (type) {
    case GAPIR_INT8:
        text_add_i64(text, (int8_t)value);
        break;
    case GAPIR_INT16:
        text_add_i64(text, (int16_t)value);
        break;
    case GAPIR_INT32:
        text_add_i64(text, (int32_t)value);
        break;
    case GAPIR_INT64:
        text_add_i64(text, (int64_t)value);
        break;
    case GAPIR_FLOAT:
        write_float(text, value);
        break;
    case GAPIR_DOUBLE:
        write_double(text, value);
        break;
    case GAPIR_ABSOLUTE_POINTER:
        write_address(plan, value, text);
        break;
    case GAPIR_CONSTANT_POINTER:
        text_add(text, "CONST+");
        write_0x(text, (uint32_t)value);
        break;
    case GAPIR_VOLATILE_POINTER:
        text_add(text, "VOL+");
        write_0x(text, (uint32_t)value);
        break;
    default:
        text_add_u64(text, value);
        break;
    }
}

/* Notes. */

struct line {
    const struct gapir_replay *replay;
    struct gapir_mark mark;
    uint32_t label;
    struct text *text;
};

static void begin_note(struct line *line)
{
    text_add(line->text, "  ; ");
}

static uint64_t masked(const struct line *line, unsigned type, uint64_t value)
{
    unsigned size = gapir_type_size(type, line->replay->program.pointer_size);

    return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

/*
 * Shows a constant if it is text. Looks no further than it shows: each line may point to the
 * beginning of gigabytes without a NUL.
 */
static void preview(struct line *line, uint64_t offset)
{
    const struct gapir_slice *constants = &line->replay->payload.constants;

    if (offset >= constants->size)
        return;
    const uint8_t *bytes = constants->data + offset;
    uint64_t left = constants->size - offset;
    const uint8_t *end = memchr(bytes, 0, left <= PREVIEW_MAX ? left : PREVIEW_MAX + 1);
    size_t length = end != NULL ? (size_t)(end - bytes) : PREVIEW_MAX;
    if (length == 0 || (end == NULL && left <= PREVIEW_MAX))
        return;
    for (size_t n = 0; n < length; n++)
        if (bytes[n] < 0x20 || bytes[n] > 0x7e)
            return;
    text_add(line->text, " \"");
    text_add_escaped(line->text, bytes, length);
    text_add(line->text, end != NULL ? "\"" : "...\"");
}

/* Notes the value of a PUSH_I with its EXTENDs, at the last of these instructions. */
static void note_value(struct line *line, const struct gapir_instruction *instruction)
{
    const struct gapir_code *code = &line->replay->scan.code;
    struct gapir_fold fold = line->mark.fold;
    uint32_t next = instruction->pc + 1;

    gapir_fold_step(&fold, instruction);
    if (fold.type == GAPIR_TYPE_UNKNOWN)
        return;
    if (next < code->count &&
        gapir_opcode_map[code->dialect][gapir_word(code, next) >> 26] == GAPIR_EXTEND)
        return;
    uint64_t value = masked(line, fold.type, fold.value);
    begin_note(line);
    gapir_write_value(gapir_address_plan(line->replay->program.pointer_size), fold.type, value,
                      line->text);
    if (fold.type == GAPIR_CONSTANT_POINTER)
        preview(line, value);
}

static void note_function(struct line *line, uint32_t word)
{
    begin_note(line);
    gapir_write_function(&line->replay->scan, word, line->text);
}

static void note_constant(struct line *line, uint32_t word)
{
    const struct gapir_slice *constants = &line->replay->payload.constants;
    unsigned type = gapir_operand_type(word);
    uint64_t offset = gapir_operand20(word);

    if (type >= GAPIR_TYPES)
        return;
    unsigned size = gapir_type_size(type, line->replay->program.pointer_size);
    if (!bytes_inside(offset, size, constants->size))
        return;
    begin_note(line);
    gapir_write_value(gapir_address_plan(line->replay->program.pointer_size), type,
                      bytes_le(constants->data + offset, size), line->text);
}

static void note_resource(struct line *line, uint32_t index)
{
    begin_note(line);
    if (index >= line->replay->payload.resource_count) {
        text_add(line->text, "no such resource");
        return;
    }
    const struct gapir_resource *resource = &line->replay->resources[index];
    text_add_escaped(line->text, resource->id.data,
                     resource->id.size < ID_MAX ? resource->id.size : ID_MAX);
    text_printf(line->text, ", %" PRIu32 " bytes", resource->size);
    if (resource->status != GAPIR_RESOURCE_OK)
        text_printf(line->text, ", %s", gapir_resource_status_name(resource->status));
}

static void note_jump(struct line *line, uint32_t label)
{
    const struct gapir_jump *jump = gapir_program_jump(&line->replay->program, label);

    begin_note(line);
    if (jump == NULL) {
        text_add(line->text, "no such label");
        return;
    }
    text_add(line->text, "to ");
    text_add_padded(line->text, jump->pc, 8);
}

/* The number of a post is known without a run only if there are no jumps. */
static void note_post(struct line *line)
{
    const uint64_t *histogram = line->replay->scan.histogram;

    if (histogram[GAPIR_JUMP_NZ] + histogram[GAPIR_JUMP_Z] != 0)
        return;
    begin_note(line);
    text_add(line->text, "post ");
    text_add_u64(line->text, line->mark.posts);
}

static void write_note(struct line *line, const struct gapir_instruction *instruction)
{
    switch (instruction->opcode) {
    case GAPIR_CALL:
        note_function(line, instruction->word);
        break;
    case GAPIR_PUSH_I:
    case GAPIR_EXTEND:
        note_value(line, instruction);
        break;
    case GAPIR_LOAD_C:
        note_constant(line, instruction->word);
        break;
    case GAPIR_RESOURCE:
        note_resource(line, gapir_operand26(instruction->word));
        break;
    case GAPIR_POST:
        note_post(line);
        break;
    case GAPIR_JUMP_NZ:
    case GAPIR_JUMP_Z:
        note_jump(line, gapir_operand26(instruction->word));
        break;
    case GAPIR_INLINE_RESOURCE:
        if (instruction->truncated) {
            begin_note(line);
            text_add(line->text, "goes beyond the end");
        }
        break;
    default:
        break;
    }
}

void gapir_write_function(const struct gapir_scan *scan, uint32_t word, struct text *text)
{
    const struct gapir_function *function = gapir_scan_function(scan, word);
    unsigned api = gapir_call_api(word), id = gapir_call_function(word);
    const char *builtin = api == 0 ? gapir_builtin_name(id) : NULL;

    if (function != NULL || builtin != NULL) {
        text_add(text, function != NULL ? gapir_function_name(function) : builtin);
        return;
    }
    switch (api) {
    case 1:
        text_add(text, "gl");
        break;
    case 2:
        text_add(text, "vk");
        break;
    default:
        text_printf(text, "api%u", api);
        break;
    }
    text_add(text, "_fn_0x");
    write_hex(text, id, 4);
}

/* Advances the mark over one instruction, as the decode pass does. */
static void move_mark(struct line *line, const struct gapir_instruction *instruction)
{
    gapir_fold_step(&line->mark.fold, instruction);
    line->mark.posts += instruction->opcode == GAPIR_POST;
    line->mark.pc += instruction->length;
}

static void follow_packet(struct line *line)
{
    const struct gapir_scan *scan = &line->replay->scan;

    if (line->mark.packet + 1 < scan->packet_count &&
        scan->packets[line->mark.packet + 1].pc == line->mark.pc)
        line->mark.packet++;
    line->label = scan->packets[line->mark.packet].label;
}

static char *put_label(char *end, uint32_t label)
{
    static const char none[] = "none";

    if (label == GAPIR_LABEL_START)
        *--end = '-';
    else if (label == GAPIR_LABEL_NONE)
        end = memcpy(end - (sizeof(none) - 1), none, sizeof(none) - 1);
    else
        end = put_decimal(end, label, 1);
    return end;
}

/* Writes `PC8 LABEL WORDHEX  ` in one go, since most lines consist of little else. */
static void write_head(struct line *line, const struct gapir_instruction *instruction)
{
    char buffer[64], *end = buffer + sizeof(buffer), *p = end;

    *--p = ' ';
    *--p = ' ';
    p = put_hex(p, instruction->word, 8);
    *--p = ' ';
    p = put_label(p, line->label);
    *--p = ' ';
    p = put_decimal(p, instruction->pc, 8);
    text_add_bytes(line->text, p, (size_t)(end - p));
}

static void write_line(struct line *line, const struct gapir_instruction *instruction)
{
    write_head(line, instruction);
    gapir_write_instruction(&line->replay->scan.code, instruction, line->text);
    write_note(line, instruction);
    text_add_char(line->text, '\n');
}

static void write_lines(struct line *line, uint32_t count, uint32_t end)
{
    struct gapir_instruction instruction;

    for (; count > 0 && line->mark.pc < end; count--) {
        follow_packet(line);
        gapir_decode(&line->replay->scan.code, line->mark.pc, &instruction);
        write_line(line, &instruction);
        move_mark(line, &instruction);
    }
}

void gapir_write_lines(const struct gapir_replay *replay, const struct gapir_mark *mark,
                       uint32_t count, uint32_t end, struct text *text)
{
    struct line line = {.replay = replay, .mark = *mark, .text = text};

    write_lines(&line, count, end);
}

struct gapir_mark gapir_mark_at(const struct gapir_replay *replay, uint32_t pc)
{
    const struct gapir_scan *scan = &replay->scan;
    struct gapir_instruction instruction;
    uint32_t low = 0, high = scan->mark_count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->marks[middle].pc <= pc)
            low = middle;
        else
            high = middle;
    }
    struct line line = {.replay = replay, .mark = scan->marks[low]};
    while (line.mark.pc < pc) {
        follow_packet(&line);
        gapir_decode(&scan->code, line.mark.pc, &instruction);
        move_mark(&line, &instruction);
    }
    return line.mark;
}

/* disassembly.txt */

static int disassembly_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = gapir_dump_of(dump)->replay->scan.mark_count;
    return 0;
}

/*
 * Writes lines up to the end of the packet, or to `end` if the piece ends before, and notes their
 * length.
 */
static void write_stretch(struct gapir_lengths *lengths, struct line *line, uint32_t end)
{
    const struct gapir_scan *scan = &line->replay->scan;
    uint32_t pc = line->mark.pc, packet;
    size_t before = line->text->length;
    uint64_t packet_end;

    follow_packet(line);
    packet = line->mark.packet;
    packet_end = (uint64_t)scan->packets[packet].pc + scan->packets[packet].words;
    write_lines(line, UINT32_MAX, packet_end > pc && packet_end < end ? (uint32_t)packet_end : end);
    if (text_status(line->text) == 0)
        gapir_lengths_note(lengths, gapir_lengths_packet_place(scan, packet, pc),
                           (unsigned)(line->text->length - before));
}

static int begin_piece(const struct gapir_dump *gapir, uint64_t piece, struct line *line,
                       uint32_t *end)
{
    const struct gapir_scan *scan = &gapir->replay->scan;

    if (piece >= scan->mark_count)
        return -ENOENT;
    line->replay = gapir->replay;
    line->mark = scan->marks[piece];
    *end = piece + 1 < scan->mark_count ? scan->marks[piece + 1].pc : scan->code.count;
    return 0;
}

static int disassembly_piece(struct dump *dump, uint64_t key, uint64_t piece,
                             const struct cancel *cancel, struct text *text)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct line line = {.text = text};
    uint32_t end;
    int status = begin_piece(gapir, piece, &line, &end);

    (void)key, (void)cancel;
    while (status == 0 && line.mark.pc < end)
        write_stretch(&gapir->packet_lengths, &line, end);
    return status;
}

/*
 * Writes all stretches into the same buffer, one after the other: touching fresh memory takes
 * longer than writing the text.
 */
static int disassembly_measure(struct dump *dump, uint64_t key, uint64_t piece,
                               const struct cancel *cancel, struct text *text)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct text stretch = TEXT_INIT;
    struct line line = {.text = &stretch};
    uint32_t end;
    int status = begin_piece(gapir, piece, &line, &end);

    (void)key, (void)cancel;
    while (status == 0 && line.mark.pc < end) {
        write_stretch(&gapir->packet_lengths, &line, end);
        text_add_unwritten(text, stretch.length);
        status = text_status(&stretch);
        text_reset(&stretch);
    }
    text_clear(&stretch);
    return status;
}

static int disassembly_length(struct dump *dump, uint64_t key, uint64_t *length)
{
    (void)key;
    return gapir_lengths_of_all(&gapir_dump_of(dump)->packet_lengths, length) ? 0 : -ENODATA;
}

const struct dump_listing gapir_disassembly_listing = {.pieces = disassembly_pieces,
                                                       .piece = disassembly_piece,
                                                       .measure = disassembly_measure,
                                                       .length = disassembly_length};

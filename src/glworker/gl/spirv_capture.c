/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/spirv_capture.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 0x07230203,
    HEADER = 5,        /* words */
    BOUND_AT = 3,      /* index of the word with the bound of ids */
    IDS_MAX = 1 << 22, /* limit of the specification */
    POSITION_BYTES = 16,
};

enum opcode {
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_POINTER = 32,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
};

enum decoration {
    DECORATION_BUILT_IN = 11,
    DECORATION_OFFSET = 35,
    DECORATION_XFB_BUFFER = 36,
    DECORATION_XFB_STRIDE = 37,
};

enum {
    BUILT_IN_POSITION = 0,
    STORAGE_OUTPUT = 3,
    MODE_XFB = 11,
    CAPABILITY_TRANSFORM_FEEDBACK = 53,
};

/* What is known of an id. */
enum {
    ID_INTERFACE = 1, /* in the interface of the entry point */
    ID_POSITION = 2,  /* decorated as position */
    /* a structure with a member that is decorated as position; `value` is the member */
    ID_BLOCK = 4,
    ID_POINTER = 8, /* a type of pointers to outputs; `value` is the type pointed to */
    ID_OUTPUT = 16, /* a variable of storage class Output */
};

struct id {
    uint32_t flags, value;
};

struct module {
    const uint32_t *words;
    size_t count;
    uint32_t bound;
    struct id *ids;    /* `bound` elements */
    uint32_t stage;    /* also its execution model */
    const char *name;  /* of the entry point */
    uint32_t entry;    /* id of the entry point */
    size_t last_entry; /* index of the last OpEntryPoint */
    bool has_entry, has_capability, has_mode;
    uint32_t variable;      /* that is gl_Position, or has it as a member; 0 if there is none */
    uint32_t block, member; /* `block` is 0 if gl_Position is the variable itself */
};

struct instruction {
    uint32_t opcode, count; /* count: of words, including the first, which has both numbers */
    const uint32_t *words;
    size_t at;
};

/* Instructions. */

static uint32_t length_at(const struct module *module, size_t at)
{
    return module->words[at] >> 16;
}

/*
 * Reads the instruction at *at, and moves *at past it. The lengths of all instructions must have
 * been checked. Returns false at the end.
 */
static bool next(const struct module *module, size_t *at, struct instruction *out)
{
    if (*at >= module->count)
        return false;
    *out = (struct instruction){.opcode = module->words[*at] & 0xFFFF,
                                .count = length_at(module, *at),
                                .words = module->words + *at,
                                .at = *at};
    *at += out->count;
    return true;
}

static bool has_whole_instructions(const struct module *module)
{
    size_t at = HEADER;

    while (at < module->count) {
        const uint32_t length = length_at(module, at);

        if (length == 0 || length > module->count - at)
            return false;
        at += length;
    }
    return true;
}

static bool is(const struct instruction *instruction, enum opcode opcode, uint32_t count)
{
    return instruction->opcode == (uint32_t)opcode && instruction->count >= count;
}

static struct id *id_of(const struct module *module, uint32_t id)
{
    return id < module->bound ? &module->ids[id] : NULL;
}

static bool has_flag(const struct module *module, uint32_t id, uint32_t flag)
{
    return id < module->bound && (module->ids[id].flags & flag) != 0;
}

static void set_flag(const struct module *module, uint32_t number, uint32_t flag, uint32_t value)
{
    struct id *id = id_of(module, number);

    if (id == NULL)
        return;
    id->flags |= flag;
    id->value = value;
}

/* Examining the module. */

/*
 * Returns the number of words of an entry point's name, including its zero, or 0 if the name is
 * another one.
 */
static uint32_t match_name(const struct instruction *instruction, const char *name)
{
    enum { NAME_AT = 3 };
    const size_t room = (size_t)(instruction->count - NAME_AT) * 4, length = strlen(name);

    if (length >= room)
        return 0;
    for (size_t n = 0; n <= length; n++)
        if ((uint8_t)(instruction->words[NAME_AT + n / 4] >> 8 * (n % 4)) != (uint8_t)name[n])
            return 0;
    return (uint32_t)(length / 4 + 1);
}

static void meet_entry(struct module *module, const struct instruction *instruction)
{
    const uint32_t *words = instruction->words;
    uint32_t name;

    module->last_entry = instruction->at;
    if (module->has_entry || words[1] != module->stage)
        return;
    name = match_name(instruction, module->name);
    if (name == 0)
        return;
    module->has_entry = true;
    module->entry = words[2];
    for (uint32_t n = 3 + name; n < instruction->count; n++)
        set_flag(module, words[n], ID_INTERFACE, 0);
}

static void meet_variable(struct module *module, const uint32_t *words)
{
    const struct id *pointer = id_of(module, words[1]);
    struct id *variable = id_of(module, words[2]);

    if (variable != NULL && words[3] == STORAGE_OUTPUT)
        variable->flags |= ID_OUTPUT;
    if (module->variable != 0 || words[3] != STORAGE_OUTPUT ||
        !has_flag(module, words[2], ID_INTERFACE))
        return;
    if (has_flag(module, words[2], ID_POSITION)) {
        module->variable = words[2];
    } else if (pointer != NULL && (pointer->flags & ID_POINTER) != 0 &&
               has_flag(module, pointer->value, ID_BLOCK)) {
        module->variable = words[2];
        module->block = pointer->value;
        module->member = module->ids[pointer->value].value;
    }
}

/* Each instruction follows those that it refers to (SPIR-V 1.6, 2.4). */
static void meet(struct module *module, const struct instruction *instruction)
{
    const uint32_t *words = instruction->words;

    if (is(instruction, OP_CAPABILITY, 2))
        module->has_capability |= words[1] == CAPABILITY_TRANSFORM_FEEDBACK;
    else if (is(instruction, OP_ENTRY_POINT, 4))
        meet_entry(module, instruction);
    else if (is(instruction, OP_EXECUTION_MODE, 3))
        module->has_mode |= module->has_entry && words[1] == module->entry && words[2] == MODE_XFB;
    else if (is(instruction, OP_DECORATE, 4) && words[2] == DECORATION_BUILT_IN &&
             words[3] == BUILT_IN_POSITION)
        set_flag(module, words[1], ID_POSITION, 0);
    else if (is(instruction, OP_MEMBER_DECORATE, 5) && words[3] == DECORATION_BUILT_IN &&
             words[4] == BUILT_IN_POSITION)
        set_flag(module, words[1], ID_BLOCK, words[2]);
    else if (is(instruction, OP_TYPE_POINTER, 4) && words[2] == STORAGE_OUTPUT)
        set_flag(module, words[1], ID_POINTER, words[3]);
    else if (is(instruction, OP_VARIABLE, 4))
        meet_variable(module, words);
}

/* Returns NULL, or the reason why nothing can be captured. */
static const char *look(struct module *module)
{
    struct instruction instruction;
    size_t at = HEADER;

    while (next(module, &at, &instruction))
        meet(module, &instruction);
    if (!module->has_entry)
        return "its SPIR-V has no such entry point";
    return module->variable == 0 ? "its SPIR-V does not write gl_Position" : NULL;
}

static const char *open_module(struct module *module)
{
    if (module->count < HEADER || module->words[0] != MAGIC)
        return "it is not SPIR-V";
    module->bound = module->words[BOUND_AT];
    if (module->bound > IDS_MAX)
        return "its SPIR-V has too many ids";
    if (!has_whole_instructions(module))
        return "its SPIR-V is damaged";
    module->ids = calloc((size_t)module->bound + 1, sizeof(*module->ids));
    return module->ids == NULL ? "out of memory for its SPIR-V" : look(module);
}

/* Writing the other module. */

struct words {
    uint32_t *list;
    size_t count;
};

static void add(struct words *words, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    words->list[words->count++] = (count + 1) << 16 | opcode;
    memcpy(words->list + words->count, operands, count * sizeof(*operands));
    words->count += count;
}

static void decorate(struct words *words, uint32_t id, enum decoration decoration, uint32_t value)
{
    const uint32_t operands[] = {id, (uint32_t)decoration, value};

    add(words, OP_DECORATE, operands, 3);
}

static void decorate_position(const struct module *module, struct words *words)
{
    const uint32_t offset[] = {module->block, module->member, DECORATION_OFFSET, 0};

    if (module->block != 0)
        add(words, OP_MEMBER_DECORATE, offset, 4);
    else
        decorate(words, module->variable, DECORATION_OFFSET, 0);
    decorate(words, module->variable, DECORATION_XFB_BUFFER, 0);
    decorate(words, module->variable, DECORATION_XFB_STRIDE, POSITION_BYTES);
}

/*
 * Returns whether the instruction is part of a capture by the module itself. An output has an
 * offset for no other purpose.
 */
static bool is_of_capture(const struct module *module, const struct instruction *instruction)
{
    const uint32_t *words = instruction->words;

    if (is(instruction, OP_DECORATE, 3))
        return words[2] == DECORATION_XFB_BUFFER || words[2] == DECORATION_XFB_STRIDE ||
               (words[2] == DECORATION_OFFSET && has_flag(module, words[1], ID_OUTPUT));
    if (is(instruction, OP_MEMBER_DECORATE, 4))
        return words[3] == DECORATION_XFB_BUFFER || words[3] == DECORATION_XFB_STRIDE ||
               (words[3] == DECORATION_OFFSET && words[1] == module->block);
    return false;
}

/* Returns whether the instruction decorates gl_Position as the position. */
static bool is_position(const struct module *module, const struct instruction *instruction)
{
    const uint32_t *words = instruction->words;

    if (module->block != 0)
        return is(instruction, OP_MEMBER_DECORATE, 5) && words[1] == module->block &&
               words[2] == module->member && words[3] == DECORATION_BUILT_IN &&
               words[4] == BUILT_IN_POSITION;
    return is(instruction, OP_DECORATE, 4) && words[1] == module->variable &&
           words[2] == DECORATION_BUILT_IN && words[3] == BUILT_IN_POSITION;
}

static void rewrite(const struct module *module, struct words *out)
{
    const uint32_t capability = CAPABILITY_TRANSFORM_FEEDBACK;
    const uint32_t mode[] = {module->entry, MODE_XFB};
    struct instruction instruction;
    bool decorated = false;
    size_t at = HEADER;

    memcpy(out->list, module->words, HEADER * sizeof(*out->list));
    out->count = HEADER;
    if (!module->has_capability)
        add(out, OP_CAPABILITY, &capability, 1);
    while (next(module, &at, &instruction)) {
        if (is_of_capture(module, &instruction))
            continue;
        memcpy(out->list + out->count, instruction.words, instruction.count * sizeof(*out->list));
        out->count += instruction.count;
        if (instruction.at == module->last_entry && !module->has_mode)
            add(out, OP_EXECUTION_MODE, mode, 2);
        if (!decorated && is_position(module, &instruction)) {
            decorate_position(module, out);
            decorated = true;
        }
    }
}

uint32_t *spirv_capture_position(const uint32_t *words, size_t count, uint32_t stage,
                                 const char *entry, size_t *made, const char **why)
{
    struct module module = {.words = words, .count = count, .stage = stage, .name = entry};
    struct words out = {.list = NULL};

    *why = open_module(&module);
    if (*why == NULL) {
        out.list = malloc((count + SPIRV_CAPTURE_ADDED) * sizeof(*out.list));
        if (out.list == NULL)
            *why = "out of memory for its SPIR-V";
        else
            rewrite(&module, &out);
    }
    free(module.ids);
    *made = out.count;
    return out.list;
}

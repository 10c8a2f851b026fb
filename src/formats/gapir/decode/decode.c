/* SPDX-License-Identifier: MIT */
#include "formats/gapir/decode/decode.h"

#include <stddef.h>

/* gapir.md 2.6 */
const struct gapir_opcode_info gapir_opcode_table[GAPIR_OPCODES] = {
    [GAPIR_CALL] = {"CALL", GAPIR_OPERAND_CALL, -2, -2},
    [GAPIR_PUSH_I] = {"PUSH_I", GAPIR_OPERAND_TYPED, 0, 1},
    [GAPIR_LOAD_C] = {"LOAD_C", GAPIR_OPERAND_TYPED, 0, 1},
    [GAPIR_LOAD_V] = {"LOAD_V", GAPIR_OPERAND_TYPED, 0, 1},
    [GAPIR_LOAD] = {"LOAD", GAPIR_OPERAND_TYPE, 1, 1},
    [GAPIR_POP] = {"POP", GAPIR_OPERAND_NUMBER, -1, 0},
    [GAPIR_STORE_V] = {"STORE_V", GAPIR_OPERAND_NUMBER, 1, 0},
    [GAPIR_STORE] = {"STORE", GAPIR_OPERAND_NONE, 2, 0},
    [GAPIR_RESOURCE] = {"RESOURCE", GAPIR_OPERAND_NUMBER, 1, 0},
    [GAPIR_POST] = {"POST", GAPIR_OPERAND_NONE, 2, 0},
    [GAPIR_COPY] = {"COPY", GAPIR_OPERAND_NUMBER, 2, 0},
    [GAPIR_CLONE] = {"CLONE", GAPIR_OPERAND_NUMBER, 0, 1},
    [GAPIR_STRCPY] = {"STRCPY", GAPIR_OPERAND_NUMBER, 2, 0},
    [GAPIR_EXTEND] = {"EXTEND", GAPIR_OPERAND_NUMBER, 1, 1},
    [GAPIR_ADD] = {"ADD", GAPIR_OPERAND_NUMBER, -1, 1},
    [GAPIR_LABEL] = {"LABEL", GAPIR_OPERAND_NUMBER, 0, 0},
    [GAPIR_SWITCH_THREAD] = {"SWITCH_THREAD", GAPIR_OPERAND_NUMBER, 0, 0},
    [GAPIR_JUMP_LABEL] = {"JUMP_LABEL", GAPIR_OPERAND_NUMBER, 0, 0},
    [GAPIR_JUMP_NZ] = {"JUMP_NZ", GAPIR_OPERAND_NUMBER, 1, 0},
    [GAPIR_JUMP_Z] = {"JUMP_Z", GAPIR_OPERAND_NUMBER, 1, 0},
    [GAPIR_NOTIFICATION] = {"NOTIFICATION", GAPIR_OPERAND_NONE, 3, 0},
    [GAPIR_WAIT] = {"WAIT", GAPIR_OPERAND_NUMBER, 0, 0},
    [GAPIR_INLINE_RESOURCE] = {"INLINE_RESOURCE", GAPIR_OPERAND_INLINE, 1, 0},
    [GAPIR_INVALID] = {"INVALID", GAPIR_OPERAND_NONE, 0, 0},
};

static const struct {
    const char *name;
    uint8_t size; /* 0: the size of a host pointer */
} types[GAPIR_TYPES] = {
    [GAPIR_BOOL] = {"Bool", 1},
    [GAPIR_INT8] = {"Int8", 1},
    [GAPIR_INT16] = {"Int16", 2},
    [GAPIR_INT32] = {"Int32", 4},
    [GAPIR_INT64] = {"Int64", 8},
    [GAPIR_UINT8] = {"Uint8", 1},
    [GAPIR_UINT16] = {"Uint16", 2},
    [GAPIR_UINT32] = {"Uint32", 4},
    [GAPIR_UINT64] = {"Uint64", 8},
    [GAPIR_FLOAT] = {"Float", 4},
    [GAPIR_DOUBLE] = {"Double", 8},
    [GAPIR_ABSOLUTE_POINTER] = {"AbsolutePointer", 0},
    [GAPIR_CONSTANT_POINTER] = {"ConstantPointer", 4},
    [GAPIR_VOLATILE_POINTER] = {"VolatilePointer", 4},
};

#define COMMON_CODES                                                                               \
    GAPIR_CALL, GAPIR_PUSH_I, GAPIR_LOAD_C, GAPIR_LOAD_V, GAPIR_LOAD, GAPIR_POP, GAPIR_STORE_V,    \
        GAPIR_STORE, GAPIR_RESOURCE, GAPIR_POST, GAPIR_COPY, GAPIR_CLONE, GAPIR_STRCPY,            \
        GAPIR_EXTEND, GAPIR_ADD, GAPIR_LABEL, GAPIR_SWITCH_THREAD
#define JUMP_CODES [17] = GAPIR_JUMP_LABEL, [18] = GAPIR_JUMP_NZ

/* gapir.md 2.5 */
const uint8_t gapir_opcode_map[GAPIR_DIALECTS][64] = {
    [GAPIR_AGI] = {COMMON_CODES, JUMP_CODES, [19] = GAPIR_JUMP_Z, [20] = GAPIR_NOTIFICATION,
                   [21] = GAPIR_WAIT, [22] = GAPIR_INLINE_RESOURCE, [23 ... 63] = GAPIR_INVALID},
    [GAPIR_GAPID17DEV] = {COMMON_CODES, JUMP_CODES, [19] = GAPIR_NOTIFICATION,
                          [20 ... 63] = GAPIR_INVALID},
    [GAPIR_GAPID16] = {COMMON_CODES, JUMP_CODES, [19] = GAPIR_NOTIFICATION,
                       [20 ... 63] = GAPIR_INVALID},
    [GAPIR_GAPID12] = {COMMON_CODES, [17 ... 63] = GAPIR_INVALID},
};

const char *gapir_type_name(unsigned type)
{
    return type < GAPIR_TYPES ? types[type].name : NULL;
}

unsigned gapir_type_size(enum gapir_type type, unsigned pointer_size)
{
    return types[type].size != 0 ? types[type].size : pointer_size;
}

const char *gapir_dialect_name(enum gapir_dialect dialect)
{
    static const char *const names[GAPIR_DIALECTS] = {"agi", "gapid17dev", "gapid16", "gapid12"};

    return names[dialect];
}

unsigned gapir_notification_operands(enum gapir_dialect dialect)
{
    return dialect == GAPIR_GAPID16 ? 2 : 3;
}

bool gapir_decode_inline(const struct gapir_code *code, uint32_t pc, struct gapir_inline *out)
{
    uint32_t word = gapir_word(code, pc);
    uint32_t left = code->count - pc - 1; /* words after this one */

    out->bytes = gapir_operand20(word);
    out->value_patches = gapir_operand_type(word);
    out->data = pc + 1;
    uint32_t fixed = (out->bytes + 3) / 4 + 2 * out->value_patches; /* below 2^19 */
    if (fixed >= left)
        return false; /* no room for the count of pointer patches */
    out->values = out->data + (out->bytes + 3) / 4;
    left -= fixed + 1;
    out->pointer_patches = gapir_word(code, pc + 1 + fixed);
    out->pointers = pc + 1 + fixed + 1;
    if (out->pointer_patches > left / 2)
        return false;
    out->next = out->pointers + 2 * out->pointer_patches;
    return true;
}

void gapir_decode_length(const struct gapir_code *code, struct gapir_instruction *instruction)
{
    struct gapir_inline parts;

    instruction->truncated = !gapir_decode_inline(code, instruction->pc, &parts);
    instruction->length = (instruction->truncated ? code->count : parts.next) - instruction->pc;
}

enum { BITS_20 = 0xfffff, BITS_26 = 0x3ffffff };

uint32_t gapir_encode(enum gapir_opcode opcode, uint32_t operand)
{
    return (uint32_t)opcode << 26 | (operand & BITS_26);
}

uint32_t gapir_encode_typed(enum gapir_opcode opcode, enum gapir_type type, uint32_t operand)
{
    return (uint32_t)opcode << 26 | (uint32_t)type << 20 | (operand & BITS_20);
}

uint32_t gapir_encode_call(unsigned api, unsigned function, bool push)
{
    return (uint32_t)GAPIR_CALL << 26 | (uint32_t)push << 24 | (api & 15) << 16 |
           (function & 0xffff);
}

/* Returns whether a value fits in `bits` bits, signed or unsigned according to its type. */
static bool fits(enum gapir_type type, uint64_t value, unsigned bits)
{
    if (type >= GAPIR_INT8 && type <= GAPIR_INT64)
        return value + (UINT64_C(1) << (bits - 1)) < UINT64_C(1) << bits;
    return value < UINT64_C(1) << bits;
}

static size_t push_float(uint64_t bits, uint32_t *out)
{
    uint32_t mantissa = bits & 0x7fffff;

    out[0] = gapir_encode_typed(GAPIR_PUSH_I, GAPIR_FLOAT, (uint32_t)(bits >> 23));
    if (mantissa == 0)
        return 1;
    out[1] = gapir_encode(GAPIR_EXTEND, mantissa);
    return 2;
}

static size_t push_double(uint64_t bits, uint32_t *out)
{
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);

    out[0] = gapir_encode_typed(GAPIR_PUSH_I, GAPIR_DOUBLE, (uint32_t)(bits >> 52));
    if (mantissa == 0)
        return 1;
    out[1] = gapir_encode(GAPIR_EXTEND, (uint32_t)(mantissa >> 26));
    out[2] = gapir_encode(GAPIR_EXTEND, (uint32_t)mantissa & BITS_26);
    return 3;
}

size_t gapir_encode_push(enum gapir_type type, uint64_t value, uint32_t out[GAPIR_ENCODE_MAX])
{
    if (type == GAPIR_FLOAT)
        return push_float(value, out);
    if (type == GAPIR_DOUBLE)
        return push_double(value, out);
    size_t extends = fits(type, value, 20) ? 0 : fits(type, value, 46) ? 1 : 2;
    out[0] = gapir_encode_typed(GAPIR_PUSH_I, type, (uint32_t)(value >> 26 * extends));
    for (size_t n = 1; n <= extends; n++)
        out[n] = gapir_encode(GAPIR_EXTEND, (uint32_t)(value >> 26 * (extends - n)));
    return extends + 1;
}

size_t gapir_encode_load(enum gapir_type type, enum gapir_type pointer, uint64_t address,
                         uint32_t out[GAPIR_ENCODE_MAX])
{
    if (address <= BITS_20 && pointer != GAPIR_ABSOLUTE_POINTER) {
        out[0] = gapir_encode_typed(pointer == GAPIR_CONSTANT_POINTER ? GAPIR_LOAD_C : GAPIR_LOAD_V,
                                    type, (uint32_t)address);
        return 1;
    }
    size_t words = gapir_encode_push(pointer, address, out);
    out[words] = gapir_encode_typed(GAPIR_LOAD, type, 0);
    return words + 1;
}

size_t gapir_encode_store(uint64_t address, uint32_t out[GAPIR_ENCODE_MAX])
{
    if (address <= BITS_26) {
        out[0] = gapir_encode(GAPIR_STORE_V, (uint32_t)address);
        return 1;
    }
    size_t words = gapir_encode_push(GAPIR_VOLATILE_POINTER, address, out);
    out[words] = gapir_encode(GAPIR_STORE, 0);
    return words + 1;
}

/* SPDX-License-Identifier: MIT */
/*
 * The instruction set of GAPIR, as one table and one decoder (gapir.md 2.5, 2.6). Disassembly, scan
 * and execution all read instructions through them, so that they cannot disagree. The meaning of a
 * code depends on the dialect. Pure functions over bytes; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_DECODE_H
#define GPUDUMPFS_GAPIR_DECODE_DECODE_H

#include "base/bytes.h"
#include <stddef.h>

#include <stdbool.h>
#include <stdint.h>

enum gapir_opcode {
    GAPIR_CALL,
    GAPIR_PUSH_I,
    GAPIR_LOAD_C,
    GAPIR_LOAD_V,
    GAPIR_LOAD,
    GAPIR_POP,
    GAPIR_STORE_V,
    GAPIR_STORE,
    GAPIR_RESOURCE,
    GAPIR_POST,
    GAPIR_COPY,
    GAPIR_CLONE,
    GAPIR_STRCPY,
    GAPIR_EXTEND,
    GAPIR_ADD,
    GAPIR_LABEL,
    GAPIR_SWITCH_THREAD,
    GAPIR_JUMP_LABEL,
    GAPIR_JUMP_NZ,
    GAPIR_JUMP_Z,
    GAPIR_NOTIFICATION,
    GAPIR_WAIT,
    GAPIR_INLINE_RESOURCE,
    GAPIR_INVALID, /* a code that the dialect does not have */
    GAPIR_OPCODES
};

enum gapir_type {
    GAPIR_BOOL,
    GAPIR_INT8,
    GAPIR_INT16,
    GAPIR_INT32,
    GAPIR_INT64,
    GAPIR_UINT8,
    GAPIR_UINT16,
    GAPIR_UINT32,
    GAPIR_UINT64,
    GAPIR_FLOAT,
    GAPIR_DOUBLE,
    GAPIR_ABSOLUTE_POINTER,
    GAPIR_CONSTANT_POINTER,
    GAPIR_VOLATILE_POINTER,
    GAPIR_TYPES /* values from here on are not types */
};

enum gapir_dialect { GAPIR_AGI, GAPIR_GAPID17DEV, GAPIR_GAPID16, GAPIR_GAPID12, GAPIR_DIALECTS };

/* What a word holds besides its code. */
enum gapir_operand {
    GAPIR_OPERAND_NONE,
    GAPIR_OPERAND_NUMBER, /* [25:0] */
    GAPIR_OPERAND_CALL,   /* push return 24, api [19:16], function [15:0] */
    GAPIR_OPERAND_TYPED,  /* type [25:20], value [19:0] */
    GAPIR_OPERAND_TYPE,   /* type [25:20] */
    GAPIR_OPERAND_INLINE, /* value patches [25:20], bytes [19:0]; data words follow */
};

struct gapir_opcode_info {
    const char *name;
    enum gapir_operand operand;
    /* slots that it pops; -1: as many as its operand says, -2: depends on the function */
    int8_t pops;
    int8_t pushes; /* -2: depends on the function */
};

extern const struct gapir_opcode_info gapir_opcode_table[GAPIR_OPCODES];

/* Returns the name of a type, or NULL if there is no type of that number. */
const char *gapir_type_name(unsigned type);

/*
 * Returns the bytes that a type takes in memory. pointer_size is the size of an AbsolutePointer (4
 * or 8).
 */
unsigned gapir_type_size(enum gapir_type type, unsigned pointer_size);

const char *gapir_dialect_name(enum gapir_dialect dialect);

/* Returns how many slots NOTIFICATION pops: 2 in gapid16, 3 in the other dialects. */
unsigned gapir_notification_operands(enum gapir_dialect dialect);

enum { GAPIR_ARGUMENTS_MAX = 16 }; /* arguments of a CALL */

/* The words of a payload, still little-endian and unaligned in the mapped file. */
struct gapir_code {
    const uint8_t *words;
    uint32_t count;
    enum gapir_dialect dialect;
};

/* What each of the 64 codes means in each dialect. */
extern const uint8_t gapir_opcode_map[GAPIR_DIALECTS][64];

static inline uint32_t gapir_word(const struct gapir_code *code, uint32_t pc)
{
    return bytes_le32(code->words + (uint64_t)pc * 4);
}

/* Fields of a word. */
static inline uint32_t gapir_operand26(uint32_t word)
{
    return word & 0x3ffffff;
}

static inline uint32_t gapir_operand20(uint32_t word)
{
    return word & 0xfffff;
}

static inline unsigned gapir_operand_type(uint32_t word)
{
    return word >> 20 & 63;
}

static inline unsigned gapir_call_api(uint32_t word)
{
    return word >> 16 & 15;
}

static inline unsigned gapir_call_function(uint32_t word)
{
    return word & 0xffff;
}

static inline bool gapir_call_pushes(uint32_t word)
{
    return word >> 24 & 1;
}

/*
 * Returns a value after EXTEND with a 26-bit operand. The result is not yet truncated to the size
 * of the type.
 */
static inline uint64_t gapir_extend(unsigned type, uint64_t value, uint32_t operand)
{
    const uint64_t mantissa = (UINT64_C(1) << 52) - 1;

    if (type == GAPIR_FLOAT)
        return value | (operand & 0x7fffff);
    if (type == GAPIR_DOUBLE)
        return (value & ~mantissa) | ((value << 26 | operand) & mantissa);
    return value << 26 | operand;
}

/*
 * Returns the 20 bits of PUSH_I as a value of their type, not yet truncated to the size of the
 * type.
 */
static inline uint64_t gapir_immediate(unsigned type, uint32_t operand)
{
    switch (type) {
    case GAPIR_INT32:
    case GAPIR_INT64:
        return operand & 0x80000 ? operand | ~UINT64_C(0xfffff) : operand;
    case GAPIR_FLOAT:
        return (uint64_t)operand << 23;
    case GAPIR_DOUBLE:
        return (uint64_t)operand << 52;
    default:
        return operand;
    }
}

/* Where the parts of an INLINE_RESOURCE are, as indexes of words. */
struct gapir_inline {
    uint32_t bytes, data;               /* number of data bytes; their first word */
    uint32_t value_patches, values;     /* count; pairs of destination and value */
    uint32_t pointer_patches, pointers; /* count; pairs of destination and source */
    uint32_t next;                      /* the first word after the instruction */
};

/*
 * Finds the parts of the INLINE_RESOURCE at pc. Returns false if the code ends before the
 * instruction does.
 */
bool gapir_decode_inline(const struct gapir_code *code, uint32_t pc, struct gapir_inline *out);

struct gapir_instruction {
    uint32_t pc;
    uint32_t word;
    uint32_t length; /* in words; a truncated instruction extends to the end of the code */
    enum gapir_opcode opcode;
    bool truncated; /* an INLINE_RESOURCE that is cut off by the end of the code */
};

/* Completes gapir_decode() for an INLINE_RESOURCE: sets its length, and whether it is truncated. */
void gapir_decode_length(const struct gapir_code *code, struct gapir_instruction *instruction);

/* Decodes the instruction at pc < count. */
static inline void gapir_decode(const struct gapir_code *code, uint32_t pc,
                                struct gapir_instruction *out)
{
    out->pc = pc;
    out->word = gapir_word(code, pc);
    out->opcode = (enum gapir_opcode)gapir_opcode_map[code->dialect][out->word >> 26];
    out->length = 1;
    out->truncated = false;
    if (__builtin_expect(out->opcode == GAPIR_INLINE_RESOURCE, 0))
        gapir_decode_length(code, out);
}

/* The JUMP_LABEL that is the target of jumps to a label: the first one with its number. */
struct gapir_jump {
    uint32_t label;
    uint32_t pc;
};

/*
 * Encoders: they write instructions in the shortest form, as the official exporter does (gapir.md
 * 2.6, "Encoder rule"). For examples and tests. Pure functions.
 */

enum { GAPIR_ENCODE_MAX = 4 }; /* maximum number of words that one encoder writes */

uint32_t gapir_encode(enum gapir_opcode opcode, uint32_t operand);
uint32_t gapir_encode_typed(enum gapir_opcode opcode, enum gapir_type type, uint32_t operand);
uint32_t gapir_encode_call(unsigned api, unsigned function, bool push);

/*
 * Pushes a value on the stack with PUSH_I and EXTENDs. Signed values are passed sign-extended to 64
 * bits, Float and Double as their bits. Returns the number of words written.
 */
size_t gapir_encode_push(enum gapir_type type, uint64_t value, uint32_t out[GAPIR_ENCODE_MAX]);

/*
 * Loads a value of type `type` from memory. `pointer` is the kind of the address: constant,
 * volatile or absolute. Returns the number of words written.
 */
size_t gapir_encode_load(enum gapir_type type, enum gapir_type pointer, uint64_t address,
                         uint32_t out[GAPIR_ENCODE_MAX]);

/* Stores the top of the stack in volatile memory. Returns the number of words written. */
size_t gapir_encode_store(uint64_t address, uint32_t out[GAPIR_ENCODE_MAX]);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The depth of the stack and the types on it, as far as they are known without running the program.
 * In official payloads the stack is empty after each command's CALL, so the slots before a CALL are
 * its arguments (gapir.md 3.5). Plain data; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_STATIC_STACK_H
#define GPUDUMPFS_GAPIR_DECODE_STATIC_STACK_H

#include "formats/gapir/decode/decode.h"

#include <stdint.h>

enum { GAPIR_STATIC_STACK_TYPES = 32, GAPIR_TYPE_UNKNOWN = 0xff };

struct gapir_static_stack {
    uint32_t depth;
    /* of the lowest slots; types of higher slots are unknown */
    uint8_t types[GAPIR_STATIC_STACK_TYPES];
};

/*
 * Returns the type of the slot `index` below the top, or GAPIR_TYPE_UNKNOWN if there is no such
 * slot or its type is unknown.
 */
static inline unsigned gapir_static_stack_type(const struct gapir_static_stack *stack,
                                               uint32_t index)
{
    if (index >= stack->depth || stack->depth - 1 - index >= GAPIR_STATIC_STACK_TYPES)
        return GAPIR_TYPE_UNKNOWN;
    return stack->types[stack->depth - 1 - index];
}

static inline void gapir_static_stack_push(struct gapir_static_stack *stack, unsigned type)
{
    if (stack->depth < GAPIR_STATIC_STACK_TYPES)
        stack->types[stack->depth] = (uint8_t)type;
    if (stack->depth < UINT32_MAX)
        stack->depth++;
}

static inline void gapir_static_stack_pop(struct gapir_static_stack *stack, uint32_t count)
{
    stack->depth = count < stack->depth ? stack->depth - count : 0;
}

/* Applies the effect of an instruction on the stack. A CALL is taken to pop all slots. */
static inline void gapir_static_stack_step(struct gapir_static_stack *stack,
                                           enum gapir_dialect dialect,
                                           const struct gapir_instruction *instruction)
{
    const struct gapir_opcode_info *info = &gapir_opcode_table[instruction->opcode];
    uint32_t operand = gapir_operand26(instruction->word);
    unsigned type;

    switch (instruction->opcode) {
    case GAPIR_CALL:
        stack->depth = 0;
        if (gapir_call_pushes(instruction->word))
            gapir_static_stack_push(stack, GAPIR_TYPE_UNKNOWN);
        break;
    case GAPIR_LOAD:
        gapir_static_stack_pop(stack, 1);
        gapir_static_stack_push(stack, gapir_operand_type(instruction->word));
        break;
    case GAPIR_PUSH_I:
    case GAPIR_LOAD_C:
    case GAPIR_LOAD_V:
        gapir_static_stack_push(stack, gapir_operand_type(instruction->word));
        break;
    case GAPIR_POP:
        gapir_static_stack_pop(stack, operand);
        break;
    case GAPIR_CLONE:
        gapir_static_stack_push(stack, gapir_static_stack_type(stack, operand));
        break;
    case GAPIR_EXTEND:
        break;
    case GAPIR_ADD:
        if (operand < 2)
            break;
        type = gapir_static_stack_type(stack, 0);
        gapir_static_stack_pop(stack, operand);
        gapir_static_stack_push(stack,
                                type == GAPIR_CONSTANT_POINTER ? GAPIR_ABSOLUTE_POINTER : type);
        break;
    case GAPIR_NOTIFICATION:
        gapir_static_stack_pop(stack, gapir_notification_operands(dialect));
        break;
    default:
        gapir_static_stack_pop(stack, (uint32_t)info->pops);
        break;
    }
}

#endif

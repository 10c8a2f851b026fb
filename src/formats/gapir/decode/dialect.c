/* SPDX-License-Identifier: MIT */
#include "formats/gapir/decode/dialect.h"

#include "formats/gapir/decode/static_stack.h"

static bool is_pointer(unsigned type)
{
    return type >= GAPIR_ABSOLUTE_POINTER && type < GAPIR_TYPES;
}

/*
 * Determines the dialect by the operands that are on the stack before opcode 19. That is
 * NOTIFICATION with 3 or 2 operands in the older dialects, and JUMP_Z in agi. Returns false if the
 * operands fit none of these.
 */
static bool tell_by_operands(const struct gapir_static_stack *stack, enum gapir_dialect *dialect)
{
    unsigned top = gapir_static_stack_type(stack, 0);
    unsigned second = gapir_static_stack_type(stack, 1);
    unsigned third = gapir_static_stack_type(stack, 2);

    if (top == GAPIR_UINT32 && second == GAPIR_UINT32 && is_pointer(third))
        *dialect = GAPIR_GAPID17DEV;
    else if (top == GAPIR_UINT32 && is_pointer(second))
        *dialect = GAPIR_GAPID16;
    else if (top == GAPIR_INT32 && stack->depth == 1)
        *dialect = GAPIR_AGI;
    else
        return false;
    return true;
}

enum gapir_dialect gapir_dialect_detect(const struct gapir_code *code, uint32_t *pc)
{
    struct gapir_code agi = {code->words, code->count, GAPIR_AGI};
    struct gapir_instruction instruction;
    struct gapir_static_stack stack = {0};
    enum gapir_dialect dialect;

    for (*pc = 0; *pc < agi.count; *pc += instruction.length) {
        gapir_decode(&agi, *pc, &instruction);
        if (instruction.opcode >= GAPIR_NOTIFICATION && instruction.opcode != GAPIR_INVALID)
            return GAPIR_AGI;
        if (instruction.opcode == GAPIR_JUMP_Z && tell_by_operands(&stack, &dialect))
            return dialect;
        gapir_static_stack_step(&stack, GAPIR_AGI, &instruction);
    }
    return GAPIR_AGI;
}

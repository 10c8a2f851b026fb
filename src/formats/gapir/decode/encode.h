/*
 * Instruction words from what they mean, in the shortest form, which is the one
 * that the official exporter chooses (gapir.md 2.6, "Encoder rule"). For examples
 * and tests. Pure functions.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_ENCODE_H
#define GPUDUMPFS_GAPIR_DECODE_ENCODE_H

#include "formats/gapir/decode/decode.h"

#include <stddef.h>

enum { GAPIR_ENCODE_MAX = 4 }; /* words that one of these writes at most */

uint32_t gapir_encode(enum gapir_opcode opcode, uint32_t operand);
uint32_t gapir_encode_typed(enum gapir_opcode opcode, enum gapir_type type, uint32_t operand);
uint32_t gapir_encode_call(unsigned api, unsigned function, bool push);

/*
 * A value on the stack: PUSH_I and EXTENDs. Signed values are extended to 64 bits,
 * Float and Double are their bits. The number of words.
 */
size_t gapir_encode_push(enum gapir_type type, uint64_t value, uint32_t out[GAPIR_ENCODE_MAX]);

/* Loads a value from constant or volatile memory, as `pointer` says. */
size_t gapir_encode_load(enum gapir_type type, enum gapir_type pointer, uint64_t address,
                         uint32_t out[GAPIR_ENCODE_MAX]);

/* Stores the top of the stack in volatile memory. */
size_t gapir_encode_store(uint64_t address, uint32_t out[GAPIR_ENCODE_MAX]);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The decode pass: one walk over all words when a payload is opened. It finds packets, jump
 * targets, inline data and what the static texts need, and decides the dialect and the function
 * tables (gapir.md 4.3). The memory that it keeps grows with packets and sites, not with words, and
 * is capped. A scan is immutable once it is built; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_SCAN_H
#define GPUDUMPFS_GAPIR_DECODE_SCAN_H

#include "base/cancel.h"
#include "base/problems.h"
#include "formats/gapir/container/payload.h"
#include "formats/gapir/decode/decode.h"
#include "formats/gapir/decode/names.h"
#include "formats/gapir/decode/release.h"
#include "formats/gapir/decode/static_stack.h"

enum {
    GAPIR_PACKETS_MAX = 1 << 24,
    /* bytes of memory for each packet, including its record in the index */
    GAPIR_PACKET_COST = 64,
    GAPIR_SITES_MAX = 1 << 22, /* maximum each of inline resources and jump targets */
    GAPIR_MARK_LINES = 1024,   /* instructions between two marks */
};

#define GAPIR_LABEL_START UINT32_MAX /* label of the run of instructions before the first LABEL */
#define GAPIR_LABEL_NONE  0x3ffffffu /* LABEL's operand for "no command" */

/* The run of instructions under one LABEL. */
struct gapir_packet {
    uint32_t pc, words;
    uint32_t instructions, calls, posts;
    uint32_t inline_bytes;
    uint32_t label; /* GAPIR_LABEL_START before the first LABEL */
};

/* The value that a PUSH_I and the EXTENDs after it make. */
struct gapir_fold {
    uint64_t value;
    uint8_t type; /* GAPIR_TYPE_UNKNOWN if there is no such value */
};

/* Advances the fold over one instruction. */
static inline void gapir_fold_step(struct gapir_fold *fold,
                                   const struct gapir_instruction *instruction)
{
    uint32_t word = instruction->word;
    unsigned type = gapir_operand_type(word);

    if (instruction->opcode == GAPIR_PUSH_I && type < GAPIR_TYPES) {
        fold->type = (uint8_t)type;
        fold->value = gapir_immediate(type, gapir_operand20(word));
    } else if (instruction->opcode == GAPIR_EXTEND && fold->type != GAPIR_TYPE_UNKNOWN) {
        fold->value = gapir_extend(fold->type, fold->value, gapir_operand26(word));
    } else {
        fold->type = GAPIR_TYPE_UNKNOWN;
    }
}

/* A place at which the disassembly can start; there is one every GAPIR_MARK_LINES instructions. */
struct gapir_mark {
    struct gapir_fold fold; /* as it is before the instruction at pc */
    uint32_t pc, packet, posts;
};

/* An INLINE_RESOURCE that is not truncated. */
struct gapir_inline_site {
    uint32_t pc, packet;
};

struct gapir_scan {
    struct gapir_code code;
    bool dialect_found;  /* an instruction reveals the dialect */
    uint32_t dialect_pc; /* index of that instruction's word */

    uint64_t instructions;
    uint64_t histogram[GAPIR_OPCODES];
    uint32_t calls, posts;
    /* number of different threads that instructions name, and thread 0, which always exists */
    uint32_t threads;
    struct gapir_packet *packets;
    uint32_t packet_count, packet_room, packets_max;
    struct gapir_mark *marks;
    uint32_t mark_count, mark_room;
    struct gapir_jump *jumps; /* sorted by label, one for each */
    uint32_t jump_count, jump_room;
    struct gapir_inline_site *inlines;
    uint32_t inline_count, inline_room;
    uint64_t dropped; /* packets, jump targets and inline resources beyond the caps */

    struct gapir_usage *usages; /* sorted by key */
    uint32_t usage_count, usage_room;
    struct gapir_scan_scratch *scratch; /* NULL except while scanning */

    uint32_t *resource_uses;    /* number of RESOURCE instructions, by resource */
    uint32_t *resource_packets; /* first packet that uses the resource; UINT32_MAX: unused */

    /* NULL if no function of the API is called, or no table serves */
    const struct gapir_table *tables[GAPIR_APIS];
    bool table_fits[GAPIR_APIS]; /* every function is called with its number of arguments */
};

struct gapir_scan_params {
    uint64_t memory;    /* maximum of bytes that the index may take for packets; 0: no such limit */
    bool dialect_given; /* otherwise the dialect is detected */
    enum gapir_dialect dialect;
    const char *table; /* a release of an API, "v3.3.1" or "vulkan_v3.3.1"; NULL: detected */
};

/*
 * Scans a payload, which must outlive the scan. Returns 0, -ENOMEM or -EINTR. Call
 * gapir_scan_clear() on *out even if this fails.
 */
int gapir_scan(const struct gapir_payload *payload, const struct gapir_scan_params *params,
               struct problems *problems, const struct cancel *cancel, struct gapir_scan *out);
void gapir_scan_clear(struct gapir_scan *scan);

/* Returns the packet that holds the word at pc, which must be below code.count. */
uint32_t gapir_scan_packet(const struct gapir_scan *scan, uint32_t pc);

/* Returns the function that a CALL's word stands for, or NULL if no table has it. */
const struct gapir_function *gapir_scan_function(const struct gapir_scan *scan, uint32_t word);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The decode pass: one walk over all words when a payload is opened, which finds
 * packets, jump targets, inline data and what the static texts need, and decides
 * dialect and function tables (gapir.md 4.3). What it keeps grows with packets and
 * sites, not with words, and is capped. Immutable afterwards; any thread.
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
    GAPIR_PACKET_COST = 64,    /* bytes of memory for each, with what the index run notes of it */
    GAPIR_SITES_MAX = 1 << 22, /* inline resources, jump targets */
    GAPIR_MARK_LINES = 1024,   /* instructions between two marks */
};

#define GAPIR_LABEL_START UINT32_MAX /* the run before the first LABEL has none */
#define GAPIR_LABEL_NONE  0x3ffffffu /* "no command" */

/* The run of instructions under one LABEL. */
struct gapir_packet {
    uint32_t pc, words;
    uint32_t instructions, calls, posts;
    uint32_t inline_bytes;
    uint32_t label; /* GAPIR_LABEL_START: none */
};

/* A PUSH_I and the EXTENDs behind it make one value. */
struct gapir_fold {
    uint64_t value;
    uint8_t type; /* GAPIR_TYPE_UNKNOWN: there is no such value */
};

/* Moves the fold over one instruction. */
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

/* Where the disassembly can be taken up; one for every GAPIR_MARK_LINES instructions. */
struct gapir_mark {
    struct gapir_fold fold; /* before the instruction at pc */
    uint32_t pc, packet, posts;
};

/* An INLINE_RESOURCE that is whole. */
struct gapir_inline_site {
    uint32_t pc, packet;
};

struct gapir_scan {
    struct gapir_code code;
    bool dialect_found;  /* by an instruction … */
    uint32_t dialect_pc; /* … at this word */

    uint64_t instructions;
    uint64_t histogram[GAPIR_OPCODES];
    uint32_t calls, posts;
    uint32_t threads; /* that instructions name; thread 0 is there from the beginning */
    struct gapir_packet *packets;
    uint32_t packet_count, packet_room, packets_max;
    struct gapir_mark *marks;
    uint32_t mark_count, mark_room;
    struct gapir_jump *jumps; /* sorted by label, each once */
    uint32_t jump_count, jump_room;
    struct gapir_inline_site *inlines;
    uint32_t inline_count, inline_room;
    uint64_t dropped; /* sites and packets beyond the caps */

    struct gapir_usage *usages; /* sorted by key */
    uint32_t usage_count, usage_room;
    struct gapir_scan_scratch *scratch; /* while scanning */

    uint32_t *resource_uses;    /* RESOURCE instructions, by resource */
    uint32_t *resource_packets; /* the first packet of each; UINT32_MAX: unused */

    const struct gapir_table *tables[GAPIR_APIS]; /* NULL: the payload calls none of it */
    bool table_fits[GAPIR_APIS]; /* every function is called with its number of arguments */
};

struct gapir_scan_params {
    uint64_t memory;    /* bytes that the index may take for packets at most; 0: no such limit */
    bool dialect_given; /* else it is detected */
    enum gapir_dialect dialect;
    const char *table; /* a release for its API, "v3.3.1" or "vulkan_v3.3.1"; NULL: auto */
};

/*
 * Scans a payload that outlives the scan. 0, -ENOMEM, or -EINTR. *out is to be
 * cleared in any case.
 */
int gapir_scan(const struct gapir_payload *payload, const struct gapir_scan_params *params,
               struct problems *problems, const struct cancel *cancel, struct gapir_scan *out);
void gapir_scan_clear(struct gapir_scan *scan);

/* The packet that holds the word at pc < code.count. */
uint32_t gapir_scan_packet(const struct gapir_scan *scan, uint32_t pc);

/* The function that a CALL's word means; NULL when no table has it. */
const struct gapir_function *gapir_scan_function(const struct gapir_scan *scan, uint32_t word);

#endif

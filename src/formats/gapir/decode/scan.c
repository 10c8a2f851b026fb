/* SPDX-License-Identifier: MIT */
#include "formats/gapir/decode/scan.h"

#include "base/array.h"
#include "formats/gapir/decode/dialect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { IDS = 1 << 16, THREAD_BITS = 26, PAGE_BITS = 16, CALL_KEY = 0xfffff, INVALID_LISTED = 1000 };

/* Maps over all ids and all thread numbers; their pages are allocated when first used. */
struct gapir_scan_scratch {
    /* by id: the index in usages plus one; 0: none */
    uint32_t *usage_slots[GAPIR_APIS];
    uint8_t *threads[1 << (THREAD_BITS - PAGE_BITS)]; /* a bit for each thread number */
};

/* The state that the walk carries from one instruction to the next. */
struct walker {
    struct gapir_scan *scan;
    const struct gapir_payload *payload;
    struct problems *problems;
    struct gapir_static_stack stack;
    /*
     * The fold is advanced only when it is needed (move_fold()). `fold` is as it is before the word
     * at fold_pc. If fold_pc has moved on since, that is to the last instruction before the current
     * word that is not an EXTEND: such an instruction begins the fold anew, so what came before it
     * does not matter.
     */
    struct gapir_fold fold;
    uint32_t fold_pc;
    uint64_t invalid; /* words that are not instructions */
};

static uint64_t offset_of(const struct walker *walker, uint32_t pc)
{
    return walker->payload->opcodes.offset + (uint64_t)pc * 4;
}

/* Only marks need the fold, so it is advanced only when one is set. */
static void move_fold(struct walker *walker, uint32_t pc)
{
    struct gapir_instruction instruction;

    for (; walker->fold_pc < pc; walker->fold_pc += instruction.length) {
        gapir_decode(&walker->scan->code, walker->fold_pc, &instruction);
        gapir_fold_step(&walker->fold, &instruction);
    }
}

/* Only the first are listed, so that millions of them take no time. */
static void report_invalid(struct walker *walker, const struct gapir_instruction *instruction)
{
    if (walker->invalid++ < INVALID_LISTED && walker->problems != NULL)
        problems_add(walker->problems, PROBLEM_WARNING, offset_of(walker, instruction->pc),
                     walker->scan->packet_count - 1, "not an instruction: 0x%08x",
                     instruction->word);
}

static int add_mark(struct walker *walker, uint32_t pc)
{
    struct gapir_scan *scan = walker->scan;
    int status = ARRAY_GROW(scan->marks, scan->mark_count, scan->mark_room);

    move_fold(walker, pc);
    if (status == 0)
        scan->marks[scan->mark_count++] = (struct gapir_mark){
            .fold = walker->fold, .pc = pc, .packet = scan->packet_count - 1, .posts = scan->posts};
    return status;
}

static int add_jump(struct gapir_scan *scan, const struct gapir_instruction *instruction)
{
    if (scan->jump_count == GAPIR_SITES_MAX) {
        scan->dropped++;
        return 0;
    }
    int status = ARRAY_GROW(scan->jumps, scan->jump_count, scan->jump_room);
    if (status == 0)
        scan->jumps[scan->jump_count++] =
            (struct gapir_jump){.label = gapir_operand26(instruction->word), .pc = instruction->pc};
    return status;
}

static int add_inline(struct walker *walker, const struct gapir_instruction *instruction)
{
    struct gapir_scan *scan = walker->scan;

    if (instruction->truncated) {
        if (walker->problems != NULL)
            problems_add(walker->problems, PROBLEM_ERROR, offset_of(walker, instruction->pc),
                         scan->packet_count - 1,
                         "INLINE_RESOURCE goes beyond the end of the instructions");
        return 0;
    }
    scan->packets[scan->packet_count - 1].inline_bytes += gapir_operand20(instruction->word);
    if (scan->inline_count == GAPIR_SITES_MAX) {
        scan->dropped++;
        return 0;
    }
    int status = ARRAY_GROW(scan->inlines, scan->inline_count, scan->inline_room);
    if (status == 0)
        scan->inlines[scan->inline_count++] =
            (struct gapir_inline_site){.pc = instruction->pc, .packet = scan->packet_count - 1};
    return status;
}

static int use_thread(struct gapir_scan *scan, uint32_t thread)
{
    uint8_t **page = &scan->scratch->threads[thread >> PAGE_BITS];
    uint32_t place = thread & ((1 << PAGE_BITS) - 1);

    if (*page == NULL)
        *page = calloc((1 << PAGE_BITS) / 8, 1);
    if (*page == NULL)
        return -ENOMEM;
    uint8_t *byte = *page + place / 8, bit = (uint8_t)(1 << place % 8);
    if (thread != 0 && !(*byte & bit))
        scan->threads++;
    *byte |= bit;
    return 0;
}

static void use_resource(struct gapir_scan *scan, uint32_t index, uint32_t count)
{
    if (index >= count)
        return;
    if (scan->resource_uses[index]++ == 0)
        scan->resource_packets[index] = scan->packet_count - 1;
}

static uint32_t *usage_slot(struct gapir_scan *scan, uint32_t key)
{
    uint32_t **slots = &scan->scratch->usage_slots[key >> 16];

    if (*slots == NULL)
        *slots = calloc(IDS, sizeof(**slots));
    return *slots != NULL ? *slots + (key & 0xffff) : NULL;
}

/*
 * Returns how many slots a POP right after a CALL discards, besides the CALL's result. These slots
 * were not arguments.
 */
static uint32_t count_discarded(const struct gapir_code *code, const struct gapir_instruction *call)
{
    if (call->pc + 1 >= code->count)
        return 0;
    uint32_t next = gapir_word(code, call->pc + 1), pushed = gapir_call_pushes(call->word);
    if (gapir_opcode_map[code->dialect][next >> 26] != GAPIR_POP)
        return 0;
    return gapir_operand26(next) > pushed ? gapir_operand26(next) - pushed : 0;
}

/* Describes a CALL site. Its arguments are above `discarded` slots of the stack. */
static struct gapir_usage look_at_site(const struct gapir_static_stack *stack, uint32_t discarded)
{
    uint32_t depth = stack->depth;
    struct gapir_usage site = {.count = (uint8_t)(depth < UINT8_MAX ? depth : UINT8_MAX)};

    if (discarded > depth || depth > GAPIR_ARGUMENTS_MAX)
        discarded = 0;
    site.count = (uint8_t)(site.count - discarded);
    for (uint32_t n = 0; n < GAPIR_ARGUMENTS_MAX && n < site.count; n++)
        site.types[n] = (uint8_t)gapir_static_stack_type(stack, depth - discarded - 1 - n);
    return site;
}

static int note_call(struct walker *walker, const struct gapir_instruction *call)
{
    struct gapir_scan *scan = walker->scan;
    struct gapir_usage site = look_at_site(&walker->stack, count_discarded(&scan->code, call));
    uint32_t *slot = usage_slot(scan, call->word & CALL_KEY);

    if (slot == NULL)
        return -ENOMEM;
    if (*slot == 0) {
        int status = ARRAY_GROW(scan->usages, scan->usage_count, scan->usage_room);
        if (status != 0)
            return status;
        site.key = call->word & CALL_KEY;
        scan->usages[scan->usage_count++] = site;
        *slot = scan->usage_count;
    }
    struct gapir_usage *usage = &scan->usages[*slot - 1];
    usage->varies |= usage->count != site.count;
    usage->calls++;
    return 0;
}

/* Handles the instructions that leave something in the scan. */
static int take(struct walker *walker, const struct gapir_instruction *instruction)
{
    struct gapir_scan *scan = walker->scan;
    struct gapir_packet *packet = &scan->packets[scan->packet_count - 1];
    uint32_t operand = gapir_operand26(instruction->word);

    switch (instruction->opcode) {
    case GAPIR_CALL:
        packet->calls++;
        scan->calls++;
        return note_call(walker, instruction);
    case GAPIR_POST:
        packet->posts++;
        scan->posts++;
        return 0;
    case GAPIR_RESOURCE:
        use_resource(scan, operand, walker->payload->resource_count);
        return 0;
    case GAPIR_SWITCH_THREAD:
        return use_thread(scan, operand);
    case GAPIR_JUMP_LABEL:
        return add_jump(scan, instruction);
    case GAPIR_INLINE_RESOURCE:
        return add_inline(walker, instruction);
    case GAPIR_INVALID:
        report_invalid(walker, instruction);
        return 0;
    default:
        return 0;
    }
}

/* Completes the counts of the last packet, which ends at pc. */
static void end_packet(struct gapir_scan *scan, uint32_t pc)
{
    if (scan->packet_count == 0)
        return;
    struct gapir_packet *packet = &scan->packets[scan->packet_count - 1];
    packet->words = pc - packet->pc;
    packet->instructions = (uint32_t)(scan->instructions - packet->instructions);
}

static int begin_packet(struct gapir_scan *scan, uint32_t pc, uint32_t label)
{
    if (scan->packet_count != 0 && scan->packet_count >= scan->packets_max) {
        scan->dropped++;
        return 0;
    }
    end_packet(scan, pc);
    int status = ARRAY_GROW(scan->packets, scan->packet_count, scan->packet_room);
    if (status == 0)
        scan->packets[scan->packet_count++] = (struct gapir_packet){
            .pc = pc, .label = label, .instructions = (uint32_t)scan->instructions};
    return status;
}

static int visit(struct walker *walker, uint32_t pc, uint32_t *length)
{
    struct gapir_scan *scan = walker->scan;
    struct gapir_instruction instruction;
    int status = 0;

    gapir_decode(&scan->code, pc, &instruction);
    *length = instruction.length;
    if (instruction.opcode == GAPIR_LABEL)
        status = begin_packet(scan, pc, gapir_operand26(instruction.word));
    else if (scan->packet_count == 0)
        status = begin_packet(scan, pc, GAPIR_LABEL_START);
    if (status == 0 && scan->instructions % GAPIR_MARK_LINES == 0)
        status = add_mark(walker, pc);
    if (status == 0)
        status = take(walker, &instruction);
    gapir_static_stack_step(&walker->stack, scan->code.dialect, &instruction);
    return status;
}

/*
 * Handles the one-word instructions that leave nothing in the scan, which are nearly all there are:
 * only their effect on the stack counts. Returns false for any other instruction.
 */
static inline bool visit_plain(struct gapir_static_stack *stack, unsigned opcode, uint32_t word)
{
    switch (opcode) {
    case GAPIR_PUSH_I:
    case GAPIR_LOAD_V:
        gapir_static_stack_push(stack, gapir_operand_type(word));
        return true;
    case GAPIR_EXTEND:
        return true;
    case GAPIR_CLONE:
        gapir_static_stack_push(stack, gapir_static_stack_type(stack, gapir_operand26(word)));
        return true;
    case GAPIR_STORE_V:
        gapir_static_stack_pop(stack, 1);
        return true;
    case GAPIR_COPY:
        gapir_static_stack_pop(stack, 2);
        return true;
    default:
        return false;
    }
}

/* Walks over instructions from one mark to the next. */
static int walk_some(struct walker *walker, uint32_t *pc)
{
    const struct gapir_code code = walker->scan->code;
    const uint8_t *map = gapir_opcode_map[code.dialect];
    uint64_t *histogram = walker->scan->histogram;
    int status = 0;

    for (unsigned n = 0; n < GAPIR_MARK_LINES && *pc < code.count && status == 0; n++) {
        uint32_t word = gapir_word(&code, *pc), length = 1;
        unsigned opcode = map[word >> 26];
        if (n == 0 || !visit_plain(&walker->stack, opcode, word))
            status = visit(walker, *pc, &length);
        if (opcode != GAPIR_EXTEND)
            walker->fold_pc = *pc;
        *pc += length;
        walker->scan->instructions++;
        histogram[opcode]++;
    }
    return status;
}

static int compare_jumps(const void *left, const void *right)
{
    const struct gapir_jump *a = left, *b = right;

    if (a->label != b->label)
        return a->label < b->label ? -1 : 1;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

/* Sorts the targets of jumps. Of several with the same label, the first counts. */
static void sort_jumps(struct gapir_scan *scan)
{
    uint32_t kept = 0;

    if (scan->jump_count != 0)
        qsort(scan->jumps, scan->jump_count, sizeof(*scan->jumps), compare_jumps);
    for (uint32_t n = 0; n < scan->jump_count; n++)
        if (kept == 0 || scan->jumps[kept - 1].label != scan->jumps[n].label)
            scan->jumps[kept++] = scan->jumps[n];
    scan->jump_count = kept;
}

static int compare_usages(const void *left, const void *right)
{
    const struct gapir_usage *a = left, *b = right;

    return a->key < b->key ? -1 : a->key > b->key;
}

static int walk(struct walker *walker, const struct cancel *cancel)
{
    struct gapir_scan *scan = walker->scan;
    int status = 0;

    for (uint32_t pc = 0; pc < scan->code.count && status == 0;)
        status = cancel_requested(cancel) ? -EINTR : walk_some(walker, &pc);
    end_packet(scan, scan->code.count);
    return status;
}

static int prepare(const struct gapir_payload *payload, const struct gapir_scan_params *params,
                   struct gapir_scan *scan)
{
    size_t resources = payload->resource_count != 0 ? payload->resource_count : 1;

    scan->code = (struct gapir_code){.words = payload->opcodes.data,
                                     .count = (uint32_t)(payload->opcodes.size / 4),
                                     .dialect = params->dialect};
    if (!params->dialect_given)
        scan->code.dialect = gapir_dialect_detect(&scan->code, &scan->dialect_pc);
    scan->threads = 1;
    scan->packets_max = GAPIR_PACKETS_MAX;
    if (params->memory != 0 && params->memory / GAPIR_PACKET_COST < GAPIR_PACKETS_MAX)
        scan->packets_max = (uint32_t)(params->memory / GAPIR_PACKET_COST);
    scan->dialect_found = !params->dialect_given && scan->dialect_pc < scan->code.count;
    scan->scratch = calloc(1, sizeof(*scan->scratch));
    scan->resource_uses = calloc(resources, sizeof(*scan->resource_uses));
    scan->resource_packets = calloc(resources, sizeof(*scan->resource_packets));
    if (scan->scratch == NULL || scan->resource_uses == NULL || scan->resource_packets == NULL)
        return -ENOMEM;
    memset(scan->resource_packets, 0xff, resources * sizeof(*scan->resource_packets));
    return 0;
}

static void free_scratch(struct gapir_scan *scan)
{
    struct gapir_scan_scratch *scratch = scan->scratch;

    if (scratch == NULL)
        return;
    for (unsigned n = 0; n < GAPIR_APIS; n++)
        free(scratch->usage_slots[n]);
    for (unsigned n = 0; n < sizeof(scratch->threads) / sizeof(scratch->threads[0]); n++)
        free(scratch->threads[n]);
    free(scratch);
    scan->scratch = NULL;
}

/* Chooses a table for each API that is called. */
static void choose_tables(struct gapir_scan *scan, const char *wanted)
{
    bool called[GAPIR_APIS] = {false};

    for (uint32_t n = 0; n < scan->usage_count; n++)
        called[scan->usages[n].key >> 16] = true;
    for (unsigned api = 1; api < GAPIR_APIS; api++)
        if (called[api])
            scan->tables[api] = gapir_release_choose(api, scan->usages, scan->usage_count, wanted,
                                                     &scan->table_fits[api]);
}

/* Reports what was only counted. */
static void report_counts(const struct walker *walker)
{
    if (walker->problems == NULL)
        return;
    if (walker->invalid > INVALID_LISTED)
        problems_add(walker->problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "%llu more words are not instructions",
                     (unsigned long long)(walker->invalid - INVALID_LISTED));
    if (walker->scan->dropped != 0)
        problems_add(
            walker->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
            "%llu labels, jump targets and inline resources beyond the limits are not shown",
            (unsigned long long)walker->scan->dropped);
}

int gapir_scan(const struct gapir_payload *payload, const struct gapir_scan_params *params,
               struct problems *problems, const struct cancel *cancel, struct gapir_scan *out)
{
    struct walker walker = {.scan = out,
                            .payload = payload,
                            .problems = problems,
                            .fold = {.type = GAPIR_TYPE_UNKNOWN}};

    *out = (struct gapir_scan){0};
    int status = prepare(payload, params, out);
    if (status == 0)
        status = walk(&walker, cancel);
    if (status != 0)
        return status;
    free_scratch(out);
    sort_jumps(out);
    if (out->usage_count != 0)
        qsort(out->usages, out->usage_count, sizeof(*out->usages), compare_usages);
    choose_tables(out, params->table);
    report_counts(&walker);
    return 0;
}

void gapir_scan_clear(struct gapir_scan *scan)
{
    free(scan->packets);
    free(scan->marks);
    free(scan->jumps);
    free(scan->inlines);
    free(scan->usages);
    free_scratch(scan);
    free(scan->resource_uses);
    free(scan->resource_packets);
    *scan = (struct gapir_scan){0};
}

uint32_t gapir_scan_packet(const struct gapir_scan *scan, uint32_t pc)
{
    uint32_t low = 0, high = scan->packet_count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->packets[middle].pc <= pc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const struct gapir_function *gapir_scan_function(const struct gapir_scan *scan, uint32_t word)
{
    const struct gapir_table *table = scan->tables[gapir_call_api(word)];

    return table != NULL ? gapir_table_find(table, gapir_call_function(word)) : NULL;
}

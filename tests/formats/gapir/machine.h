/* SPDX-License-Identifier: MIT */
/*
 * A GAPIR machine set up from text, as the corpus's cases.tsv says it, with
 * functions that do what a case asks; its outcome as text of the same kind. Tests
 * and the random comparison share it.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_MACHINE_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_MACHINE_H

#include "base/text.h"
#include "formats/gapir/decode/scan.h"
#include "formats/gapir/replay/vm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACHINE_FUNCTIONS = 64, MACHINE_RESOURCES = 16, MACHINE_INITS = 8 };

/* fn=API:ID:pop:TYPE, fn=API:ID:nop, fn=API:ID:ret:TYPE:VALUE:ARGTYPES */
struct machine_function {
    unsigned api, id;
    unsigned count;
    uint8_t types[GAPIR_ARGUMENTS_MAX]; /* GAPIR_ANY_POINTER: ptr */
    bool returns;
    uint8_t result_type;
    uint64_t result;
};

struct machine_init {
    uint32_t offset;
    uint8_t *bytes;
    size_t size;
};

struct machine {
    struct gapir_program program;
    struct gapir_limits limits;
    struct gapir_payload payload;
    struct gapir_scan scan;
    struct gapir_resource resources[MACHINE_RESOURCES];
    struct machine_function functions[MACHINE_FUNCTIONS];
    unsigned function_count;
    struct machine_init inits[MACHINE_INITS]; /* of volatile memory */
    unsigned init_count;
    uint8_t *words, *constants;
    struct gapir_vm *vm;
    struct text popped; /* Type:hex of every argument, `call` for a nop, with commas between */
    struct text posts;  /* `post0=hex`, one a line */
    struct text notes;  /* `note0=id:label:hex` */
};

/* Bytes from hexadecimal digits, spaces allowed, for free(); fails the program. */
uint8_t *machine_hex(const char *digits, size_t length, size_t *size);

/* Sets up a machine from `name=value` words with spaces between ("-": none). */
void machine_init(struct machine *machine, const char *parameters);

/* Runs words given in hexadecimal ("-": none). */
void machine_run(struct machine *machine, const char *words, uint64_t steps);

/* `ok` or `err:code@pc`. */
void machine_result(const struct machine *machine, struct text *text);
/* `Type:hex,...` from the bottom; `empty`. */
void machine_stack(const struct machine *machine, struct text *text);

/*
 * All of it in one line, with | between: result, instructions, label, thread, calls, fences,
 * posts, notifications, popped arguments, CRC-32 of volatile memory, and the stack if it ended
 * well.
 */
void machine_outcome(const struct machine *machine, struct text *text);

void machine_clear(struct machine *machine);

#endif

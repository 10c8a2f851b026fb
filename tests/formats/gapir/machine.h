/* SPDX-License-Identifier: MIT */
/*
 * A GAPIR machine set up from text as in the corpus's cases.tsv, with functions that do what a case
 * requests; its outcome is text of the same kind. Tests and the comparison with random programs use
 * it.
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

/* From fn=API:ID:pop:TYPE, fn=API:ID:nop or fn=API:ID:ret:TYPE:VALUE:ARGTYPES */
struct machine_function {
    unsigned api, id;
    unsigned count;
    uint8_t types[GAPIR_ARGUMENTS_MAX]; /* GAPIR_ANY_POINTER is written ptr */
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
    struct machine_init inits[MACHINE_INITS]; /* initial contents of volatile memory */
    unsigned init_count;
    uint8_t *words, *constants;
    struct gapir_vm *vm;
    struct text popped; /* Type:hex of each argument, `call` for a nop; separated by , */
    struct text posts;  /* `post0=hex`, one a line */
    struct text notes;  /* `note0=id:label:hex` */
};

/*
 * Converts hexadecimal digits, between which spaces are allowed, to bytes, which the caller frees
 * with free(). Ends the program on error.
 */
uint8_t *machine_hex(const char *digits, size_t length, size_t *size);

/* Sets up a machine from words `name=value` separated by spaces ("-" for none). */
void machine_init(struct machine *machine, const char *parameters);

/* Runs instruction words given in hexadecimal ("-" for none). */
void machine_run(struct machine *machine, const char *words, uint64_t steps);

/* Appends `ok` or `err:code@pc`. */
void machine_result(const struct machine *machine, struct text *text);
/* Appends the stack from the bottom as `Type:hex,...`, or `empty`. */
void machine_stack(const struct machine *machine, struct text *text);

/*
 * Appends the complete outcome on one line, its parts separated by |: result, instructions, label,
 * thread, calls, fences, posts, notifications, popped arguments, CRC-32 of volatile memory, and the
 * stack if the run ended without an error.
 */
void machine_outcome(const struct machine *machine, struct text *text);

void machine_clear(struct machine *machine);

#endif

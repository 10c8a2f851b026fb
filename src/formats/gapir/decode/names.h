/* SPDX-License-Identifier: MIT */
/*
 * What a CALL's api and function id mean, by release of the exporter: ids move
 * from one to the next (gapir.md 3.5). The tables are made at build time from
 * ids/ by names.awk, hold no pointers, and are only read. Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_NAMES_H
#define GPUDUMPFS_GAPIR_DECODE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of arguments and results: those of enum gapir_type, and three more. */
enum {
    GAPIR_ANY_POINTER = 11, /* any of the pointer types; a result is an AbsolutePointer */
    GAPIR_SIZE = 14,        /* Uint64, or Uint32 where pointers have four bytes */
    GAPIR_VOID = 15,
};

/* Offsets are into gapir_strings. */
struct gapir_argument {
    uint32_t name, ctype;
    uint8_t type;
};

struct gapir_function {
    uint32_t name, result_ctype;
    uint32_t arguments; /* the first one's index in gapir_argument_lists */
    uint8_t count;
    uint8_t result; /* type */
    bool callable;  /* positions of synthetic commands and callbacks are not */
};

/* The functions of one API in one release. */
struct gapir_table {
    const char *release; /* "vulkan_v3.3.1" */
    uint8_t api;
    uint32_t first;     /* index in gapir_functions of id 0 … */
    uint32_t positions; /* … and of how many ids after it; then come … */
    uint32_t builtins;  /* … the synthetic ones, whose ids end with 0xffff */
};

/* Oldest first within an API. */
extern const struct gapir_table gapir_tables[];
extern const size_t gapir_table_count;

extern const char gapir_strings[];
extern const struct gapir_argument gapir_arguments[];
extern const uint16_t gapir_argument_lists[]; /* indexes in gapir_arguments */
extern const struct gapir_function gapir_functions[];

/* NULL when the table has no such function, or none that can be called. */
const struct gapir_function *gapir_table_find(const struct gapir_table *table, unsigned id);

/* The number of a function within its table: 0 to gapir_table_size() - 1. */
uint32_t gapir_table_index(const struct gapir_table *table, const struct gapir_function *function);
uint32_t gapir_table_size(const struct gapir_table *table);

/* The id by which CALL names a function of the table. */
unsigned gapir_table_id(const struct gapir_table *table, const struct gapir_function *function);

/* A release's table by its name; NULL when there is none. */
const struct gapir_table *gapir_table_named(const char *release);

const char *gapir_function_name(const struct gapir_function *function);
const char *gapir_function_result_ctype(const struct gapir_function *function);

/* Argument n < function->count. */
const struct gapir_argument *gapir_function_argument(const struct gapir_function *function,
                                                     unsigned n);
const char *gapir_argument_name(const struct gapir_argument *argument);
const char *gapir_argument_ctype(const struct gapir_argument *argument);

#endif

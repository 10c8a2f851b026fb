/* SPDX-License-Identifier: MIT */
/*
 * What the api and the function id of a CALL mean, by release of the exporter: ids differ between
 * releases (gapir.md 3.5). names.awk generates the tables at build time from ids/. They hold no
 * pointers and are read-only. Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_NAMES_H
#define GPUDUMPFS_GAPIR_DECODE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of arguments and results: those of enum gapir_type, and these three. */
enum {
    GAPIR_ANY_POINTER = 11, /* any of the pointer types; as a result, an AbsolutePointer */
    GAPIR_SIZE = 14,        /* Uint64, or Uint32 with four-byte pointers */
    GAPIR_VOID = 15,
};

/* Offsets are into gapir_strings. */
struct gapir_argument {
    uint32_t name, ctype;
    uint8_t type;
};

struct gapir_function {
    uint32_t name, result_ctype;
    uint32_t arguments; /* index of the first argument in gapir_argument_lists */
    uint8_t count;
    uint8_t result; /* type */
    bool callable;  /* false for the ids of synthetic commands and callbacks */
};

/* The functions of one API in one release. */
struct gapir_table {
    const char *release; /* "vulkan_v3.3.1" */
    uint8_t api;
    uint32_t first;     /* index of id 0 in gapir_functions; the others of the table follow it */
    uint32_t positions; /* number of functions whose ids count from 0; they come first */
    uint32_t builtins;  /* number of synthetic functions, whose ids end at 0xffff */
};

/* Oldest first within an API. */
extern const struct gapir_table gapir_tables[];
extern const size_t gapir_table_count;

extern const char gapir_strings[];
extern const struct gapir_argument gapir_arguments[];
extern const uint16_t gapir_argument_lists[]; /* indexes in gapir_arguments */
extern const struct gapir_function gapir_functions[];

/*
 * Returns the function with an id, or NULL if the table has no such function or it cannot be
 * called.
 */
const struct gapir_function *gapir_table_find(const struct gapir_table *table, unsigned id);

/* Returns the number of a function within its table: 0 to gapir_table_size() - 1. */
uint32_t gapir_table_index(const struct gapir_table *table, const struct gapir_function *function);
uint32_t gapir_table_size(const struct gapir_table *table);

/* Returns the id by which CALL refers to a function of the table. */
unsigned gapir_table_id(const struct gapir_table *table, const struct gapir_function *function);

/* Returns a release's table by its name, or NULL if there is none. */
const struct gapir_table *gapir_table_named(const char *release);

const char *gapir_function_name(const struct gapir_function *function);
const char *gapir_function_result_ctype(const struct gapir_function *function);

/* Returns argument n, which must be below function->count. */
const struct gapir_argument *gapir_function_argument(const struct gapir_function *function,
                                                     unsigned n);
const char *gapir_argument_name(const struct gapir_argument *argument);
const char *gapir_argument_ctype(const struct gapir_argument *argument);

#endif

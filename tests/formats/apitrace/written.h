/* SPDX-License-Identifier: MIT */
/*
 * Traces that a test writes by itself into its folder, and opens.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_WRITTEN_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_WRITTEN_H

#include "examples/apitrace_writer.h"
#include "tests/formats/apitrace/open.h"

/* Functions of two arguments, and of none, which ends a frame. Their ids are 1 and 2. */
extern const struct trace_function written_plain, written_swap;

/* cmocka's set-up and tear-down of a group; the folder is there in between. */
int written_make_folder(void **state);
int written_remove_folder(void **state);

/* The path of a file in the folder, for free(). */
char *written_path(const char *name);

/* Writes the trace `written.trace` with `write`, and opens it. */
void written_open(const struct trace_params *params, void (*write)(struct trace_writer *writer),
                  struct apitrace_opened *out);

/* There are no problems. */
void written_expect_clean(const struct apitrace_opened *opened);

void written_uint(struct trace_writer *writer, unsigned argument, uint64_t value);

/* A writer of 3000 calls: enough for many chunks, with every call across a border somewhere. */
void written_many(struct trace_writer *writer);

/* Eight times as many: enough for chunks that are worth a thread. */
void written_a_lot(struct trace_writer *writer);

/* The bytes of a trace of written_many() in no container, for free(). */
uint8_t *written_bare(size_t *size);

#endif

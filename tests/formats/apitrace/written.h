/* SPDX-License-Identifier: MIT */
/* Traces that a test writes by itself into its folder, and opens */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_WRITTEN_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_WRITTEN_H

#include "examples/apitrace_writer.h"
#include "tests/formats/apitrace/open.h"

/*
 * A function of two arguments, and one without arguments that ends a frame. Their ids are 1 and 2.
 */
extern const struct trace_function written_plain, written_swap;

/* cmocka's set-up and tear-down of a group. The folder exists in between. */
int written_make_folder(void **state);
int written_remove_folder(void **state);

/* Returns the path of a file in the folder, to be freed with free(). */
char *written_path(const char *name);

/* Writes the trace `written.trace` by calling `write`, and opens it. */
void written_open(const struct trace_params *params, void (*write)(struct trace_writer *writer),
                  struct apitrace_opened *out);

/* Checks that there are no problems. */
void written_expect_clean(const struct apitrace_opened *opened);

void written_uint(struct trace_writer *writer, unsigned argument, uint64_t value);

/*
 * Writes 3000 calls: enough for many chunks, and for calls to cross their borders at many places.
 */
void written_many(struct trace_writer *writer);

/* Writes eight times as many calls: enough for chunks that are worth a thread of their own. */
void written_a_lot(struct trace_writer *writer);

/* Returns the bytes of a trace of written_many() without a container, to be freed with free(). */
uint8_t *written_bare(size_t *size);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Checks what a cut of an AeroGPU trace must be, and helps to write short traces by hand. Any
 * difference fails the test.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_AEROGPU_CUTS_H
#define GPUDUMPFS_TESTS_FORMATS_AEROGPU_CUTS_H

#include "tests/formats/aerogpu/open.h"

/*
 * Cuts every frame, one in the middle once more after the later ones, and two ranges. Each cut must
 * be as long as its size said, must open, and must show what the trace shows. `name` is for
 * messages.
 */
void cuts_expect(struct opened *opened, const char *name);

/*
 * Ends and opens what was written so far, and does the same with it. Frees the writer's contents.
 */
void cuts_expect_written(struct trace_writer *writer, const char *name);

/* Returns the cut of a frame, to be freed with free(). */
uint8_t *cuts_read(const struct opened *opened, unsigned frame, size_t *size);

/*
 * The callback of a dump's cut() that appends to the struct trace_bytes which is `context`. Returns
 * 0.
 */
int cuts_collect(void *context, const void *bytes, size_t size);

bool cuts_has_file(const struct opened *opened, const char *path);

/* Creates a square render target of four bytes a pixel. */
void cuts_screen(struct trace_stream *stream, uint32_t handle, uint32_t size);

/* Creates a shader. Drops the reference to the code. */
void cuts_make_shader(struct trace_stream *stream, uint32_t handle, uint32_t stage,
                      struct blob *code);

/*
 * Creates an input layout of a position and a colour of four floats each; if `flat`, the position
 * has two.
 */
void cuts_make_layout(struct trace_stream *stream, uint32_t handle, bool flat);

#endif

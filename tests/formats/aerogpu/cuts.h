/* SPDX-License-Identifier: MIT */
/*
 * What a cut of an AeroGPU trace must be, and short traces that are written by hand to be cut. What
 * is not so fails the test.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_AEROGPU_CUTS_H
#define GPUDUMPFS_TESTS_FORMATS_AEROGPU_CUTS_H

#include "tests/formats/aerogpu/open.h"

/*
 * Every frame, those in the middle also after later ones, and two ranges: each cut is as long as
 * was told before, is opened, and shows what the trace does. `name`: for messages.
 */
void cuts_expect(struct opened *opened, const char *name);

/* The same of what was written so far; the writer is freed. */
void cuts_expect_written(struct trace_writer *writer, const char *name);

/* The cut of a frame, for free(). */
uint8_t *cuts_read(const struct opened *opened, unsigned frame, size_t *size);

/* Adds to the struct trace_bytes that is the context, for a dump's cut(). */
int cuts_collect(void *context, const void *bytes, size_t size);

bool cuts_has_file(const struct opened *opened, const char *path);

/* A square target of four bytes a pixel. */
void cuts_screen(struct trace_stream *stream, uint32_t handle, uint32_t size);

/* Drops the reference to the code. */
void cuts_make_shader(struct trace_stream *stream, uint32_t handle, uint32_t stage,
                      struct blob *code);

/* A position of four floats, or `flat`: of two, and a colour. */
void cuts_make_layout(struct trace_stream *stream, uint32_t handle, bool flat);

#endif

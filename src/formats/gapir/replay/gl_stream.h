/* SPDX-License-Identifier: MIT */
/*
 * The calls of a replay as a stream of events, which is what the graphics worker is fed with
 * (apitrace.md 2.3 to 2.6, version 5): functions are defined where they are called first, values
 * are numbers, and pointers addresses of the VM's. Bytes gather in `bytes` until its user
 * takes them. A failed allocation sets bytes.bad. One thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_GL_STREAM_H
#define GPUDUMPFS_GAPIR_REPLAY_GL_STREAM_H

#include "formats/gapir/replay/vm.h"
#include "worker/message.h"

/* A function as the stream defines it: its id is its place among all, below GAPIR_GL_FUNCTIONS. */
struct gapir_gl_signature {
    uint32_t id;
    const char *name;
    unsigned count;
    const char *const *arguments; /* their names */
};

enum { GAPIR_GL_FUNCTIONS = 4096 };

struct gapir_gl_stream {
    struct message_writer bytes;
    uint64_t calls; /* so far */
    uint8_t defined[GAPIR_GL_FUNCTIONS / 8];
};

/* The header, into an empty stream. */
void gapir_gl_stream_begin(struct gapir_gl_stream *stream);
void gapir_gl_stream_clear(struct gapir_gl_stream *stream);

/* What was gathered has been taken. */
void gapir_gl_stream_taken(struct gapir_gl_stream *stream);

/* A call: enter, arguments in their order, then leave with or without a result. */
void gapir_gl_enter(struct gapir_gl_stream *stream, uint32_t thread,
                    const struct gapir_gl_signature *function);
void gapir_gl_argument(struct gapir_gl_stream *stream, unsigned number); /* its value follows */
void gapir_gl_leave(struct gapir_gl_stream *stream);
void gapir_gl_leave_with(struct gapir_gl_stream *stream, const struct gapir_slot *result);

/* Values. */
void gapir_gl_slot(struct gapir_gl_stream *stream, const struct gapir_slot *slot);
void gapir_gl_number(struct gapir_gl_stream *stream, uint64_t value);
void gapir_gl_address(struct gapir_gl_stream *stream, uint64_t address); /* 0: null */
void gapir_gl_blob(struct gapir_gl_stream *stream, const uint8_t *bytes, uint64_t size);
void gapir_gl_array(struct gapir_gl_stream *stream, const uint64_t *values, unsigned count);

#endif

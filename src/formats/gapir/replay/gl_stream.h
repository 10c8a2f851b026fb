/* SPDX-License-Identifier: MIT */
/*
 * Writes the calls of a replay as a stream of events, with which the graphics worker is fed
 * (apitrace.md 2.3 to 2.6, version 5). Functions are defined at their first call, values are
 * numbers, and pointers are addresses of the VM. Bytes gather in `bytes` until the user of the
 * stream takes them. A failed allocation sets bytes.bad. One thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_GL_STREAM_H
#define GPUDUMPFS_GAPIR_REPLAY_GL_STREAM_H

#include "formats/gapir/replay/vm.h"
#include "worker/message.h"

/*
 * A function as the stream defines it. Each function has an id of its own, below
 * GAPIR_GL_FUNCTIONS.
 */
struct gapir_gl_signature {
    uint32_t id;
    const char *name;
    unsigned count;
    const char *const *arguments; /* names of the arguments */
};

enum { GAPIR_GL_FUNCTIONS = 4096 };

struct gapir_gl_stream {
    struct message_writer bytes;
    uint64_t calls; /* written so far */
    uint8_t defined[GAPIR_GL_FUNCTIONS / 8];
};

/* Writes the header into an empty stream. */
void gapir_gl_stream_begin(struct gapir_gl_stream *stream);
void gapir_gl_stream_clear(struct gapir_gl_stream *stream);

/* Empties `bytes`. To be called when they have been taken. */
void gapir_gl_stream_taken(struct gapir_gl_stream *stream);

/* A call is written as enter, the arguments in their order, and leave with or without a result. */
void gapir_gl_enter(struct gapir_gl_stream *stream, uint32_t thread,
                    const struct gapir_gl_signature *function);
void gapir_gl_argument(struct gapir_gl_stream *stream, unsigned number); /* then write its value */
void gapir_gl_leave(struct gapir_gl_stream *stream);
void gapir_gl_leave_with(struct gapir_gl_stream *stream, const struct gapir_slot *result);

/* Write a value: of an argument, or within one. */
void gapir_gl_slot(struct gapir_gl_stream *stream, const struct gapir_slot *slot);
void gapir_gl_number(struct gapir_gl_stream *stream, uint64_t value);
void gapir_gl_address(struct gapir_gl_stream *stream, uint64_t address); /* null if it is 0 */
void gapir_gl_blob(struct gapir_gl_stream *stream, const uint8_t *bytes, uint64_t size);
void gapir_gl_array(struct gapir_gl_stream *stream, const uint64_t *values, unsigned count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Turns a VM's calls of GLES into the stream with which the graphics worker is fed (gapir.md 3.8).
 * The replay's own functions become calls of EGL. Memory that was written is sent before any call
 * that may read it. For every event the call that caused it is known. One thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_GL_CALLS_H
#define GPUDUMPFS_GAPIR_REPLAY_GL_CALLS_H

#include "formats/gapir/replay/gl_stream.h"
#include "formats/gapir/replay/player_backend.h"
#include "formats/gapir/replay/replay.h"

enum { GAPIR_GL_BYTES = 1 << 20 }; /* bytes after which the stream is drained */

/* Must be zero-initialised, except `drain` and `context`, before gapir_gl_calls_begin(). */
struct gapir_gl_calls {
    struct gapir_gl_stream stream;
    struct gapir_call_source *sources; /* of the events from number `first` on */
    uint32_t source_count, source_room;
    uint64_t first;
    /*
     * by renderer: the backbuffer that the stream has, counted as in gapir_renderer.surfaces; 0:
     * none
     */
    uint64_t surfaces[GAPIR_RENDERERS_MAX];
    /* Takes the stream's bytes and calls gapir_gl_calls_taken(). A failure is kept in `status`. */
    int (*drain)(void *context);
    void *context;
    int status;
};

/* What the VM's memory needs after a call was added. */
enum gapir_gl_need {
    GAPIR_GL_NOTHING,
    GAPIR_GL_PIXELS, /* the call reads pixels into memory, where gapir_driver_readback() says */
    GAPIR_GL_WINDOW, /* the window mapped last must get the contents of the buffer */
};

/*
 * Begins a stream: sends the VM's memories, and creates the context with which all others share. A
 * failure is kept in calls->status.
 */
void gapir_gl_calls_begin(struct gapir_gl_calls *calls, const struct gapir_vm_instance *instance);
void gapir_gl_calls_clear(struct gapir_gl_calls *calls);

/*
 * Adds the call that the instance has just served. Adds nothing for a call of another API than
 * GLES. A failure is kept in calls->status.
 */
enum gapir_gl_need gapir_gl_calls_add(struct gapir_gl_calls *calls,
                                      const struct gapir_vm_instance *instance);

/* Empties the stream. To be called when the bytes have been taken and their events have run. */
void gapir_gl_calls_taken(struct gapir_gl_calls *calls);

/*
 * Returns the call that caused an event, or NULL if the event was already taken or does not exist.
 */
const struct gapir_call_source *gapir_gl_calls_source(const struct gapir_gl_calls *calls,
                                                      uint64_t event);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a VM's calls of GLES are in the stream that the graphics worker is fed with (gapir.md 3.8):
 * the replay's own functions become calls of EGL, memory that was written is sent before a call
 * that may look at it, and every event is known by the call that it is for. One thread.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_GL_CALLS_H
#define GPUDUMPFS_GAPIR_REPLAY_GL_CALLS_H

#include "formats/gapir/replay/gl_stream.h"
#include "formats/gapir/replay/player_backend.h"
#include "formats/gapir/replay/replay.h"

enum { GAPIR_GL_BYTES = 1 << 20 }; /* that are gathered, before they are to be taken */

/* Zero-initialised before gapir_gl_calls_begin(). */
struct gapir_gl_calls {
    struct gapir_gl_stream stream;
    struct gapir_call_source *sources; /* of events from number `first` on */
    uint32_t source_count, source_room;
    uint64_t first;
    uint64_t surfaces[GAPIR_RENDERERS_MAX]; /* by renderer: how many were made */
    /* Takes the stream's bytes, with gapir_gl_calls_taken(); its failure sticks in `status`. */
    int (*drain)(void *context);
    void *context;
    int status;
};

/* What the VM's memory needs of a call that was added. */
enum gapir_gl_need {
    GAPIR_GL_NOTHING,
    GAPIR_GL_PIXELS, /* it has read pixels into memory: gapir_driver_readback() tells where */
    GAPIR_GL_WINDOW, /* the last window shows a buffer's contents */
};

/* The beginning of a stream: the VM's memories, and what all contexts share with. */
void gapir_gl_calls_begin(struct gapir_gl_calls *calls, const struct gapir_vm_instance *instance);
void gapir_gl_calls_clear(struct gapir_gl_calls *calls);

/* Adds the call that the instance has just served. Of another API than GLES: nothing. */
enum gapir_gl_need gapir_gl_calls_add(struct gapir_gl_calls *calls,
                                      const struct gapir_vm_instance *instance);

/* The bytes have been taken, and their events run. */
void gapir_gl_calls_taken(struct gapir_gl_calls *calls);

/* The call that an event is for; NULL: it was taken, or never was. */
const struct gapir_call_source *gapir_gl_calls_source(const struct gapir_gl_calls *calls,
                                                      uint64_t event);

#endif

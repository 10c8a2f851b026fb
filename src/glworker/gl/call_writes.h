/* SPDX-License-Identifier: MIT */
/*
 * What a call that draws or clears may write to the drawable, and what it certainly overwrites,
 * according to the current state. Called on the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_CALL_WRITES_H
#define GPUDUMPFS_GLWORKER_GL_CALL_WRITES_H

#include "glworker/gl/drawable.h"
#include "glworker/gl/gl.h"
#include "glworker/gl/surfaces.h"

/* Returns whether the call may write colours, whatever their values. */
bool retrace_writes_colours(const struct retrace_context *context, const struct retrace_call *call);

/* Returns whether the call may write depths. */
bool retrace_writes_depths(const struct retrace_call *call);

/* Returns whether primitives and clears write red, green, blue and alpha. */
bool retrace_writes_all_channels(const struct retrace_context *context);

/* Returns the part of a box in which a call may have drawn. Its width is 0 if there is none. */
struct retrace_box retrace_written_box(const struct retrace_context *context,
                                       const struct retrace_call *call,
                                       const struct retrace_box *box);

/* What a call certainly overwrites: where, and which planes (enum apitrace_watch_plane). */
struct retrace_overwritten {
    struct retrace_box box;
    uint32_t flags;
};
/*
 * Finds what a call overwrites within a box. Finds nothing if draws have other effects than pixels,
 * or rasterise nothing.
 */
void retrace_find_overwritten(const struct retrace *retrace, const struct retrace_context *context,
                              const struct retrace_call *call, const struct retrace_box *box,
                              struct retrace_overwritten *out);

#endif

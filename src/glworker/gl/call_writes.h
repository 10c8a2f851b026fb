/* SPDX-License-Identifier: MIT */
/*
 * What a call that draws or clears may write to the drawable, and what it writes whatever was
 * there: by the state that it finds. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_CALL_WRITES_H
#define GPUDUMPFS_GLWORKER_GL_CALL_WRITES_H

#include "glworker/gl/drawable.h"
#include "glworker/gl/gl.h"
#include "glworker/gl/surfaces.h"

/* Whether its colours, whatever they are, or depths may be written. */
bool retrace_writes_colours(const struct retrace_context *context, const struct retrace_call *call);
bool retrace_writes_depths(const struct retrace_call *call);

/* Whether primitives and clears write red, green, blue and alpha. */
bool retrace_writes_all_channels(const struct retrace_context *context);

/* The part of a box in which a call may have drawn; its width is 0 where there is none. */
struct retrace_box retrace_written_box(const struct retrace_context *context,
                                       const struct retrace_call *call,
                                       const struct retrace_box *box);

/* What a call certainly writes, whatever was there: where, and which (enum apitrace_watch_plane).
 */
struct retrace_overwritten {
    struct retrace_box box;
    uint32_t flags;
};
/* Within that box. Nothing where draws do more than leave pixels, or rasterise none. */
void retrace_find_overwritten(const struct retrace *retrace, const struct retrace_context *context,
                              const struct retrace_call *call, const struct retrace_box *box,
                              struct retrace_overwritten *out);

#endif

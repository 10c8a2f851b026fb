/* SPDX-License-Identifier: MIT */
/* Traces that are written by hand, one stream a frame */
#ifndef GPUDUMPFS_TESTS_FORMATS_AEROGPU_FRAMES_H
#define GPUDUMPFS_TESTS_FORMATS_AEROGPU_FRAMES_H

#include "examples/trace_writer.h"

/* Begins a trace of version 2 and its first frame. */
void frames_begin_trace(struct trace_writer *writer, struct trace_stream *stream);

void frames_begin(struct trace_writer *writer, struct trace_stream *stream);
void frames_end(struct trace_writer *writer, struct trace_stream *stream);

/* Ends a frame and begins the next. */
void frames_next(struct trace_writer *writer, struct trace_stream *stream);

#endif

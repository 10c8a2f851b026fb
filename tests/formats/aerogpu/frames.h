/* SPDX-License-Identifier: MIT */
/* Traces that are written by hand, a stream a frame. */
#ifndef GPUDUMPFS_TESTS_FORMATS_AEROGPU_FRAMES_H
#define GPUDUMPFS_TESTS_FORMATS_AEROGPU_FRAMES_H

#include "examples/trace_writer.h"

/* A trace of version 2, and its first frame. */
void frames_begin_trace(struct trace_writer *writer, struct trace_stream *stream);

void frames_begin(struct trace_writer *writer, struct trace_stream *stream);
void frames_end(struct trace_writer *writer, struct trace_stream *stream);

/* The end of a frame, and the next one's beginning. */
void frames_next(struct trace_writer *writer, struct trace_stream *stream);

#endif

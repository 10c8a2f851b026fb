/* SPDX-License-Identifier: MIT */
#include "tests/formats/aerogpu/frames.h"

void frames_begin(struct trace_writer *writer, struct trace_stream *stream)
{
    trace_begin_frame(writer);
    trace_stream_begin(stream);
}

void frames_begin_trace(struct trace_writer *writer, struct trace_stream *stream)
{
    trace_begin(writer, 2);
    frames_begin(writer, stream);
}

void frames_end(struct trace_writer *writer, struct trace_stream *stream)
{
    trace_submit(writer, stream, NULL, 0);
    trace_stream_free(stream);
    trace_end_frame(writer);
}

void frames_next(struct trace_writer *writer, struct trace_stream *stream)
{
    frames_end(writer, stream);
    frames_begin(writer, stream);
}

/* SPDX-License-Identifier: MIT */
/*
 * Traces that no tracer would write, built call by call, and their replay in the worker. To be used
 * between retrace_play.h's begin and end; one trace at a time.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_HOSTILE_TRACE_H
#define GPUDUMPFS_TESTS_WORKER_HOSTILE_TRACE_H

#include "tests/worker/retrace_play.h"

#include <stdint.h>

/* A drawable of 32x32 pixels. */
extern const struct apitrace_session_drawable hostile_trace_window;

/* A trace in its own folder. */
struct hostile_trace {
    char *folder, *path;
    struct played played;
};

/* Begins a trace with a compatibility context, which has cleared its window to green. */
void hostile_trace_open(struct hostile_trace *hostile);

/*
 * Appends a call. `values` has a letter for each argument, '-' if there is none, and '=' before the
 * result: u is an int, f a double, o an address as an int, s a string in an array, b bytes and
 * their size, n null. Returns the call's number.
 */
uint64_t say(const char *name, const char *values, ...);

/* Ends the trace, and begins a session for it; asserts that this adds no note. */
void hostile_trace_replay(struct hostile_trace *hostile);
void hostile_trace_close(struct hostile_trace *hostile);

/* Asserts that the complete picture has this colour. */
void hostile_trace_assert_colour(uint8_t red, uint8_t green, uint8_t blue);

#endif

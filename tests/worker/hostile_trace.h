/* SPDX-License-Identifier: MIT */
/*
 * Traces that nobody's tracer would write, said call by call, and how the worker replays them.
 * Between retrace_play.h's begin and end; one trace at a time.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_HOSTILE_TRACE_H
#define GPUDUMPFS_TESTS_WORKER_HOSTILE_TRACE_H

#include "tests/worker/retrace_play.h"

#include <stdint.h>

/* Of 32x32 pixels. */
extern const struct apitrace_session_drawable hostile_trace_window;

/* A trace in a folder of its own. */
struct hostile_trace {
    char *folder, *path;
    struct played played;
};

/* Begins one that has cleared its window to green, with a compatibility context. */
void hostile_trace_open(struct hostile_trace *hostile);

/*
 * A call: a letter for each value, '-' for none, a result behind '='. u is an int, f a double, o
 * an address as an int, s a string in an array, b bytes and their size, n null. Returns its number.
 */
uint64_t say(const char *name, const char *values, ...);

/* Ends the trace, and begins a session for it without a note. */
void hostile_trace_replay(struct hostile_trace *hostile);
void hostile_trace_close(struct hostile_trace *hostile);

/* The whole picture is of this colour. */
void hostile_trace_assert_colour(uint8_t red, uint8_t green, uint8_t blue);

#endif

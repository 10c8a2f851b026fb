/* SPDX-License-Identifier: MIT */
/*
 * Shared by the tests of replayed OpenGL calls: a session of the graphics worker for each test, a
 * trace that is fed to it, and comparison of its pictures with expected ones. If GPUDUMPFS_LOUD is
 * in the environment, the worker's notes are printed.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_RETRACE_PLAY_H
#define GPUDUMPFS_TESTS_WORKER_RETRACE_PLAY_H

#include "worker/apitrace_session.h"

#include "tests/formats/apitrace/open.h"

struct replaying {
    struct worker *worker;
    struct apitrace_session *session;
    unsigned notes; /* number of the worker's notes; tests reset it to 0 */
};

/* Valid from replay_begin() to replay_end(). */
extern struct replaying playing;

enum { REPLAY_LIMIT_MS = 60000 };

/* The worker's time limit in milliseconds, until the next replay_end(). */
extern unsigned replay_limit_ms;

/* Functions for cmocka's setup and teardown. */
int replay_begin(void **state);
/* As replay_begin(), with a worker that compiles shaders for another worker and draws no pixels. */
int replay_begin_compile_only(void **state);
int replay_end(void **state);

/* Begins a new session. Skips the test on a machine without a driver. */
void replay_reset(const struct apitrace_session_drawable *drawables, size_t count);

/* An open trace, and how far it has been replayed. */
struct played {
    struct apitrace_opened opened;
    const struct apitrace_index *index;
    struct apitrace_session_progress progress;
    size_t portion; /* most bytes of one feed */
};

/* Opens a trace. The caller calls apitrace_close(&played->opened). */
void replay_open(const char *path, struct played *played);
/* Feeds at most one portion. */
void replay_feed(struct played *played, uint64_t stop, uint32_t flags);
/* Feeds until the call `stop` is reached or the trace ends. */
void replay_to(struct played *played, uint64_t stop, uint32_t flags);
/*
 * Compares the current picture with RGB pixels. Returns 0, or 1 after printing the difference under
 * `name`.
 */
unsigned replay_compare(const char *name, unsigned frame, const uint8_t *expected, uint32_t width,
                        uint32_t height);

/*
 * Traces what gl_scenes draws with a profile into a folder, and stores the trace's path in `trace`.
 * Returns false if there is no tracer, or no such context.
 */
bool replay_capture_scenes(const char *profile, const char *folder, char *trace, size_t size);

#endif

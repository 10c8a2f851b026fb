/* SPDX-License-Identifier: MIT */
/*
 * What the tests of replayed OpenGL calls share: one session of the graphics worker for
 * each test, a trace that is fed to it, and pictures held against what they should be.
 * GPUDUMPFS_LOUD in the environment: what the worker notes is printed.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_RETRACE_PLAY_H
#define GPUDUMPFS_TESTS_WORKER_RETRACE_PLAY_H

#include "worker/apitrace_session.h"

#include "tests/formats/apitrace/open.h"

struct replaying {
    struct worker *worker;
    struct apitrace_session *session;
    unsigned notes; /* of the worker; the test sets it to zero */
};

/* From replay_begin() to replay_end(). */
extern struct replaying playing;

enum { REPLAY_LIMIT_MS = 60000 };

/* The worker's time limit in milliseconds, until the next replay_end(). */
extern unsigned replay_limit_ms;

/* For cmocka's setup and teardown. */
int replay_begin(void **state);
/* By a worker that compiles for another one, and draws no pixels. */
int replay_begin_compile_only(void **state);
int replay_end(void **state);

/* A new session; a machine without a driver skips. */
void replay_reset(const struct apitrace_session_drawable *drawables, size_t count);

/* A trace, and where its bytes are. */
struct played {
    struct apitrace_opened opened;
    const struct apitrace_index *index;
    struct apitrace_session_progress progress;
    size_t portion; /* bytes of a feed */
};

/* To be closed by apitrace_close(&out->opened). */
void replay_open(const char *path, struct played *played);
/* One portion. */
void replay_feed(struct played *played, uint64_t stop, uint32_t flags);
/* Runs up to a call. */
void replay_to(struct played *played, uint64_t stop, uint32_t flags);
/* Holds what is drawn now against RGB pixels. 1: it differs, which is told by this name. */
unsigned replay_compare(const char *name, unsigned frame, const uint8_t *expected, uint32_t width,
                        uint32_t height);

/*
 * What gl_scenes draws of a profile, traced now into a folder; `trace` gets its path. False: there
 * is no tracer here, or no such context.
 */
bool replay_capture_scenes(const char *profile, const char *folder, char *trace, size_t size);

#endif

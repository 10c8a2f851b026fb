/* SPDX-License-Identifier: MIT */
/* What suites do with a worker whose program is tests/worker/fakeworker. For the test's threads. */
#ifndef GPUDUMPFS_TESTS_WORKER_FAKEWORKER_CALLS_H
#define GPUDUMPFS_TESTS_WORKER_FAKEWORKER_CALLS_H

#include "tests/worker/fakeworker.h"

#include "worker/worker.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Time limits are those of the one call that must run out of time; of all others, and of
 * starting a process, they are so long that no busy machine comes near. In milliseconds.
 */
enum { SHORT_MS = 300, LONG_MS = 120000 };

extern char fakeworker_program[4096];

/* Finds it beside the test's own program, whose path is given. Before all others. */
void fakeworker_find(const char *test);

/* One that has as long as it takes to leave off; or no longer than it has in a mount. */
struct worker *fakeworker_create_with(unsigned withdraw_ms);
struct worker *fakeworker_create(void);

/* As worker_call(). */
int fakeworker_call_within(struct worker *worker, unsigned time_limit_ms, uint16_t kind,
                           const void *bytes, size_t size, struct worker_reply *reply);
int fakeworker_call(struct worker *worker, uint16_t kind, const void *bytes, size_t size,
                    struct worker_reply *reply);

/* It is alive, and answers right. */
void fakeworker_assert_echo(struct worker *worker);

/* No process of a worker is left. */
void fakeworker_assert_ended(void);

/* A thread that raises the cancel it is given, a moment later. */
void *fakeworker_raise_soon(void *cancel);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Calls of a worker whose program is tests/worker/fakeworker, for suites. Any thread of the test.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_FAKEWORKER_CALLS_H
#define GPUDUMPFS_TESTS_WORKER_FAKEWORKER_CALLS_H

#include "tests/worker/fakeworker.h"

#include "worker/worker.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Time limits in milliseconds. SHORT_MS is for the one call that must run out of time. LONG_MS is
 * for all other calls and for starting a process: so long that no busy machine comes near.
 */
enum { SHORT_MS = 300, LONG_MS = 120000 };

extern char fakeworker_program[4096];

/*
 * Finds the program beside the test's own program, whose path is `test`. Call it before all other
 * functions.
 */
void fakeworker_find(const char *test);

/*
 * Create a worker and start its process. A withdrawn message may take `withdraw_ms` milliseconds to
 * end, or LONG_MS.
 */
struct worker *fakeworker_create_with(unsigned withdraw_ms);
struct worker *fakeworker_create(void);

/*
 * As worker_call(), with one part and a reply of at most 16 MiB. `time_limit_ms` 0 means LONG_MS.
 */
int fakeworker_call_within(struct worker *worker, unsigned time_limit_ms, uint16_t kind,
                           const void *bytes, size_t size, struct worker_reply *reply);
int fakeworker_call(struct worker *worker, uint16_t kind, const void *bytes, size_t size,
                    struct worker_reply *reply);

/* Asserts that the worker is alive and answers correctly. */
void fakeworker_assert_echo(struct worker *worker);

/* Asserts that no child process is left. */
void fakeworker_assert_ended(void);

/* A thread function that raises `cancel` after 100 ms. */
void *fakeworker_raise_soon(void *cancel);

#endif

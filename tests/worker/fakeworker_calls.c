/* SPDX-License-Identifier: MIT */
#include "tests/worker/fakeworker_calls.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char fakeworker_program[4096];

void fakeworker_find(const char *test)
{
    const char *slash = strrchr(test, '/');

    snprintf(fakeworker_program, sizeof(fakeworker_program), "%.*s/fakeworker",
             slash == NULL ? 1 : (int)(slash - test), slash == NULL ? "." : test);
}

struct worker *fakeworker_create_with(unsigned withdraw_ms)
{
    const struct worker_params params = {
        .program = fakeworker_program, .time_limit_ms = LONG_MS, .withdraw_ms = withdraw_ms};
    struct worker *worker = NULL;

    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_process(worker), 0);
    return worker;
}

struct worker *fakeworker_create(void)
{
    return fakeworker_create_with(LONG_MS);
}

int fakeworker_call_within(struct worker *worker, unsigned time_limit_ms, uint16_t kind,
                           const void *bytes, size_t size, struct worker_reply *reply)
{
    const struct message_part part = {.data = bytes, .size = size};
    const struct worker_request request = {.kind = kind,
                                           .parts = &part,
                                           .part_count = 1,
                                           .max_reply = 1 << 24,
                                           .time_limit_ms = time_limit_ms};

    return worker_call(worker, &request, NULL, reply);
}

int fakeworker_call(struct worker *worker, uint16_t kind, const void *bytes, size_t size,
                    struct worker_reply *reply)
{
    return fakeworker_call_within(worker, 0, kind, bytes, size, reply);
}

void fakeworker_assert_echo(struct worker *worker)
{
    struct worker_reply reply;

    assert_int_equal(fakeworker_call(worker, FAKE_ECHO, "hello", 5, &reply), 0);
    assert_int_equal(reply.payload->size, 5);
    assert_memory_equal(reply.payload->data, "hello", 5);
    assert_string_equal(reply.reason, "");
    assert_false(reply.died);
    blob_unref(&reply.payload);
}

void fakeworker_assert_ended(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

void *fakeworker_raise_soon(void *cancel)
{
    usleep(100 * 1000);
    cancel_raise(cancel);
    return NULL;
}

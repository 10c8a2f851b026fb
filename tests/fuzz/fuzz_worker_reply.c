/* SPDX-License-Identifier: MIT */
/*
 * Replies of a worker: the first byte of the input chooses the call, and the second byte whether a
 * correct header precedes the reply. fakeworker sends the rest as the reply.
 */
#include "config.h"

#include "formats/aerogpu/replay/worker_session.h"

#include "tests/worker/fakeworker.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct worker *worker;
static struct aerogpu_session *session;

/* Starts fakeworker, which is in a folder beside that of this program. */
static void start(void)
{
    static char path[PATH_MAX];
    const struct worker_params params = {.program = path, .time_limit_ms = 40};
    const struct aerogpu_session_params aero = {.width = 8, .height = 8};
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 32);
    char *slash;

    if (length <= 0)
        abort();
    path[length] = '\0';
    slash = strrchr(path, '/');
    strcpy(slash + 1, "../worker/fakeworker");
    if (worker_create(&params, &worker) < 0 ||
        aerogpu_session_create(worker, &aero, &session) < 0 || worker_acquire(worker, NULL) < 0)
        abort();
}

static void tell(const uint8_t *data, size_t size)
{
    const struct message_part part = {.data = data, .size = size};
    const struct worker_request request = {
        .kind = FAKE_TELL, .parts = &part, .part_count = 1, .max_reply = 100};
    struct worker_reply reply;

    if (worker_call(worker, &request, NULL, &reply) == 0)
        blob_unref(&reply.payload);
}

static void ask(uint8_t what)
{
    static const struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_TARGET};
    const struct aerogpu_session_submission submission = {.commands = "", .until = 1};
    struct shader_translation translation = {.glsl = NULL};
    struct aerogpu_picture picture = {.owner = NULL};
    struct blob *content = NULL;

    switch (what % 5) {
    case 0:
        aerogpu_session_submit(session, &submission, NULL, NULL);
        break;
    case 1:
        aerogpu_session_continue(session, 7, NULL, NULL);
        break;
    case 2:
        if (aerogpu_session_picture(session, &request, NULL, &picture) == 0 &&
            picture.owner->size - 16 != (size_t)picture.width * picture.height * 4)
            abort();
        blob_unref(&picture.owner);
        break;
    case 3:
        aerogpu_session_content(session, 1, NULL, &content);
        blob_unref(&content);
        break;
    default:
        aerogpu_session_translate(session, "x", 1, NULL, &translation);
        blob_unref(&translation.spirv);
        blob_unref(&translation.glsl);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    if (worker == NULL)
        start();
    /* A reset with an empty reply leaves the session ready for requests. */
    tell((const uint8_t *)"\1", 1);
    if (aerogpu_session_reset(session, 0, NULL) == 0) {
        tell(data + 1, size - 1);
        ask(data[0]);
    }
    return 0;
}

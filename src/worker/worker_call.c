/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/internal.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Without a process: starts one. Returns 0 in the state READY. */
static int start(struct worker *worker, const struct cancel *cancel, struct worker_reply *reply)
{
    int status = worker_launch(worker, reply);

    if (status < 0)
        return status;
    status = worker_greet(worker, cancel, reply);
    blob_unref(&reply->payload);
    return status;
}

int worker_start(struct worker *worker, const struct cancel *cancel)
{
    struct worker_reply reply = {.generation = 0};
    int status;

    idle_watch_hold(&worker->idle);
    status = worker_has_process(worker) ? 0 : start(worker, cancel, &reply);
    idle_watch_release(&worker->idle);
    return status;
}

static void limit_wait(const struct worker *worker, unsigned limit, struct message_wait *wait)
{
    const uint64_t ended = worker->tenure.ended_ms, max = worker->tenure.max_ms;

    if (max != 0 && clock_getcpuclockid(worker->process.launch.pid, &wait->clock) == 0) {
        wait->limited = true;
        wait->clock_due = clock_read(wait->clock) / 1000000 + (int64_t)limit * 3 / 4;
        wait->clock_end = worker->tenure.before_ms + (int64_t)(max > ended ? max - ended : 0);
    }
}

static int call(struct worker *worker, const struct worker_request *request,
                const struct cancel *cancel, struct worker_reply *reply)
{
    unsigned limit =
        request->time_limit_ms != 0 ? request->time_limit_ms : worker->settings.time_limit_ms;
    struct message_wait wait = {.cancel = cancel};
    const int64_t begun = clock_ms();
    int status = worker_check_tenure(worker, reply);

    if (status < 0)
        return status;
    if (worker->process.state == PROCESS_OWES)
        status = worker_settle(worker, cancel, reply);
    if (status < 0)
        return status;
    *reply = (struct worker_reply){.generation = worker->process.generation};
    if (request->generation != 0 &&
        (!worker_has_process(worker) || request->generation != worker->process.generation))
        return -ESTALE;
    if (!worker_has_process(worker))
        status = start(worker, cancel, reply);
    if (status < 0) {
        worker_count_lost(worker, begun, reply);
        return status;
    }
    wait.deadline = clock_ms() + limit;
    limit_wait(worker, limit, &wait);
    status = worker_exchange(worker, request, &wait, reply);
    worker_count_lost(worker, begun, reply);
    compiled_shaders_pay(&worker->shaders);
    return status;
}

int worker_call(struct worker *worker, const struct worker_request *request,
                const struct cancel *cancel, struct worker_reply *reply)
{
    int status;

    *reply = (struct worker_reply){.generation = 0};
    idle_watch_hold(&worker->idle);
    status = call(worker, request, cancel, reply);
    idle_watch_release(&worker->idle);
    if (status < 0 && reply->reason[0] == '\0' && status != -EINTR && status != -ESTALE)
        snprintf(reply->reason, sizeof(reply->reason), "the graphics worker failed: %s",
                 strerror(-status));
    return status;
}

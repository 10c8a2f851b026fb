/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/internal.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/memory_limit.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#define MILLISECOND 1000000 /* in nanoseconds */

enum {
    /* Number of time limits that the calls of one holder may take, once a process has failed. */
    FAILURES = 3,
    SMALL_SHARE = 4, /* a process had the memory limit to itself if others held at most 1/4 of it */
};

/* Returns the processor time that the process has used for the holder. */
static uint64_t process_ms(const struct worker *worker, clockid_t *clock)
{
    int64_t now = 0;

    if (worker_has_process(worker) && clock_getcpuclockid(worker->process.launch.pid, clock) == 0)
        now = clock_read(*clock) / 1000000;
    return now > worker->tenure.before_ms ? (uint64_t)(now - worker->tenure.before_ms) : 0;
}

uint64_t worker_processor_ms(const struct worker *worker)
{
    clockid_t clock;

    return worker->tenure.ended_ms + process_ms(worker, &clock);
}

/* Charges the calling thread's budget for time that it was not charged for yet. */
static void charge_time(struct worker *worker, bool all)
{
    uint64_t spent = worker_processor_ms(worker);

    if (worker->tenure.max_ms != 0)
        budget_charge_helper((spent - worker->tenure.charged_ms) * MILLISECOND, all);
    worker->tenure.charged_ms = spent;
}

int worker_exhausted(struct worker *worker)
{
    charge_time(worker, true);
    return -EINTR;
}

void worker_count_process(struct worker *worker)
{
    clockid_t clock;

    memory_limit_watch(&worker->memory, NULL, 0);
    worker->tenure.ended_ms += process_ms(worker, &clock);
    worker->tenure.before_ms = 0;
}

int worker_check_tenure(struct worker *worker, struct worker_reply *reply)
{
    if (worker->tenure.max_ms != 0 && worker_processor_ms(worker) >= worker->tenure.max_ms)
        return worker_exhausted(worker);
    if (worker->tenure.lost_ms < (uint64_t)FAILURES * worker->settings.time_limit_ms)
        return 0;
    snprintf(reply->reason, sizeof(reply->reason),
             "graphics workers have failed for longer than %u time limits", (unsigned)FAILURES);
    return -ETIMEDOUT;
}

void worker_count_lost(struct worker *worker, int64_t begun, const struct worker_reply *reply)
{
    if (reply->died || worker->tenure.lost_ms > 0)
        worker->tenure.lost_ms += (uint64_t)(clock_ms() - begun) + 1;
}

static void begin_tenure(struct worker *worker, const struct cancel *gives_way)
{
    clockid_t clock;

    worker->tenure = (struct worker_tenure){
        .gives_way = gives_way, .max_ms = (budget_helper_time() + MILLISECOND - 1) / MILLISECOND};
    worker->tenure.before_ms = (int64_t)process_ms(worker, &clock);
}

static int hold(struct worker *worker, int status, const struct cancel *gives_way)
{
    if (status == 0) {
        idle_watch_hold(&worker->idle);
        begin_tenure(worker, gives_way);
    }
    return status;
}

int worker_acquire(struct worker *worker, const struct cancel *cancel)
{
    return hold(worker, cancellable_mutex_lock(&worker->turn, cancel), NULL);
}

int worker_acquire_late(struct worker *worker, enum cancellable_mutex_rank rank,
                        const struct cancel *cancel, struct cancel *gives_way)
{
    return hold(worker, cancellable_mutex_lock_late(&worker->turn, rank, cancel, gives_way),
                gives_way);
}

void worker_release(struct worker *worker)
{
    charge_time(worker, false);
    idle_watch_release(&worker->idle);
    cancellable_mutex_unlock(&worker->turn);
}

int worker_give_up_for_memory(const struct worker *worker)
{
    const uint64_t limit = memory_limit();

    budget_end_helper_for_memory(worker->process.max_held >= limit - limit / SMALL_SHARE);
    return -ENOMEM;
}

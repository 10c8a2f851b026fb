/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/internal.h"

#include "base/memory_limit.h"
#include "base/transient_failures.h"
#include "worker/worker_program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * Collects what the next process must know. Without files for shaders it compiles without a cache.
 */
static struct launch_params prepare_launch(struct worker *worker)
{
    struct launch_params params = {.program = worker->settings.program,
                                   .memory_limit = worker->settings.memory_limit,
                                   .fast_compile = worker->settings.fast_compile,
                                   .compile_only = worker->settings.compile_only,
                                   .one_thread = worker->settings.one_thread,
                                   .vulkan = worker->settings.vulkan};

    if (compiled_shaders_begin(&worker->shaders, worker->settings.program)) {
        params.shaders = worker->shaders.database.files;
        params.folder = worker->shaders.folder;
    }
    return params;
}

int worker_launch(struct worker *worker, struct worker_reply *reply)
{
    struct launch_params params;
    int status;

    if (worker->settings.program == NULL)
        worker->settings.program = worker_program();
    if (worker->settings.program == NULL) {
        snprintf(reply->reason, sizeof(reply->reason), "gpudumpfs-glworker is not installed");
        return -ENOENT;
    }
    params = prepare_launch(worker);
    status = launch_start(&params, &worker->process.launch);
    if (status < 0) {
        snprintf(reply->reason, sizeof(reply->reason), "%s cannot be started: %s",
                 worker->settings.program, strerror(-status));
        return status;
    }
    reply->generation = ++worker->process.generation;
    worker->process.state = PROCESS_NEW;
    if (!worker->settings.compile_only) /* it is needed until the worker is destroyed */
        idle_watch_start(&worker->idle);
    return 0;
}

void worker_end_process(struct worker *worker)
{
    struct breadcrumb breadcrumb;
    char reason[WORKER_REASON] = "";

    worker_count_process(worker);
    if (worker_has_process(worker))
        launch_end(&worker->process.launch, true, &breadcrumb, reason, sizeof(reason));
    worker->process.state = PROCESS_NONE;
}

/*
 * Ends a process that has failed: it is dead by itself, or is `killed` here for the reason `why`.
 * Unless a third party killed it, what it was doing is to blame, and its shaders are discarded.
 */
static void end_failed_process(struct worker *worker, bool killed, const char *why,
                               struct worker_reply *reply)
{
    snprintf(reply->reason, sizeof(reply->reason), "%s", why);
    worker_count_process(worker);
    reply->killed = launch_end(&worker->process.launch, killed, &reply->breadcrumb, reply->reason,
                               sizeof(reply->reason));
    worker->process.state = PROCESS_NONE;
    reply->died = true;
    if (reply->killed)
        transient_failures_add();
    if (reply->breadcrumb.greedy != 0) {
        reply->greedy = ++worker->tenure.greedy;
        snprintf(reply->reason, sizeof(reply->reason),
                 "the graphics worker would hold more than %llu MiB of memory (-o max-resident)",
                 (unsigned long long)(worker->process.max_held >> 20));
    }
    if (!reply->killed)
        worker_drop_shaders(worker);
}

int worker_channel_failed(struct worker *worker, int status, struct worker_reply *reply)
{
    char why[80];

    switch (status) {
    case -EPIPE:
        end_failed_process(worker, false, "the graphics worker died", reply);
        return -EIO;
    case -EPROTO:
        end_failed_process(worker, true, "the graphics worker violated the protocol", reply);
        return -EIO;
    case -ETIMEDOUT:
        end_failed_process(worker, true, "the graphics worker ran out of time", reply);
        return status;
    default:
        snprintf(why, sizeof(why), "no communication with the graphics worker: %s",
                 strerror(-status));
        end_failed_process(worker, true, why, reply);
        return status;
    }
}

/*
 * Returns the number of bytes that a sound process can hold at most: above its limit a process
 * ends.
 */
static uint64_t plausible_memory(const struct worker *worker)
{
    const uint64_t space =
        worker->settings.memory_limit != 0 ? worker->settings.memory_limit : LAUNCH_MEMORY;

    return worker->process.max_held != 0 && worker->process.max_held < space
               ? worker->process.max_held
               : space;
}

void worker_allow_memory(struct worker *worker)
{
    struct breadcrumb *breadcrumb = worker->process.launch.breadcrumb;
    uint64_t told = __atomic_load_n(&breadcrumb->held, __ATOMIC_RELAXED);
    uint64_t max = plausible_memory(worker);

    worker->process.max_held = memory_limit_of_worker(told < max ? told : max);
    if (worker->settings.compile_only)
        worker->process.max_held = (worker->process.max_held + 1) / 2;
    __atomic_store_n(&breadcrumb->max_held, worker->process.max_held, __ATOMIC_RELAXED);
    memory_limit_watch(&worker->memory, &breadcrumb->held, plausible_memory(worker));
}

pid_t worker_process(const struct worker *worker)
{
    return worker->process.launch.pid;
}

uint64_t worker_starts(const struct worker *worker)
{
    return worker->process.generation;
}

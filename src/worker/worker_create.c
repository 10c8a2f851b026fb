/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/internal.h"

#include "base/memory_limit.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Bytes of a database of shaders. A smaller one has only its header, and a shader or two. */
enum { COLD_BYTES = 4096 };

static void end_idle_process(void *context)
{
    worker_end_process(context);
}

static void relieve(void *context, uint64_t bytes)
{
    struct worker *worker = context;

    (void)bytes;
    idle_watch_press(&worker->idle);
}

static unsigned idle_time(const struct worker_params *params)
{
    const char *told = getenv("GPUDUMPFS_WORKER_IDLE_MS");
    unsigned long time = told != NULL ? strtoul(told, NULL, 10) : 0;

    if (params->idle_ms != 0)
        return params->idle_ms;
    return time > 0 && time <= INT_MAX ? (unsigned)time : WORKER_IDLE;
}

static int follow(struct worker *worker, const struct worker *leader)
{
    int status = shader_disk_cache_share(&leader->shaders.database, &worker->shaders.database);

    worker->settings.compile_only = true;
    worker->settings.fast_compile = leader->settings.fast_compile;
    worker->leaders = launch_view(&leader->process.launch);
    if (status == 0 && (worker->leaders == NULL || worker->shaders.database.files[0] < 0))
        status = -ENODATA;
    return status;
}

int worker_create(const struct worker_params *params, struct worker **out)
{
    struct worker *worker = calloc(1, sizeof(*worker));
    int status = 0;

    if (worker == NULL)
        return -ENOMEM;
    if (params->program != NULL && (worker->settings.program = strdup(params->program)) == NULL) {
        free(worker);
        return -ENOMEM;
    }
    worker->settings.time_limit_ms =
        params->time_limit_ms != 0 ? params->time_limit_ms : WORKER_TIME_LIMIT;
    worker->settings.withdraw_ms = params->withdraw_ms != 0 ? params->withdraw_ms : WORKER_WITHDRAW;
    worker->settings.memory_limit = params->memory_limit;
    worker->settings.vulkan = params->vulkan;
    compiled_shaders_init(&worker->shaders, params->kept_for, params->cache);
    cancellable_mutex_init(&worker->turn);
    idle_watch_init(&worker->idle, idle_time(params), end_idle_process, worker);
    worker->memory = (struct memory_holder){.relieve = relieve, .context = worker};
    memory_limit_join(&worker->memory);
    *out = worker;
    if (params->leader != NULL)
        status = follow(worker, params->leader);
    if (status < 0)
        worker_destroy(out);
    return status;
}

void worker_destroy(struct worker **destroyed)
{
    struct worker *worker = *destroyed;

    if (worker == NULL)
        return;
    memory_limit_leave(&worker->memory);
    idle_watch_destroy(&worker->idle);
    worker_end_process(worker);
    compiled_shaders_end(&worker->shaders);
    cancellable_mutex_destroy(&worker->turn);
    if (worker->leaders != NULL)
        munmap((void *)worker->leaders, sizeof(*worker->leaders));
    free(worker->settings.program);
    free(worker);
    *destroyed = NULL;
}

void worker_set_fast_compile(struct worker *worker, bool fast_compile)
{
    if (worker->settings.fast_compile != fast_compile)
        worker_end_process(worker);
    worker->settings.fast_compile = fast_compile;
}

void worker_set_one_thread(struct worker *worker, bool one_thread)
{
    if (worker->settings.one_thread != one_thread)
        worker_end_process(worker);
    worker->settings.one_thread = one_thread;
}

/* The shaders of a process that failed may be what made it fail. */
void worker_drop_shaders(struct worker *worker)
{
    compiled_shaders_drop(&worker->shaders);
}

bool worker_is_cold(const struct worker *worker)
{
    return shader_disk_cache_stored(&worker->shaders.database) < COLD_BYTES;
}

uint64_t worker_leaders_subject(const struct worker *worker)
{
    if (worker->leaders == NULL)
        return 0;
    return __atomic_load_n(&worker->leaders->subjects[0], __ATOMIC_RELAXED);
}

const struct shader_disk_cache *worker_shader_cache(const struct worker *worker)
{
    return &worker->shaders.database;
}

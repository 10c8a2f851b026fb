/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/vm_pool.h"

#include <errno.h>
#include <stdlib.h>

enum { PARKED_MAX = 4 };

struct gapir_vm_pool {
    const struct gapir_replay *replay;
    struct instance_pool parked;
};

static struct gapir_vm_instance *instance_of(const struct instance_pool_item *item)
{
    return (struct gapir_vm_instance *)(uintptr_t)item; /* the instance's first member */
}

static void destroy(struct instance_pool_item *item)
{
    struct gapir_vm_instance *instance = instance_of(item);

    gapir_vm_instance_destroy(&instance);
}

int gapir_vm_pool_create(const struct gapir_replay *replay, uint64_t budget,
                         struct cache *const *cache, struct gapir_vm_pool **out)
{
    const struct instance_pool_params params = {
        .max_count = PARKED_MAX, .max_bytes = budget, .destroy = destroy, .cache = cache};
    struct gapir_vm_pool *pool = calloc(1, sizeof(*pool));

    if (pool == NULL)
        return -ENOMEM;
    pool->replay = replay;
    instance_pool_init(&pool->parked, &params);
    *out = pool;
    return 0;
}

void gapir_vm_pool_destroy(struct gapir_vm_pool **pool)
{
    if (*pool == NULL)
        return;
    instance_pool_clear(&(*pool)->parked);
    free(*pool);
    *pool = NULL;
}

/* Rates the nearest instance before a step highest. */
static uint64_t rate_before(const void *context, const struct instance_pool_item *item)
{
    uint64_t steps = *(const uint64_t *)context, at = instance_of(item)->vm->steps;

    return at <= steps ? at + 1 : 0;
}

static uint64_t rate_there(const void *context, const struct instance_pool_item *item)
{
    return instance_of(item)->vm->steps == *(const uint64_t *)context;
}

/* A caller's function and its context. */
struct looking {
    int (*look)(void *context, const struct gapir_vm_instance *instance);
    void *context;
};

static int look_at(void *context, const struct instance_pool_item *item)
{
    const struct looking *looking = context;

    return looking->look(looking->context, instance_of(item));
}

int gapir_vm_pool_look(struct gapir_vm_pool *pool, uint64_t steps,
                       int (*look)(void *context, const struct gapir_vm_instance *instance),
                       void *context)
{
    struct looking looking = {look, context};

    return instance_pool_look(&pool->parked, rate_there, &steps, look_at, &looking);
}

int gapir_vm_pool_take(struct gapir_vm_pool *pool, uint64_t steps, const struct cancel *cancel,
                       struct gapir_vm_instance **out)
{
    struct instance_pool_item *parked = instance_pool_take(&pool->parked, rate_before, &steps);
    struct gapir_vm_instance *instance = parked != NULL ? instance_of(parked) : NULL;
    int status = 0;

    if (instance == NULL)
        status = gapir_vm_instance_create(pool->replay, &instance);
    if (status != 0)
        return status;
    instance->observer = NULL;
    status = gapir_vm_instance_run(instance, steps, cancel);
    if (status == 0 && instance->vm->steps != steps)
        status = -ENOMEM;   /* short of memory, its driver answered otherwise than before */
    if (status == -EINTR) { /* the instance is intact, at some point before `steps` */
        gapir_vm_pool_park(pool, &instance);
    } else if (status != 0) {
        gapir_vm_instance_destroy(&instance);
    } else {
        *out = instance;
    }
    return status;
}

void gapir_vm_pool_park(struct gapir_vm_pool *pool, struct gapir_vm_instance **instance)
{
    struct gapir_vm_instance *parked = *instance;

    *instance = NULL;
    if (parked == NULL)
        return;
    /* stopped within an instruction, so no run can continue from here */
    if (parked->vm->status != 0) {
        gapir_vm_instance_destroy(&parked);
        return;
    }
    parked->observer = NULL;
    parked->idle.bytes = gapir_vm_instance_footprint(parked);
    instance_pool_give(&pool->parked, &parked->idle);
}

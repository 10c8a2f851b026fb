#include "formats/psx/replay/gpu_instance_pool.h"

static struct psx_gpu_instance *instance_of(const struct instance_pool_item *item)
{
    return (struct psx_gpu_instance *)(uintptr_t)item; /* the instance's first member */
}

static void destroy(struct instance_pool_item *item)
{
    struct psx_gpu_instance *instance = instance_of(item);

    psx_gpu_instance_destroy(&instance);
}

void psx_gpu_instance_pool_init(struct psx_gpu_instance_pool *instances, unsigned most,
                                struct cache *const *cache)
{
    const struct instance_pool_params params = {
        .most = most, .bytes = UINT64_MAX, .destroy = destroy, .cache = cache};

    instance_pool_init(&instances->idle, &params);
}

void psx_gpu_instance_pool_clear(struct psx_gpu_instance_pool *instances)
{
    instance_pool_clear(&instances->idle);
}

/* What is wanted of an instance. */
struct search {
    enum psx_gpu_instance_use use;
    const struct psx_vram_request *request;
    const struct psx_tiles *tiles;
};

static uint64_t rate_there(const struct psx_gpu_instance *instance,
                           const struct psx_vram_request *request, const struct psx_tiles *tiles)
{
    if (instance->packet < request->packet || instance->packet > request->upto)
        return 0;
    if (instance->part == PSX_GPU_INSTANCE_TILES)
        return psx_tiles_hold(&instance->tiles, tiles);
    return instance->part == PSX_GPU_INSTANCE_WHOLE || (request->shown && !request->read);
}

static uint64_t rate_before(const struct psx_gpu_instance *instance,
                            const struct psx_vram_request *request)
{
    if (instance->packet >= request->packet || instance->part == PSX_GPU_INSTANCE_TILES)
        return 0;
    return instance->part == PSX_GPU_INSTANCE_WHOLE || (request->shown && !request->read)
               ? instance->packet + 1
               : 0;
}

static uint64_t rate(const void *context, const struct instance_pool_item *item)
{
    const struct search *search = context;
    const struct psx_gpu_instance *instance = instance_of(item);

    switch (search->use) {
    case PSX_INSTANCE_THERE:
        return rate_there(instance, search->request, search->tiles);
    case PSX_INSTANCE_BEFORE:
        return rate_before(instance, search->request);
    default:
        return item->spare;
    }
}

struct psx_gpu_instance *psx_gpu_instance_pool_take(struct psx_gpu_instance_pool *instances,
                                                    enum psx_gpu_instance_use use,
                                                    const struct psx_vram_request *request,
                                                    const struct psx_tiles *tiles)
{
    const struct search search = {use, request, tiles};
    struct instance_pool_item *taken = instance_pool_take(&instances->idle, rate, &search);

    return taken != NULL ? instance_of(taken) : NULL;
}

/* A slice cannot go on: it is of use where it stands, and for its memory. */
void psx_gpu_instance_pool_give(struct psx_gpu_instance_pool *instances,
                                struct psx_gpu_instance **instance)
{
    struct psx_gpu_instance *given = *instance;

    *instance = NULL;
    given->idle.bytes = psx_gpu_instance_bytes(given);
    given->idle.spare = given->part == PSX_GPU_INSTANCE_TILES;
    instance_pool_give(&instances->idle, &given->idle);
}

#include "formats/vma/replay/checkpoints.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* Counted under the store's lock, so that it may be copied without it. */
struct checkpoint {
    unsigned references;
    size_t bytes;
    struct vma_replay replay; /* without names */
};

struct vma_checkpoints {
    const struct vma_recording *recording;
    struct vma_allocator_params params;
    struct cache *const *cache;
    uint64_t max_bytes; /* bytes of checkpoints */
    struct instance_pool idle;
    pthread_mutex_t lock;            /* of what follows */
    struct checkpoint **checkpoints; /* by packet */
    uint32_t count, room;
    uint32_t interval; /* packets between two */
    uint32_t next;     /* packet from which the next one is due */
    size_t bytes;      /* of all */
    uint64_t charged;  /* of these, to the cache */
};

static struct vma_replay *replay_of(const struct instance_pool_item *item)
{
    return (struct vma_replay *)(uintptr_t)item; /* the replay's first member */
}

static void free_replay(struct vma_replay *replay)
{
    if (replay != NULL)
        vma_replay_clear(replay);
    free(replay);
}

static void destroy_idle(struct instance_pool_item *item)
{
    free_replay(replay_of(item));
}

int vma_checkpoints_create(const struct vma_recording *recording,
                           const struct vma_allocator_params *params, uint64_t budget,
                           struct cache *const *cache, struct vma_checkpoints **out)
{
    const struct instance_pool_params idle = {.most = VMA_IDLE_REPLAYS,
                                              .bytes = budget / VMA_CHECKPOINTS_SHARE,
                                              .destroy = destroy_idle,
                                              .cache = cache};
    struct vma_checkpoints *store = calloc(1, sizeof(*store));

    if (store == NULL)
        return -ENOMEM;
    store->recording = recording;
    store->params = *params;
    store->cache = cache;
    store->max_bytes = budget / VMA_CHECKPOINTS_SHARE;
    store->interval = store->next = VMA_CHECKPOINT_PACKETS;
    instance_pool_init(&store->idle, &idle);
    pthread_mutex_init(&store->lock, NULL);
    *out = store;
    return 0;
}

/* Locked. */
static void drop(struct checkpoint *checkpoint)
{
    if (--checkpoint->references > 0)
        return;
    vma_replay_clear(&checkpoint->replay);
    free(checkpoint);
}

/* Whether checkpoints have no more than their share. Locked. */
static bool charge(struct vma_checkpoints *store)
{
    struct cache *cache = store->cache != NULL ? *store->cache : NULL;

    if (cache == NULL)
        return store->bytes <= store->max_bytes;
    return cache_charge(cache, &store->charged, store->bytes, store->max_bytes) == 0;
}

void vma_checkpoints_destroy(struct vma_checkpoints **store)
{
    struct vma_checkpoints *destroyed = *store;

    *store = NULL;
    if (destroyed == NULL)
        return;
    for (uint32_t i = 0; i < destroyed->count; i++)
        drop(destroyed->checkpoints[i]);
    destroyed->bytes = 0;
    charge(destroyed);
    instance_pool_clear(&destroyed->idle);
    free(destroyed->checkpoints);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* A reference to the last checkpoint at or before a packet, or NULL. */
static struct checkpoint *take_checkpoint(struct vma_checkpoints *store, uint32_t packet)
{
    struct checkpoint *taken = NULL;
    uint32_t low = 0, high = 0;

    pthread_mutex_lock(&store->lock);
    high = store->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (store->checkpoints[middle]->replay.packet <= packet)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        taken = store->checkpoints[low - 1];
        taken->references++;
    }
    pthread_mutex_unlock(&store->lock);
    return taken;
}

static void give_checkpoint(struct vma_checkpoints *store, struct checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    pthread_mutex_lock(&store->lock);
    drop(checkpoint);
    pthread_mutex_unlock(&store->lock);
}

/* Where a replay is needed, and from where on it is nearer than a checkpoint. */
struct range {
    uint32_t from, to;
};

static uint64_t rate(const void *context, const struct instance_pool_item *item)
{
    const struct range *range = context;
    uint32_t packet = replay_of(item)->packet;

    return packet >= range->from && packet <= range->to ? (uint64_t)packet + 1 : 0;
}

static int make_replay(struct vma_checkpoints *store, const struct checkpoint *checkpoint,
                       struct vma_replay **out)
{
    struct vma_replay *replay = calloc(1, sizeof(*replay));
    int status = 0;

    if (replay == NULL)
        return -ENOMEM;
    if (checkpoint == NULL)
        status = vma_replay_init(replay, store->recording, &store->params);
    else
        status = vma_replay_copy(&checkpoint->replay, replay);
    if (status == 0 && checkpoint != NULL)
        status = vma_replay_name(replay);
    if (status == 0)
        *out = replay;
    else
        free_replay(replay);
    return status;
}

/* A replay at or before a packet. */
static int nearest_replay(struct vma_checkpoints *store, uint32_t packet, struct vma_replay **out)
{
    struct checkpoint *checkpoint = take_checkpoint(store, packet);
    const struct range range = {checkpoint != NULL ? checkpoint->replay.packet : 0, packet};
    struct instance_pool_item *idle = instance_pool_take(&store->idle, rate, &range);
    int status = 0;

    if (idle != NULL)
        *out = replay_of(idle);
    else
        status = make_replay(store, checkpoint, out);
    give_checkpoint(store, checkpoint);
    return status;
}

int vma_checkpoints_seek(struct vma_checkpoints *store, uint32_t packet,
                         const struct cancel *cancel, struct vma_replay **out)
{
    struct vma_replay *replay = NULL;
    int status = nearest_replay(store, packet, &replay);

    if (status == 0)
        status = vma_replay_run(replay, packet, cancel);
    if (status == 0)
        *out = replay;
    else if (status == -EINTR)
        vma_checkpoints_give_back(store, &replay); /* it is sound, only not there yet */
    else
        free_replay(replay);
    return status;
}

void vma_checkpoints_give_back(struct vma_checkpoints *store, struct vma_replay **replay)
{
    struct vma_replay *given = *replay;

    *replay = NULL;
    if (given == NULL)
        return;
    given->idle.bytes = vma_allocator_bytes(&given->allocator) + sizeof(*given);
    instance_pool_give(&store->idle, &given->idle);
}

void vma_checkpoints_drop(struct vma_replay **replay)
{
    free_replay(*replay);
    *replay = NULL;
}

/* Every second checkpoint goes, and later ones are twice as far apart. Locked. */
static void thin(struct vma_checkpoints *store)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < store->count; i++) {
        if (i % 2 == 0) {
            store->bytes -= store->checkpoints[i]->bytes;
            drop(store->checkpoints[i]);
        } else {
            store->checkpoints[kept++] = store->checkpoints[i];
        }
    }
    store->count = kept;
    store->interval *= 2;
}

/* Locked. */
static int keep(struct vma_checkpoints *store, struct checkpoint *checkpoint)
{
    if (store->count == store->room) {
        uint32_t room = store->room == 0 ? 16 : store->room * 2;
        void *checkpoints = reallocarray(store->checkpoints, room, sizeof(*store->checkpoints));

        if (checkpoints == NULL)
            return -ENOMEM;
        store->checkpoints = checkpoints;
        store->room = room;
    }
    store->checkpoints[store->count++] = checkpoint;
    store->bytes += checkpoint->bytes;
    while (!charge(store) && store->count > 0)
        thin(store);
    return 0;
}

/* A copy of a replay's state, unless it is too large; NULL also without memory. */
static struct checkpoint *make_checkpoint(const struct vma_replay *replay)
{
    size_t bytes = vma_allocator_bytes(&replay->allocator) + sizeof(struct checkpoint);
    struct checkpoint *made = NULL;

    if (bytes <= VMA_CHECKPOINT_LARGEST)
        made = calloc(1, sizeof(*made));
    if (made == NULL)
        return NULL;
    made->references = 1;
    made->bytes = bytes;
    if (vma_replay_copy(replay, &made->replay) == 0)
        return made;
    free(made);
    return NULL;
}

void vma_checkpoints_offer(struct vma_checkpoints *store, const struct vma_replay *replay)
{
    struct checkpoint *checkpoint = NULL;

    if (replay->packet < store->next)
        return;
    checkpoint = make_checkpoint(replay);
    pthread_mutex_lock(&store->lock);
    if (checkpoint != NULL && keep(store, checkpoint) < 0)
        drop(checkpoint);
    store->next = replay->packet + store->interval;
    pthread_mutex_unlock(&store->lock);
}

size_t vma_checkpoints_bytes(struct vma_checkpoints *store)
{
    size_t bytes = 0;

    pthread_mutex_lock(&store->lock);
    bytes = store->bytes;
    pthread_mutex_unlock(&store->lock);
    return bytes;
}

/* SPDX-License-Identifier: MIT */
#include "formats/vma/replay/checkpoints.h"

#include "cache/checkpoint_list.h"

#include <errno.h>
#include <stdlib.h>

struct checkpoint {
    struct checkpoint_item item;
    struct vma_replay replay; /* without name tables */
};

struct vma_checkpoints {
    const struct vma_recording *recording;
    struct vma_allocator_params params;
    struct checkpoint_list list;
    struct instance_pool idle;
    uint32_t interval; /* packets between two checkpoints */
    uint32_t next;     /* packet from which the next checkpoint is due */
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

static struct checkpoint *checkpoint_of(const struct checkpoint_item *item)
{
    return (struct checkpoint *)(uintptr_t)item; /* the checkpoint's first member */
}

static void destroy_checkpoint(struct checkpoint_list *list, struct checkpoint_item *item)
{
    (void)list;
    vma_replay_clear(&checkpoint_of(item)->replay);
    free(checkpoint_of(item));
}

int vma_checkpoints_create(const struct vma_recording *recording,
                           const struct vma_allocator_params *params, uint64_t budget,
                           struct cache *const *cache, struct vma_checkpoints **out)
{
    const struct instance_pool_params idle = {.max_count = VMA_IDLE_REPLAYS,
                                              .max_bytes = budget / VMA_CHECKPOINTS_SHARE,
                                              .destroy = destroy_idle,
                                              .cache = cache};
    const struct checkpoint_list_params list = {
        .max_bytes = budget / VMA_CHECKPOINTS_SHARE, .destroy = destroy_checkpoint, .cache = cache};
    struct vma_checkpoints *store = calloc(1, sizeof(*store));

    if (store == NULL)
        return -ENOMEM;
    store->recording = recording;
    store->params = *params;
    store->interval = store->next = VMA_CHECKPOINT_PACKETS;
    instance_pool_init(&store->idle, &idle);
    checkpoint_list_init(&store->list, &list);
    *out = store;
    return 0;
}

void vma_checkpoints_destroy(struct vma_checkpoints **store)
{
    struct vma_checkpoints *destroyed = *store;

    *store = NULL;
    if (destroyed == NULL)
        return;
    checkpoint_list_clear(&destroyed->list);
    instance_pool_clear(&destroyed->idle);
    free(destroyed);
}

/*
 * From the nearest checkpoint to the packet that is needed: an idle replay in this range is nearer.
 */
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

/* Gets the nearest replay at or before a packet. */
static int nearest_replay(struct vma_checkpoints *store, uint32_t packet, struct vma_replay **out)
{
    struct checkpoint_item *item = checkpoint_list_before(&store->list, packet);
    const struct checkpoint *checkpoint = item != NULL ? checkpoint_of(item) : NULL;
    const struct range range = {checkpoint != NULL ? checkpoint->replay.packet : 0, packet};
    struct instance_pool_item *idle = instance_pool_take(&store->idle, rate, &range);
    int status = 0;

    if (idle != NULL)
        *out = replay_of(idle);
    else
        status = make_replay(store, checkpoint, out);
    if (item != NULL)
        checkpoint_list_unref(&store->list, item);
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
        vma_checkpoints_give_back(store, &replay); /* it is intact, only not there yet */
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

/* Makes a copy of a replay's state. Returns NULL if the state is too large or memory is short. */
static struct checkpoint *make_checkpoint(const struct vma_replay *replay)
{
    size_t bytes = vma_allocator_bytes(&replay->allocator) + sizeof(struct checkpoint);
    struct checkpoint *made = NULL;

    if (bytes <= VMA_CHECKPOINT_LARGEST)
        made = calloc(1, sizeof(*made));
    if (made == NULL)
        return NULL;
    made->item = (struct checkpoint_item){.position = replay->packet, .bytes = bytes};
    if (vma_replay_copy(replay, &made->replay) == 0)
        return made;
    free(made);
    return NULL;
}

void vma_checkpoints_offer(struct vma_checkpoints *store, const struct vma_replay *replay)
{
    struct checkpoint *checkpoint;
    unsigned halvings = 0;

    if (replay->packet < store->next)
        return;
    checkpoint = make_checkpoint(replay);
    if (checkpoint != NULL && checkpoint_list_add(&store->list, &checkpoint->item, &halvings) < 0)
        destroy_checkpoint(&store->list, &checkpoint->item);
    store->interval <<= halvings;
    store->next = replay->packet + store->interval;
}

size_t vma_checkpoints_bytes(struct vma_checkpoints *store)
{
    return atomic_load(&store->list.bytes);
}

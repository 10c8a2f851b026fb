#include "formats/vma/replay/checkpoints.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* Counted under the player's lock, so that it may be copied without it. */
struct checkpoint {
    unsigned references;
    size_t bytes;
    struct vma_replay replay; /* without names */
};

struct vma_player {
    const struct vma_recording *recording;
    struct vma_allocator_params params;
    struct cache *const *cache;
    uint64_t most; /* bytes of checkpoints */
    struct idle idle;
    pthread_mutex_t lock;            /* of what follows */
    struct checkpoint **checkpoints; /* by packet */
    uint32_t count, room;
    uint32_t interval; /* packets between two */
    uint32_t next;     /* packet from which the next one is due */
    size_t bytes;      /* of all */
    uint64_t charged;  /* of these, to the cache */
};

static struct vma_replay *replay_of(const struct idle_item *item)
{
    return (struct vma_replay *)(uintptr_t)item; /* the replay's first member */
}

static void free_replay(struct vma_replay *replay)
{
    if (replay != NULL)
        vma_replay_clear(replay);
    free(replay);
}

static void destroy_idle(struct idle_item *item)
{
    free_replay(replay_of(item));
}

int vma_player_create(const struct vma_recording *recording,
                      const struct vma_allocator_params *params, uint64_t budget,
                      struct cache *const *cache, struct vma_player **out)
{
    const struct idle_params idle = {.most = VMA_IDLE_REPLAYS,
                                     .bytes = budget / VMA_PLAYER_SHARE,
                                     .destroy = destroy_idle,
                                     .cache = cache};
    struct vma_player *player = calloc(1, sizeof(*player));

    if (player == NULL)
        return -ENOMEM;
    player->recording = recording;
    player->params = *params;
    player->cache = cache;
    player->most = budget / VMA_PLAYER_SHARE;
    player->interval = player->next = VMA_CHECKPOINT_PACKETS;
    idle_init(&player->idle, &idle);
    pthread_mutex_init(&player->lock, NULL);
    *out = player;
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
static bool charge(struct vma_player *player)
{
    struct cache *cache = player->cache != NULL ? *player->cache : NULL;

    if (cache == NULL)
        return player->bytes <= player->most;
    return cache_charge(cache, &player->charged, player->bytes, player->most) == 0;
}

void vma_player_destroy(struct vma_player **player)
{
    struct vma_player *destroyed = *player;

    *player = NULL;
    if (destroyed == NULL)
        return;
    for (uint32_t i = 0; i < destroyed->count; i++)
        drop(destroyed->checkpoints[i]);
    destroyed->bytes = 0;
    charge(destroyed);
    idle_clear(&destroyed->idle);
    free(destroyed->checkpoints);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* A reference to the last checkpoint at or before a packet, or NULL. */
static struct checkpoint *take_checkpoint(struct vma_player *player, uint32_t packet)
{
    struct checkpoint *taken = NULL;
    uint32_t low = 0, high = 0;

    pthread_mutex_lock(&player->lock);
    high = player->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (player->checkpoints[middle]->replay.packet <= packet)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        taken = player->checkpoints[low - 1];
        taken->references++;
    }
    pthread_mutex_unlock(&player->lock);
    return taken;
}

static void give_checkpoint(struct vma_player *player, struct checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    pthread_mutex_lock(&player->lock);
    drop(checkpoint);
    pthread_mutex_unlock(&player->lock);
}

/* Where a replay is wanted, and from where on it is nearer than a checkpoint. */
struct range {
    uint32_t from, to;
};

static uint64_t rate(const void *context, const struct idle_item *item)
{
    const struct range *range = context;
    uint32_t packet = replay_of(item)->packet;

    return packet >= range->from && packet <= range->to ? (uint64_t)packet + 1 : 0;
}

static int make_replay(struct vma_player *player, const struct checkpoint *checkpoint,
                       struct vma_replay **out)
{
    struct vma_replay *replay = calloc(1, sizeof(*replay));
    int status = 0;

    if (replay == NULL)
        return -ENOMEM;
    if (checkpoint == NULL)
        status = vma_replay_init(replay, player->recording, &player->params);
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
static int nearest_replay(struct vma_player *player, uint32_t packet, struct vma_replay **out)
{
    struct checkpoint *checkpoint = take_checkpoint(player, packet);
    const struct range range = {checkpoint != NULL ? checkpoint->replay.packet : 0, packet};
    struct idle_item *idle = idle_take(&player->idle, rate, &range);
    int status = 0;

    if (idle != NULL)
        *out = replay_of(idle);
    else
        status = make_replay(player, checkpoint, out);
    give_checkpoint(player, checkpoint);
    return status;
}

int vma_player_seek(struct vma_player *player, uint32_t packet, const struct cancel *cancel,
                    struct vma_replay **out)
{
    struct vma_replay *replay = NULL;
    int status = nearest_replay(player, packet, &replay);

    if (status == 0)
        status = vma_replay_run(replay, packet, cancel);
    if (status == 0)
        *out = replay;
    else if (status == -EINTR)
        vma_player_give_back(player, &replay); /* it is sound, only not there yet */
    else
        free_replay(replay);
    return status;
}

void vma_player_give_back(struct vma_player *player, struct vma_replay **replay)
{
    struct vma_replay *given = *replay;

    *replay = NULL;
    if (given == NULL)
        return;
    given->idle.bytes = vma_allocator_bytes(&given->allocator) + sizeof(*given);
    idle_give(&player->idle, &given->idle);
}

void vma_player_drop(struct vma_replay **replay)
{
    free_replay(*replay);
    *replay = NULL;
}

/* Every second checkpoint goes, and later ones are twice as far apart. Locked. */
static void thin(struct vma_player *player)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < player->count; i++) {
        if (i % 2 == 0) {
            player->bytes -= player->checkpoints[i]->bytes;
            drop(player->checkpoints[i]);
        } else {
            player->checkpoints[kept++] = player->checkpoints[i];
        }
    }
    player->count = kept;
    player->interval *= 2;
}

/* Locked. */
static int keep(struct vma_player *player, struct checkpoint *checkpoint)
{
    if (player->count == player->room) {
        uint32_t room = player->room == 0 ? 16 : player->room * 2;
        void *checkpoints = reallocarray(player->checkpoints, room, sizeof(*player->checkpoints));

        if (checkpoints == NULL)
            return -ENOMEM;
        player->checkpoints = checkpoints;
        player->room = room;
    }
    player->checkpoints[player->count++] = checkpoint;
    player->bytes += checkpoint->bytes;
    while (!charge(player) && player->count > 0)
        thin(player);
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

void vma_player_pass(struct vma_player *player, const struct vma_replay *replay)
{
    struct checkpoint *checkpoint = NULL;

    if (replay->packet < player->next)
        return;
    checkpoint = make_checkpoint(replay);
    pthread_mutex_lock(&player->lock);
    if (checkpoint != NULL && keep(player, checkpoint) < 0)
        drop(checkpoint);
    player->next = replay->packet + player->interval;
    pthread_mutex_unlock(&player->lock);
}

size_t vma_player_bytes(struct vma_player *player)
{
    size_t bytes = 0;

    pthread_mutex_lock(&player->lock);
    bytes = player->bytes;
    pthread_mutex_unlock(&player->lock);
    return bytes;
}

#include "formats/vma/player.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct checkpoint {
    struct vma_replay *replay; /* without names */
    size_t bytes;
};

struct vma_player {
    const struct vma_recording *recording;
    struct vma_allocator_params params;
    pthread_mutex_t lock;           /* of what follows */
    struct checkpoint *checkpoints; /* by packet */
    uint32_t count, room;
    uint32_t interval; /* packets between two */
    uint32_t next;     /* packet from which the next one is due */
    size_t bytes;      /* of all */
    /* Replays that wait, the latest first; one place more for a moment. */
    struct vma_replay *idle[VMA_IDLE_REPLAYS + 1];
    unsigned idle_count;
};

int vma_player_create(const struct vma_recording *recording,
                      const struct vma_allocator_params *params, struct vma_player **out)
{
    struct vma_player *player = calloc(1, sizeof(*player));

    if (player == NULL)
        return -ENOMEM;
    player->recording = recording;
    player->params = *params;
    player->interval = player->next = VMA_CHECKPOINT_PACKETS;
    pthread_mutex_init(&player->lock, NULL);
    *out = player;
    return 0;
}

static void free_replay(struct vma_replay *replay)
{
    if (replay != NULL)
        vma_replay_clear(replay);
    free(replay);
}

void vma_player_destroy(struct vma_player **player)
{
    struct vma_player *destroyed = *player;

    *player = NULL;
    if (destroyed == NULL)
        return;
    for (uint32_t i = 0; i < destroyed->count; i++)
        free_replay(destroyed->checkpoints[i].replay);
    for (unsigned i = 0; i < destroyed->idle_count; i++)
        free_replay(destroyed->idle[i]);
    free(destroyed->checkpoints);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* The last checkpoint at or before a packet, or NULL. Locked. */
static struct vma_replay *nearest_checkpoint(const struct vma_player *player, uint32_t packet)
{
    uint32_t low = 0, high = player->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (player->checkpoints[middle].replay->packet <= packet)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : player->checkpoints[low - 1].replay;
}

/* Takes the idle replay that is nearest before a packet, if nearer than `at_least`. Locked. */
static struct vma_replay *take_idle(struct vma_player *player, uint32_t packet, uint32_t at_least)
{
    struct vma_replay *best = NULL;
    unsigned place = 0;

    for (unsigned i = 0; i < player->idle_count; i++)
        if (player->idle[i]->packet <= packet && player->idle[i]->packet >= at_least &&
            (best == NULL || player->idle[i]->packet > best->packet)) {
            best = player->idle[i];
            place = i;
        }
    if (best != NULL)
        memmove(player->idle + place, player->idle + place + 1,
                (--player->idle_count - place) * sizeof(player->idle[0]));
    return best;
}

/* A replay at or before a packet. */
static int nearest_replay(struct vma_player *player, uint32_t packet, struct vma_replay **out)
{
    const struct vma_replay *checkpoint;
    struct vma_replay *replay;
    int status;

    pthread_mutex_lock(&player->lock);
    checkpoint = nearest_checkpoint(player, packet);
    *out = take_idle(player, packet, checkpoint != NULL ? checkpoint->packet : 0);
    if (*out != NULL) {
        pthread_mutex_unlock(&player->lock);
        return 0;
    }
    replay = calloc(1, sizeof(*replay));
    if (replay == NULL)
        status = -ENOMEM;
    else if (checkpoint != NULL)
        status = vma_replay_copy(checkpoint, replay);
    else
        status = vma_replay_init(replay, player->recording, &player->params);
    pthread_mutex_unlock(&player->lock);
    if (status == 0 && checkpoint != NULL)
        status = vma_replay_name(replay);
    if (status < 0) {
        free_replay(replay);
        return status;
    }
    *out = replay;
    return 0;
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

/* Takes out replays that have waited longest while all are more than may wait. Locked. */
static unsigned take_surplus(struct vma_player *player, struct vma_replay **out)
{
    size_t bytes = 0;
    unsigned count = 0;

    for (unsigned i = 0; i < player->idle_count; i++)
        bytes += vma_allocator_bytes(&player->idle[i]->allocator);
    while (player->idle_count > VMA_IDLE_REPLAYS ||
           (player->idle_count > 1 && bytes > VMA_IDLE_BYTES)) {
        out[count] = player->idle[--player->idle_count];
        bytes -= vma_allocator_bytes(&out[count++]->allocator);
    }
    return count;
}

void vma_player_give_back(struct vma_player *player, struct vma_replay **replay)
{
    struct vma_replay *surplus[VMA_IDLE_REPLAYS + 1];
    unsigned count;

    if (*replay == NULL)
        return;
    pthread_mutex_lock(&player->lock);
    memmove(player->idle + 1, player->idle, player->idle_count * sizeof(player->idle[0]));
    player->idle[0] = *replay;
    player->idle_count++;
    count = take_surplus(player, surplus);
    pthread_mutex_unlock(&player->lock);
    *replay = NULL;
    while (count > 0)
        free_replay(surplus[--count]);
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
            player->bytes -= player->checkpoints[i].bytes;
            free_replay(player->checkpoints[i].replay);
        } else {
            player->checkpoints[kept++] = player->checkpoints[i];
        }
    }
    player->count = kept;
    player->interval *= 2;
}

/* Locked. */
static void keep(struct vma_player *player, struct vma_replay *replay, size_t bytes)
{
    if (player->count == player->room) {
        uint32_t room = player->room == 0 ? 16 : player->room * 2;
        struct checkpoint *checkpoints =
            reallocarray(player->checkpoints, room, sizeof(*checkpoints));

        if (checkpoints == NULL) {
            free_replay(replay);
            return;
        }
        player->checkpoints = checkpoints;
        player->room = room;
    }
    player->checkpoints[player->count++] = (struct checkpoint){replay, bytes};
    player->bytes += bytes;
    while (player->bytes > VMA_CHECKPOINT_BYTES && player->count > 1)
        thin(player);
}

void vma_player_pass(struct vma_player *player, const struct vma_replay *replay)
{
    size_t bytes;
    struct vma_replay *copy;

    if (replay->packet < player->next)
        return;
    bytes = vma_allocator_bytes(&replay->allocator) + sizeof(*replay);
    copy = bytes <= VMA_CHECKPOINT_LARGEST ? calloc(1, sizeof(*copy)) : NULL;
    if (copy != NULL && vma_replay_copy(replay, copy) < 0) {
        free(copy);
        copy = NULL;
    }
    pthread_mutex_lock(&player->lock);
    if (copy != NULL)
        keep(player, copy, bytes);
    player->next = replay->packet + player->interval;
    pthread_mutex_unlock(&player->lock);
}

size_t vma_player_bytes(struct vma_player *player)
{
    size_t bytes;

    pthread_mutex_lock(&player->lock);
    bytes = player->bytes;
    pthread_mutex_unlock(&player->lock);
    return bytes;
}

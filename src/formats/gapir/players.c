#include "formats/gapir/players.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum { PARKED_MAX = 4 };

struct gapir_players {
    const struct gapir_replay *replay;
    uint64_t budget;
    pthread_mutex_t lock;
    struct gapir_player *parked[PARKED_MAX + 1]; /* the latest first; one to be dropped */
    unsigned count;
};

int gapir_players_create(const struct gapir_replay *replay, uint64_t budget,
                         struct gapir_players **out)
{
    struct gapir_players *players = calloc(1, sizeof(*players));

    if (players == NULL)
        return -ENOMEM;
    players->replay = replay;
    players->budget = budget;
    pthread_mutex_init(&players->lock, NULL);
    *out = players;
    return 0;
}

void gapir_players_destroy(struct gapir_players **players)
{
    if (*players == NULL)
        return;
    for (unsigned n = 0; n < (*players)->count; n++)
        gapir_player_destroy(&(*players)->parked[n]);
    pthread_mutex_destroy(&(*players)->lock);
    free(*players);
    *players = NULL;
}

/* The parked run that is nearest before a step, out of the list; NULL: none is. */
static struct gapir_player *find(struct gapir_players *players, uint64_t steps)
{
    struct gapir_player *best = NULL;
    unsigned place = 0;

    pthread_mutex_lock(&players->lock);
    for (unsigned n = 0; n < players->count; n++) {
        struct gapir_player *player = players->parked[n];
        if (player->vm->steps <= steps && (best == NULL || best->vm->steps < player->vm->steps)) {
            best = player;
            place = n;
        }
    }
    if (best != NULL) {
        players->count--;
        for (; place < players->count; place++)
            players->parked[place] = players->parked[place + 1];
    }
    pthread_mutex_unlock(&players->lock);
    return best;
}

int gapir_players_take(struct gapir_players *players, uint64_t steps, const struct cancel *cancel,
                       struct gapir_player **out)
{
    struct gapir_player *player = find(players, steps);
    int status = 0;

    if (player == NULL)
        status = gapir_player_create(players->replay, &player);
    if (status != 0)
        return status;
    player->watch = NULL;
    status = gapir_player_run(player, steps, cancel);
    if (status == 0 && player->vm->steps != steps)
        status = -ENOMEM;   /* for want of memory its driver answered otherwise than before */
    if (status == -EINTR) { /* it is whole, and somewhere on the way */
        gapir_players_park(players, &player);
    } else if (status != 0) {
        gapir_player_destroy(&player);
    } else {
        *out = player;
    }
    return status;
}

/* Moves runs for which there is no memory out of the list, the oldest first. */
static unsigned drop_surplus(struct gapir_players *players, struct gapir_player **dropped)
{
    uint64_t held = 0;
    unsigned kept = 0, count = 0;

    while (kept < players->count && kept < PARKED_MAX) {
        held += gapir_player_footprint(players->parked[kept]);
        if (kept != 0 && held > players->budget)
            break;
        kept++;
    }
    while (players->count > kept)
        dropped[count++] = players->parked[--players->count];
    return count;
}

void gapir_players_park(struct gapir_players *players, struct gapir_player **player)
{
    struct gapir_player *dropped[PARKED_MAX + 1];

    if (*player == NULL)
        return;
    (*player)->watch = NULL;
    pthread_mutex_lock(&players->lock);
    for (unsigned n = players->count++; n > 0; n--)
        players->parked[n] = players->parked[n - 1];
    players->parked[0] = *player;
    unsigned count = drop_surplus(players, dropped);
    pthread_mutex_unlock(&players->lock);
    for (unsigned n = 0; n < count; n++)
        gapir_player_destroy(&dropped[n]);
    *player = NULL;
}

#include "formats/gapir/replay/vm_pool.h"

#include <errno.h>
#include <stdlib.h>

enum { PARKED_MAX = 4 };

struct gapir_players {
    const struct gapir_replay *replay;
    struct idle parked;
};

static struct gapir_player *player_of(const struct idle_item *item)
{
    return (struct gapir_player *)(uintptr_t)item; /* the player's first member */
}

static void destroy(struct idle_item *item)
{
    struct gapir_player *player = player_of(item);

    gapir_player_destroy(&player);
}

int gapir_players_create(const struct gapir_replay *replay, uint64_t budget,
                         struct cache *const *cache, struct gapir_players **out)
{
    const struct idle_params params = {
        .most = PARKED_MAX, .bytes = budget, .destroy = destroy, .cache = cache};
    struct gapir_players *players = calloc(1, sizeof(*players));

    if (players == NULL)
        return -ENOMEM;
    players->replay = replay;
    idle_init(&players->parked, &params);
    *out = players;
    return 0;
}

void gapir_players_destroy(struct gapir_players **players)
{
    if (*players == NULL)
        return;
    idle_clear(&(*players)->parked);
    free(*players);
    *players = NULL;
}

/* The nearest before a step. */
static uint64_t rate_before(const void *context, const struct idle_item *item)
{
    uint64_t steps = *(const uint64_t *)context, at = player_of(item)->vm->steps;

    return at <= steps ? at + 1 : 0;
}

static uint64_t rate_there(const void *context, const struct idle_item *item)
{
    return player_of(item)->vm->steps == *(const uint64_t *)context;
}

/* Who looks, and at what. */
struct looking {
    int (*look)(void *context, const struct gapir_player *player);
    void *context;
};

static int look_at(void *context, const struct idle_item *item)
{
    const struct looking *looking = context;

    return looking->look(looking->context, player_of(item));
}

int gapir_players_look(struct gapir_players *players, uint64_t steps,
                       int (*look)(void *context, const struct gapir_player *player), void *context)
{
    struct looking looking = {look, context};

    return idle_look(&players->parked, rate_there, &steps, look_at, &looking);
}

int gapir_players_take(struct gapir_players *players, uint64_t steps, const struct cancel *cancel,
                       struct gapir_player **out)
{
    struct idle_item *parked = idle_take(&players->parked, rate_before, &steps);
    struct gapir_player *player = parked != NULL ? player_of(parked) : NULL;
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

void gapir_players_park(struct gapir_players *players, struct gapir_player **player)
{
    struct gapir_player *parked = *player;

    *player = NULL;
    if (parked == NULL)
        return;
    parked->watch = NULL;
    parked->idle.bytes = gapir_player_footprint(parked);
    idle_give(&players->parked, &parked->idle);
}

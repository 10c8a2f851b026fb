#include "formats/aerogpu/replay/checkpoints.h"

void aerogpu_checkpoints_init(struct aerogpu_checkpoints *checkpoints, uint32_t frames)
{
    *checkpoints = (struct aerogpu_checkpoints){.every = frames / AEROGPU_CHECKPOINTS_MAX + 1};
}

void aerogpu_checkpoints_drop(struct aerogpu_checkpoints *checkpoints, int number)
{
    struct aerogpu_checkpoint *checkpoint = &checkpoints->list[number];

    if (checkpoint->used)
        aerogpu_player_clear(&checkpoint->player);
    checkpoint->used = false;
}

void aerogpu_checkpoints_clear(struct aerogpu_checkpoints *checkpoints)
{
    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++)
        aerogpu_checkpoints_drop(checkpoints, i);
}

int aerogpu_checkpoints_wanted(const struct aerogpu_checkpoints *checkpoints,
                               const struct aerogpu_player *player)
{
    int free_one = -1;

    if (player->in_stream || player->frame == 0 || player->frame % checkpoints->every != 0)
        return -1;
    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++) {
        const struct aerogpu_checkpoint *checkpoint = &checkpoints->list[i];

        if (checkpoint->used && checkpoint->frame == player->frame)
            return -1;
        if (!checkpoint->used)
            free_one = i;
    }
    return free_one;
}

int aerogpu_checkpoints_add(struct aerogpu_checkpoints *checkpoints, int number,
                            const struct aerogpu_player *player)
{
    struct aerogpu_checkpoint *checkpoint = &checkpoints->list[number];
    int status = aerogpu_player_copy(&checkpoint->player, player);

    checkpoint->used = status == 0;
    checkpoint->frame = player->frame;
    return status;
}

int aerogpu_checkpoints_find(const struct aerogpu_checkpoints *checkpoints, uint64_t tick)
{
    int found = -1;

    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++) {
        const struct aerogpu_checkpoint *checkpoint = &checkpoints->list[i];

        if (checkpoint->used && checkpoint->player.tick <= tick &&
            (found < 0 || checkpoint->frame > checkpoints->list[found].frame))
            found = i;
    }
    return found;
}

bool aerogpu_checkpoints_full(const struct aerogpu_checkpoints *checkpoints)
{
    for (int i = 0; i < AEROGPU_CHECKPOINTS_MAX; i++)
        if (!checkpoints->list[i].used)
            return false;
    return true;
}

void aerogpu_checkpoints_spread(struct aerogpu_checkpoints *checkpoints)
{
    checkpoints->every *= checkpoints->every < UINT32_MAX / 2 ? 2 : 1;
}

bool aerogpu_checkpoints_misaligned(const struct aerogpu_checkpoints *checkpoints, int number)
{
    const struct aerogpu_checkpoint *checkpoint = &checkpoints->list[number];

    return checkpoint->used && checkpoint->frame % checkpoints->every != 0;
}

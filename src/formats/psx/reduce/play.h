/* SPDX-License-Identifier: MIT */
/*
 * The last picture of a small dump in memory, made anew for each try: a GPU that stays, and an
 * index of the packets alone. One thread.
 */
#ifndef GPUDUMPFS_PSX_REDUCE_PLAY_H
#define GPUDUMPFS_PSX_REDUCE_PLAY_H

#include "formats/format.h"
#include "formats/psx/replay/gpu_instance.h"

struct psx_player_of_tries {
    const struct options *options;
    struct psx_gpu_instance *instance; /* NULL before the first */
    uint8_t *rgb;
    size_t room;
};

/* `picture` is valid until the next. 1, 0: it has no frame, -ENOMEM, -EINTR. */
int psx_try_play(struct psx_player_of_tries *player, const void *dump, size_t size,
                 const struct cancel *cancel, struct format_picture *picture);
void psx_try_clear(struct psx_player_of_tries *player);

#endif

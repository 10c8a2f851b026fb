/* SPDX-License-Identifier: MIT */
/*
 * Plays small dumps that are in memory, one after the other, to get the last picture of each. The
 * GPU is reused, and only packets are indexed. One thread.
 */
#ifndef GPUDUMPFS_PSX_REDUCE_PLAY_H
#define GPUDUMPFS_PSX_REDUCE_PLAY_H

#include "formats/format.h"
#include "formats/psx/replay/gpu_instance.h"

struct psx_player_of_tries {
    const struct options *options;
    struct psx_gpu_instance *instance; /* NULL before the first dump */
    uint8_t *rgb;
    size_t room;
};

/*
 * Plays a dump. Returns 1 with the picture of its last frame, which is valid until the next call; 0
 * if it has no frame; -ENOMEM, -EINTR, or another error of opening the dump.
 */
int psx_try_play(struct psx_player_of_tries *player, const void *dump, size_t size,
                 const struct cancel *cancel, struct format_picture *picture);
void psx_try_clear(struct psx_player_of_tries *player);

#endif

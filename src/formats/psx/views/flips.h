/*
 * flips.tsv: the frames whose display begins elsewhere than the one before. Which one
 * was the last before each piece of the listing is found once. Any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_FLIPS_H
#define GPUDUMPFS_PSX_VIEWS_FLIPS_H

#include <pthread.h>
#include <stdint.h>

struct flips {
    pthread_mutex_t lock;
    uint64_t *before; /* of each piece; NULL: not yet */
};

/* 0 or -ENOMEM. */
int psx_flips_create(struct flips **out);
void psx_flips_destroy(struct flips **flips);

#endif

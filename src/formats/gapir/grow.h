/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by one element at a time, doubling their room. For any thread
 * that may change the array.
 */
#ifndef GPUDUMPFS_GAPIR_GROW_H
#define GPUDUMPFS_GAPIR_GROW_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Room for one element more than `count`. 0 or -ENOMEM. */
static inline int gapir_grow(void **array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return 0;
    uint32_t wanted = *room != 0 ? 2 * *room : 16;
    void *grown = wanted > *room ? reallocarray(*array, wanted, size) : NULL;
    if (grown == NULL)
        return -ENOMEM;
    *array = grown;
    *room = wanted;
    return 0;
}

#define GAPIR_GROW(array, count, room)                                                             \
    gapir_grow((void **)&(array), count, &(room), sizeof(*(array)))

#endif

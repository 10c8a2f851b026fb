/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by one element at a time, doubling their room. For any thread
 * that may change the array.
 */
#ifndef GPUDUMPFS_BASE_ARRAY_H
#define GPUDUMPFS_BASE_ARRAY_H

#include <stddef.h>

/*
 * Room for `count` elements of `size` bytes. `array` is the address of a pointer to them, of
 * whichever type, which is changed. 0 or -ENOMEM.
 */
int array_resize(void *array, size_t count, size_t size);

/* Doubles the room, a number of 4 or 8 bytes at `room`; at first it is for 16. 0 or -ENOMEM. */
int array_double(void *array, size_t size, void *room, size_t room_size);

/*
 * Room for one element more than `count`; `array` is a pointer and `room` an unsigned number
 * of 4 or 8 bytes, both of which may be changed. 0 or -ENOMEM.
 */
#define ARRAY_GROW(array, count, room)                                                             \
    ((count) < (room) ? 0 : array_double(&(array), sizeof(*(array)), &(room), sizeof(room)))

#endif

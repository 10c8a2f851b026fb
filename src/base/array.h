/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by one element at a time; their room doubles whenever it runs out. Any thread
 * that may change the array may call these functions.
 */
#ifndef GPUDUMPFS_BASE_ARRAY_H
#define GPUDUMPFS_BASE_ARRAY_H

#include <stddef.h>

/*
 * Resizes an array to room for `count` elements of `size` bytes. `array` is the address of the
 * pointer to the elements, which may be of any type; the pointer is updated. Returns 0, or -ENOMEM
 * with the array unchanged.
 */
int array_resize(void *array, size_t count, size_t size);

/*
 * Doubles the room of an array, or makes it 16 if it was 0. `room` points to an unsigned number of
 * `room_size` bytes, 4 or 8. Returns 0 or -ENOMEM.
 */
int array_double(void *array, size_t size, void *room, size_t room_size);

/*
 * Ensures that an array of `count` elements has room for one more. `array` is a pointer and `room`
 * an unsigned number of 4 or 8 bytes; both may be changed. Evaluates to 0 or -ENOMEM.
 */
#define ARRAY_GROW(array, count, room)                                                             \
    ((count) < (room) ? 0 : array_double(&(array), sizeof(*(array)), &(room), sizeof(room)))

#endif

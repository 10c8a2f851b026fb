/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

/*
 * Copies the pointer with memcpy(): its type is not known here, and a pointer of another type must
 * not be accessed through a void **.
 */
int array_resize(void *array, size_t count, size_t size)
{
    void *moved;

    memcpy(&moved, array, sizeof(moved));
    moved = reallocarray(moved, count, size);
    if (moved == NULL)
        return -ENOMEM;
    memcpy(array, &moved, sizeof(moved));
    return 0;
}

/* Returns 0 if the doubled room does not fit the number or a size_t. */
static size_t doubled(uint64_t room, size_t room_size)
{
    const uint64_t max = room_size == sizeof(uint32_t) ? UINT32_MAX : SIZE_MAX;

    return room == 0 ? FIRST_ROOM : room <= max / 2 ? (size_t)(2 * room) : 0;
}

int array_double(void *array, size_t size, void *room, size_t room_size)
{
    uint32_t narrow;
    uint64_t wide;
    size_t more;
    int status;

    memcpy(&narrow, room, sizeof(narrow));
    if (room_size == sizeof(wide))
        memcpy(&wide, room, sizeof(wide));
    more = doubled(room_size == sizeof(wide) ? wide : narrow, room_size);
    status = more != 0 ? array_resize(array, more, size) : -ENOMEM;
    if (status != 0)
        return status;
    wide = more;
    narrow = (uint32_t)more;
    memcpy(room, room_size == sizeof(wide) ? (const void *)&wide : &narrow, room_size);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/json_memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static _Thread_local bool short_of_memory;

static void *allocate(size_t size)
{
    void *block = malloc(size);

    if (block == NULL)
        short_of_memory = true;
    return block;
}

static void watch_allocations(void)
{
    json_set_alloc_funcs(allocate, free);
}

int json_memory_load(const uint8_t *bytes, size_t size, size_t flags, json_t **out,
                     json_error_t *error)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;

    pthread_once(&watched, watch_allocations);
    short_of_memory = false;
    *out = json_loadb((const char *)bytes, size, flags, error);
    if (short_of_memory) {
        json_decref(*out);
        *out = NULL;
        return -ENOMEM;
    }
    return *out != NULL ? 0 : -EINVAL;
}

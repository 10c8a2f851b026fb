/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cache/cache_failures.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FAILURES_MAX = 4096 };

struct cache_failure {
    struct cache_key key;
    int status;
    UT_hash_handle hh;
};

void cache_failures_add(struct cache_failures *failures, struct cache_key key, int status)
{
    struct cache_failure *failure = NULL;

    HASH_FIND(hh, failures->table, &key, sizeof(key), failure);
    if (failure != NULL)
        return;
    if (HASH_COUNT(failures->table) >= FAILURES_MAX) {
        failure = failures->table;
        HASH_DEL(failures->table, failure);
    } else {
        failure = malloc(sizeof(*failure));
    }
    if (failure == NULL)
        return;
    memset(failure, 0, sizeof(*failure));
    failure->key = key;
    failure->status = status;
    HASH_ADD(hh, failures->table, key, sizeof(failure->key), failure);
    if (failure->hh.tbl == NULL)
        free(failure);
}

int cache_failures_find(const struct cache_failures *failures, struct cache_key key)
{
    struct cache_failure *failure = NULL;

    if (failures->table == NULL)
        return 0;
    HASH_FIND(hh, failures->table, &key, sizeof(key), failure);
    return failure != NULL ? failure->status : 0;
}

void cache_failures_clear(struct cache_failures *failures)
{
    struct cache_failure *failure, *next;

    HASH_ITER (hh, failures->table, failure, next) {
        HASH_DEL(failures->table, failure);
        free(failure);
    }
}

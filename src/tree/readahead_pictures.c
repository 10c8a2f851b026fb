/* SPDX-License-Identifier: MIT */
/*
 * Pictures made ahead, by requests to the cache. Of the requests of a series, at most one is in its
 * first stage; the others are in their second, or wait for it. When a first stage ends, or a
 * request is answered, the next picture is requested.
 *
 * The cache's lock and this one are never held together: a series may be given up between the
 * decision and cache_submit_request(), and then one picture is made in vain.
 */
#include "tree/readahead_parts.h"

#include "tree/internal.h"

enum { CACHE_SHARE = 8 }; /* pictures made ahead may take 1/8 of the cache */

static bool fits(const struct tree *tree, const struct rule *rule, uint64_t key)
{
    uint64_t size = 0;

    return rule->size != NULL && rule->size(tree->dump, key, &size) == 0 &&
           size <= tree->dump->options->cache / CACHE_SHARE / READAHEAD_PICTURES;
}

/* Returns a request that is not in use; NULL if no picture may be requested now. */
static struct readahead_request *find_free(struct readahead_series *series)
    REQUIRES(lock_of_readahead)
{
    struct readahead_request *found = NULL;

    for (unsigned n = 0; n < READAHEAD_PICTURES; n++) {
        if (series->requests[n].begun)
            return NULL;
        if (!series->requests[n].requested)
            found = &series->requests[n];
    }
    return found;
}

/* Finds the next picture to make, if it is close enough to the reader. */
static bool choose_key(struct readahead_series *series, uint64_t *key) REQUIRES(lock_of_readahead)
{
    struct tree *tree = series->tree;
    uint64_t next = series->last;

    if (series->made < series->last)
        series->made = series->last;
    for (unsigned n = 0; n < READAHEAD_PICTURES; n++) {
        if (!readahead_next_picture(tree, series->rule, next, &next))
            return false;
        if (next <= series->made)
            continue;
        *key = next;
        return fits(tree, series->rule, next);
    }
    return false;
}

/* Returns the request that the caller is to submit, or NULL. */
static struct readahead_request *choose(struct readahead_series *series, uint64_t *key)
    REQUIRES(lock_of_readahead)
{
    struct readahead_request *request = find_free(series);

    if (series->tree->readahead->ended || request == NULL ||
        series->in_order < READAHEAD_IN_ORDER || !choose_key(series, key))
        return NULL;
    request->requested = request->begun = true;
    request->key = *key;
    atomic_fetch_add(&series->tree->readahead->drawing, 1);
    series->made = *key;
    return request;
}

static void submit(struct readahead_request *request, uint64_t key);

static struct readahead_request *request_of(struct cache_request *cache)
{
    return (struct readahead_request *)((char *)cache - offsetof(struct readahead_request, cache));
}

static void answered(struct cache_request *cache, int status, struct blob *blob)
{
    struct readahead_request *request = request_of(cache), *more;
    struct readahead_series *series = request->series;
    struct readahead *readahead = series->tree->readahead;
    uint64_t next;

    blob_unref(&blob);
    readahead_lock(readahead);
    request->requested = request->begun = false;
    atomic_fetch_sub(&readahead->drawing, 1);
    readahead->pictures += status == 0;
    if (status != 0)
        series->in_order = 0;
    more = choose(series, &next);
    pthread_cond_broadcast(&readahead->answered);
    readahead_unlock(readahead);
    if (more != NULL)
        submit(more, next);
}

/* The item may be one that the request was cancelled for before it got its present picture. */
static void first_stage_done(struct cache_request *cache, struct cache_key key)
{
    struct readahead_request *request = request_of(cache), *more;
    struct readahead_series *series = request->series;
    struct readahead *readahead = series->tree->readahead;
    uint64_t next;

    readahead_lock(readahead);
    if (inode_pack(series->rule->id, request->key) == key.item)
        request->begun = false;
    more = choose(series, &next);
    readahead_unlock(readahead);
    if (more != NULL)
        submit(more, next);
}

/* The request is marked as requested, so no other thread takes it. */
static void submit(struct readahead_request *request, uint64_t key)
{
    struct readahead_series *series = request->series;
    struct tree *tree = series->tree;
    struct cache_key item = {.item = inode_pack(series->rule->id, key)};

    request->cache.done = answered;
    request->cache.first_stage_done = first_stage_done;
    cache_submit_request(tree->cache, item, content_maker_slow(series->rule), tree,
                         &request->cache);
}

void readahead_give_up(struct readahead_series *series)
{
    for (unsigned n = 0; n < READAHEAD_PICTURES; n++)
        cache_cancel_request(series->tree->cache, &series->requests[n].cache);
}

void readahead_leave_others(struct tree *tree, const struct readahead_series *kept,
                            const struct rule *rule)
{
    struct readahead *readahead = tree->readahead;

    for (unsigned n = 0; n < READAHEAD_SERIES; n++) {
        struct readahead_series *series = &readahead->series[n];
        bool leaves;

        readahead_lock(readahead);
        leaves = series != kept && series->rule != rule && readahead_is_requested(series);
        if (leaves)
            series->in_order = 0;
        readahead_unlock(readahead);
        if (leaves)
            readahead_give_up(series);
    }
}

void readahead_note_picture(struct tree *tree, const struct tree_target *target)
{
    struct readahead *readahead = tree->readahead;
    struct readahead_series *series;
    struct readahead_request *more = NULL;
    uint64_t next;
    bool taken, begins;

    readahead_lock(readahead);
    taken = readahead_take_series(tree, target, &series);
    begins = taken && series->in_order == 1;
    if (taken)
        more = choose(series, &next);
    readahead_unlock(readahead);
    if (!taken)
        readahead_give_up(series);
    if (begins && tree->dump->ops->pictures.drawn_in_turn)
        readahead_leave_others(tree, series, NULL);
    if (more != NULL)
        submit(more, next);
}

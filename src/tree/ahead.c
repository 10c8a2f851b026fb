/*
 * A series has one request to the cache at a time that is not half made, and one that
 * is; when one is half made or answered, the next is asked for.
 * The cache's lock and this one are never held together: between the decision
 * and cache_ask() a series may be forsaken, which then comes to nothing.
 */
#include "tree/ahead.h"

#include "tree/content.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum {
    READ_IN_ORDER = 2, /* before it is believed */
    PICTURES = 4,      /* ahead of the reader, … */
    CACHE_SHARE = 8,   /* … in this part of the cache at most */
};

int ahead_create(struct ahead **out)
{
    struct ahead *ahead = calloc(1, sizeof(*ahead));

    *out = ahead;
    if (ahead == NULL)
        return -ENOMEM;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->answered, NULL);
    return 0;
}

void ahead_destroy(struct ahead **ahead)
{
    struct ahead *destroyed = *ahead;

    *ahead = NULL;
    if (destroyed == NULL)
        return;
    pthread_cond_destroy(&destroyed->answered);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* The picture after `key` in its folder. */
static bool find_next(const struct tree *tree, const struct rule *rule, uint64_t key,
                      uint64_t *next)
{
    return rule->family->next(tree->dump, 0, key + 1, next) == 0;
}

static bool fits(const struct tree *tree, const struct rule *rule, uint64_t key)
{
    uint64_t size = 0;

    return rule->size != NULL && rule->size(tree->dump, key, &size) == 0 &&
           size <= tree->dump->options->cache / CACHE_SHARE / PICTURES;
}

/* One that nobody has asked with; NULL: it is not time to ask. The lock is held. */
static struct ahead_request *find_free(struct ahead_series *series)
{
    struct ahead_request *found = NULL;

    for (unsigned n = 0; n < AHEAD_AT_ONCE; n++) {
        if (series->requests[n].begun)
            return NULL;
        if (!series->requests[n].asked)
            found = &series->requests[n];
    }
    return found;
}

static bool is_asked(const struct ahead_series *series)
{
    bool asked = false;

    for (unsigned n = 0; n < AHEAD_AT_ONCE; n++)
        asked |= series->requests[n].asked;
    return asked;
}

/* The next one that is to be made, if it is not far from the reader. The lock is held. */
static bool choose_key(struct ahead_series *series, uint64_t *key)
{
    struct tree *tree = series->tree;
    uint64_t next = series->last;

    if (series->made < series->last)
        series->made = series->last;
    for (unsigned n = 0; n < PICTURES; n++) {
        if (!find_next(tree, series->rule, next, &next))
            return false;
        if (next <= series->made)
            continue;
        *key = next;
        return fits(tree, series->rule, next);
    }
    return false;
}

/* The request to ask with, which is the caller's then; NULL: none. The lock is held. */
static struct ahead_request *choose(struct ahead_series *series, uint64_t *key)
{
    struct ahead_request *request = find_free(series);

    if (series->tree->ahead->ended || request == NULL || series->read < READ_IN_ORDER ||
        !choose_key(series, key))
        return NULL;
    request->series = series;
    request->asked = request->begun = true;
    series->made = *key;
    return request;
}

static void ask(struct ahead_request *request, uint64_t key);

static struct ahead_request *request_of(struct cache_request *cache)
{
    return (struct ahead_request *)((char *)cache - offsetof(struct ahead_request, cache));
}

static void answered(struct cache_request *cache, int status, struct blob *blob)
{
    struct ahead_request *request = request_of(cache), *more;
    struct ahead_series *series = request->series;
    struct ahead *ahead = series->tree->ahead;
    uint64_t next;

    blob_unref(&blob);
    pthread_mutex_lock(&ahead->lock);
    request->asked = request->begun = false;
    ahead->pictures += status == 0;
    if (status != 0)
        series->read = 0;
    more = choose(series, &next);
    pthread_cond_broadcast(&ahead->answered);
    pthread_mutex_unlock(&ahead->lock);
    if (more != NULL)
        ask(more, next);
}

static void half_made(struct cache_request *cache)
{
    struct ahead_request *request = request_of(cache), *more;
    struct ahead_series *series = request->series;
    struct ahead *ahead = series->tree->ahead;
    uint64_t next;

    pthread_mutex_lock(&ahead->lock);
    request->begun = false;
    more = choose(series, &next);
    pthread_mutex_unlock(&ahead->lock);
    if (more != NULL)
        ask(more, next);
}

/* The request counts as asked, so it is nobody else's. */
static void ask(struct ahead_request *request, uint64_t key)
{
    struct ahead_series *series = request->series;
    struct tree *tree = series->tree;
    struct cache_key item = {.item = inode_pack(series->rule->id, key)};

    request->cache.done = answered;
    request->cache.half_made = half_made;
    cache_ask(tree->cache, item, content_maker_unhurried(series->rule), tree, &request->cache);
}

static void forsake(struct ahead_series *series)
{
    for (unsigned n = 0; n < AHEAD_AT_ONCE; n++)
        cache_forsake(series->tree->cache, &series->requests[n].cache);
}

/* The series that this picture continues; NULL: none. The lock is held. */
static struct ahead_series *find_series(struct tree *tree, const struct tree_target *target)
{
    for (unsigned n = 0; n < AHEAD_SERIES; n++) {
        struct ahead_series *series = &tree->ahead->series[n];
        uint64_t next;

        if (series->rule != target->rule)
            continue;
        if (series->last == target->key)
            return series;
        if (find_next(tree, series->rule, series->last, &next) && next == target->key) {
            series->last = target->key;
            series->read++;
            return series;
        }
    }
    return NULL;
}

/* The one that was not used for the longest time. The lock is held. */
static struct ahead_series *find_oldest(struct ahead *ahead)
{
    struct ahead_series *oldest = &ahead->series[0];

    for (unsigned n = 1; n < AHEAD_SERIES; n++)
        if (ahead->series[n].used < oldest->used)
            oldest = &ahead->series[n];
    return oldest;
}

/* With one thread it would keep that from who waits for another picture. */
static bool reads_ahead(const struct tree *tree, const struct tree_target *target)
{
    return target->rule->ahead && target->rule->family != NULL && tree->pool != NULL &&
           pool_threads(tree->pool) > 1;
}

void ahead_note(struct tree *tree, const struct tree_target *target)
{
    struct ahead *ahead = tree->ahead;
    struct ahead_series *series;
    struct ahead_request *more = NULL;
    bool begins, forsaken = false;
    uint64_t next;

    if (!reads_ahead(tree, target))
        return;
    pthread_mutex_lock(&ahead->lock);
    series = find_series(tree, target);
    begins = series == NULL;
    if (begins)
        series = find_oldest(ahead);
    series->used = ++ahead->clock;
    if (begins && is_asked(series)) {
        series->read = 0;
        forsaken = true;
    } else if (begins) {
        series->tree = tree;
        series->rule = target->rule;
        series->last = series->made = target->key;
        series->read = 1;
    }
    if (!forsaken)
        more = choose(series, &next);
    pthread_mutex_unlock(&ahead->lock);
    if (forsaken)
        forsake(series);
    if (more != NULL)
        ask(more, next);
}

/* A request that the cache did not have yet is taken back at the next call. The lock is held. */
static void take_back(struct tree *tree, struct ahead_series *series)
{
    struct ahead *ahead = tree->ahead;
    struct timespec soon;

    pthread_mutex_unlock(&ahead->lock);
    forsake(series);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    pthread_mutex_lock(&ahead->lock);
    if (is_asked(series))
        pthread_cond_timedwait(&ahead->answered, &ahead->lock, &soon);
}

void ahead_end(struct tree *tree)
{
    struct ahead *ahead = tree->ahead;

    pthread_mutex_lock(&ahead->lock);
    ahead->ended = true;
    for (unsigned n = 0; n < AHEAD_SERIES; n++)
        while (is_asked(&ahead->series[n]))
            take_back(tree, &ahead->series[n]);
    pthread_mutex_unlock(&ahead->lock);
}

uint64_t ahead_pictures(struct tree *tree)
{
    uint64_t pictures;

    pthread_mutex_lock(&tree->ahead->lock);
    pictures = tree->ahead->pictures;
    pthread_mutex_unlock(&tree->ahead->lock);
    return pictures;
}

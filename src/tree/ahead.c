/*
 * A series is one request to the cache at a time, whose answer asks for the next.
 * The cache's lock and this one are never held together: between the decision
 * and cache_ask() a series may be forsaken, which then comes to nothing.
 */
#include "tree/ahead.h"

#include "tree/content.h"

#include <time.h>

enum {
    READ_IN_ORDER = 2, /* before it is believed */
    PICTURES = 4,      /* ahead of the reader, … */
    CACHE_SHARE = 8,   /* … in this part of the cache at most */
};

void ahead_init(struct ahead *ahead)
{
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->answered, NULL);
}

void ahead_clear(struct ahead *ahead)
{
    pthread_cond_destroy(&ahead->answered);
    pthread_mutex_destroy(&ahead->lock);
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

/* The next one that is to be made, if it is not far from the reader. The lock is held. */
static bool choose(struct ahead_series *series, uint64_t *key)
{
    struct tree *tree = series->tree;
    uint64_t next = series->last;

    if (tree->ahead.ended || series->asked || series->read < READ_IN_ORDER)
        return false;
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

static void ask(struct ahead_series *series, uint64_t key);

static void answered(struct cache_request *request, int status, struct blob *blob)
{
    struct ahead_series *series =
        (struct ahead_series *)((char *)request - offsetof(struct ahead_series, request));
    struct ahead *ahead = &series->tree->ahead;
    uint64_t next;
    bool more;

    blob_unref(&blob);
    pthread_mutex_lock(&ahead->lock);
    series->asked = false;
    ahead->pictures += status == 0;
    if (status != 0)
        series->read = 0;
    more = choose(series, &next);
    series->asked = more;
    pthread_cond_broadcast(&ahead->answered);
    pthread_mutex_unlock(&ahead->lock);
    if (more)
        ask(series, next);
}

/* The series counts as asked, so it is nobody else's. */
static void ask(struct ahead_series *series, uint64_t key)
{
    struct tree *tree = series->tree;
    struct cache_key item = {.item = inode_pack(series->rule->id, key)};

    series->made = key;
    series->request.done = answered;
    cache_ask(tree->cache, item, content_maker_unhurried(series->rule), tree, &series->request);
}

/* The series that this picture continues; NULL: none. The lock is held. */
static struct ahead_series *find_series(struct tree *tree, const struct tree_target *target)
{
    for (unsigned n = 0; n < AHEAD_SERIES; n++) {
        struct ahead_series *series = &tree->ahead.series[n];
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
    return target->rule->ahead && tree->pool != NULL && pool_threads(tree->pool) > 1;
}

void ahead_note(struct tree *tree, const struct tree_target *target)
{
    struct ahead *ahead = &tree->ahead;
    struct ahead_series *series;
    bool begins, forsaken = false, more = false;
    uint64_t next;

    if (!reads_ahead(tree, target))
        return;
    pthread_mutex_lock(&ahead->lock);
    series = find_series(tree, target);
    begins = series == NULL;
    if (begins)
        series = find_oldest(ahead);
    series->used = ++ahead->clock;
    if (begins && series->asked) {
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
    series->asked |= more;
    pthread_mutex_unlock(&ahead->lock);
    if (forsaken)
        cache_forsake(tree->cache, &series->request);
    if (more)
        ask(series, next);
}

/* A request that the cache did not have yet is taken back at the next call. The lock is held. */
static void take_back(struct tree *tree, struct ahead_series *series)
{
    struct ahead *ahead = &tree->ahead;
    struct timespec soon;

    pthread_mutex_unlock(&ahead->lock);
    cache_forsake(tree->cache, &series->request);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    pthread_mutex_lock(&ahead->lock);
    if (series->asked)
        pthread_cond_timedwait(&ahead->answered, &ahead->lock, &soon);
}

void ahead_end(struct tree *tree)
{
    struct ahead *ahead = &tree->ahead;

    pthread_mutex_lock(&ahead->lock);
    ahead->ended = true;
    for (unsigned n = 0; n < AHEAD_SERIES; n++)
        while (ahead->series[n].asked)
            take_back(tree, &ahead->series[n]);
    pthread_mutex_unlock(&ahead->lock);
}

uint64_t ahead_pictures(struct tree *tree)
{
    uint64_t pictures;

    pthread_mutex_lock(&tree->ahead.lock);
    pictures = tree->ahead.pictures;
    pthread_mutex_unlock(&tree->ahead.lock);
    return pictures;
}

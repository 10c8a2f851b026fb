/* SPDX-License-Identifier: MIT */
/* To which series a file belongs, and how a series begins and continues. */
#include "tree/readahead_parts.h"

#include "tree/internal.h"

static void go_on(struct readahead_series *series, uint64_t key, bool downwards)
    REQUIRES(lock_of_readahead)
{
    if (series->downwards != downwards) /* texts made for the other direction are of no use */
        series->ahead = 0;
    series->downwards = downwards;
    series->last = key;
    series->waiting = false;
    series->in_order++;
    if (series->ahead > 0)
        series->ahead--;
    else if (!readahead_is_pictures(series->rule))
        series->made = key;
}

/*
 * Returns whether the key continues the series: in its direction, or in either one if the direction
 * is not known yet.
 */
static bool continues(const struct tree *tree, struct readahead_series *series, uint64_t key)
    REQUIRES(lock_of_readahead)
{
    for (int downwards = 0; downwards < 2; downwards++) {
        uint64_t next;

        if (series->in_order > 1 && series->downwards != (bool)downwards)
            continue;
        if (readahead_next(tree, series->rule, series->last, downwards, &next) && next == key) {
            go_on(series, key, downwards);
            return true;
        }
    }
    return false;
}

static struct readahead_series *find_series(struct tree *tree, const struct tree_target *target)
    REQUIRES(lock_of_readahead)
{
    for (unsigned n = 0; n < READAHEAD_SERIES; n++) {
        struct readahead_series *series = &tree->readahead->series[n];

        if (series->rule == target->rule &&
            (series->last == target->key || continues(tree, series, target->key)))
            return series;
    }
    return NULL;
}

/* Returns the series that was not used for the longest time. */
static struct readahead_series *find_oldest(struct readahead *readahead) REQUIRES(lock_of_readahead)
{
    struct readahead_series *oldest = &readahead->series[0];

    for (unsigned n = 1; n < READAHEAD_SERIES; n++)
        if (readahead->series[n].used < oldest->used)
            oldest = &readahead->series[n];
    return oldest;
}

bool readahead_is_requested(const struct readahead_series *series)
{
    bool requested = false;

    for (unsigned n = 0; n < READAHEAD_PICTURES; n++)
        requested |= series->requests[n].requested;
    return requested;
}

/*
 * The cache may still be about to report the first stage of a request that was cancelled, so the
 * requests themselves are left alone.
 */
static void begin(struct readahead_series *series, const struct tree_target *target)
    REQUIRES(lock_of_readahead)
{
    series->rule = target->rule;
    series->last = series->made = target->key;
    series->in_order = 1;
    series->ahead = series->runs = 0;
    series->downwards = series->waiting = series->helps = series->read = false;
    series->bytes = 0;
}

bool readahead_take_series(struct tree *tree, const struct tree_target *target,
                           struct readahead_series **out)
{
    struct readahead *readahead = tree->readahead;
    struct readahead_series *series = find_series(tree, target);
    bool begins = series == NULL;

    *out = series = begins ? find_oldest(readahead) : series;
    series->used = ++readahead->clock;
    if (!begins)
        return true;
    if (readahead_is_requested(series)) {
        series->in_order = 0;
        return false;
    }
    readahead_cancel_runs(readahead, series);
    begin(series, target);
    return true;
}

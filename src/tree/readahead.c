/* SPDX-License-Identifier: MIT */
#include "tree/readahead.h"

#include "base/thread.h"
#include "tree/internal.h"
#include "tree/pieces.h"
#include "tree/readahead_parts.h"

#include <errno.h>
#include <stdlib.h>

int readahead_create(struct tree *tree, struct readahead **out)
{
    struct readahead *readahead = calloc(1, sizeof(*readahead));

    *out = readahead;
    if (readahead == NULL)
        return -ENOMEM;
    pthread_mutex_init(&readahead->lock, NULL);
    thread_condition_init(&readahead->answered);
    for (unsigned n = 0; n < READAHEAD_SERIES; n++) {
        readahead->series[n].tree = tree;
        for (unsigned m = 0; m < READAHEAD_PICTURES; m++)
            readahead->series[n].requests[m].series = &readahead->series[n];
    }
    return 0;
}

void readahead_destroy(struct readahead **readahead)
{
    struct readahead *destroyed = *readahead;

    *readahead = NULL;
    if (destroyed == NULL)
        return;
    pthread_cond_destroy(&destroyed->answered);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* A pool of one thread is left to readers that wait. */
static bool reads_ahead(const struct tree *tree, const struct rule *rule)
{
    return rule->ahead && tree->pool != NULL && pool_threads(tree->pool) > 1;
}

void readahead_begin(struct tree *tree, const struct tree_target *target, bool waits)
{
    if (target->rule->slow && target->rule->work == CACHE_RENDER)
        readahead_leave_others(tree, NULL, target->rule);
    if (!reads_ahead(tree, target->rule))
        return;
    if (readahead_is_pictures(target->rule))
        readahead_note_picture(tree, target);
    else if (waits)
        readahead_note_wait(tree, target);
}

/* Returns whether the size of a text is known without making the text. */
static bool is_known(struct tree *tree, const struct rule *rule, uint64_t key)
{
    uint64_t length;

    return pieces_known_length(tree, rule, key, &length) == 0;
}

/*
 * Returns whether making texts ahead is useful: it is not if only sizes are requested, and those of
 * this text and its neighbours are known. The size of this text alone may be known because it was
 * made.
 */
static bool needs_texts(struct tree *tree, const struct tree_target *target, bool read)
{
    const struct rule *rule = target->rule;

    if (!reads_ahead(tree, rule) || readahead_is_pictures(rule))
        return false;
    if (read || !is_known(tree, rule, target->key))
        return true;
    for (int downwards = 0; downwards < 2; downwards++) {
        uint64_t next;

        if (readahead_next_text(tree, rule, target->key, downwards, &next) &&
            !is_known(tree, rule, next))
            return true;
    }
    return false;
}

void readahead_note_text(struct tree *tree, const struct tree_target *target, uint64_t size,
                         bool read)
{
    if (needs_texts(tree, target, read))
        readahead_take_text(tree, target, size, read);
}

/*
 * Cancels the requests of a series and waits a little; one that the cache did not have yet is
 * cancelled by the next call.
 */
static void take_back(struct readahead *readahead, struct readahead_series *series)
    REQUIRES(lock_of_readahead)
{
    readahead_unlock(readahead);
    readahead_give_up(series);
    readahead_lock(readahead);
    if (readahead_is_requested(series))
        thread_wait_a_little(&readahead->answered, &readahead->lock);
}

void readahead_end(struct tree *tree)
{
    struct readahead *readahead = tree->readahead;

    readahead_lock(readahead);
    readahead->ended = true;
    for (unsigned n = 0; n < READAHEAD_RUNS; n++)
        cancel_raise(&readahead->runs[n].cancel);
    for (unsigned n = 0; n < READAHEAD_SERIES; n++)
        while (readahead_is_requested(&readahead->series[n]))
            take_back(readahead, &readahead->series[n]);
    readahead_unlock(readahead);
}

bool readahead_has_passed(struct tree *tree, const struct tree_target *target)
{
    struct readahead *readahead = tree->readahead;
    bool passed = false;

    readahead_lock(readahead);
    for (unsigned n = 0; n < READAHEAD_SERIES && !passed; n++) {
        const struct readahead_series *series = &readahead->series[n];

        passed = series->rule == target->rule && series->in_order >= READAHEAD_IN_ORDER &&
                 target->key <= series->last && series->last - target->key <= READAHEAD_PICTURES;
    }
    readahead_unlock(readahead);
    return passed;
}

unsigned readahead_drawing(const struct tree *tree)
{
    return atomic_load_explicit(&tree->readahead->drawing, memory_order_relaxed);
}

static uint64_t read_count(struct tree *tree, const uint64_t *count)
{
    uint64_t value;

    readahead_lock(tree->readahead);
    value = *count;
    readahead_unlock(tree->readahead);
    return value;
}

uint64_t readahead_pictures(struct tree *tree)
{
    return read_count(tree, &tree->readahead->pictures);
}

uint64_t readahead_texts(struct tree *tree)
{
    return read_count(tree, &tree->readahead->texts);
}

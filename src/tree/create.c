/* SPDX-License-Identifier: MIT */
#include "tree/internal.h"

#include "base/log.h"
#include "source/growing_source.h"
#include "tree/limits.h"
#include "tree/readahead.h"
#include "tree/search.h"
#include "tree/told_sizes.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static void problems_changed(void *context)
{
    struct tree *tree = context;
    void (*changed)(void *context, uint64_t inode) = NULL;
    void *changed_context = NULL;

    tree_lock(tree);
    changed = tree->changed;
    changed_context = tree->changed_context;
    tree->changing++;
    tree_unlock(tree);
    if (changed != NULL)
        changed(changed_context, inode_pack(RULE_PROBLEMS, 0));
    tree_lock(tree);
    if (--tree->changing == 0)
        pthread_cond_broadcast(&tree->answered);
    tree_unlock(tree);
}

void tree_on_change(struct tree *tree, void (*changed)(void *context, uint64_t inode),
                    void *context)
{
    tree_lock(tree);
    tree->changed = changed;
    tree->changed_context = context;
    while (tree->changing > 0)
        pthread_cond_wait(&tree->answered, &tree->lock);
    tree_unlock(tree);
}

void tree_on_growth(struct tree *tree, void (*grew)(void *context), void *context)
{
    tree_lock(tree);
    tree->grew = grew;
    tree->grew_context = context;
    tree_unlock(tree);
}

/* The lock is held during the call, so that a listener that was removed is not called. */
static void dump_grew(void *context)
{
    struct tree *tree = context;

    tree_lock(tree);
    if (tree->grew != NULL)
        tree->grew(tree->grew_context);
    tree_unlock(tree);
}

bool tree_grows(const struct tree *tree)
{
    return tree->dump->follow != NULL && follow_grows(tree->dump->follow);
}

size_t tree_growing(const struct tree *tree, uint64_t *inodes, size_t max)
{
    size_t count = 0;

    for (unsigned id = 0; id < RULES_MAX && tree->dump->follow != NULL; id++)
        if (tree->rules.by_id[id] != NULL && tree->rules.by_id[id]->grows && count < max)
            inodes[count++] = inode_pack(id, 0);
    return count;
}

static int make_cache(struct tree *tree, const struct tree_params *params)
{
    struct cache_params cache = {.budget = params->dump->options->cache,
                                 .overdraft = TREE_OVERDRAFT,
                                 .spending = &params->dump->budget,
                                 .cancel = &params->dump->cancel};
    int status = 0;

    if (params->threads > 0) {
        status = watchdog_create(&tree->watchdog);
        if (status == 0)
            status = pool_create(params->threads, &tree->pool);
        if (status < 0)
            return status;
        pool_set_watchdog(tree->pool, tree->watchdog);
    }
    cache.pool = tree->pool;
    cache.watchdog = tree->watchdog;
    return cache_create(&cache, &tree->cache);
}

static int make_searches(struct tree *tree, struct dump *dump)
{
    int status = search_create(tree, dump, RULE_FRAME_PNG, true, &tree->frames);

    return status == 0 ? search_create(tree, dump, dump->ops->textures.rule, false, &tree->textures)
                       : status;
}

static void tree_free(struct tree *tree) LOCKS_UNCHECKED
{
    watchdog_stop(tree->watchdog);
    pool_destroy(&tree->pool);
    for (size_t i = 0; i < TREE_GROWING_MAX; i++)
        blob_unref(&tree->growing[i].offsets);
    cache_destroy(&tree->cache);
    blob_unref(&tree->unfinished.offsets);
    watchdog_destroy(&tree->watchdog);
    search_destroy(&tree->frames);
    search_destroy(&tree->textures);
    readahead_destroy(&tree->readahead);
    told_sizes_destroy(&tree->told);
    pthread_cond_destroy(&tree->answered);
    pthread_mutex_destroy(&tree->lock);
    free(tree);
}

/* Without a thread that reads the stream, a growing dump stays as it was when it was opened. */
static void start_dump(struct dump *dump)
{
    if (dump->follow != NULL && growing_source_start(dump->source->growth) != 0)
        log_write(LOG_ERR, "the dump cannot be followed: no thread can be started");
    if (dump->ops->start != NULL)
        dump->ops->start(dump);
}

/* From here on the tree owns the dump, and the dump's threads may run. */
static void tree_begin(struct tree *tree, const struct tree_params *params)
{
    tree->dump = params->dump;
    tree->dump->cache = tree->cache;
    tree->dump->tree = tree;
    limits_begin(tree);
    problems_on_change(tree->dump->problems, problems_changed, tree);
    if (tree->dump->follow != NULL)
        follow_listen(tree->dump->follow, dump_grew, tree);
    if (params->threads > 0)
        start_dump(tree->dump);
}

int tree_create(const struct tree_params *params, struct tree **out)
{
    struct tree *tree = calloc(1, sizeof(*tree));
    int status = 0;

    *out = NULL;
    if (tree == NULL)
        return -ENOMEM;
    pthread_mutex_init(&tree->lock, NULL);
    pthread_cond_init(&tree->answered, NULL);
    tree->told = told_sizes_create();
    status = tree->told != NULL ? readahead_create(tree, &tree->readahead) : -ENOMEM;
    if (status == 0)
        status = rules_build(&tree->rules, params->rules, params->rule_count, params->dump);
    if (status == 0)
        status = make_cache(tree, params);
    if (status == 0)
        status = make_searches(tree, params->dump);
    if (status < 0) {
        tree_free(tree);
        return status;
    }
    tree_begin(tree, params);
    *out = tree;
    return 0;
}

static void wait_for_requests(struct tree *tree)
{
    tree_lock(tree);
    while (tree->requests > 0)
        pthread_cond_wait(&tree->answered, &tree->lock);
    tree_unlock(tree);
}

/*
 * Once every request is answered, makings that no request waits for may still be under way and use
 * the dump, so the pool ends first. The dump's own threads may use the cache, so the dump ends
 * before the cache.
 */
void tree_destroy(struct tree **tree) LOCKS_UNCHECKED
{
    struct tree *ending = *tree;
    struct problems *problems = NULL;

    *tree = NULL;
    if (ending == NULL)
        return;
    problems = ending->dump->problems;
    cancel_raise(&ending->dump->cancel);
    wait_for_requests(ending);
    readahead_end(ending);
    for (struct tree_file *file = ending->files; file != NULL; file = ending->files)
        tree_close(&file);
    watchdog_stop(ending->watchdog);
    pool_destroy(&ending->pool);
    assert(cache_is_idle(ending->cache)); /* otherwise its end would wait for the pool */
    ending->dump->ops->close(&ending->dump);
    problems_on_change(problems, NULL, NULL);
    limits_end(ending);
    tree_free(ending);
}

struct dump *tree_dump(struct tree *tree)
{
    return tree->dump;
}

struct cache *tree_cache(struct tree *tree)
{
    return tree->cache;
}

/*
 * Who makes a text first takes it: under the lock, so that no two runs make the same.
 * Neither the cache's lock nor a maker's is taken while it is held.
 */
#include "tree/ahead_texts.h"

#include "tree/content.h"
#include "tree/pieces.h"

#include <errno.h>
#include <stdlib.h>

enum {
    ASKED_IN_ORDER = 3, /* before it is believed */
    TEXTS = 32,         /* ahead of the reader at most, … */
    TEXT_BYTES = 8 << 20,
    CACHE_SHARE = 8,  /* … in so many bytes, and in this part of the cache */
    SOON = 256 << 10, /* bytes of a text that takes a millisecond or two */
    ITEM_BYTES = 512,
    LEFT = 4, /* to a reader who makes them himself when he has caught up */
};

int ahead_texts_create(struct ahead_texts **out)
{
    struct ahead_texts *ahead = calloc(1, sizeof(*ahead));

    *out = ahead;
    if (ahead == NULL)
        return -ENOMEM;
    pthread_mutex_init(&ahead->lock, NULL);
    return 0;
}

void ahead_texts_destroy(struct ahead_texts **ahead)
{
    struct ahead_texts *destroyed = *ahead;

    *ahead = NULL;
    if (destroyed == NULL)
        return;
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* The same name in the next directory of its family. */
static bool find_next(const struct tree *tree, const struct rule *rule, uint64_t key,
                      bool downwards, uint64_t *next)
{
    const struct rule_family *family = tree->rules.by_id[rule->parent]->family;
    uint64_t parent_key = inode_parent_key(family->bits, key);
    uint64_t ordinal = inode_ordinal(family->bits, key), found = 0;

    if (downwards && ordinal == 0)
        return false;
    ordinal = downwards ? ordinal - 1 : ordinal + 1;
    if (family->next(tree->dump, parent_key, ordinal, &found) != 0 ||
        (downwards && found != ordinal))
        return false;
    return inode_member(family->bits, parent_key, found, next) &&
           (rule->exists == NULL || rule->exists(tree->dump, *next) == 0);
}

static uint64_t most_bytes(const struct tree *tree)
{
    uint64_t share = tree->dump->options->cache / CACHE_SHARE;

    return share < TEXT_BYTES ? share : (uint64_t)TEXT_BYTES;
}

/* From here to the next remark the lock is held. */

/* How many may be ahead of the reader. */
static unsigned most_ahead(const struct tree *tree, const struct text_series *series)
{
    uint64_t most;

    if (series->in_order < ASKED_IN_ORDER)
        return 0;
    most = most_bytes(tree) / (series->bytes + ITEM_BYTES);
    most = most < TEXTS ? most : TEXTS;
    return most < series->in_order ? (unsigned)most : series->in_order;
}

/* How many texts from the last one that was begun the next is. */
static unsigned next_step(const struct text_series *series)
{
    return series->waiting && series->ahead <= 1 ? 1 + LEFT : 1;
}

/* Takes the next text that is to be made, if it is not too far from the reader. */
static bool take_next(struct text_run *run, uint64_t *key)
{
    struct text_series *series = run->series;
    unsigned step;

    if (series == NULL || run->tree->ahead_texts->ended)
        return false;
    step = next_step(series);
    if (series->ahead + step > most_ahead(run->tree, series))
        return false;
    *key = series->made;
    for (unsigned n = 0; n < step; n++)
        if (!find_next(run->tree, series->rule, *key, series->downwards, key))
            return false;
    series->made = *key;
    series->ahead += step;
    return true;
}

static struct text_run *find_free(struct ahead_texts *ahead)
{
    for (unsigned n = 0; n < AHEAD_RUNS; n++)
        if (!ahead->runs[n].under_way)
            return &ahead->runs[n];
    return NULL;
}

/*
 * A thread is left to who asks for something else meanwhile, or to who makes texts himself; it is
 * taken as well where the texts before were short, since jobs give way after each.
 */
static unsigned most_running(const struct tree *tree, const struct text_series *series)
{
    return pool_threads(tree->pool) - (series->helps || series->bytes > SOON);
}

/*
 * Whether one more job has enough to do, which begins with `next`: few threads are woken for a
 * single text.
 */
static bool needs_run(const struct tree *tree, const struct text_series *series, uint64_t *next)
{
    unsigned most = most_ahead(tree, series);

    return !tree->ahead_texts->ended && tree->ahead_texts->running < most_running(tree, series) &&
           series->ahead + series->runs <= most / 2 && most > 0 &&
           find_next(tree, series->rule, series->made, series->downwards, next);
}

static void run(struct pool_job *job);

static void start_runs(struct tree *tree, struct text_series *series)
{
    struct ahead_texts *ahead = tree->ahead_texts;
    struct text_run *free = NULL;
    uint64_t next;

    while (needs_run(tree, series, &next) && (free = find_free(ahead)) != NULL) {
        *free = (struct text_run){.tree = tree, .series = series, .under_way = true};
        free->job.run = run;
        cancel_init(&free->cancel, &tree->dump->cancel);
        series->runs++;
        ahead->running++;
        pool_submit(tree->pool, &free->job, POOL_AHEAD);
    }
}

static void end_run(struct text_run *run)
{
    run->under_way = false;
    run->tree->ahead_texts->running--;
    if (run->series != NULL)
        run->series->runs--;
}

static void note_bytes(struct text_series *series, uint64_t bytes)
{
    uint64_t before = series->bytes - series->bytes / 8;

    series->bytes = bytes > before ? bytes : before;
}

/* After a failure its reader is to be told of it, and the order to be believed anew. */
static void note_made(struct text_run *run, int status, bool made, uint64_t bytes)
{
    run->tree->ahead_texts->texts += status == 0 && made;
    if (run->series == NULL)
        return;
    if (status == 0)
        note_bytes(run->series, bytes);
    else
        run->series->in_order = 0;
}

/* Without the lock, to the next remark. */

static int get_item(struct text_run *run, const struct tree_target *target, struct cache_key key,
                    bool *made, struct blob **out)
{
    struct tree *tree = run->tree;

    *out = cache_look(tree->cache, key);
    if (*out != NULL)
        return 0;
    *made = true;
    return cache_get(tree->cache, key, content_maker(tree, target, key), tree, &run->cancel, out);
}

static int make_pieces(struct text_run *run, const struct tree_target *target,
                       const struct blob *offsets, bool *made)
{
    struct cache_key key = {.item = target->inode};
    struct piece piece;
    int status = 0;

    for (uint64_t at = 0; status == 0 && pieces_find(run->tree, target->rule, offsets, at, &piece);
         at = piece.begin + piece.length) {
        struct blob *blob = NULL;

        key.part = piece_part(run->tree, target->rule, &piece);
        status = get_item(run, target, key, made, &blob);
        blob_unref(&blob);
    }
    return status;
}

/* What tells the text's size, by which most of it is made, and of one that is read all of it. */
static int make_text(struct text_run *run, const struct tree_target *target, bool read, bool *made,
                     uint64_t *bytes)
{
    struct blob *offsets = NULL;
    int status = get_item(run, target, content_key(run->tree, target), made, &offsets);

    if (status == 0) {
        *bytes = content_size(run->tree, target, offsets);
        if (read && *bytes <= most_bytes(run->tree))
            status = make_pieces(run, target, offsets, made);
    }
    blob_unref(&offsets);
    return status;
}

/* False: there is nothing left to do. */
static bool make_next(struct text_run *run)
{
    struct ahead_texts *ahead = run->tree->ahead_texts;
    struct tree_target target = {0};
    bool read = false, made = false, more;
    uint64_t bytes = 0;
    int status;

    pthread_mutex_lock(&ahead->lock);
    more = take_next(run, &target.key);
    if (more) {
        target.rule = run->series->rule;
        target.inode = inode_pack(target.rule->id, target.key);
        read = run->series->read;
    } else {
        end_run(run);
    }
    pthread_mutex_unlock(&ahead->lock);
    if (!more)
        return false;
    status = make_text(run, &target, read, &made, &bytes);
    pthread_mutex_lock(&ahead->lock);
    note_made(run, status, made, bytes);
    pthread_mutex_unlock(&ahead->lock);
    return true;
}

static void run(struct pool_job *job)
{
    struct text_run *run = (struct text_run *)((char *)job - offsetof(struct text_run, job));
    struct pool *pool = run->tree->pool;

    while (make_next(run)) {
        if (pool_is_wanted(pool)) {
            pool_submit(pool, job, POOL_AHEAD);
            return;
        }
    }
}

/* Whether a text is in the cache, if its contents are `read` their beginning, too. */
static bool is_there(struct tree *tree, const struct rule *rule, uint64_t key, bool read)
{
    const struct tree_target target = {
        .rule = rule, .key = key, .inode = inode_pack(rule->id, key)};
    struct cache_key item = content_key(tree, &target);
    struct blob *offsets = cache_look(tree->cache, item), *blob = NULL;
    bool there = offsets != NULL;
    struct piece piece;

    if (there && read && pieces_find(tree, rule, offsets, 0, &piece)) {
        item.part = piece_part(tree, rule, &piece);
        blob = cache_look(tree->cache, item);
        there = blob != NULL;
    }
    blob_unref(&blob);
    blob_unref(&offsets);
    return there;
}

/* With the lock, to the next remark. */

static void go_on(struct text_series *series, uint64_t key, bool downwards)
{
    if (series->downwards != downwards) /* what was made for the other way is of no use */
        series->ahead = 0;
    series->downwards = downwards;
    series->last = key;
    series->waiting = false;
    series->in_order++;
    if (series->ahead > 0) {
        series->ahead--;
    } else {
        series->made = key;
    }
}

/* Whether the series goes on with that text: upwards or, where it is not known yet, either way. */
static bool continues(const struct tree *tree, struct text_series *series, uint64_t key)
{
    for (int downwards = 0; downwards < 2; downwards++) {
        uint64_t next;

        if (series->in_order > 1 && series->downwards != (bool)downwards)
            continue;
        if (find_next(tree, series->rule, series->last, downwards, &next) && next == key) {
            go_on(series, key, downwards);
            return true;
        }
    }
    return false;
}

static struct text_series *find_series(struct tree *tree, const struct tree_target *target)
{
    for (unsigned n = 0; n < AHEAD_TEXT_SERIES; n++) {
        struct text_series *series = &tree->ahead_texts->series[n];

        if (series->rule == target->rule &&
            (series->last == target->key || continues(tree, series, target->key)))
            return series;
    }
    return NULL;
}

/* In place of the one that was not used for the longest time, whose runs end. */
static struct text_series *begin_series(struct ahead_texts *ahead, const struct tree_target *target)
{
    struct text_series *oldest = &ahead->series[0];

    for (unsigned n = 1; n < AHEAD_TEXT_SERIES; n++)
        if (ahead->series[n].used < oldest->used)
            oldest = &ahead->series[n];
    for (unsigned n = 0; n < AHEAD_RUNS; n++) {
        if (ahead->runs[n].under_way && ahead->runs[n].series == oldest) {
            cancel_raise(&ahead->runs[n].cancel);
            ahead->runs[n].series = NULL;
        }
    }
    *oldest = (struct text_series){
        .rule = target->rule, .last = target->key, .made = target->key, .in_order = 1};
    return oldest;
}

static struct text_series *note_asked(struct tree *tree, const struct tree_target *target,
                                      uint64_t size, bool read)
{
    struct text_series *series = find_series(tree, target);

    if (series == NULL)
        series = begin_series(tree->ahead_texts, target);
    series->used = ++tree->ahead_texts->clock;
    series->read = series->read || read;
    note_bytes(series, size);
    return series;
}

/* Without the lock. */

/* A single thread is left to who waits. */
static bool reads_ahead(const struct tree *tree, const struct rule *rule)
{
    return rule->ahead && rule->family == NULL && tree->pool != NULL &&
           pool_threads(tree->pool) > 1;
}

void ahead_texts_wait(struct tree *tree, const struct tree_target *target)
{
    struct ahead_texts *ahead = tree->ahead_texts;

    if (!reads_ahead(tree, target->rule))
        return;
    pthread_mutex_lock(&ahead->lock);
    for (unsigned n = 0; n < AHEAD_TEXT_SERIES; n++) {
        struct text_series *series = &ahead->series[n];
        uint64_t next;

        if (series->rule == target->rule &&
            find_next(tree, series->rule, series->last, series->downwards, &next) &&
            next == target->key)
            series->waiting = series->helps = true;
    }
    pthread_mutex_unlock(&ahead->lock);
}

void ahead_texts_note(struct tree *tree, const struct tree_target *target, uint64_t size, bool read)
{
    struct ahead_texts *ahead = tree->ahead_texts;
    struct text_series *series;
    uint64_t made, next;
    bool more, there;

    if (!reads_ahead(tree, target->rule))
        return;
    pthread_mutex_lock(&ahead->lock);
    series = note_asked(tree, target, size, read);
    made = series->made;
    read = series->read;
    more = needs_run(tree, series, &next);
    pthread_mutex_unlock(&ahead->lock);
    if (!more)
        return;
    there = is_there(tree, target->rule, next, read); /* then no thread is woken for it */
    pthread_mutex_lock(&ahead->lock);
    if (!there) {
        start_runs(tree, series);
    } else if (series->rule == target->rule && series->made == made) {
        series->made = next;
        series->ahead++;
    }
    pthread_mutex_unlock(&ahead->lock);
}

void ahead_texts_end(struct tree *tree)
{
    struct ahead_texts *ahead = tree->ahead_texts;

    pthread_mutex_lock(&ahead->lock);
    ahead->ended = true;
    for (unsigned n = 0; n < AHEAD_RUNS; n++)
        cancel_raise(&ahead->runs[n].cancel);
    pthread_mutex_unlock(&ahead->lock);
}

uint64_t ahead_texts_made(struct tree *tree)
{
    uint64_t texts;

    pthread_mutex_lock(&tree->ahead_texts->lock);
    texts = tree->ahead_texts->texts;
    pthread_mutex_unlock(&tree->ahead_texts->lock);
    return texts;
}

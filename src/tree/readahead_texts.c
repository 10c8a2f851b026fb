/* SPDX-License-Identifier: MIT */
/*
 * Texts made ahead, by runs: jobs each of which makes several texts in a row. A run takes the next
 * text under the lock, so that no two runs make the same one. Neither the cache's lock nor that of
 * a maker is taken while this lock is held.
 */
#include "tree/readahead_parts.h"

#include "tree/internal.h"
#include "tree/pieces.h"

enum {
    TEXTS_IN_ORDER = 3,   /* texts in order before more are made ahead */
    CACHE_SHARE = 8,      /* texts made ahead may take 1/8 of the cache */
    TEXTS = 32,           /* maximum number of texts made ahead */
    TEXT_BYTES = 8 << 20, /* maximum bytes of all texts made ahead, if 1/CACHE_SHARE is more */
    WARM_BYTES = 2 << 20, /* bytes of all texts made ahead, unless there are few: their memory is
                             soon reused for the next ones */
    FEW = 4,              /* texts that may be made ahead even if they take more than WARM_BYTES */
    /* Bytes of a text that takes a millisecond or two to make; a longer one counts as long. */
    SOON = 256 << 10,
    ITEM_BYTES = 512, /* bytes that the cache takes for a text besides its contents */
    LEFT = 4,         /* texts left to a reader that makes them itself once it has caught up */
};

static uint64_t max_bytes(const struct tree *tree)
{
    uint64_t share = tree->dump->options->cache / CACHE_SHARE;

    return share < TEXT_BYTES ? share : (uint64_t)TEXT_BYTES;
}

/* Returns how many texts may be ahead of the reader. */
static unsigned max_ahead(const struct tree *tree, const struct readahead_series *series)
    REQUIRES(lock_of_readahead)
{
    uint64_t max, warm;

    if (series->in_order < TEXTS_IN_ORDER)
        return 0;
    max = max_bytes(tree) / (series->bytes + ITEM_BYTES);
    warm = WARM_BYTES / (series->bytes + ITEM_BYTES);
    warm = warm > FEW ? warm : FEW;
    max = max < warm ? max : warm;
    max = max < TEXTS ? max : TEXTS;
    return max < series->in_order ? (unsigned)max : series->in_order;
}

/* Returns how far the next text to make is from the last one begun. */
static unsigned next_step(const struct readahead_series *series) REQUIRES(lock_of_readahead)
{
    return series->waiting && series->ahead <= 1 ? 1 + LEFT : 1;
}

/* Takes the next text to make, if it is close enough to the reader. */
static bool take_next(struct readahead_run *run, uint64_t *key) REQUIRES(lock_of_readahead)
{
    struct readahead_series *series = run->series;
    unsigned step;

    if (series == NULL || run->tree->readahead->ended)
        return false;
    step = next_step(series);
    if (series->ahead + step > max_ahead(run->tree, series))
        return false;
    *key = series->made;
    for (unsigned n = 0; n < step; n++)
        if (!readahead_next_text(run->tree, series->rule, *key, series->downwards, key))
            return false;
    series->made = *key;
    series->ahead += step;
    return true;
}

static struct readahead_run *find_idle_run(struct readahead *readahead) REQUIRES(lock_of_readahead)
{
    for (unsigned n = 0; n < READAHEAD_RUNS; n++)
        if (!readahead->runs[n].under_way)
            return &readahead->runs[n];
    return NULL;
}

/*
 * Returns how many jobs may run. One thread is left to readers that make texts themselves and, if
 * recent texts were long, to readers of something else; while texts are short, jobs give way after
 * each.
 */
static unsigned max_running(const struct tree *tree, const struct readahead_series *series)
    REQUIRES(lock_of_readahead)
{
    return pool_threads(tree->pool) - (series->helps || series->bytes > SOON);
}

/*
 * Returns whether there is enough to do for one more job, which would begin with `next`: a thread
 * is rarely woken for a single text.
 */
static bool needs_run(const struct tree *tree, const struct readahead_series *series,
                      uint64_t *next) REQUIRES(lock_of_readahead)
{
    unsigned max = max_ahead(tree, series);

    return !tree->readahead->ended && tree->readahead->running < max_running(tree, series) &&
           series->ahead + series->runs <= max / 2 && max > 0 &&
           readahead_next_text(tree, series->rule, series->made, series->downwards, next);
}

static void run(struct pool_job *job);

static void start_runs(struct tree *tree, struct readahead_series *series)
    REQUIRES(lock_of_readahead)
{
    struct readahead *readahead = tree->readahead;
    struct readahead_run *free = NULL;
    uint64_t next;

    while (needs_run(tree, series, &next) && (free = find_idle_run(readahead)) != NULL) {
        *free = (struct readahead_run){.tree = tree, .series = series, .under_way = true};
        free->job.run = run;
        cancel_init(&free->cancel, &tree->dump->cancel);
        series->runs++;
        readahead->running++;
        pool_submit(tree->pool, &free->job, POOL_AHEAD);
    }
}

static void end_run(struct readahead_run *run) REQUIRES(lock_of_readahead)
{
    run->under_way = false;
    run->tree->readahead->running--;
    if (run->series != NULL)
        run->series->runs--;
}

static void note_bytes(struct readahead_series *series, uint64_t bytes) REQUIRES(lock_of_readahead)
{
    uint64_t before = series->bytes - series->bytes / 8;

    series->bytes = bytes > before ? bytes : before;
}

/*
 * After a failure, which the reader is to get itself, the series must be in order for a while
 * again.
 */
static void note_made(struct readahead_run *run, int status, bool made, uint64_t bytes)
    REQUIRES(lock_of_readahead)
{
    run->tree->readahead->texts += status == 0 && made;
    if (run->series == NULL)
        return;
    if (status == 0)
        note_bytes(run->series, bytes);
    else
        run->series->in_order = 0;
}

static int get_item(struct readahead_run *run, const struct tree_target *target,
                    struct cache_key key, bool *made, struct blob **out)
{
    struct tree *tree = run->tree;

    *out = cache_look(tree->cache, key);
    if (*out != NULL)
        return 0;
    *made = true;
    return cache_get(tree->cache, key, content_maker(tree, target, key), tree, &run->cancel, out);
}

static int make_pieces(struct readahead_run *run, const struct tree_target *target,
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

/*
 * Makes the item with the text's size, by which most of the text is made; if contents are read, all
 * of the text. Pieces that come with the size are not looked up again: a reader may have taken and
 * dropped them meanwhile.
 */
static int make_text(struct readahead_run *run, const struct tree_target *target, bool read,
                     bool *made, uint64_t *bytes)
{
    struct blob *offsets = NULL;
    int status;

    if (!read && pieces_known_length(run->tree, target->rule, target->key, bytes) == 0)
        return 0;
    status = get_item(run, target, content_key(run->tree, target), made, &offsets);
    if (status == 0) {
        *bytes = content_size(run->tree, target, offsets);
        if (read && pieces_has(run->tree, target->rule) && *bytes <= max_bytes(run->tree) &&
            !(*made && pieces_come_with_offsets(run->tree, target->rule)))
            status = make_pieces(run, target, offsets, made);
    }
    blob_unref(&offsets);
    return status;
}

/* Makes the next text; returns false if there is nothing left to do. */
static bool make_next(struct readahead_run *run)
{
    struct readahead *readahead = run->tree->readahead;
    struct tree_target target = {0};
    bool read = false, made = false, more;
    uint64_t bytes = 0;
    int status;

    readahead_lock(readahead);
    more = take_next(run, &target.key);
    if (more) {
        target.rule = run->series->rule;
        target.inode = inode_pack(target.rule->id, target.key);
        read = run->series->read;
    } else {
        end_run(run);
    }
    readahead_unlock(readahead);
    if (!more)
        return false;
    status = make_text(run, &target, read, &made, &bytes);
    readahead_lock(readahead);
    note_made(run, status, made, bytes);
    readahead_unlock(readahead);
    return true;
}

static void run(struct pool_job *job)
{
    struct readahead_run *run =
        (struct readahead_run *)((char *)job - offsetof(struct readahead_run, job));
    struct pool *pool = run->tree->pool;

    while (make_next(run)) {
        if (pool_is_wanted(pool)) {
            pool_submit(pool, job, POOL_AHEAD);
            return;
        }
    }
}

/*
 * Returns whether a text is in the cache: the beginning of its contents if these are `read`;
 * otherwise it is enough that its size is known.
 */
static bool is_there(struct tree *tree, const struct rule *rule, uint64_t key, bool read)
{
    const struct tree_target target = {
        .rule = rule, .key = key, .inode = inode_pack(rule->id, key)};
    struct cache_key item = content_key(tree, &target);
    struct blob *offsets = NULL, *blob = NULL;
    struct piece piece;
    uint64_t known;
    bool there;

    if (!read && pieces_known_length(tree, rule, key, &known) == 0)
        return true;
    offsets = cache_look(tree->cache, item);
    there = offsets != NULL;
    if (there && read && pieces_has(tree, rule) && pieces_find(tree, rule, offsets, 0, &piece)) {
        item.part = piece_part(tree, rule, &piece);
        blob = cache_look(tree->cache, item);
        there = blob != NULL;
    }
    blob_unref(&blob);
    blob_unref(&offsets);
    return there;
}

void readahead_note_wait(struct tree *tree, const struct tree_target *target)
{
    struct readahead *readahead = tree->readahead;

    readahead_lock(readahead);
    for (unsigned n = 0; n < READAHEAD_SERIES; n++) {
        struct readahead_series *series = &readahead->series[n];
        uint64_t next;

        if (series->rule == target->rule &&
            readahead_next(tree, series->rule, series->last, series->downwards, &next) &&
            next == target->key)
            series->waiting = series->helps = true;
    }
    readahead_unlock(readahead);
}

void readahead_cancel_runs(struct readahead *readahead, const struct readahead_series *series)
{
    for (unsigned n = 0; n < READAHEAD_RUNS; n++) {
        if (readahead->runs[n].under_way && readahead->runs[n].series == series) {
            cancel_raise(&readahead->runs[n].cancel);
            readahead->runs[n].series = NULL;
        }
    }
}

void readahead_take_text(struct tree *tree, const struct tree_target *target, uint64_t size,
                         bool read)
{
    struct readahead *readahead = tree->readahead;
    struct readahead_series *series;
    uint64_t made, next;
    bool more, there;

    readahead_lock(readahead);
    if (!readahead_take_series(tree, target, &series)) {
        readahead_unlock(readahead);
        readahead_give_up(series);
        return;
    }
    series->read = series->read || read;
    note_bytes(series, size);
    made = series->made;
    read = series->read;
    more = needs_run(tree, series, &next);
    readahead_unlock(readahead);
    if (!more)
        return;
    there = is_there(tree, target->rule, next, read); /* then no thread is woken for it */
    readahead_lock(readahead);
    if (!there) {
        start_runs(tree, series);
    } else if (series->rule == target->rule && series->made == made) {
        series->made = next;
        series->ahead++;
    }
    readahead_unlock(readahead);
}

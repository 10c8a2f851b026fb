/* SPDX-License-Identifier: MIT */
/*
 * A series of pictures has one request to the cache whose first stage is not over, and some
 * whose is; when that stage ends or a request is answered, the next picture is requested. The
 * cache's lock and this one are never held together: between the decision and
 * cache_submit_request() a series may be given up, which then comes to nothing.
 *
 * A text is made by whichever run takes it first, under the lock, so that no two runs make the
 * same. Neither the cache's lock nor a maker's is taken while it is held.
 */
#include "tree/readahead.h"

#include "base/thread.h"
#include "tree/internal.h"
#include "tree/pieces.h"

#include <errno.h>
#include <stdlib.h>

enum {
    PICTURES_IN_ORDER = 2, /* before they are believed */
    TEXTS_IN_ORDER = 3,
    CACHE_SHARE = 8, /* what is ahead may take this part of the cache, … */
    TEXTS = 32,      /* … and of texts so many, in so many bytes */
    TEXT_BYTES = 8 << 20,
    WARM_BYTES = 2 << 20, /* of several: their memory is soon that of the next ones */
    FEW = 4,
    SOON = 256 << 10, /* bytes of a text that takes a millisecond or two */
    ITEM_BYTES = 512,
    FOLDERS = 8, /* that are looked into for the next text of a family */
    LEFT = 4,    /* texts, to a reader that makes them itself when it has caught up */
};

static void take_lock(struct readahead *readahead) ACQUIRE(lock_of_readahead)
{
    pthread_mutex_lock(&readahead->lock);
}

static void give_lock(struct readahead *readahead) RELEASE(lock_of_readahead)
{
    pthread_mutex_unlock(&readahead->lock);
}

int readahead_create(struct readahead **out)
{
    struct readahead *readahead = calloc(1, sizeof(*readahead));

    *out = readahead;
    if (readahead == NULL)
        return -ENOMEM;
    pthread_mutex_init(&readahead->lock, NULL);
    thread_condition_init(&readahead->answered);
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

static bool are_pictures(const struct rule *rule)
{
    return rule->family != NULL && rule->work == CACHE_RENDER;
}

/* A single thread is left to readers that wait. */
static bool reads_ahead(const struct tree *tree, const struct rule *rule)
{
    return rule->ahead && tree->pool != NULL && pool_threads(tree->pool) > 1;
}

/* The picture after `key` in its folder. */
static bool find_next_picture(const struct tree *tree, const struct rule *rule, uint64_t key,
                              uint64_t *next)
{
    return rule->family->next(tree->dump, 0, key + 1, next) == 0;
}

/* Of the next packet, whatever folder it is in. */
static bool find_next_packet(const struct tree *tree, uint64_t key, bool downwards, uint64_t *next)
{
    *next = downwards ? key - 1 : key + 1;
    return *next < tree->dump->ops->packets(tree->dump);
}

/* The member of a family beside the one of that key, in the same directory. */
static bool find_beside(const struct tree *tree, const struct rule_family *family, uint64_t key,
                        bool downwards, uint64_t *next)
{
    uint64_t parent_key = inode_parent_key(family->bits, key);
    uint64_t ordinal = inode_ordinal(family->bits, key), found = 0;

    if (downwards && ordinal == 0)
        return false;
    ordinal = downwards ? ordinal - 1 : ordinal + 1;
    if (family->next(tree->dump, parent_key, ordinal, &found) != 0 ||
        (downwards && found != ordinal))
        return false;
    return inode_member(family->bits, parent_key, found, next);
}

/* The directory of a family that is the nearest above a rule; NULL: there is none. */
static const struct rule *find_numbered(const struct tree *tree, const struct rule *rule)
{
    do {
        if (rule->id == RULE_ROOT)
            return NULL;
        rule = tree->rules.by_id[rule->parent];
    } while (rule->family == NULL);
    return rule;
}

/* The first text of the next directory that has any, not far away. */
static bool find_next_first(const struct tree *tree, const struct rule *rule, uint64_t key,
                            uint64_t *next)
{
    const struct rule *directory = find_numbered(tree, rule);
    uint64_t ordinal;

    if (directory == NULL)
        return false;
    key = inode_parent_key(rule->family->bits, key);
    for (unsigned n = 0; n < FOLDERS; n++) {
        if (!find_beside(tree, directory->family, key, false, &key))
            return false;
        if (rule->family->next(tree->dump, key, 0, &ordinal) == 0)
            return inode_member(rule->family->bits, key, ordinal, next);
    }
    return false;
}

/* A text of a family: the next one in its directory, and behind the last of the next one. */
static bool find_next_member(const struct tree *tree, const struct rule *rule, uint64_t key,
                             bool downwards, uint64_t *next)
{
    return find_beside(tree, rule->family, key, downwards, next) ||
           (!downwards && find_next_first(tree, rule, key, next));
}

/* The same name in the next directory of its family. */
static bool find_next_text(const struct tree *tree, const struct rule *rule, uint64_t key,
                           bool downwards, uint64_t *next)
{
    if (rule->id == RULE_PACKET_TXT)
        return find_next_packet(tree, key, downwards, next);
    if (rule->family != NULL)
        return find_next_member(tree, rule, key, downwards, next);
    return find_beside(tree, tree->rules.by_id[rule->parent]->family, key, downwards, next) &&
           (rule->exists == NULL || rule->exists(tree->dump, *next) == 0);
}

static bool find_next(const struct tree *tree, const struct rule *rule, uint64_t key,
                      bool downwards, uint64_t *next)
{
    if (!are_pictures(rule))
        return find_next_text(tree, rule, key, downwards, next);
    return !downwards && find_next_picture(tree, rule, key, next);
}

/* Series. */

static void go_on(struct readahead_series *series, uint64_t key, bool downwards)
    REQUIRES(lock_of_readahead)
{
    if (series->downwards != downwards) /* what was made for the other way is of no use */
        series->ahead = 0;
    series->downwards = downwards;
    series->last = key;
    series->waiting = false;
    series->in_order++;
    if (series->ahead > 0)
        series->ahead--;
    else if (!are_pictures(series->rule))
        series->made = key;
}

/* Whether the series goes on with that key: upwards or, where it is not known yet, either way. */
static bool continues(const struct tree *tree, struct readahead_series *series, uint64_t key)
    REQUIRES(lock_of_readahead)
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

/* The one that was not used for the longest time. */
static struct readahead_series *find_oldest(struct readahead *readahead) REQUIRES(lock_of_readahead)
{
    struct readahead_series *oldest = &readahead->series[0];

    for (unsigned n = 1; n < READAHEAD_SERIES; n++)
        if (readahead->series[n].used < oldest->used)
            oldest = &readahead->series[n];
    return oldest;
}

static bool is_requested(const struct readahead_series *series) REQUIRES(lock_of_readahead)
{
    bool requested = false;

    for (unsigned n = 0; n < READAHEAD_PICTURES; n++)
        requested |= series->requests[n].requested;
    return requested;
}

static void cancel_runs(struct readahead *readahead, const struct readahead_series *series)
    REQUIRES(lock_of_readahead)
{
    for (unsigned n = 0; n < READAHEAD_RUNS; n++) {
        if (readahead->runs[n].under_way && readahead->runs[n].series == series) {
            cancel_raise(&readahead->runs[n].cancel);
            readahead->runs[n].series = NULL;
        }
    }
}

/*
 * The series that the target belongs to, a new one in place of the oldest if need be. False: that
 * one has pictures to take back first, which is the caller's, without the lock.
 */
static bool take_series(struct tree *tree, const struct tree_target *target,
                        struct readahead_series **out) REQUIRES(lock_of_readahead)
{
    struct readahead *readahead = tree->readahead;
    struct readahead_series *series = find_series(tree, target);
    bool begins = series == NULL;

    *out = series = begins ? find_oldest(readahead) : series;
    series->used = ++readahead->clock;
    if (!begins)
        return true;
    if (is_requested(series)) {
        series->in_order = 0;
        return false;
    }
    cancel_runs(readahead, series);
    *series = (struct readahead_series){.tree = tree,
                                        .rule = target->rule,
                                        .last = target->key,
                                        .made = target->key,
                                        .used = series->used,
                                        .in_order = 1};
    /* the cache may be about to tell one that was taken back of its first stage */
    for (unsigned n = 0; n < READAHEAD_PICTURES; n++)
        series->requests[n].series = series;
    return true;
}

/* Pictures: one request after the other. */

static bool fits(const struct tree *tree, const struct rule *rule, uint64_t key)
{
    uint64_t size = 0;

    return rule->size != NULL && rule->size(tree->dump, key, &size) == 0 &&
           size <= tree->dump->options->cache / CACHE_SHARE / READAHEAD_PICTURES;
}

/* One that is not the cache's; NULL: it is not time for more. */
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

/* The next one that is to be made, if it is not far from the reader. */
static bool choose_key(struct readahead_series *series, uint64_t *key) REQUIRES(lock_of_readahead)
{
    struct tree *tree = series->tree;
    uint64_t next = series->last;

    if (series->made < series->last)
        series->made = series->last;
    for (unsigned n = 0; n < READAHEAD_PICTURES; n++) {
        if (!find_next_picture(tree, series->rule, next, &next))
            return false;
        if (next <= series->made)
            continue;
        *key = next;
        return fits(tree, series->rule, next);
    }
    return false;
}

/* The request to submit, which is then the caller's; NULL: none. */
static struct readahead_request *choose(struct readahead_series *series, uint64_t *key)
    REQUIRES(lock_of_readahead)
{
    struct readahead_request *request = find_free(series);

    if (series->tree->readahead->ended || request == NULL || series->in_order < PICTURES_IN_ORDER ||
        !choose_key(series, key))
        return NULL;
    request->series = series;
    request->requested = request->begun = true;
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
    take_lock(readahead);
    request->requested = request->begun = false;
    readahead->pictures += status == 0;
    if (status != 0)
        series->in_order = 0;
    more = choose(series, &next);
    pthread_cond_broadcast(&readahead->answered);
    give_lock(readahead);
    if (more != NULL)
        submit(more, next);
}

static void first_stage_done(struct cache_request *cache)
{
    struct readahead_request *request = request_of(cache), *more;
    struct readahead_series *series = request->series;
    struct readahead *readahead = series->tree->readahead;
    uint64_t next;

    take_lock(readahead);
    request->begun = false;
    more = choose(series, &next);
    give_lock(readahead);
    if (more != NULL)
        submit(more, next);
}

/* The request counts as requested, so no other thread takes it. */
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

static void give_up(struct readahead_series *series)
{
    for (unsigned n = 0; n < READAHEAD_PICTURES; n++)
        cache_cancel_request(series->tree->cache, &series->requests[n].cache);
}

static void note_picture(struct tree *tree, const struct tree_target *target)
{
    struct readahead *readahead = tree->readahead;
    struct readahead_series *series;
    struct readahead_request *more = NULL;
    uint64_t next;
    bool taken;

    take_lock(readahead);
    taken = take_series(tree, target, &series);
    if (taken)
        more = choose(series, &next);
    give_lock(readahead);
    if (!taken)
        give_up(series);
    if (more != NULL)
        submit(more, next);
}

/* Texts: several in a row by each run. */

static uint64_t max_bytes(const struct tree *tree)
{
    uint64_t share = tree->dump->options->cache / CACHE_SHARE;

    return share < TEXT_BYTES ? share : (uint64_t)TEXT_BYTES;
}

/* How many may be ahead of the reader. */
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

/* How many texts from the last one that was begun the next is. */
static unsigned next_step(const struct readahead_series *series) REQUIRES(lock_of_readahead)
{
    return series->waiting && series->ahead <= 1 ? 1 + LEFT : 1;
}

/* Takes the next text that is to be made, if it is not too far from the reader. */
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
        if (!find_next_text(run->tree, series->rule, *key, series->downwards, key))
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
 * A thread is left to readers of something else, or to one that makes texts itself; it is
 * taken as well where the texts before were short, since jobs give way after each.
 */
static unsigned max_running(const struct tree *tree, const struct readahead_series *series)
    REQUIRES(lock_of_readahead)
{
    return pool_threads(tree->pool) - (series->helps || series->bytes > SOON);
}

/*
 * Whether one more job has enough to do, which begins with `next`: few threads are woken for a
 * single text.
 */
static bool needs_run(const struct tree *tree, const struct readahead_series *series,
                      uint64_t *next) REQUIRES(lock_of_readahead)
{
    unsigned max = max_ahead(tree, series);

    return !tree->readahead->ended && tree->readahead->running < max_running(tree, series) &&
           series->ahead + series->runs <= max / 2 && max > 0 &&
           find_next_text(tree, series->rule, series->made, series->downwards, next);
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

/* After a failure its reader is to be told of it, and the order to be believed anew. */
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
 * What tells the text's size, by which most of it is made, and of one that is read all of it. What
 * comes with the size is not looked for again: a reader may have taken and dropped it meanwhile.
 */
static int make_text(struct readahead_run *run, const struct tree_target *target, bool read,
                     bool *made, uint64_t *bytes)
{
    struct blob *offsets = NULL;
    int status = get_item(run, target, content_key(run->tree, target), made, &offsets);

    if (status == 0) {
        *bytes = content_size(run->tree, target, offsets);
        if (read && pieces_has(run->tree, target->rule) && *bytes <= max_bytes(run->tree) &&
            !(*made && pieces_come_with_offsets(run->tree, target->rule)))
            status = make_pieces(run, target, offsets, made);
    }
    blob_unref(&offsets);
    return status;
}

/* False: there is nothing left to do. */
static bool make_next(struct readahead_run *run)
{
    struct readahead *readahead = run->tree->readahead;
    struct tree_target target = {0};
    bool read = false, made = false, more;
    uint64_t bytes = 0;
    int status;

    take_lock(readahead);
    more = take_next(run, &target.key);
    if (more) {
        target.rule = run->series->rule;
        target.inode = inode_pack(target.rule->id, target.key);
        read = run->series->read;
    } else {
        end_run(run);
    }
    give_lock(readahead);
    if (!more)
        return false;
    status = make_text(run, &target, read, &made, &bytes);
    take_lock(readahead);
    note_made(run, status, made, bytes);
    give_lock(readahead);
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

/* Whether a text is in the cache, if its contents are `read` their beginning, too. */
static bool is_there(struct tree *tree, const struct rule *rule, uint64_t key, bool read)
{
    const struct tree_target target = {
        .rule = rule, .key = key, .inode = inode_pack(rule->id, key)};
    struct cache_key item = content_key(tree, &target);
    struct blob *offsets = cache_look(tree->cache, item), *blob = NULL;
    bool there = offsets != NULL;
    struct piece piece;

    if (there && read && pieces_has(tree, rule) && pieces_find(tree, rule, offsets, 0, &piece)) {
        item.part = piece_part(tree, rule, &piece);
        blob = cache_look(tree->cache, item);
        there = blob != NULL;
    }
    blob_unref(&blob);
    blob_unref(&offsets);
    return there;
}

/* Where a thread makes a text itself, or waits for it. */
static void note_wait(struct tree *tree, const struct tree_target *target)
{
    struct readahead *readahead = tree->readahead;

    take_lock(readahead);
    for (unsigned n = 0; n < READAHEAD_SERIES; n++) {
        struct readahead_series *series = &readahead->series[n];
        uint64_t next;

        if (series->rule == target->rule &&
            find_next(tree, series->rule, series->last, series->downwards, &next) &&
            next == target->key)
            series->waiting = series->helps = true;
    }
    give_lock(readahead);
}

/* Takes back the pictures of all series but those of a rule. */
static void leave_others(struct tree *tree, const struct rule *rule)
{
    struct readahead *readahead = tree->readahead;

    for (unsigned n = 0; n < READAHEAD_SERIES; n++) {
        struct readahead_series *series = &readahead->series[n];
        bool leaves;

        take_lock(readahead);
        leaves = series->rule != rule && is_requested(series);
        if (leaves)
            series->in_order = 0;
        give_lock(readahead);
        if (leaves)
            give_up(series);
    }
}

void readahead_begin(struct tree *tree, const struct tree_target *target, bool waits)
{
    if (target->rule->slow && target->rule->work == CACHE_RENDER)
        leave_others(tree, target->rule);
    if (!reads_ahead(tree, target->rule))
        return;
    if (are_pictures(target->rule))
        note_picture(tree, target);
    else if (waits)
        note_wait(tree, target);
}

/* A size that is known without the text makes none necessary. */
static bool needs_texts(struct tree *tree, const struct tree_target *target, bool read)
{
    uint64_t known;

    return reads_ahead(tree, target->rule) && !are_pictures(target->rule) &&
           (read || pieces_known_length(tree, target->rule, target->key, &known) != 0);
}

void readahead_note_text(struct tree *tree, const struct tree_target *target, uint64_t size,
                         bool read)
{
    struct readahead *readahead = tree->readahead;
    struct readahead_series *series;
    uint64_t made, next;
    bool more, there;

    if (!needs_texts(tree, target, read))
        return;
    take_lock(readahead);
    if (!take_series(tree, target, &series)) {
        give_lock(readahead);
        give_up(series);
        return;
    }
    series->read = series->read || read;
    note_bytes(series, size);
    made = series->made;
    read = series->read;
    more = needs_run(tree, series, &next);
    give_lock(readahead);
    if (!more)
        return;
    there = is_there(tree, target->rule, next, read); /* then no thread is woken for it */
    take_lock(readahead);
    if (!there) {
        start_runs(tree, series);
    } else if (series->rule == target->rule && series->made == made) {
        series->made = next;
        series->ahead++;
    }
    give_lock(readahead);
}

/* A request that the cache did not have yet is taken back at the next call. */
static void take_back(struct readahead *readahead, struct readahead_series *series)
    REQUIRES(lock_of_readahead)
{
    give_lock(readahead);
    give_up(series);
    take_lock(readahead);
    if (is_requested(series))
        thread_wait_a_little(&readahead->answered, &readahead->lock);
}

void readahead_end(struct tree *tree)
{
    struct readahead *readahead = tree->readahead;

    take_lock(readahead);
    readahead->ended = true;
    for (unsigned n = 0; n < READAHEAD_RUNS; n++)
        cancel_raise(&readahead->runs[n].cancel);
    for (unsigned n = 0; n < READAHEAD_SERIES; n++)
        while (is_requested(&readahead->series[n]))
            take_back(readahead, &readahead->series[n]);
    give_lock(readahead);
}

static uint64_t read_count(struct tree *tree, const uint64_t *count)
{
    uint64_t value;

    take_lock(tree->readahead);
    value = *count;
    give_lock(tree->readahead);
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

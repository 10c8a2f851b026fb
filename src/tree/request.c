/* SPDX-License-Identifier: MIT */
/*
 * Requests that are answered at once or by the pool, and reads that are answered later.
 *
 * A request proceeds in rounds. In each, its `answer` function returns the answer, or a dependency:
 * an item that must be made first (struct tree_dependency). The item is requested from the cache,
 * and then the next round begins.
 *
 * Reads work in another way. What all reads of a file share (its contents, or the offsets of its
 * pieces) is requested once by the file, on behalf of all requests that wait for it. So it is made
 * once for a handle, even if the cache cannot keep it. Each request then requests its piece itself.
 * When the last waiting request is cancelled, the file cancels its own request.
 */
#include "tree/internal.h"

#include "base/thread.h"
#include "tree/outcome.h"
#include "tree/readahead.h"

#include <errno.h>

/*
 * A request takes one round for each directory above a file and for the file itself, each prepared
 * once; no path is as deep as this.
 */
enum { ROUNDS_MAX = 16 };

int tree_error(int status)
{
    if (status >= 0 || status == -ENOMEM || status == -EINTR || status == -ENOENT ||
        status == -EFBIG)
        return status;
    return -EIO;
}

static int make_prepared(void *context, struct cache_key key, const struct cancel *cancel,
                         struct blob **out)
{
    struct tree *tree = context;
    const struct rule *rule = tree->rules.by_id[inode_rule(key.item)];
    struct dump *dump = tree->dump;
    int status = -EIO;

    if (rule != NULL && rule->prepare != NULL)
        status = rule->prepare(dump, inode_key(key.item), cancel);
    else if (dump->ops->readiness.prepare != NULL)
        status =
            dump->ops->readiness.prepare(dump, inode_rule(key.item), inode_key(key.item), cancel);
    return status < 0 ? status : blob_borrow(NULL, 0, out);
}

static const struct cache_maker prepared_maker = {
    .work = CACHE_INDEX, .fleeting = true, .slow = true, .make = make_prepared};

int dependency_prepared(unsigned rule, uint64_t key, struct tree_dependency *dependency)
{
    dependency->key = (struct cache_key){.item = inode_pack(rule, key), .part = PART_PREPARED};
    dependency->maker = &prepared_maker;
    return -EAGAIN;
}

int dependency_status(int status, unsigned rule, uint64_t key, struct tree_dependency *dependency)
{
    return status == -EAGAIN ? dependency_prepared(rule, key, dependency) : tree_error(status);
}

bool dependency_has_contents(const struct tree_dependency *dependency, uint64_t inode)
{
    return dependency->made != NULL && dependency->maker != &prepared_maker &&
           dependency->key.item == inode;
}

/* Returns the rule of the inode that the request is about at the moment. */
static const struct rule *rule_of(const struct tree_request *request)
{
    return request->tree->rules.by_id[inode_rule(request->inode)];
}

/* Runs one round: returns the answer, or -EAGAIN and a dependency. */
static int answer(struct tree_request *request, struct tree_dependency *dependency)
{
    int status = -EINTR;

    if (!atomic_load(&request->cancelled))
        status = request->answer(request, dependency);
    blob_unref(&dependency->made);
    if (status == -EAGAIN && ++request->rounds > ROUNDS_MAX)
        status = -EIO;
    if (rule_of(request) != NULL && !(request->inner && status == 0))
        status = outcome_leave(request->tree->dump, rule_of(request), status);
    if (status != 0 && request->opened != NULL)
        tree_close(&request->opened); /* the dump was changed meanwhile */
    return status;
}

int tree_request_wait(struct tree_request *request, const struct cancel *cancel)
{
    struct tree *tree = request->tree;
    struct tree_dependency dependency = {0};
    int status = 0;

    while ((status = answer(request, &dependency)) == -EAGAIN) {
        status = cache_get(tree->cache, dependency.key, dependency.maker, tree, cancel,
                           &dependency.made);
        if (status < 0)
            return tree_error(outcome_of(tree->dump, status));
    }
    return status;
}

static void go_on(struct tree_request *request, struct tree_dependency *dependency);

static void dependency_made(struct cache_request *cache, int status, struct blob *blob)
{
    struct tree_request *request =
        (struct tree_request *)((char *)cache - offsetof(struct tree_request, cache));
    struct tree_dependency dependency = {.key = cache->key, .maker = cache->maker, .made = blob};

    if (status < 0)
        tree_request_end(request, tree_error(outcome_of(request->tree->dump, status)));
    else
        go_on(request, &dependency);
}

static void go_on(struct tree_request *request, struct tree_dependency *dependency)
{
    struct tree *tree = request->tree;
    int status = answer(request, dependency);

    if (status != -EAGAIN) {
        tree_request_end(request, status);
        return;
    }
    request->cache.done = dependency_made;
    cache_submit_request(tree->cache, dependency->key, dependency->maker, tree, &request->cache);
}

void tree_request_submit(struct tree_request *request)
{
    struct tree_dependency dependency = {0};

    tree_request_begin(request);
    go_on(request, &dependency);
}

void tree_request_begin(struct tree_request *request)
{
    struct tree *tree = request->tree;

    tree_lock(tree);
    tree->requests++;
    tree_unlock(tree);
}

/* The request may be freed when `done` returns. */
void tree_request_end(struct tree_request *request, int status)
{
    struct tree *tree = request->tree;

    request->done(request, status);
    tree_lock(tree);
    if (--tree->requests == 0)
        pthread_cond_broadcast(&tree->answered);
    tree_unlock(tree);
}

static void read_end(struct tree_request *request, int status)
{
    if (status < 0)
        status = outcome_of(request->tree->dump, status);
    tree_request_end(request, tree_error(status));
}

static void read_step(struct tree_request *request);

static bool leave_file(struct tree_file *file, struct tree_request *request) REQUIRES(lock_of_file)
{
    for (struct tree_request **link = &file->waiting; *link != NULL; link = &(*link)->next) {
        if (*link == request) {
            *link = request->next;
            return true;
        }
    }
    return false;
}

/*
 * Once no request waits and the lock is released, another thread may close the file, so it is not
 * used any more.
 */
static void whole_done(struct cache_request *cache, int status, struct blob *blob)
{
    struct tree_file *file =
        (struct tree_file *)((char *)cache - offsetof(struct tree_file, request));
    const struct cancel *gone = &file->tree->dump->cancel;
    struct tree_request *waiting = NULL, *next = NULL;
    struct tree_window unused;
    bool again = false;

    if (status == 0)
        status = file_keep(file, cache->key, blob, 0, 0, &unused);
    blob_unref(&blob);
    file_lock(file);
    /*
     * Requests that arrived while the last request before them was being cancelled were not
     * cancelled themselves: they are submitted again.
     */
    again = status >= 0 || (status == -EINTR && file->cancelling > 0 && !cancel_requested(gone));
    waiting = file->waiting;
    file->waiting = NULL;
    file->requested = false;
    pthread_cond_broadcast(&file->settled);
    file_unlock(file);
    for (; waiting != NULL; waiting = next) {
        next = waiting->next;
        if (again)
            read_step(waiting);
        else
            read_end(waiting, status);
    }
}

static void request_whole(struct tree_file *file, struct cache_key key,
                          struct tree_request *request)
{
    struct tree_target target = file->target; /* once requested, the file may be closed */
    struct tree *tree = file->tree;
    bool requested = false;

    file_lock(file);
    request->next = file->waiting;
    file->waiting = request;
    requested = file->requested;
    file->requested = true;
    file_unlock(file);
    if (requested)
        return;
    file->request.done = whole_done;
    cache_submit_request(tree->cache, key, content_maker(tree, &target, key), tree, &file->request);
    readahead_begin(tree, &target, false);
}

static void piece_done(struct cache_request *cache, int status, struct blob *blob)
{
    struct tree_request *request =
        (struct tree_request *)((char *)cache - offsetof(struct tree_request, cache));

    if (status == 0)
        status = file_keep(request->file, cache->key, blob, request->offset, request->size,
                           &request->window);
    blob_unref(&blob);
    read_end(request, status);
}

/* Answers from what the file holds, or requests the item that is needed first. */
static void read_step(struct tree_request *request)
{
    struct tree_file *file = request->file;
    struct tree *tree = request->tree;
    struct cache_key needed = {0};
    int status = -EINTR;

    if (!atomic_load(&request->cancelled))
        status = file_window(file, request->offset, request->size, &needed, &request->window);
    if (status <= 0) {
        read_end(request, status);
    } else if (file_is_whole(file, needed)) {
        request_whole(file, needed, request);
    } else {
        request->cache.done = piece_done;
        cache_submit_request(tree->cache, needed, content_maker(tree, &file->target, needed), tree,
                             &request->cache);
    }
}

void tree_submit_read(struct tree_file *file, uint64_t offset, size_t size,
                      struct tree_request *request)
{
    request->tree = file->tree;
    request->file = file;
    request->offset = offset;
    request->size = size;
    tree_request_begin(request);
    read_step(request);
}

/* Returns true if the request was waiting with others, and was removed from them. */
static bool cancel_whole(struct tree_file *file, struct tree_request *request)
{
    bool left = false, last = false;

    file_lock(file);
    left = leave_file(file, request);
    last = left && file->waiting == NULL && file->requested;
    file->cancelling += last;
    file_unlock(file);
    if (last) {
        cache_cancel_request(file->tree->cache, &file->request);
        file_lock(file);
        file->cancelling--;
        file_unlock(file);
    }
    return left;
}

void tree_cancel_request(struct tree_request *request)
{
    atomic_store(&request->cancelled, true);
    if (request->file != NULL && cancel_whole(request->file, request))
        read_end(request, -EINTR);
    else
        cache_cancel_request(request->tree->cache, &request->cache);
}

/* Cancels again and again: the first time, the request may not have reached the cache yet. */
void file_settle(struct tree_file *file)
{
    file_lock(file);
    while (file->requested) {
        file_unlock(file);
        cache_cancel_request(file->tree->cache, &file->request);
        file_lock(file);
        if (file->requested)
            thread_wait_a_little(&file->settled, &file->lock);
    }
    file_unlock(file);
}

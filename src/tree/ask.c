/*
 * Reads that are answered later. What the whole file shares (its contents, or where
 * its pieces lie) is asked for once by the file, for all requests that wait; so it is
 * made once for one handle even if the cache cannot hold it. A piece is then asked for
 * by each request itself. When the last request that waits is forsaken, the file takes
 * its own back.
 */
#include "tree/content.h"

#include "base/thread.h"
#include "tree/ahead.h"
#include "tree/outcome.h"

#include <errno.h>

void tree_request_begin(struct tree_request *request)
{
    struct tree *tree = request->tree;

    pthread_mutex_lock(&tree->lock);
    tree->requests++;
    pthread_mutex_unlock(&tree->lock);
}

/* The request may be gone when `done` returns. */
void tree_request_end(struct tree_request *request, int status)
{
    struct tree *tree = request->tree;

    request->done(request, status);
    pthread_mutex_lock(&tree->lock);
    if (--tree->requests == 0)
        pthread_cond_broadcast(&tree->answered);
    pthread_mutex_unlock(&tree->lock);
}

static void read_end(struct tree_request *request, int status)
{
    if (status < 0)
        status = outcome_of(request->tree->dump, status);
    tree_request_end(request, tree_error(status));
}

static void ask_step(struct tree_request *request);

/* The file's lock is held. */
static bool leave_file(struct tree_file *file, struct tree_request *request)
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
 * Once nobody waits and the lock is open, the file may be closed by another
 * thread: it is touched no more.
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
    pthread_mutex_lock(&file->lock);
    /* Those who came while the last one before them left have not left themselves. */
    again = status >= 0 || (status == -EINTR && file->forsaking > 0 && !cancel_requested(gone));
    waiting = file->waiting;
    file->waiting = NULL;
    file->asked = false;
    pthread_cond_broadcast(&file->settled);
    pthread_mutex_unlock(&file->lock);
    for (; waiting != NULL; waiting = next) {
        next = waiting->next;
        if (again)
            ask_step(waiting);
        else
            read_end(waiting, status);
    }
}

static void ask_whole(struct tree_file *file, struct cache_key key, struct tree_request *request)
{
    struct tree_target target = file->target; /* once it is asked the file may be closed */
    struct tree *tree = file->tree;
    bool asked = false;

    pthread_mutex_lock(&file->lock);
    request->next = file->waiting;
    file->waiting = request;
    asked = file->asked;
    file->asked = true;
    pthread_mutex_unlock(&file->lock);
    if (asked)
        return;
    file->request.done = whole_done;
    cache_ask(tree->cache, key, content_maker(tree, &target, key), tree, &file->request);
    ahead_note(tree, &target);
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

/* Answers from what the file holds, or asks for what it needs first. */
static void ask_step(struct tree_request *request)
{
    struct tree_file *file = request->file;
    struct tree *tree = request->tree;
    struct cache_key need = {0};
    int status = -EINTR;

    if (!atomic_load(&request->forsaken))
        status = file_window(file, request->offset, request->size, &need, &request->window);
    if (status <= 0) {
        read_end(request, status);
    } else if (file_is_whole(file, need)) {
        ask_whole(file, need, request);
    } else {
        request->cache.done = piece_done;
        cache_ask(tree->cache, need, content_maker(tree, &file->target, need), tree,
                  &request->cache);
    }
}

void tree_ask_read(struct tree_file *file, uint64_t offset, size_t size,
                   struct tree_request *request)
{
    request->tree = file->tree;
    request->file = file;
    request->offset = offset;
    request->size = size;
    tree_request_begin(request);
    ask_step(request);
}

/* True if the request was waiting with others, and has left. */
static bool forsake_whole(struct tree_file *file, struct tree_request *request)
{
    bool left = false, last = false;

    pthread_mutex_lock(&file->lock);
    left = leave_file(file, request);
    last = left && file->waiting == NULL && file->asked;
    file->forsaking += last;
    pthread_mutex_unlock(&file->lock);
    if (last) {
        cache_forsake(file->tree->cache, &file->request);
        pthread_mutex_lock(&file->lock);
        file->forsaking--;
        pthread_mutex_unlock(&file->lock);
    }
    return left;
}

void tree_forsake(struct tree_request *request)
{
    atomic_store(&request->forsaken, true);
    if (request->file != NULL && forsake_whole(request->file, request))
        read_end(request, -EINTR);
    else
        cache_forsake(request->tree->cache, &request->cache);
}

/* A request that was taken back before the cache had it is taken back again here. */
void file_settle(struct tree_file *file)
{
    pthread_mutex_lock(&file->lock);
    while (file->asked) {
        pthread_mutex_unlock(&file->lock);
        cache_forsake(file->tree->cache, &file->request);
        pthread_mutex_lock(&file->lock);
        if (file->asked)
            thread_wait_a_little(&file->settled, &file->lock);
    }
    pthread_mutex_unlock(&file->lock);
}

/* SPDX-License-Identifier: MIT */
/*
 * The list of a mount's requests, early replies, and giving up requests.
 *
 * A request is given up if nothing waits for its answer any more. FUSE's interrupts do not show
 * that. The kernel sends one for any signal that a requester gets, also for harmless ones: to reply
 * EINTR then would break a stat() or read() that no program expects to fail. And for reads of its
 * own readahead the kernel sends none.
 *
 * So the reader thread examines, now and then, the requesters of requests that take long
 * (request_look()), and gives the requests up if their requesters are being killed, or are gone. An
 * interrupt only makes this happen at once.
 */
#include "fuse/request.h"

#include "base/process.h"

#include <errno.h>
#include <stdlib.h>

/*
 * A lookup whose name was found waits for the size no longer than this, since the kernel locks the
 * directory meanwhile. After an early reply the kernel requests the size with GETATTR, which locks
 * nothing. That costs another request, so a short wait is better for a size that comes soon. If
 * another thread finds the name later than this, the reader thread notices at its next look
 * (loop.c).
 */
static const int64_t SIZE_WAIT = 10000000; /* nanoseconds */

/*
 * GETATTR may wait for a size. But for one that is known only when all of a dump was looked at, it
 * waits no longer than this, in nanoseconds.
 */
static const int64_t ATTRIBUTES_WAIT = 300000000;

static void take_lock(struct mount *mount) ACQUIRE(lock_of_mount)
{
    pthread_mutex_lock(&mount->lock);
}

static void give_lock(struct mount *mount) RELEASE(lock_of_mount)
{
    pthread_mutex_unlock(&mount->lock);
}

void request_release(struct request *request)
{
    if (atomic_fetch_sub(&request->holds, 1) != 1)
        return;
    if (request->clear != NULL)
        request->clear(request);
    mount_release(request->mount);
    free(request);
}

/* Tells the reader thread, which checks the requests after the current message. */
static void note_interrupt(fuse_req_t fuse, void *data)
{
    struct mount *session = data;

    (void)fuse;
    atomic_store(&session->look, true);
}

void *request_begin(struct mount *mount, fuse_req_t fuse, size_t size,
                    void (*reply)(struct request *request, int status))
{
    struct request *request = calloc(1, size);

    if (request == NULL) {
        fuse_reply_err(fuse, ENOMEM);
        return NULL;
    }
    request->tree.done = request_answer;
    request->tree.tree = mount->tree; /* it may be cancelled before it is submitted */
    request->reply = reply;
    request->mount = mount;
    request->fuse = fuse;
    request->requester = fuse_req_ctx(fuse)->pid;
    mount_hold(mount);
    atomic_init(&request->holds, 2);
    cancel_init(&request->cancel, &tree_dump(mount->tree)->cancel);
    take_lock(mount);
    request->next = mount->requests;
    if (request->next != NULL)
        request->next->previous = request;
    mount->requests = request;
    mount->request_count++;
    give_lock(mount);
    fuse_req_interrupt_func(fuse, note_interrupt, fuse_req_userdata(fuse));
    return request;
}

void request_allow_early_reply(struct request *request, bool of_attributes,
                               void (*reply_early)(struct request *request))
{
    take_lock(request->mount);
    request->of_attributes = of_attributes;
    request->reply_early = reply_early;
    give_lock(request->mount);
}

/* Removes the request from the list. Returns true if an early reply was sent. */
static bool request_hide(struct request *request)
{
    struct mount *mount = request->mount;
    bool replied_early;

    take_lock(mount);
    replied_early = request->replied_early;
    if (request->next != NULL)
        request->next->previous = request->previous;
    if (request->previous != NULL)
        request->previous->next = request->next;
    else
        mount->requests = request->next;
    mount->request_count--;
    give_lock(mount);
    return replied_early;
}

void request_answer(struct tree_request *tree_request, int status)
{
    struct request *request = (struct request *)tree_request;

    if (!request_hide(request))
        request->reply(request, status);
    request_release(request);
}

/*
 * Returns the next request that is due, with a hold, and the function that replies early; or NULL,
 * and the time when the next one is due.
 */
static struct request *next_due(struct mount *mount, int64_t now,
                                void (**reply_early)(struct request *request), int64_t *due)
{
    struct request *request;

    *due = INT64_MAX;
    take_lock(mount);
    for (request = mount->requests; request != NULL; request = request->next) {
        if (request->reply_early == NULL || request->replied_early)
            continue;
        if (request->due == 0)
            request->due = now + (request->of_attributes ? ATTRIBUTES_WAIT : SIZE_WAIT);
        if (!request->of_attributes && !tree_lookup_may_leave_size(&request->tree))
            continue;
        if (request->due <= now)
            break;
        if (request->due < *due)
            *due = request->due;
    }
    if (request != NULL) {
        *reply_early = request->reply_early;
        request->replied_early = true;
        request->seen = false; /* a GETATTR that comes soon is to find the size being made */
        atomic_fetch_add(&request->holds, 1);
    }
    give_lock(mount);
    return request;
}

int64_t request_reply_early(struct mount *mount, int64_t now)
{
    void (*reply_early)(struct request * request);
    struct request *request;
    int64_t due;

    while ((request = next_due(mount, now, &reply_early, &due)) != NULL) {
        reply_early(request);
        request_release(request);
    }
    return due < INT64_MAX ? due - now : -1;
}

/*
 * Collects the requests to judge, each with a hold. Those that came since the last look are left
 * out, unless `all`.
 *
 * A request that got an early reply is overdue at its second look, a whole interval after the
 * first; until then a GETATTR may come, and find the size being made. `all` is for a signal that
 * some requester got, so it does not shorten this interval.
 */
static struct request *collect(struct mount *mount, bool all)
{
    struct request *first = NULL, **end = &first;

    take_lock(mount);
    for (struct request *request = mount->requests; request != NULL; request = request->next) {
        if (!request->cancelled && (request->seen || all)) {
            request->overdue = request->replied_early && request->seen && !all;
            atomic_fetch_add(&request->holds, 1);
            *end = request;
            end = &request->next_judged;
        }
        request->seen = true;
    }
    *end = NULL;
    give_lock(mount);
    return first;
}

static void give_up(struct request *request)
{
    take_lock(request->mount);
    request->cancelled = true;
    give_lock(request->mount);
    cancel_raise(&request->cancel);
    tree_cancel_request(&request->tree);
}

/*
 * Judging reads a file of /proc for each requester, so it is done without the lock, which answers
 * need.
 */
void request_look(struct mount *mount, bool all)
{
    struct request *next;

    for (struct request *request = collect(mount, all); request != NULL; request = next) {
        next = request->next_judged;
        if (request->overdue || process_is_dying(request->requester))
            give_up(request);
        request_release(request);
    }
}

size_t request_count(struct mount *mount)
{
    size_t count;

    take_lock(mount);
    count = mount->request_count;
    give_lock(mount);
    return count;
}

/* SPDX-License-Identifier: MIT */
/*
 * Giving up: the kernel tells of any signal that a requester got, also of harmless
 * ones, where an answer of EINTR would break a stat() or read() that no program
 * expects to be broken; and of a read that it does ahead it tells nothing. So
 * those that request what takes long are looked at now and then, and are given up
 * when they are being killed, or gone. An interrupt only makes us look at once.
 */
#include "fuse/request.h"

#include "base/process.h"

#include <errno.h>
#include <stdlib.h>

/*
 * A directory of the kernel's is locked while a name is looked up in it, so a lookup whose name is
 * found waits no longer than this for a size: then it is asked for with GETATTR, which locks
 * nothing. That costs a request more, so a size that is found sooner is worth the wait. Where
 * another thread finds the name later than that, this is seen at the next look (loop.c).
 */
static const int64_t SIZE_WAIT = 10000000; /* nanoseconds */

/* GETATTR may wait, but for a size that is known when all of a dump has been looked at. */
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

/* Tells the reader thread, which looks when it is done with the message. */
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
    request->tree.tree = mount->tree; /* it may be given up before the tree is asked */
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

/* The request is found no more from here on. True: it was replied to. */
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

/* The next one that is due, with a hold, and what replies to it early; or none, and when one is. */
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
        request->seen = false; /* a question behind it is to find it being made */
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
 * Those that this look judges, each with a hold: young ones are let be, unless `all`. One that was
 * replied to early is in vain at a second look, a whole interval after the first: until then the
 * question for its size may come. A signal that somebody got, which is what `all` is for, shortens
 * that for no one.
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

/* Judging takes a file of /proc for each, so it is done without the lock, which answers need. */
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

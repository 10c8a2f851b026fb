/* SPDX-License-Identifier: MIT */
/*
 * Giving up: the kernel tells of any signal that a requester got, also of harmless
 * ones, where an answer of EINTR would break a stat() or read() that no program
 * expects to be broken; and of a read that it does ahead it tells nothing. So
 * those that request what takes long are looked at now and then, and are given up
 * when they are being killed, or gone. An interrupt only makes us look at once.
 */
#include "fuse/adapter.h"

#include "base/process.h"

#include <errno.h>
#include <stdlib.h>

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
    if (request->mount->branch != NULL)
        branch_release(request->mount->branch);
    free(request);
}

/* On the reader thread, which looks when it is done with the message. */
static void note_interrupt(fuse_req_t fuse, void *data)
{
    struct mount *mount = data;

    (void)fuse;
    mount->look = true;
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
    request->reply = reply;
    request->mount = mount;
    request->fuse = fuse;
    request->requester = fuse_req_ctx(fuse)->pid;
    if (mount->branch != NULL)
        branch_hold(mount->branch);
    atomic_init(&request->holds, 2);
    cancel_init(&request->cancel, &tree_dump(mount->tree)->cancel);
    take_lock(mount);
    request->next = mount->requests;
    if (request->next != NULL)
        request->next->previous = request;
    mount->requests = request;
    mount->request_count++;
    give_lock(mount);
    fuse_req_interrupt_func(fuse, note_interrupt, mount);
    return request;
}

/* The request is found no more from here on. */
static void request_hide(struct request *request)
{
    struct mount *mount = request->mount;

    take_lock(mount);
    if (request->next != NULL)
        request->next->previous = request->previous;
    if (request->previous != NULL)
        request->previous->next = request->next;
    else
        mount->requests = request->next;
    mount->request_count--;
    give_lock(mount);
}

void request_answer(struct tree_request *tree, int status)
{
    struct request *request = (struct request *)tree;

    request_hide(request);
    request->reply(request, status);
    request_release(request);
}

/* The next whose requester is dying, with a hold. Young ones are let be, unless `all`. */
static struct request *next_dying(struct mount *mount, bool all)
{
    struct request *request;

    take_lock(mount);
    for (request = mount->requests; request != NULL; request = request->next) {
        if ((request->seen || all) && !request->cancelled && process_is_dying(request->requester))
            break;
        request->seen = true;
    }
    if (request != NULL) {
        request->cancelled = true;
        atomic_fetch_add(&request->holds, 1);
    }
    give_lock(mount);
    return request;
}

void request_look(struct mount *mount)
{
    struct request *request;

    while ((request = next_dying(mount, mount->look)) != NULL) {
        cancel_raise(&request->cancel);
        tree_cancel_request(&request->tree);
        request_release(request);
    }
    mount->look = false;
}

size_t request_count(struct mount *mount)
{
    size_t count;

    take_lock(mount);
    count = mount->request_count;
    give_lock(mount);
    return count;
}

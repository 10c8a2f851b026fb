/*
 * Giving up: the kernel tells of any signal that an asker got, also of harmless
 * ones, where an answer of EINTR would break a stat() or read() that no program
 * expects to be broken; and of a read that it does ahead it tells nothing. So
 * those who ask for what takes long are looked at now and then, and are given up
 * when they are being killed, or gone. An interrupt only makes us look at once.
 */
#include "fuse/adapter.h"

#include "core/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct tree_request tree; /* first: the tree hands it back */
    struct mount *mount;
    fuse_req_t fuse;
    pid_t asker; /* a thread */
    struct cancel cancel;
    atomic_uint holds; /* the answer's, and the reader thread's while it looks */

    adapter_reply reply; /* a stat's */

    /* A read's. What one window does not hold is gathered in `bytes`. */
    struct tree_file *file;
    uint64_t offset;
    size_t size, filled;
    struct tree_window first;
    uint8_t *bytes;
    bool again; /* the reader thread's: ask for the next window */

    /* Under the mount's lock: its list. */
    struct request *next, *previous;
    bool seen, forsaken;
};

static void request_release(struct request *request)
{
    if (atomic_fetch_sub(&request->holds, 1) == 1)
        free(request);
}

/* On the reader thread, which looks when it is done with the message. */
static void note_interrupt(fuse_req_t fuse, void *data)
{
    struct mount *mount = data;

    (void)fuse;
    mount->look = true;
}

/* With a hold for the answer and one for the caller; NULL: replied already. */
static struct request *request_begin(struct mount *mount, fuse_req_t fuse)
{
    struct request *request = calloc(1, sizeof(*request));

    if (request == NULL) {
        fuse_reply_err(fuse, ENOMEM);
        return NULL;
    }
    request->mount = mount;
    request->fuse = fuse;
    request->asker = fuse_req_ctx(fuse)->pid;
    atomic_init(&request->holds, 2);
    cancel_init(&request->cancel, &tree_dump(mount->tree)->cancel);
    pthread_mutex_lock(&mount->lock);
    request->next = mount->requests;
    if (request->next != NULL)
        request->next->previous = request;
    mount->requests = request;
    pthread_mutex_unlock(&mount->lock);
    fuse_req_interrupt_func(fuse, note_interrupt, mount);
    return request;
}

/* Nobody finds the request from here on. */
static void request_hide(struct request *request)
{
    struct mount *mount = request->mount;

    pthread_mutex_lock(&mount->lock);
    if (request->next != NULL)
        request->next->previous = request->previous;
    if (request->previous != NULL)
        request->previous->next = request->next;
    else
        mount->requests = request->next;
    pthread_mutex_unlock(&mount->lock);
}

/* Any thread. From the reply on the reader thread may close the file. */
static void request_finish(struct request *request, int status)
{
    const void *bytes = request->bytes != NULL ? request->bytes : request->first.data;

    request_hide(request);
    if (status != 0)
        fuse_reply_err(request->fuse, -status);
    else if (request->reply != NULL)
        request->reply(request->mount, request->fuse, &request->tree.attributes);
    else
        fuse_reply_buf(request->fuse, bytes, request->filled);
    blob_unref(&request->first.blob);
    free(request->bytes);
    request_release(request);
}

static void stat_done(struct tree_request *tree, int status)
{
    request_finish((struct request *)tree, status);
}

void request_stat(struct mount *mount, fuse_req_t fuse, uint64_t inode, adapter_reply reply)
{
    struct request *request = request_begin(mount, fuse);

    if (request == NULL)
        return;
    request->reply = reply;
    request->tree.done = stat_done;
    tree_ask_stat(mount->tree, inode, &request->tree);
    request_release(request);
}

/* Takes a window over. 1: there is more to ask for; 0: that was all; -ENOMEM. */
static int take_window(struct request *request, struct tree_window *window)
{
    if (window->length == 0)
        return 0;
    if (request->filled == 0) {
        request->first = *window;
        window->blob = NULL;
        request->filled = window->length;
        return request->filled < request->size;
    }
    if (request->bytes == NULL) {
        request->bytes = malloc(request->size);
        if (request->bytes == NULL)
            return -ENOMEM;
        memcpy(request->bytes, request->first.data, request->filled);
    }
    memcpy(request->bytes + request->filled, window->data, window->length);
    request->filled += window->length;
    return request->filled < request->size;
}

/* On the reader thread request_read() asks for the next window, elsewhere it is waited for. */
static void read_done(struct tree_request *tree, int status)
{
    struct request *request = (struct request *)tree;
    struct tree_window window = tree->window;

    for (;;) {
        if (status == 0)
            status = take_window(request, &window);
        blob_unref(&window.blob);
        if (status <= 0)
            break;
        if (pthread_equal(pthread_self(), request->mount->reader)) {
            request->again = true;
            return;
        }
        status = tree_read(request->file, request->offset + request->filled,
                           request->size - request->filled, &request->cancel, &window);
    }
    request_finish(request, status);
}

void request_read(struct mount *mount, fuse_req_t fuse, struct tree_file *file, uint64_t offset,
                  size_t size)
{
    struct request *request = request_begin(mount, fuse);

    if (request == NULL)
        return;
    request->file = file;
    request->offset = offset;
    request->size = size;
    do {
        request->again = false;
        memset(&request->tree, 0, sizeof(request->tree));
        request->tree.done = read_done;
        tree_ask_read(file, offset + request->filled, size - request->filled, &request->tree);
    } while (request->again);
    request_release(request);
}

/* The next whose asker is dying, with a hold. Young ones are let be, unless `all`. */
static struct request *next_dying(struct mount *mount, bool all)
{
    struct request *request;

    pthread_mutex_lock(&mount->lock);
    for (request = mount->requests; request != NULL; request = request->next) {
        if ((request->seen || all) && !request->forsaken && process_is_dying(request->asker))
            break;
        request->seen = true;
    }
    if (request != NULL) {
        request->forsaken = true;
        atomic_fetch_add(&request->holds, 1);
    }
    pthread_mutex_unlock(&mount->lock);
    return request;
}

void request_look(struct mount *mount)
{
    struct request *request;

    while ((request = next_dying(mount, mount->look)) != NULL) {
        cancel_raise(&request->cancel);
        tree_forsake(&request->tree);
        request_release(request);
    }
    mount->look = false;
}

bool request_any(struct mount *mount)
{
    bool any;

    pthread_mutex_lock(&mount->lock);
    any = mount->requests != NULL;
    pthread_mutex_unlock(&mount->lock);
    return any;
}

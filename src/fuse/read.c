/* SPDX-License-Identifier: MIT */
/*
 * A read may take several windows of the file. If the first one has all bytes that were requested,
 * it is the reply as it is; otherwise the windows are gathered.
 */
#include "fuse/request.h"
#include "fuse/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct read {
    struct request request;
    struct tree_file *file;
    uint64_t offset;
    size_t size, filled;
    struct tree_window first;
    uint8_t *bytes; /* NULL unless there are several windows */
    bool again;     /* the reader thread's: request the next window */
};

static void read_clear(struct request *request)
{
    struct read *read = (struct read *)request;

    blob_unref(&read->first.blob);
    free(read->bytes);
}

/* After the reply the reader thread may close the file. */
static void read_reply(struct request *request, int status)
{
    const struct read *read = (struct read *)request;
    const void *bytes = read->bytes != NULL ? read->bytes : read->first.data;

    if (status != 0)
        fuse_reply_err(request->fuse, -status);
    else
        fuse_reply_buf(request->fuse, bytes, read->filled);
}

/*
 * Takes over a window. Returns 1 if more bytes are to be requested, 0 if that was all, or -ENOMEM.
 */
static int take_window(struct read *read, struct tree_window *window)
{
    if (window->length == 0)
        return 0;
    if (read->filled == 0) {
        read->first = *window;
        window->blob = NULL;
        read->filled = window->length;
        return read->filled < read->size;
    }
    if (read->bytes == NULL) {
        read->bytes = malloc(read->size);
        if (read->bytes == NULL)
            return -ENOMEM;
        memcpy(read->bytes, read->first.data, read->filled);
    }
    memcpy(read->bytes + read->filled, window->data, window->length);
    read->filled += window->length;
    return read->filled < read->size;
}

/* On the reader thread, leaves the next window to read_begin(); on other threads, waits for it. */
static void read_done(struct tree_request *tree, int status)
{
    struct read *read = (struct read *)tree;
    struct tree_window window = tree->window;

    for (;;) {
        if (status == 0)
            status = take_window(read, &window);
        blob_unref(&window.blob);
        if (status <= 0)
            break;
        if (pthread_equal(pthread_self(), read->request.mount->reader)) {
            read->again = true;
            return;
        }
        status = tree_read(read->file, read->offset + read->filled, read->size - read->filled,
                           &read->request.cancel, &window);
    }
    request_answer(tree, status);
}

void read_begin(struct mount *mount, fuse_req_t fuse, struct tree_file *file, uint64_t offset,
                size_t size)
{
    struct read *read = request_begin(mount, fuse, sizeof(*read), read_reply);

    if (read == NULL)
        return;
    read->request.clear = read_clear;
    read->file = file;
    read->offset = offset;
    read->size = size;
    do {
        read->again = false;
        memset(&read->request.tree, 0, sizeof(read->request.tree));
        read->request.tree.done = read_done;
        tree_submit_read(file, offset + read->filled, size - read->filled, &read->request.tree);
    } while (read->again);
    request_release(&read->request);
}

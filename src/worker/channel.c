#include "config.h"

#include "worker/channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

enum { LOOK_MS = 20 /* between looks at the cancel flag */ };

int64_t channel_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until the socket is ready for `events`, or has no other end any more. */
static int wait_for(int fd, short events, const struct channel_wait *wait)
{
    struct pollfd socket = {.fd = fd, .events = events};

    for (;;) {
        int64_t left = wait->deadline == INT64_MAX ? LOOK_MS : wait->deadline - channel_now();
        int ready;

        if (cancel_requested(wait->cancel))
            return -EINTR;
        if (left <= 0)
            return -ETIMEDOUT;
        if (wait->cancel != NULL && left > LOOK_MS)
            left = LOOK_MS;
        else if (wait->cancel == NULL && wait->deadline == INT64_MAX)
            left = -1;
        ready = poll(&socket, 1, (int)left);
        if (ready > 0)
            return 0;
        if (ready < 0 && errno != EINTR)
            return -errno;
    }
}

/* What a failed system call on the socket means; 0: try again. */
static int again(int fd, short events, const struct channel_wait *wait)
{
    if (errno == EINTR)
        return 0;
    if (errno == EAGAIN)
        return wait_for(fd, events, wait);
    return errno == ECONNRESET ? -EPIPE : -errno;
}

static int send_bytes(int fd, const void *bytes, size_t size, const struct channel_wait *wait,
                      uint64_t *sent)
{
    const char *next = bytes;

    while (size > 0) {
        ssize_t done = send(fd, next, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        int status = done < 0 ? again(fd, POLLOUT, wait) : 0;

        if (status < 0)
            return status;
        if (done > 0) {
            next += done;
            size -= (size_t)done;
            *sent += (uint64_t)done;
        }
        if (cancel_requested(wait->cancel))
            return -EINTR;
    }
    return 0;
}

int channel_send(int fd, const struct message_header *header, const struct message_part *parts,
                 size_t count, const struct channel_wait *wait, uint64_t *sent)
{
    uint8_t head[1024];
    size_t filled = MESSAGE_HEADER, i = 0;
    int status;

    /* Small messages go out in one piece. */
    message_write_header(header, head);
    for (; i < count && parts[i].size <= sizeof(head) - filled; i++) {
        if (parts[i].size > 0)
            memcpy(head + filled, parts[i].data, parts[i].size);
        filled += parts[i].size;
    }
    *sent = 0;
    status = send_bytes(fd, head, filled, wait, sent);
    for (; i < count && status == 0; i++)
        status = send_bytes(fd, parts[i].data, parts[i].size, wait, sent);
    return status;
}

/* A message that has begun is received to its end: `wait` has no cancel flag. */
static int receive_bytes(int fd, void *bytes, size_t size, const struct channel_wait *wait)
{
    char *next = bytes;

    while (size > 0) {
        ssize_t got = recv(fd, next, size, MSG_DONTWAIT);
        int status = got < 0 ? again(fd, POLLIN, wait) : 0;

        if (status < 0)
            return status;
        if (got == 0)
            return -EPIPE;
        if (got > 0) {
            next += got;
            size -= (size_t)got;
        }
    }
    return 0;
}

int channel_receive(int fd, uint64_t most, const struct channel_wait *wait,
                    struct message_header *header, struct blob **payload)
{
    const struct channel_wait rest = {.deadline = wait->deadline};
    uint8_t head[MESSAGE_HEADER];
    struct blob *blob = NULL;
    int status;

    *payload = NULL;
    status = wait_for(fd, POLLIN, wait);
    if (status == 0)
        status = receive_bytes(fd, head, sizeof(head), &rest);
    if (status == 0)
        status = message_read_header(head, header);
    if (status < 0)
        goto out;
    if (header->size > most) {
        status = -EPROTO;
        goto out;
    }
    status = blob_create((size_t)header->size, &blob);
    if (status == 0)
        status = receive_bytes(fd, blob->data, blob->size, &rest);
    if (status == 0)
        *payload = blob_ref(blob);
out:
    blob_unref(&blob);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/helper.h"

#include "base/locks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for the descriptors of a message, aligned as their header requires. */
union ancillary {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int) * HELPER_FILES)];
};

static struct {
    pthread_mutex_t lock;
    int socket; /* -1 if there is no such helper */
} helpers[HELPER_ROLES] = {{PTHREAD_MUTEX_INITIALIZER, -1}, {PTHREAD_MUTEX_INITIALIZER, -1}};

static void take_lock(enum helper_role role) ACQUIRE(lock_of_helper)
{
    pthread_mutex_lock(&helpers[role].lock);
}

static void give_lock(enum helper_role role) RELEASE(lock_of_helper)
{
    pthread_mutex_unlock(&helpers[role].lock);
}

static int send_message(int socket, const void *bytes, size_t size, const int *files, size_t count)
{
    struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union ancillary room;
    ssize_t sent;

    if (count > HELPER_FILES)
        return -EINVAL;
    if (count > 0) {
        memset(&room, 0, sizeof(room));
        message.msg_control = &room;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        room.head.cmsg_level = SOL_SOCKET;
        room.head.cmsg_type = SCM_RIGHTS;
        room.head.cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(&room.head), files, sizeof(int) * count);
    }
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

/* Results of receive_message() for a message that must not be used. */
enum { MESSAGE_STRANGE = 1, MESSAGE_WITHOUT_FILES };

static void close_files(const int *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        close(files[i]);
}

/*
 * Receives a message. Returns its length, 0 at the end of the stream, or -errno. Returns
 * MESSAGE_STRANGE for a message that is too long, and MESSAGE_WITHOUT_FILES for one with too many
 * descriptors, or more than this process may open; *count is 0 then.
 */
static ssize_t receive_message(int socket, void *bytes, size_t size, int files[HELPER_FILES],
                               size_t *count)
{
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    union ancillary room;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof(room)};
    ssize_t got;

    *count = 0;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return -errno;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head != NULL;
         head = CMSG_NXTHDR(&message, head)) {
        size_t here = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);

        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS ||
            here > HELPER_FILES - *count)
            continue;
        memcpy(files + *count, CMSG_DATA(head), here * sizeof(int));
        *count += here;
    }
    if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0)
        return got;
    close_files(files, *count);
    *count = 0;
    return (message.msg_flags & MSG_TRUNC) != 0 ? MESSAGE_STRANGE : MESSAGE_WITHOUT_FILES;
}

void helper_use(enum helper_role role, int socket)
{
    helpers[role].socket = socket;
}

bool helper_is_there(enum helper_role role)
{
    return helpers[role].socket >= 0;
}

void helper_lift(int first)
{
    for (int role = 0; role < HELPER_ROLES; role++) {
        int lifted =
            helpers[role].socket < 0 ? -1 : dup3(helpers[role].socket, first + role, O_CLOEXEC);

        if (lifted < 0)
            continue;
        close(helpers[role].socket);
        helpers[role].socket = lifted;
    }
}

int helper_fill(struct helper_request *request, enum helper_kind kind, const char *name)
{
    size_t length = name != NULL ? strlen(name) : 0;

    memset(request, 0, sizeof(*request));
    request->kind = kind;
    if (length >= sizeof(request->name))
        return -ENAMETOOLONG;
    if (length > 0)
        memcpy(request->name, name, length);
    return 0;
}

static int ask(int socket, const struct helper_request *request, const int *files, size_t count,
               struct helper_reply *reply, int *file)
{
    int status = send_message(socket, request, sizeof(*request), files, count), got[HELPER_FILES];
    size_t got_count = 0;
    ssize_t length;

    if (status < 0)
        return status;
    length = receive_message(socket, reply, sizeof(*reply), got, &got_count);
    if (length == MESSAGE_WITHOUT_FILES)
        status = -EMFILE;
    else if (length != sizeof(*reply) || got_count > 1)
        status = length < 0 ? (int)length : -EPIPE;
    if (status == 0 && got_count == 1 && file != NULL) {
        *file = got[0];
        got_count = 0;
    }
    close_files(got, got_count);
    return status < 0 ? status : reply->status;
}

int helper_ask(enum helper_role role, const struct helper_request *request, const int *files,
               size_t count, int *value, int *file)
{
    struct helper_reply reply = {0};
    int status;

    if (file != NULL)
        *file = -1;
    take_lock(role);
    status = ask(helpers[role].socket, request, files, count, &reply, file);
    give_lock(role);
    if (value != NULL)
        *value = reply.value;
    return status;
}

void helper_leave(enum helper_role role)
{
    if (helpers[role].socket >= 0)
        close(helpers[role].socket);
    helpers[role].socket = -1;
}

int helper_receive(int socket, struct helper_request *request, int files[HELPER_FILES],
                   size_t *count)
{
    ssize_t length = receive_message(socket, request, sizeof(*request), files, count);

    if (length <= 0)
        return (int)length;
    if (length != sizeof(*request))
        request->kind = 0;
    request->name[sizeof(request->name) - 1] = '\0';
    return 1;
}

int helper_answer(int socket, int status, int value, int file)
{
    const struct helper_reply reply = {.status = status, .value = value};

    return send_message(socket, &reply, sizeof(reply), &file, file >= 0);
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/message.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/memory.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    LOOK_MS = 20,   /* milliseconds between checks of the cancel flag */
    REST_MS = 1000, /* milliseconds for the rest of a message whose caller has left */
    /*
     * Milliseconds by which a deadline is extended. A process that uses less than STILL_USED_MS of
     * processor time in this time is stuck.
     */
    STILL_MS = 1000,
    STILL_USED_MS = 20,
    PIECE = 1 << 20, /* bytes of a payload for which memory is obtained at a time */
};

void message_write_header(const struct message_header *header, uint8_t bytes[MESSAGE_HEADER])
{
    bytes_put_le32(bytes, MESSAGE_MAGIC);
    bytes_put_le(bytes + 4, 2, MESSAGE_VERSION);
    bytes_put_le(bytes + 6, 2, header->kind);
    bytes_put_le32(bytes + 8, header->serial);
    bytes_put_le32(bytes + 12, (uint32_t)header->status);
    bytes_put_le64(bytes + 16, header->size);
}

int message_read_header(const uint8_t bytes[MESSAGE_HEADER], struct message_header *out)
{
    if (bytes_le32(bytes) != MESSAGE_MAGIC || bytes_le16(bytes + 4) != MESSAGE_VERSION)
        return -EPROTO;
    *out = (struct message_header){
        .kind = bytes_le16(bytes + 6),
        .serial = bytes_le32(bytes + 8),
        .status = (int32_t)bytes_le32(bytes + 12),
        .size = bytes_le64(bytes + 16),
    };
    return 0;
}

void message_reader_init(struct message_reader *reader, const void *bytes, size_t size)
{
    *reader = (struct message_reader){.next = bytes, .left = size};
}

const uint8_t *message_read_bytes(struct message_reader *reader, uint64_t size)
{
    const uint8_t *bytes = reader->next;

    if (reader->bad || size > reader->left) {
        reader->bad = true;
        return NULL;
    }
    reader->next += size;
    reader->left -= size;
    return bytes;
}

uint32_t message_read_u32(struct message_reader *reader)
{
    const uint8_t *bytes = message_read_bytes(reader, 4);

    return bytes == NULL ? 0 : bytes_le32(bytes);
}

uint64_t message_read_u64(struct message_reader *reader)
{
    const uint8_t *bytes = message_read_bytes(reader, 8);

    return bytes == NULL ? 0 : bytes_le64(bytes);
}

int message_read_blob(struct message_reader *reader, uint64_t size, struct blob **out)
{
    const uint8_t *bytes = message_read_bytes(reader, size);
    int status = bytes == NULL ? -EPROTO : blob_create((size_t)size, out);

    if (status == 0 && size > 0)
        memcpy((*out)->data, bytes, (size_t)size);
    return status;
}

bool message_read_all(const struct message_reader *reader)
{
    return !reader->bad && reader->left == 0;
}

size_t message_plain_bytes(const uint8_t *bytes, size_t size)
{
    size_t plain = 0;

    while (plain < size && ((bytes[plain] >= ' ' && bytes[plain] <= '~') || bytes[plain] == '\n' ||
                            bytes[plain] == '\t'))
        plain++;
    return plain;
}

/* Returns where to write `size` more bytes; NULL if there is no memory. */
static uint8_t *extend(struct message_writer *writer, size_t size)
{
    uint8_t *place;

    if (!writer->bad && size > writer->room - writer->size) {
        size_t room = writer->size + size + writer->size / 2 + 64;
        uint8_t *bytes = size > SIZE_MAX / 4 ? NULL : realloc(writer->bytes, room);

        writer->bad = bytes == NULL;
        if (bytes != NULL) {
            writer->bytes = bytes;
            writer->room = room;
        }
    }
    if (writer->bad)
        return NULL;
    place = writer->bytes + writer->size;
    writer->size += size;
    return place;
}

void message_write_u32(struct message_writer *writer, uint32_t value)
{
    uint8_t *place = extend(writer, 4);

    if (place != NULL)
        bytes_put_le32(place, value);
}

void message_write_u64(struct message_writer *writer, uint64_t value)
{
    uint8_t *place = extend(writer, 8);

    if (place != NULL)
        bytes_put_le64(place, value);
}

void message_write_bytes(struct message_writer *writer, const void *bytes, size_t size)
{
    uint8_t *place = size == 0 ? NULL : extend(writer, size);

    if (place != NULL)
        memcpy(place, bytes, size);
}

void message_patch_u32(struct message_writer *writer, size_t offset, uint32_t value)
{
    if (!writer->bad && offset <= writer->size && writer->size - offset >= 4)
        bytes_put_le32(writer->bytes + offset, value);
}

void message_writer_free(struct message_writer *writer)
{
    free(writer->bytes);
    *writer = (struct message_writer){.bytes = NULL};
}

/* Transfer over the socket. */

/*
 * How the deadline is extended: by STILL_MS at a time, as long as the process uses processor time.
 */
struct extension {
    int64_t until; /* end of the present extension by clock_ms(); 0: the deadline has not passed */
    int64_t used;  /* processor time at the beginning of the extension, in milliseconds */
};

/* A message that is being sent or received. */
struct transfer {
    int fd;
    short events; /* POLLIN or POLLOUT */
    const struct message_wait *wait;
    struct extension extension;
    uint64_t done; /* bytes transferred */
    int64_t rest; /* time until which the rest must follow, as its caller has left; 0: the caller is
                     there */
};

/* Returns whether the process gets more time, since the machine is busy. */
static bool has_more_time(struct extension *extension, const struct message_wait *wait)
{
    int64_t used = wait->limited ? clock_read(wait->clock) / 1000000 : 0;

    if (!wait->limited || used >= wait->clock_due ||
        (extension->until != 0 && used - extension->used < STILL_USED_MS))
        return false;
    *extension = (struct extension){.until = clock_ms() + STILL_MS, .used = used};
    return true;
}

/* If the caller has left, a message that has begun gets a moment to be completed. */
static int check_caller(struct transfer *transfer)
{
    if (!cancel_requested(transfer->wait->cancel))
        return 0;
    if (transfer->rest == 0)
        transfer->rest = clock_ms() + (transfer->done > 0 ? REST_MS : 0);
    return clock_ms() < transfer->rest ? 0 : -EINTR;
}

/* Waits until the socket is ready, or its other end is closed. */
static int wait_for(struct transfer *transfer)
{
    struct pollfd socket = {.fd = transfer->fd, .events = transfer->events};
    const struct message_wait *wait = transfer->wait;
    struct extension *extension = &transfer->extension;

    for (;;) {
        int64_t deadline = extension->until != 0 ? extension->until : wait->deadline;
        int64_t left = deadline == INT64_MAX ? LOOK_MS : deadline - clock_ms();
        int ready, status = check_caller(transfer);

        if (status < 0)
            return status;
        if (left <= 0 && !has_more_time(extension, wait))
            return -ETIMEDOUT;
        if (left <= 0)
            left = STILL_MS;
        if (wait->limited && clock_read(wait->clock) / 1000000 >= wait->clock_end)
            return -ETIME;
        if ((wait->cancel != NULL || wait->limited) && left > LOOK_MS)
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

/* Returns what a failed system call on the socket means; 0: try again. */
static int again(struct transfer *transfer)
{
    if (errno == EINTR)
        return 0;
    if (errno == EAGAIN)
        return wait_for(transfer);
    return errno == ECONNRESET ? -EPIPE : -errno;
}

static int send_bytes(struct transfer *transfer, const void *bytes, size_t size)
{
    const char *next = bytes;

    while (size > 0) {
        ssize_t done;
        int status;

        if (transfer->done == 0 && cancel_requested(transfer->wait->cancel))
            return -EINTR;
        done = send(transfer->fd, next, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        status = done < 0 ? again(transfer) : 0;
        if (status < 0)
            return status;
        if (done > 0) {
            next += done;
            size -= (size_t)done;
            transfer->done += (uint64_t)done;
        }
    }
    return 0;
}

int message_send(int fd, const struct message_header *header, const struct message_part *parts,
                 size_t count, const struct message_wait *wait, uint64_t *sent)
{
    struct transfer transfer = {.fd = fd, .events = POLLOUT, .wait = wait};
    uint8_t head[1024];
    size_t filled = MESSAGE_HEADER, i = 0;
    int status;

    /* A small message is sent in one piece. */
    message_write_header(header, head);
    for (; i < count && parts[i].size <= sizeof(head) - filled; i++) {
        if (parts[i].size > 0)
            memcpy(head + filled, parts[i].data, parts[i].size);
        filled += parts[i].size;
    }
    status = send_bytes(&transfer, head, filled);
    for (; i < count && status == 0; i++)
        status = send_bytes(&transfer, parts[i].data, parts[i].size);
    *sent = transfer.done;
    return status;
}

static int receive_bytes(struct transfer *transfer, void *bytes, size_t size)
{
    char *next = bytes;

    while (size > 0) {
        ssize_t got = recv(transfer->fd, next, size, MSG_DONTWAIT);
        int status = got < 0 ? again(transfer) : 0;

        if (status < 0)
            return status;
        if (got == 0)
            return -EPIPE;
        if (got > 0) {
            next += got;
            size -= (size_t)got;
            transfer->done += (uint64_t)got;
        }
    }
    return 0;
}

/* Obtains memory piece by piece: a process that announces much and sends nothing costs none. */
static int receive_payload(struct transfer *transfer, struct blob *blob)
{
    int status = 0;

    for (size_t at = 0, size; status == 0 && at < blob->size; at += size) {
        size = blob->size - at < PIECE ? blob->size - at : PIECE;
        if (blob->size >= MEMORY_LARGE)
            memory_populate(blob->data + at, size);
        status = receive_bytes(transfer, blob->data + at, size);
    }
    return status;
}

int message_receive(int fd, uint64_t max, const struct message_wait *wait,
                    struct message_header *header, struct blob **payload, uint64_t *received)
{
    struct transfer transfer = {.fd = fd, .events = POLLIN, .wait = wait};
    uint8_t head[MESSAGE_HEADER];
    struct blob *blob = NULL;
    int status;

    *payload = NULL;
    status = wait_for(&transfer);
    if (status == 0)
        status = receive_bytes(&transfer, head, sizeof(head));
    if (status == 0)
        status = message_read_header(head, header);
    if (status < 0)
        goto out;
    if (header->size > max) {
        status = -EPROTO;
        goto out;
    }
    status = blob_create_empty((size_t)header->size, &blob);
    if (status == 0)
        status = receive_payload(&transfer, blob);
    if (status == 0)
        *payload = blob_ref(blob);
out:
    *received = transfer.done;
    blob_unref(&blob);
    return status;
}

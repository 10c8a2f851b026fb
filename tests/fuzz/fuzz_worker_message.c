/* SPDX-License-Identifier: MIT */
/*
 * Messages that are received from a socket: the input is everything that the other end sends before
 * it closes the socket. Payloads are read as a reply is: notes, numbers, runs of bytes, pixels.
 */
#include "config.h"

#include "worker/session.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 13, PAYLOAD_MAX = 1 << 12 };

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

/* Aborts unless numbers and bytes that are read and written again are the same bytes. */
static void check_writer(const struct blob *payload)
{
    struct message_writer writer = {.bytes = NULL};
    struct message_reader reader;

    message_reader_init(&reader, payload->data, payload->size);
    while (reader.left >= 8)
        message_write_u64(&writer, message_read_u64(&reader));
    if (reader.left >= 4)
        message_write_u32(&writer, message_read_u32(&reader));
    if (reader.left > 0) {
        size_t left = reader.left;

        message_write_bytes(&writer, message_read_bytes(&reader, left), left);
    }
    expect(message_read_all(&reader));
    expect(writer.bad ||
           (writer.size == payload->size &&
            (writer.size == 0 || memcmp(writer.bytes, payload->data, writer.size) == 0)));
    message_writer_free(&writer);
}

static void note(void *context, enum problem_severity severity, uint64_t place, const char *text)
{
    uint64_t *sum = context;

    *sum += place + (uint64_t)severity + strlen(text);
}

static void check_reply(const struct blob *payload)
{
    static const struct session_kind narrow = {.bad_max = 1},
                                     wide = {.bad_max = 1, .wide_places = true};
    struct session session;
    struct message_reader reader;
    uint32_t numbers[4];
    uint64_t sum = 0;

    message_reader_init(&reader, payload->data, payload->size);
    for (unsigned i = 0; i < 4; i++)
        numbers[i] = message_read_u32(&reader);
    (void)session_has_pixels(&reader, numbers[0], numbers[1], 4);
    session_init(&session, numbers[3] % 2 == 0 ? &narrow : &wide, NULL, note, &sum);
    if (session_read_notes(&session, &reader, numbers[2]) == 0)
        expect(message_read_all(&reader));
}

static void receive_all(int fd)
{
    const struct message_wait wait = {.deadline = INT64_MAX};
    struct message_header header;
    struct blob *payload = NULL;
    uint8_t head[MESSAGE_HEADER];
    uint64_t received;

    while (message_receive(fd, PAYLOAD_MAX, &wait, &header, &payload, &received) == 0) {
        expect(payload->size == header.size && header.size <= PAYLOAD_MAX);
        expect(received == MESSAGE_HEADER + header.size);
        message_write_header(&header, head);
        expect(message_read_header(head, &header) == 0);
        check_writer(payload);
        check_reply(payload);
        blob_unref(&payload);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int pair[2];

    if (size > BYTES_MAX || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return 0;
    if (write(pair[0], data, size) != (ssize_t)size)
        abort();
    close(pair[0]);
    receive_all(pair[1]);
    close(pair[1]);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/session.h"

#include "image/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KILLS_MAX = 3, /* kills by third parties in a row; more are a failure */
    /*
     * How many processes may exceed the memory limit for one caller. What the first two were
     * running is left out, since a single call may want all the memory. A third one means that all
     * calls together want too much; leaving out one after the other would not help.
     */
    GREEDY_MAX = 3,
    RENDERER_MAX = 256,
    SENTENCE_MAX = 300, /* bytes of a note's text */
};

void session_init(struct session *session, const struct session_kind *kind, struct worker *worker,
                  session_note *note, void *context)
{
    *session = (struct session){.kind = kind, .worker = worker, .note = note, .context = context};
}

void session_warn(struct session *session, const struct session *other)
{
    memcpy(session->bad, other->bad, other->bad_count * sizeof(other->bad[0]));
    session->bad_count = other->bad_count;
}

bool session_is_bad(const struct session *session, uint64_t name)
{
    for (uint32_t i = 0; i < session->bad_count; i++)
        if (session->bad[i] == name)
            return true;
    return false;
}

void session_write_bad(const struct session *session, struct message_writer *writer)
{
    for (uint32_t i = 0; i < session->bad_count; i++)
        message_write_u64(writer, session->bad[i]);
}

/* The breadcrumb has the call's number plus 1. */
static unsigned suspect_call(const struct breadcrumb *breadcrumb,
                             uint64_t names[BREADCRUMB_SUBJECTS])
{
    if (breadcrumb->activity != BREADCRUMB_CALL || breadcrumb->subjects[0] == 0)
        return 0;
    names[0] = breadcrumb->subjects[0] - 1;
    return 1;
}

/* Remembers what the process died of. Returns whether any of it is new. */
static bool learn(struct session *session, const struct breadcrumb *breadcrumb)
{
    uint64_t names[BREADCRUMB_SUBJECTS];
    unsigned count = session->kind->suspects != NULL ? session->kind->suspects(breadcrumb, names)
                                                     : suspect_call(breadcrumb, names);
    bool learned = false;

    for (unsigned i = 0; i < count; i++)
        if (!session_is_bad(session, names[i]) && session->bad_count < session->kind->bad_max) {
            session->bad[session->bad_count++] = names[i];
            learned = true;
        }
    return learned;
}

static bool makes(const struct session *session, uint16_t message)
{
    return message < MESSAGE_KINDS && (session->kind->makes & SESSION_MAKES(message)) != 0;
}

static int fail(struct session *session, int status, const char *sentence)
{
    snprintf(session->reason, sizeof(session->reason), "%s", sentence);
    return status;
}

static int stale(struct session *session)
{
    return fail(session, -ESTALE, "the graphics worker was restarted");
}

int session_call(struct session *session, const struct worker_request *request,
                 const struct cancel *cancel, struct blob **payload)
{
    struct worker_reply reply;
    int status = worker_call(session->worker, request, cancel, &reply);

    *payload = reply.payload;
    (void)fail(session, status, reply.reason);
    if (status == 0)
        session->generation = reply.generation;
    if (status == -ESTALE)
        (void)stale(session);
    if (status == -ESTALE || reply.died || (status == -EINTR && session->kind->cancel_ends))
        session->generation = 0;
    session->kills += reply.killed;
    if (status == 0 && makes(session, request->kind))
        session->kills = 0;
    if (reply.killed && status == -EIO && session->kills <= KILLS_MAX)
        return -ESTALE;
    if ((status != -EIO && status != -ETIMEDOUT) || !reply.died || reply.killed)
        return status;
    if (reply.greedy < GREEDY_MAX && learn(session, &reply.breadcrumb))
        return -EAGAIN;
    return reply.greedy > 0 ? worker_give_up_for_memory(session->worker) : status;
}

int session_request(struct session *session, struct message_writer *head,
                    const struct worker_request *request, const struct cancel *cancel,
                    struct blob **payload)
{
    struct message_part *parts = calloc(request->part_count + 1, sizeof(*parts));
    struct worker_request whole = *request;
    int status;

    *payload = NULL;
    if (session->generation == 0) {
        status = stale(session);
    } else if (parts != NULL && !head->bad) {
        parts[0] = (struct message_part){head->bytes, head->size};
        for (size_t i = 0; i < request->part_count; i++)
            parts[i + 1] = request->parts[i];
        whole.parts = parts;
        whole.part_count++;
        whole.generation = session->generation;
        status = session_call(session, &whole, cancel, payload);
    } else {
        status = fail(session, -ENOMEM, strerror(ENOMEM));
    }
    free(parts);
    message_writer_free(head);
    return status;
}

int session_request_numbers(struct session *session, uint16_t message, const uint32_t *numbers,
                            size_t count, uint64_t max_reply, const struct cancel *cancel,
                            struct blob **payload)
{
    const struct worker_request request = {.kind = message, .max_reply = max_reply};
    struct message_writer head = {.bytes = NULL};

    for (size_t i = 0; i < count; i++)
        message_write_u32(&head, numbers[i]);
    return session_request(session, &head, &request, cancel, payload);
}

int session_reset(struct session *session, uint16_t message, struct message_writer *head,
                  const struct cancel *cancel)
{
    const struct message_part part = {head->bytes, head->size};
    const struct worker_request request = {
        .kind = message, .parts = &part, .part_count = 1, .max_reply = RENDERER_MAX};
    struct blob *payload = NULL;
    int status;

    session->generation = 0;
    session->notes = 0;
    status = head->bad ? fail(session, -ENOMEM, strerror(ENOMEM))
                       : session_call(session, &request, cancel, &payload);
    blob_unref(&payload);
    message_writer_free(head);
    return status;
}

static bool read_note(struct session *session, struct message_reader *reader)
{
    uint64_t place =
        session->kind->wide_places ? message_read_u64(reader) : message_read_u32(reader);
    uint32_t severity = message_read_u32(reader), length = message_read_u32(reader);
    const uint8_t *text = message_read_bytes(reader, length);
    char sentence[WORKER_REASON];

    if (text == NULL || severity > PROBLEM_ERROR)
        return false;
    snprintf(sentence, sizeof(sentence), "%.*s",
             (int)(length < SENTENCE_MAX ? length : SENTENCE_MAX), (const char *)text);
    if (session->note != NULL)
        session->note(session->context, (enum problem_severity)severity, place, sentence);
    return true;
}

/* Returns whether there are more notes than a worker may send. */
static bool has_too_many(struct session *session, uint32_t count)
{
    const unsigned max = session->kind->notes_max;

    if (count > (max != 0 ? max - session->notes : SESSION_NOTES_MAX))
        return true;
    session->notes += max != 0 ? count : 0;
    return false;
}

int session_read_notes(struct session *session, struct message_reader *reader, uint32_t count)
{
    if (has_too_many(session, count))
        return session_broken(session);
    for (uint32_t i = 0; i < count; i++)
        if (!read_note(session, reader))
            return session_broken(session);
    return message_read_all(reader) ? 0 : session_broken(session);
}

bool session_has_pixels(const struct message_reader *reader, uint32_t width, uint32_t height,
                        uint32_t pixel_bytes)
{
    return !reader->bad && width > 0 && height > 0 && width <= PICTURE_MAX &&
           height <= PICTURE_MAX && reader->left == (uint64_t)width * height * pixel_bytes;
}

int session_broken(struct session *session)
{
    session->generation = 0;
    return fail(session, -EIO, "the graphics worker violated the protocol");
}

#include "config.h"

#include "worker/apitrace.h"

#include "core/picture.h"
#include "worker/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAD_MOST = 64,  /* calls remembered; a trace with more is refused */
    KILLS_MOST = 3, /* by others, one after another; more are a failure */
    NOTES_MOST_BYTES = 1 << 20,
};

struct retrace_session {
    struct worker *worker;
    struct retrace_params params;
    uint64_t generation; /* of the process that has what was built up; 0: none */
    uint64_t bad[BAD_MOST];
    uint32_t bad_count;
    uint32_t kills; /* by others, since something was made last */
    char reason[WORKER_REASON];
};

int retrace_create(struct worker *worker, const struct retrace_params *params,
                   struct retrace_session **out)
{
    struct retrace_session *session = calloc(1, sizeof(*session));

    if (session == NULL)
        return -ENOMEM;
    session->worker = worker;
    session->params = *params;
    *out = session;
    return 0;
}

void retrace_destroy(struct retrace_session **session)
{
    free(*session);
    *session = NULL;
}

const char *retrace_reason(const struct retrace_session *session)
{
    return session->reason;
}

/* Remembers the call that the process died of; whether that is anything new. */
static bool learn(struct retrace_session *session, const struct worker_trail *trail)
{
    uint64_t call = trail->subjects[0] - 1;

    if (trail->act != WORKER_ACT_CALL || trail->subjects[0] == 0 || session->bad_count == BAD_MOST)
        return false;
    for (uint32_t i = 0; i < session->bad_count; i++)
        if (session->bad[i] == call)
            return false;
    session->bad[session->bad_count++] = call;
    return true;
}

/* worker_call(), with what its failure means for the session. */
static int call(struct retrace_session *session, struct worker_request *request,
                const struct cancel *cancel, struct blob **payload)
{
    struct worker_reply reply;
    int status = worker_call(session->worker, request, cancel, &reply);

    *payload = reply.payload;
    snprintf(session->reason, sizeof(session->reason), "%s", reply.reason);
    if (status == 0)
        session->generation = reply.generation;
    if (status == -ESTALE)
        snprintf(session->reason, sizeof(session->reason), "the graphics worker has begun anew");
    if (status == -ESTALE || reply.died)
        session->generation = 0;
    session->kills += reply.killed;
    if (status == 0 && request->kind >= MESSAGE_RETRACE_PICTURE)
        session->kills = 0;
    if (reply.killed && status == -EIO && session->kills <= KILLS_MOST)
        status = -ESTALE;
    else if (reply.died && !reply.killed && learn(session, &reply.trail) &&
             (status == -EIO || status == -ETIMEDOUT))
        status = -EAGAIN;
    return status;
}

/* A call that relies on what was built up: some numbers, and bytes behind them. */
static int call_on(struct retrace_session *session, uint16_t kind, struct message_writer *writer,
                   const struct worker_part *bytes, uint64_t most, const struct cancel *cancel,
                   struct blob **payload)
{
    struct worker_part parts[2] = {{writer->bytes, writer->size}};
    struct worker_request request = {.kind = kind,
                                     .parts = parts,
                                     .part_count = 1,
                                     .most = most,
                                     .generation = session->generation};
    int status;

    *payload = NULL;
    if (bytes != NULL)
        parts[request.part_count++] = *bytes;
    if (session->generation == 0) {
        snprintf(session->reason, sizeof(session->reason), "the graphics worker has begun anew");
        status = -ESTALE;
    } else {
        status = writer->bad ? -ENOMEM : call(session, &request, cancel, payload);
    }
    message_writer_free(writer);
    return status;
}

/* A reply that does not have the shape of its kind. */
static int misshapen(struct retrace_session *session)
{
    snprintf(session->reason, sizeof(session->reason), "the graphics worker broke the protocol");
    session->generation = 0;
    return -EIO;
}

void retrace_hurry(struct retrace_session *session, bool hurry)
{
    worker_hurry(session->worker, hurry);
}

static void write_reset(struct message_writer *writer, const struct retrace_session *session,
                        const struct retrace_drawable *drawables, size_t count)
{
    message_write_u64(writer, session->params.texture_bytes);
    message_write_u32(writer, (uint32_t)count);
    message_write_u32(writer, session->bad_count);
    for (size_t i = 0; i < count; i++) {
        message_write_u64(writer, drawables[i].call);
        message_write_u64(writer, drawables[i].handle);
        message_write_u32(writer, drawables[i].width);
        message_write_u32(writer, drawables[i].height);
        message_write_u32(writer, drawables[i].samples);
        message_write_u32(writer, 0);
    }
    for (uint32_t i = 0; i < session->bad_count; i++)
        message_write_u64(writer, session->bad[i]);
}

int retrace_reset(struct retrace_session *session, const struct retrace_drawable *drawables,
                  size_t count, const struct cancel *cancel)
{
    struct message_writer writer = {.bytes = NULL};
    struct worker_part part;
    struct worker_request request = {
        .kind = MESSAGE_RETRACE_RESET, .parts = &part, .part_count = 1, .most = 256};
    struct blob *payload;
    int status = -ENOMEM;

    if (count > RETRACE_DRAWABLES_MOST)
        return -EFBIG;
    session->generation = 0;
    write_reset(&writer, session, drawables, count);
    if (!writer.bad) {
        part = (struct worker_part){writer.bytes, writer.size};
        status = call(session, &request, cancel, &payload);
        blob_unref(&payload);
    }
    message_writer_free(&writer);
    return status;
}

static int read_note(struct retrace_session *session, struct message_reader *reader)
{
    uint64_t number = message_read_u64(reader);
    uint32_t severity = message_read_u32(reader), length = message_read_u32(reader);
    const uint8_t *text = message_read_bytes(reader, length);
    char sentence[WORKER_REASON];

    if (text == NULL || severity > PROBLEM_ERROR)
        return -EPROTO;
    snprintf(sentence, sizeof(sentence), "%.*s", (int)(length < 300 ? length : 300),
             (const char *)text);
    if (session->params.note != NULL)
        session->params.note(session->params.context, (enum problem_severity)severity, number,
                             sentence);
    return 0;
}

/* What a feed tells: how far it came, and what it met. */
static int read_progress(struct retrace_session *session, const struct blob *payload,
                         struct retrace_progress *out)
{
    struct message_reader reader;
    struct retrace_progress progress;
    uint32_t state, notes;

    message_reader_init(&reader, payload->data, payload->size);
    progress.next = message_read_u64(&reader);
    progress.listed = message_read_u64(&reader);
    progress.call = message_read_u64(&reader);
    progress.skipped = message_read_u64(&reader);
    state = message_read_u32(&reader);
    notes = message_read_u32(&reader);
    if (state > RETRACE_ENDED)
        return misshapen(session);
    progress.state = (enum retrace_state)state;
    for (uint32_t i = 0; i < notes; i++)
        if (read_note(session, &reader) < 0)
            return misshapen(session);
    if (!message_read_all(&reader))
        return misshapen(session);
    *out = progress;
    return 0;
}

int retrace_feed(struct retrace_session *session, const struct retrace_feed *feed,
                 const struct cancel *cancel, struct retrace_progress *progress)
{
    const struct worker_part bytes = {feed->bytes, feed->size};
    struct message_writer writer = {.bytes = NULL};
    struct blob *payload;
    int status;

    message_write_u64(&writer, feed->offset);
    message_write_u64(&writer, feed->stop);
    message_write_u32(&writer, feed->flags);
    message_write_u32(&writer, 0);
    status =
        call_on(session, MESSAGE_RETRACE_FEED, &writer, &bytes, NOTES_MOST_BYTES, cancel, &payload);
    if (status == 0)
        status = read_progress(session, payload, progress);
    blob_unref(&payload);
    return status;
}

static int read_picture(struct retrace_session *session, struct blob *payload,
                        struct retrace_picture *out)
{
    struct message_reader reader;
    uint32_t real;

    message_reader_init(&reader, payload->data, payload->size);
    out->width = message_read_u32(&reader);
    out->height = message_read_u32(&reader);
    out->pixel_bytes = message_read_u32(&reader);
    real = message_read_u32(&reader);
    out->real = real == 1;
    out->pixels = reader.next;
    if (reader.bad || out->width == 0 || out->height == 0 || real > 1 || out->pixel_bytes > 16 ||
        out->width > PICTURE_MAX || out->height > PICTURE_MAX ||
        reader.left != (uint64_t)out->width * out->height * out->pixel_bytes) {
        blob_unref(&payload);
        return misshapen(session);
    }
    out->owner = payload;
    return 0;
}

static int ask_picture(struct retrace_session *session, uint16_t kind, const uint32_t *numbers,
                       size_t count, const struct cancel *cancel, struct retrace_picture *out)
{
    struct message_writer writer = {.bytes = NULL};
    struct blob *payload;
    int status;

    for (size_t i = 0; i < count; i++)
        message_write_u32(&writer, numbers[i]);
    status = call_on(session, kind, &writer, NULL, WORKER_PAYLOAD_MAX, cancel, &payload);
    return status < 0 ? status : read_picture(session, payload, out);
}

int retrace_picture(struct retrace_session *session, const struct retrace_picture_request *request,
                    const struct cancel *cancel, struct retrace_picture *out)
{
    const uint32_t numbers[] = {request->kind, request->width, request->height};

    return ask_picture(session, MESSAGE_RETRACE_PICTURE, numbers, 3, cancel, out);
}

int retrace_texture(struct retrace_session *session, const struct retrace_texture_request *request,
                    const struct cancel *cancel, struct retrace_picture *out)
{
    const uint32_t numbers[] = {request->name, request->target, request->level, request->layer};

    return ask_picture(session, MESSAGE_RETRACE_TEXTURE, numbers, 4, cancel, out);
}

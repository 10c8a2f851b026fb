#include "config.h"

#include "worker/aerogpu.h"

#include "core/picture.h"
#include "worker/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAD_MOST = 256, /* shaders remembered; a dump with more is refused */
    KILLS_MOST = 3, /* by others, one after another; more are a failure */
    NOTES_MOST_BYTES = 1 << 20,
};

struct aero_session {
    struct worker *worker;
    struct aero_params params;
    uint64_t generation; /* of the process that has what was built up; 0: none */
    uint64_t bad[BAD_MOST];
    uint32_t bad_count;
    uint32_t kills; /* by others, since something was made last */
    char reason[WORKER_REASON];
};

int aero_create(struct worker *worker, const struct aero_params *params, struct aero_session **out)
{
    struct aero_session *session = calloc(1, sizeof(*session));

    if (session == NULL)
        return -ENOMEM;
    session->worker = worker;
    session->params = *params;
    *out = session;
    return 0;
}

void aero_destroy(struct aero_session **session)
{
    free(*session);
    *session = NULL;
}

const char *aero_reason(const struct aero_session *session)
{
    return session->reason;
}

uint64_t aero_shader_name(const void *bytecode, size_t size)
{
    uint64_t name = 0xCBF29CE484222325;

    for (const uint8_t *byte = bytecode; size > 0; size--, byte++)
        name = (name ^ *byte) * 0x100000001B3;
    return name == 0 ? 1 : name;
}

static bool is_bad(const struct aero_session *session, uint64_t shader)
{
    for (uint32_t i = 0; i < session->bad_count; i++)
        if (session->bad[i] == shader)
            return true;
    return false;
}

/* Remembers what the process died of; whether that is anything new. */
static bool learn(struct aero_session *session, const struct worker_trail *trail)
{
    bool learned = false;

    if (trail->act == WORKER_ACT_NONE || trail->act > WORKER_ACT_DRAW)
        return false;
    for (int i = 0; i < WORKER_SUBJECTS; i++)
        if (trail->subjects[i] != 0 && !is_bad(session, trail->subjects[i]) &&
            session->bad_count < BAD_MOST) {
            session->bad[session->bad_count++] = trail->subjects[i];
            learned = true;
        }
    return learned;
}

/* worker_call(), with what its failure means for the session. */
static int call(struct aero_session *session, struct worker_request *request,
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
    if (status == -EINTR || status == -ESTALE || reply.died)
        session->generation = 0;
    session->kills += reply.killed;
    if (status == 0 &&
        (request->kind == MESSAGE_TRANSLATE || request->kind >= MESSAGE_AERO_PICTURE))
        session->kills = 0;
    if (reply.killed && status == -EIO && session->kills <= KILLS_MOST)
        status = -ESTALE;
    else if (reply.died && !reply.killed && learn(session, &reply.trail) &&
             (status == -EIO || status == -ETIMEDOUT))
        status = -EAGAIN;
    return status;
}

/* A call that relies on what was built up. */
static int call_on(struct aero_session *session, struct worker_request *request,
                   const struct cancel *cancel, struct blob **payload)
{
    *payload = NULL;
    if (session->generation == 0) {
        snprintf(session->reason, sizeof(session->reason), "the graphics worker has begun anew");
        return -ESTALE;
    }
    request->generation = session->generation;
    return call(session, request, cancel, payload);
}

/* A reply that does not have the shape of its kind. */
static int misshapen(struct aero_session *session)
{
    snprintf(session->reason, sizeof(session->reason), "the graphics worker broke the protocol");
    session->generation = 0;
    return -EIO;
}

int aero_reset(struct aero_session *session, uint32_t flags, const struct cancel *cancel)
{
    struct message_writer writer = {.bytes = NULL};
    struct worker_part part;
    struct worker_request request = {
        .kind = MESSAGE_AERO_RESET, .parts = &part, .part_count = 1, .most = 256};
    struct blob *payload;
    int status = -ENOMEM;

    session->generation = 0;
    message_write_u32(&writer, flags);
    message_write_u32(&writer, session->params.width);
    message_write_u32(&writer, session->params.height);
    message_write_u32(&writer, session->bad_count);
    message_write_u64(&writer, session->params.texture_bytes);
    for (uint32_t i = 0; i < session->bad_count; i++)
        message_write_u64(&writer, session->bad[i]);
    if (!writer.bad) {
        part = (struct worker_part){writer.bytes, writer.size};
        status = call(session, &request, cancel, &payload);
        blob_unref(&payload);
    }
    message_writer_free(&writer);
    return status;
}

static int read_note(struct aero_session *session, struct message_reader *reader)
{
    uint32_t offset = message_read_u32(reader), severity = message_read_u32(reader);
    uint32_t length = message_read_u32(reader);
    const uint8_t *text = message_read_bytes(reader, length);
    char sentence[WORKER_REASON];

    if (text == NULL || severity > PROBLEM_ERROR)
        return -EPROTO;
    snprintf(sentence, sizeof(sentence), "%.*s", (int)(length < 300 ? length : 300),
             (const char *)text);
    if (session->params.note != NULL)
        session->params.note(session->params.context, (enum problem_severity)severity, offset,
                             sentence);
    return 0;
}

/* What a run tells: how far it came, and what it met. */
static int read_progress(struct aero_session *session, const struct blob *payload,
                         struct aero_progress *out)
{
    struct message_reader reader;
    struct aero_progress progress;
    uint32_t notes;

    message_reader_init(&reader, payload->data, payload->size);
    progress.position = message_read_u32(&reader);
    progress.commands = message_read_u32(&reader);
    progress.presents = message_read_u32(&reader);
    notes = message_read_u32(&reader);
    for (uint32_t i = 0; i < notes; i++)
        if (read_note(session, &reader) < 0)
            return misshapen(session);
    if (!message_read_all(&reader))
        return misshapen(session);
    if (out != NULL)
        *out = progress;
    return 0;
}

static int run(struct aero_session *session, struct worker_request *request,
               const struct cancel *cancel, struct aero_progress *progress)
{
    struct blob *payload;
    int status;

    request->most = NOTES_MOST_BYTES;
    status = call_on(session, request, cancel, &payload);
    if (status == 0)
        status = read_progress(session, payload, progress);
    blob_unref(&payload);
    return status;
}

int aero_submit(struct aero_session *session, const struct aero_submission *submission,
                const struct cancel *cancel, struct aero_progress *progress)
{
    struct message_writer writer = {.bytes = NULL};
    struct worker_part *parts;
    struct worker_request request = {.kind = MESSAGE_AERO_SUBMIT};
    size_t count = 0;
    int status = -ENOMEM;

    if (submission->range_count > AERO_RANGES_MAX || submission->size > UINT32_MAX)
        return -EFBIG;
    parts = calloc(submission->range_count + 2, sizeof(*parts));
    message_write_u32(&writer, submission->dialect);
    message_write_u32(&writer, submission->until);
    message_write_u32(&writer, (uint32_t)submission->size);
    message_write_u32(&writer, (uint32_t)submission->range_count);
    for (size_t i = 0; i < submission->range_count; i++) {
        message_write_u64(&writer, submission->ranges[i].id);
        message_write_u32(&writer, submission->ranges[i].flags);
        message_write_u32(&writer, 0);
        message_write_u64(&writer, submission->ranges[i].size);
    }
    if (parts != NULL && !writer.bad) {
        parts[count++] = (struct worker_part){writer.bytes, writer.size};
        parts[count++] = (struct worker_part){submission->commands, submission->size};
        for (size_t i = 0; i < submission->range_count; i++)
            parts[count++] =
                (struct worker_part){submission->ranges[i].data, submission->ranges[i].size};
        request.parts = parts;
        request.part_count = count;
        status = run(session, &request, cancel, progress);
    }
    free(parts);
    message_writer_free(&writer);
    return status;
}

/* A request of a few numbers. */
static int ask(struct aero_session *session, uint16_t kind, const uint32_t *numbers, size_t count,
               uint64_t most, const struct cancel *cancel, struct blob **payload)
{
    struct message_writer writer = {.bytes = NULL};
    struct worker_part part;
    struct worker_request request = {.kind = kind, .parts = &part, .part_count = 1, .most = most};
    int status = -ENOMEM;

    *payload = NULL;
    for (size_t i = 0; i < count; i++)
        message_write_u32(&writer, numbers[i]);
    if (!writer.bad) {
        part = (struct worker_part){writer.bytes, writer.size};
        status = call_on(session, &request, cancel, payload);
    }
    message_writer_free(&writer);
    return status;
}

int aero_continue(struct aero_session *session, uint32_t until, const struct cancel *cancel,
                  struct aero_progress *progress)
{
    struct blob *payload;
    int status = ask(session, MESSAGE_AERO_CONTINUE, &until, 1, NOTES_MOST_BYTES, cancel, &payload);

    if (status == 0)
        status = read_progress(session, payload, progress);
    blob_unref(&payload);
    return status;
}

/* A request of a few numbers whose reply is empty. */
static int order(struct aero_session *session, uint16_t kind, const uint32_t *numbers, size_t count,
                 const struct cancel *cancel)
{
    struct blob *payload;
    int status = ask(session, kind, numbers, count, 0, cancel, &payload);

    blob_unref(&payload);
    return status;
}

int aero_save(struct aero_session *session, uint32_t slot, const struct cancel *cancel)
{
    return order(session, MESSAGE_AERO_SAVE, &slot, 1, cancel);
}

int aero_load(struct aero_session *session, uint32_t slot, uint32_t flags,
              const struct cancel *cancel)
{
    const uint32_t numbers[] = {slot, flags};

    return order(session, MESSAGE_AERO_LOAD, numbers, 2, cancel);
}

int aero_forget(struct aero_session *session, uint32_t slot, const struct cancel *cancel)
{
    return order(session, MESSAGE_AERO_FORGET, &slot, 1, cancel);
}

int aero_picture(struct aero_session *session, const struct aero_picture_request *request,
                 const struct cancel *cancel, struct aero_picture *out)
{
    const uint32_t numbers[] = {request->kind, request->index, request->handle, request->mip,
                                request->layer};
    struct message_reader reader;
    struct blob *payload;
    uint32_t depth;
    int status =
        ask(session, MESSAGE_AERO_PICTURE, numbers, 5, WORKER_PAYLOAD_MAX, cancel, &payload);

    if (status < 0)
        return status;
    message_reader_init(&reader, payload->data, payload->size);
    out->width = message_read_u32(&reader);
    out->height = message_read_u32(&reader);
    out->format = message_read_u32(&reader);
    depth = message_read_u32(&reader);
    out->depth = depth == 1;
    out->pixels = reader.next;
    if (reader.bad || out->width == 0 || out->height == 0 || depth > 1 ||
        out->width > PICTURE_MAX || out->height > PICTURE_MAX ||
        reader.left != (uint64_t)out->width * out->height * 4) {
        blob_unref(&payload);
        return misshapen(session);
    }
    out->owner = payload;
    return 0;
}

int aero_content(struct aero_session *session, uint32_t handle, const struct cancel *cancel,
                 struct blob **out)
{
    return ask(session, MESSAGE_AERO_CONTENT, &handle, 1, WORKER_PAYLOAD_MAX, cancel, out);
}

/* The next `size` bytes as a blob of their own. */
static int read_blob(struct message_reader *reader, uint32_t size, struct blob **out)
{
    const uint8_t *bytes = message_read_bytes(reader, size);
    int status = bytes == NULL ? -EPROTO : blob_create(size, out);

    if (status == 0 && size > 0)
        memcpy((*out)->data, bytes, size);
    return status;
}

int aero_translate(struct aero_session *session, const void *bytecode, size_t size,
                   const struct cancel *cancel, struct aero_translation *out)
{
    const struct worker_part part = {.data = bytecode, .size = size};
    struct worker_request request = {
        .kind = MESSAGE_TRANSLATE, .parts = &part, .part_count = 1, .most = 64 << 20};
    const uint64_t generation = session->generation;
    struct message_reader reader;
    struct blob *payload;
    uint32_t spirv, glsl;
    int status;

    *out = (struct aero_translation){.spirv = NULL};
    if (is_bad(session, aero_shader_name(bytecode, size))) {
        snprintf(session->reason, sizeof(session->reason),
                 "the shader killed the graphics worker before");
        return -EIO;
    }
    status = call(session, &request, cancel, &payload);
    if (status == -EAGAIN)
        status = -EIO;
    /* The same process still has what was built up; another one never had it. */
    if (session->generation != generation)
        session->generation = 0;
    if (status < 0)
        return status;
    message_reader_init(&reader, payload->data, payload->size);
    spirv = message_read_u32(&reader);
    glsl = message_read_u32(&reader);
    status = read_blob(&reader, spirv, &out->spirv);
    if (status == 0)
        status = read_blob(&reader, glsl, &out->glsl);
    if (status == 0 && !message_read_all(&reader))
        status = -EPROTO;
    if (status < 0) {
        blob_unref(&out->spirv);
        blob_unref(&out->glsl);
    }
    blob_unref(&payload);
    return status == -EPROTO ? misshapen(session) : status;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "formats/aerogpu/replay/worker_session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct aerogpu_session {
    struct session base;
    struct aerogpu_session_params params;
};

/* Gets the shaders and draws that the breadcrumb names, by the names that the worker gave them. */
static unsigned suspects(const struct breadcrumb *breadcrumb, uint64_t names[BREADCRUMB_SUBJECTS])
{
    unsigned count = 0;

    if (breadcrumb->activity == BREADCRUMB_NONE || breadcrumb->activity > BREADCRUMB_DRAW)
        return 0;
    for (int i = 0; i < BREADCRUMB_SUBJECTS; i++)
        if (breadcrumb->subjects[i] != 0)
            names[count++] = breadcrumb->subjects[i];
    return count;
}

static const struct session_kind kind = {
    .suspects = suspects,
    .bad_max = 256,
    .makes = SESSION_MAKES(MESSAGE_TRANSLATE) | SESSION_MAKES(AEROGPU_MESSAGE_PICTURE) |
             SESSION_MAKES(AEROGPU_MESSAGE_CONTENT) | SESSION_MAKES(AEROGPU_MESSAGE_SAVE) |
             SESSION_MAKES(AEROGPU_MESSAGE_LOAD) | SESSION_MAKES(AEROGPU_MESSAGE_FORGET) |
             SESSION_MAKES(AEROGPU_MESSAGE_PROBE),
    .cancel_ends = true,
};

int aerogpu_session_create(struct worker *worker, const struct aerogpu_session_params *params,
                           struct aerogpu_session **out)
{
    struct aerogpu_session *session = calloc(1, sizeof(*session));

    if (session == NULL)
        return -ENOMEM;
    session_init(&session->base, &kind, worker, params->note, params->context);
    session->params = *params;
    *out = session;
    return 0;
}

void aerogpu_session_destroy(struct aerogpu_session **session)
{
    free(*session);
    *session = NULL;
}

const char *aerogpu_session_reason(const struct aerogpu_session *session)
{
    return session->base.reason;
}

int aerogpu_session_reset(struct aerogpu_session *session, uint32_t flags,
                          const struct cancel *cancel)
{
    struct message_writer writer = {.bytes = NULL};

    message_write_u32(&writer, flags);
    message_write_u32(&writer, session->params.width);
    message_write_u32(&writer, session->params.height);
    message_write_u32(&writer, session->base.bad_count);
    message_write_u64(&writer, session->params.texture_bytes);
    session_write_bad(&session->base, &writer);
    return session_reset(&session->base, AEROGPU_MESSAGE_RESET, &writer, cancel);
}

/* Reads the result of a run: how far it came, and its notes. */
static int read_progress(struct aerogpu_session *session, struct message_reader *reader,
                         struct aerogpu_session_progress *out)
{
    struct aerogpu_session_progress progress;
    int status;

    progress.position = message_read_u32(reader);
    progress.commands = message_read_u32(reader);
    progress.presents = message_read_u32(reader);
    status = session_read_notes(&session->base, reader, message_read_u32(reader));
    if (status == 0 && out != NULL)
        *out = progress;
    return status;
}

static void write_submission(struct message_writer *writer,
                             const struct aerogpu_session_submission *submission)
{
    message_write_u32(writer, submission->dialect);
    message_write_u32(writer, submission->until);
    message_write_u32(writer, (uint32_t)submission->size);
    message_write_u32(writer, (uint32_t)submission->range_count);
    for (size_t i = 0; i < submission->range_count; i++) {
        message_write_u64(writer, submission->ranges[i].id);
        message_write_u32(writer, submission->ranges[i].flags);
        message_write_u32(writer, 0);
        message_write_u64(writer, submission->ranges[i].size);
    }
}

int aerogpu_session_submit(struct aerogpu_session *session,
                           const struct aerogpu_session_submission *submission,
                           const struct cancel *cancel, struct aerogpu_session_progress *progress)
{
    struct message_writer writer = {.bytes = NULL};
    struct message_part *parts;
    struct worker_request request = {.kind = AEROGPU_MESSAGE_SUBMIT,
                                     .max_reply = SESSION_NOTES_BYTES};
    struct message_reader reader;
    struct blob *payload;
    int status;

    if (submission->range_count > AEROGPU_SESSION_RANGES_MAX || submission->size > UINT32_MAX)
        return -EFBIG;
    parts = calloc(submission->range_count + 1, sizeof(*parts));
    if (parts == NULL)
        return -ENOMEM;
    parts[request.part_count++] = (struct message_part){submission->commands, submission->size};
    for (size_t i = 0; i < submission->range_count; i++)
        parts[request.part_count++] =
            (struct message_part){submission->ranges[i].data, submission->ranges[i].size};
    request.parts = parts;
    write_submission(&writer, submission);
    status = session_request(&session->base, &writer, &request, cancel, &payload);
    if (status == 0) {
        message_reader_init(&reader, payload->data, payload->size);
        status = read_progress(session, &reader, progress);
    }
    blob_unref(&payload);
    free(parts);
    return status;
}

int aerogpu_session_continue(struct aerogpu_session *session, uint32_t until,
                             const struct cancel *cancel, struct aerogpu_session_progress *progress)
{
    struct message_reader reader;
    struct blob *payload;
    int status = session_request_numbers(&session->base, AEROGPU_MESSAGE_CONTINUE, &until, 1,
                                         SESSION_NOTES_BYTES, cancel, &payload);

    if (status == 0) {
        message_reader_init(&reader, payload->data, payload->size);
        status = read_progress(session, &reader, progress);
    }
    blob_unref(&payload);
    return status;
}

/* Sends a request of a few numbers whose reply is empty. */
static int order(struct aerogpu_session *session, uint16_t message, const uint32_t *numbers,
                 size_t count, const struct cancel *cancel)
{
    struct blob *payload;
    int status =
        session_request_numbers(&session->base, message, numbers, count, 0, cancel, &payload);

    blob_unref(&payload);
    return status;
}

int aerogpu_session_save(struct aerogpu_session *session, uint32_t slot,
                         const struct cancel *cancel)
{
    return order(session, AEROGPU_MESSAGE_SAVE, &slot, 1, cancel);
}

int aerogpu_session_load(struct aerogpu_session *session, uint32_t slot, uint32_t flags,
                         const struct cancel *cancel)
{
    const uint32_t numbers[] = {slot, flags};

    return order(session, AEROGPU_MESSAGE_LOAD, numbers, 2, cancel);
}

int aerogpu_session_forget(struct aerogpu_session *session, uint32_t slot,
                           const struct cancel *cancel)
{
    return order(session, AEROGPU_MESSAGE_FORGET, &slot, 1, cancel);
}

int aerogpu_session_picture(struct aerogpu_session *session,
                            const struct aerogpu_picture_request *request,
                            const struct cancel *cancel, struct aerogpu_picture *out)
{
    const uint32_t numbers[] = {request->kind, request->index, request->handle, request->mip,
                                request->layer};
    struct message_reader reader;
    struct blob *payload;
    uint32_t depth;
    int status = session_request_numbers(&session->base, AEROGPU_MESSAGE_PICTURE, numbers, 5,
                                         WORKER_PAYLOAD_MAX, cancel, &payload);

    if (status < 0)
        return status;
    message_reader_init(&reader, payload->data, payload->size);
    out->width = message_read_u32(&reader);
    out->height = message_read_u32(&reader);
    out->format = message_read_u32(&reader);
    depth = message_read_u32(&reader);
    out->depth = depth == 1;
    out->pixels = reader.next;
    if (depth > 1 || !session_has_pixels(&reader, out->width, out->height, 4)) {
        blob_unref(&payload);
        return session_broken(&session->base);
    }
    out->owner = payload;
    return 0;
}

int aerogpu_session_content(struct aerogpu_session *session, uint32_t handle,
                            const struct cancel *cancel, struct blob **out)
{
    return session_request_numbers(&session->base, AEROGPU_MESSAGE_CONTENT, &handle, 1,
                                   WORKER_PAYLOAD_MAX, cancel, out);
}

/* Runs the next command as a probe. The caller owns *payload. */
static int send_probe(struct aerogpu_session *session, uint32_t flags,
                      const struct aerogpu_probe_request *request, const struct cancel *cancel,
                      struct message_reader *reader, struct blob **payload)
{
    const uint32_t numbers[] = {flags,          request->handle, request->mip,
                                request->layer, request->x,      request->y};
    int status = session_request_numbers(&session->base, AEROGPU_MESSAGE_PROBE, numbers, 6,
                                         WORKER_PAYLOAD_MAX, cancel, payload);

    if (status == 0)
        message_reader_init(reader, (*payload)->data, (*payload)->size);
    return status;
}

/* Reads a value of 4 bytes. Returns whether it is present. */
static bool read_value(struct message_reader *reader, void *to)
{
    bool is_there = message_read_u32(reader) == 1;
    const uint8_t *bytes = message_read_bytes(reader, 4);

    if (bytes != NULL)
        memcpy(to, bytes, 4);
    return is_there && bytes != NULL;
}

int aerogpu_session_probe(struct aerogpu_session *session,
                          const struct aerogpu_probe_request *request, const struct cancel *cancel,
                          struct aerogpu_probe *out)
{
    struct message_reader reader;
    struct blob *payload = NULL;
    uint32_t outcome;
    int status = send_probe(session, 0, request, cancel, &reader, &payload);

    if (status < 0)
        return status;
    *out = (struct aerogpu_probe){.drawn = message_read_u32(&reader) == 1};
    outcome = message_read_u32(&reader);
    out->outcome =
        outcome < AEROGPU_OUTCOMES ? (enum aerogpu_outcome)outcome : AEROGPU_OUTCOME_UNKNOWN;
    out->had_colour = read_value(&reader, out->before);
    out->has_colour = read_value(&reader, out->after);
    out->had_depth = read_value(&reader, &out->depth_before);
    out->has_depth = read_value(&reader, &out->depth_after);
    status = read_progress(session, &reader, NULL);
    blob_unref(&payload);
    return status;
}

int aerogpu_session_mask(struct aerogpu_session *session,
                         const struct aerogpu_probe_request *request, const struct cancel *cancel,
                         struct blob **mask)
{
    struct message_reader reader;
    struct blob *payload = NULL;
    int status = send_probe(session, AEROGPU_PROBE_MASK, request, cancel, &reader, &payload);

    *mask = NULL;
    if (status < 0)
        return status;
    status = message_read_blob(&reader, message_read_u32(&reader), mask);
    if (status == -EPROTO)
        status = session_broken(&session->base);
    if (status == 0)
        status = read_progress(session, &reader, NULL);
    if (status != 0)
        blob_unref(mask);
    blob_unref(&payload);
    return status;
}

int aerogpu_session_translate(struct aerogpu_session *session, const void *bytecode, size_t size,
                              const struct cancel *cancel, struct shader_translation *out)
{
    return shader_translation_make(&session->base, bytecode, size, cancel, out);
}

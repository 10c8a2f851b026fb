/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/shader_translation.h"

#include <errno.h>
#include <stdio.h>

enum {
    REPLY_MAX = 64 << 20,
    TRIES_MAX = 8, /* more than the number of kills in a row that session_call() tolerates */
};

static unsigned suspects(const struct breadcrumb *breadcrumb, uint64_t names[BREADCRUMB_SUBJECTS])
{
    names[0] = breadcrumb->subjects[0];
    return breadcrumb->activity == BREADCRUMB_TRANSLATE && names[0] != 0;
}

const struct session_kind shader_translation_session = {
    .suspects = suspects,
    .bad_max = SESSION_BAD_MAX,
    .makes = SESSION_MAKES(MESSAGE_TRANSLATE),
};

static void make_plain(struct blob *text)
{
    size_t n = 0;

    while ((n += message_plain_bytes(text->data + n, text->size - n)) < text->size)
        text->data[n] = '?';
}

static int read_reply(const struct blob *payload, struct shader_translation *out)
{
    struct message_reader reader;
    uint32_t spirv, glsl;
    int status;

    message_reader_init(&reader, payload->data, payload->size);
    spirv = message_read_u32(&reader);
    glsl = message_read_u32(&reader);
    status = message_read_blob(&reader, spirv, &out->spirv);
    if (status == 0)
        status = message_read_blob(&reader, glsl, &out->glsl);
    if (status == 0)
        make_plain(out->glsl);
    if (status == 0 && !message_read_all(&reader))
        status = -EPROTO;
    if (status < 0)
        shader_translation_clear(out);
    return status;
}

int shader_translation_make(struct session *session, const void *bytecode, size_t size,
                            const struct cancel *cancel, struct shader_translation *out)
{
    const struct message_part part = {.data = bytecode, .size = size};
    const struct worker_request request = {
        .kind = MESSAGE_TRANSLATE, .parts = &part, .part_count = 1, .max_reply = REPLY_MAX};
    const uint64_t generation = session->generation;
    struct blob *payload;
    int status = -ESTALE;

    *out = (struct shader_translation){.spirv = NULL};
    if (session_is_bad(session, breadcrumb_name(bytecode, size))) {
        snprintf(session->reason, sizeof(session->reason),
                 "the shader killed the graphics worker before");
        return -EIO;
    }
    /* If others kill the process again and again, session_call() returns -EIO. */
    for (unsigned n = 0; n < TRIES_MAX && status == -ESTALE; n++)
        status = session_call(session, &request, cancel, &payload);
    /* Only the process that had the session's state before still has it. */
    if (session->generation != generation)
        session->generation = 0;
    if (status < 0)
        return status == -EAGAIN || status == -ESTALE ? -EIO : status;
    status = read_reply(payload, out);
    blob_unref(&payload);
    return status == -EPROTO ? session_broken(session) : status;
}

void shader_translation_clear(struct shader_translation *translation)
{
    blob_unref(&translation->spirv);
    blob_unref(&translation->glsl);
}

/* SPDX-License-Identifier: MIT */
/* The session: receives records, and makes their calls one after the other. */
#include "config.h"

#include "glworker/vk/session.h"

#include "base/clock.h"
#include "base/problems.h"
#include "glworker/core/breadcrumb_page.h"
#include "glworker/core/graphics.h"
#include "glworker/vk/device.h"
#include "glworker/vk/memory.h"
#include "glworker/vk/swapchain.h"
#include "glworker/vk/wait.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLICE_MS = 500 };

/* The only session; NULL if there was no reset yet. */
static struct vk_session *session;

bool vk_note(struct vk_session *of, const char *format, ...)
{
    char text[200], sentence[300];
    va_list arguments;

    if (of->note_total >= GAPIR_VK_NOTES_MAX)
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    snprintf(sentence, sizeof(sentence), "%.64s: %s", of->name, text);
    message_write_u64(&of->notes, of->number);
    message_write_u32(&of->notes, PROBLEM_WARNING);
    message_write_u32(&of->notes, (uint32_t)strlen(sentence));
    message_write_bytes(&of->notes, sentence, strlen(sentence));
    of->note_count++;
    of->note_total++;
    return false;
}

static void end(void)
{
    if (session == NULL)
        return;
    vk_devices_end(session);
    vk_memory_clear(session);
    vk_scratch_clear(session);
    message_writer_free(&session->notes);
    free(session->objects);
    free(session);
    session = NULL;
}

static int handle_reset(struct message_reader *request, struct serve_answer *answer)
{
    static const char driver[] = "lavapipe";
    int status = graphics_start(answer->reason);

    if (status < 0)
        return status;
    if (!vulkan_is_loaded())
        return serve_refuse(answer, -ENODEV, "this process has no Vulkan driver");
    serve_begin_session(end);
    session = calloc(1, sizeof(*session));
    if (session == NULL)
        return -ENOMEM;
    session->name = "";
    session->bad_count = message_read_u32(request);
    if (session->bad_count > GAPIR_BAD_CALLS_MAX) {
        end();
        return -EPROTO;
    }
    for (uint32_t n = 0; n < session->bad_count; n++)
        session->bad[n] = message_read_u64(request);
    message_write_bytes(&answer->body, driver, strlen(driver));
    return message_read_all(request) ? 0 : -EPROTO;
}

static bool is_bad(uint64_t number)
{
    for (uint32_t n = 0; n < session->bad_count; n++)
        if (session->bad[n] == number)
            return true;
    return false;
}

static bool take_block(struct message_reader *reader)
{
    uint64_t address = message_read_u64(reader), size = message_read_u64(reader);

    return !reader->bad && vk_memory_add(session, address, size);
}

static bool take_bytes(struct message_reader *reader)
{
    uint64_t address = message_read_u64(reader);
    uint32_t size = message_read_u32(reader);
    const uint8_t *bytes = message_read_bytes(reader, size);
    uint8_t *place = bytes != NULL ? vk_memory_at(session, address, size) : NULL;

    /* If the window could not be mapped, there is nowhere to put them. */
    if (place != NULL)
        memcpy(place, bytes, size);
    return !reader->bad;
}

static bool take_call(struct message_reader *reader)
{
    char name[GAPIR_CALL_NAME_MAX] = "";
    uint64_t arguments[VK_ARGUMENTS_MAX] = {0}, number = message_read_u64(reader);
    uint32_t length = message_read_u32(reader), count;
    const uint8_t *bytes = message_read_bytes(reader, length);

    if (bytes == NULL || length >= sizeof(name))
        return false;
    memcpy(name, bytes, length);
    count = message_read_u32(reader);
    if (count > VK_ARGUMENTS_MAX)
        return false;
    for (uint32_t n = 0; n < count; n++)
        arguments[n] = message_read_u64(reader);
    if (reader->bad)
        return false;
    session->name = name;
    session->number = number;
    if (is_bad(number)) {
        vk_note(session, "it killed the graphics worker before");
    } else {
        breadcrumb_set_one(BREADCRUMB_CALL, number + 1);
        vk_run(session, name, arguments, count);
    }
    session->name = "";
    return true;
}

static bool take_record(struct message_reader *reader)
{
    switch (message_read_u32(reader)) {
    case GAPIR_RECORD_BLOCK:
        return take_block(reader);
    case GAPIR_RECORD_BYTES:
        return take_bytes(reader);
    case GAPIR_RECORD_CALL:
        return take_call(reader);
    default:
        return false;
    }
}

/*
 * Handles records for about SLICE_MS, but at least one: the daemon's time limit is for one message.
 */
static int handle_feed(struct message_reader *request, struct serve_answer *answer)
{
    const int64_t deadline = clock_coarse_ms() + SLICE_MS;
    const size_t size = request->left;

    if (session == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    session->note_count = 0;
    message_writer_free(&session->notes);
    while (request->left > 0 && !serve_is_withdrawn()) {
        if (!take_record(request))
            return -EPROTO;
        if (clock_coarse_ms() >= deadline)
            break;
    }
    breadcrumb_set(BREADCRUMB_NONE, NULL);
    message_write_u64(&answer->body, size - request->left);
    message_write_u32(&answer->body, session->note_count);
    message_write_bytes(&answer->body, session->notes.bytes, session->notes.size);
    return session->notes.bad ? -ENOMEM : 0;
}

static int handle_memory(struct message_reader *request, struct serve_answer *answer)
{
    uint64_t address = message_read_u64(request), size = message_read_u64(request);
    const uint8_t *bytes;

    if (!message_read_all(request) || size > WORKER_PAYLOAD_MAX)
        return -EPROTO;
    if (session == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    /* Work that still runs is blamed on the call that submitted last. */
    breadcrumb_set_one(BREADCRUMB_CALL, session->submitted + 1);
    (void)vk_devices_wait(session);
    breadcrumb_set(BREADCRUMB_NONE, NULL);
    bytes = vk_memory_at(session, address, size);
    if (bytes == NULL)
        return serve_refuse(answer, -ENOENT, "nothing is mapped there");
    message_write_bytes(&answer->body, bytes, size);
    return 0;
}

static int handle_picture(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t width = message_read_u32(request), height = message_read_u32(request);
    uint32_t pixel_bytes = message_read_u32(request);

    if (!message_read_all(request) || pixel_bytes > GAPIR_PIXEL_BYTES_MAX)
        return -EPROTO;
    if (session == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    breadcrumb_set_one(BREADCRUMB_CALL, session->submitted + 1);
    (void)vk_devices_wait(session);
    breadcrumb_set(BREADCRUMB_NONE, NULL);
    if (!vk_presented_rows(session, width, height, pixel_bytes, &answer->body))
        return serve_refuse(answer, -ENOENT, "no picture of %ux%u was presented", width, height);
    return answer->body.bad ? -ENOMEM : 0;
}

const struct serve_kind vk_kinds[] = {
    {GAPIR_MESSAGE_RESET, handle_reset},
    {GAPIR_MESSAGE_FEED, handle_feed},
    {GAPIR_MESSAGE_MEMORY, handle_memory},
    {GAPIR_MESSAGE_PICTURE, handle_picture},
    {0, NULL},
};

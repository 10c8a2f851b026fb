/* SPDX-License-Identifier: MIT */
/*
 * The session: bytes come in, and calls are made up to the requested one. A long run pauses between
 * two calls, so that the daemon's time limit applies to a single call.
 */
#include "config.h"

#include "glworker/gl/session.h"

#include "base/clock.h"
#include "glworker/core/breadcrumb_page.h"
#include "glworker/gl/called_lists.h"
#include "glworker/gl/draw_message.h"
#include "glworker/gl/draw_parts.h"
#include "glworker/gl/list_calls.h"
#include "glworker/gl/mark.h"
#include "glworker/gl/memory.h"
#include "glworker/gl/names.h"
#include "glworker/gl/pictures.h"
#include "glworker/gl/pixel_watch.h"
#include "glworker/gl/rules.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/spirv.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TEXTURE_LIMIT (UINT64_C(1) << 30)
enum { SLICE_MS = 500, BAD_MAX = 1024 };

/* The one session; NULL before the first reset. */
static struct retrace *session;

struct retrace *retrace_session(void)
{
    return session;
}

void retrace_note(struct retrace *retrace, enum problem_severity severity, const char *format, ...)
{
    char text[300];
    va_list arguments;

    if (retrace->notes.quiet || retrace->notes.total >= RETRACE_NOTES_MAX)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    message_write_u64(&retrace->notes.text, retrace->notes.call);
    message_write_u32(&retrace->notes.text, severity);
    message_write_u32(&retrace->notes.text, (uint32_t)strlen(text));
    message_write_bytes(&retrace->notes.text, text, strlen(text));
    retrace->notes.count++;
    retrace->notes.total++;
}

enum retrace_outcome retrace_refuse(struct retrace *retrace, const char *format, ...)
{
    const struct retrace_event *event = retrace->stream.ready;
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    retrace_note(retrace, PROBLEM_WARNING, "%.60s: %s",
                 event != NULL ? event->function->name.bytes : "", text);
    return RETRACE_REFUSED;
}

static void free_session(struct retrace *retrace)
{
    if (retrace == NULL)
        return;
    retrace_watch_end(retrace);
    retrace_mark_drop(retrace);
    retrace_contexts_clear(retrace);
    retrace_numbers_clear(retrace);
    retrace_sources_clear(retrace);
    retrace_spirv_clear(retrace);
    for (int space = 0; space < RETRACE_NAMES; space++)
        retrace_map_clear(&retrace->names[space]);
    for (uint32_t n = 0; n < retrace->binding_count; n++)
        free(retrace->bindings[n]);
    retrace_map_clear(&retrace->lists.plain);
    retrace_list_calls_clear(retrace);
    retrace_called_lists_free(retrace);
    retrace_map_clear(&retrace->budget.sizes);
    retrace_map_clear(&retrace->formats);
    retrace_map_clear(&retrace->images);
    retrace_scratch_clear(&retrace->scratch);
    retrace_stream_clear(&retrace->stream);
    message_writer_free(&retrace->notes.text);
    free(retrace->bindings);
    retrace_heap_clear(retrace);
    free(retrace->memory.regions);
    free(retrace->given.sizes);
    free(retrace->given.bad);
    free(retrace);
}

void retrace_end(void)
{
    free_session(session);
    session = NULL;
}

static int read_reset(struct message_reader *request, struct retrace *retrace)
{
    uint64_t limit = message_read_u64(request);
    uint32_t sizes = message_read_u32(request), bad = message_read_u32(request);

    retrace->given.texture_bytes = limit != 0 ? limit : TEXTURE_LIMIT;
    if (sizes > APITRACE_SESSION_DRAWABLES_MAX || bad > BAD_MAX || sizes > request->left / 32)
        return -EPROTO;
    retrace->given.sizes = calloc(sizes + 1u, sizeof(*retrace->given.sizes));
    retrace->given.bad = calloc(bad + 1u, sizeof(*retrace->given.bad));
    if (retrace->given.sizes == NULL || retrace->given.bad == NULL)
        return -ENOMEM;
    for (; retrace->given.size_count < sizes; retrace->given.size_count++) {
        struct retrace_size *size = &retrace->given.sizes[retrace->given.size_count];

        size->call = message_read_u64(request);
        size->handle = message_read_u64(request);
        size->width = message_read_u32(request);
        size->height = message_read_u32(request);
        size->samples = message_read_u32(request);
        message_read_u32(request);
    }
    for (; retrace->given.bad_count < bad; retrace->given.bad_count++)
        retrace->given.bad[retrace->given.bad_count] = message_read_u64(request);
    retrace_sizes_sort(retrace);
    return message_read_all(request) ? 0 : -EPROTO;
}

static int handle_reset(struct message_reader *request, struct serve_answer *answer)
{
    struct retrace *retrace;
    int status = graphics_start(answer->reason);

    if (status < 0)
        return status;
    serve_begin_session(retrace_end);
    retrace = calloc(1, sizeof(*retrace));
    if (retrace == NULL)
        return -ENOMEM;
    retrace->progress.last = APITRACE_NO_CALL;
    retrace->budget.asked_key = RETRACE_NO_KEY;
    status = retrace_stream_init(&retrace->stream);
    if (status == 0)
        status = read_reset(request, retrace);
    if (status < 0) {
        free_session(retrace);
        return status;
    }
    session = retrace;
    message_write_bytes(&answer->body, graphics_renderer(), strlen(graphics_renderer()));
    return 0;
}

/* Running. */

static bool is_bad(const struct retrace *retrace, uint64_t call)
{
    for (uint32_t n = 0; n < retrace->given.bad_count; n++)
        if (retrace->given.bad[n] == call)
            return true;
    return false;
}

static enum retrace_outcome run_watched(struct retrace *retrace, struct retrace_call *call)
{
    enum retrace_outcome outcome;

    retrace_watch_before(retrace, call);
    outcome = retrace_run(retrace, call);
    if (outcome == RETRACE_MADE)
        retrace_watch_after(retrace, call);
    return outcome;
}

/* Does not run the call at hand, because it would be impossible to go back past it. */
static enum retrace_outcome cross(struct retrace *retrace)
{
    retrace->crossed = true;
    return RETRACE_LEFT;
}

static enum retrace_outcome run_call(struct retrace *retrace, struct retrace_event *event)
{
    struct retrace_binding *binding = retrace_bind(retrace, event->function);
    struct retrace_call call;
    enum retrace_outcome outcome;

    retrace->notes.call = event->number;
    if (binding == NULL)
        return retrace_refuse(retrace, "out of memory");
    if (binding->gl == NULL && binding->rule == NULL)
        return RETRACE_LEFT;
    if (binding->rule == retrace_leave_out)
        return RETRACE_LEFT;
    if (is_bad(retrace, event->number))
        return retrace_refuse(retrace, "it killed the graphics worker before");
    breadcrumb_set_one(BREADCRUMB_CALL, event->number + 1);
    if (retrace_call_read(retrace, event, binding, &call) < 0)
        outcome = retrace_refuse(retrace, "out of memory for its arguments");
    else if (!retrace_mark_allows(retrace, &call))
        outcome = cross(retrace);
    else if (retrace->feed.watching && binding->paints != RETRACE_PAINTS_NOTHING)
        outcome = run_watched(retrace, &call);
    else
        outcome = retrace_run(retrace, &call);
    retrace_scratch_reset(&retrace->scratch);
    return outcome;
}

/* Runs complete calls, up to the call `stop`, or including it if `after` is set. */
static enum apitrace_feed_state run(struct retrace *retrace, uint64_t stop, bool after)
{
    const int64_t deadline = clock_coarse_ms() + SLICE_MS;
    struct retrace_event *event;

    if (retrace->behind)
        retrace_stream_drop(&retrace->stream);
    retrace->behind = false;
    while ((event = retrace_stream_next(&retrace->stream)) != NULL) {
        uint64_t number = event->number;
        uint32_t thread = event->thread;

        if (number == stop && !after)
            return APITRACE_FEED_STOPPED;
        retrace->stopping = number == stop;
        retrace->progress.skipped += run_call(retrace, event) == RETRACE_REFUSED;
        retrace->stopping = false;
        if (retrace->crossed)
            return APITRACE_FEED_STOPPED;
        retrace->behind = number == stop;
        if (!retrace->behind)
            retrace_stream_drop(&retrace->stream);
        retrace->progress.listed++;
        retrace->progress.last = number;
        retrace->progress.last_thread = thread;
        if (number == stop)
            return APITRACE_FEED_STOPPED;
        if (clock_coarse_ms() >= deadline || serve_is_withdrawn())
            return APITRACE_FEED_PAUSED;
    }
    return retrace->stream.ended ? APITRACE_FEED_ENDED : APITRACE_FEED_HUNGRY;
}

/* Reports once that nothing after this can be read. */
static void tell_fault(struct retrace *retrace)
{
    if (!retrace->stream.broken || retrace->told)
        return;
    retrace->told = true;
    retrace->notes.call = retrace->stream.calls;
    retrace_note(retrace, PROBLEM_WARNING, "the stream cannot be read from byte %llu on: %s",
                 (unsigned long long)retrace->stream.at, retrace->stream.fault);
}

static void write_progress(struct retrace *retrace, enum apitrace_feed_state state,
                           struct serve_answer *answer)
{
    message_write_u64(&answer->body, retrace->stream.end);
    message_write_u64(&answer->body, retrace->progress.listed);
    message_write_u64(&answer->body, retrace->progress.last);
    message_write_u64(&answer->body, retrace->progress.skipped);
    message_write_u32(&answer->body, state);
    message_write_u32(&answer->body, retrace->notes.count);
    message_write_bytes(&answer->body, retrace->notes.text.bytes, retrace->notes.text.size);
}

static int handle_feed(struct message_reader *request, struct serve_answer *answer)
{
    uint64_t offset = message_read_u64(request), stop = message_read_u64(request);
    uint32_t flags = message_read_u32(request), unused = message_read_u32(request);
    size_t size = request->left;
    const uint8_t *bytes = message_read_bytes(request, size);
    enum apitrace_feed_state state = APITRACE_FEED_HUNGRY;
    int status;

    if (!message_read_all(request) || unused != 0)
        return -EPROTO;
    if (session == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    if (size > 0 && offset != session->stream.end)
        return serve_refuse(answer, -EINVAL, "bytes from %llu on were expected, not from %llu on",
                            (unsigned long long)session->stream.end, (unsigned long long)offset);
    session->notes.count = 0;
    session->crossed = false;
    message_writer_free(&session->notes.text);
    status = retrace_stream_feed(&session->stream, bytes, size, (flags & APITRACE_FEED_END) != 0);
    if (status < 0)
        return serve_refuse(answer, status, "more bytes of the trace cannot be kept: %s",
                            strerror(-status));
    session->feed.discard = (flags & APITRACE_FEED_DISCARD) != 0;
    if ((flags & (APITRACE_FEED_WATCH | APITRACE_FEED_STAY)) == 0)
        retrace_watch_end(session);
    session->feed.watching = (flags & APITRACE_FEED_WATCH) != 0 && session->watch != NULL;
    if ((flags & APITRACE_FEED_STAY) == 0)
        state = run(session, stop, (flags & APITRACE_FEED_AFTER) != 0);
    breadcrumb_set(BREADCRUMB_NONE, NULL);
    if (session->crossed)
        return serve_refuse(answer, -EXDEV, "a call sets state that cannot be restored");
    tell_fault(session);
    write_progress(session, state, answer);
    return session->notes.text.bad ? -ENOMEM : 0;
}

const struct serve_kind retrace_kinds[] = {
    {APITRACE_MESSAGE_RESET, handle_reset},
    {APITRACE_MESSAGE_FEED, handle_feed},
    {APITRACE_MESSAGE_PICTURE, retrace_handle_picture},
    {APITRACE_MESSAGE_TEXTURE, retrace_handle_texture},
    {APITRACE_MESSAGE_MEMORY, retrace_handle_memory},
    {APITRACE_MESSAGE_MARK, retrace_handle_mark},
    {APITRACE_MESSAGE_BACK, retrace_handle_back},
    {APITRACE_MESSAGE_WATCH, retrace_handle_watch},
    {APITRACE_MESSAGE_WATCHED, retrace_handle_watched},
    {APITRACE_MESSAGE_DRAW_TEXT, retrace_handle_draw_text},
    {APITRACE_MESSAGE_DRAW_PARTS, retrace_handle_draw_parts},
    {APITRACE_MESSAGE_DRAW_PART, retrace_handle_draw_part},
    {0, NULL},
};

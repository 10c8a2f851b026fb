/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/player_backend.h"

#include "formats/gapir/replay/gl_calls.h"
#include "formats/gapir/replay/player.h"
#include "worker/apitrace_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct gapir_gl_player {
    struct gapir_backend_params params;
    struct apitrace_session *session;
    struct gapir_gl_calls calls;
    uint64_t next;               /* offset in the stream of the next byte to feed */
    const struct cancel *cancel; /* of the current request */
    bool unread;                 /* the worker does not have the pixels of the last readback */
};

/* Passes on what the worker reports about an event, as a note on the call that caused the event. */
static void note(void *context, enum problem_severity severity, uint64_t event, const char *text)
{
    struct gapir_gl_player *gl = context;
    const struct gapir_call_source *source = gapir_gl_calls_source(&gl->calls, event);

    if (source != NULL)
        gl->params.note(gl->params.context, severity, source, text);
}

/* Feeding. */

/* Runs all that has gathered. */
static int drain_calls(void *context)
{
    struct gapir_gl_player *gl = context;
    const struct message_writer *bytes = &gl->calls.stream.bytes;
    struct apitrace_session_feed feed = {
        .offset = gl->next, .bytes = bytes->bytes, .size = bytes->size, .stop = APITRACE_NO_CALL};
    struct apitrace_session_progress progress = {.state = APITRACE_FEED_PAUSED};
    int status = bytes->bad ? -ENOMEM : 0;

    if (status == 0 && bytes->size == 0)
        return 0; /* everything that was fed before has run */
    while (status == 0 && progress.state == APITRACE_FEED_PAUSED) {
        status = apitrace_session_feed(gl->session, &feed, gl->cancel, &progress);
        if (status == 0)
            feed.offset = gl->next = progress.next;
        feed.bytes = NULL;
        feed.size = 0;
    }
    if (status == 0)
        gapir_gl_calls_taken(&gl->calls);
    return status;
}

/* For gapir_backend_fetch(). */
static int read_memory(void *backend, uint64_t address, uint64_t size, const struct cancel *cancel,
                       struct blob **out)
{
    struct gapir_gl_player *gl = backend;

    return apitrace_session_memory(gl->session, address, size, cancel, out);
}

/* Copies what the driver has at an address into the VM's memory, up to the end of the region. */
static int fetch(struct gapir_gl_player *gl, struct gapir_vm_instance *instance, uint64_t address,
                 uint64_t size)
{
    struct gapir_location location = gapir_vm_locate(instance->vm, address);

    if (location.region == GAPIR_NOWHERE || location.region == GAPIR_CONSTANTS || size == 0)
        return 0;
    if (size > location.left)
        size = location.left;
    return gapir_backend_fetch(address, size, location.data, read_memory, gl, gl->cancel);
}

static int fetch_pixels(struct gapir_gl_player *gl, struct gapir_vm_instance *instance)
{
    const struct gapir_readback *readback = gapir_driver_readback(instance->driver);
    int status = drain_calls(gl);

    if (status != 0 || readback == NULL || readback->address == 0)
        return status;
    status = fetch(gl, instance, readback->address, gapir_readback_bytes(readback));
    gl->unread = status == -ENODATA;
    return gl->unread ? 0 : status;
}

static int fetch_window(struct gapir_gl_player *gl, struct gapir_vm_instance *instance)
{
    const struct gapir_vm *vm = instance->vm;
    const struct gapir_window *window = &vm->windows[vm->window_count - 1];
    int status = drain_calls(gl);

    if (status == 0)
        status = fetch(gl, instance, window->address, window->size);
    /* the call was not made, which the worker has reported */
    return status == -ENODATA ? 0 : status;
}

static int called(void *backend, struct gapir_vm_instance *instance, const struct cancel *cancel)
{
    struct gapir_gl_player *gl = backend;

    gl->cancel = cancel;
    enum gapir_gl_need need = gapir_gl_calls_add(&gl->calls, instance);
    int status = gl->calls.status;

    if (status == 0 && need == GAPIR_GL_PIXELS)
        status = fetch_pixels(gl, instance);
    if (status == 0 && need == GAPIR_GL_WINDOW)
        status = fetch_window(gl, instance);
    return status;
}

/* The worker has the program's memory, unless that is too large for it. */
static int posted(void *backend, struct gapir_vm_instance *instance, const struct gapir_post *post,
                  const struct cancel *cancel)
{
    const struct gapir_gl_player *gl = backend;

    (void)instance, (void)cancel;
    return gl->unread && post->location.region != GAPIR_CONSTANTS ? -ENODATA : 0;
}

static int drain(void *backend, const struct cancel *cancel)
{
    struct gapir_gl_player *gl = backend;

    gl->cancel = cancel;
    return drain_calls(gl);
}

static void forget(void *backend)
{
    struct gapir_gl_player *gl = backend;

    gapir_gl_calls_clear(&gl->calls);
    gl->unread = false;
    gl->next = 0;
}

static int begin(void *backend, struct gapir_vm_instance *instance, const struct cancel *cancel)
{
    struct gapir_gl_player *gl = backend;

    int status = apitrace_session_reset(gl->session, NULL, 0, cancel);

    if (status != 0)
        return status;
    gl->cancel = cancel;
    gapir_gl_calls_begin(&gl->calls, instance);
    return gl->calls.status;
}

static const char *reason(const void *backend)
{
    const struct gapir_gl_player *gl = backend;

    return apitrace_session_reason(gl->session);
}

static int picture(void *backend, const struct gapir_player_picture *want,
                   const struct cancel *cancel, const uint8_t **pixels, struct blob **owner)
{
    struct gapir_gl_player *gl = backend;

    const struct apitrace_picture_request request = {
        .kind = APITRACE_PICTURE_COLOUR, .width = want->width, .height = want->height};
    struct apitrace_picture picture = {0};
    int status = apitrace_session_picture(gl->session, &request, cancel, &picture);

    if (status == 0)
        status = apitrace_session_expect(&picture, want->width, want->height, want->pixel_bytes);
    *pixels = picture.pixels;
    *owner = picture.owner;
    return status;
}

static void destroy(void **backend)
{
    struct gapir_gl_player *gl = *backend;

    if (gl == NULL)
        return;
    forget(gl);
    if (gl->session != NULL)
        apitrace_session_destroy(&gl->session);
    free(gl);
    *backend = NULL;
}

static int create(const struct gapir_backend_params *params, void **out)
{
    struct gapir_gl_player *gl = calloc(1, sizeof(*gl));
    const struct apitrace_session_params session = {.note = note, .context = gl};
    int status;

    *out = gl;
    if (gl == NULL)
        return -ENOMEM;
    gl->params = *params;
    gl->calls.drain = drain_calls;
    gl->calls.context = gl;
    status = apitrace_session_create(params->worker, &session, &gl->session);
    if (status != 0)
        destroy(out);
    return status;
}

const struct gapir_backend_ops gapir_gl_backend = {
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .called = called,
    .posted = posted,
    .drain = drain,
    .forget = forget,
    .reason = reason,
    .picture = picture,
};

/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/player.h"

#include "formats/apitrace/replay/worker_session.h"
#include "formats/gapir/grow.h"
#include "formats/gapir/replay/gl_calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTEMPTS = 32, /* how often the worker may die on the way to one place */
    RGB = 3,
};

struct gapir_player {
    struct gapir_player_params params;
    struct worker *worker;
    struct apitrace_session *session;
    /* What follows is for the thread that has acquired the worker. */
    struct gapir_vm_instance *instance; /* NULL: nothing is built up */
    struct gapir_gl_calls calls;
    uint64_t next;               /* offset of the next byte that the session is fed */
    const struct cancel *cancel; /* of the request at hand */
    struct gapir_player_note *notes;
    uint32_t note_count, note_room;
    char told[WORKER_REASON]; /* why it failed, as it was told last */
};

/* Notes. */

static void drop_notes(struct gapir_player *player)
{
    for (uint32_t n = 0; n < player->note_count; n++)
        free(player->notes[n].text);
    player->note_count = 0;
}

static void add_note(struct gapir_player *player, const struct gapir_gl_source *source,
                     const char *text)
{
    char *copy = NULL;

    if (GAPIR_GROW(player->notes, player->note_count, player->note_room) == 0)
        copy = strdup(text);
    if (copy != NULL)
        player->notes[player->note_count++] =
            (struct gapir_player_note){.call = source->call, .pc = source->pc, .text = copy};
}

static void report(const struct gapir_player *player, enum problem_severity severity, uint32_t pc,
                   const char *text)
{
    const struct gapir_replay *replay = player->params.replay;

    if (replay->problems != NULL)
        problems_add_drawing(replay->problems, severity, gapir_replay_offset(replay, pc),
                             gapir_scan_packet(&replay->scan, pc), "%s", text);
}

/* What the worker says of an event belongs to the call that it is for. */
static void note(void *context, enum problem_severity severity, uint64_t event, const char *text)
{
    struct gapir_player *player = context;
    const struct gapir_gl_source *source = gapir_gl_calls_source(&player->calls, event);

    if (source == NULL)
        return;
    add_note(player, source, text);
    report(player, severity, source->pc, text);
}

/* Feeding. */

/* All that has gathered is run. */
static int drain(void *context)
{
    struct gapir_player *player = context;
    const struct message_writer *bytes = &player->calls.stream.bytes;
    struct apitrace_session_feed feed = {.offset = player->next,
                                         .bytes = bytes->bytes,
                                         .size = bytes->size,
                                         .stop = APITRACE_NO_CALL};
    struct apitrace_session_progress progress = {.state = APITRACE_FEED_PAUSED};
    int status = bytes->bad ? -ENOMEM : 0;

    while (status == 0 && progress.state == APITRACE_FEED_PAUSED) {
        status = apitrace_session_feed(player->session, &feed, player->cancel, &progress);
        if (status == 0)
            feed.offset = player->next = progress.next;
        feed.bytes = NULL;
        feed.size = 0;
    }
    if (status == 0)
        gapir_gl_calls_taken(&player->calls);
    return status;
}

/* What the driver has at an address comes into the VM's memory, as far as that reaches. */
static int fetch(struct gapir_player *player, uint64_t address, uint64_t size)
{
    struct gapir_location location = gapir_vm_locate(player->instance->vm, address);
    struct blob *blob = NULL;
    int status = 0;

    if (location.region == GAPIR_NOWHERE || location.region == GAPIR_CONSTANTS || size == 0)
        return 0;
    if (size > location.left)
        size = location.left;
    if (size > WORKER_PAYLOAD_MAX)
        return 0; /* it stays what it was */
    status = apitrace_session_memory(player->session, address, size, player->cancel, &blob);
    if (status == 0)
        memcpy(location.data, blob->data, (size_t)size);
    blob_unref(&blob);
    return status == -ENOENT ? 0 : status; /* the call was not made */
}

static int fetch_pixels(struct gapir_player *player)
{
    const struct gapir_readback *readback = gapir_driver_readback(player->instance->driver);
    int status = drain(player);

    if (status != 0 || readback == NULL || readback->address == 0)
        return status;
    return fetch(player, readback->address, gapir_readback_bytes(readback));
}

static int fetch_window(struct gapir_player *player)
{
    const struct gapir_vm *vm = player->instance->vm;
    const struct gapir_window *window = &vm->windows[vm->window_count - 1];
    int status = drain(player);

    return status == 0 ? fetch(player, window->address, window->size) : status;
}

/* struct gapir_run_observer's: the call goes to the worker. */
static int called(void *context, struct gapir_vm_instance *instance)
{
    struct gapir_player *player = context;
    enum gapir_gl_need need = gapir_gl_calls_add(&player->calls, instance);
    int status = player->calls.status;

    if (status == 0 && need == GAPIR_GL_PIXELS)
        status = fetch_pixels(player);
    if (status == 0 && need == GAPIR_GL_WINDOW)
        status = fetch_window(player);
    return status;
}

static const struct gapir_run_observer observer = {.called = called};

/* The way to a place. */

static void forget(struct gapir_player *player)
{
    gapir_vm_instance_destroy(&player->instance);
    gapir_gl_calls_clear(&player->calls);
    drop_notes(player);
    player->next = 0;
}

static int begin(struct gapir_player *player)
{
    int status = apitrace_session_reset(player->session, NULL, 0, player->cancel);

    if (status == 0)
        status = gapir_vm_instance_create(player->params.replay, &player->instance);
    if (status != 0)
        return status;
    player->instance->observer = &observer;
    player->instance->context = player;
    gapir_gl_calls_begin(&player->calls, player->instance);
    return player->calls.status;
}

/* One attempt. Where the session is lost, so is what the VM has built up with it. */
static int go(struct gapir_player *player, uint64_t steps)
{
    int status = 0;

    if (player->instance == NULL || player->instance->vm->steps > steps) {
        forget(player);
        status = begin(player);
    }
    if (status == 0)
        status = gapir_vm_instance_run(player->instance, steps, player->cancel);
    if (status == 0)
        status = drain(player);
    if (status != 0)
        forget(player);
    return status;
}

/* Once for all that fails of the same. */
static void report_failure(struct gapir_player *player)
{
    const char *reason = apitrace_session_reason(player->session);

    if (reason[0] == '\0')
        reason = "the graphics worker fails again and again";
    if (strcmp(player->told, reason) != 0)
        report(player, PROBLEM_ERROR, 0, reason);
    snprintf(player->told, sizeof(player->told), "%s", reason);
}

/* In time, and whatever kills a process is left out by the next one. */
static int go_to(struct gapir_player *player, uint64_t steps)
{
    int status = -ESTALE;

    for (unsigned n = 0; n < ATTEMPTS && (status == -ESTALE || status == -EAGAIN); n++)
        status = go(player, steps);
    if (status != 0 && status != -EINTR && status != -ENOMEM) {
        report_failure(player);
        return -EIO;
    }
    if (status == 0 && player->instance->vm->steps != steps) {
        report(player, PROBLEM_WARNING, player->instance->vm->pc,
               "with what its calls read back the run goes another way, which is not shown");
        forget(player);
        return -EIO;
    }
    return status;
}

int gapir_player_show(struct gapir_player *player, uint64_t steps, const struct cancel *cancel,
                      gapir_player_look *look, void *context)
{
    const struct gapir_player_sight sight = {.player = player, .cancel = cancel};
    struct gapir_player_sight shown = sight;
    int status = worker_acquire(player->worker, cancel);

    if (status != 0)
        return status;
    player->cancel = cancel;
    status = go_to(player, steps);
    shown.instance = player->instance;
    if (status == 0)
        status = look(context, &shown);
    player->cancel = NULL;
    worker_release(player->worker);
    return status;
}

int gapir_player_picture(const struct gapir_player_sight *sight, uint32_t width, uint32_t height,
                         const uint8_t **pixels, struct blob **owner)
{
    const struct apitrace_picture_request request = {
        .kind = APITRACE_PICTURE_COLOUR, .width = width, .height = height};
    struct apitrace_picture picture = {0};
    int status =
        apitrace_session_picture(sight->player->session, &request, sight->cancel, &picture);

    if (status == 0 &&
        (picture.width != width || picture.height != height || picture.pixel_bytes != RGB)) {
        blob_unref(&picture.owner);
        status = -ERANGE;
    }
    *pixels = picture.pixels;
    *owner = picture.owner;
    return status == 0 || status == -EINTR || status == -ENOMEM ? status : -EIO;
}

const struct gapir_player_note *gapir_player_notes(const struct gapir_player_sight *sight,
                                                   uint32_t *count)
{
    *count = sight->player->note_count;
    return sight->player->notes;
}

int gapir_player_create(const struct gapir_player_params *params, struct gapir_player **out)
{
    const struct worker_params worker = {.time_limit_ms = params->time_limit_ms,
                                         .shader_file = params->shader_file,
                                         .cache = params->cache};
    struct gapir_player *player = calloc(1, sizeof(*player));
    const struct apitrace_session_params session = {.note = note, .context = player};
    int status;

    *out = player;
    if (player == NULL)
        return -ENOMEM;
    player->params = *params;
    player->calls.drain = drain;
    player->calls.context = player;
    status = worker_create(&worker, &player->worker);
    if (status == 0)
        status = apitrace_session_create(player->worker, &session, &player->session);
    if (status != 0)
        gapir_player_destroy(out);
    return status;
}

void gapir_player_destroy(struct gapir_player **player)
{
    if (*player == NULL)
        return;
    forget(*player);
    free((*player)->notes);
    if ((*player)->session != NULL)
        apitrace_session_destroy(&(*player)->session);
    if ((*player)->worker != NULL)
        worker_destroy(&(*player)->worker);
    free(*player);
    *player = NULL;
}

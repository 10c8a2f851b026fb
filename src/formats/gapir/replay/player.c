/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/player.h"

#include "config.h"

#include "base/array.h"
#include "formats/gapir/replay/player_backend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTEMPTS = 32, /* how often the worker may die on the way to one place */
    FETCH_PIECE = 16 << 20,
};

struct gapir_player {
    struct gapir_player_params params;
    struct worker *worker;
    const struct gapir_backend_ops *ops;
    void *backend; /* the backend's state */
    /* Only the thread that has acquired the worker may use the members below. */
    struct gapir_vm_instance *instance; /* NULL if the run has not begun */
    const struct cancel *cancel;        /* of the current request */
    struct gapir_player_note *notes;
    uint32_t note_count, note_room;
    uint64_t lost; /* executed instructions at the last post whose bytes are lost; 0: none */
    char told[WORKER_REASON]; /* the failure that was reported last; not reported again */
};

/* Notes. */

static void drop_notes(struct gapir_player *player)
{
    for (uint32_t n = 0; n < player->note_count; n++)
        free(player->notes[n].text);
    player->note_count = 0;
}

static void add_note(struct gapir_player *player, const struct gapir_call_source *source,
                     const char *text)
{
    char *copy = NULL;

    if (ARRAY_GROW(player->notes, player->note_count, player->note_room) == 0)
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

static void note(void *context, enum problem_severity severity,
                 const struct gapir_call_source *source, const char *text)
{
    struct gapir_player *player = context;

    add_note(player, source, text);
    report(player, severity, source->pc, text);
}

/* Callbacks of struct gapir_run_observer: calls go to the worker, and posts wait for it. */

static int called(void *context, struct gapir_vm_instance *instance)
{
    struct gapir_player *player = context;

    return player->ops->called(player->backend, instance, player->cancel);
}

/* Notes a lost post, as if it were part of the last call of its frame. */
static void lose(struct gapir_player *player, const struct gapir_vm *vm)
{
    const struct gapir_call_source source = {.call = vm->calls > 0 ? vm->calls - 1 : 0,
                                             .pc = vm->pc};

    player->lost = vm->steps;
    note(player, PROBLEM_ERROR, &source, "POST: the driver does not have the posted data");
}

static int posted(void *context, struct gapir_vm_instance *instance, const struct gapir_post *post)
{
    struct gapir_player *player = context;
    int status = player->ops->posted(player->backend, instance, post, player->cancel);

    if (status == -ENODATA)
        lose(player, instance->vm);
    return status == -ENODATA ? 0 : status;
}

int gapir_backend_fetch(uint64_t address, uint64_t size, uint8_t *target,
                        int (*read)(void *backend, uint64_t address, uint64_t size,
                                    const struct cancel *cancel, struct blob **out),
                        void *backend, const struct cancel *cancel)
{
    int status = 0;

    for (uint64_t at = 0, piece; at < size && status == 0; at += piece) {
        struct blob *blob = NULL;

        piece = size - at < FETCH_PIECE ? size - at : FETCH_PIECE;
        status = read(backend, address + at, piece, cancel, &blob);
        if (status == 0)
            memcpy(target + at, blob->data, piece);
        blob_unref(&blob);
    }
    return status == -ENOENT ? -ENODATA : status;
}

static int reading(void *context, struct gapir_vm_instance *instance,
                   const struct gapir_location *location, uint64_t size)
{
    struct gapir_player *player = context;

    if (player->ops->reading == NULL)
        return 0;
    return player->ops->reading(player->backend, instance, location, size, player->cancel);
}

static const struct gapir_run_observer observer = {
    .called = called, .post = posted, .reading = reading};

/* Running to a place. */

static void forget(struct gapir_player *player)
{
    gapir_vm_instance_destroy(&player->instance);
    player->ops->forget(player->backend);
    player->lost = 0;
    drop_notes(player);
}

static int begin(struct gapir_player *player)
{
    int status = gapir_vm_instance_create(player->params.replay, &player->instance);

    if (status != 0)
        return status;
    player->instance->observer = &observer;
    player->instance->context = player;
    return player->ops->begin(player->backend, player->instance, player->cancel);
}

/* Makes one attempt. If the session is lost, so is the state that the VM has built up with it. */
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
        status = player->ops->drain(player->backend, player->cancel);
    if (status != 0)
        forget(player);
    return status;
}

/* Reports a reason only once while it remains the same. */
static void report_failure(struct gapir_player *player)
{
    const char *reason = player->ops->reason(player->backend);

    if (reason[0] == '\0')
        reason = "the graphics worker fails repeatedly";
    if (strcmp(player->told, reason) != 0)
        report(player, PROBLEM_ERROR, 0, reason);
    snprintf(player->told, sizeof(player->told), "%s", reason);
}

static bool is_at(const struct gapir_player *player, const struct gapir_player_place *place)
{
    const struct gapir_vm *vm = player->instance->vm;

    return vm->steps == place->steps && vm->fault == place->fault;
}

/*
 * Runs to a place, in several attempts if necessary: a call that kills the worker is left out by
 * the next one.
 */
static int go_to(struct gapir_player *player, const struct gapir_player_place *place)
{
    int status = -ESTALE;

    for (unsigned n = 0; n < ATTEMPTS && (status == -ESTALE || status == -EAGAIN); n++)
        status = go(player, place->steps);
    if (status != 0 && status != -EINTR && status != -ENOMEM) {
        report_failure(player);
        return -EIO;
    }
    if (status == 0 && !is_at(player, place)) {
        report(
            player, PROBLEM_WARNING, player->instance->vm->pc,
            "the data that its calls read back changes the course of the run, which is not shown");
        forget(player);
        return -EIO;
    }
    return status;
}

int gapir_player_show(struct gapir_player *player, const struct gapir_player_place *place,
                      const struct cancel *cancel, gapir_player_look *look, void *context)
{
    const struct gapir_player_sight sight = {.player = player, .cancel = cancel};
    struct gapir_player_sight shown = sight;
    int status = worker_acquire(player->worker, cancel);

    if (status != 0)
        return status;
    player->cancel = cancel;
    status = go_to(player, place);
    shown.instance = player->instance;
    if (status == 0)
        status = look(context, &shown);
    player->cancel = NULL;
    worker_release(player->worker);
    return status;
}

int gapir_player_picture(const struct gapir_player_sight *sight,
                         const struct gapir_player_picture *want, const uint8_t **pixels,
                         struct blob **owner)
{
    const struct gapir_player *player = sight->player;
    int status = player->ops->picture(player->backend, want, sight->cancel, pixels, owner);

    return status == 0 || status == -EINTR || status == -ENOMEM ? status : -EIO;
}

const struct gapir_player_note *gapir_player_notes(const struct gapir_player_sight *sight,
                                                   uint32_t *count)
{
    *count = sight->player->note_count;
    return sight->player->notes;
}

bool gapir_player_has_post(const struct gapir_player_sight *sight)
{
    return sight->player->lost != sight->instance->vm->steps;
}

/* Chooses the backend, or returns NULL if it is not built. */
static const struct gapir_backend_ops *choose(const struct gapir_replay *replay)
{
    if (gapir_replay_api(replay) != GAPIR_API_VULKAN)
        return &gapir_gl_backend;
#ifdef HAVE_VULKAN
    return &gapir_vk_backend;
#else
    return NULL;
#endif
}

int gapir_player_create(const struct gapir_player_params *params, struct gapir_player **out)
{
    const struct gapir_backend_ops *ops = choose(params->replay);
    const struct worker_params worker = {.time_limit_ms = params->time_limit_ms,
                                         .kept_for = params->kept_for,
                                         .vulkan = ops != NULL && ops->vulkan,
                                         .cache = params->cache};
    struct gapir_player *player = ops != NULL ? calloc(1, sizeof(*player)) : NULL;
    struct gapir_backend_params backend = {.note = note, .context = player};
    int status;

    *out = player;
    if (player == NULL)
        return ops != NULL ? -ENOMEM : -ENOTSUP;
    player->params = *params;
    player->ops = ops;
    status = worker_create(&worker, &player->worker);
    backend.worker = player->worker;
    if (status == 0)
        status = ops->create(&backend, &player->backend);
    if (status != 0)
        gapir_player_destroy(out);
    return status;
}

void gapir_player_destroy(struct gapir_player **player)
{
    if (*player == NULL)
        return;
    if ((*player)->backend != NULL)
        forget(*player);
    free((*player)->notes);
    (*player)->ops->destroy(&(*player)->backend);
    if ((*player)->worker != NULL)
        worker_destroy(&(*player)->worker);
    free(*player);
    *player = NULL;
}

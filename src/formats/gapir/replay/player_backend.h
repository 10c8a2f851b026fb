/* SPDX-License-Identifier: MIT */
/*
 * What a player hands a replay's calls to (gapir.md 3.8, 3.9): a session of the graphics worker, of
 * one API. All functions but create and destroy are for the thread that has acquired the worker.
 * Those that return int: 0, or what struct session says of failures (worker/session.h).
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_PLAYER_BACKEND_H
#define GPUDUMPFS_GAPIR_REPLAY_PLAYER_BACKEND_H

#include "base/problems.h"
#include "formats/gapir/replay/replay.h"
#include "worker/worker.h"

struct gapir_player_picture; /* player.h */

/* The call that a note is about. */
struct gapir_call_source {
    uint64_t call; /* its number among all that are executed */
    uint32_t pc;
};

struct gapir_backend_params {
    struct worker *worker;
    /* What could not be done, or not as it should be. */
    void (*note)(void *context, enum problem_severity severity,
                 const struct gapir_call_source *source, const char *text);
    void *context;
};

struct gapir_backend_ops {
    bool vulkan; /* which driver the worker's process needs */
    int (*create)(const struct gapir_backend_params *params, void **out); /* the backend */
    void (*destroy)(void **backend);
    /* From the beginning, for an instance before its first instruction. */
    int (*begin)(void *backend, struct gapir_vm_instance *instance, const struct cancel *cancel);
    /*
     * The instance has served a call; it is about to post something, where -ENODATA tells that
     * what is posted should be the driver's, which does not have it.
     */
    int (*called)(void *backend, struct gapir_vm_instance *instance, const struct cancel *cancel);
    int (*posted)(void *backend, struct gapir_vm_instance *instance, const struct gapir_post *post,
                  const struct cancel *cancel);
    /* The program is about to read so many bytes of a window. May be NULL. */
    int (*reading)(void *backend, struct gapir_vm_instance *instance,
                   const struct gapir_location *location, uint64_t size,
                   const struct cancel *cancel);
    /* All that has gathered is run. */
    int (*drain)(void *backend, const struct cancel *cancel);
    void (*forget)(void *backend);
    const char *(*reason)(const void *backend);
    /* gapir_player_picture() */
    int (*picture)(void *backend, const struct gapir_player_picture *want,
                   const struct cancel *cancel, const uint8_t **pixels, struct blob **owner);
};

/*
 * Reads so many bytes of the driver's memory at an address into the VM's, a piece after the other:
 * `read` makes a blob of each piece. 0, -ENODATA: they are not all there; or what `read` gives.
 */
int gapir_backend_fetch(uint64_t address, uint64_t size, uint8_t *target,
                        int (*read)(void *backend, uint64_t address, uint64_t size,
                                    const struct cancel *cancel, struct blob **out),
                        void *backend, const struct cancel *cancel);

extern const struct gapir_backend_ops gapir_gl_backend;
extern const struct gapir_backend_ops gapir_vk_backend; /* if it is built */

#endif

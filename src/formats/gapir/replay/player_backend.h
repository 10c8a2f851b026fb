/* SPDX-License-Identifier: MIT */
/*
 * The backends of a player (gapir.md 3.8, 3.9). A backend passes a replay's calls of one API to a
 * session of the graphics worker. Only the thread that has acquired the worker may call these
 * functions, except create and destroy. Those that return int return 0, or what struct session says
 * of failures (worker/session.h).
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_PLAYER_BACKEND_H
#define GPUDUMPFS_GAPIR_REPLAY_PLAYER_BACKEND_H

#include "base/problems.h"
#include "formats/gapir/replay/replay.h"
#include "worker/worker.h"

struct gapir_player_picture; /* see player.h */

/* The call that a note is about. */
struct gapir_call_source {
    uint64_t call; /* its number among all executed calls */
    uint32_t pc;
};

struct gapir_backend_params {
    struct worker *worker;
    /* Reports what could not be done, or not as it should have been. */
    void (*note)(void *context, enum problem_severity severity,
                 const struct gapir_call_source *source, const char *text);
    void *context;
};

struct gapir_backend_ops {
    bool vulkan; /* whether the worker's process needs Vulkan's driver instead of OpenGL's */
    int (*create)(const struct gapir_backend_params *params, void **out); /* *out: the backend */
    void (*destroy)(void **backend);
    /* Begins anew, for an instance before its first instruction. */
    int (*begin)(void *backend, struct gapir_vm_instance *instance, const struct cancel *cancel);
    /* The instance has served a call. */
    int (*called)(void *backend, struct gapir_vm_instance *instance, const struct cancel *cancel);
    /*
     * The instance is about to post bytes. Returns -ENODATA if these should come from the driver,
     * which does not have them.
     */
    int (*posted)(void *backend, struct gapir_vm_instance *instance, const struct gapir_post *post,
                  const struct cancel *cancel);
    /* The program is about to read `size` bytes of a window. May be NULL. */
    int (*reading)(void *backend, struct gapir_vm_instance *instance,
                   const struct gapir_location *location, uint64_t size,
                   const struct cancel *cancel);
    /* Runs all calls that have gathered. */
    int (*drain)(void *backend, const struct cancel *cancel);
    /* Drops all that has gathered since `begin`. The run begins anew after that. */
    void (*forget)(void *backend);
    /* Returns the reason of the last failure, or an empty string. Valid until the next call. */
    const char *(*reason)(const void *backend);
    /* see gapir_player_picture() */
    int (*picture)(void *backend, const struct gapir_player_picture *want,
                   const struct cancel *cancel, const uint8_t **pixels, struct blob **owner);
};

/*
 * Copies `size` bytes at an address of the driver's memory to `target` in the VM's memory, piece by
 * piece. `read` makes a blob of each piece. Returns 0, -ENODATA if `read` returned -ENOENT, or
 * another error of `read`.
 */
int gapir_backend_fetch(uint64_t address, uint64_t size, uint8_t *target,
                        int (*read)(void *backend, uint64_t address, uint64_t size,
                                    const struct cancel *cancel, struct blob **out),
                        void *backend, const struct cancel *cancel);

extern const struct gapir_backend_ops gapir_gl_backend;
extern const struct gapir_backend_ops gapir_vk_backend; /* only if it is built */

#endif

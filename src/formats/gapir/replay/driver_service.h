/* SPDX-License-Identifier: MIT */
/*
 * A call of the null driver while it is served: what driver_call.c, which pops its arguments and
 * pushes its result, and the actions of the APIs share. One thread.
 */
#ifndef GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_SERVICE_H
#define GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_SERVICE_H

#include "formats/gapir/replay/driver_state.h"

struct gapir_service {
    struct gapir_driver *driver;
    struct gapir_vm *vm;
    const struct gapir_slot *arguments;
    unsigned count;
    uint64_t *result;
};

static inline uint64_t gapir_argument(const struct gapir_service *service, unsigned n)
{
    return service->arguments[n].value;
}

/* How actions are served: those of Vulkan, and of OpenGL ES with the replay's own; NULL: not there.
 */
typedef enum gapir_fault gapir_serve(const struct gapir_service *service);
extern gapir_serve *const gapir_vulkan_actions[GAPIR_ACTIONS];
extern gapir_serve *const gapir_gl_actions[GAPIR_ACTIONS];

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The state of one call while the null driver serves it. driver_call.c, which pops the arguments
 * and pushes the result, shares it with the functions that serve the actions. One thread.
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

/*
 * Functions that serve actions. The GL table includes the replay's own functions. An entry is NULL
 * if the table does not serve the action.
 */
typedef enum gapir_fault gapir_serve(const struct gapir_service *service);
extern gapir_serve *const gapir_vulkan_actions[GAPIR_ACTIONS];
extern gapir_serve *const gapir_gl_actions[GAPIR_ACTIONS];

#endif

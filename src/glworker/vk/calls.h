/* SPDX-License-Identifier: MIT */
/*
 * Calls of the registry's functions, made by libffi (call.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_CALLS_H
#define GPUDUMPFS_GLWORKER_VK_CALLS_H

#include "glworker/vk/vk.h"

/* The replay's handles of a list, as they were when the arguments were copied. */
struct vk_list {
    const uint64_t *names; /* NULL: there is no such list */
    uint64_t count;
};

/* A call that the registry has. */
struct vk_call {
    const char *name;
    const struct gapir_vk_member *parameters;
    unsigned count;
    bool fails;                            /* its result may be an error … */
    VkResult result;                       /* … and was this */
    const uint64_t *given;                 /* as the replay has them */
    uint64_t values[VK_ARGUMENTS_MAX];     /* as the driver gets them: pointers are real */
    struct vk_list made[VK_ARGUMENTS_MAX]; /* what each argument makes */
    struct vk_list ended;                  /* what vkFree… ends */
};

/* A function of the driver's; NULL, with a note: it does not have it. */
PFN_vkVoidFunction vk_function(struct vk_session *session, const char *name);

/* Makes a call by libffi. False, with a note: it failed. */
bool vk_make(struct vk_session *session, struct vk_call *call);

/* Carries out a call of the replay's. */
void vk_run(struct vk_session *session, const char *name, const uint64_t *arguments,
            unsigned count);

/* Whether VkResult tells success; else a note tells what it is. */
bool vk_succeeded(struct vk_session *session, const char *function, VkResult result);

#endif

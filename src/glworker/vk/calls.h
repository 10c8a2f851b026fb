/* SPDX-License-Identifier: MIT */
/*
 * Makes calls of the registry's functions by libffi (call.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_CALLS_H
#define GPUDUMPFS_GLWORKER_VK_CALLS_H

#include "glworker/vk/vk.h"

/* A list of the replay's handles, copied when the arguments were. */
struct vk_list {
    const uint64_t *names; /* NULL if there is no such list */
    uint64_t count;
};

/* A call of a function that the registry has. */
struct vk_call {
    const char *name;
    const struct gapir_vk_member *parameters;
    unsigned count;
    bool fails;            /* the function returns a VkResult */
    VkResult result;       /* if `fails`: what the call returned */
    const uint64_t *given; /* the arguments as the replay has them */
    /* The arguments as the driver gets them: pointers are valid in this process. */
    uint64_t values[VK_ARGUMENTS_MAX];
    struct vk_list made[VK_ARGUMENTS_MAX]; /* the handles that each argument receives */
    struct vk_list ended;                  /* the handles that vkFree… frees */
};

/* Returns the driver's function of that name; NULL, with a note, if the driver does not have it. */
PFN_vkVoidFunction vk_function(struct vk_session *session, const char *name);

/*
 * Makes a call by libffi and stores its result. Returns false, with a note, if it failed or could
 * not be made.
 */
bool vk_make(struct vk_session *session, struct vk_call *call);

/*
 * Carries out a call of the replay, by its rule (rules.h) or by the registry's tables, and
 * registers or removes the objects that it creates or destroys. Failures are only noted.
 */
void vk_run(struct vk_session *session, const char *name, const uint64_t *arguments,
            unsigned count);

/* Returns whether `result` means success; otherwise adds a note that names the error. */
bool vk_succeeded(struct vk_session *session, const char *function, VkResult result);

#endif

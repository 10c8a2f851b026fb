/* SPDX-License-Identifier: MIT */
/*
 * Rules: functions that are not called as the registry's tables say. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_RULES_H
#define GPUDUMPFS_GLWORKER_VK_RULES_H

#include "glworker/vk/calls.h"

#include <stdbool.h>
#include <stdint.h>

struct vk_rule {
    const char *name; /* `vkGet*` matches every name that begins so */
    unsigned count;   /* the smallest number of arguments */
    /*
     * Carries out the complete call, with the arguments as the replay has them. A rule without raw,
     * check, after and as leaves the call out.
     */
    void (*raw)(struct vk_session *session, const uint64_t *arguments);
    /*
     * Checks copied arguments, and may change them. Returns false, with a note, if the call must
     * not be made.
     */
    bool (*check)(struct vk_session *session, struct vk_call *call);
    /* Runs after the call has succeeded, and the objects that it has created were registered. */
    void (*after)(struct vk_session *session, struct vk_call *call);
    const char *as; /* the name of the function that is called instead */
};

/* Returns the rule for a function; NULL if it is called as the registry's tables say. */
const struct vk_rule *vk_rule_find(const char *name);

#endif

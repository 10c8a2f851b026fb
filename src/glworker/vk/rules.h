/* SPDX-License-Identifier: MIT */
/*
 * What is done of some functions otherwise than by the registry's tables. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_VK_RULES_H
#define GPUDUMPFS_GLWORKER_VK_RULES_H

#include "glworker/vk/calls.h"

#include <stdbool.h>
#include <stdint.h>

struct vk_rule {
    const char *name; /* `vkGet*`: all that begin so */
    unsigned count;   /* of arguments, at least */
    /* Does all of it, of arguments as the replay has them; NULL: nothing is done. */
    void (*raw)(struct vk_session *session, const uint64_t *arguments);
    /* Looks at copied arguments, and may change them. False, with a note: it is not called. */
    bool (*check)(struct vk_session *session, struct vk_call *call);
    void (*after)(struct vk_session *session, struct vk_call *call);
    const char *as; /* the name by which it is called */
};

/* NULL: it is called as it is. */
const struct vk_rule *vk_rule_find(const char *name);

#endif

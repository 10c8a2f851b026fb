/* SPDX-License-Identifier: MIT */
/*
 * A flag that says "no caller waits for this any more", polled inside loops that may run long (a
 * replay, an expansion). A child counts as cancelled when its parent is: unmounting raises the
 * parent, a killed reader raises the child. Any thread may raise it; it is never lowered.
 */
#ifndef GPUDUMPFS_BASE_CANCEL_H
#define GPUDUMPFS_BASE_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct cancel {
    atomic_bool raised;
    const struct cancel *parent;
    /*
     * Called at each poll by the polling thread, if not NULL. Returns whether the work should end
     * for a reason that no other thread checks for (base/budget.h).
     */
    bool (*look)(const struct cancel *cancel);
};

static inline void cancel_init(struct cancel *cancel, const struct cancel *parent)
{
    atomic_init(&cancel->raised, false);
    cancel->parent = parent;
    cancel->look = NULL;
}

static inline void cancel_raise(struct cancel *cancel)
{
    atomic_store_explicit(&cancel->raised, true, memory_order_relaxed);
}

/* Returns whether the work should end with -EINTR. NULL is never cancelled. */
static inline bool cancel_requested(const struct cancel *cancel)
{
    for (; cancel != NULL; cancel = cancel->parent)
        if (atomic_load_explicit(&cancel->raised, memory_order_relaxed) ||
            (cancel->look != NULL && cancel->look(cancel)))
            return true;
    return false;
}

/*
 * Returns only whether the flag has been raised, without calling `look`. For a caller that holds a
 * lock which `look` may take (base/memory_limit.h), and for a thread that waits, which spends no
 * processor time.
 */
static inline bool cancel_is_raised(const struct cancel *cancel)
{
    for (; cancel != NULL; cancel = cancel->parent)
        if (atomic_load_explicit(&cancel->raised, memory_order_relaxed))
            return true;
    return false;
}

#endif

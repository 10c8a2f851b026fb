/* SPDX-License-Identifier: MIT */
/*
 * A flag that says "no caller waits for this any more", polled inside loops that
 * may run long (a replay, an expansion). A child is cancelled with its parent:
 * unmounting raises the parent, a killed reader the child. Raised from any
 * thread; never lowered.
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
     * NULL, or asked at each poll, by the thread that polls: whether the work should end for a
     * reason that nobody else looks for (base/budget.h).
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

/* True when the work should end with -EINTR. NULL is never cancelled. */
static inline bool cancel_requested(const struct cancel *cancel)
{
    for (; cancel != NULL; cancel = cancel->parent)
        if (atomic_load_explicit(&cancel->raised, memory_order_relaxed) ||
            (cancel->look != NULL && cancel->look(cancel)))
            return true;
    return false;
}

/*
 * The same of what has been raised, without asking: for a caller that holds a lock, which what is
 * asked may take (base/memory_limit.h), and for a thread that waits, which takes no time.
 */
static inline bool cancel_is_raised(const struct cancel *cancel)
{
    for (; cancel != NULL; cancel = cancel->parent)
        if (atomic_load_explicit(&cancel->raised, memory_order_relaxed))
            return true;
    return false;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Locks as clang's thread-safety analysis sees them (-Wthread-safety, an error in CI): which
 * members a lock guards, which functions want it held, or not, and in which order locks are
 * taken. C cannot name a lock that is a member beside the one that it guards, so that one
 * name stands for all locks of a kind; it is declared for the analysis alone, and never
 * defined. Other compilers see nothing. docs/architecture.md, "Locks", has the whole table.
 */
#ifndef GPUDUMPFS_BASE_LOCKS_H
#define GPUDUMPFS_BASE_LOCKS_H

#ifdef __clang__
#define LOCKS_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#else
#define LOCKS_ATTRIBUTE(...)
#endif

/* Behind a member. */
#define GUARDED_BY(kind) LOCKS_ATTRIBUTE(guarded_by(kind))

/* Behind a function's declaration: its caller holds the lock; or does not, nor those further in. */
#define REQUIRES(kind) LOCKS_ATTRIBUTE(requires_capability(kind))
#define EXCLUDES(...)  LOCKS_ATTRIBUTE(locks_excluded(__VA_ARGS__))

/* A function that takes the lock, or gives it back: nothing else calls pthread's. */
#define ACQUIRE(kind) LOCKS_ATTRIBUTE(acquire_capability(kind), no_thread_safety_analysis)
#define RELEASE(kind) LOCKS_ATTRIBUTE(release_capability(kind), no_thread_safety_analysis)

/* A function that is not looked into, since it is alone with what it makes or destroys. */
#define LOCKS_UNCHECKED LOCKS_ATTRIBUTE(no_thread_safety_analysis)

struct LOCKS_ATTRIBUTE(capability("lock")) lock_kind {
    char unused;
};

#define TAKEN_BEFORE(...) LOCKS_ATTRIBUTE(acquired_before(__VA_ARGS__))

/* Of base/ and cache/, the innermost first. */
extern struct lock_kind lock_of_problems;
extern struct lock_kind lock_of_pool;
extern struct lock_kind lock_of_cache TAKEN_BEFORE(lock_of_pool);
extern struct lock_kind lock_of_checkpoints TAKEN_BEFORE(lock_of_cache);
extern struct lock_kind lock_of_instances TAKEN_BEFORE(lock_of_cache);
extern struct lock_kind lock_of_task TAKEN_BEFORE(lock_of_cache);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Declares locks for clang's thread-safety analysis (-Wthread-safety, an error in CI): which
 * members a lock guards, which functions require it to be held or not held, and in which order
 * locks are taken. In C an attribute cannot name a lock that is a member next to the one that it
 * guards. One name therefore stands for all locks of a kind; it is only declared, for the analysis,
 * and never defined. Other compilers see nothing of this. docs/threads.md, "Locks", has the
 * complete table.
 */
#ifndef GPUDUMPFS_BASE_LOCKS_H
#define GPUDUMPFS_BASE_LOCKS_H

#ifdef __clang__
#define LOCKS_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#else
#define LOCKS_ATTRIBUTE(...)
#endif

/* Follows a member's declaration. */
#define GUARDED_BY(kind) LOCKS_ATTRIBUTE(guarded_by(kind))

/* Follows a function's declaration: the caller holds the lock. */
#define REQUIRES(kind) LOCKS_ATTRIBUTE(requires_capability(kind))

/*
 * Follows a function's declaration: the caller does not hold the lock, nor a lock that is taken
 * under it.
 */
#define EXCLUDES(...) LOCKS_ATTRIBUTE(locks_excluded(__VA_ARGS__))

/* For the functions that take the lock or release it. Nothing else calls pthread's functions. */
#define ACQUIRE(kind) LOCKS_ATTRIBUTE(acquire_capability(kind), no_thread_safety_analysis)
#define RELEASE(kind) LOCKS_ATTRIBUTE(release_capability(kind), no_thread_safety_analysis)

/*
 * For a function that is not analysed, since no other thread can use what it creates or destroys.
 */
#define LOCKS_UNCHECKED LOCKS_ATTRIBUTE(no_thread_safety_analysis)

struct LOCKS_ATTRIBUTE(capability("lock")) lock_kind {
    char unused;
};

#define TAKEN_BEFORE(...) LOCKS_ATTRIBUTE(acquired_before(__VA_ARGS__))

/*
 * Of base/ and source/. TAKEN_BEFORE names the locks that may be taken under this one; they are
 * declared before it.
 */
extern struct lock_kind lock_of_log;
extern struct lock_kind lock_of_memory;
extern struct lock_kind lock_of_sigbus_guard;
extern struct lock_kind lock_of_problems;
extern struct lock_kind lock_of_turn;
extern struct lock_kind lock_of_budget;
extern struct lock_kind lock_of_growing_source;
extern struct lock_kind lock_of_helper;
extern struct lock_kind lock_of_filewatch TAKEN_BEFORE(lock_of_log, lock_of_helper);

/* Of cache/, and of what takes its lock. */
extern struct lock_kind lock_of_watchdog;
extern struct lock_kind lock_of_pool TAKEN_BEFORE(lock_of_watchdog);
extern struct lock_kind lock_of_cache TAKEN_BEFORE(lock_of_pool, lock_of_budget, lock_of_memory);
extern struct lock_kind lock_of_checkpoints TAKEN_BEFORE(lock_of_cache, lock_of_memory);
extern struct lock_kind lock_of_instances TAKEN_BEFORE(lock_of_cache, lock_of_memory);
extern struct lock_kind lock_of_task TAKEN_BEFORE(lock_of_cache);
extern struct lock_kind lock_of_memory_limit TAKEN_BEFORE(lock_of_cache, lock_of_memory);

/* Of worker/. */
extern struct lock_kind lock_of_idle_watch TAKEN_BEFORE(lock_of_memory, lock_of_log, lock_of_helper,
                                                        lock_of_memory_limit);

/* Of the formats. */
extern struct lock_kind lock_of_aerogpu_follower;
extern struct lock_kind lock_of_aerogpu_blobs;
extern struct lock_kind lock_of_apitrace_drawables TAKEN_BEFORE(lock_of_cache);
extern struct lock_kind lock_of_apitrace_expander;
extern struct lock_kind lock_of_apitrace_parts;
extern struct lock_kind lock_of_apitrace_patterns;
extern struct lock_kind lock_of_apitrace_wanted_frames;
extern struct lock_kind lock_of_apitrace_recent;
extern struct lock_kind lock_of_apitrace_state;
extern struct lock_kind lock_of_psx_finder;
extern struct lock_kind lock_of_psx_flips;
extern struct lock_kind lock_of_psx_follow;
extern struct lock_kind lock_of_psx_index;
extern struct lock_kind lock_of_psx_keyframes;
extern struct lock_kind lock_of_psx_players;
extern struct lock_kind lock_of_psx_replay;
extern struct lock_kind lock_of_psx_textures;
extern struct lock_kind lock_of_vma_ahead;
extern struct lock_kind lock_of_vma_counts;
extern struct lock_kind lock_of_vma_lengths;

/* Of tree/, fuse/ and cli/. */
extern struct lock_kind lock_of_notifier;
extern struct lock_kind lock_of_tree TAKEN_BEFORE(lock_of_notifier);
extern struct lock_kind lock_of_search;
extern struct lock_kind lock_of_readahead TAKEN_BEFORE(lock_of_task, lock_of_pool);
extern struct lock_kind lock_of_file TAKEN_BEFORE(lock_of_cache, lock_of_problems, lock_of_tree,
                                                  lock_of_memory);
extern struct lock_kind lock_of_mount;
extern struct lock_kind lock_of_folder TAKEN_BEFORE(lock_of_mount);
extern struct lock_kind lock_of_generations;
extern struct lock_kind lock_of_library_log TAKEN_BEFORE(lock_of_log);
extern struct lock_kind lock_of_copy;

#endif

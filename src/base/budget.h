/* SPDX-License-Identifier: MIT */
/*
 * A budget: what a mount may spend on serving reads. It limits the processor time of each making
 * (cache/cache.h) and each pass (cache/index_task.h), and the bytes of each text, since even a
 * small dump may demand hours of work. Work that exceeds a limit is ended, reported, and not
 * started again. The same happens to work in progress when the process holds more memory than it
 * may (base/memory_limit.h).
 *
 * A use (struct budget_use) is one piece of work that is measured against the budget. Uses are
 * nested: a making may need an item that the same thread makes first. Time counts towards all uses
 * of the thread, unless they are paused.
 *
 * Processor time spent on items that then exceed their limit is charged to an account of the mount,
 * which refills within a minute. While the account is low, each making may take less, so that a
 * thousand files that exceed the limit cost little more than one.
 *
 * Any thread may use a budget. A budget_use belongs to one thread, except where a function says
 * otherwise.
 */
#ifndef GPUDUMPFS_BASE_BUDGET_H
#define GPUDUMPFS_BASE_BUDGET_H

#include "base/cancel.h"
#include "base/locks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum budget_limit { BUDGET_TIME, BUDGET_TEXT, BUDGET_MEMORY };

struct budget_params {
    uint64_t time; /* nanoseconds of processor time for one making or pass; 0 means no limit */
    uint64_t text; /* bytes of one text; 0 means no limit */
    /*
     * Called with no lock held when something has exceeded a limit. `amount` is the limit that was
     * in force, in nanoseconds or bytes. `item` is the item of the cache, or 0 for a pass.
     */
    void (*exceeded)(void *context, enum budget_limit limit, uint64_t amount, uint64_t item);
    void *context;
};

/* A zeroed budget limits nothing. */
struct budget {
    struct budget_params params;
    pthread_mutex_t lock;
    /* Nanoseconds missing from the account at the time `drawn_at`. */
    uint64_t drawn GUARDED_BY(lock_of_budget);
    uint64_t drawn_at GUARDED_BY(lock_of_budget); /* by CLOCK_MONOTONIC, in nanoseconds */
};

/* Must be called before several threads use the budget. */
void budget_init(struct budget *budget, const struct budget_params *params) LOCKS_UNCHECKED;
void budget_destroy(struct budget *budget);

/* Returns what one making may take at present, in nanoseconds; 0 means no limit, as for NULL. */
uint64_t budget_time(struct budget *budget) EXCLUDES(lock_of_budget);

/*
 * Reports that something exceeded a limit. If the limit is of time, `amount` is also drawn from the
 * account.
 */
void budget_exceed(struct budget *budget, enum budget_limit limit, uint64_t amount, uint64_t item)
    EXCLUDES(lock_of_budget);

/*
 * One thread's use of a budget, from budget_use_begin() to budget_use_end(). The uses of a thread
 * are nested. The work polls `cancel`, which is raised when the use exceeds a limit.
 */
struct budget_use {
    struct cancel cancel;       /* must be the first member: `look` casts it to the use */
    struct budget *budget;      /* NULL if there are no limits */
    bool timed;                 /* the budget limits time */
    struct budget_use *outer;   /* the same thread's enclosing use, or NULL */
    clockid_t clock;            /* processor clock of the thread */
    atomic_uint_fast64_t begin; /* start by `clock`; 0 until the time is first checked */
    /*
     * `paused`: by budget_pause(). `ending`: set by the first thread that ends the use. `over`: set
     * after that, when `exceeded` and `limit` are valid.
     */
    atomic_bool paused, ending, over;
    unsigned refusals; /* large blocks that had been refused to the thread when the use began */
    bool whole;        /* the account does not reduce its limit; set before the work begins */
    bool lasting;      /* too much memory for a worker on its own: a retry would fail, too */
    uint64_t part;     /* nanoseconds, if it is a part of the enclosing use; otherwise 0 */
    enum budget_limit exceeded; /* once `over` is set: the kind of limit that was exceeded */
    uint64_t limit;             /* the amount of that limit, in nanoseconds or bytes */
    atomic_uint passed;         /* number of successive checks that found too much memory held */
    atomic_uint_fast64_t looked_at; /* time of the last check, by a coarse clock */
};

/*
 * Begins a use of `budget` (NULL means no limits) by the calling thread. If `polled`, the work
 * checks its own time and the memory limit whenever it polls the use's cancel; otherwise another
 * thread calls budget_use_check(). `spent` is the time in nanoseconds that earlier uses took, which
 * counts towards this use's limit.
 */
void budget_use_begin(struct budget_use *use, struct budget *budget, const struct cancel *parent,
                      bool polled, uint64_t spent);

/*
 * Begins a part of the calling thread's current use: at most `time` nanoseconds for one of several
 * pieces of work, so that the others get their turn too. When the part exceeds its time, its cancel
 * is raised, but nothing is reported, and the enclosing use goes on. The work checks the time by
 * polling, as with `polled`.
 */
void budget_use_begin_part(struct budget_use *part, const struct cancel *parent, uint64_t time);

/* Ends a use, which must be the innermost one of the calling thread. */
void budget_use_end(struct budget_use *use);

/*
 * Returns how many nanoseconds the calling thread may still take, and sets *of to the full limit of
 * which they are left. Of the thread's nested uses, the one that has the least time left counts.
 * Both are UINT64_MAX if none has a limit of time.
 */
uint64_t budget_left(uint64_t *of);

/*
 * Returns the time spent so far in nanoseconds, including `spent` of budget_use_begin(); 0 if the
 * time has not been checked yet or there is no budget.
 */
uint64_t budget_use_spent(struct budget_use *use);

/*
 * Ends a use, and raises its cancel, because the process holds more memory than `limit`. Returns
 * false if the use is over already, has no limits, or is paused because its thread works for
 * another use. Any thread may call this as long as the use's thread is inside it.
 */
bool budget_use_end_for_memory(struct budget_use *use, uint64_t limit);

/*
 * Returns whether `status`, which the work has failed with, is due to a limit: the use's cancel was
 * raised, or a block was refused to the thread (base/memory.h). Only the use's own thread may call
 * this.
 */
bool budget_use_is_over(struct budget_use *use, int status);

/*
 * Reports a use for which budget_use_is_over() returned true, and draws its time from the account.
 * Returns the error that the work should fail with: -EIO for time, -ENOMEM for memory. Only the
 * use's own thread may call this.
 */
int budget_use_tell(struct budget_use *use, uint64_t item) EXCLUDES(lock_of_budget);

/*
 * Returns whether a use is over a limit, after checking its time. If it is, its cancel has been
 * raised. Any thread may call this as long as the use's thread is inside it.
 */
bool budget_use_check(struct budget_use *use) EXCLUDES(lock_of_budget);

/*
 * Returns how many nanoseconds of processor time a worker process may take now for the calling
 * thread; 0 means no limit. A worker's time counts half as much as the thread's own, since
 * rendering in software takes longer than preparing it.
 */
uint64_t budget_helper_time(void);

/*
 * Counts the processor time that a worker took for the calling thread towards all uses of the
 * thread. `all` means that this was all that budget_helper_time() allowed: then the use that has
 * the least time left is over.
 */
void budget_charge_helper(uint64_t time, bool all);

/*
 * Ends the calling thread's innermost use because the worker, by what it does for this thread,
 * would hold more memory than it may. `alone` means that the worker had most of the limit to
 * itself, so that retrying would fail again whatever else is in progress by then.
 */
void budget_end_helper_for_memory(bool alone);

/*
 * Returns whether `use` is nested, directly or not, inside `around`. Their thread must be inside
 * both.
 */
bool budget_use_is_within(const struct budget_use *use, const struct budget_use *around);

/*
 * Pauses all uses of the calling thread: what the thread spends between budget_pause() and
 * budget_resume() counts towards none of them.
 */
struct budget_pause {
    struct budget_use *innermost;
    uint64_t begin;
};
void budget_pause(struct budget_pause *pause);
void budget_resume(const struct budget_pause *pause);

#endif

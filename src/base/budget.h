/* SPDX-License-Identifier: MIT */
/*
 * What a mount may spend on what is read: processor time of each making and each pass, and
 * bytes of each text. A small dump may ask for the work of hours; what goes beyond a limit
 * ends, is told, and is not begun again. So does what is under way when the process holds more
 * memory than it may (base/memory_limit.h).
 *
 * Processor time spent on items that then exceed their limit is charged to an account of the mount,
 * which refills within a minute. While that is low, less is spent on each making, so that a
 * thousand files that go beyond the limit cost little more than one.
 *
 * A budget may be used by any thread. A use of it is one thread's, but for budget_use_check().
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
    uint64_t time; /* nanoseconds of processor time of one making or pass; 0: no limit */
    uint64_t text; /* bytes of one text; 0: no limit */
    /*
     * Told when something went beyond a limit, which was `amount` (nanoseconds, bytes) at that
     * time; with no lock held. `item`: of the cache, 0 for a pass.
     */
    void (*exceeded)(void *context, enum budget_limit limit, uint64_t amount, uint64_t item);
    void *context;
};

/* Zeroed it limits nothing. */
struct budget {
    struct budget_params params;
    pthread_mutex_t lock;
    uint64_t drawn GUARDED_BY(lock_of_budget);    /* nanoseconds, at … */
    uint64_t drawn_at GUARDED_BY(lock_of_budget); /* … that time */
};

/* Before the budget is used by several threads. */
void budget_init(struct budget *budget, const struct budget_params *params) LOCKS_UNCHECKED;
void budget_destroy(struct budget *budget);

/* What one making may take now, in nanoseconds; 0: no limit. NULL has none. */
uint64_t budget_time(struct budget *budget) EXCLUDES(lock_of_budget);

/* Tells what came to nothing; time is drawn as well. */
void budget_exceed(struct budget *budget, enum budget_limit limit, uint64_t amount, uint64_t item)
    EXCLUDES(lock_of_budget);

/*
 * The use that one thread makes of a budget, from begin to end; uses of a thread are nested. Its
 * cancel is what the work polls. Over its limit, that is raised.
 */
struct budget_use {
    struct cancel cancel;       /* first: see budget_use_begin() */
    struct budget *budget;      /* NULL: it has no limits */
    bool timed;                 /* one of them is of time */
    struct budget_use *outer;   /* the thread's, around this one */
    clockid_t clock;            /* the thread's */
    atomic_uint_fast64_t begin; /* by that clock; 0: not looked at yet */
    atomic_bool paused, ending, over;
    unsigned refusals; /* of blocks, that its thread had before */
    bool whole;        /* has the whole limit, whatever the account says: set before its work */
    bool lasting;      /* over in memory that a worker alone would hold: so will the next try be */
    uint64_t part;     /* nanoseconds: it is a part of the one around it; 0: it is none */
    enum budget_limit exceeded;     /* when it was over: which, … */
    uint64_t limit;                 /* … and how much it was */
    atomic_uint passed;             /* looks in a row that found too much memory held */
    atomic_uint_fast64_t looked_at; /* by a coarse clock */
};

/*
 * `polled`: the work itself looks at its time when it polls its cancel; else another thread calls
 * budget_use_check(). `spent`: by uses before that count as one with this, nanoseconds.
 */
void budget_use_begin(struct budget_use *use, struct budget *budget, const struct cancel *parent,
                      bool polled, uint64_t spent);

/*
 * A part of the use that the calling thread makes, for one of several pieces of work of which the
 * others are to be done too: at most so many nanoseconds. Over them its cancel is raised, which
 * is told to nobody, and the use around it goes on. Looks at itself, as what is `polled`.
 */
void budget_use_begin_part(struct budget_use *part, const struct cancel *parent, uint64_t time);

void budget_use_end(struct budget_use *use);

/*
 * What the calling thread may take yet, in nanoseconds, and how much it could as it began: of the
 * uses that it makes the one that is over first. UINT64_MAX: they have no limit.
 */
uint64_t budget_left(uint64_t *of);

/* What was spent so far, with what was spent before; 0 where that is not looked at. */
uint64_t budget_use_spent(struct budget_use *use);

/*
 * The work is to end, since so much memory is all that the process may hold. Any thread, while
 * that one lives. False: it has ended already, has no limits, or the thread works for another.
 */
bool budget_use_end_for_memory(struct budget_use *use, uint64_t limit);

/*
 * What the work has failed with is due to a limit: raised is its cancel, or a block was refused it
 * (base/memory.h). Its own thread.
 */
bool budget_use_is_over(struct budget_use *use, int status);

/*
 * Of such a one: draws and tells, and returns what it fails with: -EIO for time, -ENOMEM for
 * memory. Its own thread.
 */
int budget_use_tell(struct budget_use *use, uint64_t item) EXCLUDES(lock_of_budget);

/* Whether it is over its limit; then its cancel is raised. Any thread, while that one lives. */
bool budget_use_check(struct budget_use *use) EXCLUDES(lock_of_budget);

/*
 * What a helper process spends for the calling thread counts half of the thread's own: software
 * that draws takes more than what prepares it. budget_helper_time() is what it may take now, in
 * nanoseconds, 0 where there is no limit; budget_charge_helper() counts what it took, and when
 * that was `all` the use is over that had least left.
 */
uint64_t budget_helper_time(void);
void budget_charge_helper(uint64_t time, bool all);

/*
 * The helper would hold more memory than it may by what it does for the calling thread: the
 * innermost of its uses is over. `alone`: it had most of the limit to itself, so that it will be so
 * again, whatever else is under way then.
 */
void budget_end_helper_for_memory(bool alone);

/* Whether a use is made within another one, of the same thread. While that thread makes both. */
bool budget_use_is_within(const struct budget_use *use, const struct budget_use *around);

/* What the calling thread spends from one to the other counts for none of its uses. */
struct budget_pause {
    struct budget_use *innermost;
    uint64_t begin;
};
void budget_pause(struct budget_pause *pause);
void budget_resume(const struct budget_pause *pause);

#endif

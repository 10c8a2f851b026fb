/* SPDX-License-Identifier: MIT */
#include "base/budget.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/memory_limit.h"

#include <errno.h>
#include <stddef.h>

#define SECOND UINT64_C(1000000000)

enum {
    /* The account's size, in halves of the limit of one making. */
    ACCOUNT_HALVES = 3,
    FILLS_IN = 60,    /* seconds in which an empty account refills */
    MIN_SHARE = 64,   /* while the account is empty, each making gets 1/64 of the limit */
    HELPER_SHARE = 2, /* a worker's processor time counts 1/2 as much as the thread's own */
    LOOK_NANOSECONDS = 10 * 1000 * 1000, /* interval of the checks of a polled use */
    /*
     * Checks at which a polled use may find too much memory held without being ended: time in which
     * other work can give memory back.
     */
    LOOKS_PASSED = 3,
};

/*
 * If more bytes than this are held beyond the limit, memory grows faster than other work can give
 * it back: the use is ended at once.
 */
#define PASSED_MAX (MEMORY_LIMIT_SLACK / 2)

static _Thread_local struct budget_use *innermost;

static uint64_t now(clockid_t clock)
{
    return (uint64_t)clock_read(clock);
}

static void take_lock(struct budget *budget) ACQUIRE(lock_of_budget)
{
    pthread_mutex_lock(&budget->lock);
}

static void give_lock(struct budget *budget) RELEASE(lock_of_budget)
{
    pthread_mutex_unlock(&budget->lock);
}

void budget_init(struct budget *budget, const struct budget_params *params)
{
    pthread_mutex_init(&budget->lock, NULL);
    budget->drawn = 0;
    budget->drawn_at = now(CLOCK_MONOTONIC);
    budget->params = *params;
}

void budget_destroy(struct budget *budget)
{
    budget->params = (struct budget_params){0};
    pthread_mutex_destroy(&budget->lock);
}

static uint64_t account_of(const struct budget *budget)
{
    return budget->params.time / 2 * ACCOUNT_HALVES;
}

/* Refills the account up to now, and returns what is missing from it. */
static uint64_t look_at_account(struct budget *budget) REQUIRES(lock_of_budget)
{
    uint64_t time = now(CLOCK_MONOTONIC);
    double filled = (double)account_of(budget) / FILLS_IN / (double)SECOND;

    filled *= (double)(time - budget->drawn_at);
    budget->drawn = (double)budget->drawn > filled ? budget->drawn - (uint64_t)filled : 0;
    budget->drawn_at = time;
    return budget->drawn;
}

uint64_t budget_time(struct budget *budget)
{
    uint64_t left, min, limit;

    if (budget == NULL || budget->params.time == 0)
        return 0;
    limit = budget->params.time;
    min = limit / MIN_SHARE;
    take_lock(budget);
    left = look_at_account(budget);
    give_lock(budget);
    left = left < account_of(budget) ? account_of(budget) - left : 0;
    left = left > min ? left : min;
    return left < limit ? left : limit;
}

static void draw(struct budget *budget, uint64_t time)
{
    take_lock(budget);
    budget->drawn = look_at_account(budget) + time;
    if (budget->drawn > account_of(budget))
        budget->drawn = account_of(budget);
    give_lock(budget);
}

void budget_exceed(struct budget *budget, enum budget_limit limit, uint64_t amount, uint64_t item)
{
    if (limit == BUDGET_TIME)
        draw(budget, amount);
    if (budget->params.exceeded != NULL)
        budget->params.exceeded(budget->params.context, limit, amount, item);
}

/* Uses. */

static bool look(const struct cancel *cancel)
{
    struct budget_use *use = (struct budget_use *)(uintptr_t)cancel;
    uint64_t time = now(CLOCK_MONOTONIC_COARSE), passed;

    if (time - atomic_load_explicit(&use->looked_at, memory_order_relaxed) < LOOK_NANOSECONDS)
        return false;
    atomic_store_explicit(&use->looked_at, time, memory_order_relaxed);
    passed = memory_limit_look();
    if (passed == 0)
        atomic_store(&use->passed, 0);
    else if (passed > PASSED_MAX || atomic_fetch_add(&use->passed, 1) >= LOOKS_PASSED)
        return budget_use_end_for_memory(use, memory_limit());
    return budget_use_check(use);
}

/* Checks the time only: parts have no limit of memory. */
static bool look_at_part(const struct cancel *cancel)
{
    struct budget_use *use = (struct budget_use *)(uintptr_t)cancel;
    uint64_t time = now(CLOCK_MONOTONIC_COARSE);

    if (time - atomic_load_explicit(&use->looked_at, memory_order_relaxed) < LOOK_NANOSECONDS)
        return false;
    atomic_store_explicit(&use->looked_at, time, memory_order_relaxed);
    return budget_use_check(use);
}

void budget_use_begin(struct budget_use *use, struct budget *budget, const struct cancel *parent,
                      bool polled, uint64_t spent)
{
    cancel_init(&use->cancel, parent);
    use->budget = budget;
    use->timed = budget != NULL && budget->params.time != 0;
    use->outer = innermost;
    atomic_init(&use->passed, 0);
    atomic_init(&use->looked_at, 0);
    atomic_init(&use->ending, false);
    use->refusals = memory_refusals();
    use->limit = 0;
    use->whole = false;
    use->lasting = false;
    use->part = 0;
    atomic_init(&use->begin, 0);
    atomic_init(&use->paused, false);
    atomic_init(&use->over, false);
    innermost = use;
    if (budget == NULL)
        return;
    pthread_getcpuclockid(pthread_self(), &use->clock);
    if (!polled)
        return;
    /*
     * The sum may be below 0, if the time spent before is longer than the thread has run. Unsigned
     * arithmetic makes that harmless: now - begin is right all the same.
     */
    atomic_store(&use->begin, now(use->clock) - spent);
    atomic_store(&use->looked_at, now(CLOCK_MONOTONIC_COARSE));
    use->cancel.look = look;
}

void budget_use_begin_part(struct budget_use *part, const struct cancel *parent, uint64_t time)
{
    struct budget *budget = innermost != NULL && innermost->timed ? innermost->budget : NULL;

    budget_use_begin(part, budget, parent, true, 0);
    part->part = time;
    if (budget != NULL)
        part->cancel.look = look_at_part;
}

void budget_use_end(struct budget_use *use)
{
    innermost = use->outer;
}

uint64_t budget_use_spent(struct budget_use *use)
{
    uint64_t begin = use->budget != NULL ? atomic_load(&use->begin) : 0;

    return begin != 0 ? now(use->clock) - begin : 0;
}

static uint64_t limit_of(const struct budget_use *use)
{
    if (use->part != 0)
        return use->part;
    return use->whole ? use->budget->params.time : budget_time(use->budget);
}

static void end_use(struct budget_use *use, enum budget_limit exceeded, uint64_t limit)
{
    if (atomic_exchange(&use->ending, true))
        return;
    use->exceeded = exceeded;
    use->limit = limit;
    atomic_store(&use->over, true);
    cancel_raise(&use->cancel);
}

bool budget_use_check(struct budget_use *use)
{
    uint64_t begin, time, limit;

    if (use->budget == NULL || atomic_load(&use->paused))
        return false;
    if (atomic_load(&use->over))
        return true;
    if (!use->timed)
        return false;
    /*
     * The end of a pause moves `begin`. The use is over only if no pause has begun or ended since
     * `begin` was read, which must come before the clock: `begin` may have moved beyond an earlier
     * time.
     */
    begin = atomic_load(&use->begin);
    time = now(use->clock);
    if (begin == 0) {
        (void)atomic_compare_exchange_strong(&use->begin, &begin, time);
        return false;
    }
    limit = limit_of(use);
    if (time - begin <= limit || atomic_load(&use->paused) || atomic_load(&use->begin) != begin)
        return false;
    end_use(use, BUDGET_TIME, limit);
    return true;
}

bool budget_use_end_for_memory(struct budget_use *use, uint64_t limit)
{
    if (use->budget == NULL || limit == 0 || atomic_load(&use->paused) || atomic_load(&use->over))
        return false;
    end_use(use, BUDGET_MEMORY, limit);
    return true;
}

bool budget_use_is_over(struct budget_use *use, int status)
{
    if (status < 0 && atomic_load(&use->over))
        return true;
    if (status != -ENOMEM || use->budget == NULL || memory_refusals() == use->refusals)
        return false;
    use->exceeded = BUDGET_MEMORY;
    use->limit = memory_limit();
    return true;
}

int budget_use_tell(struct budget_use *use, uint64_t item)
{
    if (use->exceeded == BUDGET_MEMORY && use->timed)
        draw(use->budget, budget_use_spent(use));
    budget_exceed(use->budget, use->exceeded, use->limit, item);
    return use->exceeded == BUDGET_MEMORY ? -ENOMEM : -EIO;
}

/* Returns the use that has the least time left, or NULL if none is limited in time. */
static struct budget_use *find_tightest(uint64_t *left, uint64_t *of)
{
    struct budget_use *tightest = NULL;

    *left = *of = UINT64_MAX;
    for (struct budget_use *use = innermost; use != NULL; use = use->outer) {
        uint64_t limit, rest, spent = budget_use_spent(use);

        if (!use->timed)
            continue;
        limit = limit_of(use);
        rest = limit > spent ? limit - spent : 0;
        if (tightest != NULL && rest >= *left)
            continue;
        tightest = use;
        *left = rest;
        *of = limit;
    }
    return tightest;
}

uint64_t budget_left(uint64_t *of)
{
    uint64_t left;

    (void)find_tightest(&left, of);
    return left;
}

uint64_t budget_helper_time(void)
{
    uint64_t left, of;

    if (find_tightest(&left, &of) == NULL)
        return 0;
    return (left > 0 ? left : 1) * HELPER_SHARE;
}

static void charge(struct budget_use *use, uint64_t time)
{
    /* A use whose time has not been checked yet begins here. Unsigned, as in budget_use_begin(). */
    uint64_t begin = 0, start = now(use->clock) - time / HELPER_SHARE;

    if (!atomic_compare_exchange_strong(&use->begin, &begin, start))
        atomic_fetch_sub(&use->begin, time / HELPER_SHARE);
}

void budget_charge_helper(uint64_t time, bool all)
{
    struct budget_use *tightest;
    uint64_t left, of;

    for (struct budget_use *use = innermost; use != NULL; use = use->outer)
        if (use->timed)
            charge(use, time);
    tightest = find_tightest(&left, &of);
    for (struct budget_use *use = innermost; use != NULL; use = use->outer)
        if (use->timed)
            (void)budget_use_check(use);
    if (all && tightest != NULL)
        end_use(tightest, BUDGET_TIME, of);
}

void budget_end_helper_for_memory(bool alone)
{
    if (innermost == NULL)
        return;
    innermost->lasting = alone;
    (void)budget_use_end_for_memory(innermost, memory_limit());
}

bool budget_use_is_within(const struct budget_use *use, const struct budget_use *around)
{
    for (use = use->outer; use != NULL; use = use->outer)
        if (use == around)
            return true;
    return false;
}

void budget_pause(struct budget_pause *pause)
{
    pause->innermost = innermost;
    pause->begin = innermost != NULL ? now(CLOCK_THREAD_CPUTIME_ID) : 0;
    for (struct budget_use *use = innermost; use != NULL; use = use->outer)
        atomic_store(&use->paused, true);
    innermost = NULL;
}

void budget_resume(const struct budget_pause *pause)
{
    uint64_t spent = pause->innermost != NULL ? now(CLOCK_THREAD_CPUTIME_ID) - pause->begin : 0;

    for (struct budget_use *use = pause->innermost; use != NULL; use = use->outer) {
        if (atomic_load(&use->begin) != 0)
            atomic_fetch_add(&use->begin, spent);
        atomic_store(&use->paused, false);
    }
    innermost = pause->innermost;
}

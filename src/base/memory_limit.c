/* SPDX-License-Identifier: MIT */
#include "base/memory_limit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

enum { STATM_BYTES = 128, WORKER_SHARE = 4 };

static int statm = -1;
static pthread_mutex_t limit_lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory_holder *holders GUARDED_BY(lock_of_memory_limit);
static struct memory_share sum GUARDED_BY(lock_of_memory_limit);
static unsigned dumps GUARDED_BY(lock_of_memory_limit), free_dumps GUARDED_BY(lock_of_memory_limit);
static atomic_uint_fast64_t limit;
static atomic_uint_fast64_t of_workers; /* what other processes held at the last look */
static atomic_int_fast64_t spare;
static atomic_bool passed;

static void take_lock(void) ACQUIRE(lock_of_memory_limit)
{
    pthread_mutex_lock(&limit_lock);
}

static void give_lock(void) RELEASE(lock_of_memory_limit)
{
    pthread_mutex_unlock(&limit_lock);
}

int memory_limit_open(void)
{
    if (statm >= 0)
        close(statm);
    statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    return statm;
}

/* statm has the numbers of all pages, of resident pages, and of resident pages that are shared. */
uint64_t memory_limit_read(int file)
{
    char line[STATM_BYTES];
    ssize_t got = file < 0 ? -1 : pread(file, line, sizeof(line) - 1, 0);
    unsigned long long in_memory = 0, of_files = 0;

    if (got <= 0)
        return 0;
    line[got] = '\0';
    if (sscanf(line, "%*u %llu %llu", &in_memory, &of_files) != 2 || in_memory < of_files)
        return 0;
    return (in_memory - of_files) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The limit. */

static void set_limit(void) REQUIRES(lock_of_memory_limit)
{
    bool limited = dumps > 0 && free_dumps == 0 && statm >= 0;

    if (dumps == 0)
        sum.shared = 0;
    atomic_store(&limit, limited ? sum.shared + sum.own : 0);
    if (!limited)
        atomic_store(&passed, false);
}

void memory_limit_add(const struct memory_share *share)
{
    take_lock();
    dumps++;
    free_dumps += share->shared == 0;
    sum.own += share->own;
    sum.shared = share->shared > sum.shared ? share->shared : sum.shared;
    set_limit();
    give_lock();
}

void memory_limit_remove(const struct memory_share *share)
{
    take_lock();
    dumps--;
    free_dumps -= share->shared == 0;
    sum.own -= share->own;
    set_limit();
    give_lock();
}

uint64_t memory_limit(void)
{
    return atomic_load(&limit);
}

uint64_t memory_limit_held(void)
{
    uint64_t own = memory_limit_read(statm);

    return own != 0 ? own + atomic_load(&of_workers) : 0;
}

/* Holders. */

void memory_limit_join(struct memory_holder *holder)
{
    take_lock();
    holder->next = holders;
    holders = holder;
    give_lock();
}

void memory_limit_leave(struct memory_holder *holder)
{
    take_lock();
    for (struct memory_holder **each = &holders; *each != NULL; each = &(*each)->next)
        if (*each == holder) {
            *each = holder->next;
            break;
        }
    give_lock();
}

static void look_at_workers(void) REQUIRES(lock_of_memory_limit)
{
    uint64_t bytes = 0;

    for (const struct memory_holder *each = holders; each != NULL; each = each->next) {
        uint64_t told = each->told != NULL ? __atomic_load_n(each->told, __ATOMIC_RELAXED) : 0;

        bytes += told < each->told_max ? told : each->told_max;
    }
    atomic_store(&of_workers, bytes);
}

void memory_limit_watch(struct memory_holder *holder, const uint64_t *told, uint64_t max)
{
    take_lock();
    holder->told = told;
    holder->told_max = max;
    look_at_workers();
    give_lock();
}

void memory_limit_spare(int64_t change)
{
    atomic_fetch_add(&spare, change);
}

/* Returns the bytes held, without those that holders could free at once. */
static uint64_t needed(void)
{
    uint64_t held = memory_limit_held();
    int64_t less = atomic_load(&spare);

    if (less <= 0)
        return held;
    return held > (uint64_t)less ? held - (uint64_t)less : 0;
}

uint64_t memory_limit_look(void)
{
    uint64_t max = memory_limit(), held;

    if (max == 0)
        return 0;
    take_lock();
    look_at_workers();
    held = memory_limit_held();
    for (const struct memory_holder *each = holders;
         each != NULL && held + MEMORY_LIMIT_SLACK > max; each = each->next) {
        if (each->relieve == NULL)
            continue;
        each->relieve(each->context, held + MEMORY_LIMIT_SLACK - max);
        held = memory_limit_held();
    }
    atomic_store(&passed, held > max);
    give_lock();
    return held > max ? held - max : 0;
}

bool memory_limit_is_passed(void)
{
    return atomic_load(&passed);
}

bool memory_limit_admits(uint64_t size)
{
    uint64_t max = memory_limit();

    return max == 0 || (size <= max && needed() <= max - size);
}

uint64_t memory_limit_of_worker(uint64_t held)
{
    uint64_t max = memory_limit(), others = needed();

    if (max == 0)
        return 0;
    others = others > held ? others - held : 0;
    others += MEMORY_LIMIT_SLACK / 2;
    return others < max - max / WORKER_SHARE ? max - others : max / WORKER_SHARE;
}

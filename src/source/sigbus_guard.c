/* SPDX-License-Identifier: MIT */
/*
 * The handler walks a list that only grows. A removed guard is marked as unused and reused later,
 * so that no walk meets freed memory, and no lock is needed in the handler, where none may be
 * taken. A guard in use does not change: a thread that touches a mapping also keeps the mapping and
 * its guard in existence. So a guard that changes while it is compared with an address is not the
 * guard of that address.
 */
#include "source/sigbus_guard.h"

#include "base/locks.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct guard {
    struct guard *next;
    atomic_uintptr_t start; /* 0 if unused */
    atomic_size_t size;
    atomic_uint uses; /* how many times it was taken into use */
    atomic_bool *lost;
    bool (*fill)(void *context, const void *address); /* may be NULL */
    void *context;
};

static _Atomic(struct guard *) guards;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for adding and removing */
static uintptr_t page_size;
static struct sigaction before;

static void take_lock(void) ACQUIRE(lock_of_sigbus_guard)
{
    pthread_mutex_lock(&lock);
}

static void give_lock(void) RELEASE(lock_of_sigbus_guard)
{
    pthread_mutex_unlock(&lock);
}

/* Start and size are those of the same mapping if the guard was not taken into use in between. */
static bool guards_address(const struct guard *guard, uintptr_t address)
{
    unsigned uses = atomic_load(&guard->uses);
    uintptr_t start = atomic_load(&guard->start);

    return start != 0 && address >= start && address - start < atomic_load(&guard->size) &&
           uses == atomic_load(&guard->uses);
}

static const struct guard *find(uintptr_t address)
{
    const struct guard *guard = atomic_load(&guards);

    while (guard != NULL && !guards_address(guard, address))
        guard = guard->next;
    return guard;
}

/*
 * Uses only what a signal handler may call: mmap() and sigaction() are plain system calls. Sets
 * `lost` first: as soon as the zeros are in place, other threads may read them.
 */
static bool put_zeros(const struct guard *guard, uintptr_t address)
{
    atomic_store(guard->lost, true);
    return mmap((void *)(address & ~(page_size - 1)), page_size, PROT_READ,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

static bool put_page(const struct guard *guard, void *address)
{
    return (guard->fill != NULL && guard->fill(guard->context, address)) ||
           put_zeros(guard, (uintptr_t)address);
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const struct guard *guard = find((uintptr_t)info->si_addr);
    int saved = errno;

    (void)context;
    if (guard == NULL || !put_page(guard, info->si_addr))
        sigaction(number, &before,
                  NULL); /* not ours: SIGBUS is raised again, for its proper handler */
    errno = saved;
}

/* Installs the handler, again if another one has replaced it. */
static void install(void) REQUIRES(lock_of_sigbus_guard)
{
    /* SA_NODEFER: `fill` copies guarded bytes, which may themselves be lost meanwhile. */
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct sigaction now;

    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, NULL, &now) == 0 && now.sa_sigaction != on_bus_error) {
        before = now;
        sigaction(SIGBUS, &action, NULL);
    }
}

static struct guard *unused_guard(void) REQUIRES(lock_of_sigbus_guard)
{
    struct guard *guard = atomic_load(&guards);

    while (guard != NULL && atomic_load(&guard->start) != 0)
        guard = guard->next;
    if (guard != NULL)
        return guard;
    guard = calloc(1, sizeof(*guard));
    if (guard == NULL)
        return NULL;
    guard->next = atomic_load(&guards);
    atomic_store(&guards, guard);
    return guard;
}

int sigbus_guard_add(const void *data, size_t size, atomic_bool *lost)
{
    return sigbus_guard_add_filled(data, size, lost, NULL, NULL);
}

int sigbus_guard_add_filled(const void *data, size_t size, atomic_bool *lost,
                            bool (*fill)(void *context, const void *address), void *context)
{
    struct guard *guard;

    take_lock();
    install();
    guard = unused_guard();
    if (guard != NULL) {
        atomic_fetch_add(&guard->uses, 1);
        guard->lost = lost;
        guard->fill = fill;
        guard->context = context;
        atomic_store(&guard->size, size);
        atomic_store(&guard->start, (uintptr_t)data);
    }
    give_lock();
    return guard != NULL ? 0 : -ENOMEM;
}

void sigbus_guard_remove(const void *data)
{
    take_lock();
    for (struct guard *guard = atomic_load(&guards); guard != NULL; guard = guard->next)
        if (atomic_load(&guard->start) == (uintptr_t)data)
            atomic_store(&guard->start, 0);
    give_lock();
}

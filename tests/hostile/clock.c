/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a daemon: a clock that is being set all the time. Each time that the time of day
 * is read, it is up to ten years away from the time before, in both directions. Clocks that cannot
 * be set go on normally.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

enum { YEARS = 5, YEAR = 365 * 24 * 3600 };

/* How many seconds the clock is off this time. */
static time_t jump(void)
{
    static atomic_uint looks;
    unsigned look = atomic_fetch_add(&looks, 1) + 1;

    return (time_t)(look * 2654435761U % (YEARS * YEAR)) * (look % 2 == 0 ? 1 : -1);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    int (*real)(clockid_t, struct timespec *);
    int status;

    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    status = real(clock, out);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        out->tv_sec += jump();
    return status;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec now;
    int status = clock_gettime(CLOCK_REALTIME, &now);

    (void)zone;
    *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return status;
}

time_t time(time_t *out)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL)
        *out = now.tv_sec;
    return now.tv_sec;
}

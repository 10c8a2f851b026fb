/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a daemon: a clock that somebody sets. Each look at the time of day finds it up to
 * ten years away from the look before, to and fro; clocks that nobody can set go on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

enum { YEARS = 5, YEAR = 365 * 24 * 3600 };

/* Seconds that the clock is off at this look. */
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

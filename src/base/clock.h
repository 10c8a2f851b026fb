/* SPDX-License-Identifier: MIT */
/*
 * Time since some moment in the past, which no user sets: it stands still while the machine
 * sleeps. Any thread.
 */
#ifndef GPUDUMPFS_BASE_CLOCK_H
#define GPUDUMPFS_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of such a clock of the system's; 0: it has none. */
static inline int64_t clock_read(clockid_t clock)
{
    struct timespec time = {0};

    if (clock_gettime(clock, &time) != 0)
        return 0;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t clock_ns(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

static inline int64_t clock_ms(void)
{
    return clock_ns() / 1000000;
}

/* To some milliseconds, in a few nanoseconds: for what asks all the time. */
static inline int64_t clock_coarse_ms(void)
{
    return clock_read(CLOCK_MONOTONIC_COARSE) / 1000000;
}

#endif

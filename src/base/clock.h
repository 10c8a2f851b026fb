/* SPDX-License-Identifier: MIT */
/*
 * Monotonic time since an unspecified moment, which setting the system's clock does not affect. It
 * does not advance while the machine sleeps. Any thread.
 */
#ifndef GPUDUMPFS_BASE_CLOCK_H
#define GPUDUMPFS_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns the time of one of the system's clocks in nanoseconds; 0 if there is no such clock. */
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

/* Accurate to a few milliseconds only, but takes just nanoseconds: for frequent callers. */
static inline int64_t clock_coarse_ms(void)
{
    return clock_read(CLOCK_MONOTONIC_COARSE) / 1000000;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the benchmark programs share: clocks, a dump in memory, random numbers. Each program prints
 * lines of a name, a TAB and a number, which bench.py reads. One thread.
 */
#ifndef GPUDUMPFS_TESTS_BENCH_BENCH_H
#define GPUDUMPFS_TESTS_BENCH_BENCH_H

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static inline double bench_seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline double bench_seconds(void)
{
    return bench_seconds_of(CLOCK_MONOTONIC);
}

/* The processor time of this thread, which is lengthened less on a busy machine. */
static inline double bench_own_seconds(void)
{
    return bench_seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static inline void bench_report(const char *name, double value)
{
    printf("%s\t%.9g\n", name, value);
    fflush(stdout);
}

/* Prints all digits, for checksums that are compared, and counts. */
static inline void bench_report_whole(const char *name, uint64_t value)
{
    printf("%s\t%" PRIu64 "\n", name, value);
    fflush(stdout);
}

/* xorshift: the same numbers for the same seed, which must not be 0. */
static inline uint64_t bench_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/*
 * Prints the median, 99th percentile and longest of some times, as NAME-median and so on. Sorts the
 * times.
 */
static inline void bench_report_times(const char *name, double *times, size_t count)
{
    char line[64];

    if (count == 0)
        return;
    qsort(times, count, sizeof(*times), bench_compare);
    snprintf(line, sizeof(line), "%s-median", name);
    bench_report(line, times[count / 2]);
    snprintf(line, sizeof(line), "%s-p99", name);
    bench_report(line, times[(count * 99 - 1) / 100]);
    snprintf(line, sizeof(line), "%s-longest", name);
    bench_report(line, times[count - 1]);
}

/* Returns the memory of this process in bytes, without mapped files. */
static inline double bench_memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[128];
    uint64_t kib = 0;

    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "RssAnon: %" SCNu64, &kib) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return (double)kib * 1024;
}

struct bench_file {
    const uint8_t *bytes;
    size_t size;
};

/* Maps a complete file and reads it in. Returns 0 or -1. The file is never unmapped. */
static inline int bench_map(const char *path, struct bench_file *out)
{
    int fd = open(path, O_RDONLY), result = -1;
    struct stat status;
    void *bytes = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (bytes != MAP_FAILED) {
        *out = (struct bench_file){bytes, (size_t)status.st_size};
        result = 0;
    }
    if (fd >= 0)
        close(fd);
    return result;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A storm of thumbnailers: threads read complete files of a folder at random, for SECONDS, while
 * stat() of files whose names the kernel has not seen is timed:
 *
 *     bench_storm FOLDER FILES READERS SECONDS
 *
 * The files are 000000.png to FILES - 1. The readers take those with even numbers, stat() those
 * with odd ones.
 */
#include "config.h"

#include "tests/bench/bench.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { READERS_MAX = 256, STATS_MAX = 100000, PAUSE_MICROSECONDS = 2000 };

static const char *folder;
static uint64_t files;
static atomic_bool ending;
static atomic_uint_fast64_t pictures;

static void name_of(uint64_t number, char *path, size_t size)
{
    snprintf(path, size, "%s/%06" PRIu64 ".png", folder, number);
}

static void read_file(uint64_t number, uint8_t *buffer, size_t size)
{
    char path[4096];
    int fd;

    name_of(number, path, sizeof(path));
    fd = open(path, O_RDONLY);
    if (fd < 0)
        return;
    while (read(fd, buffer, size) > 0 && !atomic_load(&ending))
        ;
    close(fd);
    atomic_fetch_add(&pictures, 1);
}

static void *read_files(void *context)
{
    static const size_t size = 128 * 1024;
    uint64_t random = (uint64_t)(uintptr_t)context * UINT64_C(0x9E3779B97F4A7C15) | 1;
    uint8_t *buffer = malloc(size);

    while (buffer != NULL && !atomic_load(&ending))
        read_file(bench_random(&random) % files & ~UINT64_C(1), buffer, size);
    free(buffer);
    return NULL;
}

/* Measures latencies of stat() until the time is over. Returns their number. */
static size_t time_stats(double seconds, double *latencies)
{
    double end = bench_seconds() + seconds;
    uint64_t random = 4711;
    size_t count = 0;

    while (count < STATS_MAX && bench_seconds() < end) {
        char path[4096];
        struct stat status;
        double start;

        name_of(bench_random(&random) % files | 1, path, sizeof(path));
        start = bench_seconds();
        if (stat(path, &status) == 0)
            latencies[count++] = bench_seconds() - start;
        usleep(PAUSE_MICROSECONDS);
    }
    return count;
}

static int storm(unsigned readers, double seconds)
{
    double *latencies = calloc(STATS_MAX, sizeof(*latencies));
    pthread_t threads[READERS_MAX];
    unsigned started = 0;
    double start = bench_seconds();

    if (latencies == NULL)
        return 1;
    while (started < readers && pthread_create(&threads[started], NULL, read_files,
                                               (void *)(uintptr_t)(started + 1)) == 0)
        started++;
    bench_report_times("stat", latencies, time_stats(seconds, latencies));
    atomic_store(&ending, true);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    bench_report("rate", (double)atomic_load(&pictures) / (bench_seconds() - start));
    free(latencies);
    return started != readers;
}

int main(int argc, char **argv)
{
    unsigned readers = argc == 5 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;

    if (readers < 1 || readers > READERS_MAX || (files = strtoull(argv[2], NULL, 10)) < 2) {
        fprintf(stderr, "usage: bench_storm FOLDER FILES READERS SECONDS\n");
        return 2;
    }
    folder = argv[1];
    return storm(readers, strtod(argv[4], NULL));
}

/* SPDX-License-Identifier: MIT */
/*
 * How fast a GAPIR payload is opened (decode pass) and run (index run), in processor time of the
 * thread. Between two runs a control of fixed work is measured, to tell a slow machine from slow
 * code. Prints the medians for each folder:
 *
 *     bench_gapir [-n RUNS] FOLDER...
 */
#include "config.h"

#include "formats/gapir/index.h"
#include "source/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MAX = 1000, CONTROL_WORDS = 1000000, CONTROL_PASSES = 10 };

struct figures {
    double open[RUNS_MAX], run[RUNS_MAX], whole[RUNS_MAX], control[RUNS_MAX]; /* seconds */
    uint64_t instructions, executed;
    char result[32];
};

static double thread_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct gapir_bytes read_part(const struct source *folder, const char *name,
                                    struct source **source)
{
    const struct source_params params = {.raw = true};

    if (source_open_sibling(folder, name, &params, NULL, source) < 0)
        return (struct gapir_bytes){NULL, 0};
    return (struct gapir_bytes){(*source)->data, (*source)->size};
}

/* Looks up the opcodes of a million random words, ten times. */
static double control(void)
{
    static uint32_t words[CONTROL_WORDS];
    static volatile uint32_t kept;
    uint32_t sum = 0;

    for (uint32_t n = 0; words[CONTROL_WORDS - 1] == 0 && n < CONTROL_WORDS; n++)
        words[n] = (n + 1) * 2654435761u;
    double start = thread_seconds();
    for (unsigned pass = 0; pass < CONTROL_PASSES; pass++)
        for (uint32_t n = 0; n < CONTROL_WORDS; n++)
            sum += gapir_opcode_map[pass % GAPIR_DIALECTS][words[n] >> 26] ^ n;
    kept = sum;
    return thread_seconds() - start + 0 * kept;
}

static int measure(struct gapir_bytes payload, struct gapir_bytes index, struct gapir_bytes data,
                   int run, struct figures *out)
{
    const struct gapir_replay_params params = {
        .limits = {GAPIR_INSTRUCTIONS, GAPIR_MOVED, UINT64_C(2) << 30}, .pointer_size = 8};
    struct gapir_replay *replay = NULL;
    struct gapir_index indexed = {0};
    double start = thread_seconds();
    int status = gapir_replay_open(payload, index, data, &params, NULL, NULL, &replay);

    out->open[run] = thread_seconds() - start;
    if (status == 0)
        status = gapir_index_run(replay, NULL, &indexed);
    out->whole[run] = thread_seconds() - start;
    out->run[run] = out->whole[run] - out->open[run];
    out->control[run] = control();
    if (status == 0) {
        out->instructions = replay->scan.instructions;
        out->executed = indexed.end.steps;
        gapir_index_result(&indexed, out->result);
    }
    gapir_index_clear(&indexed);
    gapir_replay_close(&replay);
    return status;
}

static int compare_seconds(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return a < b ? -1 : a > b;
}

/* Returns the median. Sorts the times. */
static double median(double *seconds, int runs)
{
    qsort(seconds, (size_t)runs, sizeof(*seconds), compare_seconds);
    return seconds[runs / 2];
}

static void print(const char *name, int runs, struct figures *figures)
{
    double open = median(figures->open, runs), run = median(figures->run, runs);
    double whole = median(figures->whole, runs), steady = median(figures->control, runs);

    printf("%s: %s; medians of %d: open %.1f ms (%" PRIu64 " instructions), run %.1f ms (%" PRIu64
           " executed, %.0f M/s), together %.1f ms, %.2f times the control's %.1f ms\n",
           name, figures->result, runs, open * 1e3, figures->instructions, run * 1e3,
           figures->executed, (double)figures->executed / run * 1e-6, whole * 1e3, whole / steady,
           steady * 1e3);
}

static int bench(const char *name, int runs)
{
    static struct figures figures;
    const struct source_params params = {.raw = true};
    struct source *folder = NULL, *parts[3] = {NULL};
    int status = source_open(name, &params, NULL, &folder);

    if (status == 0) {
        struct gapir_bytes payload = read_part(folder, "payload.bin", &parts[0]);
        struct gapir_bytes index = read_part(folder, "resources.index", &parts[1]);
        struct gapir_bytes data = read_part(folder, "resources.data", &parts[2]);
        for (int n = 0; n < runs && status == 0; n++)
            status = measure(payload, index, data, n, &figures);
    }
    if (status == 0)
        print(name, runs, &figures);
    else
        fprintf(stderr, "bench_gapir: %s: %s\n", name, strerror(-status));
    for (unsigned n = 0; n < 3; n++)
        source_close(&parts[n]);
    source_close(&folder);
    return status;
}

int main(int argc, char **argv)
{
    int runs = 7, option, failed = 0;

    while ((option = getopt(argc, argv, "n:")) == 'n')
        runs = atoi(optarg);
    if (option != -1 || runs < 1 || runs > RUNS_MAX || optind == argc) {
        fprintf(stderr, "usage: bench_gapir [-n RUNS] FOLDER...\n");
        return 1;
    }
    for (; optind < argc; optind++)
        failed |= bench(argv[optind], runs) != 0;
    return failed;
}

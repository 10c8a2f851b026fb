/*
 * How fast a GAPIR payload is opened (decode pass) and run (index run), in the
 * thread's own time. Prints the best of some runs for each folder:
 *
 *     bench_gapir [-n RUNS] FOLDER...
 */
#include "config.h"

#include "core/source.h"
#include "formats/gapir/index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct figures {
    double open, run; /* seconds */
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

static int measure(struct gapir_bytes payload, struct gapir_bytes index, struct gapir_bytes data,
                   struct figures *out)
{
    const struct gapir_replay_params params = {
        .limits = {GAPIR_INSTRUCTIONS, GAPIR_MOVED, UINT64_C(2) << 30}, .pointer_size = 8};
    struct gapir_replay *replay = NULL;
    struct gapir_index indexed = {0};
    double start = thread_seconds();
    int status = gapir_replay_open(payload, index, data, &params, NULL, NULL, &replay);

    out->open = thread_seconds() - start;
    if (status == 0)
        status = gapir_index_run(replay, NULL, &indexed);
    out->run = thread_seconds() - start - out->open;
    if (status == 0) {
        out->instructions = replay->scan.instructions;
        out->executed = indexed.end.steps;
        gapir_index_result(&indexed, out->result);
    }
    gapir_index_clear(&indexed);
    gapir_replay_close(&replay);
    return status;
}

static void print(const char *name, const struct figures *best)
{
    printf("%s: %s, open %.1f ms (%" PRIu64 " instructions), run %.1f ms (%" PRIu64
           " executed, %.0f M/s)\n",
           name, best->result, best->open * 1e3, best->instructions, best->run * 1e3,
           best->executed, (double)best->executed / best->run * 1e-6);
}

static int bench(const char *name, int runs)
{
    const struct source_params params = {.raw = true};
    struct source *folder = NULL, *parts[3] = {NULL};
    struct figures best = {.open = 1e9, .run = 1e9}, figures = {0};
    int status = source_open(name, &params, NULL, &folder);

    if (status == 0) {
        struct gapir_bytes payload = read_part(folder, "payload.bin", &parts[0]);
        struct gapir_bytes index = read_part(folder, "resources.index", &parts[1]);
        struct gapir_bytes data = read_part(folder, "resources.data", &parts[2]);
        for (int n = 0; n < runs && status == 0; n++) {
            status = measure(payload, index, data, &figures);
            if (figures.open + figures.run < best.open + best.run)
                best = figures;
        }
    }
    if (status == 0)
        print(name, &best);
    else
        fprintf(stderr, "bench_gapir: %s: %s\n", name, strerror(-status));
    for (unsigned n = 0; n < 3; n++)
        source_close(&parts[n]);
    source_close(&folder);
    return status;
}

int main(int argc, char **argv)
{
    int runs = 5, option, failed = 0;

    while ((option = getopt(argc, argv, "n:")) == 'n')
        runs = atoi(optarg);
    if (option != -1 || runs < 1 || optind == argc) {
        fprintf(stderr, "usage: bench_gapir [-n RUNS] FOLDER...\n");
        return 1;
    }
    for (; optind < argc; optind++)
        failed |= bench(argv[optind], runs) != 0;
    return failed;
}

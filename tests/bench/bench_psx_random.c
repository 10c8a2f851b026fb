/*
 * How long one waits for any frame: a dump is opened with its tree, threads and
 * all, the index and the keyframes are waited for and timed, then pictures that
 * were never asked for are read at random. The control, in the same run and on
 * one thread, is a replay of everything up to the last frame:
 *
 *     bench_psx_random [-n FRAMES] [-s SEED] [-c] DUMP...
 *
 * -c reads the pictures at once, before there are keyframes. Times are those of the
 * clock, and the thread's own, which a busy machine lengthens less.
 */
#include "config.h"

#include "formats/format.h"
#include "formats/psx/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { POLL_MICROSECONDS = 500 };

struct settings {
    unsigned frames;
    uint64_t seed;
    bool at_once;
};

struct bench {
    struct format_dump opened;
    struct options options;
    struct tree *tree;
    struct psx_dump *psx;
    double *latencies, *own; /* by the clock, and of the reading thread */
    unsigned count;
};

static double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static double own_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* xorshift: the same frames for the same seed. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Memory of our own in KiB: the mapped dump does not count. */
static uint64_t own_memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[128];
    uint64_t kib = 0;

    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "RssAnon: %" SCNu64, &kib) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kib;
}

static int open_dump(const char *path, struct bench *bench)
{
    static const struct source_params source = {.max_expand = UINT64_MAX};
    struct text message = TEXT_INIT;
    int status = format_options_init(&bench->options);

    if (status == 0)
        status = format_open(path, &bench->options, &source, &message, &bench->opened);
    text_clear(&message);
    if (status != 0)
        return status;
    bench->psx = psx_dump_of(bench->opened.dump);
    return format_tree(&bench->opened, bench->options.threads, &bench->tree);
}

/* Reads a whole picture, as a viewer does. */
static int read_picture(struct bench *bench, uint64_t frame)
{
    struct tree_file *file = NULL;
    struct tree_window window;
    uint64_t offset = 0, inode;
    char path[64];
    int status;

    snprintf(path, sizeof(path), "frames/%06" PRIu64 ".png", frame);
    status = tree_find(bench->tree, path, true, &inode);
    if (status == 0)
        status = tree_open(bench->tree, inode, &file);
    while (status == 0) {
        status = tree_read(file, offset, 1 << 20, NULL, &window);
        if (status != 0 || window.length == 0)
            break;
        offset += window.length;
        blob_unref(&window.blob);
    }
    tree_close(&file);
    return status;
}

static int read_at_random(struct bench *bench, const struct settings *settings)
{
    uint64_t frames = bench->psx->index.frame_count, random = settings->seed;
    bool *read = calloc(frames + 1, sizeof(*read));
    int status = read == NULL ? -ENOMEM : 0;

    for (unsigned n = 0; status == 0 && n < settings->frames && n < frames; n++) {
        uint64_t frame = next_random(&random) % frames;
        double start, own;

        while (read[frame])
            frame = (frame + 1) % frames;
        read[frame] = true;
        start = seconds();
        own = own_seconds();
        status = read_picture(bench, frame);
        bench->own[bench->count] = own_seconds() - own;
        bench->latencies[bench->count++] = seconds() - start;
    }
    free(read);
    return status;
}

/* From power-on to the last frame's end; *own: the thread's own time. */
static double replay_everything(const struct psx_index *index, double *own)
{
    struct psx_machine *machine;
    bool lost;
    double start = seconds();

    *own = own_seconds();
    if (psx_machine_create(index, &machine) != 0)
        return 0;
    psx_machine_run(machine, index, index->frames[index->frame_count].packet, NULL, &lost);
    psx_machine_destroy(&machine);
    *own = own_seconds() - *own;
    return seconds() - start;
}

static void print_times(const char *clock, double *times, unsigned n, double everything)
{
    qsort(times, n, sizeof(*times), by_value);
    printf("  %s: median %.2f ms, 99th percentile %.2f ms, longest %.2f ms; "
           "control, everything: %.0f ms, %.0f times the median\n",
           clock, times[n / 2] * 1e3, times[(n * 99 - 1) / 100] * 1e3, times[n - 1] * 1e3,
           everything * 1e3, everything / times[n / 2]);
}

static void print_latencies(struct bench *bench)
{
    double own, everything = replay_everything(&bench->psx->index, &own);

    if (bench->count == 0)
        return;
    printf("  %u random frames\n", bench->count);
    print_times("clock", bench->latencies, bench->count, everything);
    print_times("own time", bench->own, bench->count, own);
}

static int run(const char *path, const struct settings *settings, struct bench *bench)
{
    double start = seconds(), opened, indexed;
    int status = open_dump(path, bench);

    if (status != 0)
        return status;
    opened = seconds();
    if ((status = psx_index_wait_all(&bench->psx->index, NULL)) != 0)
        return status;
    indexed = seconds();
    if (!settings->at_once)
        while (!psx_replay_is_prepared(bench->psx))
            usleep(POLL_MICROSECONDS);
    printf("%s: %" PRIu64 " frames; open after %.0f ms, index after %.0f ms", path,
           bench->psx->index.frame_count, (opened - start) * 1e3, (indexed - start) * 1e3);
    if (!settings->at_once)
        printf(", keyframes after %.0f ms", (seconds() - start) * 1e3);
    printf("\n");
    status = read_at_random(bench, settings);
    printf("  memory %" PRIu64 " MiB besides the dump, budget %" PRIu64 " MiB\n",
           own_memory() / 1024, bench->options.cache >> 20);
    if (status == 0)
        print_latencies(bench);
    return status;
}

static int bench_file(const char *path, const struct settings *settings)
{
    struct bench bench = {.latencies = calloc(settings->frames + 1, sizeof(double)),
                          .own = calloc(settings->frames + 1, sizeof(double))};
    bool ready = bench.latencies != NULL && bench.own != NULL;
    int status = ready ? run(path, settings, &bench) : -ENOMEM;

    if (status != 0)
        fprintf(stderr, "bench_psx_random: %s: %s\n", path, strerror(-status));
    tree_destroy(&bench.tree);
    format_close(&bench.opened);
    options_clear(&bench.options);
    free(bench.latencies);
    free(bench.own);
    return status;
}

int main(int argc, char **argv)
{
    struct settings settings = {.frames = 200, .seed = 1};
    int option, failed = 0;

    while ((option = getopt(argc, argv, "n:s:c")) != -1) {
        switch (option) {
        case 'n':
            settings.frames = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 's':
            settings.seed = strtoull(optarg, NULL, 10) | 1;
            break;
        case 'c':
            settings.at_once = true;
            break;
        default:
            fprintf(stderr, "usage: bench_psx_random [-n FRAMES] [-s SEED] [-c] DUMP...\n");
            return 2;
        }
    }
    for (int i = optind; i < argc; i++)
        failed |= bench_file(argv[i], &settings) != 0;
    return failed;
}

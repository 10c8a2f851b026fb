/* SPDX-License-Identifier: MIT */
/*
 * How long a reader waits for any frame. Opens a dump with its tree and threads, waits for the
 * index and the keyframes and times them, then reads pictures that have not been requested before,
 * at random. The control, in one thread, is a replay of everything up to the last frame:
 *
 *     bench_psx_random [-n FRAMES] [-s SEED] [-j READERS] [-c] [-e] DUMP
 *     bench_psx_random -o [-i] [-n FRAMES] [-s SEED] DUMP
 *
 * -c reads the pictures at once, before there are keyframes; -e leaves the control out. Times are
 * those on the clock, and processor times of the reading thread.
 *
 * -o opens the dump again for each picture, and reads the picture at once. -i, the control of -o,
 * makes pictures wait for the index, without a sketch. Times are those on the clock, and processor
 * times of the reading thread and of all threads, a part of which is for the index.
 */
#include "config.h"

#include "tests/bench/bench.h"

#include "formats/format.h"
#include "formats/psx/replay/ahead.h"
#include "formats/psx/replay/replay.h"

#include <errno.h>
#include <pthread.h>

enum { POLL_MICROSECONDS = 500, READERS_MAX = 64 };

struct settings {
    unsigned frames, readers;
    uint64_t seed;
    bool at_once, no_control, anew;
};

struct bench {
    const struct settings *settings;
    struct format_dump opened;
    struct options options;
    struct tree *tree;
    struct psx_dump *psx;
    uint64_t *order; /* the frames to read */
    unsigned count;
};

/* A thread that reads every READERS-th picture. */
struct reader {
    struct bench *bench;
    unsigned first;
    double *latencies, *own; /* for the pictures of all readers, in order */
    int status;
};

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

/* Reads a complete picture, as a viewer does. */
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

/* Chooses different frames at random. */
static int choose_frames(struct bench *bench)
{
    uint64_t frames = bench->psx->index.frame_count, random = bench->settings->seed;
    bool *chosen = calloc(frames + 1, sizeof(*chosen));

    bench->count = bench->settings->frames < frames ? bench->settings->frames : (unsigned)frames;
    bench->order = calloc(bench->count + 1, sizeof(*bench->order));
    for (unsigned n = 0; chosen != NULL && bench->order != NULL && n < bench->count; n++) {
        uint64_t frame = bench_random(&random) % frames;

        while (chosen[frame])
            frame = (frame + 1) % frames;
        chosen[frame] = true;
        bench->order[n] = frame;
    }
    free(chosen);
    return chosen == NULL || bench->order == NULL ? -ENOMEM : 0;
}

static void *read_pictures(void *context)
{
    struct reader *reader = context;
    struct bench *bench = reader->bench;

    for (unsigned n = reader->first; reader->status == 0 && n < bench->count;
         n += bench->settings->readers) {
        double start = bench_seconds(), own = bench_own_seconds();

        reader->status = read_picture(bench, bench->order[n]);
        reader->own[n] = bench_own_seconds() - own;
        reader->latencies[n] = bench_seconds() - start;
    }
    return NULL;
}

/* Reads all frames that were chosen. `name` is the prefix of the figures. */
static int read_at_random(struct bench *bench, const char *name)
{
    struct reader readers[READERS_MAX] = {{.bench = NULL}};
    double *latencies = calloc(2 * (size_t)bench->count + 1, sizeof(*latencies));
    double *own = latencies != NULL ? latencies + bench->count : NULL, start = bench_seconds();
    pthread_t threads[READERS_MAX];
    unsigned started = 0;
    int status = latencies == NULL ? -ENOMEM : 0;
    char line[64];

    for (unsigned i = 0; status == 0 && i < bench->settings->readers; i++) {
        readers[i] =
            (struct reader){.bench = bench, .first = i, .latencies = latencies, .own = own};
        status = -pthread_create(&threads[i], NULL, read_pictures, &readers[i]);
        started += status == 0;
    }
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        status = status == 0 ? readers[i].status : status;
    }
    if (status == 0) {
        snprintf(line, sizeof(line), "%s-rate", name);
        bench_report(line, bench->count / (bench_seconds() - start));
        bench_report_times(name, latencies, bench->count);
        snprintf(line, sizeof(line), "%s-own", name);
        bench_report_times(line, own, bench->count);
    }
    free(latencies);
    return status;
}

/* Replays from power-on to the last frame's end. */
static int replay_everything(const struct psx_index *index)
{
    struct psx_gpu_instance *machine;
    bool lost;
    double start = bench_seconds(), own = bench_own_seconds();

    if (psx_gpu_instance_create(index, &machine) != 0)
        return -ENOMEM;
    psx_gpu_instance_run(machine, index, index->frames[index->frame_count].packet, NULL, &lost);
    psx_gpu_instance_destroy(&machine);
    bench_report("everything", bench_seconds() - start);
    bench_report("everything-own", bench_own_seconds() - own);
    return 0;
}

static void close_dump(struct bench *bench)
{
    tree_destroy(&bench->tree);
    format_close(&bench->opened);
    options_clear(&bench->options);
}

/* Times up to a picture: on the clock, of the reading thread, and of all threads. */
struct first_times {
    double *clock, *own, *all;
};

/* Opens the dump, reads the n-th picture, and closes the dump. */
static int read_first(const char *path, struct bench *bench, unsigned n,
                      const struct first_times *times)
{
    double start = bench_seconds(), own = bench_own_seconds();
    double all = bench_seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    int status = open_dump(path, bench);

    if (status == 0)
        status = read_picture(bench, bench->order[n]);
    times->clock[n] = bench_seconds() - start;
    times->own[n] = bench_own_seconds() - own;
    times->all[n] = bench_seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all;
    close_dump(bench);
    return status;
}

static int read_each_first(const char *path, struct bench *bench)
{
    double *list = calloc(3 * (size_t)bench->count + 1, sizeof(*list));
    const struct first_times times = {list, list + bench->count, list + 2 * (size_t)bench->count};
    int status = list == NULL ? -ENOMEM : 0;

    for (unsigned n = 0; status == 0 && n < bench->count; n++)
        status = read_first(path, bench, n, &times);
    if (status == 0) {
        bench_report_times("first", times.clock, bench->count);
        bench_report_times("first-own", times.own, bench->count);
        bench_report_times("first-all", times.all, bench->count);
    }
    free(list);
    return status;
}

/* Makes each picture the first one after opening the dump. */
static int run_anew(const char *path, struct bench *bench)
{
    int status = open_dump(path, bench);

    if (status == 0)
        status = psx_index_wait_packets(&bench->psx->index, NULL);
    if (status == 0)
        status = choose_frames(bench);
    close_dump(bench);
    return status == 0 ? read_each_first(path, bench) : status;
}

static int run(const char *path, struct bench *bench)
{
    const struct settings *settings = bench->settings;
    double start = bench_seconds();
    int status = open_dump(path, bench);

    if (status != 0)
        return status;
    bench_report("open", bench_seconds() - start);
    if ((status = psx_index_wait_all(&bench->psx->index, NULL)) != 0)
        return status;
    bench_report("index", bench_seconds() - start);
    bench_report_whole("frames", bench->psx->index.frame_count);
    if (!settings->at_once) {
        psx_replay_want(bench->psx);
        while (!psx_replay_is_prepared(bench->psx))
            usleep(POLL_MICROSECONDS);
        bench_report("keyframes", bench_seconds() - start);
    }
    status = choose_frames(bench);
    if (status == 0)
        status = read_at_random(bench, "cold");
    if (status == 0)
        status = read_at_random(bench, "warm");
    bench_report("memory", bench_memory());
    bench_report_whole("budget", bench->options.cache);
    if (status == 0 && !settings->no_control)
        status = replay_everything(&bench->psx->index);
    return status;
}

static int bench_file(const char *path, const struct settings *settings)
{
    struct bench bench = {.settings = settings};
    int status = settings->anew ? run_anew(path, &bench) : run(path, &bench);

    if (status != 0)
        fprintf(stderr, "bench_psx_random: %s: %s\n", path, strerror(-status));
    close_dump(&bench);
    free(bench.order);
    return status;
}

int main(int argc, char **argv)
{
    struct settings settings = {.frames = 200, .readers = 1, .seed = 1};
    int option;
    bool usage = false;

    while ((option = getopt(argc, argv, "n:s:j:ceoi")) != -1) {
        switch (option) {
        case 'n':
            settings.frames = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 's':
            settings.seed = strtoull(optarg, NULL, 10) * 2 + 1;
            break;
        case 'j':
            settings.readers = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'c':
            settings.at_once = true;
            break;
        case 'e':
            settings.no_control = true;
            break;
        case 'o':
            settings.anew = true;
            break;
        case 'i':
            psx_ahead_is_wanted = false;
            break;
        default:
            usage = true;
            break;
        }
    }
    if (usage || optind != argc - 1 || settings.readers < 1 || settings.readers > READERS_MAX) {
        fprintf(stderr,
                "usage: bench_psx_random [-n FRAMES] [-s SEED] [-j READERS] [-c] [-e] [-o [-i]] "
                "DUMP\n");
        return 2;
    }
    return bench_file(argv[optind], &settings) != 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * How fast one can step through a frame: reads pictures of draws that have not been requested
 * before through a tree. First one in the middle of each of some random frames, as when opening a
 * frame cold; then, in a frame with about DRAWS draws, all of them forward, and in another tree all
 * of them backward.
 *
 *     bench_psx_draws [-n FRAMES] [-d DRAWS] [-s SEED] [-c] DUMP...
 *
 * The reading thread does everything, and its processor time is printed: a busy machine lengthens
 * that less than the time on the clock. The index is complete before anything is read, and so are
 * the keyframes, unless -c is given. The control, in the same run: a GPU that carries out that
 * frame, and the same number of pictures of 320 x 240, painted with nothing else.
 */
#include "config.h"

#include "formats/format.h"
#include "formats/psx/dump.h"
#include "formats/psx/replay/replay.h"
#include "formats/psx/views/views.h"
#include "tests/bench/bench.h"

#include <errno.h>

enum { PATH_BYTES = 64 };

struct settings {
    unsigned frames, draws;
    uint64_t seed;
    bool at_once;
};

struct bench {
    struct format_dump opened;
    struct options options;
    struct tree *tree;
    struct psx_dump *psx;
};

static int open_bench(const char *path, const struct settings *settings, struct bench *bench)
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
    status = format_tree(&bench->opened, 0, &bench->tree);
    if (status == 0)
        status = psx_index_wait_all(&bench->psx->index, NULL);
    if (status == 0 && !settings->at_once)
        psx_replay_prepare(bench->psx, NULL);
    return status;
}

static void close_bench(struct bench *bench)
{
    tree_destroy(&bench->tree);
    format_close(&bench->opened);
    options_clear(&bench->options);
}

/* Reads the complete picture, as a viewer does. */
static int read_draw(struct bench *bench, uint64_t frame, uint32_t draw)
{
    struct tree_file *file = NULL;
    struct tree_window window;
    uint64_t offset = 0, inode;
    char path[PATH_BYTES];
    int status;

    snprintf(path, sizeof(path), "by-frame/%06" PRIu64 "/draws/%05" PRIu32 ".png", frame, draw);
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

static uint32_t max_draws(const struct psx_index *index)
{
    uint32_t max = 0;

    for (uint64_t i = 0; i < index->frame_count; i++)
        max = index->counts[i].draws > max ? index->counts[i].draws : max;
    return max;
}

/* Takes frames with at least half the largest number of draws, since others cost little. */
static int read_middles(struct bench *bench, const struct settings *settings)
{
    const struct psx_index *index = &bench->psx->index;
    uint64_t random = settings->seed;
    uint32_t max = max_draws(index);
    double *times = calloc(settings->frames + 1, sizeof(*times));
    unsigned count = 0;
    int status = times == NULL ? -ENOMEM : 0;

    for (unsigned tries = 0; status == 0 && count < settings->frames && tries < 100000; tries++) {
        uint64_t frame = bench_random(&random) % index->frame_count;
        uint32_t draws = index->counts[frame].draws;
        double start = bench_own_seconds();

        if (draws == 0 || draws < max / 2)
            continue;
        status = read_draw(bench, frame, draws / 2);
        times[count++] = bench_own_seconds() - start;
    }
    if (status == 0 && count > 0) {
        qsort(times, count, sizeof(*times), bench_compare);
        printf("  one in the middle of %u frames: median %.2f ms, 9 in 10 below %.2f ms, "
               "longest %.2f ms\n",
               count, times[count / 2] * 1e3, times[count * 9 / 10] * 1e3, times[count - 1] * 1e3);
    }
    free(times);
    return status;
}

/* Returns the frame whose number of draws is nearest to `draws`. */
static uint64_t choose_frame(const struct psx_index *index, uint32_t draws)
{
    uint64_t best = 0, min = UINT64_MAX;

    for (uint64_t i = 0; i < index->frame_count; i++) {
        uint32_t have = index->counts[i].draws;
        uint64_t apart = have > draws ? have - draws : draws - have;

        if (apart < min) {
            min = apart;
            best = i;
        }
    }
    return best;
}

static int step_through(struct bench *bench, uint64_t frame, bool backward, double *rate)
{
    uint32_t draws = bench->psx->index.counts[frame].draws;
    double start = bench_own_seconds();
    int status = 0;

    for (uint32_t i = 0; status == 0 && i < draws; i++)
        status = read_draw(bench, frame, backward ? draws - 1 - i : i);
    *rate = draws / (bench_own_seconds() - start);
    return status;
}

/* Measures the pictures a second if the frame were drawn once, and VRAM painted after each draw. */
static int measure_control(struct bench *bench, uint64_t frame, double *rate)
{
    const struct psx_index *index = &bench->psx->index;
    uint32_t draws = index->counts[frame].draws;
    struct psx_vram_request want = {.packet = index->frames[frame].packet,
                                    .upto = index->frames[frame].packet,
                                    .area = {0, 0, PSX_VRAM_WIDTH, (int)index->vram_lines}};
    struct picture_header header = {
        .width = 320, .height = 240, .colour = PICTURE_RGB, .significant_bits = 5};
    struct psx_gpu_instance *machine = NULL;
    double start;
    bool lost;
    int status = psx_replay_take(bench->psx, &want, NULL, &machine);

    if (status != 0)
        return status;
    start = bench_own_seconds();
    status = psx_gpu_instance_run(machine, index, index->frames[frame + 1].packet, NULL, &lost);
    for (uint32_t i = 0; status == 0 && i < draws; i++) {
        const struct psx_gpu *gpu = machine->gpu;
        struct psx_paint_area area = {
            gpu->vram, psx_registers_lines(&gpu->state.registers), {0, 0, 320, 240}};
        struct blob *picture = NULL;

        status = psx_paint(bench->psx, &header, psx_paint_area_row, &area, NULL, &picture);
        blob_unref(&picture);
    }
    *rate = draws / (bench_own_seconds() - start);
    psx_gpu_instance_destroy(&machine);
    return status;
}

static int bench_way(const char *path, const struct settings *settings, bool backward)
{
    struct bench bench = {0};
    double rate, control;
    uint64_t frame;
    int status = open_bench(path, settings, &bench);

    if (status == 0) {
        frame = choose_frame(&bench.psx->index, settings->draws);
        status = step_through(&bench, frame, backward, &rate);
    }
    if (status == 0)
        status = measure_control(&bench, frame, &control);
    if (status == 0)
        printf("  frame %" PRIu64 ", %" PRIu32 " draws %s: %.0f pictures a second; control %.0f, "
               "ratio %.2f\n",
               frame, bench.psx->index.counts[frame].draws, backward ? "backward" : "forward", rate,
               control, rate / control);
    close_bench(&bench);
    return status;
}

static int bench_file(const char *path, const struct settings *settings)
{
    struct bench bench = {0};
    double start = bench_own_seconds();
    int status = open_bench(path, settings, &bench);

    if (status == 0) {
        printf("%s: %" PRIu64 " frames, prepared in %.0f ms\n", path, bench.psx->index.frame_count,
               (bench_own_seconds() - start) * 1e3);
        status = read_middles(&bench, settings);
    }
    close_bench(&bench);
    if (status == 0)
        status = bench_way(path, settings, false);
    if (status == 0)
        status = bench_way(path, settings, true);
    if (status != 0)
        fprintf(stderr, "bench_psx_draws: %s: %s\n", path, strerror(-status));
    return status;
}

int main(int argc, char **argv)
{
    struct settings settings = {.frames = 20, .draws = 1000, .seed = 1};
    int option, failed = 0;

    while ((option = getopt(argc, argv, "n:d:s:c")) != -1) {
        switch (option) {
        case 'n':
            settings.frames = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'd':
            settings.draws = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 's':
            settings.seed = strtoull(optarg, NULL, 10) | 1;
            break;
        case 'c':
            settings.at_once = true;
            break;
        default:
            fprintf(stderr,
                    "usage: bench_psx_draws [-n FRAMES] [-d DRAWS] [-s SEED] [-c] DUMP...\n");
            return 2;
        }
    }
    for (int i = optind; i < argc; i++)
        failed |= bench_file(argv[i], &settings) != 0;
    return failed;
}

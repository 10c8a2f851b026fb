/* SPDX-License-Identifier: MIT */
/*
 * What the history of a pixel costs: in each of some random frames, reads several pixels of the
 * picture and of video memory through a tree. The first read of a frame makes the state at the
 * frame's start, and the others use it.
 *
 *     bench_psx_history [-n FRAMES] [-p PIXELS] [-s SEED] DUMP...
 *
 * The reading thread does everything, and its processor time is printed. The index and the
 * keyframes are complete before anything is read. The control, in the same run: copying a GPU at
 * the frame's start, and carrying the frame out with nothing else.
 */
#include "config.h"

#include "formats/format.h"
#include "formats/psx/dump.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/replay/replay.h"
#include "tests/bench/bench.h"

#include <errno.h>

enum { PATH_BYTES = 80 };

struct settings {
    unsigned frames, pixels;
    uint64_t seed;
};

struct bench {
    struct format_dump opened;
    struct options options;
    struct tree *tree;
    struct psx_dump *psx;
    uint64_t random;
    double *first, *next, *vram, *control; /* seconds */
    unsigned firsts, nexts, vrams, controls;
};

static int open_bench(const char *path, struct bench *bench)
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
    return status == 0 ? psx_replay_prepare(bench->psx, NULL) : status;
}

static void close_bench(struct bench *bench)
{
    tree_destroy(&bench->tree);
    format_close(&bench->opened);
    options_clear(&bench->options);
    free(bench->first);
    free(bench->next);
    free(bench->vram);
    free(bench->control);
}

/* Measures the seconds that it takes. */
static int read_history(struct bench *bench, uint64_t frame, const char *folder, uint32_t width,
                        uint32_t height, double *seconds)
{
    struct tree_file *file = NULL;
    struct tree_window window;
    double start = bench_own_seconds();
    uint64_t offset = 0, inode;
    char path[PATH_BYTES];
    int status;

    snprintf(path, sizeof(path), "by-frame/%06" PRIu64 "/%s/%u,%u.tsv", frame, folder,
             (unsigned)(bench_random(&bench->random) % width),
             (unsigned)(bench_random(&bench->random) % height));
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
    *seconds = bench_own_seconds() - start;
    return status;
}

static int carry_out(struct bench *bench, uint64_t frame, double *seconds)
{
    const struct psx_index *index = &bench->psx->index;
    struct psx_vram_request want = {.packet = index->frames[frame].packet,
                                    .upto = index->frames[frame].packet,
                                    .area = {0, 0, PSX_VRAM_WIDTH, (int)index->vram_lines}};
    struct psx_gpu_instance *machine = NULL, *copy = NULL;
    double start;
    bool lost;
    int status = psx_replay_take(bench->psx, &want, NULL, &machine);

    if (status == 0)
        status = psx_gpu_instance_create(index, &copy);
    start = bench_own_seconds();
    if (status == 0)
        status = psx_gpu_copy(copy->gpu, machine->gpu);
    if (status == 0) {
        copy->packet = machine->packet;
        copy->offset = machine->offset;
        copy->frame = machine->frame;
        copy->part = machine->part;
        status = psx_gpu_instance_run(copy, index, index->frames[frame + 1].packet, NULL, &lost);
    }
    *seconds = bench_own_seconds() - start;
    psx_gpu_instance_destroy(&copy);
    psx_gpu_instance_destroy(&machine);
    return status;
}

static int bench_frame(struct bench *bench, uint64_t frame, unsigned pixels)
{
    const struct psx_index *index = &bench->psx->index;
    struct psx_screen screen;
    int status;

    psx_display_screen(&index->frames[frame].display, &screen);
    status = read_history(bench, frame, "pixel", screen.width, screen.height,
                          &bench->first[bench->firsts++]);
    for (unsigned i = 0; status == 0 && i < pixels; i++)
        status = read_history(bench, frame, "pixel", screen.width, screen.height,
                              &bench->next[bench->nexts++]);
    for (unsigned i = 0; status == 0 && i <= pixels; i++) {
        double seconds;

        status =
            read_history(bench, frame, "vram-pixel", PSX_VRAM_WIDTH, index->vram_lines, &seconds);
        if (i > 0) /* by then the state at the frame's start is cached */
            bench->vram[bench->vrams++] = seconds;
    }
    return status == 0 ? carry_out(bench, frame, &bench->control[bench->controls++]) : status;
}

static uint32_t max_draws(const struct psx_index *index)
{
    uint32_t max = 0;

    for (uint64_t i = 0; i < index->frame_count; i++)
        max = index->counts[i].draws > max ? index->counts[i].draws : max;
    return max;
}

/* Takes frames with at least half the largest number of draws, since others cost little. */
static int bench_frames(struct bench *bench, const struct settings *settings)
{
    const struct psx_index *index = &bench->psx->index;
    uint32_t max = max_draws(index);
    unsigned frames = 0;
    int status = 0;

    for (unsigned tries = 0; status == 0 && frames < settings->frames && tries < 100000; tries++) {
        uint64_t frame = bench_random(&bench->random) % index->frame_count;

        if (index->counts[frame].draws < max / 2)
            continue;
        frames++;
        status = bench_frame(bench, frame, settings->pixels);
    }
    return status;
}

static int bench_file(const char *path, const struct settings *settings)
{
    struct bench bench = {.random = settings->seed};
    size_t count = (size_t)settings->frames * settings->pixels;
    int status = 0;

    bench.first = calloc(settings->frames, sizeof(double));
    bench.next = calloc(count, sizeof(double));
    bench.vram = calloc(count, sizeof(double));
    bench.control = calloc(settings->frames, sizeof(double));
    if (bench.first == NULL || bench.next == NULL || bench.vram == NULL || bench.control == NULL)
        status = -ENOMEM;
    if (status == 0)
        status = open_bench(path, &bench);
    if (status == 0)
        status = bench_frames(&bench, settings);
    if (status == 0) {
        bench_report_times("pixel-first", bench.first, bench.firsts);
        bench_report_times("pixel", bench.next, bench.nexts);
        bench_report_times("vram-pixel", bench.vram, bench.vrams);
        bench_report_times("control", bench.control, bench.controls);
    } else {
        fprintf(stderr, "bench_psx_history: %s: %s\n", path, strerror(-status));
    }
    close_bench(&bench);
    return status;
}

int main(int argc, char **argv)
{
    struct settings settings = {.frames = 20, .pixels = 20, .seed = 1};
    int option, failed = 0;

    while ((option = getopt(argc, argv, "n:p:s:")) != -1) {
        switch (option) {
        case 'n':
            settings.frames = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'p':
            settings.pixels = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 's':
            settings.seed = strtoull(optarg, NULL, 10) | 1;
            break;
        default:
            fprintf(stderr, "usage: bench_psx_history [-n FRAMES] [-p PIXELS] [-s SEED] DUMP...\n");
            return 2;
        }
    }
    for (int i = optind; i < argc; i++)
        failed |= bench_file(argv[i], &settings) != 0;
    return failed;
}

/* SPDX-License-Identifier: MIT */
/*
 * How fast bytes are moved without a shader: transfers and scan-out, for an area of a screen's size
 * in VRAM. Prints the bytes that each writes per second, and those of memcpy() for the same rows:
 *
 *     bench_psx_moves [-k c|lanes|avx2|avx512]
 */
#include "config.h"

#include "tests/bench/bench.h"

#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/gpu/registers.h"
#include "formats/psx/gpu/scanout.h"

#include <stdbool.h>

enum { WIDTH = 320, HEIGHT = 240, TO_X = 512, PIXELS = WIDTH * HEIGHT, TURNS = 400, BEST_OF = 9 };

struct bench {
    struct psx_gpu *gpu;
    uint8_t *bytes; /* 3 * PIXELS bytes that are uploaded, or receive the result */
};

static void copy_rows(struct bench *bench)
{
    uint16_t *vram = bench->gpu->vram;

    for (int y = 0; y < HEIGHT; y++)
        memcpy(vram + y * PSX_VRAM_WIDTH + TO_X, vram + y * PSX_VRAM_WIDTH, 2 * WIDTH);
}

static void copy_bytes(struct bench *bench)
{
    memcpy(bench->bytes, bench->gpu->vram, 3 * PIXELS);
}

static void fill(struct bench *bench)
{
    psx_transfer_fill(bench->gpu, &(struct psx_draw){.x = TO_X, .width = WIDTH, .height = HEIGHT});
}

static void copy(struct bench *bench)
{
    psx_transfer_copy(bench->gpu, &(struct psx_draw){.x = TO_X, .width = WIDTH, .height = HEIGHT});
}

static void set_area(struct psx_transfer *transfer)
{
    *transfer = (struct psx_transfer){
        .x = TO_X, .width = WIDTH, .height = HEIGHT, .total = PIXELS, .done = 0};
}

static void upload(struct bench *bench)
{
    set_area(&bench->gpu->state.upload);
    psx_transfer_upload(bench->gpu, bench->bytes, PIXELS / 2);
}

static void read_back(struct bench *bench)
{
    set_area(&bench->gpu->state.read);
    psx_transfer_latch_read(bench->gpu);
}

static void scan_out_15(struct bench *bench)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        bench->gpu->ops->runs->expand(bench->gpu->vram + (size_t)y * PSX_VRAM_WIDTH, WIDTH,
                                      bench->bytes + (size_t)3 * WIDTH * y);
}

static void scan_out_24(struct bench *bench)
{
    struct psx_screen screen = {
        .width = WIDTH, .height = HEIGHT, .lines = PSX_VRAM_HEIGHT, .depth24 = true};

    for (uint32_t y = 0; y < HEIGHT; y++)
        psx_scanout_row(&screen, bench->gpu->vram, PSX_VRAM_HEIGHT, y,
                        bench->bytes + (size_t)3 * WIDTH * y);
}

/* Takes the best of some runs, in processor time of the thread. */
static void measure(const char *name, void (*move)(struct bench *bench), struct bench *bench,
                    double bytes)
{
    double best = 1e9;

    for (int run = 0; run < BEST_OF; run++) {
        double start = bench_own_seconds();

        for (int turn = 0; turn < TURNS; turn++)
            move(bench);
        best = bench_own_seconds() - start < best ? bench_own_seconds() - start : best;
    }
    bench_report(name, bytes * TURNS / best);
}

static void measure_all(struct bench *bench)
{
    uint32_t *e6 = &bench->gpu->state.registers.e[6];

    measure("memcpy-rows", copy_rows, bench, 2 * PIXELS);
    measure("fill", fill, bench, 2 * PIXELS);
    measure("copy", copy, bench, 2 * PIXELS);
    measure("upload", upload, bench, 2 * PIXELS);
    measure("read", read_back, bench, 2 * PIXELS);
    *e6 = 3;
    measure("copy-masked", copy, bench, 2 * PIXELS);
    measure("upload-masked", upload, bench, 2 * PIXELS);
    measure("memcpy-picture", copy_bytes, bench, 3 * PIXELS);
    measure("scanout-15", scan_out_15, bench, 3 * PIXELS);
    measure("scanout-24", scan_out_24, bench, 3 * PIXELS);
}

static bool choose(struct bench *bench, int option, const char *name)
{
    const struct psx_raster_ops *ops;
    bool found = false;

    for (unsigned i = 0; option == 'k' && (ops = psx_raster_ops_get(i)) != NULL; i++)
        if (strcmp(ops->name, name) == 0) {
            bench->gpu->ops = ops;
            found = true;
        }
    return found;
}

int main(int argc, char **argv)
{
    struct bench bench = {.bytes = calloc(3, PIXELS)};
    int option;
    bool usage = false;

    if (bench.bytes == NULL || psx_gpu_create(PSX_GPU_SECOND, &bench.gpu) != 0)
        return 1;
    while ((option = getopt(argc, argv, "k:")) != -1)
        usage |= !choose(&bench, option, optarg);
    if (usage || optind != argc)
        fprintf(stderr, "usage: bench_psx_moves [-k c|lanes|avx2|avx512]\n");
    else
        measure_all(&bench);
    psx_gpu_destroy(&bench.gpu);
    free(bench.bytes);
    return usage || optind != argc ? 2 : 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * What reading every picture in order costs at least: replay, scan-out and PNG of all frames, in
 * memory, in one thread, without a tree or a cache:
 *
 *     bench_psx_pictures DUMP
 */
#include "config.h"

#include "tests/bench/bench.h"

#include "formats/format.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/index/indexing.h"
#include "formats/psx/replay/gpu_instance.h"

struct scene {
    struct psx_screen screen;
    const struct psx_gpu *gpu;
};

static void paint(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct scene *scene = context;

    psx_scanout_row(&scene->screen, scene->gpu->vram, scene->gpu->lines, y, rgb);
}

static int write_picture(const struct scene *scene, uint64_t *bytes)
{
    const struct picture_header header = {.width = scene->screen.width,
                                          .height = scene->screen.height,
                                          .colour = PICTURE_RGB,
                                          .significant_bits = 5};
    struct blob *blob = NULL;
    int status = picture_write(&header, PICTURE_STORED, paint, scene, NULL, &blob);

    if (status == 0)
        *bytes += blob->size;
    blob_unref(&blob);
    return status;
}

static int write_pictures(const struct psx_index *index, struct psx_gpu_instance *machine)
{
    struct scene scene = {.gpu = machine->gpu};
    double clock = bench_seconds(), own = bench_own_seconds();
    uint64_t bytes = 0;
    int status = 0;
    bool lost;

    for (uint64_t frame = 0; status == 0 && frame < index->frame_count; frame++) {
        status = psx_gpu_instance_run(machine, index, index->frames[frame + 1].packet, NULL, &lost);
        psx_display_screen(&index->frames[frame].display, &scene.screen);
        if (status == 0 && scene.screen.width != 0)
            status = write_picture(&scene, &bytes);
    }
    bench_report("clock", bench_seconds() - clock);
    bench_report("own", bench_own_seconds() - own);
    bench_report_whole("frames", index->frame_count);
    bench_report_whole("bytes", bytes);
    return status;
}

static int run(const struct source *source, const struct options *options,
               struct problems *problems)
{
    struct psx_gpu_instance *machine = NULL;
    struct psx_index index;
    int status = psx_index_open(source, options, problems, NULL, &index);

    if (status != 0)
        return status;
    status = psx_gpu_instance_create(&index, &machine);
    if (status == 0)
        status = write_pictures(&index, machine);
    psx_gpu_instance_destroy(&machine);
    psx_index_close(&index);
    return status;
}

int main(int argc, char **argv)
{
    static const struct source_params params = {.max_expand = UINT64_MAX};
    struct options options;
    struct problems *problems = NULL;
    struct source *source = NULL;
    int status = argc == 2 ? format_options_init(&options) : -1;

    if (status != 0) {
        fprintf(stderr, "usage: bench_psx_pictures DUMP\n");
        return 2;
    }
    status = problems_create(&problems);
    if (status == 0)
        status = source_open(argv[1], &params, problems, &source);
    if (status == 0)
        status = run(source, &options, problems);
    if (status != 0)
        fprintf(stderr, "bench_psx_pictures: %s: %s\n", argv[1], strerror(-status));
    source_close(&source);
    problems_destroy(&problems);
    options_clear(&options);
    return status != 0;
}

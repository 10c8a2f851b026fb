/* SPDX-License-Identifier: MIT */
/*
 * How fast a dump is indexed, and how much memory that takes. The control is memcpy() of the same
 * bytes, in the same thread:
 *
 *     bench_psx_index DUMP
 */
#include "config.h"

#include "tests/bench/bench.h"

#include "formats/format.h"
#include "formats/psx/index/indexing.h"

static int copy(const struct source *source)
{
    uint8_t *target = malloc(source->size);
    double start;

    if (target == NULL)
        return -1;
    memset(target, 1, source->size);
    start = bench_own_seconds();
    memcpy(target, source->data, source->size);
    bench_report("memcpy", bench_own_seconds() - start);
    /* So that the copy is not optimized away. */
    if (target[source->size / 2] != source->data[source->size / 2])
        bench_report_whole("differs", 1);
    free(target);
    return 0;
}

static int index_dump(const struct source *source, const struct options *options,
                      struct problems *problems)
{
    struct psx_index index;
    double memory = bench_memory(), start = bench_own_seconds();
    int status = psx_index_open(source, options, problems, NULL, &index);

    if (status != 0)
        return status;
    bench_report("skim", bench_own_seconds() - start);
    status = psx_index_wait_all(&index, NULL);
    bench_report("index", bench_own_seconds() - start);
    bench_report("memory", bench_memory() - memory);
    bench_report_whole("frames", index.frame_count);
    bench_report_whole("bytes", index.size);
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
        fprintf(stderr, "usage: bench_psx_index DUMP\n");
        return 2;
    }
    status = problems_create(&problems);
    if (status == 0)
        status = source_open(argv[1], &params, problems, &source);
    if (status == 0)
        status = copy(source);
    if (status == 0)
        status = index_dump(source, &options, problems);
    if (status != 0)
        fprintf(stderr, "bench_psx_index: %s: not a PSX GPU dump that can be read\n", argv[1]);
    source_close(&source);
    problems_destroy(&problems);
    options_clear(&options);
    return status != 0;
}

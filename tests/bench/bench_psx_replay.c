/* SPDX-License-Identifier: MIT */
/*
 * How fast the replay core is: replays a complete dump from memory, without scan-out, and draws all
 * of it. Prints the thread's processor time in seconds (for several threads: the time on the
 * clock), and what was replayed:
 *
 *     bench_psx_replay [-k c|lanes|avx2|avx512] [-j THREADS] [-t] DUMP
 *
 * With -j each thread replays the complete dump; with -t there is no texel cache. The dump must be
 * a plain file: use zstd -d first.
 */
#include "config.h"

#include "tests/bench/bench.h"

#include "base/bytes.h"
#include "formats/psx/container.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/raster.h"

#include <pthread.h>
#include <zlib.h>

enum { THREADS_MAX = 64 };

struct run {
    const struct bench_file *dump;
    const struct psx_raster_ops *ops;
    double seconds;
    uint64_t vsyncs, words, pixels;
    uint32_t crc;
    bool without_texel_cache;
    bool failed;
};

static void execute(struct psx_gpu *gpu, const struct psx_packet *packet, struct run *run)
{
    switch (packet->type) {
    case PSX_PACKET_GP0:
        psx_gpu_gp0(gpu, packet->payload, packet->words, NULL);
        run->words += packet->words;
        break;
    case PSX_PACKET_GP1:
        for (uint32_t i = 0; i < packet->words; i++)
            psx_gpu_gp1(gpu, bytes_le32(packet->payload + 4 * (size_t)i));
        break;
    case PSX_PACKET_VSYNC:
        run->vsyncs++;
        break;
    case PSX_PACKET_DISCARD:
    case PSX_PACKET_READBACK:
        if (packet->words > 0)
            psx_gpu_read(gpu, bytes_le32(packet->payload), NULL);
        break;
    case PSX_PACKET_BEGIN:
        gpu->state.restoring = false;
        break;
    default:
        break;
    }
}

static void *replay(void *context)
{
    struct run *run = context;
    const uint8_t *dump = run->dump->bytes;
    struct psx_packet packet;
    struct psx_gpu *gpu;

    if (psx_gpu_create(PSX_GPU_SECOND, &gpu) < 0) {
        run->failed = true;
        return NULL;
    }
    gpu->ops = run->ops;
    if (run->without_texel_cache)
        psx_gpu_leave_out_texel_cache(gpu);
    gpu->state.restoring = true;

    double start = bench_own_seconds();

    for (uint64_t offset = psx_magic_length(psx_magic_read(dump, run->dump->size));
         psx_packet_read(dump, run->dump->size, offset, &packet); offset = psx_packet_end(&packet))
        execute(gpu, &packet, run);
    run->seconds = bench_own_seconds() - start;
    run->pixels = gpu->pixels;
    run->crc = (uint32_t)crc32(0, (const uint8_t *)gpu->vram, 2 * PSX_VRAM_WIDTH * gpu->lines);
    psx_gpu_destroy(&gpu);
    return NULL;
}

/* Replays the same dump in several threads, each with a GPU of its own. */
static int replay_in_threads(const struct run *first, unsigned count)
{
    struct run runs[THREADS_MAX];
    pthread_t threads[THREADS_MAX];
    unsigned started = 0;
    double start = bench_seconds();

    for (; started < count; started++) {
        runs[started] = *first;
        if (pthread_create(&threads[started], NULL, replay, &runs[started]) != 0)
            break;
    }
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    bench_report("clock", bench_seconds() - start);
    for (unsigned i = 0; i < started; i++)
        if (runs[i].failed)
            return -1;
    return started == count ? 0 : -1;
}

static int replay_once(struct run *run)
{
    replay(run);
    if (run->failed)
        return -1;
    bench_report("seconds", run->seconds);
    bench_report_whole("vsyncs", run->vsyncs);
    bench_report_whole("pixels", run->pixels);
    bench_report_whole("words", run->words);
    bench_report_whole("vram", run->crc);
    return 0;
}

static const struct psx_raster_ops *find_ops(const char *name)
{
    const struct psx_raster_ops *ops;

    for (unsigned i = 0; (ops = psx_raster_ops_get(i)) != NULL; i++)
        if (strcmp(ops->name, name) == 0)
            break;
    return ops;
}

int main(int argc, char **argv)
{
    const struct psx_raster_ops *ops = psx_raster_ops_get(0);
    struct bench_file dump = {NULL, 0};
    unsigned threads = 1;
    bool without_texel_cache = false;
    int option, status;

    while (ops != NULL && (option = getopt(argc, argv, "k:j:t")) != -1) {
        if (option == 'k')
            ops = find_ops(optarg);
        else if (option == 't')
            without_texel_cache = true;
        else
            threads = option == 'j' ? (unsigned)strtoul(optarg, NULL, 10) : 0;
    }
    if (ops == NULL || threads < 1 || threads > THREADS_MAX || optind != argc - 1) {
        fprintf(stderr,
                "usage: bench_psx_replay [-k c|lanes|avx2|avx512] [-j THREADS] [-t] DUMP\n");
        return 2;
    }
    status = bench_map(argv[optind], &dump);
    if (status == 0 && psx_magic_length(psx_magic_read(dump.bytes, dump.size)) == 0)
        status = -1;
    if (status == 0) {
        struct run run = {.dump = &dump, .ops = ops, .without_texel_cache = without_texel_cache};

        status = threads > 1 ? replay_in_threads(&run, threads) : replay_once(&run);
    }
    if (status != 0)
        fprintf(stderr, "bench_psx_replay: %s: not a PSX GPU dump that can be read\n",
                argv[optind]);
    return status != 0;
}

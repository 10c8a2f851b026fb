/*
 * How fast the replay core is: whole dumps from memory, on one thread, without
 * scan-out. Prints the best of some runs for each dump, in the thread's own time:
 *
 *     bench_psx_replay [-n RUNS] DUMP...
 *
 * A dump is a plain file; zstd -d first.
 */
#include "config.h"

#include "core/bytes.h"
#include "formats/psx/gpu.h"
#include "formats/psx/packet.h"
#include "formats/psx/raster.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

struct run {
    double seconds;
    uint64_t vsyncs, words, pixels;
    uint32_t crc;
};

static double thread_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

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

static int replay(const uint8_t *dump, uint64_t size, const struct raster_ops *ops, struct run *run)
{
    struct psx_packet packet;
    struct psx_gpu *gpu;

    if (psx_gpu_create(PSX_VRAM_HEIGHT, &gpu) < 0)
        return -1;
    gpu->ops = ops;
    gpu->state.restoring = true;
    *run = (struct run){0};

    double start = thread_seconds();

    for (uint64_t offset = psx_magic_length(psx_magic_read(dump, size));
         psx_packet_read(dump, size, offset, &packet); offset = psx_packet_end(&packet))
        execute(gpu, &packet, run);
    run->seconds = thread_seconds() - start;
    run->pixels = gpu->pixels;
    run->crc = (uint32_t)crc32(0, (const uint8_t *)gpu->vram, 2 * PSX_VRAM_WIDTH * gpu->lines);
    psx_gpu_destroy(&gpu);
    return 0;
}

static int bench(const char *path, const uint8_t *dump, uint64_t size, int runs)
{
    const struct raster_ops *const all[] = {&raster_ops_c, &raster_ops_lanes, raster_ops_best()};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct run best, run;

        for (int n = 0; n < runs; n++) {
            if (replay(dump, size, all[i], &run) < 0)
                return -1;
            if (n == 0 || run.seconds < best.seconds)
                best = run;
        }
        printf("%s %s: %" PRIu64 " VSyncs in %.3f s, %.0f VSyncs/s, %.1f Mpixel/s, "
               "%.2f Mword/s, VRAM %08x\n",
               path, all[i]->name, best.vsyncs, best.seconds, (double)best.vsyncs / best.seconds,
               (double)best.pixels * 1e-6 / best.seconds, (double)best.words * 1e-6 / best.seconds,
               best.crc);
    }
    return 0;
}

static int bench_file(const char *path, int runs)
{
    int fd = open(path, O_RDONLY), result = -1;
    struct stat status;
    void *dump = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0)
        dump = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (dump != MAP_FAILED) {
        if (psx_magic_length(psx_magic_read(dump, (uint64_t)status.st_size)) > 0)
            result = bench(path, dump, (uint64_t)status.st_size, runs);
        munmap(dump, (size_t)status.st_size);
    }
    if (result < 0)
        fprintf(stderr, "bench_psx_replay: %s: not a PSX GPU dump that can be read\n", path);
    if (fd >= 0)
        close(fd);
    return result;
}

int main(int argc, char **argv)
{
    int runs = 3, option, failed = 0;

    while ((option = getopt(argc, argv, "n:")) != -1) {
        if (option != 'n' || (runs = atoi(optarg)) < 1) {
            fprintf(stderr, "usage: bench_psx_replay [-n RUNS] DUMP...\n");
            return 2;
        }
    }
    for (int i = optind; i < argc; i++)
        failed |= bench_file(argv[i], runs) < 0;
    return failed;
}

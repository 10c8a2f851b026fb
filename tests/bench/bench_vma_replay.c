/* SPDX-License-Identifier: MIT */
/*
 * How fast a recording of VMA calls is indexed and replayed, with statistics, text lengths,
 * histories and checkpoints; then how long seeks and pictures take. Prints the best of some runs,
 * in processor time of the replaying thread. With -a another thread parses ahead, as in a mount. A
 * control in the same run allows comparing machines, and the same machine at different times: it
 * looks at the bytes one by one, for line feeds and commas.
 *
 *     bench_vma_replay [-a] [-n RUNS] RECORDING...
 */
#include "config.h"

#include "formats/vma/replay/pass.h"
#include "formats/vma/views/views.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PICTURES = 200 };

struct run {
    double control, index, pass, worst_picture, all_pictures;
    uint32_t packets, frames;
    size_t bytes; /* held by the index, the pass and checkpoints */
};

static double thread_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int draw(struct vma_checkpoints *checkpoints, const struct vma_recording *recording,
                uint32_t frame)
{
    struct vma_replay *replay = NULL;
    struct canvas canvas = {0};
    struct blob *blob = NULL;
    struct picture_header header = {.colour = PICTURE_GREY, .palette = &vma_palette};
    int status = vma_checkpoints_seek(checkpoints, vma_recording_frame_last(recording, frame) + 1,
                                      NULL, &replay);

    if (status == 0)
        status = vma_map_draw(replay, VMA_SCALE_LANE, &canvas);
    header.width = canvas.width;
    header.height = canvas.height;
    if (status == 0)
        status = picture_encode(&header, canvas.pixels, canvas.width, PICTURE_STORED, &blob);
    blob_unref(&blob);
    canvas_clear(&canvas);
    vma_checkpoints_give_back(checkpoints, &replay);
    return status;
}

/* Draws frames that are far from each other, so that no idle instance is near. */
static int draw_some(struct vma_checkpoints *checkpoints, const struct vma_recording *recording,
                     struct run *run)
{
    uint64_t random = 1;
    int status = 0;

    for (int i = 0; i < PICTURES && recording->frame_count > 0 && status == 0; i++) {
        double begin = thread_seconds(), taken;

        random = random * UINT64_C(6364136223846793005) + 1;
        status = draw(checkpoints, recording, (uint32_t)((random >> 33) % recording->frame_count));
        taken = thread_seconds() - begin;
        run->all_pictures += taken;
        if (taken > run->worst_picture)
            run->worst_picture = taken;
    }
    return status;
}

/* Does what any reader of such a file has to do at least. */
static double control(const uint8_t *data, uint64_t size)
{
    double begin = thread_seconds();
    volatile uint64_t sink;
    uint64_t lines = 0, columns = 0, hash = 0;

    for (uint64_t i = 0; i < size; i++) {
        hash = hash * 31 + data[i];
        lines += data[i] == '\n';
        columns += data[i] == ',';
    }
    sink = lines + columns + hash;
    (void)sink;
    return thread_seconds() - begin;
}

static int measure(const uint8_t *data, uint64_t size, bool ahead, struct run *run)
{
    const struct vma_recording_params params = {.calls_per_frame = -1,
                                                .max_memory = UINT64_C(1) << 31};
    struct vma_diagnostics diagnostics = {0};
    struct vma_recording recording;
    struct vma_checkpoints *checkpoints = NULL;
    struct vma_pass *pass = NULL;
    const char *message = "";
    double begin;
    int status;

    *run = (struct run){.control = control(data, size)};
    if (problems_create(&diagnostics.problems) < 0)
        return -1;
    begin = thread_seconds();
    status = vma_recording_open(data, size, &params, &diagnostics, &message, &recording);
    run->index = thread_seconds() - begin;
    if (status == 0) {
        const struct vma_allocator_params allocator = {.device = &recording.configuration.device,
                                                       .macros = &recording.configuration.macros,
                                                       .data = data,
                                                       .max_bytes = UINT64_C(1) << 27,
                                                       .budget = true};
        struct vma_pass_params pass_params = {
            .recording = &recording, .allocator = &allocator, .problems = diagnostics.problems};

        begin = thread_seconds();
        status = vma_checkpoints_create(&recording, &allocator, 256 << 20, NULL, &checkpoints);
        pass_params.checkpoints = checkpoints;
        if (status == 0)
            status = vma_pass_create(&pass_params, &pass);
        if (status == 0 && ahead)
            vma_pass_allow_threads(pass);
        if (status == 0)
            status = vma_pass_until(pass, recording.packets, NULL);
        run->pass = thread_seconds() - begin;
        if (status == 0) {
            run->packets = recording.packets;
            run->frames = recording.frame_count;
            run->bytes = vma_recording_bytes(&recording) + vma_pass_bytes(pass) +
                         vma_checkpoints_bytes(checkpoints);
            status = draw_some(checkpoints, &recording, run);
        }
        vma_pass_destroy(&pass);
        vma_checkpoints_destroy(&checkpoints);
        vma_recording_close(&recording);
    }
    problems_destroy(&diagnostics.problems);
    return status;
}

static int bench(const char *path, int runs, bool ahead)
{
    struct run best = {0}, run;
    struct stat attributes;
    int fd = open(path, O_RDONLY);
    void *data = MAP_FAILED;
    int status = 1;

    if (fd >= 0 && fstat(fd, &attributes) == 0)
        data = mmap(NULL, (size_t)attributes.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (data == MAP_FAILED) {
        perror(path);
        return 1;
    }
    for (int i = 0; i < runs; i++) {
        if (measure(data, (uint64_t)attributes.st_size, ahead, &run) < 0)
            goto out;
        if (i == 0 || run.index + run.pass < best.index + best.pass)
            best = run;
    }
    printf("%s: %" PRIu32 " lines, %" PRIu32 " frames: index %.3f s, pass %.3f s, %.2f M lines/s, "
           "%.1f times the control; %.1f MiB held; pictures %.2f ms, worst %.2f ms\n",
           path, best.packets, best.frames, best.index, best.pass,
           best.packets / (best.index + best.pass) / 1e6, (best.index + best.pass) / best.control,
           (double)best.bytes / (1 << 20), best.all_pictures / PICTURES * 1e3,
           best.worst_picture * 1e3);
    status = 0;
out:
    munmap(data, (size_t)attributes.st_size);
    close(fd);
    return status;
}

int main(int argc, char **argv)
{
    int runs = 5, option, status = 0;
    bool ahead = false;

    while ((option = getopt(argc, argv, "an:")) != -1) {
        ahead |= option == 'a';
        if (option != 'a' && (option != 'n' || (runs = atoi(optarg)) < 1)) {
            fprintf(stderr, "usage: bench_vma_replay [-a] [-n RUNS] RECORDING...\n");
            return 1;
        }
    }
    for (int i = optind; i < argc; i++)
        status |= bench(argv[i], runs, ahead);
    return status;
}

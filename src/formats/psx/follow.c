/* SPDX-License-Identifier: MIT */
#include "formats/psx/dump.h"

#include "base/bytes.h"
#include "base/file_access.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/thread.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/options.h"
#include "formats/psx/replay/replay.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SPACING = 128 * 1024, /* bytes of the dump between two keyframes, at first */
    INTERESTED = 120,     /* so many frames long a copy of the newest is kept after a request */
    WAIT_MS = 100,        /* a request waits at most so long for a frame that is being drawn */
    LOOK_MS = 50,         /* between two tries while the channel's reader does not read */
};

struct psx_follow {
    struct psx_dump *dump;
    int channel; /* -1 if there is none */
    pthread_t thread;
    bool has_thread;
    struct psx_gpu_instance *instance;
    uint64_t followed;        /* the checkpoint up to which `written` is complete */
    uint64_t kept;            /* offset in the dump of the last keyframe, in bytes */
    uint64_t spacing;         /* distance of keyframes, in bytes */
    struct psx_tiles written; /* tiles that the stretches since the last keyframe may write */
    _Atomic uint64_t packet;  /* the instance's position, as the thread last reported it */
    _Atomic uint64_t wanted;  /* the frame that was last read as the newest, plus one */
    pthread_mutex_t lock;
    struct psx_gpu_instance *newest GUARDED_BY(lock_of_psx_follow); /* a copy, or NULL */
};

static void take_lock(struct psx_follow *follow) ACQUIRE(lock_of_psx_follow)
{
    pthread_mutex_lock(&follow->lock);
}

static void give_lock(struct psx_follow *follow) RELEASE(lock_of_psx_follow)
{
    pthread_mutex_unlock(&follow->lock);
}

static bool is_cancelled(const struct psx_follow *follow)
{
    return cancel_requested(&follow->dump->base.cancel);
}

static void close_channel(struct psx_follow *follow)
{
    if (follow->channel >= 0)
        close(follow->channel);
    follow->channel = -1;
}

/*
 * Writes to the channel. A pipe without readers, or one that is full, delays nothing except this
 * thread.
 */
static int write_channel(struct psx_follow *follow, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        struct pollfd channel = {.fd = follow->channel, .events = POLLOUT};
        ssize_t written = write(follow->channel, bytes, size);

        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        } else if (written < 0 && errno != EINTR && errno != EAGAIN) {
            log_write(LOG_ERR, "readbacks are no longer written: %s", strerror(errno));
            close_channel(follow);
            return 0;
        } else if (is_cancelled(follow)) {
            return -EINTR;
        } else {
            (void)poll(&channel, 1, LOOK_MS);
        }
    }
    return 0;
}

/*
 * Writes what the next packet, a readback, will read. The instance carries the packet out
 * afterwards.
 */
static int tell_readback(struct psx_follow *follow, const struct psx_packet *packet)
{
    struct psx_gpu *gpu = follow->instance->gpu;
    uint32_t words = packet->words > 0 ? bytes_le32(packet->payload) : 0;
    struct psx_state before = gpu->state;
    uint8_t *bytes;
    int status;

    if (words > psx_state_read_left(&before))
        words = psx_state_read_left(&before);
    bytes = malloc(4 * (size_t)words + 1);
    if (bytes == NULL)
        return -ENOMEM;
    psx_gpu_read(gpu, words, bytes);
    gpu->state = before;
    status = write_channel(follow, bytes, 4 * (size_t)words);
    free(bytes);
    return status;
}

static int draw_to(struct psx_follow *follow, uint64_t end)
{
    const struct psx_index *index = &follow->dump->index;
    struct psx_gpu_instance *instance = follow->instance;
    struct psx_packet packet;
    int status = 0;

    while (status == 0 && instance->packet < end) {
        if (follow->channel >= 0 &&
            psx_packet_read(index->data, index->size, instance->offset, &packet) &&
            packet.type == PSX_PACKET_READBACK)
            status = tell_readback(follow, &packet);
        if (status == 0)
            status = psx_gpu_instance_step(instance, index, &follow->dump->base.cancel);
        if (status == 0 && is_cancelled(follow))
            status = -EINTR;
    }
    return status;
}

/*
 * Adds a keyframe, if the last one is far enough back. If there is no memory for it, it is left
 * out, and the next one has more tiles as written.
 */
static int keep_keyframe(struct psx_follow *follow, uint64_t checkpoint)
{
    const struct psx_index *index = &follow->dump->index;
    struct psx_tiles written;
    bool thinned = false;
    int status;

    for (; follow->followed < checkpoint; follow->followed++) {
        psx_tile_summary_store_get_written(&index->summaries, follow->followed, &written);
        psx_tiles_add(&follow->written, &written);
    }
    if (follow->instance->offset - follow->kept < follow->spacing)
        return 0;
    status = psx_replay_add_keyframe(follow->dump, checkpoint, &follow->written,
                                     follow->instance->gpu, &thinned);
    if (status != 0)
        return status == -ENOMEM ? 0 : status;
    follow->kept = follow->instance->offset;
    follow->spacing *= thinned ? 2 : 1;
    follow->written = (struct psx_tiles){0};
    return 0;
}

/*
 * Keeps a copy of what was drawn ready for the next reader, while the newest frame is being read.
 */
static void keep_newest(struct psx_follow *follow)
{
    const struct psx_gpu_instance *instance = follow->instance;
    struct psx_gpu_instance *copy;

    take_lock(follow);
    copy = follow->newest;
    follow->newest = NULL;
    give_lock(follow);
    if (follow->wanted + INTERESTED < instance->frame) {
        psx_gpu_instance_destroy(&copy);
        return;
    }
    if (copy == NULL && psx_gpu_instance_create(&follow->dump->index, &copy) != 0)
        return;
    if (psx_gpu_copy(copy->gpu, instance->gpu) != 0) {
        psx_gpu_instance_destroy(&copy);
        return;
    }
    copy->packet = instance->packet;
    copy->offset = instance->offset;
    copy->frame = instance->frame;
    copy->part = PSX_GPU_INSTANCE_WHOLE;
    take_lock(follow);
    follow->newest = copy;
    give_lock(follow);
}

static int follow_frame(struct psx_follow *follow, uint64_t frame)
{
    const struct psx_index *index = &follow->dump->index;
    uint64_t checkpoint = index->frame_checkpoints[frame + 1];
    int status = 0;

    if (follow->instance == NULL)
        status = psx_gpu_instance_create(index, &follow->instance);
    if (status == 0)
        status = draw_to(follow, index->frames[frame + 1].packet);
    if (status == 0)
        status = keep_keyframe(follow, checkpoint);
    if (status == 0) {
        keep_newest(follow);
        follow->packet = follow->instance->packet;
        psx_replay_reach(follow->dump, checkpoint);
    }
    return status;
}

static void *run(void *context)
{
    struct psx_follow *follow = context;
    struct psx_index *index = &follow->dump->index;
    int status = 0;

    for (uint64_t frame = 0; status == 0; frame++) {
        status = psx_index_wait_frame(index, frame, &follow->dump->base.cancel);
        if (status != 0 || !psx_index_shows(index, frame))
            break;
        status = follow_frame(follow, frame);
    }
    if (status != 0 && status != -EINTR)
        log_write(LOG_ERR,
                  "new pictures are no longer drawn when they arrive, but when they are read: %s",
                  strerror(-status));
    psx_gpu_instance_destroy(&follow->instance);
    close_channel(follow); /* its reader sees the end */
    return NULL;
}

static bool is_read_from(const struct source *source, int file)
{
    struct stat own, other;

    return source_stat_stream(source, &own) == 0 && fstat(file, &other) == 0 &&
           own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

/* Opens the channel. The caller must close it even if this fails. */
static int open_channel(const struct source *source, const char *path, struct text *message,
                        int *channel)
{
    *channel = file_access_open(AT_FDCWD, path, FILE_ACCESS_APPEND);
    if (*channel < 0)
        text_printf(message, "readbacks: %s: %s", path, strerror(-*channel));
    else if (is_read_from(source, *channel))
        text_printf(message, "readbacks: %s is the dump itself", path);
    else
        return 0;
    return -EINVAL;
}

/*
 * Returns the copy of the newest frame if it serves the request, otherwise NULL. Waits a moment if
 * the position is just being drawn.
 */
static struct psx_gpu_instance *take_newest(struct psx_follow *follow,
                                            const struct psx_vram_request *request,
                                            const struct cancel *cancel)
{
    const struct psx_index *index = &follow->dump->index;
    struct psx_gpu_instance *taken = NULL;
    uint64_t frame = psx_index_frame_of(index, request->upto - (request->upto > 0));

    if (frame == PSX_INITIAL || frame + INTERESTED < index->follow.frames)
        return NULL;
    follow->wanted = frame + 1;
    if (request->packet > follow->packet)
        psx_replay_wait(follow->dump,
                        psx_parser_states_find(&index->checkpoints, request->packet, 0), WAIT_MS,
                        cancel);
    take_lock(follow);
    if (follow->newest != NULL && follow->newest->packet >= request->packet &&
        follow->newest->packet <= request->upto) {
        taken = follow->newest;
        follow->newest = NULL;
    }
    give_lock(follow);
    return taken;
}

int psx_follow_create(struct psx_dump *dump, struct text *message, struct psx_follow **out)
{
    const char *path = psx_options_of(dump->base.options)->readback_to;
    struct psx_follow *follow = NULL;
    int status = 0;

    *out = NULL;
    if (dump->base.follow == NULL && path == NULL)
        return 0;
    if (dump->base.follow == NULL) {
        text_add(message, "readbacks are only written while a dump is followed (--follow)");
        return -EINVAL;
    }
    follow = calloc(1, sizeof(*follow));
    if (follow == NULL)
        return -ENOMEM;
    follow->dump = dump;
    follow->channel = -1;
    follow->spacing = SPACING;
    pthread_mutex_init(&follow->lock, NULL);
    if (path != NULL)
        status = open_channel(dump->base.source, path, message, &follow->channel);
    if (status != 0) {
        psx_follow_destroy(&follow);
        return status;
    }
    psx_replay_set_newest(dump, take_newest);
    *out = follow;
    return 0;
}

void psx_follow_destroy(struct psx_follow **follow)
{
    if (*follow == NULL)
        return;
    psx_follow_join(*follow);
    psx_gpu_instance_destroy(&(*follow)->newest);
    close_channel(*follow);
    pthread_mutex_destroy(&(*follow)->lock);
    free(*follow);
    *follow = NULL;
}

void psx_follow_start(struct psx_follow *follow)
{
    if (follow != NULL)
        follow->has_thread = thread_start(&follow->thread, run, follow) == 0;
}

void psx_follow_join(struct psx_follow *follow)
{
    if (follow == NULL || !follow->has_thread)
        return;
    pthread_join(follow->thread, NULL);
    follow->has_thread = false;
}

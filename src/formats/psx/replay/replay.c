/* SPDX-License-Identifier: MIT */
/*
 * An idle instance that is at the requested position, and valid there, is taken unchanged.
 * Otherwise one that can go on does so if the position is near. Otherwise a slice is made, and
 * carried out on the memory of any instance. When pictures are requested in order, the slice
 * contains all that later pictures depend on, and its instance goes on from one picture to the
 * next.
 */
#include "formats/psx/replay/replay.h"

#include "base/locks.h"
#include "formats/psx/index/origin.h"
#include "formats/psx/replay/ahead.h"
#include "formats/psx/replay/gpu_instance.h"
#include "formats/psx/replay/keyframe_builder.h"
#include "formats/psx/replay/keyframe_store.h"
#include "formats/psx/replay/tile_liveness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPARE_INSTANCES = 2, /* idle instances besides one for each thread */
    KEYFRAMES_SHARE = 2, /* keyframes may take 1/2 of the cache's budget */
    /*
     * An instance goes on to a position if that is so many frames or so many bytes away, or less.
     * Beyond that a slice is cheaper. A slice of all of VRAM costs more.
     */
    NEAR_FRAMES = 4,
    NEAR_BYTES = 64 * 1024,
    NEAR_BYTES_WHOLE = 1024 * 1024, /* if all of VRAM is requested */
    READERS = 8,                    /* series of pictures that are told apart */
    IN_ORDER = 2,                   /* pictures in order before a reader counts as one in order */
    FAR_BYTES = 4 * 1024 * 1024, /* a keyframe farther back than this may leave too much to draw */
    WAIT_MS = 250,               /* how long a request waits for a nearer keyframe, at most */
    SPACING_MIN = 64 * 1024,     /* distance of keyframes at least, in bytes of the dump */
    SPACINGS = 128,              /* number of keyframes, as far as the limits of distance allow */
    /* Work that no reader requested is limited to many times what games draw, and to seconds. */
    UNASKED_PIXELS = 64 << 20,
    UNASKED_PIXELS_PER_BYTE = 16, /* for each byte of the dump */
};

/* The last picture of a series. */
struct reader {
    uint64_t frame; /* the first frame that starts where the picture was taken, or later */
    unsigned pictures;
};

struct psx_replay {
    struct psx_gpu_instance_pool instances;
    psx_replay_newest *newest; /* set if the dump is followed */
    struct psx_keyframe_store *keyframes;
    struct psx_ahead ahead;
    struct psx_tile_liveness liveness; /* set and constant once `has_liveness` is true */
    pthread_mutex_t lock;              /* protects what follows */
    /* The latest first. */
    struct reader readers[READERS] GUARDED_BY(lock_of_psx_replay);
    bool has_liveness GUARDED_BY(lock_of_psx_replay);
    bool expects GUARDED_BY(lock_of_psx_replay); /* a thread makes keyframes, or soon will */
};

static void take_lock(struct psx_replay *replay) ACQUIRE(lock_of_psx_replay)
{
    pthread_mutex_lock(&replay->lock);
}

static void give_lock(struct psx_replay *replay) RELEASE(lock_of_psx_replay)
{
    pthread_mutex_unlock(&replay->lock);
}

/*
 * One instance for each thread and some more, but at most an eighth of the cache's budget, and at
 * least one.
 */
static unsigned max_idle(const struct psx_dump *dump)
{
    uint64_t bytes = 4 * (uint64_t)PSX_VRAM_WIDTH * dump->index.vram_lines; /* VRAM and a read */
    uint64_t affordable = dump->base.options->cache / 8 / bytes;
    unsigned wanted = dump->base.options->threads + SPARE_INSTANCES;

    if (affordable < 1)
        return 1;
    return affordable < wanted ? (unsigned)affordable : wanted;
}

int psx_replay_create(struct psx_dump *dump, struct psx_replay **out)
{
    struct psx_replay *replay = calloc(1, sizeof(*replay));

    if (replay == NULL || psx_keyframe_store_create(dump->base.options->cache / KEYFRAMES_SHARE,
                                                    &dump->base.cache, &replay->keyframes) != 0) {
        free(replay);
        return -ENOMEM;
    }
    pthread_mutex_init(&replay->lock, NULL);
    psx_ahead_init(&replay->ahead, &dump->index, dump->index.pass.work.spending,
                   &dump->base.cancel);
    psx_gpu_instance_pool_init(&replay->instances, max_idle(dump), &dump->base.cache);
    replay->instances.ahead = &replay->ahead;
    *out = replay;
    return 0;
}

void psx_replay_destroy(struct psx_replay **replay)
{
    if (*replay == NULL)
        return;
    psx_gpu_instance_pool_clear(&(*replay)->instances);
    psx_keyframe_store_destroy(&(*replay)->keyframes);
    psx_ahead_clear(&(*replay)->ahead);
    psx_tile_liveness_clear(&(*replay)->liveness);
    pthread_mutex_destroy(&(*replay)->lock);
    free(*replay);
    *replay = NULL;
}

void psx_replay_announce(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel)
{
    psx_ahead_of_packets(&dump->replay->ahead, frame, cancel);
}

void psx_replay_help(struct psx_dump *dump, const struct cancel *cancel)
{
    psx_ahead_help(&dump->replay->ahead, cancel);
}

int psx_replay_wait_picture(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel)
{
    return psx_ahead_wait_frame(&dump->replay->ahead, frame, cancel);
}

void psx_replay_borrow(struct psx_dump *dump, struct psx_dump *origin)
{
    uint64_t frames = psx_origin_first_frames(&dump->index);

    psx_replay_want(origin);
    if (frames > 0 && index_task_knows_all(&origin->index.pass))
        psx_keyframe_store_borrow(dump->replay->keyframes, origin->replay->keyframes,
                                  origin->index.frame_checkpoints[frames]);
}

static uint64_t spacing_of(const struct psx_index *index)
{
    uint64_t spacing = index->size / SPACINGS;

    if (spacing < SPACING_MIN)
        return SPACING_MIN;
    return spacing < PSX_KEYFRAME_SPACING ? spacing : PSX_KEYFRAME_SPACING;
}

int psx_replay_add_keyframe(struct psx_dump *dump, uint64_t checkpoint,
                            const struct psx_tiles *written, const struct psx_gpu *gpu,
                            bool *thinned)
{
    struct psx_tiles all;
    unsigned halvings;
    int status;

    psx_tiles_fill(&all);
    all.latches = PSX_LATCH_PALETTE | PSX_LATCH_TEXELS;
    status =
        psx_keyframe_store_add(dump->replay->keyframes, checkpoint, &all, written, gpu, &halvings);
    *thinned = halvings > 0;
    return status;
}

void psx_replay_reach(struct psx_dump *dump, uint64_t checkpoint)
{
    psx_keyframe_store_reach(dump->replay->keyframes, checkpoint);
}

void psx_replay_wait(struct psx_dump *dump, uint64_t checkpoint, unsigned milliseconds,
                     const struct cancel *cancel)
{
    psx_replay_want(dump);
    if (!psx_replay_is_prepared(dump))
        psx_keyframe_store_wait(dump->replay->keyframes, checkpoint, milliseconds, cancel);
}

int psx_replay_prepare(struct psx_dump *dump, const struct cancel *cancel)
{
    struct psx_replay *replay = dump->replay;
    struct psx_keyframe_builder_params params = {
        .index = &dump->index,
        .liveness = &replay->liveness,
        .keyframes = replay->keyframes,
        .pixels = PSX_KEYFRAME_PIXELS,
        .max_pixels = UNASKED_PIXELS + dump->index.size * UNASKED_PIXELS_PER_BYTE};
    int status =
        psx_tile_liveness_make(&dump->index, spacing_of(&dump->index), cancel, &replay->liveness);

    if (status != 0)
        return status;
    take_lock(replay);
    replay->has_liveness = true;
    give_lock(replay);
    if (dump->base.follow != NULL)
        return 0; /* the thread that follows the dump has made its keyframes */
    return psx_keyframe_builder_run(&params, cancel);
}

static void set_expects(struct psx_replay *replay, bool expects)
{
    take_lock(replay);
    replay->expects = expects;
    give_lock(replay);
}

void psx_replay_give(struct psx_dump *dump, struct psx_gpu_instance **instance)
{
    psx_gpu_instance_pool_give(&dump->replay->instances, instance);
}

void psx_replay_expect(struct psx_dump *dump)
{
    set_expects(dump->replay, true);
}

void psx_replay_end_prepare(struct psx_dump *dump)
{
    set_expects(dump->replay, false);
    psx_keyframe_store_reach(dump->replay->keyframes, UINT64_MAX);
}

void psx_replay_want(struct psx_dump *dump)
{
    psx_keyframe_store_want(dump->replay->keyframes);
}

void psx_replay_await_want(struct psx_dump *dump)
{
    psx_keyframe_store_await_want(dump->replay->keyframes);
}

bool psx_replay_is_prepared(struct psx_dump *dump)
{
    struct psx_replay *replay = dump->replay;
    bool expects;

    take_lock(replay);
    expects = replay->expects;
    give_lock(replay);
    return !expects;
}

/* Returns the first frame that starts at `packet` or later. */
static uint64_t frame_from(const struct psx_index *index, uint64_t packet)
{
    uint64_t frame = psx_index_frame_of(index, packet);

    if (frame == PSX_INITIAL)
        return packet < index->frames[0].packet ? 0 : index->frame_count;
    return packet > index->frames[frame].packet ? frame + 1 : frame;
}

/* Returns whether pictures are requested in order, and remembers this one. */
static bool follows_order(struct psx_replay *replay, uint64_t frame)
{
    struct reader reader = {.frame = frame};
    unsigned i = 0;

    take_lock(replay);
    while (i < READERS - 1 &&
           (replay->readers[i].frame >= frame || replay->readers[i].frame + NEAR_FRAMES < frame))
        i++;
    if (replay->readers[i].frame < frame && replay->readers[i].frame + NEAR_FRAMES >= frame)
        reader.pictures = replay->readers[i].pictures + 1;
    memmove(replay->readers + 1, replay->readers, i * sizeof(replay->readers[0]));
    replay->readers[0] = reader;
    give_lock(replay);
    return reader.pictures >= IN_ORDER;
}

/*
 * Adds the tiles that an instance must hold at a frame's end to go on to later pictures. Returns
 * false, leaving *tiles untouched, if these are not known yet.
 */
static bool tiles_to_go_on(struct psx_dump *dump, const struct psx_vram_request *request,
                           struct psx_tiles *tiles)
{
    struct psx_replay *replay = dump->replay;
    struct psx_live_tiles live;
    bool known;

    take_lock(replay);
    known = replay->has_liveness;
    give_lock(replay);
    if (!known)
        return false;
    psx_tile_liveness_at(&replay->liveness,
                         psx_parser_states_find(&dump->index.checkpoints, request->packet, 0),
                         &live);
    psx_tiles_add(tiles, &live.read);
    psx_tiles_add(tiles, &live.shown);
    tiles->latches |= PSX_LATCH_TEXELS;
    return true;
}

static uint64_t offset_of(const struct psx_index *index, uint64_t packet)
{
    struct psx_packet found;

    return psx_index_packet(index, packet, &found) == 0 ? found.offset : index->size;
}

/* Returns whether the requested position is near enough to go on to it from `packet`. */
static bool is_near(const struct psx_index *index, uint64_t packet, uint64_t offset,
                    const struct psx_vram_request *request)
{
    uint64_t bytes = offset_of(index, request->packet) - offset;

    if (bytes <=
        (psx_vram_request_is_all(request, index->vram_lines) ? NEAR_BYTES_WHOLE : NEAR_BYTES))
        return true;
    return frame_from(index, request->packet) - frame_from(index, packet) <= NEAR_FRAMES;
}

/*
 * Returns whether the requested position is near the dump's start, from which an instance can go on
 * to all that follows.
 */
static bool is_at_start(const struct psx_index *index, const struct psx_vram_request *request)
{
    return offset_of(index, request->packet) <= FAR_BYTES && is_near(index, 0, 0, request);
}

/*
 * Waits for keyframes if they are being made and the last one before the position is far from it.
 * Returns whether it waited: a nearer keyframe may have come.
 */
static bool wait_for_keyframes(struct psx_dump *dump, const struct psx_vram_request *request,
                               const struct cancel *cancel)
{
    const struct psx_index *index = &dump->index;
    struct psx_replay *replay = dump->replay;
    uint64_t checkpoint = psx_parser_states_find(&index->checkpoints, request->packet, 0), from = 0;
    struct psx_keyframe *keyframe = psx_keyframe_store_before(replay->keyframes, checkpoint);
    struct psx_parser_state known;

    if (keyframe != NULL) {
        psx_parser_states_get(&index->checkpoints, psx_keyframe_checkpoint(keyframe), &known);
        from = known.offset;
    }
    psx_keyframe_unref(&keyframe);
    if (psx_replay_is_prepared(dump) || offset_of(index, request->packet) - from <= FAR_BYTES)
        return false;
    psx_keyframe_store_wait(replay->keyframes, checkpoint, WAIT_MS, cancel);
    return true;
}

static int go_on(struct psx_dump *dump, const struct psx_vram_request *request,
                 const struct cancel *cancel, struct psx_gpu_instance *instance,
                 struct psx_gpu_instance **out)
{
    bool lost = false;
    int status = psx_gpu_instance_run(instance, &dump->index, request->packet, cancel, &lost);

    if (status == 0)
        *out = instance;
    else if (lost)
        psx_gpu_instance_destroy(&instance);
    else
        psx_replay_give(dump, &instance);
    return status;
}

/* Goes on from the instance that has come furthest, or from power-on. */
static int replay_all(struct psx_dump *dump, const struct psx_vram_request *request,
                      const struct cancel *cancel, struct psx_gpu_instance **out)
{
    struct psx_gpu_instance *instance =
        psx_gpu_instance_pool_take(&dump->replay->instances, PSX_INSTANCE_BEFORE, request, NULL);
    int status = instance == NULL ? psx_gpu_instance_create(&dump->index, &instance) : 0;

    return status == 0 ? go_on(dump, request, cancel, instance, out) : status;
}

static int carry_out(struct psx_dump *dump, const struct psx_slice *slice,
                     const struct psx_tiles *tiles, const struct cancel *cancel,
                     struct psx_gpu_instance **out)
{
    struct psx_gpu_instance *instance =
        psx_gpu_instance_pool_take(&dump->replay->instances, PSX_INSTANCE_MEMORY, NULL, NULL);
    int status = instance == NULL ? psx_gpu_instance_create(&dump->index, &instance) : 0;

    if (status != 0)
        return status;
    status = psx_gpu_instance_run_slice(instance, &dump->index, slice, tiles, cancel);
    if (status == 0)
        *out = instance;
    else
        psx_replay_give(dump, &instance);
    return status;
}

/*
 * Makes a slice from the index or the sketch. Slices from a sketch can become too long more easily,
 * since a sketch comes without keyframes: if one does, waits for the index and tries again.
 */
static int make_ahead(struct psx_dump *dump, struct psx_slice_params *params,
                      const struct cancel *cancel, struct psx_slice *slice)
{
    bool keyframes;
    int status;

    psx_ahead_stretches(&dump->replay->ahead, params->packet, &params->stretches, &keyframes);
    params->keyframes = keyframes ? dump->replay->keyframes : NULL;
    status = psx_slice_make(params, cancel, slice);
    if (status != -E2BIG || keyframes)
        return status;
    psx_slice_clear(slice);
    status = psx_index_wait_packet(&dump->index, params->packet - 1, cancel);
    params->stretches = psx_index_stretches(&dump->index);
    params->keyframes = dump->replay->keyframes;
    return status == 0 ? psx_slice_make(params, cancel, slice) : status;
}

/*
 * Makes a slice at once, without waiting for keyframes: even far from a keyframe most slices take
 * less time than the wait for the next one. Waits only if the slice becomes too long.
 */
static int make_slice(struct psx_dump *dump, const struct psx_vram_request *request,
                      const struct psx_tiles *tiles, const struct cancel *cancel,
                      struct psx_slice *slice)
{
    struct psx_slice_params params = {
        .index = &dump->index, .packet = request->packet, .tiles = *tiles};
    int status = make_ahead(dump, &params, cancel, slice);

    if (status != -E2BIG || !wait_for_keyframes(dump, request, cancel))
        return status;
    psx_slice_clear(slice);
    return psx_slice_make(&params, cancel, slice);
}

static int draw_slice(struct psx_dump *dump, const struct psx_vram_request *request,
                      struct psx_tiles *tiles, const struct cancel *cancel,
                      struct psx_gpu_instance **out)
{
    enum psx_gpu_instance_part part = psx_vram_request_is_all(request, dump->index.vram_lines)
                                          ? PSX_GPU_INSTANCE_WHOLE
                                          : PSX_GPU_INSTANCE_TILES;
    struct psx_slice slice;
    int status;

    if (part == PSX_GPU_INSTANCE_TILES && request->shown &&
        follows_order(dump->replay, frame_from(&dump->index, request->packet)) &&
        tiles_to_go_on(dump, request, tiles))
        part = PSX_GPU_INSTANCE_SHOWN;
    status = make_slice(dump, request, tiles, cancel, &slice);
    if (status == 0)
        status = carry_out(dump, &slice, tiles, cancel, out);
    psx_slice_clear(&slice);
    if (status == 0)
        (*out)->part = part;
    return status == -E2BIG ? replay_all(dump, request, cancel, out) : status;
}

void psx_replay_set_newest(struct psx_dump *dump, psx_replay_newest *newest)
{
    dump->replay->newest = newest;
}

int psx_replay_take(struct psx_dump *dump, const struct psx_vram_request *request,
                    const struct cancel *cancel, struct psx_gpu_instance **out)
{
    struct psx_replay *replay = dump->replay;
    struct psx_tiles tiles;
    struct psx_gpu_instance *instance;

    psx_replay_want(dump);
    *out = dump->follow != NULL ? replay->newest(dump->follow, request, cancel) : NULL;
    if (*out != NULL)
        return 0;
    psx_vram_request_tiles(request, dump->index.vram_lines, &tiles);
    *out = psx_gpu_instance_pool_take(&replay->instances, PSX_INSTANCE_THERE, request, &tiles);
    if (*out != NULL)
        return 0;
    instance = psx_gpu_instance_pool_take(&replay->instances, PSX_INSTANCE_BEFORE, request, &tiles);
    if (instance != NULL && is_near(&dump->index, instance->packet, instance->offset, request)) {
        psx_keyframe_store_note_order(replay->keyframes);
        return go_on(dump, request, cancel, instance, out);
    }
    if (instance != NULL)
        psx_replay_give(dump, &instance);
    else if (request->shown && is_at_start(&dump->index, request))
        return replay_all(dump, request, cancel, out);
    return draw_slice(dump, request, &tiles, cancel, out);
}

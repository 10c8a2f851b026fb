/* SPDX-License-Identifier: MIT */
#include "formats/psx/replay/keyframe_builder.h"

#include "formats/psx/replay/keyframe_store.h"
#include "formats/psx/replay/slice.h"
#include "formats/psx/replay/tile_liveness.h"

#include <errno.h>
#include <string.h>

struct builder {
    const struct psx_keyframe_builder_params *params;
    struct psx_gpu *gpu;
    uint64_t checkpoint; /* of the last keyframe */
    /*
     * Tiles that were completely overwritten since the last keyframe. A picture that shows one of
     * them needs no keyframe for it: the walk back ends at what overwrote it.
     */
    struct psx_tiles killed;
    struct psx_tiles written; /* tiles that were written since the last keyframe */
    uint64_t followed; /* `killed` and `written` cover the stretches before this checkpoint */
    uint64_t drawn;    /* pixels that the GPU had drawn at the last keyframe */
    uint64_t step;     /* every step-th checkpoint of the liveness gets a keyframe */
};

/* Adds the summaries up to a checkpoint to what is known since the last keyframe. */
static void follow(struct builder *builder, uint64_t checkpoint)
{
    const struct psx_index *index = builder->params->index;
    struct psx_tile_summary summary;

    for (; builder->followed < checkpoint; builder->followed++) {
        psx_tile_summary_store_get(&index->summaries, builder->followed, &summary);
        psx_tiles_add(&builder->killed, &summary.killed);
        psx_tiles_add(&builder->written, &summary.written);
    }
}

static uint64_t drawn(const struct psx_gpu *gpu)
{
    return gpu->pixels + gpu->moved / 4; /* moving a pixel costs less than drawing one */
}

static int add(struct builder *builder, uint64_t checkpoint, const struct psx_tiles *tiles,
               const struct psx_gpu *gpu)
{
    const struct psx_keyframe_builder_params *params = builder->params;
    unsigned halvings;
    int status;

    follow(builder, checkpoint);
    status = psx_keyframe_store_add(params->keyframes, checkpoint, tiles, &builder->written, gpu,
                                    &halvings);
    builder->step <<= halvings;
    builder->checkpoint = builder->followed = checkpoint;
    builder->drawn = drawn(gpu);
    memset(&builder->killed, 0, sizeof(builder->killed));
    memset(&builder->written, 0, sizeof(builder->written));
    return status;
}

static bool has_drawn_too_much(const struct builder *builder)
{
    uint64_t max = builder->params->max_pixels;

    return max != 0 && drawn(builder->gpu) > max;
}

/* Adds a keyframe on the way, if much that is still needed has been drawn since the last one. */
static int at_stop(void *context, const struct psx_slice_stop *stop, const struct psx_gpu *gpu)
{
    struct builder *builder = context;
    const struct psx_keyframe_builder_params *params = builder->params;
    uint64_t max = params->pixels * builder->step;

    if (has_drawn_too_much(builder))
        return -E2BIG;
    if (stop->checkpoint <= builder->checkpoint || drawn(gpu) - builder->drawn < max)
        return 0;
    return add(builder, stop->checkpoint, &stop->tiles, gpu);
}

/* Chooses the tiles that a keyframe at that checkpoint has to hold. */
static void choose_tiles(struct builder *builder, const struct psx_live_tiles *live,
                         struct psx_tiles *out)
{
    follow(builder, live->checkpoint);
    *out = live->shown;
    psx_tiles_remove(out, &builder->killed);
    psx_tiles_add(out, &live->read);
    out->latches &= PSX_LATCH_PALETTE;
}

/* The texel cache is kept where its contents can be seen. At other checkpoints a slice does not
 * make it. */
static void choose_texels(const struct psx_index *index, const struct psx_parser_state *checkpoint,
                          struct psx_tiles *out)
{
    if (psx_stale_runs_have(&index->stale_runs, checkpoint->state.texel_run))
        out->latches |= PSX_LATCH_TEXELS;
}

static int make_keyframe(struct builder *builder, const struct psx_live_tiles *live,
                         const struct cancel *cancel)
{
    const struct psx_keyframe_builder_params *params = builder->params;
    struct psx_slice_watch watch = {.at = at_stop, .context = builder};
    struct psx_slice_params wanted = {.index = params->index,
                                      .stretches = psx_index_stretches(params->index),
                                      .keyframes = params->keyframes,
                                      .stops = true};
    struct psx_parser_state checkpoint;
    struct psx_slice slice;
    int status;

    psx_parser_states_get(&params->index->checkpoints, live->checkpoint, &checkpoint);
    wanted.packet = checkpoint.packet;
    wanted.word = checkpoint.word;
    choose_tiles(builder, live, &wanted.tiles);
    choose_texels(params->index, &checkpoint, &wanted.tiles);
    status = psx_slice_make(&wanted, cancel, &slice);
    if (status == 0)
        status = psx_slice_run(&slice, params->index, builder->gpu, &watch, cancel);
    if (status == 0)
        status = add(builder, live->checkpoint, &wanted.tiles, builder->gpu);
    psx_slice_clear(&slice);
    return status;
}

/*
 * Begins after the keyframes that are there already, which are those of the dump that this one was
 * made from.
 */
static void begin_behind(struct builder *builder)
{
    struct psx_keyframe *last = psx_keyframe_store_before(builder->params->keyframes, UINT64_MAX);

    if (last != NULL)
        builder->checkpoint = builder->followed = psx_keyframe_checkpoint(last);
    psx_keyframe_unref(&last);
}

int psx_keyframe_builder_run(const struct psx_keyframe_builder_params *params,
                             const struct cancel *cancel)
{
    struct builder builder = {.params = params, .step = 1};
    int status = psx_gpu_create(params->index->model, &builder.gpu);

    if (status != 0)
        return status;
    begin_behind(&builder);
    builder.gpu->never_skip = params->index->field_option == PSX_FIELD_BOTH;
    if (!params->index->texel_cache)
        psx_gpu_leave_out_texel_cache(builder.gpu);
    for (uint64_t n = 0; status == 0 && n < params->liveness->count; n++) {
        const struct psx_live_tiles *live = &params->liveness->list[n];

        psx_keyframe_store_give_way(params->keyframes, cancel);
        if (n % builder.step == 0 && live->checkpoint > builder.checkpoint)
            status = make_keyframe(&builder, live, cancel);
        if (status == 0 && has_drawn_too_much(&builder))
            status = -E2BIG;
        psx_keyframe_store_reach(params->keyframes, live->checkpoint);
    }
    psx_gpu_destroy(&builder.gpu);
    return status;
}

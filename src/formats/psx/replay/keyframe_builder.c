#include "formats/psx/replay/keyframe_builder.h"

#include "formats/psx/replay/slice.h"

#include <errno.h>
#include <string.h>

struct keyframer {
    const struct psx_keyframer_params *params;
    struct psx_gpu *gpu;
    uint64_t checkpoint;     /* of the last keyframe */
    struct psx_tiles killed; /* since then: a short walk back ends there */
    struct psx_tiles written;
    uint64_t followed; /* `killed` and `written` are those up to this checkpoint, at least */
    uint64_t drawn;    /* by the GPU when it stood at the last keyframe */
    uint64_t step;     /* every so many-th checkpoint of the liveness gets one */
};

/* Adds the summaries up to a checkpoint to what happened since the last keyframe. */
static void follow(struct keyframer *keyframer, uint64_t checkpoint)
{
    const struct psx_index *index = keyframer->params->index;
    struct psx_tile_summary summary;

    for (; keyframer->followed < checkpoint; keyframer->followed++) {
        psx_tile_summary_store_get(&index->summaries, keyframer->followed, &summary);
        psx_tiles_add(&keyframer->killed, &summary.killed);
        psx_tiles_add(&keyframer->written, &summary.written);
    }
}

static uint64_t drawn(const struct psx_gpu *gpu)
{
    return gpu->pixels + gpu->moved / 4; /* moving costs less */
}

static int add(struct keyframer *keyframer, uint64_t checkpoint, const struct psx_tiles *tiles,
               const struct psx_gpu *gpu)
{
    const struct psx_keyframer_params *params = keyframer->params;
    int status;

    follow(keyframer, checkpoint);
    status = psx_keyframes_add(params->keyframes, checkpoint, tiles, &keyframer->written, gpu);
    keyframer->checkpoint = keyframer->followed = checkpoint;
    keyframer->drawn = drawn(gpu);
    memset(&keyframer->killed, 0, sizeof(keyframer->killed));
    memset(&keyframer->written, 0, sizeof(keyframer->written));
    while (status == 0 && params->account != NULL &&
           !params->account(params->context, psx_keyframes_bytes(params->keyframes))) {
        if (psx_keyframes_bytes(params->keyframes) == 0)
            return -ENOMEM;
        psx_keyframes_thin(params->keyframes);
        keyframer->step *= 2;
    }
    return status;
}

static bool has_drawn_too_much(const struct keyframer *keyframer)
{
    uint64_t most = keyframer->params->pixels_most;

    return most != 0 && drawn(keyframer->gpu) > most;
}

/* Another one on the way, where much has been drawn that is still needed. */
static int at_stop(void *context, const struct psx_plan_stop *stop, const struct psx_gpu *gpu)
{
    struct keyframer *keyframer = context;
    const struct psx_keyframer_params *params = keyframer->params;
    uint64_t most = params->pixels * keyframer->step;

    if (has_drawn_too_much(keyframer))
        return -E2BIG;
    if (stop->checkpoint <= keyframer->checkpoint || drawn(gpu) - keyframer->drawn < most)
        return 0;
    return add(keyframer, stop->checkpoint, &stop->tiles, gpu);
}

/* What a keyframe at that checkpoint has to hold. */
static void choose_tiles(struct keyframer *keyframer, const struct psx_live_tiles *live,
                         struct psx_tiles *out)
{
    follow(keyframer, live->checkpoint);
    *out = live->shown;
    psx_tiles_remove(out, &keyframer->killed);
    psx_tiles_add(out, &live->read);
    out->latches &= PSX_LATCH_PALETTE;
}

static int make_keyframe(struct keyframer *keyframer, const struct psx_live_tiles *live,
                         const struct cancel *cancel)
{
    const struct psx_keyframer_params *params = keyframer->params;
    struct psx_plan_watch watch = {.at = at_stop, .context = keyframer};
    struct psx_plan_params wanted = {
        .index = params->index, .keyframes = params->keyframes, .stops = true};
    struct psx_parser_state checkpoint;
    struct psx_plan plan;
    int status;

    psx_parser_states_get(&params->index->checkpoints, live->checkpoint, &checkpoint);
    wanted.packet = checkpoint.packet;
    wanted.word = checkpoint.word;
    choose_tiles(keyframer, live, &wanted.tiles);
    status = psx_plan_make(&wanted, cancel, &plan);
    if (status == 0)
        status = psx_plan_run(&plan, params->index, keyframer->gpu, &watch, cancel);
    if (status == 0)
        status = add(keyframer, live->checkpoint, &wanted.tiles, keyframer->gpu);
    psx_plan_clear(&plan);
    return status;
}

int psx_keyframer_run(const struct psx_keyframer_params *params, const struct cancel *cancel)
{
    struct keyframer keyframer = {.params = params, .step = 1};
    int status = psx_gpu_create(params->index->vram_lines, &keyframer.gpu);

    if (status != 0)
        return status;
    keyframer.gpu->never_skip = params->index->field_option == PSX_FIELD_BOTH;
    for (uint64_t n = 0; status == 0 && n < params->liveness->count; n++) {
        const struct psx_live_tiles *live = &params->liveness->list[n];

        psx_keyframes_give_way(params->keyframes, cancel);
        if (n % keyframer.step == 0)
            status = make_keyframe(&keyframer, live, cancel);
        if (status == 0 && has_drawn_too_much(&keyframer))
            status = -E2BIG;
        psx_keyframes_reach(params->keyframes, live->checkpoint);
    }
    psx_gpu_destroy(&keyframer.gpu);
    return status;
}

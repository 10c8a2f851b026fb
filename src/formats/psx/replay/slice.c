#include "formats/psx/replay/slice.h"

#include "formats/psx/replay/keyframe_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM_FIRST = 256, /* elements at first; it doubles */
    POLL_STRETCHES = 1024,
};

/* On the way back. */
struct walker {
    const struct psx_plan_params *params;
    const struct cancel *cancel;
    struct psx_plan *plan;
    struct psx_tiles needed;
    struct psx_stretch stretch;    /* the one that is looked into */
    uint32_t setting;              /* of it, that the plan has last */
    struct psx_keyframe *keyframe; /* the next on the way back */
};

static int make_room(void **array, uint32_t *room, uint32_t count, size_t size)
{
    if (count < *room)
        return 0;

    uint32_t more = *room == 0 ? ROOM_FIRST : *room * 2;
    void *moved = realloc(*array, more * size);

    if (moved == NULL)
        return -ENOMEM;
    *array = moved;
    *room = more;
    return 0;
}

/* The plan's number of the setting of the stretch that an op has. */
static int take_setting(struct walker *walker, uint32_t setting, uint32_t *number)
{
    struct psx_plan *plan = walker->plan;

    if (setting != walker->setting) {
        if (make_room((void **)&plan->settings, &plan->setting_room, plan->setting_count,
                      sizeof(*plan->settings)) != 0)
            return -ENOMEM;
        plan->settings[plan->setting_count++] = walker->stretch.settings[setting];
        walker->setting = setting;
    }
    *number = plan->setting_count - 1;
    return 0;
}

static int take_op(struct walker *walker, const struct psx_gpu_op *op, enum psx_gpu_op_part part)
{
    struct psx_plan *plan = walker->plan;
    struct psx_gpu_op *taken;

    if (plan->count == PSX_PLAN_OPS)
        return -E2BIG;
    if (make_room((void **)&plan->ops, &plan->room, plan->count, sizeof(*plan->ops)) != 0)
        return -ENOMEM;
    taken = &plan->ops[plan->count++];
    *taken = *op;
    taken->part = (uint8_t)part;
    return take_setting(walker, op->setting, &taken->setting);
}

/* A primitive whose drawing area needs nothing, nor the palette that it may latch. */
static bool is_beside(const struct psx_tiles *needed, const struct psx_gpu_op *op,
                      const struct psx_setting *setting)
{
    enum gp0_kind kind = psx_gp0_table[op->opcode].kind;

    if (op->type != GP0_EVENT_COMMAND || kind < GP0_POLYGON || kind > GP0_RECTANGLE)
        return false;
    return !(op->latches && (needed->latches & PSX_LATCH_PALETTE)) &&
           !psx_tiles_meet_box(needed, &setting->area);
}

/* Backwards: the pixels come before the palette that they are drawn with. */
static int pass_op(struct walker *walker, const struct psx_gpu_op *op)
{
    const struct psx_setting *setting = &walker->stretch.settings[op->setting];
    struct psx_tiles *needed = &walker->needed;
    struct psx_effects effects;

    if (is_beside(needed, op, setting))
        return 0;
    psx_gpu_op_effects(op, setting, &effects);

    bool draws = op->part == PSX_GPU_OP_ALL && psx_tiles_meet_box(needed, &effects.part);

    if (draws) {
        psx_tiles_remove_box(needed, &effects.full);
        psx_tiles_add_box(needed, &effects.read);
        needed->latches |= effects.uses;
    }

    bool latches = needed->latches & effects.fills;

    if (!draws && !latches)
        return 0;
    if (latches) {
        needed->latches &= (uint16_t)~effects.fills;
        psx_tiles_add_box(needed,
                          effects.fills & PSX_LATCH_READ ? &effects.read : &effects.palette);
    }
    return take_op(walker, op,
                   draws || (effects.fills & PSX_LATCH_READ) ? PSX_GPU_OP_ALL : PSX_GPU_OP_LATCH);
}

static int pass_ops(struct walker *walker)
{
    int status = 0;

    walker->setting = UINT32_MAX;
    for (uint32_t i = walker->stretch.count; status == 0 && i-- > 0;)
        status = pass_op(walker, &walker->stretch.ops[i]);
    return status;
}

/* From checkpoint `number` up to a point that is not behind the next checkpoint. */
static int pass_stretch(struct walker *walker, uint64_t number, uint64_t packet, uint32_t word)
{
    const struct psx_index *index = walker->params->index;
    struct psx_parser_state from;
    int status;

    psx_parser_states_get(&index->checkpoints, number, &from);
    status = psx_stretch_read(&walker->stretch, index, &from, packet, word, walker->cancel);
    return status == 0 ? pass_ops(walker) : status;
}

/* Tells what is right at the checkpoint, if ops before it have been taken since. */
static int add_stop(struct walker *walker, const struct psx_plan_stop *stop)
{
    struct psx_plan *plan = walker->plan;

    if (plan->count == stop->ops)
        return 0;
    if (make_room((void **)&plan->stops, &plan->stop_room, plan->stop_count,
                  sizeof(*plan->stops)) != 0)
        return -ENOMEM;
    plan->stops[plan->stop_count++] = *stop;
    return 0;
}

static int pass_whole_stretch(struct walker *walker, uint64_t number)
{
    const struct psx_index *index = walker->params->index;
    struct psx_plan_stop stop = {
        .checkpoint = number + 1, .tiles = walker->needed, .ops = walker->plan->count};
    struct psx_tiles written;
    struct psx_parser_state behind;
    int status;

    psx_tile_summary_store_get_written(&index->summaries, number, &written);
    if (!psx_tiles_meet(&written, &walker->needed))
        return 0;
    psx_parser_states_get(&index->checkpoints, number + 1, &behind);
    status = pass_stretch(walker, number, behind.packet, behind.word);
    return status == 0 && walker->params->stops ? add_stop(walker, &stop) : status;
}

static int add_load(struct walker *walker, struct psx_keyframe *keyframe,
                    const struct psx_tiles *tiles)
{
    struct psx_plan *plan = walker->plan;

    if (make_room((void **)&plan->loads, &plan->load_room, plan->load_count,
                  sizeof(*plan->loads)) != 0)
        return -ENOMEM;
    plan->loads[plan->load_count++] =
        (struct psx_plan_load){.keyframe = keyframe, .tiles = *tiles, .ops = plan->count};
    return 0;
}

/* At a checkpoint: what its keyframe has is needed no longer. */
static int pass_checkpoint(struct walker *walker, uint64_t number)
{
    struct psx_keyframe *keyframe = walker->keyframe;
    struct psx_tiles tiles;
    int status = 0;

    if (keyframe == NULL || psx_keyframe_checkpoint(keyframe) != number)
        return 0;
    walker->keyframe =
        number > 0 ? psx_keyframes_before(walker->params->keyframes, number - 1) : NULL;
    tiles = *psx_keyframe_tiles(keyframe);
    psx_tiles_keep(&tiles, &walker->needed);
    if (!psx_tiles_are_empty(&tiles)) {
        psx_tiles_remove(&walker->needed, &tiles);
        status = add_load(walker, keyframe, &tiles);
        if (status == 0)
            return 0; /* the load has the reference */
    }
    psx_keyframe_unref(&keyframe);
    return status;
}

/* At the start VRAM is zero and nothing is latched. */
static int end_at_start(struct walker *walker)
{
    walker->needed.latches = 0;
    if (psx_tiles_are_empty(&walker->needed))
        return 0;
    return add_load(walker, NULL, &walker->needed);
}

static int walk_back(struct walker *walker, uint64_t number)
{
    int status = pass_checkpoint(walker, number);

    while (status == 0 && number > 0 && !psx_tiles_are_empty(&walker->needed)) {
        status = pass_whole_stretch(walker, --number);
        if (status == 0)
            status = pass_checkpoint(walker, number);
        if (number % POLL_STRETCHES == 0 && cancel_requested(walker->cancel))
            status = -EINTR;
    }
    return status == 0 && number == 0 ? end_at_start(walker) : status;
}

int psx_plan_make(const struct psx_plan_params *params, const struct cancel *cancel,
                  struct psx_plan *plan)
{
    const struct psx_parser_states *checkpoints = &params->index->checkpoints;
    uint64_t number = psx_parser_states_find(checkpoints, params->packet, params->word);
    struct walker walker = {
        .params = params, .cancel = cancel, .plan = plan, .needed = params->tiles};
    int status;

    memset(plan, 0, sizeof(*plan));
    if (params->keyframes != NULL)
        walker.keyframe = psx_keyframes_before(params->keyframes, number);
    status = pass_stretch(&walker, number, params->packet, params->word);
    plan->end = walker.stretch.end;
    if (status == 0)
        status = walk_back(&walker, number);
    psx_stretch_clear(&walker.stretch);
    psx_keyframe_unref(&walker.keyframe);
    return status;
}

void psx_plan_clear(struct psx_plan *plan)
{
    for (uint32_t i = 0; i < plan->load_count; i++)
        psx_keyframe_unref(&plan->loads[i].keyframe);
    free(plan->ops);
    free(plan->settings);
    free(plan->loads);
    free(plan->stops);
    memset(plan, 0, sizeof(*plan));
}

static void clear_tiles(const struct psx_tiles *tiles, uint16_t *vram)
{
    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        for (unsigned bits = tiles->row[y]; bits != 0; bits &= bits - 1) {
            uint16_t *tile = vram + y * PSX_TILE_HEIGHT * PSX_VRAM_WIDTH +
                             (unsigned)__builtin_ctz(bits) * PSX_TILE_WIDTH;

            for (unsigned i = 0; i < PSX_TILE_HEIGHT; i++)
                memset(tile + i * PSX_VRAM_WIDTH, 0, PSX_TILE_WIDTH * sizeof(*tile));
        }
}

static void run_load(const struct psx_plan_load *load, struct psx_gpu *gpu)
{
    if (load->keyframe != NULL)
        psx_keyframe_load(load->keyframe, &load->tiles, gpu);
    else
        clear_tiles(&load->tiles, gpu->vram);
}

static int run_next_op(const struct psx_plan *plan, uint32_t number, const struct psx_index *index,
                       struct psx_gpu *gpu, const struct cancel *cancel)
{
    const struct psx_gpu_op *op = &plan->ops[number];
    int status = psx_gpu_op_run(op, &plan->settings[op->setting], index, gpu, cancel);

    return status == 0 && cancel_requested(cancel) ? -EINTR : status;
}

int psx_plan_run(const struct psx_plan *plan, const struct psx_index *index, struct psx_gpu *gpu,
                 const struct psx_plan_watch *watch, const struct cancel *cancel)
{
    uint32_t op = plan->count, load = plan->load_count, stop = plan->stop_count;
    int status = 0;

    while (status == 0 && (op > 0 || load > 0)) {
        if (stop > 0 && plan->stops[stop - 1].ops == op) {
            stop--;
            if (watch != NULL)
                status = watch->at(watch->context, &plan->stops[stop], gpu);
        } else if (load > 0 && plan->loads[load - 1].ops == op) {
            run_load(&plan->loads[--load], gpu);
        } else {
            status = run_next_op(plan, --op, index, gpu, cancel);
        }
    }
    gpu->state = plan->end.state;
    return status;
}

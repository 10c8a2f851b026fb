#include "formats/psx/frame/frame_inputs.h"

#include "formats/psx/index/gpu_ops.h"

static bool samples(const struct psx_gpu_op *op)
{
    enum gp0_kind kind = psx_gp0_table[op->opcode].kind;

    return op->type == GP0_EVENT_COMMAND && (kind == GP0_POLYGON || kind == GP0_RECTANGLE) &&
           (op->opcode & GP0_TEXTURED);
}

/* All of the texture page that it samples. */
static void add_page(const struct psx_gpu_op *op, struct psx_tiles *needed)
{
    uint32_t page = psx_gpu_op_page(op);
    struct psx_tile_box box = psx_effects_page(page & 31, psx_depth_of(page));

    psx_tiles_add_box(needed, &box);
}

/* What is looked at after an op, then what of it and by it was there before. */
static void pass_op(const struct psx_gpu_op *op, const struct psx_setting *setting,
                    struct psx_tiles *needed)
{
    struct psx_effects effects;

    psx_gpu_op_effects(op, setting, &effects);
    psx_tiles_add_box(needed, &effects.part);
    if (op->type == GP0_EVENT_COMMAND && psx_kind_draws(psx_gp0_table[op->opcode].kind))
        psx_tiles_add_box(needed, &setting->area);
    psx_tiles_remove_box(needed, &effects.full);
    psx_tiles_add_box(needed, &effects.read);
    if (samples(op) && !psx_tile_box_is_empty(&effects.read))
        add_page(op, needed);
    needed->latches |= effects.uses;
    if (needed->latches & effects.fills) {
        needed->latches &= (uint16_t)~effects.fills;
        psx_tiles_add_box(needed, &effects.palette);
    }
}

/* Backwards from one checkpoint of the index to the one before. */
static int pass_stretch(const struct psx_index *index, uint64_t checkpoint,
                        const struct cancel *cancel, struct psx_stretch *stretch,
                        struct psx_tiles *needed)
{
    struct psx_parser_state from, end;
    int status;

    psx_parser_states_get(&index->checkpoints, checkpoint, &from);
    psx_parser_states_get(&index->checkpoints, checkpoint + 1, &end);
    status = psx_stretch_read(stretch, index, &from, end.packet, end.word, cancel);
    for (uint32_t i = stretch->count; status == 0 && i-- > 0;)
        pass_op(&stretch->ops[i], &stretch->settings[stretch->ops[i].setting], needed);
    return status;
}

int psx_frame_inputs(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                     struct psx_tiles *out)
{
    struct psx_stretch stretch = {0};
    struct psx_parser_state end;
    int status = 0;

    *out = (struct psx_tiles){0};
    psx_index_frame_checkpoint(index, frame + 1, &end);
    if (end.state.parser.phase == GP0_PHASE_COMMAND) /* a draw of this frame: who knows where */
        psx_tiles_fill(out);
    for (uint64_t checkpoint = index->frame_checkpoints[frame + 1];
         status == 0 && checkpoint-- > index->frame_checkpoints[frame];)
        status = pass_stretch(index, checkpoint, cancel, &stretch, out);
    psx_stretch_clear(&stretch);
    return status;
}

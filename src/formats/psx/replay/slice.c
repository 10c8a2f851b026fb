/* SPDX-License-Identifier: MIT */
#include "formats/psx/replay/slice.h"

#include "base/array.h"
#include "base/bytes.h"
#include "formats/psx/gpu/texel_trace.h"
#include "formats/psx/replay/keyframe_store.h"
#include "formats/psx/replay/pixel_cover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_STRETCHES = 1024,
    OP_UPLOAD = 0xA0,
    OP_COPY = 0x80,
};

/*
 * Numbers of the settings for uploads that are carried out by themselves, one for each value of
 * GP1(09). They are beyond the numbers of a stretch's settings.
 */
#define UPLOAD_SETTINGS (UINT32_MAX - 2)

/* State of the walk back. */
struct walker {
    const struct psx_slice_params *params;
    const struct cancel *cancel;
    struct psx_slice *slice;
    struct psx_tiles needed;
    struct psx_pixel_cover *cover; /* of `needed`; NULL: only complete tiles are tracked */
    struct psx_stretch stretch;    /* the stretch being read */
    /*
     * Which setting was appended to the slice last: its number in `stretch`, or UPLOAD_SETTINGS
     * plus the upload's high_lines. UINT32_MAX: none of `stretch`.
     */
    uint32_t setting;
    uint32_t texel_run;            /* the run whose texel cache is needed, if PSX_LATCH_TEXELS is */
    bool begins;                   /* the walk is still at the point */
    struct psx_keyframe *keyframe; /* the next keyframe on the way back */
};

/*
 * Appends a setting to the slice, unless it is the last one appended; `id` identifies it. *number
 * is the slice's number of it.
 */
static int take_setting(struct walker *walker, const struct psx_setting *setting, uint32_t id,
                        uint32_t *number)
{
    struct psx_slice *slice = walker->slice;

    if (id != walker->setting) {
        if (ARRAY_GROW(slice->settings, slice->setting_count, slice->setting_room) != 0)
            return -ENOMEM;
        slice->settings[slice->setting_count++] = *setting;
        walker->setting = id;
    }
    *number = slice->setting_count - 1;
    return 0;
}

static int take_op(struct walker *walker, const struct psx_gpu_op *op,
                   const struct psx_setting *setting, enum psx_gpu_op_part part)
{
    struct psx_slice *slice = walker->slice;
    struct psx_gpu_op *taken;

    if (slice->count == PSX_SLICE_OPS)
        return -E2BIG;
    if (ARRAY_GROW(slice->ops, slice->count, slice->room) != 0)
        return -ENOMEM;
    taken = &slice->ops[slice->count++];
    *taken = *op;
    taken->part = (uint8_t)part;
    return take_setting(walker, setting, op->setting, &taken->setting);
}

/*
 * Called at a position on the way back that is in `run`. If that is another run, the walk has
 * passed the drop that began the needed run: nothing before it is in the cache.
 */
static void enter_run(struct walker *walker, uint32_t run)
{
    if (walker->texel_run != run)
        walker->needed.latches &= (uint16_t)~PSX_LATCH_TEXELS;
}

/*
 * Called where the walk comes to the end of `run`, or takes an op that samples in it. Notes that
 * the contents of the texel cache are needed, if they can be seen.
 */
static void need_texels(struct walker *walker, uint32_t run)
{
    walker->texel_run = run;
    if (psx_stale_runs_have(walker->params->stretches.stale_runs, run))
        walker->needed.latches |= PSX_LATCH_TEXELS;
    else
        walker->needed.latches &= (uint16_t)~PSX_LATCH_TEXELS;
}

/* Returns whether the op writes anything that is needed. */
static bool writes_needed(const struct walker *walker, const struct psx_effects *effects)
{
    return psx_tiles_meet_box(&walker->needed, &effects->part) &&
           (walker->cover == NULL ||
            psx_pixel_cover_meets(walker->cover, &walker->needed, &effects->part_pixels));
}

/* Before the op, what it is certain to overwrite is needed no more. */
static void end_need(struct walker *walker, const struct psx_effects *effects)
{
    psx_tiles_remove_box(&walker->needed, &effects->full);
    if (walker->cover != NULL)
        psx_pixel_cover_add(walker->cover, &walker->needed, &effects->full_pixels);
}

static void need(struct walker *walker, const struct psx_tile_box *tiles,
                 const struct psx_box *pixels)
{
    if (walker->cover != NULL)
        psx_pixel_cover_need(walker->cover, &walker->needed, pixels);
    else
        psx_tiles_add_box(&walker->needed, tiles);
}

static void need_source(struct walker *walker, const struct psx_effects *effects)
{
    need(walker, &effects->read, &effects->read_pixels);
}

/*
 * Returns whether the op is a primitive whose drawing area contains nothing that is needed, and
 * which latches no palette that is needed.
 */
static bool is_beside(const struct psx_tiles *needed, const struct psx_gpu_op *op,
                      const struct psx_setting *setting)
{
    enum psx_gp0_kind kind = psx_gp0_table[op->opcode].kind;

    if (op->type != GP0_EVENT_COMMAND || kind < GP0_POLYGON || kind > GP0_RECTANGLE)
        return false;
    return !(op->latches && (needed->latches & PSX_LATCH_PALETTE)) &&
           !psx_tiles_meet_box(needed, &setting->area);
}

/*
 * Returns whether the op may sample its own pixels. What it fills the texel cache with may then be
 * some of these.
 */
static bool samples_itself(const struct psx_effects *effects)
{
    struct psx_tiles read = {0};

    psx_tiles_add_box(&read, &effects->read);
    return psx_tiles_meet_box(&read, &effects->part);
}

/* On the way back an op's pixels come first, then the palette that they are drawn with. */
static int pass_op(struct walker *walker, const struct psx_gpu_op *op)
{
    const struct psx_setting *setting = &walker->stretch.settings[op->setting];
    struct psx_tiles *needed = &walker->needed;
    struct psx_effects effects;

    enter_run(walker, psx_gpu_op_texel_run(op));

    bool fetches = op->textured && (needed->latches & PSX_LATCH_TEXELS);

    if (!fetches && is_beside(needed, op, setting))
        return 0;
    psx_gpu_op_effects(op, setting, &effects);

    bool draws = op->part == PSX_GPU_OP_ALL && writes_needed(walker, &effects);

    fetches = fetches && !psx_tile_box_is_empty(&effects.read);
    draws |= fetches && samples_itself(&effects);
    if (draws) {
        end_need(walker, &effects);
        needed->latches |= effects.uses;
        if (op->textured)
            need_texels(walker, psx_gpu_op_texel_run(op));
    }
    if (draws || fetches)
        need_source(walker, &effects);

    bool latches = needed->latches & effects.fills;

    if (!draws && !fetches && !latches)
        return 0;
    if (latches) {
        needed->latches &= (uint16_t)~effects.fills;
        if (effects.fills & PSX_LATCH_READ)
            need_source(walker, &effects);
        else
            need(walker, &effects.palette, &effects.palette_pixels);
    }
    return take_op(walker, op, setting,
                   draws || fetches || (effects.fills & PSX_LATCH_READ) ? PSX_GPU_OP_ALL
                                                                        : PSX_GPU_OP_LATCH);
}

static int pass_ops(struct walker *walker)
{
    int status = 0;

    walker->setting = UINT32_MAX;
    for (uint32_t i = walker->stretch.count; status == 0 && i-- > 0;)
        status = pass_op(walker, &walker->stretch.ops[i]);
    return status;
}

/* Passes a stretch from checkpoint `number` up to a point at or before the next checkpoint. */
static int pass_stretch(struct walker *walker, uint64_t number, uint64_t packet, uint32_t word)
{
    const struct psx_index *index = walker->params->index;
    struct psx_parser_state from;
    int status;

    psx_parser_states_get(walker->params->stretches.checkpoints, number, &from);
    status = psx_stretch_read(&walker->stretch, index, &from, packet, word, walker->cancel);
    if (walker->begins && (walker->needed.latches & PSX_LATCH_TEXELS))
        need_texels(walker, walker->stretch.end.state.texel_run);
    if (walker->begins)
        walker->slice->texels = walker->needed.latches & PSX_LATCH_TEXELS;
    walker->begins = false;
    return status == 0 ? pass_ops(walker) : status;
}

/*
 * Builds the setting and the op of an upload that is carried out by itself, or of a copy, except
 * its words.
 */
static void make_upload(const struct psx_index *index, const struct psx_upload *upload,
                        struct psx_setting *setting, struct psx_gpu_op *op)
{
    *setting = (struct psx_setting){.restoring = false};
    psx_registers_reset(&setting->registers, index->model);
    setting->registers.display.high_lines = upload->high_lines;
    *op = (struct psx_gpu_op){
        .type = upload->is_copy ? GP0_EVENT_COMMAND : GP0_EVENT_DATA,
        .opcode = upload->is_copy ? OP_COPY : OP_UPLOAD,
        .part = PSX_GPU_OP_ALL,
        .texel_run = upload->texel_run,
        .setting = UPLOAD_SETTINGS + upload->high_lines,
    };
    if (upload->is_copy)
        return;
    op->data.offset = upload->offset;
    op->data.word = upload->word;
    op->data.upload = psx_upload_transfer(upload);
    op->data.to = op->data.upload.total;
}

/*
 * Reads the words of a copy. Returns false if the file does not have at that position what the list
 * says, or no longer has it.
 */
static bool read_copy(const struct psx_index *index, const struct psx_upload *upload,
                      struct psx_gpu_op *op)
{
    const uint32_t count = psx_gp0_table[OP_COPY].words;
    struct psx_packet packet;

    if (!psx_packet_read(index->data, index->size, upload->offset, &packet) ||
        packet.words < count || upload->word > packet.words - count)
        return false;
    for (unsigned i = 0; i < count; i++)
        op->words[i] = bytes_le32(packet.payload + 4 * ((size_t)upload->word + i));
    op->drops_texels = true;
    return true;
}

/* Does what pass_op() does, for an op that fills no latch. */
static int pass_upload(struct walker *walker, const struct psx_upload *upload)
{
    struct psx_setting setting;
    struct psx_gpu_op op;
    struct psx_effects effects;

    make_upload(walker->params->index, upload, &setting, &op);
    if (upload->is_copy && !read_copy(walker->params->index, upload, &op))
        return 0;
    psx_gpu_op_effects(&op, &setting, &effects);
    if (!writes_needed(walker, &effects))
        return 0;
    end_need(walker, &effects);
    if (upload->is_copy)
        need_source(walker, &effects);
    return take_op(walker, &op, &setting, PSX_GPU_OP_ALL);
}

/* Passes a stretch of which nothing but uploads and copies writes what is needed. */
static int pass_uploads(struct walker *walker, uint64_t number)
{
    const struct psx_upload *uploads;
    uint32_t count;
    int status = 0;

    uploads = psx_upload_list_get(walker->params->stretches.uploads, number, &count);
    while (status == 0 && count-- > 0)
        status = pass_upload(walker, &uploads[count]);
    return status;
}

/*
 * Returns whether a copy that writes some of `needed` takes it from what the stretch's other ops
 * draw. Adds what the copy reads to `needed`.
 */
static bool copies_drawn(const struct walker *walker, const struct psx_upload *upload,
                         const struct psx_tiles *drawn, struct psx_tiles *needed)
{
    struct psx_setting setting;
    struct psx_gpu_op op;
    struct psx_effects effects;

    make_upload(walker->params->index, upload, &setting, &op);
    if (!read_copy(walker->params->index, upload, &op))
        return false;
    psx_gpu_op_effects(&op, &setting, &effects);
    if (!psx_tiles_meet_box(needed, &effects.part))
        return false;
    psx_tiles_add_box(needed, &effects.read);
    return psx_tiles_meet_box(drawn, &effects.read);
}

/*
 * Returns whether the stretch writes what is needed by listed uploads and copies alone, and these
 * need nothing else of the stretch.
 */
static bool has_only_uploads(const struct walker *walker, uint64_t number)
{
    struct psx_tiles drawn, needed = walker->needed;
    const struct psx_upload *uploads;
    uint32_t count;

    if (needed.latches != 0)
        return false;
    psx_tile_summary_store_get_drawn(walker->params->stretches.summaries, number, &drawn);
    if (psx_tiles_meet(&drawn, &needed))
        return false;
    uploads = psx_upload_list_get(walker->params->stretches.uploads, number, &count);
    while (count-- > 0)
        if (uploads[count].is_copy && copies_drawn(walker, &uploads[count], &drawn, &needed))
            return false;
    return true;
}

/*
 * Appends a stop for what is valid at the checkpoint, if the walk has taken ops after its number of
 * ops was recorded.
 */
static int add_stop(struct walker *walker, const struct psx_slice_stop *stop)
{
    struct psx_slice *slice = walker->slice;

    if (slice->count == stop->ops)
        return 0;
    if (ARRAY_GROW(slice->stops, slice->stop_count, slice->stop_room) != 0)
        return -ENOMEM;
    slice->stops[slice->stop_count++] = *stop;
    return 0;
}

static int pass_whole_stretch(struct walker *walker, uint64_t number)
{
    const struct psx_stretches *stretches = &walker->params->stretches;
    struct psx_slice_stop stop = {
        .checkpoint = number + 1, .tiles = walker->needed, .ops = walker->slice->count};
    struct psx_tiles written;
    struct psx_parser_state behind;
    int status;

    psx_tile_summary_store_get_written(stretches->summaries, number, &written);
    if (!psx_tiles_meet(&written, &walker->needed) && !(walker->needed.latches & PSX_LATCH_TEXELS))
        return 0;
    if (has_only_uploads(walker, number)) {
        status = pass_uploads(walker, number);
    } else {
        psx_parser_states_get(stretches->checkpoints, number + 1, &behind);
        status = pass_stretch(walker, number, behind.packet, behind.word);
    }
    return status == 0 && walker->params->stops ? add_stop(walker, &stop) : status;
}

static int add_load(struct walker *walker, struct psx_keyframe *keyframe,
                    const struct psx_tiles *tiles)
{
    struct psx_slice *slice = walker->slice;

    if (ARRAY_GROW(slice->loads, slice->load_count, slice->load_room) != 0)
        return -ENOMEM;
    slice->loads[slice->load_count++] =
        (struct psx_slice_load){.keyframe = keyframe,
                                .tiles = *tiles,
                                .ops = slice->count,
                                .settles = walker->needed.latches & PSX_LATCH_TEXELS};
    return 0;
}

/* At a checkpoint: takes the needed tiles that its keyframe has, which are needed no more. */
static int pass_checkpoint(struct walker *walker, uint64_t number)
{
    struct psx_keyframe *keyframe = walker->keyframe;
    struct psx_tiles tiles;
    int status = 0;

    if (keyframe == NULL || psx_keyframe_checkpoint(keyframe) != number)
        return 0;
    walker->keyframe =
        number > 0 ? psx_keyframe_store_before(walker->params->keyframes, number - 1) : NULL;
    tiles = *psx_keyframe_tiles(keyframe);
    psx_tiles_keep(&tiles, &walker->needed);
    if (!psx_tiles_are_empty(&tiles)) {
        psx_tiles_remove(&walker->needed, &tiles);
        status = add_load(walker, keyframe, &tiles);
        if (status == 0)
            return 0; /* the load owns the reference */
    }
    psx_keyframe_unref(&keyframe);
    return status;
}

/* The walk has passed the beginning of a stretch. */
static void leave_stretch(struct walker *walker, uint64_t number)
{
    struct psx_parser_state checkpoint;

    if (!(walker->needed.latches & PSX_LATCH_TEXELS))
        return;
    psx_parser_states_get(walker->params->stretches.checkpoints, number, &checkpoint);
    enter_run(walker, checkpoint.state.texel_run);
}

/* At the start of the dump VRAM is zero and nothing is latched. */
static int end_at_start(struct walker *walker)
{
    walker->needed.latches = 0;
    if (psx_tiles_are_empty(&walker->needed))
        return 0;
    return add_load(walker, NULL, &walker->needed);
}

static int walk_back(struct walker *walker, uint64_t number)
{
    int status;

    leave_stretch(walker, number);
    status = pass_checkpoint(walker, number);
    while (status == 0 && number > 0 && !psx_tiles_are_empty(&walker->needed)) {
        status = pass_whole_stretch(walker, --number);
        leave_stretch(walker, number);
        if (status == 0)
            status = pass_checkpoint(walker, number);
        if (number % POLL_STRETCHES == 0 && cancel_requested(walker->cancel))
            status = -EINTR;
    }
    return status == 0 && number == 0 ? end_at_start(walker) : status;
}

int psx_slice_make(const struct psx_slice_params *params, const struct cancel *cancel,
                   struct psx_slice *slice)
{
    const struct psx_parser_states *checkpoints = params->stretches.checkpoints;
    uint64_t number = psx_parser_states_find(checkpoints, params->packet, params->word);
    struct walker walker = {.params = params,
                            .cancel = cancel,
                            .slice = slice,
                            .needed = params->tiles,
                            .begins = true};
    int status;

    memset(slice, 0, sizeof(*slice));
    if (!params->stops && params->index->vram_lines == PSX_VRAM_HEIGHT)
        walker.cover = psx_pixel_cover_create(); /* at a stop complete tiles have to be valid */
    if (params->keyframes != NULL)
        walker.keyframe = psx_keyframe_store_before(params->keyframes, number);
    status = pass_stretch(&walker, number, params->packet, params->word);
    slice->end = walker.stretch.end;
    if (status == 0)
        status = walk_back(&walker, number);
    psx_stretch_clear(&walker.stretch);
    psx_pixel_cover_destroy(&walker.cover);
    psx_keyframe_unref(&walker.keyframe);
    return status;
}

void psx_slice_clear(struct psx_slice *slice)
{
    for (uint32_t i = 0; i < slice->load_count; i++)
        psx_keyframe_unref(&slice->loads[i].keyframe);
    free(slice->ops);
    free(slice->settings);
    free(slice->loads);
    free(slice->stops);
    memset(slice, 0, sizeof(*slice));
}

static void clear_tiles(const struct psx_tiles *tiles, struct psx_gpu *gpu)
{
    const unsigned height = psx_tile_height(gpu->lines);

    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        for (unsigned bits = tiles->row[y]; bits != 0; bits &= bits - 1) {
            uint16_t *tile = gpu->vram + y * height * PSX_VRAM_WIDTH +
                             (unsigned)__builtin_ctz(bits) * PSX_TILE_WIDTH;

            for (unsigned i = 0; i < height; i++)
                memset(tile + i * PSX_VRAM_WIDTH, 0, PSX_TILE_WIDTH * sizeof(*tile));
        }
}

static void run_load(const struct psx_slice_load *load, struct psx_gpu *gpu)
{
    if (load->settles)
        psx_texel_trace_settle(gpu);
    if (load->keyframe != NULL)
        psx_keyframe_load(load->keyframe, &load->tiles, gpu);
    else
        clear_tiles(&load->tiles, gpu);
}

static int run_next_op(const struct psx_slice *slice, uint32_t number,
                       const struct psx_index *index, struct psx_gpu *gpu,
                       const struct cancel *cancel)
{
    const struct psx_gpu_op *op = &slice->ops[number];
    int status = psx_gpu_op_run(op, &slice->settings[op->setting], index, gpu, cancel);

    return status == 0 && cancel_requested(cancel) ? -EINTR : status;
}

int psx_slice_run(const struct psx_slice *slice, const struct psx_index *index, struct psx_gpu *gpu,
                  const struct psx_slice_watch *watch, const struct cancel *cancel)
{
    uint32_t op = slice->count, load = slice->load_count, stop = slice->stop_count;
    int status = 0;

    if (gpu->texel_cache != NULL)
        psx_texel_cache_forget(gpu->texel_cache);
    while (status == 0 && (op > 0 || load > 0)) {
        if (stop > 0 && slice->stops[stop - 1].ops == op) {
            stop--;
            if (watch != NULL)
                status = watch->at(watch->context, &slice->stops[stop], gpu);
        } else if (load > 0 && slice->loads[load - 1].ops == op) {
            run_load(&slice->loads[--load], gpu);
        } else {
            status = run_next_op(slice, --op, index, gpu, cancel);
        }
    }
    gpu->state = slice->end.state;
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Where a frame first samples a texture, and what that draw finds there. */
#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/textures.h"

#include <errno.h>

int psx_texture_first_draw(struct psx_dump *dump, uint64_t frame, uint32_t key,
                           const struct cancel *cancel, uint64_t *draw)
{
    struct blob *frame_textures = NULL;
    int status = psx_frame_textures_get(dump, frame, cancel, &frame_textures);
    uint32_t at;

    if (status != 0)
        return status;
    at = psx_frame_textures_find(frame_textures, key);
    if (at < frame_textures_count(frame_textures) &&
        frame_textures_list(frame_textures)[at].key == key)
        *draw = frame_textures_list(frame_textures)[at].first;
    else
        status = -ENOENT;
    blob_unref(&frame_textures);
    return status;
}

/* Gets the next step of what begins in a frame. Returns false if there is none. */
static bool next_step(struct psx_walk *walk, uint64_t frame, struct psx_step *step)
{
    return psx_find_goes_on(walk, frame) && psx_walk_next(walk, step);
}

static bool completes(const struct psx_walk *walk, const struct psx_step *step, uint64_t frame,
                      uint64_t draw)
{
    return step->kind == PSX_STEP_GP0 && step->event.type == GP0_EVENT_COMMAND &&
           psx_kind_draws(psx_gp0_table[step->event.op].kind) &&
           psx_find_began_in(walk->index, walk, frame) && find_draw_number(walk, frame) == draw;
}

/* Goes on until the draw has latched its palette, but has drawn nothing. */
static int latch(struct psx_player *player, uint64_t draw, const struct cancel *cancel)
{
    struct psx_gpu *gpu = player->gpu;
    struct psx_step step;

    while (next_step(&player->walk, player->frame, &step)) {
        if (completes(&player->walk, &step, player->frame, draw)) {
            struct psx_clut_key before = gpu->state.clut;

            psx_state_gp0(&gpu->state, &step.event);
            if (before.id != gpu->state.clut.id || before.entries != gpu->state.clut.entries)
                psx_clut_latch(gpu);
            return 0;
        }
        psx_player_carry_out(player, &step);
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return -ENOENT;
}

int psx_texture_player_take(struct psx_dump *dump, uint64_t frame, uint64_t draw,
                            const struct cancel *cancel, struct psx_player **out)
{
    const struct psx_frame_counts *counts;
    int status = psx_frame_counts_wait(&dump->base, frame, cancel, &counts);

    *out = NULL;
    if (status == 0)
        status = psx_player_take(dump, frame, draw, cancel, out);
    if (status == 0)
        status = latch(*out, draw, cancel);
    if (status != 0)
        psx_player_forget(dump, out);
    return status;
}

int psx_draw_begin_find(struct psx_dump *dump, uint64_t frame, uint64_t draw,
                        const struct cancel *cancel, struct psx_draw_begin *out)
{
    const struct psx_frame_counts *counts;
    struct psx_parser_state begin;
    struct psx_walk walk;
    struct psx_step step;
    unsigned steps = 0;
    int status = psx_frame_counts_wait(&dump->base, frame, cancel, &counts);

    if (status != 0)
        return status;
    psx_index_frame_checkpoint(&dump->index, frame, &begin);
    psx_walk_resume(&walk, &dump->index, &begin);
    while (next_step(&walk, frame, &step)) {
        if (step.kind == PSX_STEP_GP0 && step.event.begins)
            *out = (struct psx_draw_begin){step, walk.at.state.registers};
        if (completes(&walk, &step, frame, draw))
            return 0;
        psx_walk_apply(&walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
    return -ENOENT;
}

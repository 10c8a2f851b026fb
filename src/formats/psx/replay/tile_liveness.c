/* SPDX-License-Identifier: MIT */
#include "formats/psx/replay/tile_liveness.h"

#include "formats/psx/gpu/scanout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_STRETCHES = 4096 };

/* State of a walk back over the stretches. */
struct back {
    const struct psx_index *index;
    uint64_t frame; /* the pictures of frames from this one on are included in `live` */
    struct psx_live_tiles live;
};

/* Returns the first frame that ends at the checkpoint or later. */
static uint64_t frame_that_ends_at_or_after(const struct psx_index *index, uint64_t checkpoint)
{
    uint64_t low = 0, high = index->frame_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (index->frame_checkpoints[middle + 1] < checkpoint)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Begins a walk with `live`, which holds after its checkpoint, before the picture that may be shown
 * there is added.
 */
static void begin(struct back *back, const struct psx_index *index,
                  const struct psx_live_tiles *live)
{
    *back = (struct back){.index = index, .live = *live};
    back->frame = frame_that_ends_at_or_after(index, live->checkpoint + 1);
}

static void add_pictures(struct back *back)
{
    const struct psx_index *index = back->index;
    struct psx_screen screen;
    struct psx_tiles shown;

    while (back->frame > 0 && index->frame_checkpoints[back->frame] >= back->live.checkpoint) {
        psx_display_screen(&index->frames[--back->frame].display, &screen);
        psx_scanout_tiles(&screen, index->vram_lines, &shown);
        psx_tiles_add(&back->live.shown, &shown);
    }
}

static void step_back(struct back *back)
{
    struct psx_tile_summary summary;

    back->live.checkpoint--;
    psx_tile_summary_store_get(&back->index->summaries, back->live.checkpoint, &summary);
    psx_tiles_remove(&back->live.read, &summary.killed);
    psx_tiles_remove(&back->live.shown, &summary.killed);
    psx_tiles_add(&back->live.read, &summary.exposed);
    add_pictures(back);
}

/*
 * Chooses the checkpoints at which liveness is kept, among them the last one. Returns their number.
 * `out` may be NULL.
 */
static uint64_t choose_checkpoints(const struct psx_index *index, uint64_t spacing,
                                   struct psx_live_tiles *out)
{
    uint64_t checkpoints = psx_parser_states_count(&index->checkpoints), count = 0, last = 0;
    struct psx_parser_state checkpoint;

    for (uint64_t n = 1; n < checkpoints; n++) {
        psx_parser_states_get(&index->checkpoints, n, &checkpoint);

        uint64_t offset = checkpoint.offset + 4 * (uint64_t)checkpoint.word;

        if (offset - last < spacing && n + 1 < checkpoints)
            continue;
        last = offset;
        if (out != NULL)
            out[count].checkpoint = n;
        count++;
    }
    return count;
}

int psx_tile_liveness_make(const struct psx_index *index, uint64_t spacing,
                           const struct cancel *cancel, struct psx_tile_liveness *out)
{
    struct psx_live_tiles end = {.checkpoint = psx_tile_summary_store_count(&index->summaries)};
    struct back back;

    *out = (struct psx_tile_liveness){.index = index};
    out->count = choose_checkpoints(index, spacing, NULL);
    out->list = calloc(out->count + 1, sizeof(*out->list));
    if (out->list == NULL)
        return -ENOMEM;
    choose_checkpoints(index, spacing, out->list);
    begin(&back, index, &end);
    add_pictures(&back);
    for (uint64_t n = out->count; n-- > 0;) {
        while (back.live.checkpoint > out->list[n].checkpoint) {
            step_back(&back);
            if (back.live.checkpoint % POLL_STRETCHES == 0 && cancel_requested(cancel)) {
                psx_tile_liveness_clear(out);
                return -EINTR;
            }
        }
        out->list[n] = back.live;
    }
    return 0;
}

void psx_tile_liveness_clear(struct psx_tile_liveness *liveness)
{
    free(liveness->list);
    memset(liveness, 0, sizeof(*liveness));
}

void psx_tile_liveness_at(const struct psx_tile_liveness *liveness, uint64_t checkpoint,
                          struct psx_live_tiles *out)
{
    struct psx_live_tiles end = {.checkpoint =
                                     psx_tile_summary_store_count(&liveness->index->summaries)};
    uint64_t low = 0, high = liveness->count;
    struct back back;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (liveness->list[middle].checkpoint < checkpoint)
            low = middle + 1;
        else
            high = middle;
    }
    begin(&back, liveness->index, low < liveness->count ? &liveness->list[low] : &end);
    add_pictures(&back);
    while (back.live.checkpoint > checkpoint)
        step_back(&back);
    *out = back.live;
}

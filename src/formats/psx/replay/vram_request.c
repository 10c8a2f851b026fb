#include "formats/psx/replay/vram_request.h"

#include "formats/psx/gpu/scanout.h"

void psx_want_frame(const struct psx_index *index, uint64_t frame, struct psx_want *out)
{
    uint64_t since = frame - index->counts[frame].same_vram;

    *out = (struct psx_want){.packet = index->frames[since + 1].packet,
                             .upto = index->frames[frame + 1].packet,
                             .area = {0, 0, PSX_VRAM_WIDTH, (int)index->vram_lines}};
}

void psx_want_picture(const struct psx_index *index, uint64_t frame, struct psx_want *out)
{
    struct psx_screen screen;

    psx_want_frame(index, frame, out);
    psx_display_screen(&index->frames[frame].display, &screen);
    psx_scanout_box(&screen, &out->area);
    out->shown = true;
}

bool psx_want_is_all(const struct psx_want *want)
{
    return want->area.width >= PSX_VRAM_WIDTH && want->area.height >= PSX_VRAM_HEIGHT;
}

void psx_want_tiles(const struct psx_want *want, struct psx_tiles *out)
{
    struct psx_tile_box box = psx_tile_box_around(&want->area);

    *out = want->tiles != NULL ? *want->tiles : (struct psx_tiles){0};
    if (psx_want_is_all(want)) {
        psx_tiles_fill(out);
        return;
    }
    psx_tiles_add_box(out, &box);
    if (want->read)
        out->latches = PSX_LATCH_READ;
}

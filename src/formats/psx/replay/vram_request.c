#include "formats/psx/replay/vram_request.h"

#include "formats/psx/gpu/scanout.h"

void psx_vram_request_frame(const struct psx_index *index, uint64_t frame,
                            struct psx_vram_request *out)
{
    uint64_t since = frame - index->counts[frame].same_vram;

    *out = (struct psx_vram_request){.packet = index->frames[since + 1].packet,
                                     .upto = index->frames[frame + 1].packet,
                                     .area = {0, 0, PSX_VRAM_WIDTH, (int)index->vram_lines}};
}

void psx_vram_request_picture(const struct psx_index *index, uint64_t frame,
                              struct psx_vram_request *out)
{
    struct psx_screen screen;

    psx_vram_request_frame(index, frame, out);
    psx_display_screen(&index->frames[frame].display, &screen);
    psx_scanout_box(&screen, &out->area);
    out->shown = true;
}

bool psx_vram_request_is_all(const struct psx_vram_request *request)
{
    return request->area.width >= PSX_VRAM_WIDTH && request->area.height >= PSX_VRAM_HEIGHT;
}

void psx_vram_request_tiles(const struct psx_vram_request *request, struct psx_tiles *out)
{
    struct psx_tile_box box = psx_tile_box_around(&request->area);

    *out = request->tiles != NULL ? *request->tiles : (struct psx_tiles){0};
    if (psx_vram_request_is_all(request)) {
        psx_tiles_fill(out);
        return;
    }
    psx_tiles_add_box(out, &box);
    if (request->read)
        out->latches = PSX_LATCH_READ;
}

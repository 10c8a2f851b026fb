/* SPDX-License-Identifier: MIT */
/*
 * draw-ids.bin and draw-ids.png: which frame, and which of its draws, wrote each pixel of a frame's
 * picture last. last-writer.bin has this for the writes of one frame to video memory; here the last
 * writers are collected from all frames that contributed to the picture.
 */
#include "formats/psx/views/views.h"

#include "formats/psx/frame/frame.h"
#include "formats/psx/gpu/scanout.h"
#include "image/draw_ids.h"

#include <errno.h>

enum { FRAMES_MAX = 64 }; /* frames that are carried out, at most */

static void load_screen(struct dump *dump, uint64_t frame, struct psx_screen *screen)
{
    psx_display_screen(&psx_dump_of(dump)->index.frames[frame].display, screen);
}

/*
 * Returns the index in VRAM of a pixel of the picture, or UINT32_MAX if it is outside of memory.
 * For a pixel of 24 bits, that of its green byte.
 */
static uint32_t place_of(const struct psx_screen *screen, uint32_t memory, uint32_t x, uint32_t y)
{
    uint32_t line = (screen->y + y) & (screen->lines - 1);
    uint32_t column = screen->depth24 ? (3 * x + 1) / 2 : x;

    if (screen->off || screen->empty || line >= memory)
        return UINT32_MAX;
    return line * PSX_VRAM_WIDTH + ((screen->x + column) & (PSX_VRAM_WIDTH - 1));
}

struct ids {
    struct psx_dump *dump;
    const struct cancel *cancel;
    struct psx_screen screen;
    struct psx_tiles tiles; /* the tiles that the picture shows */
    struct blob *blob;
    uint64_t left; /* pixels whose writer is still unknown */
};

/*
 * Marks every pixel as having no writer. Pixels outside of memory do not count in `left`, since no
 * writer is sought for them.
 */
static void begin_ids(struct ids *ids)
{
    const struct psx_screen *screen = &ids->screen;

    draw_ids_clear(ids->blob->data, (uint64_t)screen->width * screen->height);
    for (uint32_t y = 0; y < screen->height; y++)
        for (uint32_t x = 0; x < screen->width; x++)
            ids->left += place_of(screen, ids->dump->index.vram_lines, x, y) != UINT32_MAX;
}

static void add_writers(struct ids *ids, uint64_t frame, const struct psx_write_log *log)
{
    uint8_t *bytes = ids->blob->data;

    for (uint32_t y = 0; y < ids->screen.height; y++)
        for (uint32_t x = 0; x < ids->screen.width; x++, bytes += DRAW_IDS_BYTES) {
            uint32_t place = place_of(&ids->screen, ids->dump->index.vram_lines, x, y);

            if (place == UINT32_MAX || !draw_ids_is_none(bytes) ||
                log->last[place] == WRITE_LOG_NOBODY)
                continue;
            draw_ids_store((struct draw_id){(uint32_t)frame, (uint32_t)log->last[place]}, bytes);
            ids->left--;
        }
}

/* Returns false if the index rules out that the frame writes what the picture shows. */
static bool may_write(const struct psx_index *index, uint64_t frame, const struct psx_tiles *tiles)
{
    struct psx_tiles written;

    for (uint64_t i = index->frame_checkpoints[frame]; i < index->frame_checkpoints[frame + 1];
         i++) {
        psx_tile_summary_store_get_written(&index->summaries, i, &written);
        if (psx_tiles_meet(&written, tiles))
            return true;
    }
    return false;
}

static int add_frame(struct ids *ids, uint64_t frame)
{
    struct psx_frame_trace trace = {0};
    int status = psx_frame_trace_make(ids->dump, frame, ids->cancel, &trace);

    if (status == 0)
        add_writers(ids, frame, &trace.write_log);
    psx_frame_trace_clear(&trace);
    return status;
}

static int go_back(struct ids *ids, uint64_t last)
{
    unsigned frames = 0, steps = 0;
    int status = 0;

    for (uint64_t frame = last + 1; status == 0 && frame-- > 0 && ids->left > 0;) {
        if (may_write(&ids->dump->index, frame, &ids->tiles)) {
            if (frames++ == FRAMES_MAX)
                break;
            status = add_frame(ids, frame);
        }
        if (status == 0 && psx_walk_cancelled(&steps, ids->cancel))
            status = -EINTR;
    }
    return status;
}

int psx_draw_ids_bin_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct psx_screen screen;

    if (!psx_index_shows(&psx_dump_of(dump)->index, frame))
        return -ENOENT;
    load_screen(dump, frame, &screen);
    *size = (uint64_t)screen.width * screen.height * DRAW_IDS_BYTES;
    return 0;
}

int psx_draw_ids_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct ids ids = {.dump = psx, .cancel = cancel};
    const struct psx_frame_counts *counts;
    uint64_t size = 0;
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = psx_draw_ids_bin_size(dump, frame, &size);
    if (status == 0)
        status = blob_create((size_t)size, &ids.blob);
    if (status == 0) {
        load_screen(dump, frame, &ids.screen);
        psx_scanout_tiles(&ids.screen, psx->index.vram_lines, &ids.tiles);
        begin_ids(&ids);
        status = go_back(&ids, frame);
    }
    if (status == 0) {
        *out = ids.blob;
        return 0;
    }
    blob_unref(&ids.blob);
    return status;
}

/* The picture. */

static int png_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    struct psx_screen screen;

    if (!psx_index_shows(&psx_dump_of(dump)->index, frame))
        return -ENOENT;
    load_screen(dump, frame, &screen);
    return dump_picture_init(dump, frame, screen.width, screen.height, PICTURE_RGB, 0, out);
}

int psx_draw_ids_png_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct dump_picture picture;
    int status = png_header(dump, frame, &picture);

    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int psx_draw_ids_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out)
{
    struct dump_picture picture;
    struct blob *ids = NULL;
    int status = png_header(dump, frame, &picture);

    if (status == 0)
        status = psx_draw_ids_bin_make(dump, frame, cancel, &ids);
    if (status == 0)
        status = draw_ids_write(&picture.header, dump->options->png, ids, cancel, out);
    blob_unref(&ids);
    return status;
}

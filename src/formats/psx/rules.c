/* SPDX-License-Identifier: MIT */
#include "formats/psx/dump.h"

#include "formats/psx/assembly/assembly.h"
#include "formats/psx/views/views.h"
#include "tree/names.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { FRAME_BITS = 28 };

static int name_bin(struct dump *dump, uint64_t parent_key, uint64_t frame, char *name)
{
    (void)parent_key;
    return names_frame(dump, frame, ".bin", name);
}

static int name_png(struct dump *dump, uint64_t parent_key, uint64_t frame, char *name)
{
    (void)parent_key;
    return names_frame(dump, frame, ".png", name);
}

static int next_readback(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *packet)
{
    (void)parent_key;
    *packet = psx_index_next_readback(&psx_dump_of(dump)->index, from);
    return *packet != PSX_NO_PACKET ? 0 : -ENOENT;
}

static int name_readback(struct dump *dump, uint64_t parent_key, uint64_t packet, char *name)
{
    (void)parent_key;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 ".bin", (int)tree_packet_digits(dump), packet);
    return 0;
}

static int make_link(struct dump *dump, uint64_t frame, const char *suffix, struct blob **out)
{
    struct text text = TEXT_INIT;
    char name[RULE_NAME_MAX + 1];
    int status = names_frame(dump, frame, suffix, name);

    if (status != 0)
        return status;
    text_add(&text, "../../vram/");
    text_add(&text, name);
    return text_blob(&text, out);
}

static int make_bin_link(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out)
{
    (void)cancel;
    return make_link(dump, frame, ".bin", out);
}

static int make_png_link(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out)
{
    (void)cancel;
    return make_link(dump, frame, ".png", out);
}

static int has_initial(struct dump *dump, uint64_t key)
{
    (void)key;
    const struct psx_index *index = &psx_dump_of(dump)->index;

    if (psx_index_is_early(index))
        return index->begin_packet != PSX_NO_PACKET ? 0 : -EAGAIN;
    return index->begin_packet < index->follow.packets ? 0 : -ENOENT;
}

/* Returns 0 once no more can come: for files that depend on all of the dump. */
static int has_all(struct dump *dump, uint64_t key)
{
    (void)key;
    return psx_index_grows(&psx_dump_of(dump)->index) ? -ENOENT : 0;
}

static int make_initial_state(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    struct text text = TEXT_INIT;
    int status = psx_initial_state(dump, cancel, &text);

    (void)key;
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

static const struct rule_family bin_family = {FRAME_BITS, names_next_frame, name_bin, NULL};
static const struct rule_family png_family = {FRAME_BITS, names_next_frame, name_png, NULL};
static const struct rule_family readback_family = {0, next_readback, name_readback, NULL};

#define PSX(what, own_id, in, pattern)                                                             \
    .kind = RULE_##what, .id = PSX_RULE_##own_id, .parent = in, .name = pattern

const struct rule psx_rules[PSX_RULES] = {
    {PSX(DIRECTORY, VRAM, RULE_ROOT, "vram")},
    {PSX(FILE, VRAM_BIN, PSX_RULE_VRAM, "NNNNNN.bin"), .family = &bin_family, .counts = "frame",
     .size = psx_vram_bin_size, .make = psx_vram_bin_make, .work = CACHE_RENDER,
     .help = "video memory at the end of frame NNNNNN: 16-bit pixels, 1024 a line"},
    {PSX(FILE, VRAM_PNG, PSX_RULE_VRAM, "NNNNNN.png"), .family = &png_family, .counts = "frame",
     .size = psx_vram_png_size, .make = psx_vram_png_make, .work = CACHE_RENDER,
     .help = "the same as a picture"},
    {PSX(DIRECTORY, READBACKS, RULE_ROOT, "readbacks")},
    {PSX(FILE, READBACK, PSX_RULE_READBACKS, "NNNNNNNN.bin"), .family = &readback_family,
     .counts = "packet", .size = psx_readback_size, .make = psx_readback_make, .work = CACHE_RENDER,
     .help = "the data that packet NNNNNNNN, a readback or discard, reads from port 0"},
    {PSX(LINK, FRAME_VRAM_BIN, RULE_FRAME, "vram.bin"), .make = make_bin_link,
     .help = "video memory at its end"},
    {PSX(LINK, FRAME_VRAM_PNG, RULE_FRAME, "vram.png"), .make = make_png_link,
     .help = "the same as a picture"},
    {PSX(DIRECTORY, INITIAL, RULE_ROOT, "initial"), .exists = has_initial,
     .help = "the state that the dump restores before its Trace begin"},
    {PSX(FILE, INITIAL_STATE, PSX_RULE_INITIAL, "state.txt"), .make = make_initial_state,
     .help = "the state of the GPU there, 'key: value'"},
    {PSX(FILE, INITIAL_BIN, PSX_RULE_INITIAL, "vram.bin"), .size = psx_vram_bin_size,
     .make = psx_initial_bin_make, .work = CACHE_RENDER, .help = "video memory there"},
    {PSX(FILE, INITIAL_PNG, PSX_RULE_INITIAL, "vram.png"), .size = psx_initial_png_size,
     .make = psx_initial_png_make, .work = CACHE_RENDER, .help = "the same as a picture"},
    {PSX(FILE, DRAWS_TSV, RULE_FRAME, "draws.tsv"), .listing = &psx_draw_table,
     .help = "its drawing commands, one per line, with the number of pixels that each wrote"},
    {PSX(DIRECTORY, DRAWS, RULE_FRAME, "draws"), .help = "step through the frame, draw by draw"},
    {PSX(FILE, DRAW_PNG, PSX_RULE_DRAWS, "NNNNN.png"), .family = &psx_draw_family, .counts = "draw",
     .size = psx_draw_size, .make = psx_draw_make, .work = CACHE_RENDER,
     .help = "the drawing area after draw NNNNN; for the last draw, at the end of the frame"},
    {PSX(FILE, DRAW_TOUCHED, PSX_RULE_DRAWS, "NNNNN-touched.png"),
     .family = &psx_draw_touched_family, .counts = "draw", .size = psx_draw_size,
     .make = psx_draw_touched_make, .work = CACHE_RENDER,
     .help = "the pixels that the draw wrote, in magenta over the dimmed area"},
    {PSX(DIRECTORY, WITHOUT, RULE_FRAME, "without"), .help = "the frame without one of its draws"},
    {PSX(FILE, WITHOUT_PNG, PSX_RULE_WITHOUT, "NNNNN.png"), .family = &psx_draw_family,
     .counts = "draw", .size = psx_without_size, .make = psx_without_make, .work = CACHE_RENDER,
     .help = "the picture of the frame without draw NNNNN"},
    {PSX(FILE, WITHOUT_AREA, PSX_RULE_WITHOUT, "NNNNN-area.png"),
     .family = &psx_without_area_family, .counts = "draw", .size = psx_draw_size,
     .make = psx_without_area_make, .work = CACHE_RENDER,
     .help = "the drawing area of draw NNNNN at the end of the frame, without that draw"},
    {PSX(FILE, OVERDRAW, RULE_FRAME, "overdraw.png"), .size = psx_overdraw_size,
     .make = psx_overdraw_make, .work = CACHE_RENDER,
     .help = "how often each pixel of video memory was written; the legend is below"},
    {PSX(FILE, LAST_WRITER, RULE_FRAME, "last-writer.bin"), .size = psx_last_writer_size,
     .make = psx_last_writer_make, .work = CACHE_RENDER,
     .help = "the draw that wrote each pixel of video memory last: 32 bits, -1 for none"},
    {PSX(FILE, WIREFRAME, RULE_FRAME, "wireframe.png"), .size = psx_wireframe_size,
     .make = psx_wireframe_make, .work = CACHE_RENDER,
     .help = "outlines of everything that it drew, over dimmed video memory"},
    {PSX(FILE, TEXTURES_TSV, RULE_FRAME, "textures.tsv"), .listing = &psx_texture_table,
     .exists = has_all, .help = "the textures that its draws sample, one per line, with the draws"},
    {PSX(DIRECTORY, TEXTURES, RULE_FRAME, "textures")},
    {PSX(FILE, TEXTURE_PNG, PSX_RULE_TEXTURES, "PAGE-CLUT-DEPTH.png"),
     .family = &psx_texture_family, .size = psx_texture_size, .make = psx_texture_make,
     .work = CACHE_RENDER, .help = "a texture page decoded with that palette and depth"},
    {PSX(DIRECTORY, CLUTS, RULE_FRAME, "clut")},
    {PSX(FILE, CLUT_PNG, PSX_RULE_CLUTS, "CLUT-DEPTH.png"), .family = &psx_clut_family,
     .size = psx_clut_size, .make = psx_clut_make, .work = CACHE_RENDER,
     .help = "the colours of a palette"},
    {PSX(FILE, UPLOADS_TSV, RULE_FRAME, "uploads.tsv"), .listing = &psx_upload_table,
     .help = "its transfers from the CPU, one per line"},
    {PSX(DIRECTORY, UPLOADS, RULE_FRAME, "uploads")},
    {PSX(FILE, UPLOAD_PNG, PSX_RULE_UPLOADS, "NNNNN-XxY.png"), .family = &psx_upload_family,
     .size = psx_upload_size, .make = psx_upload_make, .work = CACHE_RENDER,
     .help = "the pixels of upload NNNNN, to X,Y"},
    {PSX(FILE, STATISTICS, RULE_FRAME, "statistics.txt"), .listing = &psx_frame_statistics,
     .help = "draws by kind, pixels written, overdraw, state changes"},
    {PSX(FILE, ALL_TEXTURES_TSV, RULE_ROOT, "textures.tsv"), .listing = &psx_all_texture_table,
     .exists = has_all,
     .help = "every texture of the dump by its contents, and the frames that use it"},
    {PSX(DIRECTORY, ALL_TEXTURES, RULE_ROOT, "textures"), .exists = has_all},
    {PSX(FILE, ALL_TEXTURE_PNG, PSX_RULE_ALL_TEXTURES, "NNNNNN-PAGE-CLUT-DEPTH.png"),
     .family = &psx_all_texture_family, .size = psx_all_texture_size, .make = psx_all_texture_make,
     .work = CACHE_RENDER, .help = "texture NNNNNN of textures.tsv, decoded"},
    {PSX(FILE, ALL_UPLOADS_TSV, RULE_ROOT, "uploads.tsv"), .listing = &psx_all_upload_table,
     .exists = has_all, .help = "all transfers from the CPU to video memory"},
    {PSX(FILE, FLIPS_TSV, RULE_ROOT, "flips.tsv"), .listing = &psx_flip_table, .exists = has_all,
     .help = "where the display moved: the program's own frame rate"},
    {PSX(FILE, ALL_STATISTICS, RULE_ROOT, "statistics.txt"), .make = psx_statistics_make,
     .exists = has_all, .help = "draws by kind in the whole dump, flips per second"},
    {PSX(FILE, COMMANDS_TSV, RULE_FRAME, "commands.tsv"), .listing = &psx_command_table,
     .help = "its commands to port 0, one per line, with the cycles of each"},
    {PSX(FILE, COST, RULE_FRAME, "cost.png"), .size = psx_overdraw_size, .make = psx_cost_make,
     .work = CACHE_RENDER,
     .help = "the duration of the draw that wrote each pixel last; the legend is below"},
    {PSX(FILE, FRAME_CUT, RULE_FRAME, "frame.psxgpu"), .size = psx_frame_cut_size,
     .piece = psx_frame_cut_piece, .work = CACHE_RENDER,
     .help = "the frame as a dump of its own: its initial state, then its packets"},
    {PSX(FILE, DRAW_CUT, PSX_RULE_DRAWS, "NNNNN.psxgpu"), .family = &psx_draw_cut_family,
     .counts = "draw", .size = psx_draw_cut_size, .piece = psx_draw_cut_piece, .work = CACHE_RENDER,
     .help = "draw NNNNN as a dump of its own: its initial state, then its words"},
    {PSX(FILE, DRAW_IDS_BIN, RULE_FRAME, "draw-ids.bin"), .size = psx_draw_ids_bin_size,
     .make = psx_draw_ids_bin_make, .work = CACHE_RENDER,
     .help = "the frame and the draw that wrote each pixel of its picture last: 32 bits each"},
    {PSX(FILE, DRAW_IDS_PNG, RULE_FRAME, "draw-ids.png"), .size = psx_draw_ids_png_size,
     .make = psx_draw_ids_png_make, .work = CACHE_RENDER,
     .help = "the same as a picture: a colour for each draw"},
    {PSX(DIRECTORY, PIXEL, RULE_FRAME, "pixel")},
    {PSX(FILE, PIXEL_TSV, PSX_RULE_PIXEL, "X,Y.tsv"), .family = &psx_pixel_family, .unlisted = true,
     .make = psx_pixel_make, .work = CACHE_RENDER,
     .help = "the history of pixel X,Y of its picture, command by command; not listed"},
    {PSX(FILE, PIXEL_JS, PSX_RULE_PIXEL, "X,Y.js"), .family = &psx_pixel_js_family,
     .unlisted = true, .make = psx_pixel_js_make, .work = CACHE_RENDER,
     .help = "the same as a script for pages: a call of gpudumpfsHistory()"},
    {PSX(DIRECTORY, VRAM_PIXEL, RULE_FRAME, "vram-pixel")},
    {PSX(FILE, VRAM_PIXEL_TSV, PSX_RULE_VRAM_PIXEL, "X,Y.tsv"), .family = &psx_vram_pixel_family,
     .unlisted = true, .make = psx_vram_pixel_make, .work = CACHE_RENDER,
     .help = "the history of pixel X,Y of video memory in the frame; not listed"},
    {PSX(FILE, VRAM_PIXEL_JS, PSX_RULE_VRAM_PIXEL, "X,Y.js"), .family = &psx_vram_pixel_js_family,
     .unlisted = true, .make = psx_vram_pixel_js_make, .work = CACHE_RENDER,
     .help = "the same as a script"},
    {PSX(FILE, ASSEMBLY, RULE_FRAME, "assembly.txt"), .make = psx_frame_assembly_make,
     .help = "its part of the output of `gpudump disassemble`; can be edited with -o overlay"},
    {PSX(DIRECTORY, IDENTITY, RULE_FIND_TEXTURES, "IDENTITY"), .family = &psx_identity_family,
     .unlisted = true, .prepare = psx_identity_prepare,
     .help = "the texture with that identity in textures.tsv"},
    {PSX(LINK, IDENTITY_FIRST, PSX_RULE_IDENTITY, "first.png"), .make = psx_identity_first_make,
     .help = "its picture in textures"},
    {PSX(FILE, IDENTITY_WHERE, PSX_RULE_IDENTITY, "where.tsv"), .make = psx_identity_where_make,
     .help = "all frames that use it, one per line"},
};

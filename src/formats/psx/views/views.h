/* SPDX-License-Identifier: MIT */
/*
 * Functions for the dump's operations, rules and listings: texts, tables and pictures, made by the
 * files in this folder (psx-dump.md 4). `key` is as in tree/rule.h. Any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_VIEWS_H
#define GPUDUMPFS_PSX_VIEWS_VIEWS_H

#include "formats/psx/dump.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/scanout.h"
#include "tree/dump.h"
#include "tree/rule.h"

#include <stdint.h>

/*
 * What the index knows of a frame, as text: cells of frames.tsv, info.txt and state.txt
 * (psx-dump.md 4.2, 4.4). None of this replays.
 */

/* Writes the seconds since the first timestamped VSync, with 6 decimals, or `-`. */
void psx_frame_time_write(const struct psx_index *index, uint64_t frame, struct text *text);
/* Returns the same as a number, or NAN. */
double psx_frame_time(const struct psx_index *index, uint64_t frame);

/* Writes the time stamp as it is in the dump, or `-`. */
void psx_frame_cycles_write(const struct psx_frame *frame, struct text *text);

/* Returns whether GP1(05) differs from that of the frame before. */
bool psx_frame_flips(const struct psx_index *index, uint64_t frame);

/* Writes `x,y`, `off` or `empty`. */
void psx_display_write(const struct psx_screen *screen, struct text *text);

/* Writes a mode like `640x480i@24p`. */
void psx_mode_write(const struct psx_screen *screen, struct text *text);

/* Write info.txt and state.txt, as struct dump_ops describes. */
int psx_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct text *text);
int psx_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text);

/* Writes initial/state.txt. */
int psx_initial_state(struct dump *dump, const struct cancel *cancel, struct text *text);

/*
 * Collects metadata.txt and metadata.json (psx-dump.md 4.1), as struct dump_ops describes. Waits
 * for the index.
 */
int psx_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

/* Fills in a struct dump_packet. `frame` is as in that struct. */
void psx_packet_describe(const struct psx_packet *packet, uint64_t frame, struct dump_packet *out);

/*
 * Write the columns that packets.tsv and frames.tsv have after the common ones, as struct dump_ops
 * describes.
 */
void psx_packet_type(struct dump *dump, uint32_t type, struct text *text);
int psx_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                    struct text *text);
int psx_frame_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text);
int psx_measure_frame_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            struct text *text);

/*
 * Pictures and binaries of the tree: what frames show, video memory, readbacks (psx-dump.md 3.4,
 * 4.5). Their sizes follow from the index, their contents from a replay.
 *
 * frames/NNNNNN.png, as struct dump_ops describes. The first stage is the halfwords that the screen
 * shows, so that the instance is free for the next picture.
 */
int psx_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);
int psx_frame_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     const struct blob *stage, struct blob **out);

/* vram/; the key is the frame. */
int psx_vram_bin_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_vram_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);
int psx_vram_png_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_vram_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);

/* initial/ */
int psx_initial_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);
int psx_initial_png_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_initial_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);

/* readbacks/; the key is the packet. Return -ENOENT for a packet of another type. */
int psx_readback_size(struct dump *dump, uint64_t packet, uint64_t *size);
int psx_readback_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                      struct blob **out);

/*
 * Encodes a picture row by row, as the mount's options say. Returns 0, -ENOMEM, -EINVAL, -EIO or
 * -EINTR.
 */
int psx_paint(const struct psx_dump *dump, const struct picture_header *header, picture_paint *row,
              const void *context, const struct cancel *cancel, struct blob **out);

/*
 * An area of VRAM, which wraps at both edges. If its width is 0, it is one black pixel. Lines
 * outside of memory are black.
 */
struct psx_paint_area {
    const uint16_t *vram;
    struct psx_vram_lines lines;
    struct psx_box box;
};
/* Returns the line of VRAM that is line `y` of the area. */
uint32_t psx_paint_area_line(const struct psx_paint_area *area, uint32_t y);
void psx_paint_area_row(const void *context, uint32_t y, uint8_t *rgb);

/* Halves the brightness. */
void psx_paint_dim(uint8_t *rgb, uint32_t pixels);

/*
 * The files that show what happened inside a frame: each draw, what it touched, the frame without
 * it, textures, uploads, figures; and those files of the complete dump. The functions are called by
 * rules. Names and sizes follow from the stream alone. Where the index has not come far enough yet,
 * they return -EAGAIN until the dump has prepared them.
 */

/* frame.psxgpu, with the frame as key; draws/NNNNN.psxgpu. */
int psx_frame_cut_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_frame_cut_piece(struct dump *dump, uint64_t frame, uint64_t offset, size_t length,
                        const struct cancel *cancel, struct blob **out);
int psx_draw_cut_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_draw_cut_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                       const struct cancel *cancel, struct blob **out);

/* draws/NNNNN.png, draws/NNNNN-touched.png, draws/NNNNN.psxgpu. */
extern const struct rule_family psx_draw_family, psx_draw_touched_family, psx_draw_cut_family;
int psx_draw_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);
int psx_draw_touched_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

/*
 * without/NNNNN.png, what the display shows without the draw; without/NNNNN-area.png, the area
 * where the draw drew.
 */
extern const struct rule_family psx_without_area_family;
int psx_without_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_without_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int psx_without_area_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

/* overdraw.png, cost.png, last-writer.bin, wireframe.png; the key is the frame. */
int psx_overdraw_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_overdraw_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);
int psx_cost_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                  struct blob **out); /* has the size of overdraw.png */
int psx_last_writer_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_last_writer_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out);
int psx_wireframe_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_wireframe_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct blob **out);

/*
 * draw-ids.bin and draw-ids.png of a frame: for each pixel of its picture the frame and the writer
 * (struct psx_write_log) that wrote it last. 32 bits each; all ones mean none.
 */
int psx_draw_ids_bin_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_draw_ids_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);
int psx_draw_ids_png_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_draw_ids_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);

/* pixel/X,Y.tsv and X,Y.js of a frame's picture, vram-pixel/X,Y.tsv and X,Y.js of VRAM. */
extern const struct rule_family psx_pixel_family, psx_pixel_js_family, psx_vram_pixel_family,
    psx_vram_pixel_js_family;
int psx_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);
int psx_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);
int psx_vram_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int psx_vram_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);

/* textures/PAGE-CLUT-DEPTH.png of a frame, and the numbered ones of the complete dump. */
extern const struct rule_family psx_texture_family, psx_all_texture_family;
int psx_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int psx_all_texture_size(struct dump *dump, uint64_t number, uint64_t *size);
int psx_all_texture_make(struct dump *dump, uint64_t number, const struct cancel *cancel,
                         struct blob **out);

/*
 * Returns the first frame that samples the texture with that number, or DUMP_NO_FRAME if there is
 * no such texture.
 */
uint64_t psx_texture_frame(struct dump *dump, uint64_t number);

/* Which columns of textures.tsv and draws.tsv textures are compared by. */
extern const struct dump_samples psx_compared_samples;

/* find/texture/IDENTITY/: a texture of textures.tsv, and the frames that use it. */
extern const struct rule_family psx_identity_family;
int psx_identity_prepare(struct dump *dump, uint64_t key, const struct cancel *cancel);
int psx_identity_first_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);
int psx_identity_where_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);

/* clut/CLUT-DEPTH.png */
extern const struct rule_family psx_clut_family;
int psx_clut_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_clut_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);

/* uploads/NNNNN-XxY.png */
extern const struct rule_family psx_upload_family;
int psx_upload_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_upload_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                    struct blob **out);

/* Tables and statistics.txt of a frame; the same of the complete dump, and flips.tsv. */
extern const struct dump_listing psx_draw_table, psx_command_table, psx_texture_table,
    psx_upload_table, psx_frame_statistics, psx_all_texture_table, psx_all_upload_table,
    psx_flip_table;
int psx_statistics_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The files of the tree, by the .c file that makes them; how their keys are made stands with
 * each. Functions are members of struct dump_ops, struct dump_listing and struct rule, and do
 * what those say of them. Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_VIEWS_H
#define GPUDUMPFS_AEROGPU_VIEWS_VIEWS_H

#include "base/sha256.h"
#include "base/text.h"
#include "formats/aerogpu/dump.h"
#include "formats/aerogpu/replay/machine.h"
#include "tree/rule.h"

/* Cells of tables: a tab, then the number; `-` for AEROGPU_NONE in the first. */
static inline void aerogpu_cell_or_none(struct text *text, uint32_t value)
{
    text_cell_or_none(text, value != AEROGPU_NONE, value);
}

static inline void aerogpu_cell_hex(struct text *text, uint64_t value, unsigned digits)
{
    text_add(text, "\t0x");
    text_add_hex(text, value, digits);
}

/*
 * metadata.c: the metadata of a trace, its own JSON, its table of contents.
 */

extern const struct dump_listing aerogpu_toc_listing;

int aerogpu_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);
int aerogpu_meta_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_meta_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);
int aerogpu_has_toc(struct dump *dump, uint64_t key);

/*
 * packets.c: rows of packets.tsv, a packet decoded.
 */

/* As dump_packet says. */
void aerogpu_packet_describe(const struct aerogpu_dump *dump, uint64_t number,
                             const struct aerogpu_record *record, struct dump_packet *out);

/* Its rows in packets.tsv. */
int aerogpu_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text);

/* A packet decoded, key = packet; rows in pieces of PIECE_COMMANDS. */
int aerogpu_packet_head(struct dump *dump, uint64_t key, struct text *text);
int aerogpu_packet_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows);
int aerogpu_packet_lines(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text);

/*
 * frames.c: frames.tsv, info.txt, state.txt, draws.tsv, hashes.
 */

extern const struct dump_listing aerogpu_draw_table, aerogpu_hash_listing,
    aerogpu_frame_hash_listing;

int aerogpu_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct text *text);
int aerogpu_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text);
int aerogpu_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct text *text);
/* Whether a frame has a line in hashes.txt. */
int aerogpu_has_hash(struct dump *dump, uint64_t frame);

/*
 * pictures.c: what was presented, what each draw left, opaque, depth. The
 * key of a frame's own is the frame; of a draw's or PRESENT's, the frame above its
 * number, by PICTURE_BITS.
 */

enum { PICTURE_BITS = 28 };

extern const struct rule_family aerogpu_present_family, aerogpu_draw_family;

/* A frame of the scan: 0, -EAGAIN, -ENOENT; and where the caller may wait, as the scan. */
int aerogpu_frame_find(struct dump *dump, uint64_t frame, const struct aerogpu_scan_frame **out);
int aerogpu_frame_need(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       const struct aerogpu_scan_frame **out);

/* struct dump_ops' frame_picture. */
int aerogpu_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);

/* A picture of a frame that shows a shot, or pixels of it: as large, and made. */
struct aerogpu_pixels;
int aerogpu_shot_size(struct dump *dump, uint64_t frame, const struct aerogpu_shot *shot,
                      enum picture_colour colour, uint64_t *size);
int aerogpu_shot_make(struct dump *dump, uint64_t frame, const struct aerogpu_shot *shot,
                      const struct cancel *cancel, struct blob **out);
int aerogpu_pixels_encode(struct dump *dump, uint64_t frame, const struct aerogpu_pixels *pixels,
                          enum picture_colour colour, struct blob **out);

int aerogpu_has_picture(struct dump *dump, uint64_t key);
int aerogpu_opaque_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_opaque_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_has_wireframe(struct dump *dump, uint64_t key);
int aerogpu_wireframe_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_wireframe_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);
int aerogpu_has_depth(struct dump *dump, uint64_t key);
int aerogpu_depth_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_depth_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int aerogpu_has_presents(struct dump *dump, uint64_t key);
int aerogpu_present_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_present_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);
int aerogpu_draw_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);

/*
 * The digits of a frame's hash (aerogpu.md 4.6). 0, or as aerogpu_replay_shot().
 */
int aerogpu_frame_hash(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       char digits[SHA256_DIGITS + 1]);

/*
 * pixel_table.c: pixel/X,Y.tsv and X,Y.js, whose keys are a pixel's (tree/pixel_files.h) in the
 * frame's picture; draw_ids.c: draw-ids.bin and draw-ids.png, the key being the frame.
 */

extern const struct rule_family aerogpu_pixel_family, aerogpu_pixel_js_family;
int aerogpu_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int aerogpu_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

int aerogpu_draw_ids_bin_size(struct dump *dump, uint64_t frame, uint64_t *size);
int aerogpu_draw_ids_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                              struct blob **out);
int aerogpu_draw_ids_png_size(struct dump *dump, uint64_t frame, uint64_t *size);
int aerogpu_draw_ids_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                              struct blob **out);

/* The number that a frame's draw or clear has among them, by its tick; AEROGPU_NONE: it is none. */
uint32_t aerogpu_draw_number(const struct aerogpu_scan *scan, uint64_t frame, uint64_t tick);

/*
 * cuts.c: a frame as a trace of its own. The key is the frame.
 */

int aerogpu_frame_cut_size(struct dump *dump, uint64_t frame, uint64_t *size);
int aerogpu_frame_cut_piece(struct dump *dump, uint64_t frame, uint64_t offset, size_t length,
                            const struct cancel *cancel, struct blob **out);

/*
 * commands.c: a submission's stream as lines and as JSON, each of its
 * commands alone, a frame's commands. The key of a submission's listings is its number; of a
 * command, the submission above its number, by SUBMISSION_BITS; of a frame's, the frame.
 */

enum { SUBMISSION_BITS = 28 };
#define SUBMISSION_MASK ((UINT64_C(1) << SUBMISSION_BITS) - 1)

enum { PIECE_COMMANDS = 2048 }; /* of one piece of a listing */

extern const struct dump_listing aerogpu_command_listing, aerogpu_command_json;
extern const struct rule_family aerogpu_command_bin_family, aerogpu_command_txt_family;

int aerogpu_command_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_command_bin(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_command_txt(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

/* A frame's commands, key = frame, each behind its packet's number. */
int aerogpu_frame_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  uint64_t *pieces);
int aerogpu_frame_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                                 const struct cancel *cancel, struct text *text);

/* As dump_ops says: the packet, and the offset in its stream if there is one. */
size_t aerogpu_command_place(const char *line, size_t length, unsigned *inside);

/* The rows of its listings: one for each command, and one for what ends them. */
int aerogpu_commands_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows);

/* The stream of a submission; false: it has none. */
bool aerogpu_stream_of(const struct aerogpu_dump *dump, uint32_t submission,
                       struct aerogpu_stream *stream);

/*
 * The command of a Packet record without a stream, as a line behind `prefix`. Returns how many
 * bytes follow it in the record.
 */
uint32_t aerogpu_packet_command_write(const struct aerogpu_dump *dump,
                                      const struct aerogpu_record *record, const char *prefix,
                                      struct text *text);

/*
 * submissions.c: submissions.tsv, and what stands in submissions/NNNNNN/. The key of a submission's
 * files is its number; of a command or memory range, the number above its own, by
 * SUBMISSION_BITS.
 */

extern const struct dump_listing aerogpu_submission_table, aerogpu_memory_table,
    aerogpu_alloc_listing, aerogpu_xref_listing;
extern const struct rule_family aerogpu_submission_family, aerogpu_frame_submission_family,
    aerogpu_memory_family;

int aerogpu_submission_info(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);
int aerogpu_stream_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_stream_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_stream_exists(struct dump *dump, uint64_t key);
int aerogpu_allocs_exists(struct dump *dump, uint64_t key);
int aerogpu_allocs_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_allocs_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_memory_exists(struct dump *dump, uint64_t key);
int aerogpu_memory_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_memory_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_frame_submission_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  struct blob **out);

/*
 * blobs.c: blobs.tsv and blobs/: each blob's bytes without its header. The key of a file is
 * the blob's place in the index.
 */

extern const struct dump_listing aerogpu_blob_table;
extern const struct rule_family aerogpu_blob_family;

int aerogpu_blob_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_blob_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);

/* The name of blob `place` in blobs/. */
void aerogpu_blob_name(const struct aerogpu_index *index, uint32_t place, char *name);

/*
 * resources.c: resources.tsv, and what stands in resources/NNNNNN-KIND-0xHANDLE/, one directory
 * for each life of a handle. The key of its files is the life; of a texture's
 * pictures the life above layer and mip, by RESOURCE_BITS.
 */

enum { RESOURCE_BITS = 28 };

extern const struct dump_listing aerogpu_resource_table;
extern const struct rule_family aerogpu_resource_family, aerogpu_texture_family;

/* The name of a life's directory: 0, -EAGAIN, -ENOENT. */
int aerogpu_resource_name(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name);

/* The life that a key is: 0, -EAGAIN while lives are not known, -ENOENT. */
int aerogpu_life_find(struct dump *dump, uint64_t key, const struct aerogpu_life **out);
/* The same where the caller may wait; also -EINTR, -ENOMEM, -EFBIG. */
int aerogpu_life_need(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      const struct aerogpu_life **out);

int aerogpu_resource_info(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);
int aerogpu_content_exists(struct dump *dump, uint64_t key);
int aerogpu_content_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_content_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                          const struct cancel *cancel, struct blob **out);
/* The frame in which it is made; DUMP_NO_FRAME: none, or not known. */
uint64_t aerogpu_texture_frame(struct dump *dump, uint64_t key);
int aerogpu_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);

/* Input layouts. */
int aerogpu_layout_exists(struct dump *dump, uint64_t key);
int aerogpu_layout_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

/*
 * shaders.c: what stands in a shader's directory of resources/: its code, genuine, disassembled,
 * translated. The key is the shader's life.
 */

int aerogpu_dxbc_exists(struct dump *dump, uint64_t key);
int aerogpu_d3d9_exists(struct dump *dump, uint64_t key);
int aerogpu_code_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_code_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);
int aerogpu_genuine_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);
int aerogpu_signature_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);
int aerogpu_shader_exists(struct dump *dump, uint64_t key);
int aerogpu_disassembly_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out);
int aerogpu_spirv_exists(struct dump *dump, uint64_t key);
int aerogpu_spirv_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int aerogpu_glsl_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);

/*
 * state.c: the machine's state as 'key: value' lines: everything that is bound or was set.
 * Any thread.
 */

void aerogpu_state_write(const struct aerogpu_machine *machine, struct text *text);
/* The same with a line `[SECTION]` before each part. */
void aerogpu_state_sections(const struct aerogpu_machine *machine, struct text *text);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The files of the tree, grouped by the .c file that makes them, with the keys of each group.
 * Functions are members of struct dump_ops, struct dump_listing and struct rule, which document
 * them. Any thread may call them.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_VIEWS_H
#define GPUDUMPFS_AEROGPU_VIEWS_VIEWS_H

#include "base/sha256.h"
#include "base/text.h"
#include "formats/aerogpu/dump.h"
#include "formats/aerogpu/replay/machine.h"
#include "tree/rule.h"

/* Appends a cell of a table: a tab, then the number, or `-` for AEROGPU_NONE. */
static inline void aerogpu_cell_or_none(struct text *text, uint32_t value)
{
    text_cell_or_none(text, value != AEROGPU_NONE, value);
}

/* Appends a cell of a table: a tab, then the number as 0x and `digits` hexadecimal digits. */
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

/* Fills *out as struct dump_packet specifies. */
void aerogpu_packet_describe(const struct aerogpu_dump *dump, uint64_t number,
                             const struct aerogpu_record *record, struct dump_packet *out);

/* Appends the rows of packets [first, end) in packets.tsv. */
int aerogpu_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text);

/* Write a decoded packet. The key is the packet's number. Rows come in pieces of PIECE_COMMANDS. */
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
/* Returns whether a frame has a line in hashes.txt. */
int aerogpu_has_hash(struct dump *dump, uint64_t frame);

/*
 * pictures.c: what was presented, what each draw left, opaque and depth pictures. The key of a
 * frame's own files is the frame. The key of a draw or PRESENT is the frame shifted left by
 * PICTURE_BITS, plus its number.
 */

enum { PICTURE_BITS = 28 };

extern const struct rule_family aerogpu_present_family, aerogpu_draw_family;

/* Finds a frame of the scan. Returns 0, -EAGAIN while the scan is not made, or -ENOENT. */
int aerogpu_frame_find(struct dump *dump, uint64_t frame, const struct aerogpu_scan_frame **out);

/*
 * Finds a frame of the scan, making the scan first if necessary. Returns 0, -ENOENT, or an error of
 * the scan.
 */
int aerogpu_frame_need(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       const struct aerogpu_scan_frame **out);

/* Implements dump_ops.pictures.make. */
int aerogpu_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);

struct aerogpu_pixels;

/* Gets the size in bytes of the picture file that shows a shot of a frame. */
int aerogpu_shot_size(struct dump *dump, uint64_t frame, const struct aerogpu_shot *shot,
                      enum picture_colour colour, uint64_t *size);

/* Makes the picture file that shows a shot of a frame. */
int aerogpu_shot_make(struct dump *dump, uint64_t frame, const struct aerogpu_shot *shot,
                      const struct cancel *cancel, struct blob **out);

/* Encodes pixels as a picture file of a frame. */
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
 * Gets the digits of a frame's hash (aerogpu.md 4.6). Returns 0, or what aerogpu_replay_shot()
 * returns.
 */
int aerogpu_frame_hash(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       char digits[SHA256_DIGITS + 1]);

/*
 * pixel_table.c: pixel/X,Y.tsv and X,Y.js; their key is that of a pixel (tree/pixel_files.h) in the
 * frame's picture. draw_ids.c: draw-ids.bin and draw-ids.png; their key is the frame.
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

/*
 * Returns the number within the frame of the draw or clear with this tick, or AEROGPU_NONE if the
 * command with this tick is neither.
 */
uint32_t aerogpu_draw_number(const struct aerogpu_scan *scan, uint64_t frame, uint64_t tick);

/*
 * cuts.c: a frame as a trace of its own. The key is the frame.
 */

int aerogpu_frame_cut_size(struct dump *dump, uint64_t frame, uint64_t *size);
int aerogpu_frame_cut_piece(struct dump *dump, uint64_t frame, uint64_t offset, size_t length,
                            const struct cancel *cancel, struct blob **out);

/*
 * commands.c: a submission's stream as lines and as JSON, each of its commands alone, a frame's
 * commands. The key of a submission's listings is its number. The key of a command is the
 * submission shifted left by SUBMISSION_BITS, plus the command's number. The key of a frame's
 * listing is the frame.
 */

enum { SUBMISSION_BITS = 28 };
#define SUBMISSION_MASK ((UINT64_C(1) << SUBMISSION_BITS) - 1)

enum { PIECE_COMMANDS = 2048 }; /* commands in one piece of a listing */

extern const struct dump_listing aerogpu_command_listing, aerogpu_command_json;
extern const struct rule_family aerogpu_command_bin_family, aerogpu_command_txt_family;

int aerogpu_command_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_command_bin(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_command_txt(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

/* Write the commands of a frame, each after its packet's number. The key is the frame. */
int aerogpu_frame_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  uint64_t *pieces);
int aerogpu_frame_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                                 const struct cancel *cancel, struct text *text);

/*
 * Implements dump_ops.texts.command_place: lines begin with the packet's number, and with the
 * offset in its stream if there is one.
 */
size_t aerogpu_command_place(const char *line, size_t length, unsigned *inside);

/*
 * Gets the number of rows of a submission's listings: one for each command, and one for the error
 * or slack that ends them.
 */
int aerogpu_commands_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows);

/* Opens the stream of a submission. Returns false if it has none. */
bool aerogpu_stream_of(const struct aerogpu_dump *dump, uint32_t submission,
                       struct aerogpu_stream *stream);

/*
 * Appends the command of a Packet record without a stream, as a line after `prefix`. Returns the
 * number of bytes that follow the command in the record.
 */
uint32_t aerogpu_packet_command_write(const struct aerogpu_dump *dump,
                                      const struct aerogpu_record *record, const char *prefix,
                                      struct text *text);

/*
 * submissions.c: submissions.tsv, and the files of submissions/NNNNNN/. The key of a submission's
 * files is its number. The key of a command or memory range is that number shifted left by
 * SUBMISSION_BITS, plus its own number.
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
 * blobs.c: blobs.tsv and blobs/, each blob's bytes without its header. The key of a file is the
 * blob's place in the index.
 */

extern const struct dump_listing aerogpu_blob_table;
extern const struct rule_family aerogpu_blob_family;

int aerogpu_blob_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_blob_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);

/* Writes the name that blob `place` has in blobs/. */
void aerogpu_blob_name(const struct aerogpu_index *index, uint32_t place, char *name);

/*
 * resources.c: resources.tsv, and the files of resources/NNNNNN-KIND-0xHANDLE/, one directory for
 * each life of a handle. The key of its files is the life. The key of a texture's picture is the
 * life shifted left by RESOURCE_BITS, plus layer and mip.
 */

enum { RESOURCE_BITS = 28 };

extern const struct dump_listing aerogpu_resource_table;
extern const struct rule_family aerogpu_resource_family, aerogpu_texture_family;

/* Writes the name of a life's directory. Returns 0, -EAGAIN or -ENOENT. */
int aerogpu_resource_name(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name);

/* Finds the life with this key. Returns 0, -EAGAIN while lives are not known, or -ENOENT. */
int aerogpu_life_find(struct dump *dump, uint64_t key, const struct aerogpu_life **out);
/* The same for a caller that may wait. May also return -EINTR, -ENOMEM or -EFBIG. */
int aerogpu_life_need(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      const struct aerogpu_life **out);

int aerogpu_resource_info(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);
int aerogpu_content_exists(struct dump *dump, uint64_t key);
int aerogpu_content_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_content_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                          const struct cancel *cancel, struct blob **out);
/*
 * Returns the frame in which the texture is created, or DUMP_NO_FRAME if there is none or it is not
 * known.
 */
uint64_t aerogpu_texture_frame(struct dump *dump, uint64_t key);
int aerogpu_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);

/* Input layouts. */
int aerogpu_layout_exists(struct dump *dump, uint64_t key);
int aerogpu_layout_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

/*
 * shaders.c: the files of a shader's directory in resources/: its code, genuine, disassembled,
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
 * state.c: the machine's state as 'key: value' lines: everything that is bound or was set. Any
 * thread may call it.
 */

void aerogpu_state_write(const struct aerogpu_machine *machine, struct text *text);
/* The same, with a line `[SECTION]` before each part. */
void aerogpu_state_sections(const struct aerogpu_machine *machine, struct text *text);

#endif

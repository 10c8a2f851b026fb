/* SPDX-License-Identifier: MIT */
/*
 * The contents of a trace's tree (apitrace.md 4): one source for each family of files. rules.c and
 * format.c use these functions and tables. Any thread. While `make`, or a row, would wait for
 * shaders, textures or what frames show, names and sizes return -EAGAIN (the peek functions of
 * dump.h).
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_VIEWS_H
#define GPUDUMPFS_APITRACE_VIEWS_VIEWS_H

#include "formats/apitrace/dump.h"
#include "formats/apitrace/views/print.h"
#include "tree/rule.h"

/* metadata.c: metadata.txt and metadata.json. A function of struct dump_ops, as are those below. */
int apitrace_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

/* packets.c: calls, and their tables, bytes and texts. */
int apitrace_packet_describe(struct dump *dump, uint64_t number, struct dump_packet *out);
int apitrace_packet_read(struct dump *dump, uint64_t number, const struct cancel *cancel,
                         struct blob **out);
int apitrace_packet_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *rows);
int apitrace_packet_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text);
int apitrace_packet_text_pieces(struct dump *dump, uint64_t number, const struct cancel *cancel,
                                uint64_t *pieces);
int apitrace_packet_text_piece(struct dump *dump, uint64_t number, uint64_t piece,
                               const struct cancel *cancel, struct text *text);

/* The table of a frame's calls, in the order of the listing. */
int apitrace_frame_packet_count(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                uint64_t *rows);
int apitrace_frame_packet_rows(struct dump *dump, uint64_t frame, uint64_t first, uint64_t end,
                               const struct cancel *cancel, struct text *text);

/*
 * frames.c: frames, their table, info.txt, and summary.txt (`make` of struct rule; the key is the
 * frame).
 */
int apitrace_frame_describe(struct dump *dump, uint64_t number, struct dump_frame *out);
int apitrace_frame_next_packet(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet);
int apitrace_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct text *text);
int apitrace_frame_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows);
int apitrace_frame_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text);
int apitrace_summary_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);

/* commands.c: the calls of a frame as text, calls.txt and the like; the key is the frame. */
extern const struct dump_listing apitrace_calls_listing, apitrace_calls_raw_listing,
    apitrace_calls_oneline_listing, apitrace_calls_verbose_listing;

/*
 * As dump_ops.texts.command_place, for lines without threads: the place is the call's number.
 * A string may continue for several lines, where what looks like a number is part of the string;
 * `*inside` is 1 within a string.
 */
size_t apitrace_call_place(const char *line, size_t length, unsigned *inside);

/* state.c: the state at a frame's end. */
int apitrace_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct text *text);
void apitrace_follower_destroy(struct apitrace_follower **follower);

/* pictures.c: frames, with the size that the presentation states. -EIO comes with a problem. */
int apitrace_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);
int apitrace_picture_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *stage, struct blob **out);

/*
 * The picture right after each draw of a frame (4.8); draws are OpenGL calls of class R. The key of
 * a picture is its frame, with the call's number counted from the frame's min_number.
 */
extern const struct rule_family apitrace_draw_family;
extern const struct dump_listing apitrace_draws_listing;
int apitrace_draw_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int apitrace_draw_finish(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         const struct blob *stage, struct blob **out);
struct apitrace_snapshot;
/* The function of type apitrace_earlier that the player uses (replay/player.h). */
int apitrace_earlier_draws(struct dump *dump, uint64_t frame, const struct apitrace_snapshot *than,
                           const struct cancel *cancel, struct apitrace_snapshot *out, size_t max,
                           size_t *count);

/*
 * pixels.c (4.10): pixel/X,Y.tsv and X,Y.js, draw-ids.bin and draw-ids.png, for frames that have a
 * picture. apitrace_has_pixels() is `exists` of struct rule.
 */
extern const struct rule_family apitrace_pixel_family, apitrace_pixel_js_family;
int apitrace_has_pixels(struct dump *dump, uint64_t frame);
int apitrace_pixel_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int apitrace_pixel_js_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);
int apitrace_draw_ids_bin_size(struct dump *dump, uint64_t frame, uint64_t *size);
int apitrace_draw_ids_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                               struct blob **out);
int apitrace_draw_ids_png_size(struct dump *dump, uint64_t frame, uint64_t *size);
int apitrace_draw_ids_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                               struct blob **out);

/* blobs.c: blobs that calls hand over; the key is the index in the index's list. */
extern const struct rule_family apitrace_blob_group_family, apitrace_blob_family,
    apitrace_frame_blob_family;
extern const struct dump_listing apitrace_blobs_listing;
int apitrace_blob_size(struct dump *dump, uint64_t place, uint64_t *size);
int apitrace_blob_make(struct dump *dump, uint64_t place, const struct cancel *cancel,
                       struct blob **out);

/* shaders.c: shaders and programs (4.4); the key is the index in the object index's list. */
extern const struct rule_family apitrace_shader_family, apitrace_frame_shader_family,
    apitrace_shader_text_family, apitrace_shader_glsl_family, apitrace_shader_spirv_family;
extern const struct dump_listing apitrace_shaders_listing;
/*
 * resources.c. apitrace_cell_format() appends a cell with the name of a format, `-` if that is
 * NULL.
 */
extern const struct dump_listing apitrace_resources_listing;
void apitrace_cell_format(struct text *text, const char *format);

/* d3d_uploads.c */
extern const struct dump_listing apitrace_uploads_listing;

/* d3d_images.c; the key is the index in the list of writes. */
extern const struct rule_family apitrace_d3d_image_family;
int apitrace_d3d_image_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_d3d_image_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);

/* Returns whether that much of a resource makes a picture, in which slices are below each other. */
bool apitrace_d3d_has_picture(const struct apitrace_resource *resource, uint32_t height,
                              uint32_t depth);
/* Gets the two numbers after dashes in a name. Returns false if there are none. */
bool apitrace_d3d_parse_numbers(const char *name, uint64_t numbers[2]);
/* The pixels of a picture in memory. */
struct apitrace_d3d_painting {
    const struct pixel_format *format;
    const uint8_t *data;
    uint32_t width, height;
    uint64_t pitch, slice; /* bytes between rows, and between slices */
};
int apitrace_d3d_paint(struct dump *dump, const struct dump_picture *picture,
                       const struct apitrace_d3d_painting *painting, const struct cancel *cancel,
                       struct blob **out);

/* d3d_contents.c: what resources contain at a frame's end: the table, textures, and buffers. */
extern const struct dump_listing apitrace_contents_listing;
extern const struct rule_family apitrace_d3d_content_family, apitrace_d3d_buffer_family;
/* Only for traces that make resources; the key is the frame. */
int apitrace_d3d_exists(struct dump *dump, uint64_t frame);
int apitrace_d3d_content_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_d3d_content_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out);

/* shaders.c: sizes and contents of the families above. */
int apitrace_shader_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_shader_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);
/* Writes a shader of Direct3D as text: its signatures, if it is DXBC, and its instructions. */
int apitrace_shader_text_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out);
/* translated/ exists if any shader is Direct3D's. -EIO comes with a problem. */
int apitrace_translated_exists(struct dump *dump, uint64_t key);
int apitrace_shader_glsl_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out);
int apitrace_shader_spirv_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               struct blob **out);

/* textures.c: uploads (4.4); the key is the index in the object index's list. */
extern const struct rule_family apitrace_texture_family, apitrace_frame_upload_family;
extern const struct dump_listing apitrace_textures_listing;
/* Returns the frame of the upload; DUMP_NO_FRAME if it is not known. */
uint64_t apitrace_texture_frame(struct dump *dump, uint64_t key);
int apitrace_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

/* Levels at a frame's end (4.7); the key is a frame, and the index in the list of levels. */
extern const struct rule_family apitrace_level_family;
int apitrace_level_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_level_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

/* tables.c: tables of a complete trace, and signatures. */
extern const struct dump_listing apitrace_threads_listing, apitrace_errors_listing,
    apitrace_markers_listing;
extern const struct dump_listing apitrace_functions_listing, apitrace_enums_listing,
    apitrace_bitmasks_listing, apitrace_structs_listing;

/* Appends a cell with a number, `-` if it is UINT64_MAX. */
static inline void apitrace_cell_optional(struct text *text, uint64_t number)
{
    text_cell_or_none(text, number != UINT64_MAX, number);
}

/* Appends a cell with the name of a function, `-` if that is NULL. */
static inline void apitrace_cell_function(struct text *text,
                                          const struct apitrace_function *function)
{
    if (function == NULL)
        text_add(text, "\t-");
    else
        text_cell_escaped(text, function->name.bytes, function->name.shown);
}

/* cuts.c: frame.trace; the key is the frame. */
int apitrace_frame_cut_size(struct dump *dump, uint64_t frame, uint64_t *size);
int apitrace_frame_cut_piece(struct dump *dump, uint64_t frame, uint64_t offset, size_t length,
                             const struct cancel *cancel, struct blob **out);

#endif

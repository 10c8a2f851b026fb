/* SPDX-License-Identifier: MIT */
/*
 * by-frame/N/draws/NNNNNNNN/: what a draw saw and left (apitrace.md 4.11), read from the graphics
 * worker after the draw. The key of a folder is that of the draw's picture: its frame, with the
 * call's number counted from the frame's min_number. The functions are those of rules
 * (tree/rule.h), which also says which threads may call them.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_DRAWS_H
#define GPUDUMPFS_APITRACE_VIEWS_DRAWS_H

#include "formats/apitrace/replay/player.h"
#include "tree/rule.h"

enum { APITRACE_DRAW_BITS = 24 }; /* of a key, for the call's number */

/* pictures.c: draws that the session can be brought to, whether or not they leave a picture. */
extern const struct rule_family apitrace_draw_folder_family;

/*
 * Visits the session after the draw of a key. Returns as apitrace_player_visit(), or -ENOENT if no
 * draw has that key.
 */
int apitrace_draw_visit(struct dump *dump, uint64_t key, apitrace_visitor *visit, void *context,
                        const struct cancel *cancel, struct blob **out);

/*
 * Gets the place of the draw of a key, with the frames that its target depends on. Returns 0,
 * -ENOENT, -EINTR and so on.
 */
int apitrace_draw_place(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct apitrace_snapshot *out);

/* draw_texts.c: texts that the worker writes. */
int apitrace_draw_state_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out);
int apitrace_draw_uniforms_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out);

int apitrace_draw_textures_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out);
int apitrace_draw_vertices_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out);
int apitrace_draw_mesh_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);
int apitrace_draw_transformed_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                   struct blob **out);
int apitrace_draw_primitives_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  struct blob **out);
int apitrace_draw_primitives_mesh_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                       struct blob **out);
int apitrace_draw_logs_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);

/* draw_parts.c: attachments, textures, buffers and shaders, which the worker lists. */
extern const struct rule_family apitrace_draw_colour_family, apitrace_draw_texture_family,
    apitrace_draw_buffer_family, apitrace_draw_shader_family;
/* Makes the list of parts known, for a file or folder in the folder of a draw. */
int apitrace_draw_prepare(struct dump *dump, unsigned rule, uint64_t key,
                          const struct cancel *cancel);
int apitrace_draw_has_depth(struct dump *dump, uint64_t key);
int apitrace_draw_has_stencil(struct dump *dump, uint64_t key);
int apitrace_draw_colour_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_colour_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out);
int apitrace_draw_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               struct blob **out);
int apitrace_draw_bytes_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_bytes_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out);
int apitrace_draw_depth_png_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_depth_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                 struct blob **out);
int apitrace_draw_depth_bin_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_depth_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                 struct blob **out);
int apitrace_draw_stencil_png_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_stencil_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                   struct blob **out);
int apitrace_draw_stencil_bin_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_stencil_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                   struct blob **out);

/*
 * Makes the list of a draw's parts known, by a visit to the session if necessary. Returns as
 * apitrace_draw_visit().
 */
int apitrace_draw_know(struct dump *dump, uint64_t key, const struct cancel *cancel);

/*
 * Gets the first part of a kind in a draw's list, and its index. Returns 0, -EAGAIN if the list is
 * not known, or -ENOENT if the draw has no such part.
 */
int apitrace_draw_part_of(struct dump *dump, uint64_t key, uint32_t kind,
                          struct apitrace_draw_part *out, uint64_t *place);
/*
 * Reads the bytes of the part at index `place`. `kinds` has a bit for each kind that is allowed;
 * returns -ENOENT if the part has another one.
 */
int apitrace_draw_part_bytes(struct dump *dump, uint64_t key, uint64_t place, unsigned kinds,
                             const struct cancel *cancel, struct blob **out);

/*
 * coverage.c: the pixels that a draw wrote, how often, and edges. For frames, the key is the frame.
 */
int apitrace_draw_has_touched(struct dump *dump, uint64_t key);
int apitrace_draw_has_overdraw(struct dump *dump, uint64_t key);
int apitrace_draw_has_wireframe(struct dump *dump, uint64_t key);
/* Also the size of wireframe.png. */
int apitrace_draw_touched_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_overdraw_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_draw_touched_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               struct blob **out);
int apitrace_draw_overdraw_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out);
int apitrace_draw_wireframe_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                 struct blob **out);
int apitrace_frame_overdraw_size(struct dump *dump, uint64_t frame, uint64_t *size);
int apitrace_frame_overdraw_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                 struct blob **out);
int apitrace_frame_wireframe_size(struct dump *dump, uint64_t frame, uint64_t *size);
int apitrace_frame_wireframe_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                  struct blob **out);

/* Depths of the window at a frame's picture; the key is the frame. */
int apitrace_frame_has_depth(struct dump *dump, uint64_t frame);
int apitrace_frame_depth_png_size(struct dump *dump, uint64_t frame, uint64_t *size);
int apitrace_frame_depth_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                  struct blob **out);
int apitrace_frame_depth_bin_size(struct dump *dump, uint64_t frame, uint64_t *size);
int apitrace_frame_depth_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                  struct blob **out);

#endif

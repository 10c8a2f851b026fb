/* SPDX-License-Identifier: MIT */
/*
 * The files of draws/NNNNN/ of a frame. The key of a folder, and of its fixed names, is the frame
 * shifted left by DRAW_FOLDER_BITS, plus the draw's number. The key of its numbered members is the
 * folder's shifted left by DRAW_PART_BITS, plus the member's number; this fits in a key for the
 * first million frames. Functions are members of struct rule, which documents them. Any thread may
 * call them.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_DRAW_FOLDER_H
#define GPUDUMPFS_AEROGPU_VIEWS_DRAW_FOLDER_H

#include "formats/aerogpu/views/views.h"

enum {
    DRAW_FOLDER_BITS = 24,
    DRAW_PART_BITS = 12,
    DRAW_PART_MASK = (1 << DRAW_PART_BITS) - 1,
};

/*
 * draw_parts.c: names; links to what is bound; pictures and bytes of what is bound, as they are
 * after the draw; the pixels that the draw wrote.
 */

/* Finds the draw of a folder. Returns 0, -EAGAIN while the scan is not made, or -ENOENT. */
int aerogpu_draw_find(struct dump *dump, uint64_t folder, const struct aerogpu_scan_draw **out);

/*
 * Finds the draw of a folder, making the scan first if necessary. Returns 0, -ENOENT, or an error
 * of the scan.
 */
int aerogpu_draw_need(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                      const struct aerogpu_scan_draw **out);

/*
 * Gets the first subresource of a bound texture or target, as it is once `tick` commands are done.
 */
void aerogpu_bound_shot(const struct aerogpu_scan *scan, const struct aerogpu_bound *bound,
                        const struct aerogpu_shot *back, uint64_t tick, struct aerogpu_shot *out);

/* Returns the number of bytes in a bound buffer's file. */
uint64_t aerogpu_bound_bytes(const struct aerogpu_scan *scan, const struct aerogpu_bound *bound);

/*
 * Gets the bytes of a bound buffer's file, as they are once `tick` commands are done. Returns what
 * aerogpu_replay_shot() returns.
 */
int aerogpu_bound_read(struct dump *dump, const struct aerogpu_bound *bound, uint64_t tick,
                       const struct cancel *cancel, struct blob **out);

extern const struct rule_family aerogpu_draw_folder_family, aerogpu_draw_program_family,
    aerogpu_draw_texture_link_family, aerogpu_draw_texture_family, aerogpu_draw_colour_family,
    aerogpu_draw_vertices_family, aerogpu_draw_constants_family;

int aerogpu_draw_program_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out);
int aerogpu_draw_texture_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out);
int aerogpu_draw_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_draw_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out);
int aerogpu_draw_colour_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_draw_colour_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out);
int aerogpu_draw_vertices_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_draw_vertices_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               struct blob **out);
int aerogpu_draw_constants_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_draw_constants_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out);
int aerogpu_draw_has_indices(struct dump *dump, uint64_t folder);
int aerogpu_draw_indices_size(struct dump *dump, uint64_t folder, uint64_t *size);
int aerogpu_draw_indices_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                              struct blob **out);
int aerogpu_draw_has_touched(struct dump *dump, uint64_t folder);
int aerogpu_draw_touched_size(struct dump *dump, uint64_t folder, uint64_t *size);
int aerogpu_draw_touched_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                              struct blob **out);

/*
 * draw_depth.c: the depth target after the draw, and the depth target at the end of a frame as
 * floats, with the frame as the key.
 */

int aerogpu_draw_has_depth(struct dump *dump, uint64_t folder);
int aerogpu_draw_has_stencil(struct dump *dump, uint64_t folder);
int aerogpu_draw_depth_png_size(struct dump *dump, uint64_t folder, uint64_t *size);
int aerogpu_draw_depth_png_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                                struct blob **out);
int aerogpu_draw_depth_bin_size(struct dump *dump, uint64_t folder, uint64_t *size);
int aerogpu_draw_depth_bin_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                                struct blob **out);
int aerogpu_depth_bin_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_depth_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);
int aerogpu_draw_stencil_size(struct dump *dump, uint64_t folder, uint64_t *size);
int aerogpu_draw_stencil_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                              struct blob **out);

/*
 * draw_texts.c: state, constants, vertices.
 */

int aerogpu_draw_state_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                            struct blob **out);
int aerogpu_draw_uniforms_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                               struct blob **out);
int aerogpu_draw_has_vertices(struct dump *dump, uint64_t folder);
int aerogpu_draw_attributes_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                                 struct blob **out);
int aerogpu_draw_mesh_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                           struct blob **out);

#endif

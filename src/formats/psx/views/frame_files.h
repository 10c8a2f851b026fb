/*
 * The files of a frame that show what happened inside it: each draw, what it touched,
 * the frame without it, textures, uploads, figures; and those of the whole dump. The
 * functions are those of the rules (rules.c); any thread. Names and sizes follow from
 * the stream alone; where the index has not come so far yet they are -EAGAIN until the
 * dump has prepared them.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_FRAME_FILES_H
#define GPUDUMPFS_PSX_VIEWS_FRAME_FILES_H

#include "tree/dump.h"
#include "tree/rule.h"

/* draws/NNNNN.png, draws/NNNNN-touched.png. */
extern const struct rule_family psx_draw_family, psx_draw_touched_family;
int psx_draw_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_draw_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);
int psx_draw_touched_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

/* without/NNNNN.png, what the display shows, and without/NNNNN-area.png, where that draw drew. */
extern const struct rule_family psx_without_area_family;
int psx_without_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_without_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int psx_without_area_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

/* overdraw.png, last-writer.bin, wireframe.png; key = frame. */
int psx_overdraw_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_overdraw_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);
int psx_last_writer_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_last_writer_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out);
int psx_wireframe_size(struct dump *dump, uint64_t frame, uint64_t *size);
int psx_wireframe_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct blob **out);

/* textures/PAGE-CLUT-DEPTH.png of a frame, and of the whole dump, numbered. */
extern const struct rule_family psx_texture_family, psx_all_texture_family;
int psx_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int psx_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int psx_all_texture_size(struct dump *dump, uint64_t number, uint64_t *size);
int psx_all_texture_make(struct dump *dump, uint64_t number, const struct cancel *cancel,
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

/* textures.tsv, uploads.tsv, statistics.txt of a frame; those and flips.tsv of the dump. */
extern const struct dump_listing psx_draw_table, psx_texture_table, psx_upload_table,
    psx_frame_statistics, psx_all_texture_table, psx_all_upload_table, psx_flip_table;
int psx_statistics_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

#endif

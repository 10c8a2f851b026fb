/*
 * Pictures of frames: what was presented, what each draw left, opaque, depth. The
 * key of a frame's own is the frame; of a draw's or PRESENT's, the frame above its
 * number, by PICTURE_BITS. As the members of struct rule.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_PICTURES_H
#define GPUDUMPFS_AEROGPU_VIEWS_PICTURES_H

#include "formats/aerogpu/dump.h"
#include "tree/rule.h"

enum { PICTURE_BITS = 28 };

extern const struct rule_family aerogpu_present_family, aerogpu_draw_family;

/* struct dump_ops' frame_picture. */
int aerogpu_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);

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
                       char digits[65]);

#endif

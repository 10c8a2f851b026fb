/* SPDX-License-Identifier: MIT */
/*
 * The names of frames and packets in a dump, and the families that most formats need: frames, and
 * frames with a picture. Any thread.
 */
#ifndef GPUDUMPFS_TREE_NAMES_H
#define GPUDUMPFS_TREE_NAMES_H

#include "tree/rule.h"

/*
 * Returns how many decimal digits the largest of the numbers 0 to count - 1 has; at least `min`,
 * which is not 0.
 */
unsigned names_digits(uint64_t count, unsigned min);

/*
 * Writes NNNNNN and the suffix, with as many digits as frames have in this dump. Returns 0, -EAGAIN
 * while the frame is not known, or -ENAMETOOLONG beyond RULE_NAME_MAX bytes.
 */
int names_frame(struct dump *dump, uint64_t frame, const char *suffix, char *name);

/*
 * Writes NNNNNNNN-NAME and the suffix. Returns 0, -ENOENT if there is no such packet, another error
 * of dump_ops.packet(), or -ENAMETOOLONG.
 */
int names_packet(struct dump *dump, uint64_t packet, const char *suffix, char *name);

/* Appends the path of a rule's name from the root, as far as its key determines where it is. */
void names_add_path(const struct tree *tree, const struct rule *rule, uint64_t key,
                    struct text *path);

/* Returns whether frames/ shows that frame, as `exists` of struct rule: 0, -ENOENT or -EAGAIN. */
int names_has_picture(struct dump *dump, uint64_t frame);

/* `next` of struct rule_family, for all frames. */
int names_next_frame(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *frame);

/* `next` of struct rule_family, for the frames that have a picture. */
int names_next_picture(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *frame);

#endif

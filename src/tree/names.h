/* SPDX-License-Identifier: MIT */
/*
 * The names that numbers have in this dump, and the families that most formats
 * need: frames, and frames with a picture. Any thread.
 */
#ifndef GPUDUMPFS_TREE_NAMES_H
#define GPUDUMPFS_TREE_NAMES_H

#include "tree/rule.h"

/* Decimal digits of the last of `count` numbers that begin with 0; at least `min`, which is not 0.
 */
unsigned names_digits(uint64_t count, unsigned min);

/* Writes NNNNNN and the suffix, NNNNNN in this dump's digits (RULE_NAME_MAX, as rule.h says). */
int names_frame(struct dump *dump, uint64_t frame, const char *suffix, char *name);

/* Writes NNNNNNNN-NAME and the suffix; -ENOENT when there is no such packet. */
int names_packet(struct dump *dump, uint64_t packet, const char *suffix, char *name);

/* Appends the path from the root of a rule's name, as far as its key tells where it stands. */
void names_add_path(const struct tree *tree, const struct rule *rule, uint64_t key,
                    struct text *path);

/* Whether frames/ shows that frame: 0, -ENOENT, -EAGAIN; as struct rule's `exists`. */
int names_has_picture(struct dump *dump, uint64_t frame);

/* struct rule_family's `next`: all frames; the frames that have a picture. */
int names_next_frame(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *frame);
int names_next_picture(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *frame);

#endif

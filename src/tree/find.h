/* SPDX-License-Identifier: MIT */
/*
 * find/frame/HASH/, find/texture/HASH/ and near-frames.tsv: pictures by what is in them (search.h).
 * The folders are found by their names, and not listed. Functions of struct rule; any thread.
 */
#ifndef GPUDUMPFS_TREE_FIND_H
#define GPUDUMPFS_TREE_FIND_H

#include "tree/rule.h"

/* HASH is 64 hexadecimal digits: fingerprint_sha256() of the picture. Keys have its first bits. */
extern const struct rule_family find_frame_family, find_texture_family;
int find_prepare_frame(struct dump *dump, uint64_t key, const struct cancel *cancel);
int find_prepare_texture(struct dump *dump, uint64_t key, const struct cancel *cancel);

/* A link to the first picture, and where.tsv: all that are equal. */
int find_make_first_frame(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);
int find_make_first_texture(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);
int find_make_frames(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int find_make_textures(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);

/*
 * near-frames.tsv: of each frame's picture its hashes and the first one that it looks like. As long
 * whatever is in them.
 */
extern const struct dump_listing find_near_frames;

#endif

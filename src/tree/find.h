/* SPDX-License-Identifier: MIT */
/*
 * find/frame/HASH/, find/texture/HASH/ and near-frames.tsv: pictures by their contents (search.h).
 * The HASH folders are found by name, and are not listed. Functions of struct rule; any thread.
 */
#ifndef GPUDUMPFS_TREE_FIND_H
#define GPUDUMPFS_TREE_FIND_H

#include "tree/rule.h"

/*
 * HASH is 64 hexadecimal digits: fingerprint_sha256() of the picture. Keys contain its first bits.
 */
extern const struct rule_family find_frame_family, find_texture_family;
int find_prepare_frame(struct dump *dump, uint64_t key, const struct cancel *cancel);
int find_prepare_texture(struct dump *dump, uint64_t key, const struct cancel *cancel);

/*
 * Make first.png, a link to the first picture with the hash, and where.tsv, which lists all of
 * them.
 */
int find_make_first_frame(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);
int find_make_first_texture(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);
int find_make_frames(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int find_make_textures(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);

/*
 * near-frames.tsv: for each frame's picture, its hashes and the first picture that it looks like.
 * Its length does not depend on what the pictures show.
 */
extern const struct dump_listing find_near_frames;

#endif

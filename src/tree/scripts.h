/* SPDX-License-Identifier: MIT */
/*
 * NAME.N.js: what stands in a table or text of the root or of a frame, as a script for pages that
 * have no server: a call of gpudumpfsPiece() with one piece of the file, made of the same text
 * that the file is made of. They are found, and not listed. A page learns from the first piece how
 * many there are. Any thread.
 *
 *     gpudumpfsPiece({"name":"draws.tsv","frame":10,"piece":0,"pieces":1,"rows":660,
 *     "columns":["draw","packet",...],
 *     "cells":[
 *     [0,154,...],
 *     ...]});
 *
 * A cell is null for `-`, a number if it is a whole number of at most 15 digits that is written
 * without zeros before it, and else a string. Of a text it has `lines` and, for the commands of
 * a frame, `packets` and `draws`, the numbers that stand in each line, null for none. `rows`
 * is null where nobody knows, and `columns` is in the first piece alone.
 */
#ifndef GPUDUMPFS_TREE_SCRIPTS_H
#define GPUDUMPFS_TREE_SCRIPTS_H

#include "tree/rule.h"

/* A string of JavaScript and JSON, with its quotes, in which nothing can be taken for markup. */
void scripts_add_string(struct text *text, const char *bytes, size_t length);

extern const struct rule_family scripts_root_family, scripts_frame_family;

/* As struct rule's `make` and `version`, of the root's and of a frame's. */
int scripts_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);
int scripts_make_of_frame(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);
uint64_t scripts_version(struct dump *dump, uint64_t key);
uint64_t scripts_version_of_frame(struct dump *dump, uint64_t key);

#endif

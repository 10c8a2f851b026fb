/* SPDX-License-Identifier: MIT */
/*
 * NAME.N.js: the contents of a table or text in the root or in a frame's folder, as a script for
 * pages that have no server. The script calls gpudumpfsPiece() with one piece of the file, made
 * from the same text as the file. The names are found, and not listed. A page learns from the first
 * piece how many there are. Any thread.
 *
 *     gpudumpfsPiece({"name":"draws.tsv","frame":10,"piece":0,"pieces":1,"rows":660,
 *     "columns":["draw","packet",...],
 *     "cells":[
 *     [0,154,...],
 *     ...]});
 *
 * A cell is null for `-`, a number if it is an integer of at most 15 digits without leading zeros,
 * and otherwise a string. A text has `lines` instead and, for the commands of a frame, `packets`
 * and `draws`: the numbers in each line, or null. `rows` is null if it is not known, and only the
 * first piece has `columns`.
 */
#ifndef GPUDUMPFS_TREE_SCRIPTS_H
#define GPUDUMPFS_TREE_SCRIPTS_H

#include "tree/rule.h"

/*
 * Appends a string literal of JavaScript and JSON, with quotes, in which nothing can be mistaken
 * for markup.
 */
void scripts_add_string(struct text *text, const char *bytes, size_t length);

extern const struct rule_family scripts_root_family, scripts_frame_family;

/* `make` and `version` of struct rule, for the scripts in the root and in a frame's folder. */
int scripts_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);
int scripts_make_of_frame(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);
uint64_t scripts_version(struct dump *dump, uint64_t key);
uint64_t scripts_version_of_frame(struct dump *dump, uint64_t key);

#endif

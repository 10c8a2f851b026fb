/* SPDX-License-Identifier: MIT */
/*
 * The files that make a mount a web page: index.html, the files that it loads (page/page.h), and
 * dump.js, which calls gpudumpfsDump() with the names that this dump has. Each function is `make`
 * of a rule. Any thread.
 */
#ifndef GPUDUMPFS_TREE_PAGES_H
#define GPUDUMPFS_TREE_PAGES_H

#include "tree/rule.h"

int pages_make_root(struct dump *dump, uint64_t key, const struct cancel *cancel,
                    struct blob **out);
int pages_make_frame(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int pages_make_script(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);
int pages_make_style(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int pages_make_dump(struct dump *dump, uint64_t key, const struct cancel *cancel,
                    struct blob **out);

/* `version` of struct rule, of dump.js. */
uint64_t pages_dump_version(struct dump *dump, uint64_t key);

#endif

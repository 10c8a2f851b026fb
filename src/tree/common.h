/*
 * Contents of the common part that are written by files of their own. All are a
 * rule's `make`.
 */
#ifndef GPUDUMPFS_TREE_COMMON_H
#define GPUDUMPFS_TREE_COMMON_H

#include "tree/question.h"

/* README.txt, printed from the rules of this dump. */
int readme_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);

/* The files of .gpudumpfs/. */
int about_make_version(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int about_make_options(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int about_make_cache(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);

/* Hands a finished text over, or its failure; the text is cleared either way. */
int common_finish(struct text *text, int status, struct blob **out);

#endif

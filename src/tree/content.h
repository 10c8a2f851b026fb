/*
 * What the bytes of a file are, as items of the cache: which item tells its size,
 * and how it is made. Any thread.
 */
#ifndef GPUDUMPFS_TREE_CONTENT_H
#define GPUDUMPFS_TREE_CONTENT_H

#include "tree/question.h"

/* The item that knows a file's size: its contents, or where its pieces lie. */
struct cache_key content_key(const struct tree *tree, const struct tree_target *target);

/* How any item of a file is made; its context is the tree. */
const struct cache_maker *content_maker(const struct tree *tree, const struct tree_target *target,
                                        struct cache_key key);

/* The same of a file that is one item, when nobody waits for it. */
const struct cache_maker *content_maker_unhurried(const struct rule *rule);

/* The size that a file has by its item from content_key(). */
uint64_t content_size(const struct tree *tree, const struct tree_target *target,
                      const struct blob *item);

/* Makes contents that are not cached, or a link's target. As struct rule's `make`. */
int content_make(struct tree *tree, const struct tree_target *target, const struct cancel *cancel,
                 struct blob **out);

/* A size that is known without making anything. 0, -EAGAIN: it is not; -EIO, -ENOENT. */
int content_known_size(struct tree *tree, const struct tree_target *target, uint64_t *size,
                       struct tree_need *need);

/* Whether a file's bytes are had at once, and not from the cache. */
bool content_is_at_hand(const struct tree *tree, const struct tree_target *target);

#endif

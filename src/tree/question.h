/*
 * Questions about names, sizes and the like, which are answered from what is known.
 * What is not known yet is a need: an item of the cache that is made first, in the
 * pool or by the asking thread, before the question is answered anew. Any thread.
 */
#ifndef GPUDUMPFS_TREE_QUESTION_H
#define GPUDUMPFS_TREE_QUESTION_H

#include "tree/internal.h"

struct tree_need {
    struct cache_key key;
    const struct cache_maker *maker;
    struct blob *made; /* what was made of the last need; NULL: nothing yet */
};

/* What the dump's `prepare` makes known of a directory or a file. Always -EAGAIN. */
int need_prepared(unsigned rule, uint64_t key, struct tree_need *need);

/* Whether the contents of a file were made of the last need, or its offsets. */
bool need_has_contents(const struct tree_need *need, uint64_t inode);

/* A dump's answer that says -EAGAIN leads to the need; a failure to what readers are told. */
int need_status(int status, unsigned rule, uint64_t key, struct tree_need *need);

/*
 * The two ways to have a request answered whose `tree`, `answer` and own members
 * are set: by this thread, or later through `done`.
 */
int question_wait(struct tree_request *request, const struct cancel *cancel);
void question_ask(struct tree_request *request);

/* Answers of several files. */
int answer_stat(struct tree_request *request, struct tree_need *need);

#endif

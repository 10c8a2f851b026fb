/* SPDX-License-Identifier: MIT */
/*
 * Callers that submit requests to a tree and receive the answers later, and the tree that they use:
 * that of a fake dump, with two threads. For test threads; each caller belongs to one thread.
 */
#ifndef GPUDUMPFS_TESTS_TREE_CALLER_H
#define GPUDUMPFS_TESTS_TREE_CALLER_H

#include "tests/support/fake.h"

#include "tree/tree.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct caller {
    struct tree_request request; /* must be the first member */
    sem_t answered;
    atomic_uint answers;
    int status;
};

void caller_init(struct caller *caller);

/* Initializes the caller and submits a read. */
void caller_read(struct caller *caller, struct tree_file *file, uint64_t offset, size_t size);

/*
 * Waits for the answer and asserts that there was exactly one. Drops the bytes that were read, ends
 * the caller, and returns the status of the answer.
 */
int caller_answer(struct caller *caller);
bool caller_is_answered(struct caller *caller);

/* Waits up to about ten seconds for *number to become `value`. Fails the test if it does not. */
void caller_await(atomic_uint *number, unsigned value);

struct scene {
    struct fake *fake;
    struct tree *tree;
};

/* Setup and teardown of a test; *state is the scene. */
int scene_begin(void **state);
int scene_end(void **state);

uint64_t scene_find(struct tree *tree, const char *path);
struct tree_file *scene_open(struct tree *tree, const char *path);
struct cache_statistics scene_statistics(struct tree *tree);

#endif

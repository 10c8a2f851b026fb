/* SPDX-License-Identifier: MIT */
/*
 * Callers of a tree's requests, whose answers come later, and the tree that they ask: of a fake
 * dump, with two threads. For test threads; a caller is one thread's.
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
    struct tree_request request;
    sem_t answered;
    atomic_uint answers;
    int status;
};

void caller_init(struct caller *caller);

/* Begins it, and has the read submitted. */
void caller_read(struct caller *caller, struct tree_file *file, uint64_t offset, size_t size);

/* Waits for the answer, and counts it: there must be exactly one. Ends the caller. */
int caller_answer(struct caller *caller);
bool caller_is_answered(struct caller *caller);

/* Waits until a number is reached, not for long. */
void caller_await(atomic_uint *number, unsigned value);

struct scene {
    struct fake *fake;
    struct tree *tree;
};

/* Before and behind a test, whose *state is the scene. */
int scene_begin(void **state);
int scene_end(void **state);

uint64_t scene_find(struct tree *tree, const char *path);
struct tree_file *scene_open(struct tree *tree, const char *path);
struct cache_statistics scene_statistics(struct tree *tree);

#endif

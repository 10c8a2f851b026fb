/* SPDX-License-Identifier: MIT */
/*
 * Trees that replace each other in one mount, as edits are saved. Each is served like the mount of
 * one dump. A request is about the newest tree, except that a request about an open file is about
 * the file's tree. Inode numbers mean the same in all trees, and the kernel may keep nothing of
 * any. Only the reader thread adds to the list and removes from it, between two messages.
 */
#include "fuse/generations.h"

#include "fuse/request.h"

#include <errno.h>
#include <stdlib.h>

static void take_lock(struct generations *generations) ACQUIRE(lock_of_generations)
{
    pthread_mutex_lock(&generations->lock);
}

static void give_lock(struct generations *generations) RELEASE(lock_of_generations)
{
    pthread_mutex_unlock(&generations->lock);
}

void mount_hold(struct mount *mount)
{
    if (mount->branch != NULL)
        branch_hold(mount->branch);
    if (mount->generation == NULL)
        return;
    take_lock(mount->generation->all);
    mount->generation->users++;
    give_lock(mount->generation->all);
}

/* A branch may be freed as soon as it is released, and its mount with it. */
void mount_release(struct mount *mount)
{
    struct generation *generation = mount->generation;

    if (mount->branch != NULL)
        branch_release(mount->branch);
    if (generation == NULL)
        return;
    take_lock(generation->all);
    generation->users--;
    give_lock(generation->all);
}

int generations_create(struct generations **out)
{
    struct generations *generations = calloc(1, sizeof(*generations));

    *out = generations;
    if (generations == NULL)
        return -ENOMEM;
    pthread_mutex_init(&generations->lock, NULL);
    return 0;
}

static void destroy_list(struct generation *generation)
{
    while (generation != NULL) {
        struct generation *older = generation->older;

        pthread_mutex_destroy(&generation->mount.lock);
        free(generation);
        generation = older;
    }
}

void generations_destroy(struct generations **generations) LOCKS_UNCHECKED
{
    if (*generations == NULL)
        return;
    destroy_list((*generations)->newest);
    destroy_list((*generations)->next);
    destroy_list((*generations)->unused);
    pthread_mutex_destroy(&(*generations)->lock);
    free(*generations);
    *generations = NULL;
}

int generations_replace(struct mount *mount, struct tree *tree)
{
    struct generations *generations = mount->generations;
    struct generation *generation = calloc(1, sizeof(*generation));

    if (generation == NULL)
        return -ENOMEM;
    generation->all = generations;
    generation->mount.generation = generation;
    generation->mount.tree = tree;
    generation->mount.options = mount->options;
    generation->mount.session = mount->session;
    generation->mount.max_read = mount->max_read;
    atomic_init(&generation->mount.modes, modes_of_dump(mount->options, tree_dump(tree)));
    pthread_mutex_init(&generation->mount.lock, NULL);
    take_lock(generations);
    if (generations->next != NULL) {
        generations->next->older = generations->unused;
        generations->unused = generations->next;
    }
    generations->next = generation;
    give_lock(generations);
    return 0;
}

struct tree *generations_take_unused(struct mount *mount)
{
    struct generations *generations = mount->generations;
    struct generation *taken;
    struct tree *tree;

    take_lock(generations);
    taken = generations->unused;
    if (taken != NULL)
        generations->unused = taken->older;
    give_lock(generations);
    if (taken == NULL)
        return NULL;
    tree = taken->mount.tree;
    taken->older = NULL;
    destroy_list(taken);
    return tree;
}

void generations_turn(struct generations *generations)
{
    struct generation *generation;

    take_lock(generations);
    if ((generation = generations->next) != NULL) {
        generation->older = generations->newest;
        generation->mount.reader = pthread_self();
        generations->newest = generation;
        generations->next = NULL;
    }
    for (struct generation **link = &generations->newest->older; (generation = *link) != NULL;) {
        if (generation->users > 0) {
            link = &generation->older;
            continue;
        }
        *link = generation->older;
        generation->older = generations->unused;
        generations->unused = generation;
    }
    give_lock(generations);
}

struct mount *generations_newest(struct generations *generations)
{
    return &generations->newest->mount;
}

struct mount *generations_of(struct generations *generations, const struct tree *tree)
{
    struct generation *generation = generations->newest;

    while (generation->mount.tree != tree)
        generation = generation->older;
    return &generation->mount;
}

size_t generations_count(struct generations *generations)
{
    size_t count = 0;

    for (struct generation *each = generations->newest; each != NULL; each = each->older)
        count += request_count(&each->mount);
    return count;
}

size_t generations_ahead(struct generations *generations)
{
    size_t count = 0;

    for (struct generation *each = generations->newest; each != NULL; each = each->older)
        count += tree_drawing_ahead(each->mount.tree);
    return count;
}

int64_t generations_reply_early(struct generations *generations, int64_t now)
{
    int64_t first = -1;

    for (struct generation *each = generations->newest; each != NULL; each = each->older) {
        int64_t due = request_reply_early(&each->mount, now);

        if (due >= 0 && (first < 0 || due < first))
            first = due;
    }
    return first;
}

void generations_look(struct generations *generations, bool all)
{
    for (struct generation *each = generations->newest; each != NULL; each = each->older)
        request_look(&each->mount, all);
}

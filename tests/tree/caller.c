/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/tree/caller.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void note_answer(struct tree_request *request, int status)
{
    struct caller *caller = (struct caller *)request;

    caller->status = status;
    caller->answers++;
    sem_post(&caller->answered);
}

void caller_init(struct caller *caller)
{
    memset(caller, 0, sizeof(*caller));
    caller->request.done = note_answer;
    sem_init(&caller->answered, 0, 0);
}

void caller_read(struct caller *caller, struct tree_file *file, uint64_t offset, size_t size)
{
    caller_init(caller);
    tree_submit_read(file, offset, size, &caller->request);
}

int caller_answer(struct caller *caller)
{
    struct timespec soon;

    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 20;
    if (sem_timedwait(&caller->answered, &soon) != 0)
        fail_msg("no answer came");
    assert_int_equal(caller->answers, 1);
    blob_unref(&caller->request.window.blob);
    sem_destroy(&caller->answered);
    return caller->status;
}

bool caller_is_answered(struct caller *caller)
{
    return caller->answers > 0;
}

void caller_await(atomic_uint *number, unsigned value)
{
    for (int i = 0; i < 100000 && *number != value; i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    assert_int_equal(*number, value);
}

uint64_t scene_find(struct tree *tree, const char *path)
{
    uint64_t inode = 0;

    assert_int_equal(tree_find(tree, path, false, &inode), 0);
    return inode;
}

struct tree_file *scene_open(struct tree *tree, const char *path)
{
    struct tree_file *file = NULL;
    uint64_t inode = 0;

    assert_int_equal(tree_find(tree, path, true, &inode), 0);
    assert_int_equal(tree_open(tree, inode, &file), 0);
    return file;
}

struct cache_statistics scene_statistics(struct tree *tree)
{
    struct cache_statistics now;

    cache_statistics(tree_cache(tree), &now);
    return now;
}

int scene_begin(void **state)
{
    struct scene *scene = calloc(1, sizeof(*scene));

    assert_non_null(scene);
    scene->fake = fake_create(43);
    scene->tree = fake_tree(scene->fake, 2);
    *state = scene;
    return 0;
}

int scene_end(void **state)
{
    struct scene *scene = *state;

    scene->fake->shut = false;
    if (scene->tree != NULL)
        assert_int_equal(scene_statistics(scene->tree).pinned, 0);
    tree_destroy(&scene->tree);
    assert_int_equal(scene->fake->slow, 0);
    fake_free(scene->fake);
    free(scene);
    return 0;
}

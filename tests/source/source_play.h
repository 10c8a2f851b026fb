/* SPDX-License-Identifier: MIT */
/*
 * What the tests of opened dumps share: one dump that each of them writes and opens, and containers
 * that it may be packed into.
 */
#ifndef GPUDUMPFS_TESTS_SOURCE_SOURCE_PLAY_H
#define GPUDUMPFS_TESTS_SOURCE_SOURCE_PLAY_H

#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data; /* for free() */
    size_t size;
};

struct source_playing {
    char *folder, *path;         /* of the dump; spools have the folder, too */
    struct problems *problems;   /* since it was opened */
    struct source *source;       /* NULL: none is open */
    struct source_params params; /* the test changes them */
};

/* From source_play_begin() to source_play_end(), which are for cmocka's setup and teardown. */
extern struct source_playing opened;

int source_play_begin(void **state);
int source_play_end(void **state);

/* A sample that compresses, but not to nothing. */
struct bytes source_play_sample(size_t size);

struct bytes source_play_zstd(struct bytes plain);
struct bytes source_play_xz(struct bytes plain);
struct bytes source_play_gzip(struct bytes plain);

enum { SOURCE_PLAY_CONTAINERS = 3 };

/* Those. */
extern const struct source_play_container {
    struct bytes (*pack)(struct bytes plain);
    enum source_container container;
    const char *name;
} source_play_containers[SOURCE_PLAY_CONTAINERS];

/* Closes what is open, then writes and opens this. */
void source_play_open(const void *data, size_t size);

/* Whether a problem of it has these words; else all are printed. */
bool source_play_says(const char *part);

/* What is open has the first `size` bytes of `plain`. */
void source_play_assert(struct bytes plain, size_t size);

/* Files in the folder. */
size_t source_play_names(void);

#endif

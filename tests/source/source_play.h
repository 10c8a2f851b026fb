/* SPDX-License-Identifier: MIT */
/*
 * What the tests of opened dumps share: one dump that each test writes and opens, and the
 * containers into which the dump can be packed.
 */
#ifndef GPUDUMPFS_TESTS_SOURCE_SOURCE_PLAY_H
#define GPUDUMPFS_TESTS_SOURCE_SOURCE_PLAY_H

#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data; /* to be freed with free() */
    size_t size;
};

struct source_playing {
    char *folder, *path;         /* of the dump; the folder is also that of spools */
    struct problems *problems;   /* reported since the dump was opened */
    struct source *source;       /* NULL if none is open */
    struct source_params params; /* defaults, which a test may change */
};

/*
 * Valid from source_play_begin() to source_play_end(), which are a setup and a teardown of cmocka.
 */
extern struct source_playing opened;

int source_play_begin(void **state);
int source_play_end(void **state);

/* Returns bytes that can be compressed, but not to almost nothing. */
struct bytes source_play_sample(size_t size);

/* Return the bytes packed into a container, with a checksum. */
struct bytes source_play_zstd(struct bytes plain);
struct bytes source_play_xz(struct bytes plain);
struct bytes source_play_gzip(struct bytes plain);

enum { SOURCE_PLAY_CONTAINERS = 3 };

/* These three containers. */
extern const struct source_play_container {
    struct bytes (*pack)(struct bytes plain);
    enum source_container container;
    const char *name;
} source_play_containers[SOURCE_PLAY_CONTAINERS];

/* Closes the open source, then writes a file with these bytes and opens it. */
void source_play_open(const void *data, size_t size);

/* Returns whether the text of the problems contains `part`. If not, prints the problems. */
bool source_play_says(const char *part);

/* Asserts that the open source has exactly the first `size` bytes of `plain`. */
void source_play_assert(struct bytes plain, size_t size);

/* Returns the number of files in the folder. */
size_t source_play_names(void);

#endif

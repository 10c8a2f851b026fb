/*
 * Whole files of a tree in memory, and pictures as pixels. Called by the main
 * thread, which produces what it reads.
 */
#ifndef GPUDUMPFS_GPUDUMP_CONTENTS_H
#define GPUDUMPFS_GPUDUMP_CONTENTS_H

#include "tree/tree.h"

#include <stdint.h>

/* Adds a file's bytes to `out`. 0 or -errno. */
int contents_read(struct tree *tree, uint64_t inode, struct text *out);

/*
 * Opens a file on disk to be written anew: its descriptor, or -errno. -EEXIST, which is told: it is
 * one of the dump's own files. Any thread.
 */
int contents_create(struct tree *tree, const char *path);

/* Writes a file on disk. 0, or -errno as of contents_create(). */
int contents_write(struct tree *tree, const char *path, const struct blob *blob);

struct pixels {
    uint32_t width, height;
    uint8_t *rgb; /* rows of width * 3 bytes, from the top */
};

/* A PNG, over black where it is transparent. 0, -EIO if it is none, or -errno. */
int pixels_read(struct tree *tree, uint64_t inode, struct pixels *out);

/* Frees them; zeroed ones are fine. */
void pixels_clear(struct pixels *pixels);

#endif

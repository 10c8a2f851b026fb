/* SPDX-License-Identifier: MIT */
/*
 * A dump that comes through a pipe while its tree is asked, and what must hold of it:
 * whatever is shown at whatever moment is what the whole dump shows. One stream at a
 * time, for standard input is taken.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_PIPED_H
#define GPUDUMPFS_TESTS_SUPPORT_PIPED_H

#include "formats/format.h"

struct piped {
    int pipe;  /* the end to write to; -1: closed */
    int input; /* standard input as it was, until the stream is open */
    struct options options;
    struct text message;
    struct format_dump dump;
    struct tree *tree;
};

enum { PIPED_WAIT_MS = 20000 };

/* The same bytes as a file that is there as a whole, for piped_close(). */
void piped_open_whole(struct piped *whole, const char *folder, const uint8_t *bytes, size_t size,
                      const char *options);

/* A millisecond. */
void piped_nap(void);

/* Opens with the first bytes, spooling into `folder`; `options`, with commas between, may
 * be NULL. */
void piped_open(struct piped *stream, const char *folder, const uint8_t *bytes, size_t size,
                const char *options);

/* The same in two steps, for another thread to write what the second one waits for. */
void piped_prepare(struct piped *stream, const char *options);
void piped_open_prepared(struct piped *stream, const char *folder);
void piped_write(const struct piped *stream, const uint8_t *bytes, size_t size);

/* Closes the pipe, and waits until the dump is complete. */
void piped_end(struct piped *stream);
void piped_close(struct piped *stream);

/* Frames that are shown by now. */
uint64_t piped_frames(const struct piped *stream);

/* Until so many are shown; fails the test when it are others. */
void piped_wait_for_frames(const struct piped *stream, uint64_t frames);

bool piped_has(const struct piped *stream, const char *path);

/* Fails unless the live file is the whole dump's, or with `beginning` its beginning. */
void piped_compare(const struct piped *stream, struct tree *whole, const char *path,
                   bool beginning);

/* The same for all names, inodes, sizes and bytes there are, once the stream has ended. */
void piped_compare_all(const struct piped *stream, struct tree *whole);

#endif

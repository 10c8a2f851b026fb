/* SPDX-License-Identifier: MIT */
/*
 * A dump that comes through a pipe while its tree is in use, and what must hold for it: whatever is
 * shown at any moment is what the complete dump shows. One stream at a time, since standard input
 * is used.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_PIPED_H
#define GPUDUMPFS_TESTS_SUPPORT_PIPED_H

#include "formats/format.h"

struct piped {
    int pipe;  /* the end to write to; -1 if closed */
    int input; /* a duplicate of standard input, until the stream is open */
    struct options options;
    struct text message;
    struct format_dump dump;
    struct tree *tree;
};

enum { PIPED_WAIT_MS = 20000 };

/* Opens the same bytes as a complete file. Call piped_close() afterwards. */
void piped_open_whole(struct piped *whole, const char *folder, const uint8_t *bytes, size_t size,
                      const char *options);

/* Sleeps for a millisecond. */
void piped_nap(void);

/*
 * Opens a stream with its first bytes, which is spooled into `folder`. `options` are separated by
 * commas, and may be NULL.
 */
void piped_open(struct piped *stream, const char *folder, const uint8_t *bytes, size_t size,
                const char *options);

/* The same in two steps, so that another thread can write what the second step waits for. */
void piped_prepare(struct piped *stream, const char *options);
void piped_open_prepared(struct piped *stream, const char *folder);
void piped_write(const struct piped *stream, const uint8_t *bytes, size_t size);

/* Closes the pipe and waits until the dump is complete. */
void piped_end(struct piped *stream);
void piped_close(struct piped *stream);

/* Returns the number of frames that are shown. */
uint64_t piped_frames(const struct piped *stream);

/* Waits until `frames` frames are shown. Fails the test if their number becomes another. */
void piped_wait_for_frames(const struct piped *stream, uint64_t frames);

bool piped_has(const struct piped *stream, const char *path);

/*
 * Fails the test unless the file's contents are those of the complete dump's file or, with
 * `beginning`, their beginning.
 */
void piped_compare(const struct piped *stream, struct tree *whole, const char *path,
                   bool beginning);

/* The same for all names, inodes, sizes and bytes, after the stream has ended. */
void piped_compare_all(const struct piped *stream, struct tree *whole);

#endif

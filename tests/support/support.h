/* SPDX-License-Identifier: MIT */
/*
 * What the test programs share: cmocka, the corpus, temporary folders, files, and allocations that
 * fail on demand. Tests run in one process, and one thread makes requests.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_SUPPORT_H
#define GPUDUMPFS_TESTS_SUPPORT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Returns the path of a file or folder of the corpus, to be freed with free(). The corpus is the
 * folder $GPUDUMPFS_CORPUS or, without that, shared/corpus beside the source tree. Without a corpus
 * the calling test (not a setup) is skipped, or fails if GPUDUMPFS_REQUIRE_CORPUS=1. With a corpus,
 * a missing file always fails the test.
 */
char *support_corpus(const char *name);

/*
 * Skips the calling test, for a reason that `make check` prints at its end: a few words, always the
 * same for the same reason. To be called in a test, not in its setup.
 */
_Noreturn void support_skip(const char *reason);

/*
 * Skips a test that needs a graphics driver where there is none. Fails the test where CI promised
 * one (GPUDUMPFS_REQUIRE_CORPUS).
 */
_Noreturn void support_skip_driver(void);

/* Creates an empty folder and returns its path. Call support_remove() on it. */
char *support_folder(void);

/* Removes a folder with everything in it, frees the string, and clears the pointer. */
void support_remove(char **folder);

/* Returns `folder/name`, to be freed with free(). */
char *support_path(const char *folder, const char *name);

/*
 * Returns the number of files in a folder, without those whose names begin with a dot. Stores the
 * path of one of them in `path`.
 */
unsigned support_count_files(const char *folder, char *path, size_t size);

/* Removes these files. */
void support_empty_folder(const char *folder);

/*
 * Returns the complete file, with one spare byte after it, to be freed with free(). Fails the test
 * if the file cannot be read.
 */
uint8_t *support_read(const char *path, size_t *size);
void support_write(const char *path, const void *bytes, size_t size);

/*
 * Returns the complete contents of a .zst file, expanded, to be freed with free(). Fails the test
 * if they cannot be read.
 */
uint8_t *support_read_zst(const char *path, size_t *size);

uint32_t support_crc32(const void *bytes, size_t size);

/*
 * Returns n if one of every n cases of a long list is to be tested: 1, or 8 with a sanitizer, where
 * a test is several times as slow and looks for other defects.
 */
unsigned support_stride(void);

/*
 * Limits the address space of the process to `more` bytes more than it has now, as ulimit -v does.
 * 0 restores the limit from before the first call. Skips the test if limits have no effect on this
 * system.
 */
void support_limit_space(uint64_t more);

/* Returns the next of a repeatable sequence of pseudo-random numbers. *state must not be 0. */
uint64_t support_random(uint64_t *state);

/*
 * Makes the allocation with number `n`, counted from 0 at this point, fail. Only allocations by our
 * own code count: malloc, calloc, realloc, reallocarray, strdup and mmap. With a negative `n` none
 * fails. support_allocation_failed() returns whether the last one that was to fail was reached. A
 * test of a function that must survive failures:
 *
 *     for (int n = 0; n == 0 || support_allocation_failed(); n++) {
 *         support_fail_allocation(n);
 *         ... call; expect 0, or -ENOMEM if support_allocation_failed() ...
 *     }
 *     support_fail_allocation(-1);
 */
void support_fail_allocation(int n);
bool support_allocation_failed(void);

/* Returns the number of allocations before the one that fails. */
int support_allocations_left(void);

#endif

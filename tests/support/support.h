/* SPDX-License-Identifier: MIT */
/*
 * What the test programs share: cmocka, the corpus, temporary folders, files,
 * and allocations that fail on demand. Tests are one process, one thread asking.
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
 * The path of a file or folder of the corpus, for free(). The corpus is the folder
 * $GPUDUMPFS_CORPUS, else shared/corpus beside the source tree. Without a corpus the
 * calling test (not a setup) is skipped, or fails if GPUDUMPFS_REQUIRE_CORPUS=1; with a corpus
 * a missing file always fails.
 */
char *support_corpus(const char *name);

/*
 * Leaves the calling test out, for a reason that `make check` tells at its end: few words, and
 * the same ones wherever it is the same reason. Within a test, not in its setup.
 */
_Noreturn void support_skip(const char *reason);

/* For what needs a driver and finds none; fails where CI promised one (GPUDUMPFS_REQUIRE_CORPUS).
 */
_Noreturn void support_skip_driver(void);

/* A new empty folder, for support_remove(). */
char *support_folder(void);

/* Removes a folder with all that it holds, frees the string, and clears the pointer. */
void support_remove(char **folder);

/* `folder/name`, for free(). */
char *support_path(const char *folder, const char *name);

/* Files of a folder without those whose names begin with a dot; the path of one is left in `path`.
 */
unsigned support_count_files(const char *folder, char *path, size_t size);

/* Removes them. */
void support_empty_folder(const char *folder);

/* The whole file, for free(), one spare byte behind it. Fails the test when it cannot. */
uint8_t *support_read(const char *path, size_t *size);
void support_write(const char *path, const void *bytes, size_t size);

/* The whole expanded .zst file, for free(). Fails the test when it cannot. */
uint8_t *support_read_zst(const char *path, size_t *size);

uint32_t support_crc32(const void *bytes, size_t size);

/*
 * Of so many cases of a long list one is tried: 1, which is all of them; 8 under a sanitizer,
 * where a test is several times as slow and looks for other things.
 */
unsigned support_stride(void);

/*
 * From now on the process may take so many bytes of address space more, as under ulimit -v; 0: as
 * many as before the first call. Where nothing keeps such a limit the test is skipped.
 */
void support_limit_space(uint64_t more);

/* A repeatable sequence of pseudo-random numbers; any start but 0. */
uint64_t support_random(uint64_t *state);

/*
 * The allocation number `n` (from 0) from now on, by our own code, fails: malloc,
 * calloc, realloc, strdup and mmap. Negative: none fails. support_allocation_failed()
 * tells whether the last one that was to fail was reached. A test of a function that must survive:
 *
 *     for (int n = 0; n == 0 || support_allocation_failed(); n++) {
 *         support_fail_allocation(n);
 *         ... call; expect 0, or -ENOMEM if support_allocation_failed() ...
 *     }
 *     support_fail_allocation(-1);
 */
void support_fail_allocation(int n);
bool support_allocation_failed(void);

/* How many more will be made before the one that fails. */
int support_allocations_left(void);

#endif

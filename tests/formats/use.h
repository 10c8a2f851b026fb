/* SPDX-License-Identifier: MIT */
/*
 * Uses a small dump while something fails: opens, indexes and reads it while one call fails, the
 * first, the second and so on, and reads it again after the fault has ended. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_USE_H
#define GPUDUMPFS_TESTS_FORMATS_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { USE_FILES_MAX = 400 }; /* files of one dump that are read */

/* What a file was read as: the digest of its bytes, or the error. */
struct file_seen {
    uint64_t inode;
    uint32_t digest;
    int status;
};

struct seen {
    struct file_seen files[USE_FILES_MAX];
    size_t count;
    int worst; /* the last error of listing a directory; 0 if none */
};

/*
 * A kind of fault. From `begin` until `end`, call number n fails; `end` returns whether that call
 * was reached.
 */
struct fault {
    void (*begin)(int n);
    bool (*end)(void);
    int (*count)(void); /* number of calls between the two */
};

/* One use of a dump: `amid` was read while a call fails, `after` once more after that. */
struct use {
    struct seen amid, after;
    int status; /* of opening the dump and building its tree */
    bool reached;
    int calls;
    uint64_t problems; /* number of problems at the end of the fault */
};

void use_dump(const char *path, const struct fault *fault, int n, struct use *use);

/* Returns what was read of a file, or NULL if the file was not read. */
const struct file_seen *use_find(const struct seen *seen, uint64_t inode);

/*
 * Returns the number of the call to fail after call `n`, so that about `wanted` of `all` calls fail
 * in turn. The first few calls, where opening begins, are never left out.
 */
int use_next(int n, int all, int wanted);

/*
 * Returns how many calls are to fail: the value of the environment variable, where 0 means all, or
 * `standard` if it is not set.
 */
int use_wanted(const char *variable, int standard);

/* Returns whether this build has the format. */
bool use_is_built(const char *format);

#endif

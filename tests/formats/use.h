/* SPDX-License-Identifier: MIT */
/*
 * The use of a small dump in the midst of a fault: it is opened, indexed and read while one call
 * fails, the first, the second and so on, and read again when none does any more. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_USE_H
#define GPUDUMPFS_TESTS_FORMATS_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { USE_FILES_MAX = 400 }; /* of one dump that are read */

/* What a file was: its bytes, or why they could not be had. */
struct file_seen {
    uint64_t inode;
    uint32_t digest;
    int status;
};

struct seen {
    struct file_seen files[USE_FILES_MAX];
    size_t count;
    int worst; /* of listing and the like */
};

/* The call number n fails from `begin` on until `end`, which tells whether it was reached. */
struct fault {
    void (*begin)(int n);
    bool (*end)(void);
    int (*count)(void); /* of calls between the two */
};

/* One use of a dump. `amid` is what is read while a call fails, `after` once more later. */
struct use {
    struct seen amid, after;
    int status; /* of opening */
    bool reached;
    int calls;
    uint64_t problems; /* told by the end of the fault */
};

void use_dump(const char *path, const struct fault *fault, int n, struct use *use);

/* NULL: it was not read. */
const struct file_seen *use_find(const struct seen *seen, uint64_t inode);

/* The next call to fail, of `all`, when `wanted` are to; the first ones come in any case. */
int use_next(int n, int all, int wanted);

/* How many are wanted: what the variable of the environment says, 0 being all, else `standard`. */
int use_wanted(const char *variable, int standard);

/* Whether the format is built. */
bool use_is_built(const char *format);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Restricts which files a process can reach, by path and regardless of its user's permissions
 * (Landlock). Whatever the kernel is too old for is left out; the rest is restricted. Open
 * descriptors are not affected. The restriction applies to the calling thread and to threads that
 * it starts later, so it must be set up before other threads exist.
 */
#ifndef GPUDUMPFS_BASE_LANDLOCK_H
#define GPUDUMPFS_BASE_LANDLOCK_H

#include <stdint.h>

/* What is taken away besides all rights to files. */
enum landlock_taken {
    LANDLOCK_FILES = 0,
    LANDLOCK_NETWORK = 1, /* TCP: bind and connect (ABI 4) */
    LANDLOCK_SOCKETS = 2, /* abstract Unix sockets of processes outside (ABI 6) */
    LANDLOCK_SIGNALS = 4, /* sending signals to processes outside (ABI 6) */
};

/*
 * Rights below a path, or to a file. Rights that only make sense for folders are ignored for a
 * file.
 */
enum landlock_right {
    LANDLOCK_READ = 1,   /* read files */
    LANDLOCK_LIST = 2,   /* list folders */
    LANDLOCK_WRITE = 4,  /* write and truncate existing files */
    LANDLOCK_CHANGE = 8, /* create, rename and remove files and folders */
    LANDLOCK_EXECUTE = 16,
    LANDLOCK_DEVICE = 32, /* ioctl on devices (ABI 5) */
};

struct landlock_rules {
    int fd;
    int abi;
    uint64_t handled; /* rights to files that the kernel knows, as the kernel's own bits */
};

/* Returns the version of the kernel's Landlock interface; 0 if there is none, or it is disabled. */
int landlock_abi(void);

/*
 * Begins an empty list of exceptions. Returns 0, -ENOSYS if there is no Landlock, or another
 * -errno.
 */
int landlock_open(struct landlock_rules *rules, unsigned taken);

/*
 * Adds rights below a path. Returns 0 or -errno; a path that does not exist (-ENOENT) does no harm.
 */
int landlock_allow(const struct landlock_rules *rules, const char *path, unsigned rights);

/*
 * Adds rights by a descriptor of the file or folder, opened with O_PATH or otherwise. The
 * descriptor stays the caller's.
 */
int landlock_allow_fd(const struct landlock_rules *rules, int fd, unsigned rights);

/*
 * Puts the restrictions into force. The process must have no_new_privs. Frees the rules even if it
 * fails. Returns 0 or -errno.
 */
int landlock_restrict(struct landlock_rules *rules);

#endif

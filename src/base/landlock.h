/* SPDX-License-Identifier: MIT */
/*
 * Which files a process may reach, by their paths (Landlock), whatever its user may. What the
 * kernel is too old for is left out: restricted is what it knows. Descriptors that are open stay
 * what they are. Holds for the calling thread and those that it makes later: so before others
 * are there.
 */
#ifndef GPUDUMPFS_BASE_LANDLOCK_H
#define GPUDUMPFS_BASE_LANDLOCK_H

#include <stdint.h>

/* What is taken, beside all rights to files. */
enum landlock_taken {
    LANDLOCK_FILES = 0,
    LANDLOCK_NETWORK = 1, /* TCP: binding and connecting (ABI 4) */
    LANDLOCK_SOCKETS = 2, /* abstract Unix sockets of processes outside (ABI 6) */
    LANDLOCK_SIGNALS = 4, /* to processes outside (ABI 6) */
};

/* Rights below a path, or to a file; of a file, those that are for folders are left out. */
enum landlock_right {
    LANDLOCK_READ = 1,   /* files are read */
    LANDLOCK_LIST = 2,   /* folders are listed */
    LANDLOCK_WRITE = 4,  /* files that are there are written and cut */
    LANDLOCK_CHANGE = 8, /* files and folders are made, renamed and removed */
    LANDLOCK_EXECUTE = 16,
    LANDLOCK_DEVICE = 32, /* ioctl of devices (ABI 5) */
};

struct landlock_rules {
    int fd;
    int abi;
    uint64_t handled; /* rights to files that the kernel knows, in its own bits */
};

/* The version of the kernel's interface; 0: it has none, or it is switched off. */
int landlock_abi(void);

/* Begins a list of what is left; it is empty. 0; -ENOSYS: none here; or a negative errno. */
int landlock_open(struct landlock_rules *rules, unsigned taken);

/* 0; -ENOENT and the like for a path that is not there, which is no harm; or a negative errno. */
int landlock_allow(const struct landlock_rules *rules, const char *path, unsigned rights);

/* The same by a descriptor of the file or folder, O_PATH or any other; it stays the caller's. */
int landlock_allow_fd(const struct landlock_rules *rules, int fd, unsigned rights);

/* From here on; the process has no_new_privs. Frees the rules in any case. 0 or -errno. */
int landlock_restrict(struct landlock_rules *rules);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Processes that do for a confined one what it may not do itself (confinement.md): the keeper,
 * which opens files, mounts and unmounts, and the launcher, which starts workers. They are made
 * before the confinement, and take requests of one size, with descriptors beside, each answered at
 * once. A process without helpers (gpudump, tests) does everything itself.
 */
#ifndef GPUDUMPFS_BASE_HELPER_H
#define GPUDUMPFS_BASE_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum helper_role { HELPER_KEEPER, HELPER_LAUNCHER, HELPER_ROLES };

enum helper_kind {
    /* The keeper's. */
    HELPER_OPEN = 1, /* number: enum file_access_use; name, and maybe its folder; gives a file */
    HELPER_SPOOL,    /* a file without a name; gives it */
    HELPER_WATCH, /* number: enum file_access_events; an inotify queue, a file; gives its number */
    HELPER_LOAD_SHADERS, /* name; files that are filled */
    HELPER_SAVE_SHADERS, /* name; files that are kept */
    HELPER_DROP_SHADERS, /* name */
    HELPER_OPEN_KEPT,    /* name; a dump's file; gives what is kept for it (source/kept.h) */
    HELPER_REPLACE_KEPT, /* name; a dump's file, and what is to be kept for it */
    HELPER_MOUNT,        /* gives the device */
    HELPER_UNMOUNT,      /* a mount that is idle */
    HELPER_BACKGROUND,   /* leave standard error alone */
    HELPER_DETACH, /* flags: whether the mount has gone; unmount, remove what was made for it */
    /* The launcher's. */
    HELPER_START, /* number: limit of memory; flags: enum helper_start; its files; gives a number */
    HELPER_REAP,  /* number: that; flags: whether it is killed at once; gives how it ended */
};

enum helper_start {
    HELPER_FAST_COMPILE = 1,
    HELPER_COMPILE_ONLY = 2,
    HELPER_SHADERS = 4,
    HELPER_ONE_THREAD = 8,
    HELPER_VULKAN = 16
};

enum { HELPER_NAME = 4096, HELPER_FILES = 8 };

struct helper_request {
    uint32_t kind;
    uint32_t flags;
    uint64_t number;
    char name[HELPER_NAME]; /* with an end within */
};

struct helper_reply {
    int32_t status; /* 0 or a negative errno; or else what the kind says */
    int32_t value;
};

/* The confined side. */

/*
 * From now on that role is asked, through the socket, which is kept for good. Before other threads
 * are made.
 */
void helper_use(enum helper_role role, int socket);
bool helper_is_there(enum helper_role role);

/*
 * The sockets get the numbers from `first` on, one for each role. Before other threads are made.
 */
void helper_lift(int first);

/*
 * Asks, and waits for the answer: the helper's status, or -EPIPE when it is no more. `value` and
 * `file` may be NULL; *file is -1 without one. Any thread; one request at a time for each role.
 */
int helper_ask(enum helper_role role, const struct helper_request *request, const int *files,
               size_t count, int *value, int *file);

/* A request of a kind. 0, or -ENAMETOOLONG, without a name. */
int helper_fill(struct helper_request *request, enum helper_kind kind, const char *name);

/* No more is asked: the helper ends. */
void helper_leave(enum helper_role role);

/* The helper's side. One thread. */

/*
 * The next request, with the caller's copies of its descriptors. 1; 0: there are no more; or a
 * negative errno. What is not a request has the kind 0.
 */
int helper_receive(int socket, struct helper_request *request, int files[HELPER_FILES],
                   size_t *count);

/* `file` stays the caller's; -1: none. 0 or -errno. */
int helper_answer(int socket, int status, int value, int file);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Processes that do what a confined one may not do itself (confinement.md): the keeper, which opens
 * files, mounts and unmounts, and the launcher, which starts workers. They are started before the
 * confinement. They take requests of a fixed size, accompanied by descriptors, and answer each one
 * at once. A process without helpers (gpudump, tests) does everything itself.
 */
#ifndef GPUDUMPFS_BASE_HELPER_H
#define GPUDUMPFS_BASE_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum helper_role { HELPER_KEEPER, HELPER_LAUNCHER, HELPER_ROLES };

enum helper_kind {
    /* Requests to the keeper. "Returns a file" is a descriptor beside the reply. */
    HELPER_OPEN = 1, /* number: enum file_access_use; name; file: folder or none. Returns a file */
    HELPER_SPOOL,    /* returns an unnamed file */
    HELPER_WATCH, /* number: enum file_access_events; files: the queue and a file. value: watch */
    HELPER_LOAD_SHADERS, /* name; files: to be filled */
    HELPER_SAVE_SHADERS, /* name; files: to be stored */
    HELPER_DROP_SHADERS, /* name */
    HELPER_OPEN_KEPT,    /* name; file: the dump. Returns the file kept for it (source/kept.h) */
    HELPER_REPLACE_KEPT, /* name; files: the dump, and what is to be kept for it */
    HELPER_MOUNT,        /* returns the FUSE device */
    HELPER_UNMOUNT,      /* unmounts an idle mount */
    HELPER_BACKGROUND,   /* stops the keeper from using standard error */
    HELPER_DETACH, /* flags: 1 if the mount has gone; unmounts, removes what it created for it */
    /* Requests to the launcher. */
    HELPER_START, /* number: memory limit; flags: enum helper_start; files. value: process ID */
    HELPER_REAP,  /* number: process ID; flags: 1 to kill it first. value: how it ended */
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
    char name[HELPER_NAME]; /* NUL-terminated */
};

struct helper_reply {
    int32_t status; /* 0 or a negative errno, unless the kind of request defines other values */
    int32_t value;
};

/* The confined side. */

/*
 * Sends requests for this role through the socket from here on, which helper_leave() closes. Must
 * be called before other threads are started.
 */
void helper_use(enum helper_role role, int socket);
/* Returns whether there is a helper for this role. */
bool helper_is_there(enum helper_role role);

/*
 * Moves the sockets to the descriptors from `first` on, one for each role. Must be called before
 * other threads are started.
 */
void helper_lift(int first);

/*
 * Sends a request with `count` descriptors and waits for the reply. Returns the reply's status,
 * -EPIPE if the helper is gone, or -EMFILE if this process may open no more files. `value` and
 * `file` may be NULL; *file is -1 if the reply has no file. Any thread; requests to one role are
 * serialised.
 */
int helper_ask(enum helper_role role, const struct helper_request *request, const int *files,
               size_t count, int *value, int *file);

/* Initialises a request; `name` may be NULL. Returns 0, or -ENAMETOOLONG with an empty name. */
int helper_fill(struct helper_request *request, enum helper_kind kind, const char *name);

/* Closes the socket, at which the helper ends. */
void helper_leave(enum helper_role role);

/* The helper's side. One thread. */

/*
 * Receives the next request, with descriptors that the caller then owns. Returns 1, 0 if there are
 * no more requests, or -errno. A malformed request has kind 0.
 */
int helper_receive(int socket, struct helper_request *request, int files[HELPER_FILES],
                   size_t *count);

/* Replies to a request. `file` stays the caller's; -1 means none. Returns 0 or -errno. */
int helper_answer(int socket, int status, int value, int file);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Unmounts when there was no request for some time, from a thread of its own. The functions are for
 * the reader thread.
 */
#ifndef GPUDUMPFS_FUSE_IDLE_UNMOUNT_H
#define GPUDUMPFS_FUSE_IDLE_UNMOUNT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct mount_params;

#define IDLE_UNMOUNT_SECOND INT64_C(1000000000)
struct idle_unmount {
    int64_t after; /* nanoseconds; 0: never */
    int (*unmount)(void *context);
    void *context;
    int64_t since; /* time of the last request, or of the last attempt */
    pthread_t thread;
    bool has_thread;
    bool told;        /* for the thread alone: a failure was logged */
    atomic_bool busy; /* the thread is trying */
};

/* Initializes the state by the mount's parameters; starts nothing. */
void idle_unmount_init(struct idle_unmount *idle_unmount, const struct mount_params *params);

/* Notes that the mount is in use. */
void idle_unmount_stay(struct idle_unmount *idle_unmount, int64_t now);

/* Returns the nanoseconds until idle_unmount_try() has something to do, or -1 if it never has. */
int64_t idle_unmount_left(const struct idle_unmount *idle_unmount, int64_t now);

/* Starts an attempt to unmount if it is due. */
void idle_unmount_try(struct idle_unmount *idle_unmount, int64_t now);

/* Joins the thread, once the mount is gone. */
void idle_unmount_join(struct idle_unmount *idle_unmount);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Unmounts when nothing was asked for so long, by a thread of its own. Functions are the reader
 * thread's.
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
    int64_t since; /* something was asked for last, or an attempt failed */
    pthread_t thread;
    bool has_thread;
    bool told;        /* the thread's: that it failed */
    atomic_bool busy; /* the thread tries */
};

void idle_unmount_init(struct idle_unmount *idle_unmount, const struct mount_params *params);

/* Something was asked for. */
void idle_unmount_stay(struct idle_unmount *idle_unmount, int64_t now);

/* Nanoseconds until idle_unmount_try() does something; -1: it never will. */
int64_t idle_unmount_left(const struct idle_unmount *idle_unmount, int64_t now);
void idle_unmount_try(struct idle_unmount *idle_unmount, int64_t now);

/* When the mount has gone. */
void idle_unmount_join(struct idle_unmount *idle_unmount);

#endif

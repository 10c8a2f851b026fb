/* SPDX-License-Identifier: MIT */
/*
 * The reader thread's loop: takes messages from the kernel and has them answered, and looks after
 * what is under way in between. `while_waiting` are the signals that stay blocked while it waits.
 */
#ifndef GPUDUMPFS_FUSE_LOOP_H
#define GPUDUMPFS_FUSE_LOOP_H

#include "fuse/internal.h"

#include <signal.h>

/* As mount_hold_signals(). */
void loop_hold_signals(void);

/* The signals that end the mount are taken nowhere but in ppoll(), so that none is missed. */
void loop_catch_signals(sigset_t *while_waiting);

/* As mount_wait(). */
int loop_wait(struct mount *mount, int opened, const sigset_t *while_waiting);

/* 0 when the mount is gone or a signal came, or -errno of the FUSE device. */
int loop_serve(struct mount *mount, const sigset_t *while_waiting);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The loop of the reader thread: takes messages from the kernel, has them answered, and in between
 * checks what is under way. `while_waiting` is the set of signals that stay blocked while it waits.
 */
#ifndef GPUDUMPFS_FUSE_LOOP_H
#define GPUDUMPFS_FUSE_LOOP_H

#include "fuse/internal.h"

#include <signal.h>

/* Implements mount_hold_signals(). */
void loop_hold_signals(void);

/*
 * Installs the handlers of the signals that end the mount, and stores the set of signals for the
 * loop. These signals are taken nowhere but in ppoll(), so that none is missed.
 */
void loop_catch_signals(sigset_t *while_waiting);

/* Implements mount_wait(). */
int loop_wait(struct mount *mount, int opened, const sigset_t *while_waiting);

/*
 * Serves requests. Returns 0 when the mount is gone or a signal came, or -errno of the FUSE device.
 */
int loop_serve(struct mount *mount, const sigset_t *while_waiting);

#endif

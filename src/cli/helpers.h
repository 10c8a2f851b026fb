/* SPDX-License-Identifier: MIT */
/*
 * Starts the daemon's helpers (base/helper.h), and ends them. Main thread, before any other thread
 * is made.
 */
#ifndef GPUDUMPFS_CLI_HELPERS_H
#define GPUDUMPFS_CLI_HELPERS_H

#include "base/helper.h"

/* Registers the command line, which a helper overwrites with its own name for ps(1). */
void helpers_take_words(const char *program, int count, char **words);

/*
 * Forks a process that serves the role until its socket ends. It has a session of its own, keeps
 * only the standard descriptors and the socket, and ignores the signals that end the daemon. From
 * then on, helper_ask() sends requests to it. Returns 0 or -errno.
 */
int helpers_start(enum helper_role role, const char *title,
                  void (*serve)(void *context, int socket), void *context);

/* Ends both helpers, and waits for them. */
void helpers_end(void);

#endif

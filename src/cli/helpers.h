/* SPDX-License-Identifier: MIT */
/* Making the daemon's helpers (base/helper.h), and seeing them off. Main thread, before any other.
 */
#ifndef GPUDUMPFS_CLI_HELPERS_H
#define GPUDUMPFS_CLI_HELPERS_H

#include "base/helper.h"

/* The words of the program's command line, which a helper writes its own name over, for ps(1). */
void helpers_take_words(const char *program, int count, char **words);

/*
 * Forks a process that serves the role until its socket ends: it has a session of its own, no
 * descriptors but the standard ones and the socket, and leaves alone the signals that end the
 * daemon. From then on helper_ask() asks it. 0 or -errno.
 */
int helpers_start(enum helper_role role, const char *title,
                  void (*serve)(void *context, int socket), void *context);

/* Both end, and are waited for. */
void helpers_end(void);

#endif

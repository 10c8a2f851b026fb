/* SPDX-License-Identifier: MIT */
/*
 * Where a dump may come from while it is being written, besides a file: standard
 * input, a named pipe, or a socket on which one producer is waited for. Main
 * thread, before the fork.
 */
#ifndef GPUDUMPFS_SOURCE_STREAM_H
#define GPUDUMPFS_SOURCE_STREAM_H

#include "base/text.h"

#include <stdbool.h>

/* Whether a dump's name means a stream by itself: `-`, `tcp:…`, `unix:…`. */
bool stream_is_name(const char *name);

/* Whether it is a named pipe, which waits for its writer for as long as it takes. */
bool stream_is_pipe(const char *name);

/*
 * Opens it, which waits for a producer to come: for a writer of a pipe, for a
 * connection to a socket; where a socket is waited at is told as a warning, once a
 * producer can connect. `remote`: a TCP socket need not be on the loopback.
 * Sockets are gone afterwards, but for that connection. The caller's descriptor, or
 * -errno with a sentence in `message`: -EINVAL for a bad name or port, -EPERM for
 * another address than the loopback's.
 */
int stream_open(const char *name, bool remote, struct text *message);

#endif

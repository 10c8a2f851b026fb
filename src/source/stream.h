/* SPDX-License-Identifier: MIT */
/*
 * Sources of a dump that is being written, besides a file: standard input, a named pipe, or a
 * socket that waits for one producer. Main thread, before the fork.
 */
#ifndef GPUDUMPFS_SOURCE_STREAM_H
#define GPUDUMPFS_SOURCE_STREAM_H

#include "base/text.h"

#include <stdbool.h>

/* Returns whether a dump's name means a stream by itself: `-`, `tcp:…`, `unix:…`. */
bool stream_is_name(const char *name);

/*
 * Returns whether the name is that of a named pipe. Opening one waits for its writer, for any time.
 */
bool stream_is_pipe(const char *name);

/*
 * Opens a stream, which waits for a producer: for a pipe's writer, or for a connection to a socket.
 * The address of a socket is logged as a warning once a producer can connect. With `remote` a TCP
 * socket need not be on the loopback interface. No socket remains afterwards, except the
 * connection. Returns a descriptor that the caller owns, or -errno with a sentence in `message`:
 * -EINVAL for a bad name or port, -EPERM for an address that is not on the loopback interface.
 */
int stream_open(const char *name, bool remote, struct text *message);

#endif

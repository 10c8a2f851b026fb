/* SPDX-License-Identifier: MIT */
/*
 * The process that starts workers for a daemon that may start no process (confinement.md). It knows
 * one program, and takes only numbers and descriptors from the daemon (base/helper.h). It has one
 * thread.
 */
#ifndef GPUDUMPFS_WORKER_LAUNCHER_H
#define GPUDUMPFS_WORKER_LAUNCHER_H

#include <stdbool.h>

struct launcher_params {
    const char *program; /* absolute path; NULL: it is not installed */
    int program_file;   /* the program, open, as the user may not reach it by name; -1: it is not */
    const char *folder; /* shader_disk_cache_folder(); NULL: no shaders are kept */
    bool namespaces;    /* workers should get their own, if that is allowed */
};

/*
 * Serves requests until the socket is closed, then kills all remaining workers. The launcher's
 * process may have no descriptors except the standard ones, the socket and the program's; all must
 * be closed at an exec.
 */
void launcher_serve(const struct launcher_params *params, int socket);

#endif

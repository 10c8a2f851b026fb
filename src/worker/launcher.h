/* SPDX-License-Identifier: MIT */
/*
 * The process that starts workers for a daemon that may start none (confinement.md): it knows
 * one program, and takes from the daemon nothing but numbers and descriptors (base/helper.h). It
 * has one thread.
 */
#ifndef GPUDUMPFS_WORKER_LAUNCHER_H
#define GPUDUMPFS_WORKER_LAUNCHER_H

#include <stdbool.h>

struct launcher_params {
    const char *program; /* absolute; NULL: it is not installed */
    int program_file;   /* the same, open: where the user may not find it by its name; -1: is not */
    const char *folder; /* shader_disk_cache_folder(); NULL: no shaders are kept */
    bool namespaces;    /* workers are to have their own, where that is allowed */
};

/*
 * Serves until its socket ends, and kills the workers that there are then. Its process has no
 * descriptors but the standard ones, the socket and the program's, all closed at an exec.
 */
void launcher_serve(const struct launcher_params *params, int socket);

#endif

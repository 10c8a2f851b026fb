/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/worker_program.h"

#include "base/helper.h"
#include "worker/shader_disk_cache.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns DIRECTORY/NAME if that can be executed, otherwise NULL. The caller frees it. */
static char *runnable(const char *directory, const char *name)
{
    char *path = NULL;

    if (asprintf(&path, "%s/%s", directory, name) < 0)
        return NULL;
    if (access(path, X_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Found before the process was confined; a confined process may find nothing. */
static const char *known_program, *known_folder;

void worker_use_program(const char *program, const char *folder)
{
    known_program = program;
    known_folder = folder;
}

char *worker_program_folder(const char *program)
{
    if (!helper_is_there(HELPER_LAUNCHER))
        return shader_disk_cache_folder(program);
    return known_folder != NULL ? strdup(known_folder) : NULL;
}

char *worker_program(void)
{
    const char *told = getenv("GPUDUMPFS_GLWORKER");
    char folder[PATH_MAX], *path = NULL;
    ssize_t length;

    if (helper_is_there(HELPER_LAUNCHER))
        return known_program != NULL ? strdup(known_program) : NULL;
    length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    if (told != NULL && told[0] != '\0')
        return strdup(told);
    if (length > 0) {
        folder[length] = '\0';
        *strrchr(folder, '/') = '\0';
        path = runnable(folder, "gpudumpfs-glworker");
        if (path == NULL)
            path = runnable(folder, "../libexec/gpudumpfs-glworker");
    }
    return path != NULL ? path : runnable(GPUDUMPFS_LIBEXECDIR, "gpudumpfs-glworker");
}

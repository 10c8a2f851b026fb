#include "config.h"

#include "worker/shaders.h"

#include "worker/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)SHADERS_FILES == (int)LAUNCH_SHADER_FILES, "a process gets all of them");

void shaders_init(struct shaders *shaders)
{
    for (int i = 0; i < SHADERS_FILES; i++)
        shaders->files[i] = -1;
}

int shaders_make(struct shaders *shaders)
{
    if (shaders->files[0] >= 0)
        return 0;
    for (int i = 0; i < SHADERS_FILES; i++) {
        shaders->files[i] = launch_lift(memfd_create("gpudumpfs-shaders", MFD_CLOEXEC));
        if (shaders->files[i] < 0) {
            int status = -errno;

            shaders_clear(shaders);
            return status;
        }
    }
    return 0;
}

int shaders_share(const struct shaders *from, struct shaders *to)
{
    shaders_init(to);
    for (int i = 0; i < SHADERS_FILES && from->files[i] >= 0; i++) {
        to->files[i] = fcntl(from->files[i], F_DUPFD_CLOEXEC, LAUNCH_PLACES);
        if (to->files[i] < 0) {
            int status = -errno;

            shaders_clear(to);
            return status;
        }
    }
    return 0;
}

void shaders_clear(struct shaders *shaders)
{
    for (int i = 0; i < SHADERS_FILES; i++)
        if (shaders->files[i] >= 0)
            close(shaders->files[i]);
    shaders_init(shaders);
}

uint64_t shaders_stored(const struct shaders *shaders)
{
    int file = shaders->files[SHADERS_DATABASE];
    struct stat stat;

    return file >= 0 && fstat(file, &stat) == 0 ? (uint64_t)stat.st_size : 0;
}

uint64_t shaders_bytes(const struct shaders *shaders)
{
    uint64_t bytes = 0;
    struct stat stat;

    for (int i = 0; i < SHADERS_FILES; i++)
        if (shaders->files[i] >= 0 && fstat(shaders->files[i], &stat) == 0)
            bytes += (uint64_t)stat.st_blocks * 512;
    return bytes;
}

char *shaders_folder(const char *program)
{
    static const char name[] = "gpudumpfs-shaders";
    char path[PATH_MAX], *folder = NULL, *database = NULL;

    /* Absolute: the process goes elsewhere before Mesa looks for it. */
    if (realpath(program, path) == NULL)
        return NULL;
    *strrchr(path, '/') = '\0';
    if (asprintf(&folder, "%s/%s", path, name) < 0)
        return NULL;
    if (asprintf(&database, "%s/mesa_shader_cache_db", folder) < 0)
        database = NULL;
    if (database == NULL || access(database, X_OK) != 0) {
        free(folder);
        folder = NULL;
    }
    free(database);
    return folder;
}

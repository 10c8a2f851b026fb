/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/keeper.h"

#include "base/array.h"
#include "base/file_access.h"
#include "base/helper.h"
#include "base/log.h"
#include "formats/format.h"
#include "source/disk_cache.h"
#include "source/kept.h"
#include "source/spool.h"
#include "worker/shader_disk_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct keeper {
    const struct keeper_params *params;
    char *cache; /* folder of what is kept between mounts; NULL: none */
    char spool[64];
    bool has_mounted; /* mounting was tried */
    bool detached;
};

static bool is_of_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

int keeper_grant(struct keeper_grants *grants, enum keeper_right right, const char *path,
                 const char *const *names)
{
    struct keeper_grant row = {.right = right, .names = names, .folder = -1};

    if (ARRAY_GROW(grants->rows, grants->count, grants->room) != 0)
        return -ENOMEM;
    row.path = strdup(path);
    if (row.path == NULL)
        return -ENOMEM;
    if (is_of_descriptor(path))
        row.target = realpath(path, NULL);
    grants->rows[grants->count++] = row;
    return 0;
}

void keeper_grants_clear(struct keeper_grants *grants)
{
    for (size_t i = 0; i < grants->count; i++) {
        free(grants->rows[i].path);
        free(grants->rows[i].target);
    }
    free(grants->rows);
    *grants = (struct keeper_grants){.count = 0};
}

/* Opening. */

static bool is_of_folder(const struct keeper_grant *grant)
{
    return grant->right == KEEPER_FOLDER || grant->right == KEEPER_NAMES ||
           grant->right == KEEPER_TREE;
}

static bool is_granted(const struct keeper_grant *grant, const char *name)
{
    if (name[0] == '\0' || strchr(name, '/') != NULL || strcmp(name, ".") == 0 ||
        strcmp(name, "..") == 0)
        return false;
    return grant->right == KEEPER_FOLDER || format_names_have(grant->names, name);
}

static int open_below(const struct keeper_grant *grant, const char *name, enum file_access_use use)
{
    struct stat status;
    int file;

    if (use != FILE_ACCESS_BELOW && use != FILE_ACCESS_FOLDER_BELOW)
        return -EACCES;
    if (grant->folder < 0)
        return -ENOENT;
    file = file_access_open_here(grant->folder, name, use);
    if (file >= 0 &&
        (fstat(file, &status) != 0 ||
         !(S_ISDIR(status.st_mode) ? use == FILE_ACCESS_FOLDER_BELOW : S_ISREG(status.st_mode)))) {
        close(file);
        file = -ENXIO;
    }
    return file;
}

/* Opens regular files only. */
static int open_in(const struct keeper_grant *grant, const char *name, enum file_access_use use)
{
    struct stat status;
    int file;

    if (grant->right == KEEPER_TREE)
        return open_below(grant, name, use);
    if ((use != FILE_ACCESS_READ && use != FILE_ACCESS_READ_NO_LINK) || !is_granted(grant, name))
        return -EACCES;
    if (grant->right == KEEPER_FOLDER)
        use = FILE_ACCESS_READ_NO_LINK;
    if (grant->folder < 0)
        return -ENOENT;
    file = file_access_open_here(grant->folder, name, use);
    if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(file);
        file = grant->right == KEEPER_FOLDER ? -ENXIO : -EACCES; /* a sibling is as if absent */
    }
    return file;
}

static bool is_same_file(int one, int other)
{
    struct stat first, second;

    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static int open_by(const struct keeper_grant *grant, int folder, const char *name,
                   enum file_access_use use)
{
    size_t length = strlen(grant->path);

    if (is_of_folder(grant) && folder >= 0)
        return is_same_file(grant->folder, folder) ? open_in(grant, name, use) : -EACCES;
    if (is_of_folder(grant))
        return strncmp(name, grant->path, length) == 0 && name[length] == '/'
                   ? open_in(grant, name + length + 1, use)
                   : -EACCES;
    if (folder >= 0 || strcmp(name, grant->path) != 0 ||
        use != (grant->right == KEEPER_APPEND ? FILE_ACCESS_APPEND : FILE_ACCESS_READ))
        return -EACCES;
    if (grant->target == NULL && is_of_descriptor(grant->path))
        return -ENOENT;
    return file_access_open_here(AT_FDCWD, grant->target != NULL ? grant->target : name, use);
}

static int open_file(const struct keeper *keeper, const struct helper_request *request,
                     const int *files, size_t count)
{
    const struct keeper_grants *grants = keeper->params->grants;
    int file = -EACCES;

    if (request->number >= FILE_ACCESS_USES || count > 1)
        return -EINVAL;
    for (size_t i = 0; i < grants->count && file == -EACCES; i++)
        file = open_by(&grants->rows[i], count > 0 ? files[0] : -1, request->name,
                       (enum file_access_use)request->number);
    return file;
}

/*
 * A process can open a place with O_PATH even if it may neither read nor list what is there, but
 * the keeper may do both.
 */
static bool is_opened_to_read(int file)
{
    int flags = fcntl(file, F_GETFL);

    return flags >= 0 && (flags & O_PATH) == 0 && (flags & O_ACCMODE) != O_WRONLY;
}

static int watch(const struct helper_request *request, const int *files, size_t count, int *value)
{
    if (request->number >= FILE_ACCESS_EVENTS || count != 2)
        return -EINVAL;
    if (!is_opened_to_read(files[1]))
        return -EACCES;
    *value = file_access_watch_here(files[0], files[1], (enum file_access_events)request->number);
    return *value < 0 ? *value : 0;
}

/* Compiled shaders. */

static int use_shaders(const struct keeper *keeper, const struct helper_request *request,
                       const int *files, size_t count)
{
    struct shader_disk_cache shaders;
    char *path = NULL;
    int status = -EINVAL;

    if (!disk_cache_is_name(request->name))
        return -EINVAL;
    if (keeper->cache == NULL)
        return -ENOENT;
    if (asprintf(&path, "%s/%s", keeper->cache, request->name) < 0)
        return -ENOMEM;
    shader_disk_cache_init(&shaders);
    memcpy(shaders.files, files,
           sizeof(int) * (count < SHADER_DISK_CACHE_KEPT ? count : SHADER_DISK_CACHE_KEPT));
    if (request->kind == HELPER_DROP_SHADERS) {
        shader_disk_cache_drop(path);
        status = 0;
    } else if (count == SHADER_DISK_CACHE_KEPT) {
        status = request->kind == HELPER_LOAD_SHADERS ? shader_disk_cache_load(path, &shaders)
                                                      : shader_disk_cache_save(path, &shaders);
    }
    free(path);
    return status;
}

/* Results about dumps that are kept. */

static int open_kept(const struct keeper *keeper, const struct helper_request *request,
                     const int *files, size_t count)
{
    if (count != 1)
        return -EINVAL;
    return is_opened_to_read(files[0]) ? kept_file_open_here(keeper->cache, request->name, files[0])
                                       : -EACCES;
}

/* Other files, such as those below /proc, may be readable by the keeper but not by the daemon. */
static bool is_memory(int file)
{
    return fcntl(file, F_GET_SEALS) >= 0;
}

static int replace_kept(const struct keeper *keeper, const struct helper_request *request,
                        const int *files, size_t count)
{
    if (count != 2 || !is_memory(files[1]))
        return -EINVAL;
    return is_opened_to_read(files[0])
               ? kept_file_replace_here(keeper->cache, request->name, files[0], files[1])
               : -EACCES;
}

/* The mount. */

/* Mounts once: further mounts would cover the earlier ones, and only the last would be removed. */
static int make_mount(struct keeper *keeper, int *device)
{
    int status;

    if (keeper->params->mount == NULL)
        return -EINVAL;
    status =
        keeper->has_mounted ? -EALREADY : keeper->params->mount(keeper->params->context, device);
    keeper->has_mounted = true;
    if (status == 0)
        (void)!chdir("/");
    return status;
}

static int unmount_idle(const struct keeper *keeper)
{
    return keeper->params->unmount != NULL ? keeper->params->unmount(keeper->params->context)
                                           : -EINVAL;
}

static int leave_terminal(void)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    log_to_system();
    for (int standard = 0; nowhere >= 0 && standard <= 2; standard++)
        (void)dup2(nowhere, standard);
    if (nowhere > 2)
        close(nowhere);
    return nowhere < 0 ? -errno : 0;
}

static void detach(struct keeper *keeper, bool gone)
{
    if (!keeper->detached && keeper->params->detach != NULL)
        keeper->params->detach(keeper->params->context, gone);
    keeper->detached = true;
}

/* Serving. */

/* Returns a status. A descriptor that is to be sent is stored in *file. */
static int serve_one(struct keeper *keeper, const struct helper_request *request, const int *files,
                     size_t count, int *value, int *file)
{
    switch (request->kind) {
    case HELPER_OPEN:
        *file = open_file(keeper, request, files, count);
        return *file < 0 ? *file : 0;
    case HELPER_SPOOL:
        *file = spool_create(keeper->spool[0] != '\0' ? keeper->spool : keeper->params->spool);
        return *file < 0 ? *file : 0;
    case HELPER_WATCH:
        return watch(request, files, count, value);
    case HELPER_LOAD_SHADERS:
    case HELPER_SAVE_SHADERS:
    case HELPER_DROP_SHADERS:
        return use_shaders(keeper, request, files, count);
    case HELPER_OPEN_KEPT:
        *file = open_kept(keeper, request, files, count);
        return *file < 0 ? *file : 0;
    case HELPER_REPLACE_KEPT:
        return replace_kept(keeper, request, files, count);
    case HELPER_MOUNT:
        return make_mount(keeper, file);
    case HELPER_UNMOUNT:
        return unmount_idle(keeper);
    case HELPER_BACKGROUND:
        return leave_terminal();
    case HELPER_DETACH:
        detach(keeper, request->flags != 0);
        return 0;
    default:
        return -EINVAL;
    }
}

/* Opens the granted folders as they are named before the daemon begins. */
static void open_folders(struct keeper *keeper)
{
    const struct keeper_params *params = keeper->params;
    int spool = open(params->spool, O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (spool >= 0)
        snprintf(keeper->spool, sizeof(keeper->spool), "/proc/self/fd/%d", spool);
    for (size_t i = 0; i < params->grants->count; i++) {
        struct keeper_grant *grant = &params->grants->rows[i];

        if (is_of_folder(grant))
            grant->folder = open(grant->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
}

void keeper_serve(const struct keeper_params *params, int socket)
{
    struct keeper keeper = {.params = params};
    struct helper_request request;
    int files[HELPER_FILES];
    size_t count;

    if (params->begin != NULL)
        params->begin(params->context);
    keeper.cache = disk_cache_home(); /* possibly in another mount namespace */
    open_folders(&keeper);
    while (helper_receive(socket, &request, files, &count) == 1) {
        int value = 0, file = -1, status;

        status = serve_one(&keeper, &request, files, count, &value, &file);
        (void)helper_answer(socket, status, value, status == 0 ? file : -1);
        if (file >= 0)
            close(file);
        for (size_t i = 0; i < count; i++)
            close(files[i]);
    }
    detach(&keeper, false);
    free(keeper.cache);
}

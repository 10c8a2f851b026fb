/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/helper_roles.h"

#include "base/confinement.h"
#include "base/log.h"
#include "cli/helpers.h"
#include "source/spool.h"
#include "worker/shader_disk_cache.h"
#include "worker/worker_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DESCRIPTORS_MIN = 16 /* of a confined process */ };

static void be_keeper(void *context, int socket)
{
    const struct helper_roles *roles = context;

    keeper_serve(&roles->keeper, socket);
}

static void be_launcher(void *context, int socket)
{
    struct helper_roles *roles = context;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int standard = 0; nowhere >= 0 && standard <= 2; standard++)
        (void)dup2(nowhere, standard);
    if (nowhere > 2)
        close(nowhere);
    if (roles->launcher.program != NULL)
        roles->launcher.program_file = open(roles->launcher.program, O_PATH | O_CLOEXEC);
    /* If this fails, it fails for the process beside it, too, which reports it. */
    (void)confine_become(&roles->user);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    launcher_serve(&roles->launcher, socket);
}

static int grant_path(void *context, const char *path, bool output)
{
    struct keeper_grants *grants = context;
    int status = 0;

    if (output)
        return keeper_grant(grants, KEEPER_APPEND, path, NULL);
    for (const struct format *format = formats_table; format->name != NULL && status == 0; format++)
        if (format->ops->siblings != NULL)
            status = keeper_grant(grants, KEEPER_NAMES, path, format->ops->siblings);
    return status;
}

/* Grants the files of a folder that is a dump. */
static int grant_members(struct keeper_grants *grants, const char *folder)
{
    int status = 0;

    for (const struct format *format = formats_table; format->name != NULL && status == 0; format++)
        if (format->ops->members != NULL)
            status = keeper_grant(grants, KEEPER_NAMES, folder, format->ops->members);
    return status;
}

/* Returns the folder of a path, or the folder itself; the caller frees it. */
static char *folder_of(const char *path, bool is_folder)
{
    char *real = realpath(path, NULL);

    if (real != NULL && !is_folder) {
        char *slash = strrchr(real, '/');

        slash[slash == real] = '\0'; /* keeps the slash of the root */
    }
    return real;
}

int helper_roles_grant_dump(struct helper_roles *roles, const char *dump, bool is_folder)
{
    char *folder = folder_of(dump, is_folder);
    int status = keeper_grant(&roles->grants, KEEPER_FILE, dump, NULL);

    if (status == 0 && folder != NULL)
        status = grant_path(&roles->grants, folder, false);
    if (status == 0 && folder != NULL && is_folder)
        status = grant_members(&roles->grants, folder);
    free(folder);
    return status;
}

/*
 * The helpers' sockets get the highest numbers (cli/confine.c); with a low limit these may be in
 * use already.
 */
static bool has_descriptors(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= DESCRIPTORS_MIN)
        return true;
    log_write(LOG_ERR, "only %llu files may be open, but %d are needed: raise ulimit -n",
              (unsigned long long)files.rlim_cur, DESCRIPTORS_MIN);
    return false;
}

/*
 * Finds the program that draws, and the folder of its shaders, for the launcher and for this
 * process.
 */
static void find_worker(struct launcher_params *launcher)
{
    *launcher = (struct launcher_params){
        .program = worker_program(), .program_file = -1, .namespaces = true};
    if (launcher->program != NULL)
        launcher->folder = shader_disk_cache_folder(launcher->program);
    worker_use_program(launcher->program, launcher->folder);
}

enum program_status helper_roles_start(struct helper_roles *roles,
                                       const struct program_options *options)
{
    int status;

    if (!has_descriptors())
        return PROGRAM_OPEN;
    status = options_each_path(&options->common, grant_path, &roles->grants);
    roles->keeper.grants = &roles->grants;
    roles->keeper.spool = spool_folder(options->spool);
    find_worker(&roles->launcher);
    if (status == 0)
        status = helpers_start(HELPER_KEEPER, "keeper", be_keeper, roles);
    if (status == 0)
        status = helpers_start(HELPER_LAUNCHER, "launcher", be_launcher, roles);
    if (status < 0)
        log_write(LOG_ERR, "the helper processes cannot be started: %s", strerror(-status));
    confinement_note(CONFINEMENT_KEEPER, status == 0, "opens files, mounts and unmounts");
    confinement_note(CONFINEMENT_LAUNCHER, status == 0, "starts graphics workers");
    return status == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

void helper_roles_clear(struct helper_roles *roles)
{
    keeper_grants_clear(&roles->grants);
}

/* SPDX-License-Identifier: MIT */
/* The processes beside the daemon: what each of them does, and may. */
#include "config.h"

#include "base/confinement.h"
#include "base/log.h"
#include "cli/helpers.h"
#include "cli/mount_session.h"
#include "cli/mounts.h"
#include "source/spool.h"
#include "worker/shader_disk_cache.h"
#include "worker/worker_program.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int mount_as_keeper(void *context, int *device)
{
    struct mount_session *session = context;
    enum program_status status =
        session->is_elsewhere ? PROGRAM_MOUNTPOINT : mount_session_attach_here(session);

    if (status != PROGRAM_OK)
        return (int)status;
    *device = mount_give_device(session->mount);
    return *device < 0 ? *device : 0;
}

/* The kernel gives numbers of connections again: the daemon knows whether its own has gone. */
static void detach_as_keeper(void *context, bool gone)
{
    struct mount_session *session = context;
    unsigned connection = 0;

    if (session->attached && !gone && mounts_find(session->point.path, &connection) == 0 &&
        connection == session->connection)
        mount_detach(session->mount);
    mountpoint_clear(&session->point);
}

/* The daemon's own may be one that a service manager has made, whose mounts nobody else sees. */
static int enter_namespace(const char *name)
{
    char *here = getcwd(NULL, 0);
    int file =
        strcmp(name, "-") == 0 ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int status = file < 0 || setns(file, CLONE_NEWNS) != 0 ? -errno : 0;

    if (file >= 0)
        close(file);
    if (here != NULL)
        (void)!chdir(here);
    free(here);
    return status;
}

static void be_keeper(void *context, int socket)
{
    struct mount_session *session = context;
    const struct keeper_params params = {.grants = &session->grants,
                                         .spool = spool_folder(session->program.options.spool),
                                         .mount = mount_as_keeper,
                                         .unmount = mount_session_unmount_idle,
                                         .detach = detach_as_keeper,
                                         .context = session};
    const char *name = session->program.options.mount_namespace;
    int status = name != NULL ? enter_namespace(name) : 0;

    session->is_elsewhere = status < 0;
    if (status < 0)
        log_write(LOG_ERR, "mount-namespace=%s: %s", name, strerror(-status));
    keeper_serve(&params, socket);
}

static void be_launcher(void *context, int socket)
{
    struct mount_session *session = context;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int standard = 0; nowhere >= 0 && standard <= 2; standard++)
        (void)dup2(nowhere, standard);
    if (nowhere > 2)
        close(nowhere);
    if (session->launcher.program != NULL)
        session->launcher.program_file = open(session->launcher.program, O_PATH | O_CLOEXEC);
    /* Where it may not, the daemon may not either, which tells. */
    (void)confine_become(&session->user);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    launcher_serve(&session->launcher, socket);
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

/* What a folder that is a dump consists of. */
static int grant_members(struct keeper_grants *grants, const char *folder)
{
    int status = 0;

    for (const struct format *format = formats_table; format->name != NULL && status == 0; format++)
        if (format->ops->members != NULL)
            status = keeper_grant(grants, KEEPER_NAMES, folder, format->ops->members);
    return status;
}

/* Its folder; of a folder itself. For free(). */
static char *folder_of(const char *path, bool is_folder)
{
    char *real = realpath(path, NULL);

    if (real != NULL && !is_folder) {
        char *slash = strrchr(real, '/');

        slash[slash == real] = '\0'; /* the root's own stays */
    }
    return real;
}

/* What the formats know by its name lies beside the dump, or in it. */
static int grant_dump(struct mount_session *session, const char *dump, bool is_folder)
{
    char *folder = folder_of(dump, is_folder);
    int status = keeper_grant(&session->grants, KEEPER_FILE, dump, NULL);

    if (status == 0 && folder != NULL)
        status = grant_path(&session->grants, folder, false);
    if (status == 0 && folder != NULL && is_folder)
        status = grant_members(&session->grants, folder);
    free(folder);
    return status;
}

enum program_status mount_session_start_helpers(struct mount_session *session)
{
    int status = options_each_path(&session->program.options.common, grant_path, &session->grants);

    if (status == 0 && session->dumps != NULL)
        status =
            keeper_grant(&session->grants, KEEPER_FOLDER, folder_dumps_path(session->dumps), NULL);
    else if (status == 0 && session->stream < 0)
        status = grant_dump(session, session->command.dump, session->program.is_folder);
    if (status == 0 && session->pair != NULL)
        status = grant_dump(session, session->command.other, session->pair->second.is_folder);
    if (status == 0 && session->overlay != NULL)
        status = keeper_grant(&session->grants, KEEPER_TREE, overlay_path(session->overlay), NULL);
    session->launcher = (struct launcher_params){
        .program = worker_program(), .program_file = -1, .namespaces = true};
    if (session->launcher.program != NULL)
        session->launcher.folder = shader_disk_cache_folder(session->launcher.program);
    worker_use_program(session->launcher.program, session->launcher.folder);
    if (status == 0)
        status = helpers_start(HELPER_KEEPER, "keeper", be_keeper, session);
    if (status == 0)
        status = helpers_start(HELPER_LAUNCHER, "launcher", be_launcher, session);
    if (status < 0)
        log_write(LOG_ERR, "no processes beside the daemon: %s", strerror(-status));
    confinement_note(CONFINEMENT_KEEPER, status == 0, "opens files, mounts and unmounts");
    confinement_note(CONFINEMENT_LAUNCHER, status == 0, "starts graphics workers");
    return status == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

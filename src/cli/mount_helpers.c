/* SPDX-License-Identifier: MIT */
/* The processes beside the daemon: what its keeper does with the mount, and what it may open. */
#include "config.h"

#include "base/log.h"
#include "cli/mount_session.h"
#include "cli/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
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

/* The kernel reuses numbers of connections, so `gone` says whether our own mount is gone. */
static void detach_as_keeper(void *context, bool gone)
{
    struct mount_session *session = context;
    unsigned connection = 0;

    if (session->attached && !gone && mounts_find(session->point.path, &connection) == 0 &&
        connection == session->connection)
        mount_detach(session->mount);
    mountpoint_clear(&session->point);
}

/*
 * The daemon's own namespace may be one that a service manager has made, whose mounts no other
 * program sees.
 */
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

static void begin_as_keeper(void *context)
{
    struct mount_session *session = context;
    const char *name = session->program.options.mount_namespace;
    int status = name != NULL ? enter_namespace(name) : 0;

    session->is_elsewhere = status < 0;
    if (status < 0)
        log_write(LOG_ERR, "mount-namespace=%s: %s", name, strerror(-status));
}

static int grant_all(struct mount_session *session)
{
    struct helper_roles *roles = &session->helpers;
    int status = 0;

    if (session->dumps != NULL)
        status =
            keeper_grant(&roles->grants, KEEPER_FOLDER, folder_dumps_path(session->dumps), NULL);
    else if (session->stream < 0)
        status = helper_roles_grant_dump(roles, session->command.dump, session->program.is_folder);
    if (status == 0 && session->pair != NULL)
        status =
            helper_roles_grant_dump(roles, session->command.other, session->pair->second.is_folder);
    if (status == 0 && session->overlay != NULL)
        status = keeper_grant(&roles->grants, KEEPER_TREE, overlay_path(session->overlay), NULL);
    return status;
}

enum program_status mount_session_start_helpers(struct mount_session *session)
{
    int status = grant_all(session);

    if (status < 0) {
        log_write(LOG_ERR, "%s", strerror(-status));
        return PROGRAM_OPEN;
    }
    session->helpers.keeper = (struct keeper_params){.begin = begin_as_keeper,
                                                     .mount = mount_as_keeper,
                                                     .unmount = mount_session_unmount_idle,
                                                     .detach = detach_as_keeper,
                                                     .context = session};
    return helper_roles_start(&session->helpers, &session->program.options);
}

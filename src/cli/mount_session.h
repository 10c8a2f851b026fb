/* SPDX-License-Identifier: MIT */
/*
 * What gpudumpfs(1) is about to mount, or has mounted: the daemon and the processes beside it,
 * which each have a copy. Main thread, unless a function says otherwise.
 */
#ifndef GPUDUMPFS_CLI_MOUNT_SESSION_H
#define GPUDUMPFS_CLI_MOUNT_SESSION_H

#include "cli/command.h"
#include "cli/daemon.h"
#include "cli/folder.h"
#include "cli/helper_roles.h"
#include "cli/mountpoint.h"
#include "cli/overlay.h"
#include "cli/pair.h"

struct mount_session {
    struct command command;
    struct program program;
    struct mountpoint point;
    struct mount *mount;
    struct folder_dumps *dumps; /* of a folder; else NULL */
    struct overlay *overlay;    /* edits; NULL: none */
    struct pair *pair;          /* of two that are compared; else NULL */
    struct daemon daemon;
    struct helper_roles helpers; /* and the user that the daemon becomes */
    int stream;                  /* opened before the confinement; -1: none */
    int device;                  /* the number that FUSE's has where it is confined; -1: any */
    bool attached;
    bool is_elsewhere;   /* the keeper, that could not enter mount-namespace */
    unsigned connection; /* of the mount, in the process that has made it (mounts_find()) */
};

/* mounting.c: the mount and its place. What fails is told, to the log. */

enum program_status mount_session_create(struct mount_session *session);
enum program_status mount_session_check_mountpoint(struct mount_session *session);

/* By the keeper, where there is one; else by this process, as the second does in any case. */
enum program_status mount_session_attach(struct mount_session *session);
enum program_status mount_session_attach_here(struct mount_session *session);

/*
 * Of a session, by a thread of its own. Not a mount that somebody else made at this place after
 * ours was detached (umount -l), where our process lives on as long as a file is open. 0 or -errno.
 */
int mount_session_unmount_idle(void *context);

/*
 * Unmounts, and ends the processes beside this one. The keeper unmounts, and removes what it has
 * made, while the device is still open here.
 */
void mount_session_detach(struct mount_session *session);

/* mount_helpers.c: starts the keeper, with what it may open, and the launcher. */
enum program_status mount_session_start_helpers(struct mount_session *session);

#endif

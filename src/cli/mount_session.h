/* SPDX-License-Identifier: MIT */
/*
 * What gpudumpfs(1) is going to mount, or has mounted. The daemon and the processes beside it each
 * have a copy. Main thread, unless a function says otherwise.
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
    struct folder_dumps *dumps; /* of a mounted folder; otherwise NULL */
    struct overlay *overlay;    /* edits; NULL: none */
    struct pair *pair;          /* of two dumps that are compared; otherwise NULL */
    struct daemon daemon;
    struct helper_roles helpers; /* including the user that the daemon becomes */
    int stream;                  /* opened before the confinement; -1: none */
    int device; /* number reserved for FUSE's device, which the confinement knows; -1: none */
    bool attached;
    bool is_elsewhere;   /* in the keeper: it could not enter mount-namespace */
    unsigned connection; /* of the mount, in the process that made it (mounts_find()) */
};

/* mounting.c: the mount and its place. Failures are logged. */

/* Creates `mount`, which checks libfuse's options; mounts nothing. */
enum program_status mount_session_create(struct mount_session *session);

/* Checks and sets the mountpoint, or takes over the device that mount.fuse3 has opened. */
enum program_status mount_session_check_mountpoint(struct mount_session *session);

/* Mounts: by the keeper if there is one, otherwise in this process. */
enum program_status mount_session_attach(struct mount_session *session);

/* Mounts in this process. */
enum program_status mount_session_attach_here(struct mount_session *session);

/*
 * Unmounts an idle mount; `context` is the session. Called by a thread of its own. Leaves alone a
 * mount that another program has made at this place after ours was detached (umount -l); our
 * process lives on then as long as a file is open. Returns 0 or -errno.
 */
int mount_session_unmount_idle(void *context);

/*
 * Unmounts, and ends the helpers. If there is a keeper, it unmounts and removes what it has made
 * while the device is still open here.
 */
void mount_session_detach(struct mount_session *session);

/* mount_helpers.c: starts the launcher, and the keeper with its grants. */
enum program_status mount_session_start_helpers(struct mount_session *session);

#endif

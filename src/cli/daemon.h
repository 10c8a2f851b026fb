/* SPDX-License-Identifier: MIT */
/*
 * Going into the background. The parent waits until the child is ready or ends, and ends with the
 * corresponding status, so that the program's caller knows when the mount can be used. There must
 * be no other thread before the fork.
 */
#ifndef GPUDUMPFS_CLI_DAEMON_H
#define GPUDUMPFS_CLI_DAEMON_H

#include <stdbool.h>
#include <sys/types.h>

struct daemon {
    int word; /* pipe, written by the child and read by the parent; -1: none */
    pid_t child;
    pid_t parent;
    bool forked;
    int nowhere; /* /dev/null, from daemon_connect() */
};

/*
 * Opens what is needed later and cannot be opened by a confined process: /dev/null, syslog, and the
 * socket of the service manager.
 */
void daemon_connect(struct daemon *daemon);

/*
 * In the child: makes the kernel end it if its parent is killed before it is ready. Call this again
 * after the child has changed its user, since the kernel forgets the setting then. Exits at once if
 * the parent has already ended.
 */
void daemon_follow_parent(const struct daemon *daemon);

/* Forks. `daemon->child` is 0 in the child. Returns 0 or -errno. */
int daemon_fork(struct daemon *daemon);

/*
 * In the parent: waits for the child. Returns 0 when it is ready. If it ends before that, returns
 * its exit status, or 1 if that is 0 or there is none.
 */
int daemon_wait(struct daemon *daemon);

/*
 * In the child: lets the parent end, and leaves its terminal and folder. From then on errors go to
 * syslog.
 */
void daemon_ready(struct daemon *daemon);

/*
 * Notifications of a service manager (sd_notify(3)): datagrams to the socket that NOTIFY_SOCKET in
 * the environment names. If there is none, or a datagram cannot be sent, nothing happens.
 */

/* Reports that the dump is being opened; may be called several times. */
void daemon_notify_opening(const char *dump);

/* Reports that the mount can be used, and that this process serves it. */
void daemon_notify_ready(const char *dump, const char *place);

/* Reports that the mount is gone, or will be gone at once. */
void daemon_notify_stopping(void);

#endif

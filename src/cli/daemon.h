/* SPDX-License-Identifier: MIT */
/*
 * Going into the background. The parent waits for the child's word, and ends with the status that
 * the child gives, so that the program's caller knows when the mount can be used. No other thread
 * before.
 */
#ifndef GPUDUMPFS_CLI_DAEMON_H
#define GPUDUMPFS_CLI_DAEMON_H

#include <stdbool.h>
#include <sys/types.h>

struct daemon {
    int word; /* the pipe: the child writes, the parent reads; -1: neither */
    pid_t child;
    pid_t parent;
    bool forked;
    int nowhere; /* daemon_connect()'s */
};

/* What is needed later, and cannot be had by a confined process: /dev/null, syslog, the manager. */
void daemon_connect(struct daemon *daemon);

/*
 * In the child: it ends when its parent is killed before it is ready, at once if that was before
 * this. Told again after its user has changed, for then the kernel forgets.
 */
void daemon_follow_parent(const struct daemon *daemon);

/* Forks. In the child `child` is 0. 0 or -errno. */
int daemon_fork(struct daemon *daemon);

/* The parent: waits until the child is ready (0) or has ended: its exit status. */
int daemon_wait(struct daemon *daemon);

/* The child: lets the parent end, and leaves its terminal and folder. Errors go to syslog. */
void daemon_ready(struct daemon *daemon);

/*
 * Telling a service manager how it goes (sd_notify(3)): a datagram to the socket that the
 * environment names in NOTIFY_SOCKET. Without one, or where it cannot be sent, nothing is done.
 */

/* The dump is being opened; may be told several times. */
void daemon_notify_opening(const char *dump);

/* The mount can be used, by this process. */
void daemon_notify_ready(const char *dump, const char *place);

/* The mount has gone, or will go at once. */
void daemon_notify_stopping(void);

#endif

/*
 * Going into the background: the parent waits for the child's word, and ends with
 * the status that the child gives, so that who started the program knows that
 * the mount can be used. Main thread only, no other thread before.
 */
#ifndef GPUDUMPFS_DAEMON_H
#define GPUDUMPFS_DAEMON_H

#include <sys/types.h>

struct daemon {
    int word; /* the pipe: the child writes, the parent reads; -1: neither */
    pid_t child;
};

/* Forks. In the child `child` is 0. 0 or -errno. */
int daemon_fork(struct daemon *daemon);

/* The parent: waits until the child is ready (0) or has ended: its exit status. */
int daemon_wait(struct daemon *daemon);

/* The child: lets the parent end, and leaves its terminal and folder. Errors go to syslog. */
void daemon_ready(struct daemon *daemon);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Child processes that do a part of a program's work while the parent waits, with a time limit. A
 * child ends with its parent. Main thread, before any other thread is made.
 */
#ifndef GPUDUMPFS_CLI_CHILD_H
#define GPUDUMPFS_CLI_CHILD_H

#include <signal.h>
#include <sys/types.h>

struct child {
    pid_t process; /* 0 in the child */
    pid_t parent;
    sigset_t signals; /* mask before the fork; the parent blocks SIGCHLD until child_wait() */
};

/* Forks. Returns 0 in both processes, or -errno. */
int child_fork(struct child *child);

/*
 * In the child: makes the kernel kill it when its parent ends. Call this again after the child has
 * changed its user, since the kernel forgets the setting then. Exits at once if the parent has
 * already ended.
 */
void child_follow_parent(const struct child *child);

/*
 * In the parent: waits for the child. Returns its exit status, or -1 if it was ended by a signal or
 * had to be killed, which is logged with `what` it was working on. The limit of `seconds` does not
 * run while the parent is stopped; 0: no limit.
 */
int child_wait(struct child *child, unsigned seconds, const char *what);

/*
 * Forks one of several children, one for each dump, so that a dump that crashes one child leaves
 * the others alone. The child ends with its parent. Returns its process id, 0 in the child, or
 * -errno.
 */
pid_t child_begin(void);

/*
 * Waits until that child has ended, or any child if `process` is -1. Returns its process id, with
 * waitpid()'s status in *ended; or -errno.
 */
pid_t child_wait_for(pid_t process, int *ended);

#endif

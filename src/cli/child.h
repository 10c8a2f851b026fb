/* SPDX-License-Identifier: MIT */
/*
 * A child that does a part of a program's work, and that its parent waits for: not longer than it
 * may take, and it ends with its parent. Main thread, before any other is made.
 */
#ifndef GPUDUMPFS_CLI_CHILD_H
#define GPUDUMPFS_CLI_CHILD_H

#include <signal.h>
#include <sys/types.h>

struct child {
    pid_t process; /* in the child 0 */
    pid_t parent;
    sigset_t signals; /* that were blocked before; the parent blocks SIGCHLD until it has waited */
};

/* 0, in both of them, or -errno. */
int child_fork(struct child *child);

/*
 * In the child: told again after its user has changed, for then the kernel forgets. Where the
 * parent has ended by then, so does the child.
 */
void child_follow_parent(const struct child *child);

/*
 * The parent: its exit status, or -1 where it was ended by a signal or had to be killed, which is
 * told with `what` it was about. `seconds` do not pass while the parent is stopped; 0: any time.
 */
int child_wait(struct child *child, unsigned seconds, const char *what);

/*
 * Of several children, one for each dump, so that what a dump does to one leaves the others alone:
 * begins one that ends with its parent. Its process, 0 in the child, or -errno.
 */
pid_t child_begin(void);

/* Waits until that one has ended, or with -1 any. Its process, with waitpid()'s status; or -errno.
 */
pid_t child_wait_for(pid_t process, int *ended);

#endif

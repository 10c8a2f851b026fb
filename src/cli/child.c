/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/child.h"

#include "base/log.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void child_follow_parent(const struct child *child)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != child->parent)
        _exit(1); /* it ended before the prctl() */
}

static void begin(const struct child *child)
{
    child_follow_parent(child);
    sigprocmask(SIG_SETMASK, &child->signals, NULL);
}

int child_fork(struct child *child)
{
    sigset_t ends;

    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &child->signals);
    child->parent = getpid();
    child->process = fork();
    if (child->process == 0)
        begin(child);
    if (child->process < 0) {
        int error = errno;

        sigprocmask(SIG_SETMASK, &child->signals, NULL);
        return -error;
    }
    return 0;
}

pid_t child_begin(void)
{
    const struct child child = {.parent = getpid()};
    const pid_t process = fork();

    if (process == 0)
        child_follow_parent(&child);
    return process >= 0 ? process : -errno;
}

pid_t child_wait_for(pid_t process, int *ended)
{
    pid_t found;

    do
        found = waitpid(process, ended, 0);
    while (found < 0 && errno == EINTR);
    return found >= 0 ? found : -errno;
}

/* Returns false if the process has not ended within a second. */
static bool has_ended(pid_t process, int *ended)
{
    static const struct timespec second = {.tv_sec = 1};
    sigset_t ends;
    int number;

    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    do {
        if (waitpid(process, ended, WNOHANG) == process)
            return true;
        number = sigtimedwait(&ends, NULL, &second);
    } while (number >= 0 || errno == EINTR);
    return waitpid(process, ended, WNOHANG) == process;
}

/* Root without CAP_KILL may not kill another user's process, and then must not wait for it. */
static void end(pid_t process)
{
    if (kill(process, SIGKILL) != 0)
        return;
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        ;
}

int child_wait(struct child *child, unsigned seconds, const char *what)
{
    unsigned passed = 0;
    bool late = false;
    int ended = 0;

    while (!late && !has_ended(child->process, &ended))
        late = seconds != 0 && ++passed >= seconds;
    if (late) {
        log_write(LOG_ERR, "%s: abandoned, since it took longer than %u s", what, seconds);
        end(child->process);
    } else if (WIFSIGNALED(ended)) {
        log_write(LOG_ERR, "%s: the process that reads it was ended by a signal: %s", what,
                  strsignal(WTERMSIG(ended)));
    }
    sigprocmask(SIG_SETMASK, &child->signals, NULL);
    return !late && WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

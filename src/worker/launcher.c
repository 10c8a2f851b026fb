/* SPDX-License-Identifier: MIT */
/*
 * Workers have user, network, IPC, UTS and PID namespaces of their own, shared by all workers of
 * one launcher. The namespaces are made with the first worker, since most mounts need none. The
 * first process of a PID namespace gets no signal that it does not handle, not even from its own
 * abort(), so it is a process that does nothing. When it ends, the kernel kills all others.
 *
 * Workers have no mount namespace: it would keep this mount, and all others, from being unmounted.
 */
#include "config.h"

#include "worker/launcher.h"

#include "base/descriptors.h"
#include "base/helper.h"
#include "worker/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_MAX = 256 };

struct launcher {
    const struct launcher_params *params;
    const char *program;
    char open_program[32];
    pid_t workers[WORKERS_MAX]; /* 0: none */
    pid_t first;                /* the first process of the PID namespace */
    bool begun;
    bool is_broken; /* the namespace has no first process: the end of a worker would end it */
};

/* Runs until the launcher ends, and the only other end of the pipe is closed with it. */
_Noreturn static void be_first(int pipe)
{
    char byte;

    (void)dup2(pipe, STDIN_FILENO);
    descriptors_close(STDIN_FILENO + 1U, ~0U);
    while (read(STDIN_FILENO, &byte, 1) < 0)
        ;
    _exit(0);
}

/* If namespaces are forbidden, workers share the launcher's. */
static void make_namespaces(struct launcher *launcher)
{
    int ends[2];

    launcher->begun = true;
    if (!launcher->params->namespaces || pipe2(ends, O_CLOEXEC) != 0)
        return;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWPID) == 0) {
        launcher->first = fork();
        if (launcher->first == 0)
            be_first(ends[0]);
        launcher->is_broken = launcher->first < 0;
    }
    close(ends[0]); /* the other end stays open */
}

static pid_t *find(struct launcher *launcher, pid_t worker)
{
    for (size_t i = 0; i < WORKERS_MAX; i++)
        if (launcher->workers[i] == worker)
            return &launcher->workers[i];
    return NULL;
}

static int start(struct launcher *launcher, const struct helper_request *request, int *files,
                 size_t count, pid_t *pid)
{
    bool shaders = (request->flags & HELPER_SHADERS) != 0;
    struct launch_params params = {
        .program = launcher->program,
        .program_is_open = launcher->program == launcher->open_program,
        .folder = launcher->params->folder,
        .memory_limit = request->number,
        .fast_compile = (request->flags & HELPER_FAST_COMPILE) != 0,
        .compile_only = (request->flags & HELPER_COMPILE_ONLY) != 0,
        .one_thread = (request->flags & HELPER_ONE_THREAD) != 0,
        .vulkan = (request->flags & HELPER_VULKAN) != 0,
        .shaders = shaders ? files + LAUNCH_FILE_SHADERS : NULL,
    };
    pid_t *place = find(launcher, 0);
    int status;

    if (count != (shaders ? LAUNCH_FILES : LAUNCH_FILE_SHADERS) ||
        (shaders && params.folder == NULL))
        return -EINVAL;
    if (params.program == NULL)
        return -ENOENT;
    if (place == NULL)
        return -EAGAIN;
    if (!launcher->begun)
        make_namespaces(launcher);
    if (launcher->is_broken)
        return -EAGAIN;
    status = launch_spawn(&params, files, pid);
    if (status == 0)
        *place = *pid;
    return status;
}

/* Reaps only the launcher's own workers. */
static int reap(struct launcher *launcher, const struct helper_request *request, int *ended)
{
    pid_t pid = (pid_t)request->number, *place = pid > 0 ? find(launcher, pid) : NULL;

    if (place == NULL || (uint64_t)pid != request->number)
        return -ESRCH;
    *ended = launch_reap(pid, request->flags != 0);
    *place = 0;
    return 0;
}

static void serve_one(struct launcher *launcher, int socket, const struct helper_request *request,
                      int *files, size_t count)
{
    int status = -EINVAL, value = 0;

    if (request->kind == HELPER_START)
        status = start(launcher, request, files, count, &value);
    else if (request->kind == HELPER_REAP)
        status = reap(launcher, request, &value);
    (void)helper_answer(socket, status, value, -1);
}

/* Moves descriptors above the numbers that a process gets them with. */
static bool lift(int *files, size_t count)
{
    bool lifted = true;

    for (size_t i = 0; i < count; i++) {
        files[i] = launch_lift(files[i]);
        lifted = lifted && files[i] >= 0;
    }
    return lifted;
}

void launcher_serve(const struct launcher_params *params, int socket)
{
    struct launcher launcher = {.params = params, .program = params->program};
    struct helper_request request;
    int files[HELPER_FILES];
    size_t count;

    if (params->program_file >= 0 && access(params->program, X_OK) != 0) {
        snprintf(launcher.open_program, sizeof(launcher.open_program), "/proc/self/fd/%d",
                 params->program_file);
        launcher.program = launcher.open_program;
    }
    while (helper_receive(socket, &request, files, &count) == 1) {
        if (!lift(files, count))
            request.kind = 0;
        serve_one(&launcher, socket, &request, files, count);
        for (size_t i = 0; i < count; i++)
            close(files[i]);
    }
    for (size_t i = 0; i < WORKERS_MAX; i++)
        if (launcher.workers[i] != 0)
            (void)launch_reap(launcher.workers[i], true);
    if (launcher.first > 0)
        (void)launch_reap(launcher.first, true);
}

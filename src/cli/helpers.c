/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/helpers.h"

#include "base/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOCKET = 3 /* descriptor number of the socket in a helper */ };

static pid_t processes[HELPER_ROLES];
static const char *title_program;
static char *title_room;
static size_t title_size;

void helpers_take_words(const char *program, int count, char **words)
{
    title_program = program;
    title_room = count > 0 ? words[0] : NULL;
    title_size = count > 0 ? (size_t)(words[count - 1] + strlen(words[count - 1]) - words[0]) : 0;
}

static void show_title(const char *title)
{
    if (title_room == NULL)
        return;
    memset(title_room, 0, title_size);
    snprintf(title_room, title_size + 1, "%s: %s", title_program, title);
}

/*
 * Keeps the helper running: signals of a terminal do not reach another session, but a service
 * manager sends some to all processes.
 */
static void stay(void)
{
    static const int of_the_daemon[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};

    (void)setsid();
    for (size_t i = 0; i < sizeof(of_the_daemon) / sizeof(of_the_daemon[0]); i++)
        signal(of_the_daemon[i], SIG_IGN);
}

_Noreturn static void be_helper(int socket, const char *title,
                                void (*serve)(void *context, int socket), void *context)
{
    stay();
    show_title(title);
    if (socket != SOCKET && dup3(socket, SOCKET, O_CLOEXEC) < 0)
        _exit(1);
    descriptors_close(SOCKET + 1U, ~0U);
    serve(context, SOCKET);
    _exit(0);
}

int helpers_start(enum helper_role role, const char *title,
                  void (*serve)(void *context, int socket), void *context)
{
    int ends[2];
    pid_t process;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return -errno;
    process = fork();
    if (process == 0)
        be_helper(ends[1], title, serve, context);
    close(ends[1]);
    if (process < 0) {
        int error = errno;

        close(ends[0]);
        return -error;
    }
    processes[role] = process;
    helper_use(role, ends[0]);
    return 0;
}

void helpers_end(void)
{
    for (int role = 0; role < HELPER_ROLES; role++)
        helper_leave((enum helper_role)role);
    for (int role = 0; role < HELPER_ROLES; role++)
        while (processes[role] > 0 && waitpid(processes[role], NULL, 0) < 0 && errno == EINTR)
            ;
}

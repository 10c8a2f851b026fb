/* SPDX-License-Identifier: MIT */
/*
 * Runs under the graphics worker's own confinement, as the worker would if a dump had taken it
 * over, and tries to escape. It tries at the start, while drivers still have to be loaded, and
 * afterwards, as in any message.
 */
#include "config.h"

#include "tests/worker/escapee.h"

#include "base/syscall_filter.h"
#include "base/text.h"
#include "glworker/core/breadcrumb_page.h"
#include "glworker/core/confine.h"
#include "glworker/core/serve.h"
#include "worker/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

/* Each function tries one way out and returns whether it was possible. */

static bool opens(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool opens_shadow(void)
{
    return opens("/etc/shadow", O_RDONLY);
}

static bool opens_passwd(void)
{
    return opens("/etc/passwd", O_RDONLY);
}

static bool lists_root(void)
{
    return opens("/", O_RDONLY | O_DIRECTORY);
}

static bool lists_homes(void)
{
    return opens("/root", O_RDONLY | O_DIRECTORY) || opens("/home", O_RDONLY | O_DIRECTORY);
}

static bool opens_other_process(void)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)getppid());
    return opens(path, O_RDONLY) || opens("/proc/1/status", O_RDONLY);
}

static bool opens_own_memory(void)
{
    return opens("/proc/self/mem", O_RDWR);
}

static bool opens_terminal(void)
{
    return opens("/dev/tty", O_RDWR) || opens("/dev/ptmx", O_RDWR);
}

static bool makes_file(void)
{
    return opens("/tmp/gpudumpfs-escape", O_WRONLY | O_CREAT) ||
           opens("/dev/shm/gpudumpfs-escape", O_WRONLY | O_CREAT) ||
           opens("/var/tmp/gpudumpfs-escape", O_WRONLY | O_CREAT);
}

static bool makes_folder(void)
{
    return mkdir("/tmp/gpudumpfs-escape", 0700) == 0 || unlink("/tmp/gpudumpfs-escape") == 0;
}

static bool truncates(void)
{
    return truncate("/proc/self/fd/2", 0) == 0 || truncate("/dev/null", 0) == 0;
}

static bool shrinks_shared_page(void)
{
    return ftruncate(LAUNCH_BREADCRUMB, 0) == 0;
}

static bool makes_socket(int family, int type)
{
    int fd = socket(family, type, 0);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool makes_sockets(void)
{
    int pair[2];

    return makes_socket(AF_UNIX, SOCK_STREAM) || makes_socket(AF_INET, SOCK_STREAM) ||
           makes_socket(AF_INET6, SOCK_DGRAM) || makes_socket(AF_NETLINK, SOCK_RAW) ||
           socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;
}

static bool runs_program(void)
{
    char *const arguments[] = {(char *)"true", NULL};

    execve("/bin/true", arguments, arguments + 1);
    return errno != EPERM && errno != EACCES && errno != ENOENT;
}

static bool makes_process(void)
{
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

    if (child == 0)
        _exit(0);
    return child > 0;
}

static bool traces(void)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};

    return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0 || ptrace(PTRACE_TRACEME) == 0 ||
           syscall(SYS_process_vm_readv, getppid(), &here, 1, &there, 1, 0) >= 0;
}

static bool signals(void)
{
    pid_t parent = getppid();

    return kill(parent, 0) == 0 || kill(-1, 0) == 0 ||
           syscall(SYS_tgkill, parent, parent, 0) == 0 || syscall(SYS_pidfd_open, parent, 0) >= 0;
}

/* Puts a letter into a terminal's input, as if its user had typed it. */
static bool types(void)
{
    char letter = 'x';

    for (int fd = 0; fd < 3; fd++)
        if (ioctl(fd, TIOCSTI, &letter) == 0 || errno != EPERM)
            return true;
    return false;
}

static bool leaves_limits(void)
{
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};

    return setrlimit(RLIMIT_FSIZE, &none) == 0 || setrlimit(RLIMIT_CORE, &none) == 0 ||
           syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, &none, NULL) == 0;
}

static bool gains_rights(void)
{
    return syscall(SYS_setuid, 0) == 0 || unshare(CLONE_NEWUSER) == 0 || chroot("/usr") == 0 ||
           mount("none", "/tmp", "tmpfs", 0, NULL) == 0 || syscall(SYS_bpf, 0, NULL, 0) >= 0;
}

static bool shares_memory(void)
{
    return shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0;
}

static const struct {
    const char *name;
    bool (*possible)(void);
} ways[] = {
    {"open /etc/shadow", opens_shadow},
    {"open /etc/passwd", opens_passwd},
    {"list /", lists_root},
    {"list homes", lists_homes},
    {"open another process", opens_other_process},
    {"open its own memory", opens_own_memory},
    {"open a terminal", opens_terminal},
    {"make a file", makes_file},
    {"make a folder", makes_folder},
    {"truncate", truncates},
    {"shrink the shared page", shrinks_shared_page},
    {"make a socket", makes_sockets},
    {"run a program", runs_program},
    {"make a process", makes_process},
    {"trace", traces},
    {"signal", signals},
    {"type into a terminal", types},
    {"leave limits", leaves_limits},
    {"gain rights", gains_rights},
    {"share memory", shares_memory},
};

static struct text found;
static unsigned layers;

static void try_all(const char *when)
{
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        if (ways[i].possible())
            text_printf(&found, "%s: %s\n", when, ways[i].name);
}

/* Tries to open what only loading needs. */
static void try_open(void)
{
    if (opens("/lib", O_RDONLY | O_DIRECTORY) || opens("/dev/null", O_RDONLY) ||
        opens("/proc/self/fd/2", O_RDONLY))
        text_add(&found, "now: open a library\n");
}

static int handle_hello(struct message_reader *request, struct serve_answer *answer)
{
    (void)request;
    message_write_u32(&answer->body, confine_layers());
    return 0;
}

static int handle_try(struct message_reader *request, struct serve_answer *answer)
{
    (void)request;
    try_all("now");
    try_open();
    message_write_u32(&answer->body, layers);
    message_write_u32(&answer->body, confine_layers());
    message_write_bytes(&answer->body, found.bytes, found.length);
    return text_status(&found);
}

static const struct serve_kind own_kinds[] = {
    {MESSAGE_HELLO, handle_hello}, {ESCAPEE_TRY, handle_try}, {0, NULL}};
static const struct serve_kind *const kinds[] = {own_kinds, NULL};

enum { NOT_STARTED = 255 }; /* exit status; the others are errnos of serve() */

/* Has seccomp(2) fail with ENOMEM from here on. */
static int refuse_lists(void)
{
    struct syscall_filter filter;

    syscall_filter_init(&filter);
    syscall_filter_add(&filter, SYS_seccomp, SYSCALL_FILTER_REFUSE(ENOMEM));
    return syscall_filter_install(&filter, SYSCALL_FILTER_ALLOW);
}

int main(int count, char **arguments)
{
    int status;

    layers = confine_start(0, getenv(LAUNCH_SHADERS_FOLDER) != NULL);
    if (count > 0 && strstr(arguments[0], ESCAPEE_WITHOUT_LISTS) != NULL && refuse_lists() < 0)
        return NOT_STARTED;
    if (breadcrumb_open(LAUNCH_BREADCRUMB) < 0)
        return NOT_STARTED;
    try_all("start");
    status = serve(LAUNCH_SOCKET, kinds);
    _exit(status < 0 ? -status : 0); /* the test reads it in the reason of the failure */
}

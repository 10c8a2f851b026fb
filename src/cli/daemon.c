/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/daemon.h"

#include "base/log.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

void daemon_follow_parent(const struct daemon *daemon)
{
    if (daemon->child != 0 || !daemon->forked)
        return;
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != daemon->parent)
        _exit(1); /* it ended before the prctl() */
}

int daemon_fork(struct daemon *daemon)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    daemon->parent = getpid();
    daemon->child = fork();
    daemon->forked = true;
    if (daemon->child < 0) {
        int error = errno;

        close(ends[0]);
        close(ends[1]);
        return -error;
    }
    if (daemon->child == 0)
        daemon_follow_parent(daemon);
    close(ends[daemon->child == 0 ? 0 : 1]);
    daemon->word = ends[daemon->child == 0 ? 1 : 0];
    return 0;
}

int daemon_wait(struct daemon *daemon)
{
    char word;
    ssize_t got;
    int status = 0;

    do {
        got = read(daemon->word, &word, 1);
    } while (got < 0 && errno == EINTR);
    if (got == 1)
        return 0;
    while (waitpid(daemon->child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1;
}

void daemon_ready(struct daemon *daemon)
{
    int nowhere = daemon->nowhere > 2 ? daemon->nowhere : open("/dev/null", O_RDWR | O_CLOEXEC);

    log_to_system();
    (void)prctl(PR_SET_PDEATHSIG, 0);
    (void)setsid();
    (void)!chdir("/");
    for (int standard = 0; nowhere >= 0 && standard <= 2; standard++)
        (void)dup2(nowhere, standard);
    if (nowhere > 2)
        close(nowhere);
    (void)!write(daemon->word, "", 1);
    close(daemon->word);
    daemon->word = -1;
}

/* Service managers. */

/*
 * Makes an address of a path, or of `@` and a name that is in no file system. Returns false if the
 * name is neither.
 */
static bool make_address(const char *name, struct sockaddr_un *address, socklen_t *size)
{
    size_t length = strlen(name);

    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if ((name[0] != '/' && name[0] != '@') || length < 2 || length >= sizeof(address->sun_path))
        return false;
    memcpy(address->sun_path, name, length);
    if (name[0] == '@')
        address->sun_path[0] = '\0';
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    return true;
}

static int manager = -1; /* socket connected to the manager before the confinement; -1: none */

static void connect_manager(void)
{
    const char *name = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address;
    socklen_t size;

    if (name == NULL || !make_address(name, &address, &size))
        return;
    manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (manager >= 0 && connect(manager, (const struct sockaddr *)&address, size) == 0)
        return;
    if (manager >= 0)
        close(manager);
    manager = -1;
}

void daemon_connect(struct daemon *daemon)
{
    daemon->nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    log_connect();
    connect_manager();
}

static void send_text(const struct text *text)
{
    if (manager >= 0 && text_status(text) == 0)
        (void)send(manager, text->bytes, text->length, MSG_NOSIGNAL);
}

void daemon_notify_opening(const char *dump)
{
    struct text text = TEXT_INIT;

    text_add(&text, "STATUS=opening ");
    text_add_escaped(&text, dump, strlen(dump));
    send_text(&text);
    text_clear(&text);
}

void daemon_notify_ready(const char *dump, const char *place)
{
    struct text text = TEXT_INIT;

    text_printf(&text, "READY=1\nMAINPID=%d\nSTATUS=", (int)getpid());
    text_add_escaped(&text, dump, strlen(dump));
    text_add(&text, " is mounted at ");
    text_add_escaped(&text, place, strlen(place));
    send_text(&text);
    text_clear(&text);
}

void daemon_notify_stopping(void)
{
    struct text text = TEXT_INIT;

    text_add(&text, "STOPPING=1\nSTATUS=unmounted, ending what is under way");
    send_text(&text);
    text_clear(&text);
}

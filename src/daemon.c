#include "daemon.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

int daemon_fork(struct daemon *daemon)
{
    int ends[2];

    if (pipe(ends) != 0)
        return -errno;
    daemon->child = fork();
    if (daemon->child < 0) {
        int error = errno;

        close(ends[0]);
        close(ends[1]);
        return -error;
    }
    if (daemon->child == 0)
        (void)setsid();
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
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    log_to_system();
    (void)!chdir("/");
    for (int standard = 0; nowhere >= 0 && standard <= 2; standard++)
        (void)dup2(nowhere, standard);
    if (nowhere > 2)
        close(nowhere);
    (void)!write(daemon->word, "", 1);
    close(daemon->word);
    daemon->word = -1;
}

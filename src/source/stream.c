/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "source/stream.h"

#include "base/log.h"
#include "base/string.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char tcp_prefix[] = "tcp:", unix_prefix[] = "unix:";

enum { HOST_MAX = 255 };

bool stream_is_name(const char *name)
{
    return strcmp(name, "-") == 0 || string_begins(name, tcp_prefix) ||
           string_begins(name, unix_prefix);
}

bool stream_is_pipe(const char *name)
{
    struct stat status;

    return stat(name, &status) == 0 && S_ISFIFO(status.st_mode);
}

static int fail(int status, const char *what, struct text *message)
{
    text_add(message, what);
    return status;
}

/* Returns a separate descriptor: in the background, descriptor 0 becomes /dev/null. */
static int open_input(struct text *message)
{
    int fd;

    if (isatty(STDIN_FILENO))
        return fail(-EINVAL, "standard input is a terminal, not a dump", message);
    fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return fd >= 0 ? fd : fail(-errno, strerror(errno), message);
}

/* Logs where a producer can connect. For port 0, that is the port that the system has chosen. */
static void announce(int listening, const char *name)
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof(address);
    char host[HOST_MAX + 1], port[sizeof("65535")];
    const char *path = name + strlen(unix_prefix);

    if (string_begins(name, unix_prefix))
        log_write(LOG_WARNING, "waiting for a producer at %s", path);
    else if (getsockname(listening, (struct sockaddr *)&address, &size) == 0 &&
             getnameinfo((const struct sockaddr *)&address, size, host, sizeof(host), port,
                         sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) == 0)
        log_write(LOG_WARNING, "waiting for a producer at %s%s%s:%s",
                  address.ss_family == AF_INET6 ? "[" : "", host,
                  address.ss_family == AF_INET6 ? "]" : "", port);
}

/* Waits for one producer. After that, no other can connect. */
static int accept_one(int listening, const char *name, struct text *message)
{
    int fd = -1, error = 0;

    if (listen(listening, 1) == 0) {
        announce(listening, name);
        do {
            fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        } while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    }
    error = errno;
    close(listening);
    return fd >= 0 ? fd : fail(-error, strerror(error), message);
}

/*
 * Returns whether a socket was left in the file system by a program that has ended: connections to
 * it are refused (as they are to a file that is not a socket). A socket that is listening fails in
 * another way, since it is not of the probe's type. Its program is not disturbed; it would mistake
 * a connection for its producer.
 */
static bool is_left_behind(const struct sockaddr_un *address)
{
    struct stat status;
    bool is_socket = lstat(address->sun_path, &status) == 0 && S_ISSOCK(status.st_mode);
    int fd = is_socket ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
    bool refused = fd >= 0 &&
                   connect(fd, (const struct sockaddr *)address, sizeof(*address)) != 0 &&
                   errno == ECONNREFUSED;

    if (fd >= 0)
        close(fd);
    return refused;
}

/* Binds to a path that only the owner can access. */
static int bind_path(int fd, const struct sockaddr_un *address)
{
    mode_t before = umask(0177);
    int status = bind(fd, (const struct sockaddr *)address, sizeof(*address));
    int error = errno;

    umask(before);
    return status == 0 ? 0 : -error;
}

static int open_unix(const char *name, struct text *message)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = name + strlen(unix_prefix);
    int listening, fd, status;

    if (path[0] == '\0' || strlen(path) >= sizeof(address.sun_path))
        return fail(-EINVAL, "not the path of a socket", message);
    memcpy(address.sun_path, path, strlen(path) + 1);
    listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0)
        return fail(-errno, strerror(errno), message);
    status = bind_path(listening, &address);
    if (status == -EADDRINUSE && is_left_behind(&address)) {
        unlink(path);
        status = bind_path(listening, &address);
    }
    if (status != 0) {
        close(listening);
        return fail(status, strerror(-status), message);
    }
    fd = accept_one(listening, name, message);
    unlink(path);
    return fd;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)address;

        return ntohl(in->sin_addr.s_addr) >> 24 == 127;
    }
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)(const void *)address;

        return IN6_IS_ADDR_LOOPBACK(&in->sin6_addr);
    }
    return false;
}

static int listen_at(const struct addrinfo *found, const char *name, bool remote,
                     struct text *message)
{
    int one = 1, fd;

    if (!remote && !is_loopback(found->ai_addr))
        return fail(-EPERM, "not a loopback address: others need -o allow-remote", message);
    fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return fail(-errno, strerror(errno), message);
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (bind(fd, found->ai_addr, found->ai_addrlen) != 0) {
        int error = errno;

        close(fd);
        return fail(-error, strerror(error), message);
    }
    return accept_one(fd, name, message);
}

/* Returns whether digits are a valid port. The resolver would take larger numbers modulo 65536. */
static bool is_port(const char *digits)
{
    while (*digits == '0' && digits[1] != '\0')
        digits++;
    return strlen(digits) < sizeof("65535") && strtoul(digits, NULL, 10) <= UINT16_MAX;
}

/* Parses tcp:HOST:PORT or tcp:[HOST]:PORT. Without a host it is 127.0.0.1. */
static int open_tcp(const char *name, bool remote, struct text *message)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    const char *address = name + strlen(tcp_prefix), *colon = strrchr(address, ':');
    const char *port = colon != NULL ? colon + 1 : address;
    size_t length = colon != NULL ? (size_t)(colon - address) : 0;
    struct addrinfo *found = NULL;
    char host[HOST_MAX + 1] = "127.0.0.1";
    int status;

    if (port[0] != '\0' && strspn(port, "0123456789") == strlen(port) && !is_port(port))
        return fail(-EINVAL, "a port must be a number up to 65535", message);
    if (length > HOST_MAX || port[0] == '\0' || strspn(port, "0123456789") != strlen(port))
        return fail(-EINVAL, "an address must be tcp:HOST:PORT", message);
    if (length >= 2 && address[0] == '[' && address[length - 1] == ']') {
        address++;
        length -= 2;
    }
    if (length > 0) {
        memcpy(host, address, length);
        host[length] = '\0';
    }
    status = getaddrinfo(host, port, &hints, &found);
    if (status != 0)
        return fail(-EINVAL, gai_strerror(status), message);
    status = listen_at(found, name, remote, message);
    freeaddrinfo(found);
    return status;
}

int stream_open(const char *name, bool remote, struct text *message)
{
    int fd;

    if (strcmp(name, "-") == 0)
        return open_input(message);
    if (string_begins(name, tcp_prefix))
        return open_tcp(name, remote, message);
    if (string_begins(name, unix_prefix))
        return open_unix(name, message);
    fd = open(name, O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? fd : fail(-errno, strerror(errno), message);
}

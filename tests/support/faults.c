/* SPDX-License-Identifier: MIT */
/* With _FORTIFY_SOURCE some calls have other names, which need wrappers of their own. */
#include "config.h"

#include "tests/support/faults.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OFF = -1 };

static atomic_int wanted = OFF, count;
static atomic_uint kind_wanted;
static _Atomic(const char *) failed = "none";
static atomic_int failed_with;

void faults_begin(enum faults_kind kind, int n)
{
    atomic_store(&count, 0);
    atomic_store(&kind_wanted, kind);
    atomic_store(&wanted, n);
}

bool faults_end(void)
{
    int n = atomic_exchange(&wanted, OFF);

    return n != OFF && atomic_load(&count) > n;
}

int faults_count(void)
{
    return atomic_load(&count);
}

const char *faults_name(void)
{
    return atomic_load(&failed);
}

int faults_status(void)
{
    return -atomic_load(&failed_with);
}

static bool is_the_one(const char *name)
{
    int n = atomic_load(&wanted);

    if (n == OFF || atomic_fetch_add(&count, 1) != n)
        return false;
    if (atomic_load(&kind_wanted) == FAULTS_KILLED)
        raise(SIGKILL);
    atomic_store(&failed, name);
    return true;
}

/* Returns whether the call must fail, with errno set. `full` is the errno for FAULTS_FULL. */
static bool must_fail(const char *name, int full)
{
    enum faults_kind kind = atomic_load(&kind_wanted);

    if (kind == FAULTS_SHORT || !is_the_one(name))
        return false;
    errno = kind == FAULTS_BROKEN ? EIO : full;
    atomic_store(&failed_with, errno);
    return true;
}

/* Returns how many bytes a call may move: all, or one for FAULTS_SHORT. */
static size_t limit(const char *name, size_t size)
{
    if (atomic_load(&kind_wanted) != FAULTS_SHORT || size < 2 || !is_the_one(name))
        return size;
    atomic_store(&failed_with, 0);
    return 1;
}

/* Defines a wrapper for `name`. */
#define WRAP(type, name, full, failure, parameters, arguments)                                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return must_fail(#name, full) ? (failure) : __real_##name arguments;                       \
    }

/* The same for a call that moves `size` bytes. */
#define WRAP_MOVE(name, full, parameters, arguments)                                               \
    ssize_t __real_##name parameters;                                                              \
    ssize_t __wrap_##name parameters;                                                              \
    ssize_t __wrap_##name parameters                                                               \
    {                                                                                              \
        if (must_fail(#name, full))                                                                \
            return -1;                                                                             \
        size = limit(#name, size);                                                                 \
        return __real_##name arguments;                                                            \
    }

WRAP_MOVE(read, EIO, (int fd, void *to, size_t size), (fd, to, size))
WRAP_MOVE(pread, EIO, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
WRAP_MOVE(write, ENOSPC, (int fd, const void *from, size_t size), (fd, from, size))
WRAP_MOVE(pwrite, ENOSPC, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
WRAP_MOVE(send, ENOMEM, (int fd, const void *from, size_t size, int flags), (fd, from, size, flags))
WRAP_MOVE(recv, ENOMEM, (int fd, void *to, size_t size, int flags), (fd, to, size, flags))
WRAP_MOVE(__read_chk, EIO, (int fd, void *to, size_t size, size_t room), (fd, to, size, room))
WRAP_MOVE(__pread_chk, EIO, (int fd, void *to, size_t size, off_t at, size_t room),
          (fd, to, size, at, room))
WRAP_MOVE(__recv_chk, ENOMEM, (int fd, void *to, size_t size, size_t room, int flags),
          (fd, to, size, room, flags))

WRAP(int, ftruncate, ENOSPC, -1, (int fd, off_t size), (fd, size))
WRAP(int, fstat, ENOMEM, -1, (int fd, struct stat *to), (fd, to))
WRAP(int, stat, ENOMEM, -1, (const char *path, struct stat *to), (path, to))
WRAP(int, lstat, ENOMEM, -1, (const char *path, struct stat *to), (path, to))
WRAP(int, fstatat, ENOMEM, -1, (int fd, const char *path, struct stat *to, int flags),
     (fd, path, to, flags))
WRAP(off_t, lseek, EOVERFLOW, -1, (int fd, off_t at, int from), (fd, at, from))
WRAP(char *, realpath, ENOMEM, NULL, (const char *path, char *to), (path, to))
WRAP(int, memfd_create, EMFILE, -1, (const char *name, unsigned flags), (name, flags))
WRAP(int, socketpair, EMFILE, -1, (int domain, int type, int protocol, int pair[2]),
     (domain, type, protocol, pair))
WRAP(int, poll, ENOMEM, -1, (struct pollfd * fds, nfds_t number, int ms), (fds, number, ms))
WRAP(int, __poll_chk, ENOMEM, -1, (struct pollfd * fds, nfds_t number, int ms, size_t room),
     (fds, number, ms, room))
WRAP(int, inotify_init1, EMFILE, -1, (int flags), (flags))
WRAP(int, inotify_add_watch, ENOSPC, -1, (int fd, const char *path, uint32_t mask),
     (fd, path, mask))
WRAP(int, mkdir, ENOSPC, -1, (const char *path, mode_t mode), (path, mode))
WRAP(int, mkostemp, ENOSPC, -1, (char *path, int flags), (path, flags))
WRAP(int, renameat, ENOSPC, -1, (int from, const char *name, int to, const char *new),
     (from, name, to, new))
WRAP(int, unlinkat, ENOMEM, -1, (int fd, const char *name, int flags), (fd, name, flags))
WRAP(DIR *, fdopendir, ENOMEM, NULL, (int fd), (fd))
WRAP(struct dirent *, readdir, EOVERFLOW, NULL, (DIR * folder), (folder))
WRAP(FILE *, fopen, EMFILE, NULL, (const char *path, const char *mode), (path, mode))
WRAP(int, posix_spawn, EAGAIN, errno,
     (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]),
     (pid, path, actions, attributes, arguments, environment))
WRAP(int, pthread_create, EAGAIN, errno,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
     (thread, attributes, run, argument))

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
void *__real_mremap(void *from, size_t size, size_t wanted_size, int flags, ...);
void *__wrap_mremap(void *from, size_t size, size_t wanted_size, int flags, ...);

/* Always passes a mode on. If the caller passed none, the mode is meaningless and unused. */
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return must_fail("open", EMFILE) ? -1 : __real_open(path, flags, mode);
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return must_fail("openat", EMFILE) ? -1 : __real_openat(folder, path, flags, mode);
}

int __wrap_fcntl(int fd, int command, ...)
{
    va_list arguments;
    void *argument;

    va_start(arguments, command);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    return must_fail("fcntl", EMFILE) ? -1 : __real_fcntl(fd, command, argument);
}

void *__wrap_mremap(void *from, size_t size, size_t wanted_size, int flags, ...)
{
    if (must_fail("mremap", ENOMEM))
        return MAP_FAILED;
    return __real_mremap(from, size, wanted_size, flags);
}

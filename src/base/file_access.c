/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/file_access.h"

#include "base/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINK_PATH = 64 /* /proc/self/fd/N */ };

static const int flags_of[FILE_ACCESS_USES] = {
    [FILE_ACCESS_READ] = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
    [FILE_ACCESS_READ_NO_LINK] = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW,
    [FILE_ACCESS_APPEND] = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY,
    [FILE_ACCESS_BELOW] = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
    [FILE_ACCESS_FOLDER_BELOW] = O_RDONLY | O_CLOEXEC | O_DIRECTORY,
};

static const uint32_t masks[FILE_ACCESS_EVENTS] = {
    [FILE_ACCESS_WRITTEN_ONCE] = IN_MODIFY | IN_ONESHOT,
    [FILE_ACCESS_WRITTEN] = IN_MODIFY | IN_CLOSE_WRITE,
    [FILE_ACCESS_NAMES] = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO,
};

static int open_below(int folder, const char *name, int flags)
{
    const struct open_how how = {.flags = (uint64_t)flags,
                                 .resolve =
                                     RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV};

    return (int)syscall(SYS_openat2, folder, name, &how, sizeof(how));
}

int file_access_open_here(int folder, const char *name, enum file_access_use use)
{
    bool below = use == FILE_ACCESS_BELOW || use == FILE_ACCESS_FOLDER_BELOW;
    int file =
        below ? open_below(folder, name, flags_of[use]) : openat(folder, name, flags_of[use], 0666);

    return file < 0 ? -errno : file;
}

int file_access_open(int folder, const char *name, enum file_access_use use)
{
    struct helper_request request;
    int file, status;

    if (!helper_is_there(HELPER_KEEPER))
        return file_access_open_here(folder, name, use);
    status = helper_fill(&request, HELPER_OPEN, name);
    if (status != 0)
        return status;
    request.number = use;
    status = helper_ask(HELPER_KEEPER, &request, &folder, folder >= 0, NULL, &file);
    return status < 0 ? status : file >= 0 ? file : -EPIPE;
}

static void write_link(int file, char path[LINK_PATH])
{
    snprintf(path, LINK_PATH, "/proc/self/fd/%d", file);
}

int file_access_watch_here(int queue, int file, enum file_access_events events)
{
    char path[LINK_PATH];
    int number;

    write_link(file, path);
    number = inotify_add_watch(queue, path, masks[events]);
    return number < 0 ? -errno : number;
}

/*
 * The process tries by itself first: its user can usually read a file that the keeper opened for
 * it.
 */
int file_access_watch(int queue, int file, enum file_access_events events)
{
    int number = file_access_watch_here(queue, file, events), status;
    const int files[] = {queue, file};
    struct helper_request request;

    if (number != -EACCES || !helper_is_there(HELPER_KEEPER))
        return number;
    helper_fill(&request, HELPER_WATCH, NULL);
    request.number = events;
    status = helper_ask(HELPER_KEEPER, &request, files, 2, &number, NULL);
    return status < 0 ? status : number;
}

char *file_access_path(int file)
{
    char link[LINK_PATH], path[PATH_MAX];
    ssize_t length;

    write_link(file, link);
    length = readlink(link, path, sizeof(path) - 1);
    if (length <= 0 || path[0] != '/')
        return NULL;
    path[length] = '\0';
    return strdup(path);
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "source/disk_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Returns false, for example, for the home of a user who runs this program as root. */
static bool is_own(const char *folder)
{
    struct stat stat_of;

    return stat(folder, &stat_of) == 0 && S_ISDIR(stat_of.st_mode) && stat_of.st_uid == geteuid();
}

char *disk_cache_home(void)
{
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool told = caches != NULL && caches[0] == '/';
    const char *place = told ? caches : home;
    char *path = NULL;

    if (place == NULL || place[0] != '/' || !is_own(place))
        return NULL;
    if (asprintf(&path, "%s%s/gpudumpfs", place, told ? "" : "/.cache") < 0)
        return NULL;
    return path;
}

bool disk_cache_is_name(const char *name)
{
    return strlen(name) == DISK_CACHE_NAME && strspn(name, "0123456789abcdef") == DISK_CACHE_NAME;
}

/*
 * Opens the folder of a path, which must be the user's own, and sets *name to the name in it.
 * Returns a descriptor or -errno.
 */
static int open_folder(const char *path, bool make, const char **name)
{
    char folder[PATH_MAX], *slash;
    struct stat stat;
    int fd;

    if ((size_t)snprintf(folder, sizeof(folder), "%s", path) >= sizeof(folder))
        return -ENAMETOOLONG;
    slash = strrchr(folder, '/');
    if (slash == NULL)
        return -EINVAL;
    *slash = '\0';
    *name = path + (slash - folder) + 1;
    if (make && mkdir(folder, 0700) < 0 && errno == ENOENT) {
        slash = strrchr(folder, '/');
        *slash = '\0';
        mkdir(folder, 0700); /* ~/.cache */
        *slash = '/';
        mkdir(folder, 0700);
    }
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &stat) == 0 && stat.st_uid == geteuid() && (stat.st_mode & 022) == 0)
        return fd;
    close(fd);
    return -EPERM;
}

static int check_file(int fd)
{
    struct stat stat;

    if (fstat(fd, &stat) < 0)
        return -errno;
    return S_ISREG(stat.st_mode) && stat.st_uid == geteuid() && (stat.st_mode & 077) == 0 ? 0
                                                                                          : -EPERM;
}

int disk_cache_open(const char *path)
{
    const char *name;
    int folder = open_folder(path, false, &name), fd, status;

    if (folder < 0)
        return folder;
    fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    status = fd < 0 ? -errno : check_file(fd);
    close(folder);
    if (status == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return status;
}

/*
 * Sums up the bytes of all regular files in the folder, and finds the oldest of them other than
 * `spared`. `oldest` is empty if there is none.
 */
static uint64_t list_oldest(int folder, const char *spared, char oldest[NAME_MAX + 1])
{
    int copy_of = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy_of < 0 ? NULL : fdopendir(copy_of);
    struct timespec first = {0};
    const struct dirent *entry;
    uint64_t bytes = 0;

    oldest[0] = '\0';
    if (entries == NULL && copy_of >= 0)
        close(copy_of);
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        struct stat stat;

        if (fstatat(folder, entry->d_name, &stat, AT_SYMLINK_NOFOLLOW) < 0 ||
            !S_ISREG(stat.st_mode))
            continue;
        bytes += (uint64_t)stat.st_size;
        if (strcmp(entry->d_name, spared) == 0 ||
            (oldest[0] != '\0' &&
             (stat.st_mtim.tv_sec > first.tv_sec ||
              (stat.st_mtim.tv_sec == first.tv_sec && stat.st_mtim.tv_nsec >= first.tv_nsec))))
            continue;
        first = stat.st_mtim;
        snprintf(oldest, NAME_MAX + 1, "%s", entry->d_name);
    }
    if (entries != NULL)
        closedir(entries);
    return bytes;
}

uint64_t disk_cache_room(const char *path)
{
    struct statvfs disk;
    const char *name;
    int folder = open_folder(path, true, &name);
    uint64_t part = 0;

    if (folder < 0)
        return DISK_CACHE_MAX;
    if (fstatvfs(folder, &disk) == 0)
        part = (uint64_t)disk.f_bavail * disk.f_frsize / DISK_CACHE_PART;
    close(folder);
    return part > DISK_CACHE_MAX ? part : DISK_CACHE_MAX;
}

static void prune(int folder, const char *spared, uint64_t max)
{
    char oldest[NAME_MAX + 1];

    while (list_oldest(folder, spared, oldest) > max && oldest[0] != '\0')
        if (unlinkat(folder, oldest, 0) < 0)
            return;
}

/*
 * Chooses a name that no other writer uses. Numbers of processes and threads would not do: those of
 * another PID namespace may be the same.
 */
static int choose_fresh(const char *name, char fresh[NAME_MAX + 1])
{
    uint64_t number;

    if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != (ssize_t)sizeof(number))
        return -EAGAIN;
    snprintf(fresh, NAME_MAX + 1, "%.80s.%016" PRIx64, name, number);
    return 0;
}

/* Writes a new file. */
static int write_fresh(int folder, const char *fresh, int (*write)(void *context, int file),
                       void *context)
{
    int fd = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int status = fd < 0 ? -errno : write(context, fd);

    if (fd >= 0 && close(fd) < 0 && status == 0)
        status = -errno;
    return status;
}

int disk_cache_replace(const char *path, int (*write)(void *context, int file), void *context,
                       uint64_t max)
{
    char fresh[NAME_MAX + 1];
    const char *name;
    int folder = open_folder(path, true, &name), status;

    if (folder < 0)
        return folder;
    status = choose_fresh(name, fresh);
    if (status < 0)
        goto out;
    status = write_fresh(folder, fresh, write, context);
    if (status == 0 && renameat(folder, fresh, folder, name) < 0)
        status = -errno;
    if (status == 0)
        prune(folder, name, max);
    else
        unlinkat(folder, fresh, 0);
out:
    close(folder);
    return status;
}

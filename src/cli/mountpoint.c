/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/mountpoint.h"

#include "cli/mount_table.h"
#include "source/expand.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static bool cut_extension(char *name, const char *extension)
{
    size_t length = strlen(name), tail = strlen(extension);

    if (length <= tail || strcmp(name + length - tail, extension) != 0)
        return false;
    name[length - tail] = '\0';
    return true;
}

/* Removes the extension of a container, before that of what it holds; Brotli is apitrace's own. */
static void cut_container(char *name)
{
    bool cut = cut_extension(name, ".br");

    for (size_t i = 0; !cut && i < EXPANDER_COUNT; i++)
        cut = cut_extension(name, expanders[i]->extension);
}

char *mountpoint_name(const char *dump)
{
    size_t end = strlen(dump), start;
    char *name, *dot;

    while (end > 1 && dump[end - 1] == '/')
        end--;
    for (start = end; start > 0 && dump[start - 1] != '/'; start--)
        ;
    name = strndup(dump + start, end - start);
    if (name == NULL)
        return NULL;
    cut_container(name);
    dot = strrchr(name, '.');
    if (dot != NULL && dot != name)
        *dot = '\0';
    return name;
}

int mountpoint_resolve_missing(const char *name, char **path)
{
    size_t end = strlen(name), start;
    char *folder = NULL, *real = NULL;
    int result = -ENOMEM;

    *path = NULL;
    while (end > 1 && name[end - 1] == '/')
        end--;
    for (start = end; start > 0 && name[start - 1] != '/'; start--)
        ;
    folder = start == 0 ? strdup(".") : strndup(name, start);
    if (folder == NULL)
        goto out;
    real = realpath(folder, NULL);
    if (real == NULL)
        result = -errno;
    else if (asprintf(path, "%s/%.*s", strcmp(real, "/") == 0 ? "" : real, (int)(end - start),
                      name + start) < 0)
        *path = NULL;
    else
        result = 0;
out:
    free(folder);
    free(real);
    return result;
}

static int resolve_missing(struct mountpoint *point, const char *name)
{
    int result = mountpoint_resolve_missing(name, &point->path);

    point->missing = result == 0;
    return result;
}

static void explain(int error, const char *name, struct text *message)
{
    if (error == ENOTCONN)
        text_printf(message, "mountpoint %s: its program has ended; run: fusermount3 -u %s", name,
                    name);
    else if (error == EBUSY)
        text_printf(message, "mountpoint %s: a dump is mounted there; run: fusermount3 -u %s", name,
                    name);
    else
        text_printf(message, "mountpoint %s: %s", name, strerror(error));
}

/* Two mounts at one place would end each other. */
static bool is_taken(const char *path)
{
    FILE *table = mount_table_open();
    struct mount_line line;
    bool taken = false;

    while (table != NULL && !taken && mount_table_next(table, &line) == 1) {
        taken = strcmp(line.place, path) == 0 && mount_line_is_ours(&line);
        mount_line_clear(&line);
    }
    if (table != NULL)
        fclose(table);
    return taken;
}

static bool has_files(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool any = false;

    while (folder != NULL && !any && (entry = readdir(folder)) != NULL)
        any = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder != NULL)
        closedir(folder);
    return any;
}

int mountpoint_check(struct mountpoint *point, const char *name, struct text *message)
{
    struct stat status;
    struct statvfs system;
    int result = 0;

    *point = (struct mountpoint){0};
    if (stat(name, &status) != 0) {
        result = errno == ENOENT && *name != '\0' ? resolve_missing(point, name) : -errno;
    } else if (!S_ISDIR(status.st_mode)) {
        result = -ENOTDIR;
    } else if (statvfs(name, &system) != 0) { /* stat() of a stale mount may be cached */
        result = -errno;
    } else {
        point->path = realpath(name, NULL);
        result = point->path == NULL ? -errno : is_taken(point->path) ? -EBUSY : 0;
        point->occupied = result == 0 && has_files(point->path);
    }
    /* A mount that was just ending may have removed the directory that it had made. */
    if (result == -ENOENT && *name != '\0' && point->path == NULL)
        result = resolve_missing(point, name);
    if (result != 0)
        explain(-result, name, message);
    return result;
}

bool mountpoint_explain_device(const char *device, struct text *message)
{
    int file = open(device, O_RDWR | O_CLOEXEC), error = file < 0 ? errno : 0;
    struct stat status;

    if (file >= 0) {
        if (fstat(file, &status) == 0 && !S_ISCHR(status.st_mode))
            error = ENOTTY;
        close(file);
    }
    if (error == 0)
        return false;
    text_printf(message, "%s cannot be used: %s; ", device, strerror(error));
    switch (error) {
    case ENOENT:
        text_printf(message, "run modprobe fuse, or start the container with --device %s", device);
        break;
    case ENODEV:
    case ENXIO:
        text_add(message, "the kernel has no FUSE: run modprobe fuse");
        break;
    case EACCES:
    case EPERM:
        text_add(message, "give it the mode 0666, and allow the container to use it");
        break;
    default:
        text_add(message, "it should be the character device 10, 229");
        break;
    }
    return true;
}

int mountpoint_make(struct mountpoint *point)
{
    if (!point->missing)
        return 0;
    if (mkdir(point->path, 0777) != 0)
        return -errno;
    point->missing = false;
    point->made = true;
    return 0;
}

bool mountpoint_remake(struct mountpoint *point)
{
    if (access(point->path, F_OK) == 0 || errno != ENOENT)
        return false;
    point->missing = true;
    return mountpoint_make(point) == 0;
}

void mountpoint_clear(struct mountpoint *point)
{
    if (point->made)
        (void)rmdir(point->path);
    free(point->path);
    *point = (struct mountpoint){0};
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/gpudump.h"

#include "base/file_write.h"
#include "base/log.h"
#include "formats/format.h"
#include "tree/dump.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_one_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Sockets, terminals and the like lose nothing when they are written to. */
static bool can_be_overwritten(const struct stat *file)
{
    return !S_ISSOCK(file->st_mode) && !S_ISCHR(file->st_mode);
}

/*
 * Compares by name, since a file may get another inode number when it is opened for writing
 * (overlayfs), and with the status when it was opened, since a confined process may not find it by
 * name. A stream has no name.
 */
static bool is_file_of(const struct source *source, const struct stat *file)
{
    struct stat own;

    if (source == NULL || !can_be_overwritten(file))
        return false;
    if (source_stat_stream(source, &own) == 0)
        return is_one_file(&own, file);
    return is_one_file(&source->status, file) ||
           (stat(source->path, &own) == 0 && is_one_file(&own, file));
}

bool contents_find(const char *path, struct stat *out)
{
    int status = contents_is_stream(path) ? fstat(STDOUT_FILENO, out) : stat(path, out);

    if (status != 0)
        *out = (struct stat){0};
    return status == 0;
}

bool contents_is_file_of_dump(struct tree *tree, const struct stat *file)
{
    const struct dump *dump = tree_dump(tree);
    bool found = is_file_of(dump->source, file);

    for (size_t i = 0; !found && i < DUMP_BESIDE_MAX; i++)
        found = is_file_of(dump->beside[i], file);
    return found;
}

bool contents_is_of_dump(struct tree *tree, const char *path)
{
    struct stat file;

    return contents_find(path, &file) && contents_is_file_of_dump(tree, &file);
}

/* With `parts`, only looks at files that may be a part of a dump. */
static bool is_in_folder(const char *path, bool parts, const struct stat *file)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    struct stat own;
    bool found = false;

    while (folder != NULL && !found && (entry = readdir(folder)) != NULL)
        found = (!parts || format_may_be_part(entry->d_name)) &&
                fstatat(dirfd(folder), entry->d_name, &own, 0) == 0 && is_one_file(&own, file);
    if (folder != NULL)
        closedir(folder);
    return found;
}

bool contents_is_of_input(const char *path, const char *input)
{
    struct stat file, own;

    if (contents_is_stream(input))
        input = "/dev/stdin";
    if (!contents_find(path, &file) || !can_be_overwritten(&file) || stat(input, &own) != 0)
        return false;
    if (S_ISDIR(own.st_mode))
        return is_in_folder(input, contents_is_stream(path), &file);
    return is_one_file(&file, &own);
}

int contents_refuse(const char *path, const char *input)
{
    log_write(LOG_ERR, "%s is the %s itself, which is not overwritten",
              contents_is_stream(path) ? "standard output" : path, input);
    return -EEXIST;
}

bool contents_is_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

int contents_create(struct tree *tree, const char *path)
{
    bool is_stream = contents_is_stream(path);
    struct stat file;
    int fd = is_stream ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                       : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    int status = 0;

    if (fd < 0)
        return -errno;
    if (tree != NULL && fstat(fd, &file) == 0 && contents_is_file_of_dump(tree, &file)) {
        status = contents_refuse(path, "dump");
    } else if (!is_stream && ftruncate(fd, 0) != 0 &&
               errno != EINVAL) { /* a file that is not regular has no length */
        status = -errno;
    }
    if (status == 0)
        return fd;
    close(fd);
    return status;
}

int contents_write(struct tree *tree, const char *path, const struct blob *blob)
{
    int fd = contents_create(tree, path), status;

    if (fd < 0)
        return fd;
    status = file_write_all(fd, blob->data, blob->size);
    if (close(fd) != 0 && status == 0)
        status = -errno;
    return status;
}

void contents_tell(struct gpudump *gpudump, const char *path, int status)
{
    gpudump->failed = true;
    if (status != -EEXIST)
        gpudump_tell(gpudump, contents_is_stream(path) ? "standard output" : path, status);
}

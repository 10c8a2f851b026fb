/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/gpudump.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 20, TRIES = 16 };

/* In the name of a temporary file, between the name of its place and the extension. */
static const char mark[] = ".gpudump-", unique[] = "XXXXXX";

/* Returns the mode of the file that is replaced, or that of a new file. */
static mode_t mode_of(const char *path)
{
    struct stat status;
    mode_t mask;

    if (stat(path, &status) == 0)
        return status.st_mode & 0777;
    mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* A file that is not regular, such as a device, would be gone after the rename. */
static int check_kind(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return errno == ENOENT ? 0 : -errno;
    if (S_ISDIR(status.st_mode))
        return -EISDIR;
    return S_ISREG(status.st_mode) ? 0 : -EINVAL;
}

/*
 * Returns the extension, such as ".psxgpu", by which programs may recognize the temporary file; or
 * "".
 */
static const char *extension_of(const char *path)
{
    const char *name = strrchr(path, '/'), *dot;

    name = name != NULL ? name + 1 : path;
    dot = strrchr(name, '.');
    return dot != NULL && dot != name ? dot : "";
}

static bool is_temporary(const char *name, const char *place, const char *extension)
{
    size_t head = strlen(place), middle = strlen(mark);

    return strncmp(name, place, head) == 0 && strncmp(name + head, mark, middle) == 0 &&
           strlen(name + head + middle) == strlen(unique) + strlen(extension) &&
           strcmp(name + head + middle + strlen(unique), extension) == 0;
}

/* Removes a temporary file, and SQLite's journal of a transaction that did not end. */
static void remove_temporary(int folder, const char *name)
{
    struct text journal = TEXT_INIT;

    unlinkat(folder, name, 0);
    text_printf(&journal, "%s-journal%c", name, '\0');
    if (text_status(&journal) == 0)
        unlinkat(folder, journal.bytes, 0);
    text_clear(&journal);
}

/* Removes what a killed program has left; a program that still writes holds the lock. */
static void remove_left(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        remove_temporary(folder, name);
    close(fd);
}

/* If the folder cannot be listed, nothing is removed. */
static void remove_all_left(const char *path)
{
    const char *slash = strrchr(path, '/'), *place = slash != NULL ? slash + 1 : path;
    char *name = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    DIR *folder = name != NULL ? opendir(name) : NULL;
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (is_temporary(entry->d_name, place, extension_of(path)))
            remove_left(dirfd(folder), entry->d_name);
    if (folder != NULL)
        closedir(folder);
    free(name);
}

/*
 * Creates the file and locks it. Returns -EAGAIN if another program removed it before that, as one
 * that was left.
 */
static int create_locked(struct replacement *out)
{
    const char *extension = extension_of(out->path);
    struct stat status;
    int error;

    free(out->temporary);
    if (asprintf(&out->temporary, "%s%s%s%s", out->path, mark, unique, extension) < 0) {
        out->temporary = NULL;
        return -ENOMEM;
    }
    out->lock = mkostemps(out->temporary, (int)strlen(extension), O_CLOEXEC);
    if (out->lock < 0) {
        error = -errno;
        free(out->temporary);
        out->temporary = NULL;
        return error;
    }
    (void)flock(out->lock, LOCK_EX); /* without locks, leftover files stay */
    if (fstat(out->lock, &status) == 0 && status.st_nlink > 0)
        return 0;
    close(out->lock);
    out->lock = -1;
    return -EAGAIN;
}

static int create_beside(struct replacement *out)
{
    int fd = -1, status = -EAGAIN;

    for (unsigned i = 0; i < TRIES && status == -EAGAIN; i++)
        status = create_locked(out);
    if (status == 0 && fchmod(out->lock, mode_of(out->path)) != 0)
        status = -errno;
    if (status == 0 && (fd = fcntl(out->lock, F_DUPFD_CLOEXEC, 0)) < 0)
        status = -errno;
    if (status != 0)
        return status;
    out->file = fdopen(fd, "wb");
    if (out->file == NULL) {
        close(fd);
        return -ENOMEM;
    }
    setvbuf(out->file, NULL, _IOFBF, BUFFER);
    return 0;
}

int replacement_begin(const char *path, struct replacement *out)
{
    int status = check_kind(path);

    *out = (struct replacement){.lock = -1};
    if (status != 0)
        return status;
    out->path = realpath(path, NULL); /* resolves links, so that they stay */
    if (out->path == NULL)
        out->path = strdup(path);
    if (out->path != NULL)
        remove_all_left(out->path);
    status = out->path == NULL ? -ENOMEM : create_beside(out);
    if (status != 0)
        replacement_abandon(out);
    return status;
}

int replacement_write(struct replacement *replacement, const void *bytes, size_t length)
{
    return fwrite(bytes, 1, length, replacement->file) == length ? 0 : -errno;
}

int replacement_flush(struct replacement *replacement)
{
    FILE *file = replacement->file;

    replacement->file = NULL;
    return file != NULL && fclose(file) != 0 ? -errno : 0;
}

int replacement_commit(struct replacement *replacement)
{
    int status = replacement_flush(replacement);

    if (status == 0 && rename(replacement->temporary, replacement->path) != 0)
        status = -errno;
    if (status == 0) {
        free(replacement->temporary);
        replacement->temporary = NULL;
    }
    replacement_abandon(replacement);
    return status;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->file != NULL)
        fclose(replacement->file);
    if (replacement->temporary != NULL)
        remove_temporary(AT_FDCWD, replacement->temporary);
    if (replacement->lock >= 0)
        close(replacement->lock);
    free(replacement->temporary);
    free(replacement->path);
    *replacement = (struct replacement){.lock = -1};
}

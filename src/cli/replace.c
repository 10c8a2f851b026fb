/* SPDX-License-Identifier: MIT */
#include "cli/gpudump.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 };

/* The rights of what is replaced, or those that a new file has. */
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

/* What is no plain file, such as a device, would be gone after the rename. */
static int check_kind(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return errno == ENOENT ? 0 : -errno;
    if (S_ISDIR(status.st_mode))
        return -EISDIR;
    return S_ISREG(status.st_mode) ? 0 : -EINVAL;
}

/* ".psxgpu", by which programs that look at the temporary file may know it; or "". */
static const char *extension_of(const char *path)
{
    const char *name = strrchr(path, '/'), *dot;

    name = name != NULL ? name + 1 : path;
    dot = strrchr(name, '.');
    return dot != NULL && dot != name ? dot : "";
}

static int create_beside(struct replacement *out)
{
    const char *extension = extension_of(out->path);
    int fd, status = 0;

    if (asprintf(&out->temporary, "%s.XXXXXX%s", out->path, extension) < 0) {
        out->temporary = NULL;
        return -ENOMEM;
    }
    fd = mkstemps(out->temporary, (int)strlen(extension));
    if (fd < 0) {
        status = -errno;
        free(out->temporary);
        out->temporary = NULL;
        return status;
    }
    if (fchmod(fd, mode_of(out->path)) != 0)
        status = -errno;
    out->file = status == 0 ? fdopen(fd, "wb") : NULL;
    if (out->file == NULL) {
        status = status != 0 ? status : -errno;
        close(fd);
        return status;
    }
    setvbuf(out->file, NULL, _IOFBF, BUFFER);
    return 0;
}

int replacement_begin(const char *path, struct replacement *out)
{
    int status = check_kind(path);

    *out = (struct replacement){0};
    if (status != 0)
        return status;
    out->path = realpath(path, NULL); /* through links, so that they stay */
    if (out->path == NULL)
        out->path = strdup(path);
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
        unlink(replacement->temporary);
    free(replacement->temporary);
    free(replacement->path);
    *replacement = (struct replacement){0};
}

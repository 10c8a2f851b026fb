/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "source/source.h"

#include "base/file_access.h"
#include "base/text.h"
#include "source/filewatch.h"
#include "source/growing_source.h"
#include "source/internal.h"
#include "source/seekable.h"
#include "source/sigbus_guard.h"
#include "source/spool.h"
#include "source/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_BYTES = 16,  /* of a stream: a magic, or the first bytes of a container */
    STORED_PARTS = 256 /* data between holes; any data after these does not count */
};

int source_map(int fd, uint64_t size, atomic_bool *lost, const uint8_t **data)
{
    void *mapped;

    *data = NULL;
    if (size == 0)
        return 0;
    if (size > SIZE_MAX)
        return -EFBIG;
    mapped = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED)
        return -errno;
    if (sigbus_guard_add(mapped, (size_t)size, lost) != 0) {
        munmap(mapped, (size_t)size);
        return -ENOMEM;
    }
    *data = mapped;
    return 0;
}

void source_unmap(const uint8_t *data, uint64_t size)
{
    if (data == NULL)
        return;
    sigbus_guard_remove(data);
    munmap((void *)(uintptr_t)data, (size_t)size);
}

static bool is_seekable(const struct source *source)
{
    struct seekable seekable;

    return source->data != NULL && seekable_find(source->data, source->size, &seekable);
}

/* Returns how many bytes of a file are holes. */
static uint64_t count_holes(int fd, uint64_t size)
{
    off_t before = lseek(fd, 0, SEEK_CUR), at = 0;
    uint64_t stored = 0;

    for (unsigned n = 0; n < STORED_PARTS && (uint64_t)at < size; n++) {
        off_t data = lseek(fd, at, SEEK_DATA);
        off_t hole = data >= 0 ? lseek(fd, data, SEEK_HOLE) : -1;

        if (data < 0 && errno == ENXIO)
            break; /* a hole up to the end */
        if (hole <= data) {
            stored = size; /* the file system does not report holes */
            break;
        }
        stored += (uint64_t)(hole - data);
        at = hole;
    }
    (void)lseek(fd, before, SEEK_SET); /* the descriptor may be shared */
    return stored < size ? size - stored : 0;
}

static int open_contents(struct source *source, int fd, const struct source_params *params,
                         struct problems *problems)
{
    int result;

    if (fstat(fd, &source->status) < 0)
        return -errno;
    source->mtime = source->status.st_mtim;
    if (S_ISDIR(source->status.st_mode)) {
        source->folder = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        source->is_folder = source->folder >= 0;
        return source->is_folder ? 0 : -errno;
    }
    if (!S_ISREG(source->status.st_mode))
        return -EINVAL;
    result = filewatch_create(fd, &source->status, &source->watch);
    if (result < 0)
        return result;
    source->file = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    source->has_file = source->file >= 0;
    source->mtime = source->status.st_mtim;
    source->file_size = source->size = (uint64_t)source->status.st_size;
    source->holes = count_holes(fd, source->size);
    result = source_map(fd, source->size, &source->lost, &source->data);
    if (result < 0)
        return result;
    if (params->keep_seekable && !params->raw && is_seekable(source)) {
        source->container = SOURCE_ZSTD;
        source->packed = true;
        return 0;
    }
    return params->raw ? 0 : source_expand(source, params, problems);
}

/* Waits for the first bytes, which show the format. */
static int grow_from(struct source *source, int fd, const struct source_params *params,
                     bool is_file, struct problems *problems)
{
    struct growing_source_params growing = {.path = is_file ? source->path : NULL,
                                            .raw = params->raw,
                                            .max = source_max_expand(params, SOURCE_MAX_STREAM),
                                            .max_expand =
                                                source_max_expand(params, SOURCE_MAX_EXPAND),
                                            .max_ratio = params->max_ratio,
                                            .spool_dir = params->spool_dir,
                                            .problems = problems,
                                            .lost = &source->lost};
    int status = growing_source_create(fd, &growing, &source->growth);

    if (status == 0)
        status = growing_source_fill(source->growth, FIRST_BYTES, -1, params->cancel);
    if (status != 0)
        return status;
    source->data = growing_source_data(source->growth);
    source->size = growing_source_size(source->growth);
    source->file_size = source->size;
    source->container = growing_source_container(source->growth);
    return 0;
}

/* Waits for the end of a stream, which then does not grow. */
static int take_whole(struct source *source, const struct cancel *cancel)
{
    int status = source_complete(source, cancel);

    source->whole = source->growth;
    source->growth = NULL;
    source->data = source->size > 0 ? growing_source_data(source->whole) : NULL;
    return status;
}

static int open_stream(struct source *source, const char *name, const struct source_params *params,
                       struct problems *problems)
{
    struct text message = TEXT_INIT;
    int fd = params->stream != NULL ? fcntl(*params->stream, F_DUPFD_CLOEXEC, 0)
                                    : stream_open(name, params->remote, &message);
    int status = fd;

    if (fd < 0 && params->stream != NULL)
        text_add(&message, strerror(errno));
    if (fd < 0)
        problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE, "%.*s",
                     (int)message.length, message.bytes);
    text_clear(&message);
    clock_gettime(CLOCK_REALTIME, &source->mtime);
    source->path = strdup(name);
    if (source->path == NULL && fd >= 0) {
        close(fd);
        return -ENOMEM;
    }
    if (fd >= 0)
        status = grow_from(source, fd, params, false, problems);
    return status == 0 && params->whole ? take_whole(source, params->cancel) : status;
}

/* Follows a file with a descriptor of its own, which the growing source closes. */
static int follow_file(struct source *source, int fd, const struct source_params *params,
                       struct problems *problems)
{
    int own;

    if (fstat(fd, &source->status) < 0)
        return -errno;
    if (!S_ISREG(source->status.st_mode))
        return S_ISDIR(source->status.st_mode) ? -EISDIR : -EINVAL;
    source->mtime = source->status.st_mtim;
    own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return own < 0 ? -errno : grow_from(source, own, params, true, problems);
}

int source_open_file(int folder, const char *name, bool follow_links)
{
    return file_access_open(folder, name,
                            follow_links ? FILE_ACCESS_READ : FILE_ACCESS_READ_NO_LINK);
}

/* Opens what `fd`, which stays the caller's, refers to. */
static int open_descriptor(struct source *source, int fd, const struct source_params *params,
                           struct problems *problems)
{
    return params->follow ? follow_file(source, fd, params, problems)
                          : open_contents(source, fd, params, problems);
}

/* Opens a file by its name; links are followed. */
static int open_path(struct source *source, const char *path, const struct source_params *params,
                     struct problems *problems)
{
    int fd = source_open_file(AT_FDCWD, path, true), status = 0;

    if (fd < 0)
        return fd;
    source->path = realpath(path, NULL);
    if (source->path == NULL) /* a confined process may open what it cannot look up */
        source->path = file_access_path(fd);
    if (source->path == NULL)
        status = -ENOENT;
    else
        status = open_descriptor(source, fd, params, problems);
    close(fd);
    return status;
}

static int open_opened(struct source *source, const char *path, const struct source_params *params,
                       struct problems *problems)
{
    source->no_links = params->file->no_links;
    source->folder = params->file->folder;
    source->path = strdup(path);
    return source->path == NULL ? -ENOMEM
                                : open_descriptor(source, params->file->fd, params, problems);
}

bool source_is_stream(const char *path, const struct source_params *params)
{
    return params->streams && (params->stream != NULL || stream_is_name(path) ||
                               ((params->follow || params->whole) && stream_is_pipe(path)));
}

int source_open(const char *path, const struct source_params *params, struct problems *problems,
                struct source **out)
{
    struct source *source = calloc(1, sizeof(*source));
    int status;

    *out = NULL;
    if (source == NULL)
        return -ENOMEM;
    if (params->file != NULL)
        status = open_opened(source, path, params, problems);
    else if (source_is_stream(path, params))
        status = open_stream(source, path, params, problems);
    else
        status = open_path(source, path, params, problems);
    if (status < 0)
        source_close(&source);
    *out = source;
    return status;
}

static bool is_plain_name(const char *name)
{
    return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

/*
 * Opens the folder that siblings are in. Returns a descriptor or -errno; *own is set if the caller
 * must close it.
 */
static int folder_of(const struct source *source, bool *own)
{
    size_t length;
    char *path;
    int fd;

    *own = false;
    if (source->is_folder || source->no_links)
        return source->folder;
    length = (size_t)(source_basename(source) - source->path);
    path = strndup(length > 0 ? source->path : ".", length > 0 ? length : 1);
    if (path == NULL)
        return -ENOMEM;
    fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    *own = fd >= 0;
    free(path);
    return fd < 0 ? -errno : fd;
}

/* Appends the path that is shown, which is not used for opening the file. */
static int path_of_sibling(const struct source *source, const char *name, struct text *path)
{
    if (source->is_folder)
        text_printf(path, "%s/", source->path);
    else
        text_add_bytes(path, source->path, (size_t)(source_basename(source) - source->path));
    text_add(path, name);
    text_add_char(path, '\0');
    return text_status(path);
}

/* Gives a file that was opened for a folder the folder's name. The root folder has none. */
static int name_by_folder(const struct source *folder, struct source *file)
{
    const char *name = source_basename(folder);

    if (!folder->is_folder || name[0] == '\0')
        return 0;
    file->folder_name = strdup(name);
    return file->folder_name != NULL ? 0 : -ENOMEM;
}

int source_open_sibling(const struct source *source, const char *name,
                        const struct source_params *params, struct problems *problems,
                        struct source **out)
{
    struct source_params own = *params;
    struct source_file file = {.fd = -1};
    struct text path = TEXT_INIT;
    bool close_folder;
    int status;

    *out = NULL;
    if (!is_plain_name(name))
        return -EINVAL;
    file.folder = folder_of(source, &close_folder);
    if (file.folder < 0 && file.folder != -EACCES)
        return file.folder;
    file.no_links = source->no_links;
    status = path_of_sibling(source, name, &path);
    /* The keeper may open what a confined process may not access. */
    if (status == 0 && file.folder >= 0)
        file.fd = source_open_file(file.folder, name, !source->no_links);
    else if (status == 0)
        file.fd = source_open_file(AT_FDCWD, path.bytes, true);
    if (status == 0 && file.fd < 0)
        status = file.fd;
    own.file = &file;
    own.unfinished = false;
    if (status == 0)
        status = source_open(path.bytes, &own, problems, out);
    if (status == 0)
        status = name_by_folder(source, *out);
    if (status != 0)
        source_close(out);
    if (file.fd >= 0)
        close(file.fd);
    if (close_folder)
        close(file.folder);
    text_clear(&path);
    return status;
}

void source_close(struct source **source)
{
    struct source *closed = *source;

    *source = NULL;
    if (closed == NULL)
        return;
    if (closed->growth == NULL && closed->whole == NULL)
        source_unmap(closed->data, closed->size);
    source_end_expansion(closed);
    spool_budget_give(closed->budget, closed->spooled);
    filewatch_destroy(&closed->watch);
    growing_source_destroy(&closed->growth);
    growing_source_destroy(&closed->whole);
    free(closed->image);
    if (closed->is_folder)
        close(closed->folder);
    if (closed->has_file)
        close(closed->file);
    free(closed->folder_name);
    free(closed->path);
    free(closed);
}

uint64_t source_size(const struct source *source)
{
    return source->growth == NULL ? source->size : growing_source_size(source->growth);
}

uint64_t source_file_size(const struct source *source)
{
    return source->growth == NULL ? source->file_size : growing_source_arrived(source->growth);
}

uint64_t source_file_sent(const struct source *source)
{
    uint64_t size = source_file_size(source);

    return size > source->holes ? size - source->holes : 0;
}

uint64_t source_sent(const struct source *source)
{
    return source->container == SOURCE_PLAIN ? source_file_sent(source) : source_size(source);
}

int source_stat_stream(const struct source *source, struct stat *out)
{
    const struct growing_source *growing = source->whole != NULL ? source->whole : source->growth;

    return growing != NULL ? growing_source_stat(growing, out) : -ENOENT;
}

int source_complete(struct source *source, const struct cancel *cancel)
{
    int status = 0;

    if (source->expansion != NULL)
        return source_expand_rest(source, cancel);
    if (source->growth != NULL)
        status = growing_source_fill(source->growth, UINT64_MAX, -1, cancel);
    source->size = source->file_size = source_size(source);
    return status;
}

const char *source_basename(const struct source *source)
{
    const char *slash = strrchr(source->path, '/');

    return slash == NULL ? source->path : slash + 1;
}

const char *source_name(const struct source *source)
{
    return source->folder_name != NULL ? source->folder_name : source_basename(source);
}

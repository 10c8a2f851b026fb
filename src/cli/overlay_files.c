/* SPDX-License-Identifier: MIT */
#include "cli/overlay.h"

#include "base/array.h"
#include "base/file_access.h"
#include "source/filewatch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_SECONDS = 1, /* a file system's clock is not coarser, and mostly much finer */
    MORE_MS = 20,     /* a file that was just created is empty: wait this long for its contents */
};

int overlay_folder_open(const char *path, struct overlay_folder *out)
{
    *out = (struct overlay_folder){.folder = -1, .queue = -1};
    out->path = realpath(path, NULL);
    if (out->path == NULL)
        return -errno;
    out->folder = open(out->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out->folder < 0) {
        int error = errno;

        overlay_folder_close(out);
        return -error;
    }
    out->queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return 0;
}

static void clear_file(struct overlay_file *file)
{
    free(file->path);
    free(file->problem);
    text_clear(&file->edit.bytes);
}

static void clear_files(struct overlay_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        clear_file(&files[i]);
    free(files);
}

static void close_if_open(int file)
{
    if (file >= 0)
        close(file);
}

void overlay_folder_close(struct overlay_folder *folder)
{
    clear_files(folder->files, folder->count);
    free(folder->folders);
    close_if_open(folder->folder);
    close_if_open(folder->queue);
    free(folder->path);
    *folder = (struct overlay_folder){.folder = -1, .queue = -1};
}

/* A scan of the folder. */
struct scan {
    struct overlay_folder *folder;
    struct overlay_file *files;
    size_t count, room, names;
    struct stat *folders;
    size_t folder_count, folder_room;
    uint64_t size;
    bool is_too_much;
};

static int by_path(const void *one, const void *other)
{
    return strcmp(((const struct overlay_file *)one)->path,
                  ((const struct overlay_file *)other)->path);
}

static char *join(const char *folder, const char *name)
{
    struct text path = TEXT_INIT;
    char *copy = NULL;

    if (strcmp(folder, ".") != 0)
        text_printf(&path, "%s/", folder);
    text_printf(&path, "%s%c", name, 0);
    if (text_status(&path) == 0)
        copy = strdup(path.bytes);
    text_clear(&path);
    return copy;
}

/*
 * Returns whether the next write will change the file's time: the file was last written a while
 * ago.
 */
static bool is_settled(const struct stat *status)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    return status->st_ctim.tv_sec < now.tv_sec - TICK_SECONDS;
}

/*
 * Returns whether what is known of a file stays valid: the file is unchanged, or cannot be opened
 * just now. A file that could not be opened has no status, and so counts as unchanged until it can
 * be.
 */
static bool stays_known(const struct overlay_file *known, const struct overlay_file *file)
{
    if (file->is_unreachable && known->known && known->problem == NULL)
        return true;
    return known->settled && filewatch_is_same(&known->status, &file->status);
}

static void take_known(struct overlay_folder *folder, struct overlay_file *file)
{
    struct overlay_file *known = NULL;

    if (folder->count > 0)
        known = bsearch(file, folder->files, folder->count, sizeof(*file), by_path);
    if (known == NULL || !stays_known(known, file))
        return;
    file->is_kept = file->known = true;
    file->status = known->status;
    file->settled = known->settled;
    file->edit = known->edit;
    free(file->problem);
    file->problem = known->problem;
    known->edit.bytes = (struct text)TEXT_INIT;
    known->problem = NULL;
}

static const char *explain_open(int status)
{
    return status == -ELOOP || status == -EXDEV ? "links are not followed" : strerror(-status);
}

/* Returns whether the failure has nothing to do with the file itself. */
static bool may_pass(int status)
{
    return status == -EMFILE || status == -ENFILE || status == -ENOMEM || status == -EAGAIN ||
           status == -EINTR;
}

/*
 * Adds a file, and takes ownership of the path. `problem` says why the file cannot be used; NULL:
 * no reason is known.
 */
static int add_file(struct scan *scan, char *path, const struct stat *status, const char *problem)
{
    struct overlay_file *file;

    if (ARRAY_GROW(scan->files, scan->count, scan->room) != 0) {
        free(path);
        return -ENOMEM;
    }
    file = &scan->files[scan->count++];
    *file = (struct overlay_file){.path = path, .edit = {.bytes = TEXT_INIT}};
    if (status != NULL) {
        file->status = *status;
        file->settled = is_settled(status);
        scan->size += (uint64_t)status->st_size;
        return 0;
    }
    file->known = file->settled = true;
    if (problem != NULL && (file->problem = strdup(problem)) == NULL)
        return -ENOMEM;
    return 0;
}

static int look_at_file(struct scan *scan, char *path)
{
    int file = file_access_open(scan->folder->folder, path, FILE_ACCESS_BELOW), result;
    const char *problem = NULL;
    struct stat status;

    if (file == -ENOENT) { /* it has just been removed */
        free(path);
        return 0;
    }
    if (file < 0) {
        result = add_file(scan, path, NULL, explain_open(file));
        if (result == 0 && may_pass(file))
            scan->files[scan->count - 1].is_unreachable = scan->folder->is_incomplete = true;
        return result;
    }
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        problem = "neither a file nor a folder";
    else if ((uint64_t)status.st_size > OVERLAY_FILE_MAX)
        problem = "the file is larger than 64 MiB";
    else if ((uint64_t)status.st_size > OVERLAY_SIZE_MAX - scan->size)
        problem = "all files together are larger than 256 MiB";
    result = add_file(scan, path, problem == NULL ? &status : NULL, problem);
    close(file);
    return result;
}

/* Names that editors give to files that they are about to save, or have saved before. */
static bool is_passed_over(const char *name)
{
    return name[0] == '.' || name[0] == '#' || name[strlen(name) - 1] == '~';
}

static int look_at_folder(struct scan *scan, const char *path, unsigned depth);

/* For a file system that does not report the type with the name. */
static bool is_folder(const struct scan *scan, const char *path)
{
    int folder = file_access_open(scan->folder->folder, path, FILE_ACCESS_FOLDER_BELOW);

    close_if_open(folder);
    return folder >= 0;
}

/* Opens nothing that the listing reports as neither a file nor a folder. */
static int look_at(struct scan *scan, const char *folder, const struct dirent *entry,
                   unsigned depth)
{
    char *path = join(folder, entry->d_name);
    int status;

    if (path == NULL)
        return -ENOMEM;
    if (entry->d_type == DT_LNK)
        return add_file(scan, path, NULL, "links are not followed");
    if (entry->d_type == DT_REG)
        return look_at_file(scan, path);
    if (entry->d_type == DT_UNKNOWN && !is_folder(scan, path))
        return look_at_file(scan, path);
    if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
        return add_file(scan, path, NULL, "neither a file nor a folder");
    if (depth == OVERLAY_DEPTH)
        return add_file(scan, path, NULL, "the mount has no such folder");
    status = look_at_folder(scan, path, depth + 1);
    free(path);
    return status;
}

static int note_folder(struct scan *scan, int folder)
{
    if (ARRAY_GROW(scan->folders, scan->folder_count, scan->folder_room) != 0)
        return -ENOMEM;
    if (fstat(folder, &scan->folders[scan->folder_count]) != 0)
        return -errno;
    scan->folder_count++;
    return 0;
}

/* Watches the folder before reading it: anything created meanwhile is read or reported. */
static int look_at_folder(struct scan *scan, const char *path, unsigned depth)
{
    int folder = file_access_open(scan->folder->folder, path, FILE_ACCESS_FOLDER_BELOW);
    const struct dirent *entry;
    DIR *names;
    int status;

    if (folder < 0)
        return may_pass(folder) ? folder : 0;
    status = note_folder(scan, folder);
    if (scan->folder->queue < 0 ||
        file_access_watch(scan->folder->queue, folder, FILE_ACCESS_NAMES) < 0)
        scan->folder->is_unwatched = true;
    names = fdopendir(folder);
    if (names == NULL) {
        status = -errno;
        close(folder);
        return status;
    }
    while (status == 0 && (entry = readdir(names)) != NULL) {
        if (is_passed_over(entry->d_name))
            continue;
        scan->is_too_much = ++scan->names > OVERLAY_FILES;
        if (scan->is_too_much)
            break;
        status = look_at(scan, path, entry, depth);
    }
    closedir(names);
    return status;
}

int overlay_folder_read(struct overlay_folder *folder, bool *changed)
{
    struct scan scan = {.folder = folder};
    int status;

    folder->is_unwatched = folder->is_incomplete = false;
    status = look_at_folder(&scan, ".", 1);
    if (status < 0) { /* what was not seen may still exist */
        clear_files(scan.files, scan.count);
        free(scan.folders);
        *changed = false;
        return status;
    }
    if (scan.count > 0)
        qsort(scan.files, scan.count, sizeof(*scan.files), by_path);
    *changed = scan.count != folder->count || scan.is_too_much != folder->is_too_much;
    for (size_t i = 0; i < scan.count; i++) {
        take_known(folder, &scan.files[i]);
        *changed |= !scan.files[i].is_kept;
    }
    clear_files(folder->files, folder->count);
    free(folder->folders);
    folder->files = scan.files;
    folder->count = scan.count;
    folder->folders = scan.folders;
    folder->folder_count = scan.folder_count;
    folder->is_too_much = scan.is_too_much;
    return status;
}

static int read_all(int file, uint8_t *bytes, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t got = pread(file, bytes + done, size - done, (off_t)done);

        if (got < 0)
            return -errno;
        if (got == 0)
            return -EAGAIN; /* the file was truncated: an event will follow */
        done += (size_t)got;
    }
    return 0;
}

static int read_file(const struct overlay_folder *folder, struct overlay_file *file,
                     uint8_t **bytes, size_t *size)
{
    int fd = file_access_open(folder->folder, file->path, FILE_ACCESS_BELOW), status = 0;

    *bytes = NULL;
    *size = 0;
    if (fd < 0)
        return fd;
    if (fstat(fd, &file->status) != 0 || !S_ISREG(file->status.st_mode))
        status = -ENXIO;
    else if ((uint64_t)file->status.st_size > OVERLAY_FILE_MAX)
        status = -EFBIG;
    file->settled = is_settled(&file->status);
    if (status == 0) {
        *size = (size_t)file->status.st_size;
        *bytes = malloc(*size + 1);
        status = *bytes == NULL ? -ENOMEM : read_all(fd, *bytes, *size);
    }
    close(fd);
    if (status != 0) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

int overlay_file_read(struct overlay_folder *folder, struct overlay_file *file, uint8_t **bytes,
                      size_t *size)
{
    const int status = read_file(folder, file, bytes, size);

    if (may_pass(status)) {
        file->settled = false;
        folder->is_incomplete = true;
    }
    return status;
}

/*
 * Takes all pending events. Returns whether there were any. Sets *done if one of them completes a
 * change.
 */
static bool take_events(int queue, bool *done)
{
    union {
        char bytes[4096];
        struct inotify_event event;
    } room;
    bool any = false;
    ssize_t got;

    while ((got = read(queue, room.bytes, sizeof(room))) > 0) {
        for (ssize_t at = 0; at < got;) {
            struct inotify_event event;

            memcpy(&event, room.bytes + at, sizeof(event));
            any = true;
            if ((event.mask & IN_CREATE) == 0 || (event.mask & IN_ISDIR) != 0)
                *done = true;
            at += (ssize_t)(sizeof(event) + event.len);
        }
    }
    return any;
}

bool overlay_folder_wait(const struct overlay_folder *folder, int timeout_ms, int woken)
{
    struct pollfd files[] = {{.fd = woken, .events = POLLIN},
                             {.fd = folder->queue, .events = POLLIN}};
    bool any = false, done = false;

    while (!done && poll(files, 2, any ? MORE_MS : timeout_ms) > 0 && files[0].revents == 0)
        any |= take_events(folder->queue, &done);
    return any;
}

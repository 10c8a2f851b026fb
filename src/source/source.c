/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "source/source.h"

#include "base/clock.h"
#include "base/file_access.h"
#include "base/text.h"
#include "source/filewatch.h"
#include "source/growing_source.h"
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
    FIRST_BYTES = 16,   /* of a stream: a magic, or a container's first bytes */
    STORED_PARTS = 256, /* between holes of a file; those of further ones are not counted */
};

/* Maps `size` bytes for reading, guarded; NULL when there are none. 0 or -errno. */
static int map_file(int fd, uint64_t size, atomic_bool *lost, const uint8_t **data)
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

static void unmap(const uint8_t *data, uint64_t size)
{
    if (data == NULL)
        return;
    sigbus_guard_remove(data);
    munmap((void *)(uintptr_t)data, (size_t)size);
}

static uint64_t max_expand(const struct source_params *params, uint64_t standard)
{
    return params->max_expand != 0 ? params->max_expand : standard;
}

void source_limit_spool(const struct source_params *params, struct spool_params *spool)
{
    spool->max_size = max_expand(params, SOURCE_MAX_EXPAND);
    spool->max_ratio = params->max_ratio;
    spool->budget = params->budget;
    spool->until = params->max_wait_ms != 0 ? clock_ms() + params->max_wait_ms : 0;
    spool->folder = params->spool_dir;
    spool->cancel = params->cancel;
    spool->progress = params->progress;
    spool->progress_context = params->progress_context;
}

static const struct expander *recognise(const uint8_t *data, uint64_t size)
{
    for (size_t i = 0; size > 0 && i < EXPANDER_COUNT; i++)
        if (expanders[i]->recognises(data, size))
            return expanders[i];
    return NULL;
}

/* A container that is being expanded. */
struct source_expansion {
    struct spool *spool;
    const uint8_t *packed; /* the container */
    uint64_t packed_size;
    struct problems *problems;
};

static void end_expansion(struct source *source)
{
    struct source_expansion *ending = source->expansion;

    source->expansion = NULL;
    if (ending == NULL)
        return;
    spool_close(&ending->spool);
    unmap(ending->packed, ending->packed_size);
    free(ending);
}

/* Makes what was expanded so far the source's bytes. */
static int show_expanded(struct source *source)
{
    const struct spool *spool = source->expansion->spool;
    const uint8_t *data = NULL;
    uint64_t size = spool_size(spool);
    int status = map_file(spool_file(spool), size, &source->lost, &data);

    if (status < 0)
        return status;
    unmap(source->data, source->size);
    source->data = data;
    source->size = size;
    return 0;
}

/* All is expanded: the container is needed no more. */
static int take_expanded(struct source *source)
{
    struct source_expansion *expansion = source->expansion;
    int status;

    if (source_check(source) != SOURCE_INTACT) {
        problems_add(expansion->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "the file was written while it was expanded: open it when it is complete");
        return -EBUSY;
    }
    status = show_expanded(source);
    if (status < 0)
        return status;
    filewatch_destroy(&source->watch);
    source->spooled = source->size;
    close(spool_release(expansion->spool));
    end_expansion(source);
    return 0;
}

/* Bytes of a file that are no hole: a hole is made for nothing, however long it is. */
static uint64_t count_stored(int fd, uint64_t size)
{
    off_t before = lseek(fd, 0, SEEK_CUR), at = 0;
    uint64_t stored = 0;

    for (unsigned n = 0; n < STORED_PARTS && (uint64_t)at < size; n++) {
        off_t data = lseek(fd, at, SEEK_DATA);
        off_t hole = data >= 0 ? lseek(fd, data, SEEK_HOLE) : -1;

        if (data < 0 && errno == ENXIO)
            break; /* to its end */
        if (hole <= data) {
            stored = size; /* the file system does not tell */
            break;
        }
        stored += (uint64_t)(hole - data);
        at = hole;
    }
    (void)lseek(fd, before, SEEK_SET); /* others may have it, too */
    return stored;
}

/* Puts the expanded bytes in place of the mapped container. */
static int expand(struct source *source, const struct expander *expander,
                  const struct source_params *params, struct problems *problems)
{
    struct spool_params spool = {
        .expander = expander, .data = source->data, .size = source->size, .problems = problems};
    struct source_expansion *expansion = calloc(1, sizeof(*expansion));
    int status;

    if (expansion == NULL)
        return -ENOMEM;
    source_limit_spool(params, &spool);
    spool.stored = count_stored(source->file, source->size);
    *expansion = (struct source_expansion){
        .packed = source->data, .packed_size = source->size, .problems = problems};
    source->expansion = expansion;
    source->container = expander->container;
    source->budget = params->budget;
    source->data = NULL;
    source->size = 0;
    madvise((void *)(uintptr_t)expansion->packed, (size_t)expansion->packed_size, MADV_SEQUENTIAL);
    status = spool_open(&spool, &expansion->spool);
    if (status == 0)
        status = spool_take(expansion->spool, expansion->packed_size, false);
    if (status == -EAGAIN && params->unfinished)
        return show_expanded(source);
    return status == 0 ? take_expanded(source) : status;
}

static bool is_seekable(const struct source *source)
{
    struct seekable seekable;

    return source->data != NULL && seekable_find(source->data, source->size, &seekable);
}

static int open_contents(struct source *source, int fd, const struct source_params *params,
                         struct problems *problems)
{
    const struct expander *expander;
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
    result = map_file(fd, source->size, &source->lost, &source->data);
    if (result < 0)
        return result;
    if (params->keep_seekable && !params->raw && is_seekable(source)) {
        source->container = SOURCE_ZSTD;
        source->packed = true;
        return 0;
    }
    expander = params->raw ? NULL : recognise(source->data, source->size);
    return expander == NULL ? 0 : expand(source, expander, params, problems);
}

/* The first bytes are waited for: they tell the format. */
static int grow_from(struct source *source, int fd, const struct source_params *params,
                     bool is_file, struct problems *problems)
{
    struct growing_source_params growing = {.path = is_file ? source->path : NULL,
                                            .raw = params->raw,
                                            .max = max_expand(params, SOURCE_MAX_STREAM),
                                            .max_expand = max_expand(params, SOURCE_MAX_EXPAND),
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

/* Waits for its end. */
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

/* A descriptor of its own, which the growth closes. */
static int follow_file(struct source *source, int fd, const struct source_params *params,
                       struct problems *problems)
{
    int own;

    if (fstat(fd, &source->status) < 0)
        return -errno;
    if (!S_ISREG(source->status.st_mode))
        return -EINVAL;
    source->mtime = source->status.st_mtim;
    own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return own < 0 ? -errno : grow_from(source, own, params, true, problems);
}

int source_open_file(int folder, const char *name, bool follow_links)
{
    return file_access_open(folder, name,
                            follow_links ? FILE_ACCESS_READ : FILE_ACCESS_READ_NO_LINK);
}

/* What a descriptor, which stays the caller's, is of. */
static int open_descriptor(struct source *source, int fd, const struct source_params *params,
                           struct problems *problems)
{
    return params->follow ? follow_file(source, fd, params, problems)
                          : open_contents(source, fd, params, problems);
}

/* By its name, for which links are followed. */
static int open_path(struct source *source, const char *path, const struct source_params *params,
                     struct problems *problems)
{
    int fd = source_open_file(AT_FDCWD, path, true), status = 0;

    if (fd < 0)
        return fd;
    source->path = realpath(path, NULL);
    if (source->path == NULL) /* a confined process may open what it may not find */
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

/* As much as one call gives: the beginning of the first stream. */
static int peek_expanded(const struct expander *expander, const uint8_t *packed, size_t packed_size,
                         uint8_t *bytes, size_t max, size_t *size)
{
    struct expand_buffers buffers = {packed, packed_size, bytes, max, ""};
    void *state = NULL;
    int status = expander->create(&state), result = EXPAND_MORE;
    size_t before = max + 1;

    if (status != 0)
        return status;
    while (result == EXPAND_MORE && buffers.out_left > 0 &&
           buffers.in_left + buffers.out_left != before) {
        before = buffers.in_left + buffers.out_left;
        result = expander->step(state, &buffers);
    }
    expander->destroy(state);
    *size = max - buffers.out_left;
    return 0;
}

int source_peek(int fd, uint8_t *bytes, size_t max, size_t *size)
{
    const struct expander *expander;
    uint8_t *packed = NULL;
    ssize_t got = pread(fd, bytes, max, 0);
    int status = got < 0 ? -errno : 0;

    *size = got < 0 ? 0 : (size_t)got;
    expander = recognise(bytes, *size);
    if (status != 0 || expander == NULL)
        return status;
    packed = malloc(*size);
    if (packed == NULL)
        return -ENOMEM;
    memcpy(packed, bytes, *size);
    status = peek_expanded(expander, packed, *size, bytes, max, size);
    free(packed);
    return status;
}

static bool is_plain_name(const char *name)
{
    return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

/* The folder that siblings are in: a descriptor or -errno; `own`: to be closed. */
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

/* As it is shown; of no use for opening it. */
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
    /* What a confined process may not look into, its keeper may. */
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
        unmap(closed->data, closed->size);
    end_expansion(closed);
    spool_budget_give(closed->budget, closed->spooled);
    filewatch_destroy(&closed->watch);
    growing_source_destroy(&closed->growth);
    growing_source_destroy(&closed->whole);
    free(closed->image);
    if (closed->is_folder)
        close(closed->folder);
    if (closed->has_file)
        close(closed->file);
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

int source_complete(struct source *source, const struct cancel *cancel)
{
    int status = 0;

    if (source->expansion != NULL) {
        status = spool_finish(source->expansion->spool, cancel);
        return status == 0 ? take_expanded(source) : status;
    }
    if (source->growth != NULL)
        status = growing_source_fill(source->growth, UINT64_MAX, -1, cancel);
    source->size = source->file_size = source_size(source);
    return status;
}

static const enum source_state states[] = {
    [FILEWATCH_SAME] = SOURCE_INTACT,
    [FILEWATCH_SHORTENED] = SOURCE_SHORTENED,
    [FILEWATCH_WRITTEN] = SOURCE_WRITTEN,
};

atomic_bool *source_lost(const struct source *source)
{
    return (atomic_bool *)(uintptr_t)&source->lost;
}

/*
 * Where bytes were missed of a file that is as long as it was, or of a spool, which has no name,
 * the disk did not give them.
 */
enum source_state source_state(const struct source *source)
{
    enum source_state state = SOURCE_INTACT;

    if (source->original != NULL && source_state(source->original) != SOURCE_INTACT)
        return source_state(source->original);
    if (source->watch != NULL)
        state = states[filewatch_seen(source->watch)];
    if (state != SOURCE_INTACT || !atomic_load(&source->lost))
        return state;
    return source->growth != NULL ? SOURCE_SHORTENED : SOURCE_UNREADABLE;
}

/* What there is of a source beside its own watch. */
static void look_beside(const struct source *source)
{
    if (source->original != NULL)
        (void)source_check(source->original);
    if (source->growth != NULL)
        growing_source_look(source->growth);
}

enum source_state source_check(const struct source *source)
{
    source_check_several(&source, 1);
    return source_state(source);
}

/* What is missed may have been cut off since the first look: a second one tells. */
void source_check_several(const struct source *const *sources, size_t count)
{
    struct filewatch *watches[SOURCE_SEVERAL] = {NULL};
    size_t watched = 0;

    for (size_t n = 0; n < count; n++) {
        look_beside(sources[n]);
        if (sources[n]->watch != NULL)
            watches[watched++] = sources[n]->watch;
    }
    filewatch_look_at(watches, watched);
    for (size_t n = 0; n < count; n++)
        if (sources[n]->watch != NULL && source_state(sources[n]) == SOURCE_UNREADABLE)
            (void)filewatch_look(sources[n]->watch);
}

const char *source_container_name(enum source_container container)
{
    for (size_t i = 0; i < EXPANDER_COUNT; i++)
        if (expanders[i]->container == container)
            return expanders[i]->name;
    return "plain";
}

const char *source_basename(const struct source *source)
{
    const char *slash = strrchr(source->path, '/');

    return slash == NULL ? source->path : slash + 1;
}

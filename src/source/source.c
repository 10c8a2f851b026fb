/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "source/source.h"

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

enum { FIRST_BYTES = 16 }; /* of a stream: a magic, or a container's first bytes */

static const struct expander *const expanders[] = {&expand_zstd, &expand_xz, &expand_gzip};

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

static uint64_t max_expand(const struct source_params *params)
{
    return params->max_expand != 0 ? params->max_expand : SOURCE_MAX_EXPAND;
}

void source_limit_spool(const struct source_params *params, struct spool_params *spool)
{
    spool->max_size = max_expand(params);
    spool->folder = params->spool_dir;
    spool->cancel = params->cancel;
    spool->progress = params->progress;
    spool->progress_context = params->progress_context;
}

static const struct expander *recognise(const uint8_t *data, uint64_t size)
{
    for (size_t i = 0; i < sizeof(expanders) / sizeof(expanders[0]); i++)
        if (size > 0 && expanders[i]->recognises(data, size))
            return expanders[i];
    return NULL;
}

/* Puts the expanded bytes in place of the mapped container. */
static int expand(struct source *source, const struct expander *expander,
                  const struct source_params *params, struct problems *problems)
{
    struct spool_params spool = {
        .expander = expander, .data = source->data, .size = source->size, .problems = problems};
    const uint8_t *data = NULL;
    uint64_t size;
    int fd, status;

    source_limit_spool(params, &spool);
    madvise((void *)(uintptr_t)source->data, (size_t)source->size, MADV_SEQUENTIAL);
    status = spool_expand(&spool, &fd, &size);
    if (status < 0)
        return status;
    if (source_check(source) != SOURCE_INTACT) {
        problems_add(problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "the file was written while it was expanded: open it when it is complete");
        close(fd);
        return -EBUSY;
    }
    status = map_file(fd, size, &source->lost, &data);
    close(fd);
    if (status < 0)
        return status;
    filewatch_destroy(&source->watch);
    unmap(source->data, source->size);
    source->data = data;
    source->size = size;
    source->container = expander->container;
    return 0;
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
    source->is_folder = S_ISDIR(source->status.st_mode);
    if (source->is_folder)
        return 0;
    if (!S_ISREG(source->status.st_mode))
        return -EINVAL;
    result = filewatch_create(fd, &source->status, &source->watch);
    if (result < 0)
        return result;
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
                                            .max = max_expand(params),
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

static int open_stream(struct source *source, const char *name, const struct source_params *params,
                       struct problems *problems)
{
    struct text message = TEXT_INIT;
    int fd = stream_open(name, params->remote, &message);

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
    return fd < 0 ? fd : grow_from(source, fd, params, false, problems);
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

int source_open(const char *path, const struct source_params *params, struct problems *problems,
                struct source **out)
{
    struct source *source = calloc(1, sizeof(*source));
    int fd, status;

    if (source == NULL)
        return -ENOMEM;
    if (params->streams && (stream_is_name(path) || (params->follow && stream_is_pipe(path)))) {
        status = open_stream(source, path, params, problems);
        goto out;
    }
    /* O_NONBLOCK: opening a pipe is not to wait for its writer */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        status = -errno;
        goto out;
    }
    source->path = realpath(path, NULL);
    if (source->path == NULL)
        status = -errno;
    else if (params->follow)
        status = follow_file(source, fd, params, problems);
    else
        status = open_contents(source, fd, params, problems);
    close(fd);
out:
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

int source_peek(const char *path, uint8_t *bytes, size_t max, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), status = 0;
    const struct expander *expander;
    uint8_t *packed = NULL;
    ssize_t got;

    *size = 0;
    if (fd < 0)
        return -errno;
    got = pread(fd, bytes, max, 0);
    status = got < 0 ? -errno : 0;
    close(fd);
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

int source_open_sibling(const struct source *source, const char *name,
                        const struct source_params *params, struct problems *problems,
                        struct source **out)
{
    struct text path = TEXT_INIT;
    int status;

    *out = NULL;
    if (!is_plain_name(name))
        return -EINVAL;
    if (source->is_folder)
        text_printf(&path, "%s/", source->path);
    else
        text_add_bytes(&path, source->path, (size_t)(source_basename(source) - source->path));
    text_add(&path, name);
    text_add_char(&path, '\0');
    status = text_status(&path);
    if (status == 0)
        status = source_open(path.bytes, params, problems, out);
    text_clear(&path);
    return status;
}

void source_close(struct source **source)
{
    struct source *closed = *source;

    *source = NULL;
    if (closed == NULL)
        return;
    if (closed->growth == NULL)
        unmap(closed->data, closed->size);
    filewatch_destroy(&closed->watch);
    growing_source_destroy(&closed->growth);
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
    int status =
        source->growth == NULL ? 0 : growing_source_fill(source->growth, UINT64_MAX, -1, cancel);

    source->size = source->file_size = source_size(source);
    return status;
}

static const enum source_state states[] = {
    [FILEWATCH_SAME] = SOURCE_INTACT,
    [FILEWATCH_SHORTENED] = SOURCE_SHORTENED,
    [FILEWATCH_WRITTEN] = SOURCE_WRITTEN,
};

enum source_state source_state(const struct source *source)
{
    enum source_state state = SOURCE_INTACT;

    if (source->watch != NULL)
        state = states[filewatch_seen(source->watch)];
    return state == SOURCE_INTACT && atomic_load(&source->lost) ? SOURCE_SHORTENED : state;
}

enum source_state source_check(const struct source *source)
{
    if (source->watch != NULL)
        (void)filewatch_look(source->watch);
    if (source->growth != NULL)
        growing_source_look(source->growth);
    return source_state(source);
}

const char *source_container_name(enum source_container container)
{
    for (size_t i = 0; i < sizeof(expanders) / sizeof(expanders[0]); i++)
        if (expanders[i]->container == container)
            return expanders[i]->name;
    return "plain";
}

const char *source_basename(const struct source *source)
{
    const char *slash = strrchr(source->path, '/');

    return slash == NULL ? source->path : slash + 1;
}

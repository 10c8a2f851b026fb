/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "source/spool.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OUT_BYTES = 256 * 1024,
    IN_BYTES = 1024 * 1024, /* given at a time, so that cancel and progress get their turn */
};

struct spool {
    struct spool_params params;
    bool open;     /* more of the container may come … */
    bool waits;    /* … and is needed to go on */
    bool between;  /* streams of the container */
    void *state;   /* the expander's */
    uint64_t done; /* bytes of the container taken */
    uint64_t size; /* bytes written */
    uint8_t *room; /* OUT_BYTES */
    int fd;
    bool ended;
};

const char *spool_folder(const char *folder)
{
    if (folder == NULL)
        folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/var/tmp";
}

int spool_create(const char *folder)
{
    struct text path = TEXT_INIT;
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int status;

    if (fd >= 0)
        return fd;
    /* not every file system knows O_TMPFILE */
    text_printf(&path, "%s/gpudumpfs.XXXXXX", folder);
    text_add_char(&path, '\0');
    status = text_status(&path);
    if (status == 0) {
        fd = mkostemp(path.bytes, O_CLOEXEC);
        status = fd < 0 ? -errno : fd;
    }
    if (fd >= 0)
        unlink(path.bytes);
    text_clear(&path);
    return status;
}

int spool_write(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -errno;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

static int report_spool(const struct spool *spool, int status)
{
    problems_add(spool->params.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "cannot expand into %s: %s", spool_folder(spool->params.folder),
                 strerror(-status));
    return status;
}

/* Tells why the expansion, and so the dump, ends here; what was expanded is kept. */
static void report_end(struct spool *spool, const char *what, const char *detail)
{
    problems_add(spool->params.problems, PROBLEM_ERROR, spool->size, PROBLEM_NOWHERE,
                 "%s file %s at its offset 0x%08llX%s%s; so far the dump could be read",
                 spool->params.expander->name, what, (unsigned long long)spool->done,
                 detail[0] != '\0' ? ": " : "", detail);
    spool->ended = true;
}

static int write_room(struct spool *spool, size_t size)
{
    bool too_large = size > spool->params.max_size - spool->size;
    int status;

    if (too_large)
        size = (size_t)(spool->params.max_size - spool->size);
    status = spool_write(spool->fd, spool->room, size);
    if (status < 0)
        return report_spool(spool, status);
    spool->size += size;
    if (too_large)
        report_end(spool, "expands to more than max-expand allows", "");
    return 0;
}

static uint64_t left(const struct spool *spool)
{
    return spool->params.size - spool->done;
}

/*
 * After the end of a stream: goes on with the next one, if another follows; which is told
 * only when no more comes.
 */
static int next_stream(struct spool *spool)
{
    const struct spool_params *params = &spool->params;
    const uint8_t *data = params->data;

    spool->between = spool->open;
    if (spool->open) {
        spool->waits = true;
        return 0;
    }
    while (params->expander->zero_padding && left(spool) > 0 && data[spool->done] == 0)
        spool->done++;
    if (left(spool) > 0 && params->expander->begins(data + spool->done, left(spool)))
        return params->expander->restart(spool->state);
    if (left(spool) > 0)
        problems_add(params->problems, PROBLEM_WARNING, spool->size, PROBLEM_NOWHERE,
                     "%s file has %llu bytes at its offset 0x%08llX that are not %s data",
                     params->expander->name, (unsigned long long)left(spool),
                     (unsigned long long)spool->done, params->expander->name);
    spool->ended = true;
    return 0;
}

/* Expands one piece and writes it. */
static int spool_step(struct spool *spool)
{
    uint64_t room = spool->params.max_size - spool->size;
    size_t in = left(spool) < IN_BYTES ? (size_t)left(spool) : IN_BYTES;
    /* one byte beyond the cap tells that there is more */
    size_t out = room < OUT_BYTES ? (size_t)room + 1 : OUT_BYTES;
    struct expand_buffers buffers = {spool->params.data + spool->done, in, spool->room, out, ""};
    int result = spool->params.expander->step(spool->state, &buffers);
    bool stands = buffers.in_left == in && buffers.out_left == out;
    int status;

    spool->waits = stands && result == EXPAND_MORE && spool->open && in == 0;
    spool->done += in - buffers.in_left;
    status = write_room(spool, out - buffers.out_left);
    if (status < 0 || spool->ended)
        return status;
    if (result == -EBADMSG)
        report_end(spool, "is damaged", buffers.message);
    else if (result == EXPAND_END)
        return next_stream(spool);
    else if (result == EXPAND_MORE && stands && !spool->waits)
        report_end(spool, left(spool) > 0 ? "is damaged" : "is cut off", "");
    return result < 0 && result != -EBADMSG ? result : 0;
}

static int run_spool(struct spool *spool)
{
    const struct spool_params *params = &spool->params;
    int status = spool->between ? next_stream(spool) : 0;

    while (status == 0 && !spool->ended && !spool->waits) {
        if (cancel_requested(params->cancel))
            return -EINTR;
        status = spool_step(spool);
        if (params->progress != NULL)
            params->progress(params->progress_context, spool->done, params->size);
    }
    return status;
}

int spool_open(const struct spool_params *params, struct spool **out)
{
    struct spool *spool = calloc(1, sizeof(*spool));
    int status;

    *out = spool;
    if (spool == NULL)
        return -ENOMEM;
    spool->params = *params;
    spool->fd = -1;
    spool->room = memory_take(OUT_BYTES);
    status = spool->room == NULL ? -ENOMEM : params->expander->create(&spool->state);
    if (status == 0)
        spool->fd = spool_create(spool_folder(params->folder));
    if (status == 0 && spool->fd < 0)
        status = report_spool(spool, spool->fd);
    if (status < 0)
        spool_close(out);
    return status;
}

void spool_close(struct spool **spool)
{
    struct spool *closed = *spool;

    *spool = NULL;
    if (closed == NULL)
        return;
    if (closed->state != NULL)
        closed->params.expander->destroy(closed->state);
    if (closed->room != NULL)
        memory_give(closed->room, OUT_BYTES);
    if (closed->fd >= 0)
        close(closed->fd);
    free(closed);
}

int spool_take(struct spool *spool, uint64_t size, bool open)
{
    spool->params.size = size;
    spool->open = open;
    spool->waits = false;
    return run_spool(spool);
}

int spool_file(const struct spool *spool)
{
    return spool->fd;
}

uint64_t spool_size(const struct spool *spool)
{
    return spool->size;
}

int spool_expand(const struct spool_params *params, int *fd, uint64_t *size)
{
    struct spool *spool = NULL;
    int status = spool_open(params, &spool);

    if (status == 0)
        status = spool_take(spool, params->size, false);
    if (status == 0) {
        *fd = spool->fd;
        *size = spool->size;
        spool->fd = -1;
    }
    spool_close(&spool);
    return status;
}

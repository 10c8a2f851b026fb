/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "source/spool.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/file_write.h"
#include "base/helper.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
    OUT_BYTES = 256 * 1024,
    IN_BYTES = 1024 * 1024, /* bytes passed to the expander at a time, so that cancel is polled and
                               progress reported */
    LOOK_BYTES = 16 << 20,  /* bytes written between two checks of the free space */
    EMPTY_MAX = 4096,       /* empty streams in a row, which take time and give nothing */
};

struct spool {
    struct spool_params params;
    bool open;        /* more of the container may still come */
    bool waits;       /* more of the container is needed to continue; set only if `open` */
    bool between;     /* between two streams of the container */
    void *state;      /* the expander's */
    uint64_t done;    /* bytes of the container taken */
    uint64_t size;    /* bytes written to the spool */
    uint64_t checked; /* bytes of the spool that are of streams which ended properly, with their
                         checksums */
    uint64_t safe;    /* for spool_room() */
    unsigned empty;   /* number of streams in a row without output */
    uint64_t padding; /* zeros between and after streams */
    uint8_t *room;    /* OUT_BYTES */
    int fd;
    bool ended;
};

void spool_budget_give(struct spool_budget *budget, uint64_t bytes)
{
    if (budget != NULL)
        atomic_fetch_sub(&budget->used, bytes);
}

const char *spool_folder(const char *folder)
{
    if (folder == NULL)
        folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/var/tmp";
}

int spool_create(const char *folder)
{
    struct text path = TEXT_INIT;
    struct helper_request request;
    int fd, status;

    if (helper_is_there(HELPER_KEEPER)) {
        helper_fill(&request, HELPER_SPOOL, NULL);
        status = helper_ask(HELPER_KEEPER, &request, NULL, 0, NULL, &fd);
        return status < 0 ? status : fd >= 0 ? fd : -EPIPE;
    }
    fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    /* not every file system supports O_TMPFILE */
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

static int report_spool(const struct spool *spool, int status)
{
    problems_add(spool->params.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "cannot expand into %s: %s", spool_folder(spool->params.folder),
                 strerror(-status));
    return status;
}

/* Reports why the expansion, and so the dump, ends here. What was expanded is kept. */
static void report_end(struct spool *spool, const char *what, const char *detail)
{
    problems_add(spool->params.problems, PROBLEM_ERROR, spool->size, PROBLEM_NOWHERE,
                 "%s file %s at its offset 0x%08llX%s%s; the dump could be read up to here",
                 spool->params.expander->name, what, (unsigned long long)spool->done,
                 detail[0] != '\0' ? ": " : "", detail);
    spool->ended = true;
}

void spool_describe_damage(const char *why, uint64_t checked, uint64_t size,
                           char detail[SPOOL_DAMAGE_ROOM])
{
    if (size > checked)
        snprintf(detail, SPOOL_DAMAGE_ROOM, "%s; the expanded data may be wrong from byte %llu on",
                 why, (unsigned long long)checked);
    else
        snprintf(detail, SPOOL_DAMAGE_ROOM, "%s", why);
}

static void report_damage(struct spool *spool, const char *why)
{
    char detail[SPOOL_DAMAGE_ROOM];

    spool_describe_damage(why, spool->checked, spool->size, detail);
    report_end(spool, "is damaged", detail);
}

uint64_t spool_max_ratio(uint64_t packed, unsigned max_ratio)
{
    uint64_t limit;

    if (max_ratio == 0 || !bytes_mul(packed, max_ratio, &limit))
        return UINT64_MAX;
    return limit > SPOOL_RATIO_FROM ? limit : SPOOL_RATIO_FROM;
}

size_t spool_room(int fd, uint64_t size, size_t more, uint64_t *safe)
{
    struct statvfs now;
    uint64_t available, step;

    if (size + more <= *safe)
        return more;
    if (fstatvfs(fd, &now) != 0 || now.f_blocks == 0)
        return more; /* the free space is not known */
    available = (uint64_t)now.f_bavail * now.f_frsize;
    step = available > size ? (available - size) / 2 : 0;
    *safe = size + (step < LOOK_BYTES ? step : LOOK_BYTES);
    return more < step ? more : (size_t)step;
}

/* Returns the container's size, as far as limits are concerned. */
static uint64_t stored_size(const struct spool_params *params)
{
    bool known = params->stored != 0 && params->stored < params->size;

    return known ? params->stored : params->size;
}

static bool is_fair(const struct spool *spool, uint64_t size)
{
    return size / SPOOL_FAIR <= stored_size(&spool->params);
}

/*
 * Returns how much of a budget may be used for containers that have expanded to more than
 * SPOOL_FAIR times their size.
 */
static uint64_t max_shared(const struct spool_budget *budget)
{
    return budget->max - budget->max / SPOOL_KEPT;
}

/* Returns how much a container may expand to if no other uses the budget. */
static uint64_t max_own(const struct spool_params *params)
{
    uint64_t shared = params->budget != NULL ? max_shared(params->budget) : UINT64_MAX;
    uint64_t fair;

    return !bytes_mul(stored_size(params), SPOOL_FAIR, &fair) || fair < shared ? shared : fair;
}

/* Returns the maximum number of bytes, and sets *why to the reason for that limit. */
static uint64_t max_size(const struct spool *spool, const char **why)
{
    const struct spool_params *params = &spool->params;
    uint64_t limit = spool_max_ratio(stored_size(params), params->max_ratio);
    uint64_t own = max_own(params);
    uint64_t max = params->max_size < own ? params->max_size : own;

    if (limit < max) {
        *why = "expands to a larger multiple of its size than max-ratio allows";
        return limit;
    }
    *why = "expands to more than max-expand allows";
    return max;
}

/*
 * Takes bytes from the shared budget. It is an error if it has too few, since it may have enough
 * later.
 */
static int take_budget(struct spool *spool, uint64_t size)
{
    struct spool_budget *budget = spool->params.budget;

    if (budget == NULL || atomic_fetch_add(&budget->used, size) + size <= max_shared(budget) ||
        is_fair(spool, spool->size + size))
        return 0;
    spool_budget_give(budget, size);
    problems_add(spool->params.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "the open dumps have used up the %llu bytes that max-expand allows for dumps that "
                 "expand to more than 16 times their size",
                 (unsigned long long)budget->max);
    return -ENOSPC;
}

static int write_room(struct spool *spool, size_t size)
{
    const char *too_large = NULL, *why;
    uint64_t limit = max_size(spool, &why);
    size_t fits;
    int status;

    if (size > limit - spool->size) {
        size = (size_t)(limit - spool->size);
        too_large = why;
    }
    fits = spool_room(spool->fd, spool->size, size, &spool->safe);
    if (fits < size) {
        size = fits;
        too_large = "expands to more than half of the free space in the spool folder";
    }
    status = take_budget(spool, size);
    if (status < 0)
        return status;
    status = file_write_all(spool->fd, spool->room, size);
    if (status < 0) {
        spool_budget_give(spool->params.budget, size);
        return report_spool(spool, status);
    }
    spool->size += size;
    if (too_large != NULL)
        report_end(spool, too_large, "");
    return 0;
}

static uint64_t left(const struct spool *spool)
{
    return spool->params.size - spool->done;
}

/*
 * Skips some of the zeros after a stream: a file may have many, which take no space on its disk.
 * Returns whether more may follow.
 */
static bool skip_padding(struct spool *spool)
{
    const uint8_t *data = spool->params.data;
    uint64_t part = left(spool) < IN_BYTES ? left(spool) : IN_BYTES, passed = 0;

    if (part > SPOOL_PADDING_MAX - spool->padding)
        part = SPOOL_PADDING_MAX - spool->padding;
    while (passed < part && data[spool->done + passed] == 0)
        passed++;
    spool->done += passed;
    spool->padding += passed;
    return passed > 0 && passed == part && left(spool) > 0;
}

/*
 * Called after the end of a stream. Begins the next one if another follows; if not, ends, and
 * reports other data after the container. Stays between streams, to be called again, while more may
 * come or zeros remain.
 */
static int next_stream(struct spool *spool)
{
    const struct spool_params *params = &spool->params;
    const uint8_t *data = params->data;

    if (spool->empty > EMPTY_MAX) {
        report_damage(spool, "too many empty streams in a row");
        return 0;
    }
    spool->waits = spool->open;
    spool->between = spool->open || (params->expander->zero_padding && skip_padding(spool));
    if (spool->between)
        return 0;
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
    const char *why;
    uint64_t room = max_size(spool, &why) - spool->size;
    size_t in = left(spool) < IN_BYTES ? (size_t)left(spool) : IN_BYTES;
    /* one byte beyond the limit shows that there is more */
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
    spool->empty = buffers.out_left < out ? 0 : spool->empty + (result == EXPAND_END);
    if (result == EXPAND_END)
        spool->checked = spool->size;
    if (result == -EBADMSG)
        report_damage(spool, buffers.message);
    else if (result == EXPAND_END)
        return next_stream(spool);
    else if (result == EXPAND_MORE && stands && !spool->waits)
        report_end(spool, left(spool) > 0 ? "is damaged" : "is cut off", "");
    return result < 0 && result != -EBADMSG ? result : 0;
}

static int run_spool(struct spool *spool)
{
    const struct spool_params *params = &spool->params;
    int status = 0;

    while (status == 0 && !spool->ended && !spool->waits) {
        if (cancel_requested(params->cancel))
            return -EINTR;
        if (params->until != 0 && clock_ms() >= params->until)
            return -EAGAIN;
        status = spool->between ? next_stream(spool) : spool_step(spool);
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
    if (closed->fd >= 0) {
        close(closed->fd);
        spool_budget_give(closed->params.budget, closed->size);
    }
    free(closed);
}

int spool_take(struct spool *spool, uint64_t size, bool open)
{
    spool->params.size = size;
    spool->open = open;
    spool->waits = false;
    return run_spool(spool);
}

int spool_finish(struct spool *spool, const struct cancel *cancel)
{
    spool->params.cancel = cancel;
    spool->params.until = 0;
    spool->params.progress = NULL;
    return spool_take(spool, spool->params.size, false);
}

int spool_release(struct spool *spool)
{
    int fd = spool->fd;

    spool->fd = -1;
    return fd;
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
        *size = spool_size(spool);
        *fd = spool_release(spool);
    }
    spool_close(&spool);
    return status;
}

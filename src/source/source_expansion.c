/* SPDX-License-Identifier: MIT */
/* Containers: the bytes that a container expands to, in a spool, become the source's bytes. */
#include "config.h"

#include "base/clock.h"
#include "source/filewatch.h"
#include "source/internal.h"
#include "source/source.h"
#include "source/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t source_max_expand(const struct source_params *params, uint64_t standard)
{
    return params->max_expand != 0 ? params->max_expand : standard;
}

void source_limit_spool(const struct source_params *params, struct spool_params *spool)
{
    spool->max_size = source_max_expand(params, SOURCE_MAX_EXPAND);
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

void source_end_expansion(struct source *source)
{
    struct source_expansion *ending = source->expansion;

    source->expansion = NULL;
    if (ending == NULL)
        return;
    spool_close(&ending->spool);
    source_unmap(ending->packed, ending->packed_size);
    free(ending);
}

/* Makes the bytes that were expanded so far the source's bytes. */
static int show_expanded(struct source *source)
{
    const struct spool *spool = source->expansion->spool;
    const uint8_t *data = NULL;
    uint64_t size = spool_size(spool);
    int status = source_map(spool_file(spool), size, &source->lost, &data);

    if (status < 0)
        return status;
    source_unmap(source->data, source->size);
    source->data = data;
    source->size = size;
    return 0;
}

/* Ends the expansion when it is complete: the container is not needed any more. */
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
    source_end_expansion(source);
    return 0;
}

/* Replaces the mapped container by its expanded bytes. */
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
    spool.stored = source_file_sent(source);
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

int source_expand(struct source *source, const struct source_params *params,
                  struct problems *problems)
{
    const struct expander *expander = recognise(source->data, source->size);

    return expander == NULL ? 0 : expand(source, expander, params, problems);
}

int source_expand_rest(struct source *source, const struct cancel *cancel)
{
    int status = spool_finish(source->expansion->spool, cancel);

    return status == 0 ? take_expanded(source) : status;
}

/* Expands the beginning of the first stream, as far as there is input and room. */
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

const char *source_container_name(enum source_container container)
{
    for (size_t i = 0; i < EXPANDER_COUNT; i++)
        if (expanders[i]->container == container)
            return expanders[i]->name;
    return "plain";
}

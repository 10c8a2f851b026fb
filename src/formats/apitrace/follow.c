/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/dump.h"

#include "base/log.h"
#include "formats/apitrace/index/index.h"

#include <errno.h>

/* Shows the frames whose pictures have a known size. */
static int show(struct apitrace_dump *dump, bool final)
{
    uint64_t settled = 0;
    int status;

    apitrace_drawables_lock(dump);
    status = apitrace_finder_go(dump->finder, final, &settled);
    apitrace_drawables_unlock(dump);
    if (status == 0 && (final || settled > dump->index.follow.frames))
        apitrace_index_show(&dump->index, settled, final);
    return status;
}

static int frame_indexed(void *context)
{
    return show(context, false);
}

/*
 * As `advance` of struct index_task_work: runs to the end in one go, since the index itself waits
 * for the trace to grow.
 */
static int follow_all(void *context, const struct cancel *cancel,
                      struct index_task_position *position)
{
    struct apitrace_dump *dump = context;
    int status = apitrace_index_follow(&dump->index);

    (void)cancel;
    if (status == 0)
        status = show(dump, true);
    position->known = dump->index.follow.packets;
    position->frames = dump->index.follow.frames;
    position->ended = status == 0;
    return status;
}

static void *follow_in_background(void *context)
{
    struct apitrace_dump *dump = context;
    int status = index_task_wait_all(&dump->pass, &dump->base.cancel);

    if (status < 0 && status != -EINTR)
        log_write(LOG_ERR, "the trace can no longer be followed: %s", strerror(-status));
    return NULL;
}

void apitrace_follow_start(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    if (index_task_start(&apitrace->pass, follow_in_background, apitrace) != 0)
        log_write(LOG_ERR, "the trace cannot be followed: no thread can be started");
}

void apitrace_follow_init(struct apitrace_dump *dump)
{
    const struct index_task_work work = {.advance = follow_all, .context = dump};

    index_task_init(&dump->pass, &work);
}

int apitrace_follow_open(struct apitrace_dump *dump, struct apitrace_index_params *params)
{
    int status;

    dump->source_params = *params->source_params;
    dump->source_params.cancel = &dump->base.cancel;
    dump->source_params.progress = NULL;
    params->source_params = &dump->source_params;
    params->indexed = frame_indexed;
    params->context = dump;
    status = apitrace_index_open(params, &dump->index);
    if (status == 0)
        status = apitrace_finder_create(&dump->index, &dump->base.cancel, &dump->presentation,
                                        &dump->finder);
    atomic_store(&dump->has_presentation, status == 0);
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * A large trace is read after its opening, step by step. Until it is complete it resembles a trace
 * that grows: its first frames, if requests wait for them, are shown as soon as they have been read
 * and it is known what their pictures show. The tree requests nothing else before the complete
 * trace has been read (dump_ops.readiness.known).
 */
#include "formats/apitrace/dump.h"

#include "base/log.h"
#include "formats/apitrace/index/index.h"

#include <errno.h>

enum {
    STEP_EVENTS = 16 * 1024, /* events of a step, which take a millisecond or two */
    /*
     * Frames that may be shown before the complete trace has been read. Later ones are ready sooner
     * once it is known which frames before them can be skipped.
     */
    EARLY_FRAMES = 4,
};

uint64_t apitrace_early_from = UINT64_C(4) << 20;

/* Returns whether a request waits for a frame that is not shown yet. */
static bool is_wanted(const struct apitrace_dump *dump)
{
    return dump->wanted > dump->index.follow.frames;
}

static int begin_showing(struct apitrace_dump *dump)
{
    int status = apitrace_finder_create(&dump->index, &dump->base.cancel, &dump->presentation,
                                        &dump->finder);

    atomic_store(&dump->has_presentation, status == 0);
    return status;
}

/* Shows those of the frames read so far that can no longer change. */
static int show_frames(struct apitrace_dump *dump)
{
    struct apitrace_index *index = &dump->index;
    uint64_t settled = 0;
    int status = dump->finder != NULL ? 0 : begin_showing(dump);

    if (status < 0)
        return status;
    apitrace_drawables_lock(dump);
    status = apitrace_finder_go(dump->finder, false, &settled);
    apitrace_drawables_unlock(dump);
    if (!apitrace_finder_is_certain(dump->finder) || settled <= index->follow.frames)
        return status;
    /*
     * Frames that settle together get the same sums, of all calls read so far. This does no harm,
     * since no file that may be shown before the complete trace has been read contains the sums.
     */
    while (status == 0 && index->total_count < settled)
        status = apitrace_index_sum_up(index);
    if (status == 0)
        apitrace_index_show(index, settled, false);
    return status;
}

/*
 * Shows all frames, since the complete trace has been read. What they show is found later, unless
 * the finder has already begun.
 */
static int show_all(struct apitrace_dump *dump)
{
    uint64_t settled;
    int status = 0;

    if (dump->finder != NULL) {
        apitrace_drawables_lock(dump);
        status = apitrace_finder_go(dump->finder, true, &settled);
        apitrace_drawables_unlock(dump);
    }
    apitrace_finder_destroy(&dump->finder);
    if (status == 0)
        apitrace_index_show(&dump->index, dump->index.frame_count, true);
    return status;
}

/* As `advance` of struct index_task_work. */
static int read_on(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct apitrace_dump *dump = context;
    bool wanted = is_wanted(dump), ended;
    int status = apitrace_index_go(&dump->index, STEP_EVENTS, wanted, cancel, &ended);

    if (status == 0 && ended)
        status = show_all(dump);
    else if (status == 0 && wanted)
        status = show_frames(dump);
    position->known = dump->index.follow.packets;
    position->frames = dump->index.follow.frames;
    position->ended = status == 0 && ended;
    return status;
}

static void *read_in_background(void *context)
{
    struct apitrace_dump *dump = context;
    int status = index_task_work_ahead(&dump->pass, UINT64_MAX, &dump->base.cancel);

    if (status < 0 && status != -EINTR)
        log_write(LOG_ERR, "the trace cannot be read to its end: %s", strerror(-status));
    if (status == 0)
        apitrace_index_keep(&dump->index);
    return NULL;
}

void apitrace_early_open(struct apitrace_dump *dump, struct apitrace_index_params *params)
{
    const struct index_task_work work = {.advance = read_on,
                                         .context = dump,
                                         .cancel = &dump->base.cancel,
                                         .spending = &dump->base.budget};

    index_task_destroy(&dump->pass);
    index_task_init(&dump->pass, &work);
    dump->source_params = *params->source_params;
    dump->source_params.progress = NULL;
    params->source_params = &dump->source_params;
    params->later = apitrace_early_from;
}

bool apitrace_is_early(const struct dump *dump)
{
    return dump->follow == NULL && apitrace_index_grows(apitrace_index_of(dump));
}

void apitrace_early_start(struct apitrace_dump *dump)
{
    (void)index_task_start(&dump->pass, read_in_background, dump);
}

/* Returns whether a file or folder may be available before the complete trace has been read. */
static bool may_be_early(unsigned rule, uint64_t key)
{
    return (rule == RULE_FRAME_PNG || rule == RULE_FRAME || rule == RULE_FRAME_IMAGE) &&
           key < EARLY_FRAMES;
}

int apitrace_known(struct dump *dump, unsigned rule, uint64_t key)
{
    if (!apitrace_is_early(dump) || rule == RULE_FRAMES || rule == RULE_BY_FRAME)
        return 0;
    return may_be_early(rule, key) && key < apitrace_index_of(dump)->follow.frames ? 0 : -EAGAIN;
}

/* Notes that a request waits for a frame. Only the highest of these frames matters. */
static void want(struct apitrace_dump *dump, uint64_t frame)
{
    uint64_t wanted = dump->wanted;

    while (wanted <= frame && !atomic_compare_exchange_weak(&dump->wanted, &wanted, frame + 1))
        ;
}

int apitrace_early_wait(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    if (!may_be_early(rule, key))
        return index_task_wait_all(&apitrace->pass, cancel);
    want(apitrace, key);
    return index_task_wait_frame(&apitrace->pass, key, cancel);
}

int apitrace_early_wait_all(struct dump *dump, const struct cancel *cancel)
{
    return apitrace_is_early(dump) ? index_task_wait_all(&apitrace_dump_of(dump)->pass, cancel) : 0;
}

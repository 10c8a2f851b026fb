#include "formats/apitrace/replay/shader_prewarm.h"

#include "core/thread.h"
#include "formats/apitrace/options.h"
#include "formats/apitrace/replay/replay_feed.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum {
    /* Parts of the larger frame: … */
    LEADS = 8,      /* … so far ahead of the player it begins, … */
    STRETCHES = 64, /* … and after so much it looks where he is */
    STEP_MS = 5,
    WAIT_STEPS = 6,   /* with care: where the player is through by then there is no use in it */
    DRAWS_LEAST = 16, /* in a hurry: of few there is no half to share */
    STORE_STEPS = 10, /* at last: Mesa stores what was compiled by a thread of its own */
    /*
     * Of a call's time. Who hangs while he has Mesa's database locked makes the leader's process
     * wait: it must be over before the leader's call has run out of time.
     */
    TIME_SHARE = 2,
};

/* What is fed twice takes time, and textures memory: this much of the stream at most. */
#define STREAM_MOST (UINT64_C(128) << 20)

struct apitrace_scout {
    struct apitrace_feeder feeder;
    struct worker *worker;
    struct apitrace_scout_way way;
    struct cancel cancel;
    bool failed;
    pthread_t thread;
};

/* How many of the calls the player is at, or has been. */
static uint64_t place_of_player(const struct apitrace_scout *scout, uint64_t before)
{
    uint64_t number = retrace_leaders_call(scout->feeder.session);
    struct apitrace_record record;

    if (number == RETRACE_NO_CALL ||
        apitrace_index_record(&scout->feeder.dump->index, number, &record) < 0)
        return before;
    return record.order > before ? record.order : before;
}

/* To so many calls, all of which are there. */
static int go_to(struct apitrace_scout *scout, uint64_t order, uint32_t flags)
{
    const struct apitrace_goal goal = {
        .order = order, .call = apitrace_index_listed(&scout->feeder.dump->index, order)};

    return apitrace_feeder_run(&scout->feeder, &goal, flags, &scout->cancel);
}

/* Of the frames that are gone through. */
static uint64_t last_call(const struct apitrace_scout *scout)
{
    return scout->feeder.dump->index.frames[scout->way.last].end - 1;
}

/* Calls of the larger of them: the lead, and what is gone at a time, are parts of it. */
static uint64_t measure(const struct apitrace_scout *scout)
{
    const struct apitrace_frame_record *frames = scout->feeder.dump->index.frames;
    const struct apitrace_frame_record *first = &frames[scout->way.first];
    const struct apitrace_frame_record *last = &frames[scout->way.last];
    const uint64_t calls = first->end - first->first, others = last->end - last->first;

    return calls > others ? calls : others;
}

/* False: nobody waits for the scout any more. */
static bool pause_for(const struct apitrace_scout *scout, unsigned steps)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};

    while (steps-- > 0 && !cancel_requested(&scout->cancel))
        nanosleep(&step, NULL);
    return !cancel_requested(&scout->cancel);
}

/*
 * Whether the scout is ahead of the player; if not, where it begins to be. What the player is
 * about to compile is his. Where he catches up, which is soon where all has been compiled, the
 * lead begins anew: a part of a frame. In a hurry there is one frame to share, and he has caught
 * up where he is right behind: he has half of what is left then.
 */
static bool leads(const struct apitrace_scout *scout, uint64_t player, uint64_t *begin)
{
    const uint64_t calls = measure(scout), last = last_call(scout);
    const uint64_t lead = scout->way.hurry ? (last - player) / 2 : calls / LEADS + 1;
    const uint64_t least = scout->way.hurry ? calls / STRETCHES + 1 : lead;

    *begin = player + lead < last ? player + lead : last;
    return scout->feeder.order >= *begin || scout->feeder.order >= player + least;
}

static int go(struct apitrace_scout *scout)
{
    const uint64_t stretch = measure(scout) / STRETCHES + 1, last = last_call(scout);
    uint64_t player = scout->feeder.dump->index.frames[scout->way.first].first, begin;
    int status = apitrace_feeder_begin(&scout->feeder, &scout->cancel);

    while (status == 0 && scout->feeder.order < last &&
           (player = place_of_player(scout, player)) < last) {
        uint64_t order = scout->feeder.order;

        if (!leads(scout, player, &begin))
            status = go_to(scout, begin, RETRACE_DISCARD);
        else
            status = go_to(scout, order + stretch < last ? order + stretch : last, 0);
    }
    return status;
}

static void *scout_thread(void *context)
{
    struct apitrace_scout *scout = context;
    int status = -EINTR;

    if ((scout->way.hurry || pause_for(scout, WAIT_STEPS)) &&
        place_of_player(scout, 0) < last_call(scout))
        status = worker_acquire(scout->worker, &scout->cancel);
    if (status == 0) {
        status = go(scout);
        worker_release(scout->worker);
        (void)pause_for(scout, STORE_STEPS);
    }
    scout->failed = status == -EAGAIN || status == -EIO || status == -ETIMEDOUT;
    worker_destroy(&scout->worker);
    return NULL;
}

/* What is compiled is compiled for a draw: where those are few there is little of it. */
static bool draws_enough(const struct apitrace_dump *dump, const struct apitrace_scout_way *way)
{
    uint64_t draws = 0;

    for (uint32_t frame = way->first; frame <= way->last; frame++)
        draws += dump->index.frames[frame].draws;
    return draws >= DRAWS_LEAST;
}

static bool is_useful(const struct apitrace_dump *dump, const struct worker *leader,
                      const struct apitrace_scout_way *way)
{
    return dump->base.options->threads > 1 && worker_is_cold(leader) &&
           dump->index.frames[way->first].first < dump->index.frames[way->last].end &&
           (!way->hurry || draws_enough(dump, way)) &&
           apitrace_index_totals(&dump->index).end <= STREAM_MOST;
}

static void free_scout(struct apitrace_scout *scout)
{
    if (scout->feeder.session != NULL)
        retrace_destroy(&scout->feeder.session);
    if (scout->worker != NULL)
        worker_destroy(&scout->worker);
    free(scout);
}

int apitrace_scout_start(struct apitrace_dump *dump, const struct worker *leader,
                         const struct retrace_session *session,
                         const struct apitrace_scout_way *way, struct apitrace_scout **out)
{
    const struct worker_params params = {
        .time_limit_ms = apitrace_options_of(dump->base.options)->time_limit * 1000 / TIME_SHARE,
        .leader = leader};
    const struct retrace_params own = {.warned = session};
    struct apitrace_scout *scout;
    int status;

    *out = NULL;
    if (!is_useful(dump, leader, way))
        return 0;
    scout = calloc(1, sizeof(*scout));
    if (scout == NULL)
        return -ENOMEM;
    scout->feeder.dump = dump;
    scout->way = *way;
    cancel_init(&scout->cancel, &dump->base.cancel);
    status = worker_create(&params, &scout->worker);
    if (status == 0)
        status = retrace_create(scout->worker, &own, &scout->feeder.session);
    if (status == 0)
        status = thread_start(&scout->thread, scout_thread, scout);
    if (status < 0)
        free_scout(scout);
    else
        *out = scout;
    return status == -ENODATA ? 0 : status;
}

bool apitrace_scout_end(struct apitrace_scout **out)
{
    struct apitrace_scout *scout = *out;
    bool failed;

    if (scout == NULL)
        return false;
    *out = NULL;
    cancel_raise(&scout->cancel);
    pthread_join(scout->thread, NULL);
    failed = scout->failed;
    free_scout(scout);
    return failed;
}

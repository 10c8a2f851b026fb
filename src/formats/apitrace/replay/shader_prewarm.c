/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/shader_prewarm.h"

#include "base/thread.h"
#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/replay_feed.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/*
 * Two sessions run the same calls: the player's, and this one, the prewarming. Positions of both
 * are orders of calls in the listing:
 *
 *     first call          player    begin          prewarming               last call
 *         |-----------------|---------|-----------------|---------------------|
 *          drawn by player   skipped    compiled ahead
 *
 * The thread repeats two steps until either session has reached the last call. If the prewarming is
 * ahead of the player (leads()), it runs the calls of one stretch, which compiles their shaders. If
 * it is not, it continues at `begin`, a lead in front of the player. It runs the calls up to there
 * without their draws (APITRACE_FEED_DISCARD), which takes little time, and leaves the shaders of
 * these draws to the player, which is about to compile them anyway.
 *
 * The prewarming needs no synchronisation with the player: it only reads in shared memory at which
 * call the player is, and if it is wrong, a shader is compiled twice, or by the player.
 */
enum {
    LEADS = 8,      /* a new lead is 1/LEADS of the calls of measure() */
    STRETCHES = 64, /* a stretch is 1/STRETCHES of the calls of measure() */
    STEP_MS = 5,    /* one step of waiting, in milliseconds */
    /* Steps before it begins if the player optimises: if that is done by then, it is useless. */
    WAIT_STEPS = 6,
    /* Draws in the range if the player compiles fast: fewer leave too little work to share. */
    DRAWS_MIN = 16,
    STORE_STEPS = 10, /* steps at the end, in which a thread of Mesa's stores what was compiled */
    /*
     * A call may take 1/TIME_SHARE of the time limit that the player has. If this process hangs
     * with Mesa's database locked, the player's process waits for it, so this process must be ended
     * before the player's call exceeds its limit.
     */
    TIME_SHARE = 2,
};

/* Maximum bytes of the stream: feeding it twice takes time, and textures take memory twice. */
#define STREAM_MAX (UINT64_C(128) << 20)

struct apitrace_shader_prewarm {
    struct apitrace_replay_feed feed;
    struct worker *worker;
    struct apitrace_prewarm_range range;
    struct cancel cancel;
    bool failed;
    pthread_t thread;
};

/* Returns the order of the call that the player is at, at least `before`. */
static uint64_t place_of_player(const struct apitrace_shader_prewarm *prewarm, uint64_t before)
{
    uint64_t number = apitrace_session_leaders_call(prewarm->feed.session);
    struct apitrace_record record;

    if (number == APITRACE_NO_CALL ||
        apitrace_index_record(&prewarm->feed.dump->index, number, &record) < 0)
        return before;
    return record.order > before ? record.order : before;
}

/* Runs the first `order` calls, which must all exist. */
static int go_to(struct apitrace_shader_prewarm *prewarm, uint64_t order, uint32_t flags)
{
    const struct apitrace_replay_goal goal = {
        .order = order, .call = apitrace_index_listed(&prewarm->feed.dump->index, order)};

    return apitrace_replay_feed_run(&prewarm->feed, &goal, flags, &prewarm->cancel);
}

/* Returns the order of the last call of the frames. */
static uint64_t last_call(const struct apitrace_shader_prewarm *prewarm)
{
    return prewarm->feed.dump->index.frames[prewarm->range.last].end - 1;
}

/*
 * Returns how many calls the first or the last frame has, whichever has more. Leads and stretches
 * are parts of this number.
 */
static uint64_t measure(const struct apitrace_shader_prewarm *prewarm)
{
    const struct apitrace_frame_record *frames = prewarm->feed.dump->index.frames;
    const struct apitrace_frame_record *first = &frames[prewarm->range.first];
    const struct apitrace_frame_record *last = &frames[prewarm->range.last];
    const uint64_t calls = first->end - first->first, others = last->end - last->first;

    return calls > others ? calls : others;
}

/* Returns false if the player has ended the prewarming. */
static bool pause_for(const struct apitrace_shader_prewarm *prewarm, unsigned steps)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};

    while (steps-- > 0 && !cancel_requested(&prewarm->cancel))
        nanosleep(&step, NULL);
    return !cancel_requested(&prewarm->cancel);
}

/*
 * Returns whether the prewarming is ahead of the player, whose position is `player`. Sets *begin to
 * where the prewarming continues if it is not. The player catches up soon where all shaders have
 * been compiled already.
 *
 * If the player optimises, the prewarming is ahead as long as its distance is at least a lead, and
 * takes a new lead when it is less. If the player compiles fast, the range is short, and both share
 * the rest of it: the player has caught up when it is less than a stretch away, and is then left
 * half of what remains.
 */
static bool leads(const struct apitrace_shader_prewarm *prewarm, uint64_t player, uint64_t *begin)
{
    const uint64_t calls = measure(prewarm), last = last_call(prewarm);
    const uint64_t lead = prewarm->range.fast_compile ? (last - player) / 2 : calls / LEADS + 1;
    const uint64_t min = prewarm->range.fast_compile ? calls / STRETCHES + 1 : lead;

    *begin = player + lead < last ? player + lead : last;
    return prewarm->feed.order >= *begin || prewarm->feed.order >= player + min;
}

static int go(struct apitrace_shader_prewarm *prewarm)
{
    const uint64_t stretch = measure(prewarm) / STRETCHES + 1, last = last_call(prewarm);
    uint64_t player = prewarm->feed.dump->index.frames[prewarm->range.first].first, begin;
    int status = apitrace_replay_feed_begin(&prewarm->feed, &prewarm->cancel);

    while (status == 0 && prewarm->feed.order < last &&
           (player = place_of_player(prewarm, player)) < last) {
        uint64_t order = prewarm->feed.order;

        if (!leads(prewarm, player, &begin))
            status = go_to(prewarm, begin, APITRACE_FEED_DISCARD);
        else
            status = go_to(prewarm, order + stretch < last ? order + stretch : last, 0);
    }
    return status;
}

static void *prewarm_thread(void *context)
{
    struct apitrace_shader_prewarm *prewarm = context;
    int status = -EINTR;

    if ((prewarm->range.fast_compile || pause_for(prewarm, WAIT_STEPS)) &&
        place_of_player(prewarm, 0) < last_call(prewarm))
        status = worker_acquire(prewarm->worker, &prewarm->cancel);
    if (status == 0) {
        status = go(prewarm);
        worker_release(prewarm->worker);
        (void)pause_for(prewarm, STORE_STEPS);
    }
    prewarm->failed =
        status == -EAGAIN || status == -EIO || status == -ETIMEDOUT || status == -ENOMEM;
    worker_destroy(&prewarm->worker);
    return NULL;
}

/* Shaders are compiled for draws, so few draws need little compilation. */
static bool draws_enough(const struct apitrace_dump *dump,
                         const struct apitrace_prewarm_range *range)
{
    uint64_t draws = 0;

    for (uint32_t frame = range->first; frame <= range->last; frame++)
        draws += dump->index.frames[frame].draws;
    return draws >= DRAWS_MIN;
}

static bool is_useful(const struct apitrace_dump *dump, const struct worker *leader,
                      const struct apitrace_prewarm_range *range)
{
    return dump->base.options->threads > 1 && worker_is_cold(leader) &&
           dump->index.frames[range->first].first < dump->index.frames[range->last].end &&
           (!range->fast_compile || draws_enough(dump, range)) &&
           apitrace_index_totals(&dump->index).end <= STREAM_MAX;
}

static void free_prewarm(struct apitrace_shader_prewarm *prewarm)
{
    if (prewarm->feed.session != NULL)
        apitrace_session_destroy(&prewarm->feed.session);
    if (prewarm->worker != NULL)
        worker_destroy(&prewarm->worker);
    free(prewarm);
}

int apitrace_shader_prewarm_start(struct apitrace_dump *dump, const struct worker *leader,
                                  const struct apitrace_session *session,
                                  const struct apitrace_prewarm_range *range,
                                  struct apitrace_shader_prewarm **out)
{
    const struct worker_params params = {
        .time_limit_ms = apitrace_options_of(dump->base.options)->time_limit * 1000 / TIME_SHARE,
        .leader = leader};
    const struct apitrace_session_params own = {.warned = session};
    struct apitrace_shader_prewarm *prewarm;
    int status;

    *out = NULL;
    if (!is_useful(dump, leader, range))
        return 0;
    prewarm = calloc(1, sizeof(*prewarm));
    if (prewarm == NULL)
        return -ENOMEM;
    prewarm->feed.dump = dump;
    prewarm->range = *range;
    cancel_init(&prewarm->cancel, &dump->base.cancel);
    status = worker_create(&params, &prewarm->worker);
    if (status == 0)
        status = apitrace_session_create(prewarm->worker, &own, &prewarm->feed.session);
    if (status == 0)
        status = thread_start(&prewarm->thread, prewarm_thread, prewarm);
    if (status < 0)
        free_prewarm(prewarm);
    else
        *out = prewarm;
    return status == -ENODATA ? 0 : status;
}

bool apitrace_shader_prewarm_end(struct apitrace_shader_prewarm **ended)
{
    struct apitrace_shader_prewarm *prewarm = *ended;
    bool failed;

    if (prewarm == NULL)
        return false;
    *ended = NULL;
    cancel_raise(&prewarm->cancel);
    pthread_join(prewarm->thread, NULL);
    failed = prewarm->failed;
    free_prewarm(prewarm);
    return failed;
}

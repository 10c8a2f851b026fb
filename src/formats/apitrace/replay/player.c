/* SPDX-License-Identifier: MIT */
/*
 * What frames before the requested one draw is thrown away where the analysis of presentation.h
 * allows it. Reading backwards makes the session begin again, so what comes before the
 * requested frame or draw is drawn then, too (steps.h): more each time, until all of what the
 * cache may hold comes with one pass.
 */
#include "formats/apitrace/replay/replay.h"

#include "base/locks.h"
#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/mark.h"
#include "formats/apitrace/replay/readout.h"
#include "formats/apitrace/replay/request.h"
#include "formats/apitrace/replay/steps.h"
#include "tree/inode.h"

#include <errno.h>
#include <stdlib.h>

enum {
    ATTEMPTS = 32,          /* how often the worker may die on the way to one picture */
    FAR_FROM = 32,          /* frames that are skipped before fast compilation is worth it … */
    FAR_DRAWN = 16,         /* … and frames that may be drawn after them */
    FEW_PIXELS = 1 << 27,   /* which take a third of a second to draw with optimised code */
    SMALL_PIXELS = 1 << 17, /* of a frame: filling them is no work to share */
    WAITING_MAX = 32,       /* requests that are known to wait */
    GIVES_WAY_TIMES = 4,    /* that what is not urgent gives way; then it is made */
    CACHE_SHARE = 4,        /* pictures that were not requested take a part of the cache at most */
    RGB = 3,
};

struct apitrace_player {
    struct apitrace_dump *dump;
    apitrace_encode *encode;
    apitrace_earlier *earlier;
    struct worker *worker;
    struct apitrace_replay_feed feed;
    struct apitrace_shader_prewarm *prewarm; /* NULL: none */
    bool ready;                              /* the feed's session is where the feed says … */
    bool unsure;                             /* … or farther, since a call was cancelled */
    uint32_t whole_from;                     /* frames from this one on were drawn in full */
    bool begun;                              /* there was one, which … */
    bool fast_compile;                       /* … compiled so: because of its way, or … */
    bool little;                             /* … because the trace draws little in all */
    bool alone; /* … and drew with one thread, as all do from then on */
    struct apitrace_steps steps;
    struct apitrace_mark mark;

    pthread_mutex_t lock; /* of what follows */
    /* Frames that requests wait for. */
    uint64_t waiting[WAITING_MAX] GUARDED_BY(lock_of_apitrace_player);
    unsigned waiting_count GUARDED_BY(lock_of_apitrace_player);
};

static void take_lock(struct apitrace_player *player) ACQUIRE(lock_of_apitrace_player)
{
    pthread_mutex_lock(&player->lock);
}

static void give_lock(struct apitrace_player *player) RELEASE(lock_of_apitrace_player)
{
    pthread_mutex_unlock(&player->lock);
}

/* What the worker says of calls goes where they stand. */
static void note(void *context, enum problem_severity severity, uint64_t number, const char *text)
{
    const struct apitrace_player *player = context;
    const struct apitrace_index *index = &player->dump->index;
    struct apitrace_record record;
    bool known = apitrace_index_record(index, number, &record) == 0;

    problems_add_drawing(player->dump->base.problems, severity,
                         known ? record.enter : PROBLEM_NOWHERE, known ? number : PROBLEM_NOWHERE,
                         "%s", text);
}

int apitrace_player_create(struct apitrace_dump *dump, apitrace_encode *encode,
                           apitrace_earlier *earlier, struct apitrace_player **out)
{
    struct apitrace_player *player = calloc(1, sizeof(*player));
    struct worker_params worker = {.time_limit_ms =
                                       apitrace_options_of(dump->base.options)->time_limit * 1000,
                                   .cache = &dump->base.cache};
    const struct apitrace_session_params params = {.note = note, .context = player};
    int status;

    *out = player;
    if (player == NULL)
        return -ENOMEM;
    pthread_mutex_init(&player->lock, NULL);
    player->dump = player->feed.dump = dump;
    player->encode = encode;
    player->earlier = earlier;
    if (dump->base.options->shader_cache == OPTIONS_KEEP)
        worker.kept_for = dump->base.source;
    status = worker_create(&worker, &player->worker);
    if (status == 0)
        status = apitrace_session_create(player->worker, &params, &player->feed.session);
    if (status < 0)
        apitrace_player_destroy(out);
    return status;
}

/* A prewarming session that failed may have left what it failed of. */
static void end_prewarm(struct apitrace_player *player)
{
    if (apitrace_shader_prewarm_end(&player->prewarm))
        worker_drop_shaders(player->worker);
}

void apitrace_player_destroy(struct apitrace_player **player)
{
    if (*player == NULL)
        return;
    end_prewarm(*player);
    apitrace_steps_clear(&(*player)->steps, (*player)->dump);
    if ((*player)->feed.session != NULL)
        apitrace_session_destroy(&(*player)->feed.session);
    if ((*player)->worker != NULL)
        worker_destroy(&(*player)->worker);
    pthread_mutex_destroy(&(*player)->lock);
    free(*player);
    *player = NULL;
}

/* Pixels where the session stands; they are the end of *out, so that others encode them. */
static int read_picture(struct apitrace_player *player, const struct apitrace_request *request,
                        const struct cancel *cancel, struct blob **out)
{
    return apitrace_readout_picture(player->feed.session, player->dump, request, cancel, out);
}

static int make_level(struct apitrace_player *player, const struct apitrace_request *request,
                      const struct cancel *cancel, struct blob **out)
{
    return apitrace_readout_level(player->feed.session, player->dump, request, cancel, out);
}

static int let_visit(struct apitrace_player *player, const struct apitrace_request *request,
                     const struct cancel *cancel, struct blob **out)
{
    return request->visit(request->context, player->feed.session, cancel, out);
}

/* Of a picture: it has another size than the analysis says, or the worker has none to give. */
static bool is_not_shown(int status)
{
    return status == -ERANGE || status == -ENOENT;
}

static struct cache_key key_of(uint64_t frame)
{
    return (struct cache_key){.item = inode_pack(RULE_FRAME_PNG, frame)};
}

/*
 * Offers a frame's picture to the cache, where the session stands at it. One that cannot be shown
 * has its own request to say so.
 */
static int offer(struct apitrace_player *player, uint64_t frame, const struct cancel *cancel)
{
    struct cache *cache = player->dump->base.cache;
    struct blob *blob = cache_peek(cache, key_of(frame)), *pixels = NULL;
    int status = 0;

    if (blob == NULL) {
        status = read_picture(player, &(struct apitrace_request){.frame = frame}, cancel, &pixels);
        if (status == 0)
            status = player->encode(&player->dump->base, frame, cancel, pixels, &blob);
        if (status == 0)
            cache_offer(cache, key_of(frame), blob);
    }
    blob_unref(&pixels);
    blob_unref(&blob);
    return is_not_shown(status) ? 0 : status;
}

/* Requests that wait: the one that has the session draws their frames, too, on its way. */

static void add_waiting(struct apitrace_player *player, uint64_t frame)
{
    take_lock(player);
    if (player->waiting_count < WAITING_MAX)
        player->waiting[player->waiting_count++] = frame;
    give_lock(player);
}

static void remove_waiting(struct apitrace_player *player, uint64_t frame)
{
    take_lock(player);
    for (unsigned n = 0; n < player->waiting_count; n++)
        if (player->waiting[n] == frame) {
            player->waiting[n] = player->waiting[--player->waiting_count];
            break;
        }
    give_lock(player);
}

/* The first frame that a request waits for from one on, up to another. */
static uint64_t first_waiting(struct apitrace_player *player, uint64_t from, uint64_t to)
{
    take_lock(player);
    for (unsigned n = 0; n < player->waiting_count; n++)
        if (player->waiting[n] >= from && player->waiting[n] < to)
            to = player->waiting[n];
    give_lock(player);
    return to;
}

/* The way to a frame. */
struct route {
    uint64_t to;
    struct apitrace_replay_goal end; /* in that frame */
    uint64_t offered; /* pictures from this frame on are offered, if they come about … */
    uint64_t drawn;   /* … and frames from this one on are drawn in any case */
};

/* Frames whose pictures fit in the cache's share, the requested one included. */
static uint64_t frames_that_fit(const struct apitrace_player *player, uint64_t frame)
{
    const struct apitrace_presented_frame *presented = &player->dump->presentation.frames[frame];
    struct cache_statistics statistics;

    if (player->dump->base.cache == NULL)
        return 0;
    cache_statistics(player->dump->base.cache, &statistics);
    return statistics.budget / CACHE_SHARE / RGB / presented->width / presented->height;
}

/* The way to a frame alone, which is drawn with all that its picture is made of. */
static struct route route_to(const struct apitrace_player *player,
                             const struct apitrace_request *request)
{
    return (struct route){.to = request->frame,
                          .end = apitrace_request_goal(player->dump, request),
                          .offered = request->frame,
                          .drawn = apitrace_request_base(player->dump, request)};
}

/* The same with frames before it, from a new beginning on more and more of them. */
static struct route plan_route(const struct apitrace_player *player,
                               const struct apitrace_request *request, bool again)
{
    struct route route = route_to(player, request);
    uint64_t frame = request->frame, others, before;
    uint32_t base;

    if (!apitrace_request_is_of_frame(request))
        return route;
    others = frames_that_fit(player, frame);
    others -= others > 0;
    route.offered = others < frame ? frame - others : 0;
    before = again ? apitrace_steps_before(&player->steps, frame) : 0;
    if (before > frame - route.offered)
        before = frame - route.offered;
    base = player->dump->presentation.frames[frame - before].base;
    if (before > 0 && base < route.drawn)
        route.drawn = base;
    return route;
}

/* Of a trace that grows it is not known what later frames read. */
static bool is_skipped(const struct apitrace_player *player, const struct route *route,
                       uint64_t frame)
{
    return frame < route->drawn && !apitrace_index_grows(&player->dump->index) &&
           !player->dump->presentation.frames[frame].full;
}

/* Whether a frame's picture is right once the frame has been drawn, and of use. */
static bool is_offered(const struct apitrace_player *player, const struct route *route,
                       uint64_t frame)
{
    const struct apitrace_presented_frame *presented = &player->dump->presentation.frames[frame];

    return frame >= route->offered && frame < route->to && player->dump->base.cache != NULL &&
           presented->drawable != APITRACE_NO_DRAWABLE && presented->base >= player->whole_from;
}

/* Skips as many frames as may be; the last of them is not begun to be shown yet. */
static int skip(struct apitrace_player *player, const struct route *route, uint64_t *frame,
                const struct cancel *cancel)
{
    struct apitrace_replay_goal goal;

    while (is_skipped(player, route, *frame + 1))
        ++*frame;
    player->whole_from = (uint32_t)*frame + 1;
    goal = apitrace_replay_goal_of(player->dump, *frame);
    return apitrace_replay_feed_run(&player->feed, &goal, APITRACE_FEED_DISCARD, cancel);
}

static int follow(struct apitrace_player *player, const struct route *route,
                  const struct cancel *cancel)
{
    uint64_t frame = apitrace_index_frame(&player->dump->index, player->feed.order);
    int status = 0;

    for (; frame <= route->to && status == 0; frame++) {
        struct apitrace_replay_goal goal =
            frame == route->to ? route->end : apitrace_replay_goal_of(player->dump, frame);

        if (player->feed.order > goal.order)
            continue;
        if (is_skipped(player, route, frame)) {
            status = skip(player, route, &frame, cancel);
        } else if (frame == route->to || is_offered(player, route, frame)) {
            status = apitrace_replay_feed_run(&player->feed, &goal, 0, cancel);
            if (status == 0 && frame < route->to)
                status = offer(player, frame, cancel);
        }
    }
    return status;
}

/* Whether the session can go on to a frame: it is not beyond it, and has skipped nothing of it. */
static bool can_go_on(const struct apitrace_player *player, const struct apitrace_request *request)
{
    const struct apitrace_dump *dump = player->dump;
    uint32_t base = apitrace_request_base(dump, request);

    return player->ready && player->feed.changes == apitrace_dump_changes(player->dump) &&
           player->feed.order <= apitrace_request_goal(dump, request).order &&
           (base >= player->whole_from || player->feed.order <= dump->index.frames[base].first);
}

/* On a route to another place: nothing is skipped that its end needs. */
static int go_by(struct apitrace_player *player, const struct route *route,
                 const struct apitrace_request *other, const struct cancel *cancel)
{
    struct route part = route_to(player, other);

    if (part.drawn > route->drawn)
        part.drawn = route->drawn;
    return follow(player, &part, cancel);
}

/* Draws on the way what others wait for. */
static int serve_others(struct apitrace_player *player, const struct route *route,
                        const struct cancel *cancel)
{
    uint64_t frame = apitrace_index_frame(&player->dump->index, player->feed.order);
    int status = 0;

    for (; status == 0 && (frame = first_waiting(player, frame, route->to)) < route->to; frame++) {
        const struct apitrace_request other = {.frame = frame};

        if (can_go_on(player, &other)) {
            status = go_by(player, route, &other, cancel);
            if (status == 0)
                status = offer(player, frame, cancel);
        }
    }
    return status;
}

/* What a draw on the way has left. One that cannot be shown has its own request to say so. */
static int keep_draw(struct apitrace_player *player, const struct route *route,
                     const struct apitrace_snapshot *draw, const struct cancel *cancel)
{
    const struct apitrace_request other = {.frame = route->to, .snapshot = draw};
    struct blob *pixels = NULL;
    int status;

    if (draw->base < route->drawn || !can_go_on(player, &other) ||
        !apitrace_steps_may_keep(&player->steps, draw))
        return 0;
    status = go_by(player, route, &other, cancel);
    if (status < 0)
        return status;
    status = read_picture(player, &other, cancel, &pixels);
    if (status == 0)
        (void)apitrace_steps_keep(&player->steps, draw, pixels);
    blob_unref(&pixels);
    return is_not_shown(status) ? 0 : status;
}

/* The draws before a wanted one, for a reader that steps back. */
static int keep_draws(struct apitrace_player *player, const struct route *route,
                      const struct apitrace_request *request, const struct cancel *cancel)
{
    const uint64_t way = player->mark.set ? request->snapshot->order -
                                                player->dump->index.frames[player->mark.frame].first
                                          : request->snapshot->order;
    const size_t max = apitrace_steps_begin_reel(&player->steps, player->dump, request->frame, way);
    struct apitrace_snapshot *draws = max > 0 ? calloc(max, sizeof(*draws)) : NULL;
    size_t count = 0;
    int status = draws == NULL ? 0
                               : player->earlier(&player->dump->base, request->frame,
                                                 request->snapshot, cancel, draws, max, &count);

    for (size_t n = 0; n < count && status == 0; n++)
        status = keep_draw(player, route, &draws[n], cancel);
    apitrace_steps_end_reel(&player->steps, player->dump);
    free(draws);
    return status;
}

/* Whether few frames are drawn behind many that are not: compiling would take longer. */
static bool is_far(const struct apitrace_player *player, const struct route *route)
{
    return route->drawn >= FAR_FROM && route->to - route->drawn < FAR_DRAWN &&
           is_skipped(player, route, 0);
}

/*
 * With the next frame in order requested: whether the many to come are worth a session that
 * optimises, where this one does not.
 */
static bool is_outgrown(const struct apitrace_player *player,
                        const struct apitrace_request *request)
{
    const struct apitrace_index *index = &player->dump->index;

    return player->fast_compile && !player->little && apitrace_steps_are_in_order(&player->steps) &&
           !apitrace_index_grows(index) && index->frame_count - request->frame >= FAR_FROM;
}

/* The same of the whole trace, were each draw to cover all of its frame. */
static bool is_little(const struct apitrace_player *player)
{
    const struct apitrace_index *index = &player->dump->index;
    uint64_t pixels = 0;

    if (apitrace_index_grows(index))
        return false;
    for (uint64_t frame = 0; frame < index->frame_count && pixels <= FEW_PIXELS; frame++) {
        const struct apitrace_presented_frame *presented =
            &player->dump->presentation.frames[frame];

        pixels += (uint64_t)presented->width * presented->height * index->frames[frame].draws;
    }
    return pixels <= FEW_PIXELS;
}

/* Without one it takes longer, that is all. A trace that grows has none. */
static void start_prewarm(struct apitrace_player *player, const struct route *route,
                          bool fast_compile)
{
    const struct apitrace_index *index = &player->dump->index;
    const uint64_t next = route->drawn + 1,
                   last = fast_compile && route->to < next ? route->to : next;
    struct apitrace_prewarm_range ahead = {
        .first = (uint32_t)route->drawn, .last = (uint32_t)last, .fast_compile = fast_compile};

    if (apitrace_index_grows(index) && !apitrace_is_early(&player->dump->base))
        return;
    if (last >= index->follow.frames) /* all, but of what is not read to its end */
        ahead.last = (uint32_t)index->follow.frames - 1;
    (void)apitrace_shader_prewarm_start(player->dump, player->worker, player->feed.session, &ahead,
                                        &player->prewarm);
}

/*
 * How the session that begins is to compile. One that begins anew for a few frames does as the one
 * before, since shaders that were compiled otherwise are of no use to it.
 */
static bool compiles_fast(const struct apitrace_player *player, const struct route *route)
{
    if (player->little)
        return true;
    if (apitrace_steps_are_in_order(&player->steps))
        return false;
    if (player->begun && route->to - route->drawn < FAR_DRAWN)
        return player->fast_compile;
    return is_far(player, route);
}

/*
 * Whether one thread draws: it is to be one, or all frames are small, and the first that is wanted
 * is within one: there each look wakes the others. Pictures of frames in a row are made faster by
 * several, however small they are.
 */
static bool draws_alone(const struct apitrace_player *player,
                        const struct apitrace_request *request)
{
    const struct apitrace_index *index = &player->dump->index;

    if (player->begun)
        return player->alone;
    if (player->dump->base.options->threads == 1)
        return true;
    if (apitrace_index_grows(index) ||
        (apitrace_request_is_of_frame(request) && request->level == NULL))
        return false;
    for (uint64_t frame = 0; frame < index->frame_count; frame++) {
        const struct apitrace_presented_frame *presented =
            &player->dump->presentation.frames[frame];

        if ((uint64_t)presented->width * presented->height > SMALL_PIXELS)
            return false;
    }
    return true;
}

/*
 * Compiling fast, the prewarming session has its process started while the session's begins. Else
 * it waits whether that is through soon, which is counted from where it has begun.
 */
static int begin_again(struct apitrace_player *player, const struct route *route,
                       const struct apitrace_request *request, const struct cancel *cancel)
{
    const bool far = is_far(player, route);
    int status;

    player->little = is_little(player);
    player->fast_compile = compiles_fast(player, route);
    player->alone = draws_alone(player, request);
    end_prewarm(player);
    apitrace_session_fast_compile(player->feed.session, player->fast_compile);
    apitrace_session_one_thread(player->feed.session, player->alone);
    if (far && player->fast_compile && worker_start(player->worker, cancel) == 0)
        start_prewarm(player, route, true);
    status = apitrace_replay_feed_begin(&player->feed, cancel);
    if (status == 0 && !player->fast_compile)
        start_prewarm(player, route, false);
    player->ready = status == 0;
    player->begun |= player->ready;
    player->unsure = false;
    player->whole_from = 0;
    player->mark.set = false;
    return status;
}

/* To the mark, where what frames before it drew is not there any more. */
static int go_back(struct apitrace_player *player, bool stay)
{
    int status = apitrace_mark_go_back(&player->mark, &player->feed, stay);

    player->ready = status == 0;
    player->whole_from = (uint32_t)player->mark.frame;
    return status == -ENOENT || status == -EINTR ? 0 : status;
}

/* From somewhere within its frame, if that leads to what is requested, or nothing else may. */
static int use_mark(struct apitrace_player *player, const struct apitrace_request *request)
{
    const bool serves = apitrace_mark_serves(&player->mark, player->dump, request);

    if (!player->ready || !player->mark.set || (serves && can_go_on(player, request)))
        return 0;
    return go_back(player, serves);
}

/* On the way to what is requested, sets one where more of that frame begins. */
static int set_mark(struct apitrace_player *player, const struct route *route,
                    const struct apitrace_request *request, const struct cancel *cancel)
{
    struct route begin = *route;
    int status;

    begin.end = apitrace_mark_goal(player->dump, request->frame);
    if (player->feed.order >= begin.end.order ||
        !apitrace_mark_is_of_use(&player->mark, player->dump, request))
        return 0;
    status = follow(player, &begin, cancel);
    if (status < 0)
        return status;
    status = apitrace_mark_set(&player->mark, &player->feed, request->frame);
    player->ready = status == 0;
    return status;
}

/* Whether a draw is wanted behind a later one of its frame, and nothing else between them. */
static bool steps_back_to(struct apitrace_player *player, const struct apitrace_request *request)
{
    const bool of_draw = apitrace_request_is_of_draw(request);
    const bool again = of_draw && apitrace_steps_note_draw(&player->steps, request->frame);

    if (!of_draw)
        apitrace_steps_note_other(&player->steps);
    return again && player->ready && !can_go_on(player, request);
}

/* Learns where the session is, if that is not known; where it does not tell, it begins anew. */
static int find_session(struct apitrace_player *player, const struct cancel *cancel)
{
    int status =
        player->ready && player->unsure ? apitrace_replay_feed_sync(&player->feed, cancel) : 0;

    player->unsure = player->unsure && status < 0;
    player->ready = player->ready && (status == 0 || status == -EINTR);
    return status;
}

static int go(struct apitrace_player *player, const struct apitrace_request *request,
              const struct cancel *cancel)
{
    struct route route;
    bool again, back, steps_back, in_order;
    int status = find_session(player, cancel);

    steps_back = steps_back_to(player, request);
    if (status == 0)
        status = use_mark(player, request);
    if (status < 0)
        return status;
    back = player->ready && !can_go_on(player, request);
    in_order = apitrace_request_is_of_frame(request) && request->frame == player->steps.last + 1;
    again = !player->ready || back || (in_order && is_outgrown(player, request));
    route = plan_route(player, request, again);
    if (apitrace_request_is_of_frame(request))
        apitrace_steps_note(&player->steps, request->frame, back);
    if (again)
        status = begin_again(player, &route, request, cancel);
    if (status == 0)
        status = serve_others(player, &route, cancel);
    if (status == 0 && !in_order)
        status = set_mark(player, &route, request, cancel);
    if (status == 0 && steps_back)
        status = keep_draws(player, &route, request, cancel);
    return status == 0 ? follow(player, &route, cancel) : status;
}

/* A session that a look has spoilt, or may have, begins anew for the next request. */
static int let_watch(struct apitrace_player *player, const struct apitrace_request *request,
                     const struct cancel *cancel)
{
    int status;

    if (apitrace_watch_narrows(player->dump, request->watch))
        player->whole_from = (uint32_t)request->watch->frame + 1;
    status = apitrace_watch_run(&player->feed, request->watch, cancel, request->watched);

    if ((request->watched->coverage.told & APITRACE_COVERED_SPOILS) != 0 ||
        (status < 0 && request->watch->draw != NULL))
        player->ready = false;
    return status;
}

/* With the session where the request is of. */
static int answer(struct apitrace_player *player, const struct apitrace_request *request,
                  const struct cancel *cancel, struct blob **out)
{
    if (request->watch != NULL)
        return let_watch(player, request, cancel);
    return (request->visit != NULL   ? let_visit
            : request->level != NULL ? make_level
                                     : read_picture)(player, request, cancel, out);
}

/*
 * Something in its frame cannot be put back, and has not been done: all is done again without it.
 * -EIO: there is no mark, so that nothing of the kind can be.
 */
static int leave_mark(struct apitrace_player *player)
{
    if (!player->mark.set)
        return -EIO;
    apitrace_mark_refuse(&player->mark, player->mark.frame);
    return go_back(player, false);
}

/* What is known of the session behind a failure of any kind. */
static void note_failure(struct apitrace_player *player, int status)
{
    switch (status) {
    case -ESTALE:
    case -EAGAIN:
    case -EIO:
    case -ETIMEDOUT:
    case -ENODATA:
        player->ready = false;
        break;
    case -EINTR:
    case -ENOMEM:
    case -EFBIG:
    case -EINVAL: /* what was sent may have been taken, and run */
        player->unsure = true;
        break;
    default:
        break;
    }
}

/* With the worker acquired. */
static int draw(struct apitrace_player *player, const struct apitrace_request *request,
                const struct cancel *cancel, struct blob **out)
{
    int status = 0, left;

    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        status = go(player, request, cancel);
        if (status == 0)
            status = answer(player, request, cancel, out);
        if (status == -EXDEV && (left = leave_mark(player)) == 0)
            continue; /* behind the last attempt it is a failure */
        if (status == -EXDEV)
            status = left;
        if (status == -EINTR)
            end_prewarm(player); /* the reader has gone, or another one leads elsewhere */
        note_failure(player, status);
        if (status == -EAGAIN)
            problems_add_drawing(player->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE,
                                 PROBLEM_NOWHERE, "a call is left out: %s",
                                 apitrace_session_reason(player->feed.session));
        if (status != -ESTALE && status != -EAGAIN)
            break;
    }
    if (status == 0 || status == -EINTR || status == -ENOMEM)
        return status;
    apitrace_request_report(request, player->dump, player->feed.session, status);
    return -EIO;
}

/*
 * With the worker acquired, as draw(). Of a frame's picture CACHE_FIRST_STAGE, or 0 if another
 * request has come by it while this one waited.
 */
static int draw_unless_there(struct apitrace_player *player, const struct apitrace_request *request,
                             const struct cancel *cancel, struct blob **out)
{
    struct cache *cache = player->dump->base.cache;
    int status;

    if (!apitrace_request_is_of_frame(request))
        return draw(player, request, cancel, out);
    remove_waiting(player, request->frame);
    *out = cache != NULL ? cache_peek(cache, key_of(request->frame)) : NULL;
    if (*out != NULL)
        return 0;
    status = draw(player, request, cancel, out);
    if (status == -EINTR)
        add_waiting(player, request->frame);
    return status == 0 ? CACHE_FIRST_STAGE : status;
}

/* What gives way to requests of a rank before its own: it is left off, and begun again later. */
static int draw_late(struct apitrace_player *player, enum cancellable_mutex_rank rank,
                     const struct apitrace_request *request, const struct cancel *cancel,
                     struct blob **out)
{
    for (int times = 0;; times++) {
        struct cancel gives_way;
        int status;

        cancel_init(&gives_way, cancel);
        status = worker_acquire_late(player->worker, rank, cancel,
                                     times < GIVES_WAY_TIMES ? &gives_way : NULL);
        if (status < 0)
            return status;
        status = draw_unless_there(player, request, &gives_way, out);
        worker_release(player->worker);
        if (status != -EINTR || cancel_is_raised(cancel) ||
            !atomic_load_explicit(&gives_way.raised, memory_order_relaxed))
            return status;
    }
}

/* What is made of the dump as a whole, as its frames side by side, gives way to what is within one.
 */
int apitrace_player_frame(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out)
{
    struct apitrace_player *player = apitrace_dump_of(dump)->player;
    const struct apitrace_request request = {.frame = frame};
    int status;

    add_waiting(player, frame);
    status = draw_late(player, CANCELLABLE_MUTEX_SECOND, &request, cancel, out);
    remove_waiting(player, frame);
    return status;
}

static int draw_in_turn(struct dump *dump, const struct apitrace_request *request,
                        const struct cancel *cancel, struct blob **out)
{
    struct apitrace_player *player = apitrace_dump_of(dump)->player;
    int status = worker_acquire(player->worker, cancel);

    if (status < 0)
        return status;
    status = -ENOENT;
    if (apitrace_request_is_of_draw(request))
        status = apitrace_steps_find(&player->steps, player->dump, request->frame,
                                     request->snapshot, out);
    if (status == -ENOENT)
        status = draw(player, request, cancel, out);
    worker_release(player->worker);
    return status;
}

int apitrace_player_level(struct dump *dump, uint64_t frame, const struct apitrace_level *level,
                          const struct cancel *cancel, struct blob **out)
{
    return draw_in_turn(dump, &(struct apitrace_request){.frame = frame, .level = level}, cancel,
                        out);
}

int apitrace_player_snapshot(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *snapshot, const struct cancel *cancel,
                             struct blob **out)
{
    return draw_in_turn(dump, &(struct apitrace_request){.frame = frame, .snapshot = snapshot},
                        cancel, out);
}

int apitrace_player_visit(struct dump *dump, uint64_t frame,
                          const struct apitrace_snapshot *snapshot, apitrace_visitor *visit,
                          void *context, const struct cancel *cancel, struct blob **out)
{
    return draw_in_turn(
        dump,
        &(struct apitrace_request){
            .frame = frame, .snapshot = snapshot, .visit = visit, .context = context},
        cancel, out);
}

int apitrace_player_watch(struct dump *dump, const struct apitrace_watch *watch,
                          const struct cancel *cancel, struct apitrace_watched *out)
{
    const struct apitrace_request request = {.frame = watch->first, .watch = watch, .watched = out};

    *out = (struct apitrace_watched){.ids = NULL};
    return watch->kind == APITRACE_WATCH_COVERAGE && watch->draw == NULL
               ? draw_late(apitrace_dump_of(dump)->player, CANCELLABLE_MUTEX_LAST, &request, cancel,
                           NULL)
               : draw_in_turn(dump, &request, cancel, NULL);
}

int apitrace_player_draw_level(struct dump *dump, uint64_t frame,
                               const struct apitrace_snapshot *snapshot,
                               const struct apitrace_level *level, const struct cancel *cancel,
                               struct blob **out)
{
    return draw_in_turn(
        dump, &(struct apitrace_request){.frame = frame, .level = level, .snapshot = snapshot},
        cancel, out);
}

/* SPDX-License-Identifier: MIT */
/*
 * The player: one session of the graphics worker, which is brought to whatever is requested and
 * read there. What frames before the requested one draw is discarded where the analysis of
 * presentation.h allows it. To go back, the session begins again, and then what precedes the
 * requested frame or draw is drawn, too (rewind.h): twice as much each time, until one pass draws
 * all that the cache may hold.
 */
#include "formats/apitrace/replay/player.h"

#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/mark.h"
#include "formats/apitrace/replay/readout.h"
#include "formats/apitrace/replay/route.h"
#include "formats/apitrace/replay/startup.h"
#include "formats/apitrace/replay/wanted_frames.h"
#include "tree/inode.h"
#include "worker/worker.h"

#include <errno.h>
#include <stdlib.h>

enum {
    ATTEMPTS = 32,       /* how often the worker may die on the way to one picture */
    GIVES_WAY_TIMES = 4, /* how often a request that is not urgent gives way */
};

struct apitrace_player {
    struct apitrace_dump *dump;
    apitrace_encode *encode;
    apitrace_earlier *earlier;
    struct worker *worker;
    struct apitrace_replay_feed feed;
    /*
     * If `ready`, the session is where the feed says; if `unsure` as well, it may be farther, since
     * a run was cancelled or its answer was lost. Otherwise the session must begin again.
     */
    bool ready;
    bool unsure;
    uint32_t whole_from; /* frames from this one on were drawn completely */
    struct apitrace_startup startup;
    struct apitrace_rewind rewind;
    struct apitrace_mark mark;
    struct apitrace_wanted_frames wanted;
};

/* Reports what the worker says about a call, at the call's offset. */
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
    apitrace_wanted_frames_init(&player->wanted);
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

void apitrace_player_destroy(struct apitrace_player **player)
{
    if (*player == NULL)
        return;
    apitrace_startup_end_prewarm(&(*player)->startup, (*player)->worker);
    apitrace_rewind_clear(&(*player)->rewind, (*player)->dump);
    if ((*player)->feed.session != NULL)
        apitrace_session_destroy(&(*player)->feed.session);
    if ((*player)->worker != NULL)
        worker_destroy(&(*player)->worker);
    apitrace_wanted_frames_destroy(&(*player)->wanted);
    free(*player);
    *player = NULL;
}

/* Reads the pixels at the session's place, as RGB at the end of *out. The caller encodes them. */
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

/* Returns whether a picture has another size than the analysis says, or the worker has none. */
static bool is_not_shown(int status)
{
    return status == -ERANGE || status == -ENOENT;
}

static struct cache_key key_of(uint64_t frame)
{
    return (struct cache_key){.item = inode_pack(RULE_FRAME_PNG, frame)};
}

/*
 * Offers a frame's picture, at which the session is, to the cache. If it cannot be shown, its own
 * request will report that.
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

/* Skips as many frames as allowed, and stops where the picture of the last of them would be. */
static int skip(struct apitrace_player *player, const struct apitrace_route *route, uint64_t *frame,
                const struct cancel *cancel)
{
    struct apitrace_replay_goal goal;

    while (apitrace_route_skips(route, player->dump, *frame + 1))
        ++*frame;
    player->whole_from = (uint32_t)*frame + 1;
    goal = apitrace_replay_goal_of(player->dump, *frame);
    return apitrace_replay_feed_run(&player->feed, &goal, APITRACE_FEED_DISCARD, cancel);
}

/* Goes to the end of a route. Skips frames and offers pictures as the route says. */
static int follow(struct apitrace_player *player, const struct apitrace_route *route,
                  const struct cancel *cancel)
{
    uint64_t frame = apitrace_index_frame(&player->dump->index, player->feed.order);
    int status = 0;

    for (; frame <= route->to && status == 0; frame++) {
        struct apitrace_replay_goal goal =
            frame == route->to ? route->end : apitrace_replay_goal_of(player->dump, frame);

        if (player->feed.order > goal.order)
            continue;
        if (apitrace_route_skips(route, player->dump, frame)) {
            status = skip(player, route, &frame, cancel);
        } else if (frame == route->to ||
                   apitrace_route_offers(route, player->dump, frame, player->whole_from)) {
            status = apitrace_replay_feed_run(&player->feed, &goal, 0, cancel);
            if (status == 0 && frame < route->to)
                status = offer(player, frame, cancel);
        }
    }
    return status;
}

/*
 * Returns whether the session can go on to a request: it is not beyond it, and has skipped nothing
 * that it needs.
 */
static bool can_go_on(const struct apitrace_player *player, const struct apitrace_request *request)
{
    const struct apitrace_dump *dump = player->dump;
    uint32_t base = apitrace_request_base(dump, request);

    return player->ready && player->feed.changes == apitrace_dump_changes(player->dump) &&
           player->feed.order <= apitrace_request_goal(dump, request).order &&
           (base >= player->whole_from || player->feed.order <= dump->index.frames[base].first);
}

/* Goes to another request on the route, without skipping what the route's end needs. */
static int go_by(struct apitrace_player *player, const struct apitrace_route *route,
                 const struct apitrace_request *other, const struct cancel *cancel)
{
    struct apitrace_route part = apitrace_route_to(player->dump, other);

    if (part.drawn > route->drawn)
        part.drawn = route->drawn;
    return follow(player, &part, cancel);
}

/* Draws the frames on the way that other requests wait for. */
static int serve_others(struct apitrace_player *player, const struct apitrace_route *route,
                        const struct cancel *cancel)
{
    uint64_t frame = apitrace_index_frame(&player->dump->index, player->feed.order);
    int status = 0;

    for (; status == 0 &&
           (frame = apitrace_wanted_frames_first(&player->wanted, frame, route->to)) < route->to;
         frame++) {
        const struct apitrace_request other = {.frame = frame};

        if (can_go_on(player, &other)) {
            status = go_by(player, route, &other, cancel);
            if (status == 0)
                status = offer(player, frame, cancel);
        }
    }
    return status;
}

/*
 * Keeps what a draw on the way has left. If it cannot be shown, its own request will report that.
 */
static int keep_draw(struct apitrace_player *player, const struct apitrace_route *route,
                     const struct apitrace_snapshot *draw, const struct cancel *cancel)
{
    const struct apitrace_request other = {.frame = route->to, .snapshot = draw};
    struct blob *pixels = NULL;
    int status;

    if (draw->base < route->drawn || !can_go_on(player, &other) ||
        !apitrace_rewind_may_keep(&player->rewind, draw))
        return 0;
    status = go_by(player, route, &other, cancel);
    if (status < 0)
        return status;
    status = read_picture(player, &other, cancel, &pixels);
    if (status == 0)
        (void)apitrace_rewind_keep(&player->rewind, draw, pixels);
    blob_unref(&pixels);
    return is_not_shown(status) ? 0 : status;
}

/* Keeps draws before a requested one, for a reader that steps back. */
static int keep_draws(struct apitrace_player *player, const struct apitrace_route *route,
                      const struct apitrace_request *request, const struct cancel *cancel)
{
    const uint64_t way = player->mark.set ? request->snapshot->order -
                                                player->dump->index.frames[player->mark.frame].first
                                          : request->snapshot->order;
    const size_t max =
        apitrace_rewind_begin_reel(&player->rewind, player->dump, request->frame, way);
    struct apitrace_snapshot *draws = max > 0 ? calloc(max, sizeof(*draws)) : NULL;
    size_t count = 0;
    int status = draws == NULL ? 0
                               : player->earlier(&player->dump->base, request->frame,
                                                 request->snapshot, cancel, draws, max, &count);

    for (size_t n = 0; n < count && status == 0; n++)
        status = keep_draw(player, route, &draws[n], cancel);
    apitrace_rewind_end_reel(&player->rewind, player->dump);
    free(draws);
    return status;
}

static int begin_again(struct apitrace_player *player, const struct apitrace_route *route,
                       const struct apitrace_request *request, const struct cancel *cancel)
{
    int status = apitrace_startup_begin(&player->startup, &player->feed, player->worker,
                                        &player->rewind, route, request, cancel);

    player->ready = status == 0;
    player->unsure = false;
    player->whole_from = 0;
    player->mark.set = false;
    return status;
}

/* Goes back to the mark. What earlier frames drew is no longer there. */
static int go_back(struct apitrace_player *player, bool stay)
{
    int status = apitrace_mark_go_back(&player->mark, &player->feed, stay);

    player->ready = status == 0;
    player->whole_from = (uint32_t)player->mark.frame;
    return status == -ENOENT || status == -EINTR ? 0 : status;
}

/*
 * Goes back to the mark, if there is one, unless the session can go on to the request within the
 * mark's frame. The mark stays if it serves the request.
 */
static int use_mark(struct apitrace_player *player, const struct apitrace_request *request)
{
    const bool serves = apitrace_mark_serves(&player->mark, player->dump, request);

    if (!player->ready || !player->mark.set || (serves && can_go_on(player, request)))
        return 0;
    return go_back(player, serves);
}

/*
 * Sets a mark on the way to the request, at the beginning of its frame, if a mark would be useful.
 */
static int set_mark(struct apitrace_player *player, const struct apitrace_route *route,
                    const struct apitrace_request *request, const struct cancel *cancel)
{
    struct apitrace_route begin = *route;
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

/*
 * Returns whether a draw is requested after a later one of its frame, with no other request
 * between.
 */
static bool steps_back_to(struct apitrace_player *player, const struct apitrace_request *request)
{
    const bool of_draw = apitrace_request_is_of_draw(request);
    const bool again = of_draw && apitrace_rewind_note_draw(&player->rewind, request->frame);

    if (!of_draw)
        apitrace_rewind_note_other(&player->rewind);
    return again && player->ready && !can_go_on(player, request);
}

/*
 * Finds out where the session is, if that is not known. After an error other than -EINTR the
 * session must begin again.
 */
static int find_session(struct apitrace_player *player, const struct cancel *cancel)
{
    int status =
        player->ready && player->unsure ? apitrace_replay_feed_sync(&player->feed, cancel) : 0;

    player->unsure = player->unsure && status < 0;
    player->ready = player->ready && (status == 0 || status == -EINTR);
    return status;
}

/*
 * Brings the session to the request's place. The steps, of which most requests need only some:
 *
 * 1. find out where the session is, if that is not known;
 * 2. go back to the mark, if it serves the request (mark.h);
 * 3. begin again, if the session cannot go on to the request (route.h, startup.h);
 * 4. draw the frames on the way that other requests wait for;
 * 5. set a mark at the beginning of the request's frame;
 * 6. keep the pictures of draws on the way, for a reader that steps back (rewind.h);
 * 7. go the rest of the way.
 */
static int go(struct apitrace_player *player, const struct apitrace_request *request,
              const struct cancel *cancel)
{
    struct apitrace_route route;
    bool again, back, steps_back, in_order;
    int status = find_session(player, cancel);

    steps_back = steps_back_to(player, request);
    if (status == 0)
        status = use_mark(player, request);
    if (status < 0)
        return status;
    back = player->ready && !can_go_on(player, request);
    in_order = apitrace_request_is_of_frame(request) && request->frame == player->rewind.last + 1;
    again = !player->ready || back ||
            (in_order && apitrace_startup_is_outgrown(&player->startup, player->dump,
                                                      &player->rewind, request));
    route = apitrace_route_plan(player->dump, &player->rewind, request, again);
    if (apitrace_request_is_of_frame(request))
        apitrace_rewind_note(&player->rewind, request->frame, back);
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

/*
 * Runs a watch. If that has spoilt the session, or may have, the session begins again for the next
 * request.
 */
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

/* Makes the result, with the session at the request's place. */
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
 * Handles a call that was not run because its effect could not be restored: removes the mark and
 * goes back, so that everything is done again without it. Returns -EIO if there is no mark, since
 * then no call should be refused for this reason.
 */
static int leave_mark(struct apitrace_player *player)
{
    if (!player->mark.set)
        return -EIO;
    apitrace_mark_refuse(&player->mark, player->mark.frame);
    return go_back(player, false);
}

/* Notes what is known of the session after a failure. */
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
    case -EINVAL: /* the message may have been received and carried out */
        player->unsure = true;
        break;
    default:
        break;
    }
}

/*
 * Brings the session to the request's place and makes the result, repeating both if the session is
 * lost. The worker must be acquired.
 */
static int try_until_made(struct apitrace_player *player, const struct apitrace_request *request,
                          const struct cancel *cancel, struct blob **out)
{
    int status = 0, left;

    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        status = go(player, request, cancel);
        if (status == 0)
            status = answer(player, request, cancel, out);
        if (status == -EXDEV && (left = leave_mark(player)) == 0)
            continue; /* after the last attempt this is a failure */
        if (status == -EXDEV)
            status = left;
        if (status == -EINTR)
            /* the reader has gone, or another request takes the session away */
            apitrace_startup_end_prewarm(&player->startup, player->worker);
        note_failure(player, status);
        if (status == -EAGAIN)
            problems_add_drawing(player->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE,
                                 PROBLEM_NOWHERE, "a call is skipped: %s",
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
 * As try_until_made(). If `waiter` is not NULL, the request is for a frame's picture: this returns
 * CACHE_FIRST_STAGE instead of 0, or 0 if another request has made the picture in the meantime.
 */
static int make_unless_there(struct apitrace_player *player, const struct apitrace_request *request,
                             struct apitrace_waiter *waiter, const struct cancel *cancel,
                             struct blob **out)
{
    struct cache *cache = player->dump->base.cache;
    int status;

    if (waiter == NULL)
        return try_until_made(player, request, cancel, out);
    apitrace_wanted_frames_remove(&player->wanted, waiter);
    *out = cache != NULL ? cache_peek(cache, key_of(request->frame)) : NULL;
    if (*out != NULL)
        return 0;
    status = try_until_made(player, request, cancel, out);
    if (status == -EINTR)
        apitrace_wanted_frames_add(&player->wanted, waiter);
    return status == 0 ? CACHE_FIRST_STAGE : status;
}

/*
 * Carries out a request that gives way to requests of a rank before its own: it is abandoned, and
 * begun again later.
 */
static int make_late(struct apitrace_player *player, enum cancellable_mutex_rank rank,
                     const struct apitrace_request *request, struct apitrace_waiter *waiter,
                     const struct cancel *cancel, struct blob **out)
{
    for (int times = 0;; times++) {
        struct cancel gives_way;
        int status;

        cancel_init(&gives_way, cancel);
        status = worker_acquire_late(player->worker, rank, cancel,
                                     times < GIVES_WAY_TIMES ? &gives_way : NULL);
        if (status < 0)
            return status;
        status = make_unless_there(player, request, waiter, &gives_way, out);
        worker_release(player->worker);
        if (status != -EINTR || cancel_is_raised(cancel) ||
            !atomic_load_explicit(&gives_way.raised, memory_order_relaxed))
            return status;
    }
}

/*
 * Pictures of frames, which readers request one after the other for the complete dump, give way to
 * requests within a frame.
 */
int apitrace_player_frame(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out)
{
    struct apitrace_player *player = apitrace_dump_of(dump)->player;
    const struct apitrace_request request = {.frame = frame};
    struct apitrace_waiter waiter = {.frame = frame};
    int status;

    apitrace_wanted_frames_add(&player->wanted, &waiter);
    status = make_late(player, CANCELLABLE_MUTEX_SECOND, &request, &waiter, cancel, out);
    apitrace_wanted_frames_remove(&player->wanted, &waiter);
    return status;
}

static int make_in_turn(struct dump *dump, const struct apitrace_request *request,
                        const struct cancel *cancel, struct blob **out)
{
    struct apitrace_player *player = apitrace_dump_of(dump)->player;
    int status = worker_acquire(player->worker, cancel);

    if (status < 0)
        return status;
    status = -ENOENT;
    if (apitrace_request_is_of_draw(request))
        status = apitrace_rewind_find(&player->rewind, player->dump, request->frame,
                                      request->snapshot, out);
    if (status == -ENOENT)
        status = try_until_made(player, request, cancel, out);
    worker_release(player->worker);
    return status;
}

int apitrace_player_level(struct dump *dump, uint64_t frame, const struct apitrace_level *level,
                          const struct cancel *cancel, struct blob **out)
{
    return make_in_turn(dump, &(struct apitrace_request){.frame = frame, .level = level}, cancel,
                        out);
}

int apitrace_player_draw_level(struct dump *dump, uint64_t frame,
                               const struct apitrace_snapshot *snapshot,
                               const struct apitrace_level *level, const struct cancel *cancel,
                               struct blob **out)
{
    return make_in_turn(
        dump, &(struct apitrace_request){.frame = frame, .level = level, .snapshot = snapshot},
        cancel, out);
}

int apitrace_player_snapshot(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *snapshot, const struct cancel *cancel,
                             struct blob **out)
{
    return make_in_turn(dump, &(struct apitrace_request){.frame = frame, .snapshot = snapshot},
                        cancel, out);
}

int apitrace_player_visit(struct dump *dump, uint64_t frame,
                          const struct apitrace_snapshot *snapshot, apitrace_visitor *visit,
                          void *context, const struct cancel *cancel, struct blob **out)
{
    return make_in_turn(
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
               ? make_late(apitrace_dump_of(dump)->player, CANCELLABLE_MUTEX_LAST, &request, NULL,
                           cancel, NULL)
               : make_in_turn(dump, &request, cancel, NULL);
}

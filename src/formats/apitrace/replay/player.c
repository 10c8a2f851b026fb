/*
 * What frames before the wanted one draw is thrown away where the analysis of screens.h
 * allows it. Who reads backwards makes the session begin again, so some frames before
 * the wanted one are drawn then, too: twice as many each time, until all of what the
 * cache may hold comes with one pass.
 */
#include "formats/apitrace/replay/player.h"

#include "core/bytes.h"
#include "formats/apitrace/options.h"
#include "formats/apitrace/replay/replay_feed.h"
#include "formats/apitrace/replay/shader_prewarm.h"
#include "tree/inode.h"
#include "worker/shelf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    ATTEMPTS = 32,        /* how often the worker may die on the way to one picture */
    FAR_FROM = 32,        /* frames that are skipped before it is worth to hurry … */
    FAR_DRAWN = 16,       /* … and frames that may be drawn after them */
    FEW_PIXELS = 1 << 27, /* which take a third of a second to draw with care */
    FIRST_BEFORE = 8,     /* frames that are drawn before the wanted one at the first restart */
    DOUBLINGS_MOST = 16,
    WANTED_MOST = 32, /* askers that are known to wait */
    CACHE_SHARE = 4,  /* pictures that nobody has asked for take a part of the cache at most */
    RGB = 3,
    RGBA = 4,
};

struct apitrace_player {
    struct apitrace_dump *dump;
    struct worker *worker;
    struct apitrace_feeder feeder;
    struct apitrace_scout *scout; /* NULL: none */
    bool ready;                   /* the feeder's session is where the feeder says … */
    bool unsure;                  /* … or farther, since a call was cancelled */
    uint32_t solid;               /* frames from this one on were drawn in full */
    unsigned restarts;            /* since the beginning */

    pthread_mutex_t lock;         /* of what follows */
    uint64_t wanted[WANTED_MOST]; /* frames that somebody waits for */
    unsigned wanted_count;
};

/* What the worker says of calls goes where they stand. */
static void note(void *context, enum problem_severity severity, uint64_t number, const char *text)
{
    const struct apitrace_player *player = context;
    const struct apitrace_index *index = &player->dump->index;
    struct apitrace_record record;
    bool known = apitrace_index_record(index, number, &record) == 0;

    problems_add(player->dump->base.problems, severity, known ? record.enter : PROBLEM_NOWHERE,
                 known ? number : PROBLEM_NOWHERE, "%s", text);
}

int apitrace_player_create(struct apitrace_dump *dump, struct apitrace_player **out)
{
    struct apitrace_player *player = calloc(1, sizeof(*player));
    struct worker_params worker = {.time_limit_ms =
                                       apitrace_options_of(dump->base.options)->time_limit * 1000,
                                   .cache = &dump->base.cache};
    const struct retrace_params params = {.note = note, .context = player};
    char *shelf = NULL;
    int status;

    *out = player;
    if (player == NULL)
        return -ENOMEM;
    pthread_mutex_init(&player->lock, NULL);
    player->dump = player->feeder.dump = dump;
    if (dump->base.options->shader_cache == OPTIONS_KEEP)
        shelf = shelf_path(dump->base.source);
    worker.shelf = shelf;
    status = worker_create(&worker, &player->worker);
    free(shelf);
    if (status == 0)
        status = retrace_create(player->worker, &params, &player->feeder.session);
    if (status < 0)
        apitrace_player_destroy(out);
    return status;
}

/* A scout that failed may have left what it failed of. */
static void call_back(struct apitrace_player *player)
{
    if (apitrace_scout_end(&player->scout))
        worker_distrust(player->worker);
}

void apitrace_player_destroy(struct apitrace_player **player)
{
    if (*player == NULL)
        return;
    call_back(*player);
    if ((*player)->feeder.session != NULL)
        retrace_destroy(&(*player)->feeder.session);
    if ((*player)->worker != NULL)
        worker_destroy(&(*player)->worker);
    pthread_mutex_destroy(&(*player)->lock);
    free(*player);
    *player = NULL;
}

/* What is wanted: a frame's picture, a level of a texture at its end, or what a draw left. */
struct wish {
    uint64_t frame;
    const struct apitrace_level *level; /* NULL: none */
    const struct apitrace_shot *shot;   /* the same */
};

static struct apitrace_goal goal_of_wish(const struct apitrace_dump *dump, const struct wish *wish)
{
    if (wish->shot == NULL)
        return apitrace_goal_of(dump, wish->frame);
    return (struct apitrace_goal){
        .order = wish->shot->order + 1, .call = wish->shot->call, .flags = RETRACE_AFTER};
}

/* It is made of what frames from this one on have drawn. */
static uint32_t base_of(const struct apitrace_dump *dump, const struct wish *wish)
{
    return wish->shot != NULL ? wish->shot->base : dump->screens.frames[wish->frame].base;
}

/* Pictures. */

/* Pixels where the session stands; they are the end of *out, so that others encode them. */
static int read_picture(struct apitrace_player *player, const struct wish *wish,
                        const struct cancel *cancel, struct blob **out)
{
    const struct apitrace_screen *screen = &player->dump->screens.frames[wish->frame];
    struct retrace_picture_request request = {
        .kind = RETRACE_COLOUR, .width = screen->width, .height = screen->height};
    struct retrace_picture picture = {0};
    int status;

    if (wish->shot != NULL)
        request = (struct retrace_picture_request){
            .kind = RETRACE_TARGET, .width = wish->shot->width, .height = wish->shot->height};
    status = retrace_picture(player->feeder.session, &request, cancel, &picture);
    if (status == 0 && (picture.width != request.width || picture.height != request.height ||
                        picture.pixel_bytes != RGB)) {
        blob_unref(&picture.owner);
        status = -ERANGE;
    }
    *out = picture.owner;
    return status;
}

int apitrace_picture_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *half, struct blob **out)
{
    struct dump_picture picture;
    int status = dump_picture_header(dump, frame, &picture);
    size_t stride = (size_t)picture.header.width * RGB;

    (void)cancel;
    if (status < 0)
        return status;
    return picture_encode(&picture.header,
                          half->data + (half->size - stride * picture.header.height), stride,
                          dump->options->png, out);
}

static uint8_t to_byte(const uint8_t *at)
{
    uint32_t bits = bytes_le32(at);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return (uint8_t)(value >= 1 ? 255 : value > 0 ? value * 255 + 0.5F : 0);
}

/* One slice of a level as RGBA8. */
static int copy_slice(struct apitrace_player *player, const struct apitrace_level *level,
                      uint32_t slice, const struct cancel *cancel, uint8_t *to)
{
    bool cube = level->target == APITRACE_TARGET_CUBE;
    const struct retrace_texture_request request = {
        .name = level->object,
        .target = cube ? APITRACE_TARGET_CUBE_FACE + slice : level->target,
        .level = level->level,
        .layer = cube ? 0 : slice};
    size_t size = (size_t)level->width * level->height * RGBA;
    struct retrace_picture picture = {0};
    int status = retrace_texture(player->feeder.session, &request, cancel, &picture);

    if (status == 0 && (picture.width != level->width || picture.height != level->height))
        status = -ERANGE;
    if (status == 0 && !picture.real)
        memcpy(to, picture.pixels, size);
    for (size_t n = 0; status == 0 && picture.real && n < size; n++)
        to[n] = to_byte(picture.pixels + 4 * n);
    blob_unref(&picture.owner);
    return status;
}

static int make_level(struct apitrace_player *player, const struct wish *wish,
                      const struct cancel *cancel, struct blob **out)
{
    const struct apitrace_level *level = wish->level;
    struct dump *dump = &player->dump->base;
    size_t stride = (size_t)level->width * RGBA, slice = stride * level->height;
    uint8_t *pixels = calloc(level->slices, slice);
    struct dump_picture header;
    int status = pixels != NULL ? 0 : -ENOMEM;

    for (uint32_t n = 0; n < level->slices && status == 0; n++)
        status = copy_slice(player, level, n, cancel, pixels + n * slice);
    if (status == 0)
        status = dump_picture_init(dump, wish->frame, level->width, level->height * level->slices,
                                   PICTURE_RGBA, 8, &header);
    if (status == 0)
        status = picture_encode(&header.header, pixels, stride, dump->options->png, out);
    free(pixels);
    return status;
}

static struct cache_key key_of(uint64_t frame)
{
    return (struct cache_key){.item = inode_pack(RULE_FRAME_PNG, frame)};
}

/* Offers a frame's picture to the cache, where the session stands at it. */
static int offer(struct apitrace_player *player, uint64_t frame, const struct cancel *cancel)
{
    struct cache *cache = player->dump->base.cache;
    struct blob *blob = cache_peek(cache, key_of(frame)), *pixels = NULL;
    int status = 0;

    if (blob == NULL) {
        status = read_picture(player, &(struct wish){.frame = frame}, cancel, &pixels);
        if (status == 0)
            status = apitrace_picture_finish(&player->dump->base, frame, cancel, pixels, &blob);
        if (status == 0)
            cache_offer(cache, key_of(frame), blob);
    }
    blob_unref(&pixels);
    blob_unref(&blob);
    return status;
}

/* Who waits, so that whoever has the session draws his frame, too, when he comes by it. */

static void want(struct apitrace_player *player, uint64_t frame)
{
    pthread_mutex_lock(&player->lock);
    if (player->wanted_count < WANTED_MOST)
        player->wanted[player->wanted_count++] = frame;
    pthread_mutex_unlock(&player->lock);
}

static void want_no_more(struct apitrace_player *player, uint64_t frame)
{
    pthread_mutex_lock(&player->lock);
    for (unsigned n = 0; n < player->wanted_count; n++)
        if (player->wanted[n] == frame) {
            player->wanted[n] = player->wanted[--player->wanted_count];
            break;
        }
    pthread_mutex_unlock(&player->lock);
}

/* The first frame that is wanted from one on, up to another. */
static uint64_t first_wanted(struct apitrace_player *player, uint64_t from, uint64_t to)
{
    pthread_mutex_lock(&player->lock);
    for (unsigned n = 0; n < player->wanted_count; n++)
        if (player->wanted[n] >= from && player->wanted[n] < to)
            to = player->wanted[n];
    pthread_mutex_unlock(&player->lock);
    return to;
}

/* The way to a frame. */
struct way {
    uint64_t to;
    struct apitrace_goal end; /* in that frame */
    uint64_t offered;         /* pictures from this frame on are offered, if they come about … */
    uint64_t drawn;           /* … and frames from this one on are drawn in any case */
};

/* Frames whose pictures fit in the cache's share, the wanted one included. */
static uint64_t frames_that_fit(const struct apitrace_player *player, uint64_t frame)
{
    const struct apitrace_screen *screen = &player->dump->screens.frames[frame];
    struct cache_statistics statistics;

    if (player->dump->base.cache == NULL)
        return 0;
    cache_statistics(player->dump->base.cache, &statistics);
    return statistics.budget / CACHE_SHARE / RGB / screen->width / screen->height;
}

/* The way to a frame alone, which is drawn with all that its picture is made of. */
static struct way way_to(const struct apitrace_player *player, const struct wish *wish)
{
    return (struct way){.to = wish->frame,
                        .end = goal_of_wish(player->dump, wish),
                        .offered = wish->frame,
                        .drawn = base_of(player->dump, wish)};
}

/* The same with frames before it, from a new beginning on more and more of them. */
static struct way plan(const struct apitrace_player *player, const struct wish *wish, bool again)
{
    struct way way = way_to(player, wish);
    uint64_t frame = wish->frame, fit, before = 0;
    uint32_t base;

    if (wish->shot != NULL)
        return way;
    fit = frames_that_fit(player, frame);
    way.offered = fit < frame ? frame - fit : 0;
    if (again && player->restarts > 0)
        before = (uint64_t)FIRST_BEFORE
                 << (player->restarts < DOUBLINGS_MOST ? player->restarts : DOUBLINGS_MOST);
    if (before > frame - way.offered)
        before = frame - way.offered;
    base = player->dump->screens.frames[frame - before].base;
    if (before > 0 && base < way.drawn)
        way.drawn = base;
    return way;
}

/* Of a trace that grows it is not known what later frames read. */
static bool is_skipped(const struct apitrace_player *player, const struct way *way, uint64_t frame)
{
    return frame < way->drawn && !apitrace_index_grows(&player->dump->index) &&
           !player->dump->screens.frames[frame].full;
}

/* Whether a frame's picture is right once the frame has been drawn, and wanted. */
static bool is_offered(const struct apitrace_player *player, const struct way *way, uint64_t frame)
{
    const struct apitrace_screen *screen = &player->dump->screens.frames[frame];

    return frame >= way->offered && frame < way->to && player->dump->base.cache != NULL &&
           screen->drawable != APITRACE_NO_DRAWABLE && screen->base >= player->solid;
}

/* Skips as many frames as may be; the last of them is not begun to be shown yet. */
static int skip(struct apitrace_player *player, const struct way *way, uint64_t *frame,
                const struct cancel *cancel)
{
    struct apitrace_goal goal;

    while (is_skipped(player, way, *frame + 1))
        ++*frame;
    player->solid = (uint32_t)*frame + 1;
    goal = apitrace_goal_of(player->dump, *frame);
    return apitrace_feeder_run(&player->feeder, &goal, RETRACE_DISCARD, cancel);
}

static int follow(struct apitrace_player *player, const struct way *way,
                  const struct cancel *cancel)
{
    uint64_t frame = apitrace_index_frame(&player->dump->index, player->feeder.order);
    int status = 0;

    for (; frame <= way->to && status == 0; frame++) {
        struct apitrace_goal goal =
            frame == way->to ? way->end : apitrace_goal_of(player->dump, frame);

        if (player->feeder.order > goal.order)
            continue;
        if (is_skipped(player, way, frame)) {
            status = skip(player, way, &frame, cancel);
        } else if (frame == way->to || is_offered(player, way, frame)) {
            status = apitrace_feeder_run(&player->feeder, &goal, 0, cancel);
            if (status == 0 && frame < way->to)
                status = offer(player, frame, cancel);
        }
    }
    return status;
}

/* Whether the session can go on to a frame: it is not beyond it, and has skipped nothing of it. */
static bool can_go_on(const struct apitrace_player *player, const struct wish *wish)
{
    const struct apitrace_dump *dump = player->dump;
    uint32_t base = base_of(dump, wish);

    return player->ready && player->feeder.changes == apitrace_dump_changes(player->dump) &&
           player->feeder.order <= goal_of_wish(dump, wish).order &&
           (base >= player->solid || player->feeder.order <= dump->index.frames[base].first);
}

/* Draws on the way what others wait for. */
static int serve_others(struct apitrace_player *player, uint64_t to, const struct cancel *cancel)
{
    uint64_t frame = apitrace_index_frame(&player->dump->index, player->feeder.order);
    int status = 0;

    for (; status == 0 && (frame = first_wanted(player, frame, to)) < to; frame++) {
        const struct wish other = {.frame = frame};

        if (can_go_on(player, &other)) {
            const struct way way = way_to(player, &other);

            status = follow(player, &way, cancel);
            if (status == 0)
                status = offer(player, frame, cancel);
        }
    }
    return status;
}

/* Whether few frames are drawn behind many that are not: compiling would take longer. */
static bool is_far(const struct apitrace_player *player, const struct way *way)
{
    return way->drawn >= FAR_FROM && way->to - way->drawn < FAR_DRAWN && is_skipped(player, way, 0);
}

/* The same of the whole trace, were each draw to cover all of its frame. */
static bool is_little(const struct apitrace_player *player)
{
    const struct apitrace_index *index = &player->dump->index;
    uint64_t pixels = 0;

    if (apitrace_index_grows(index))
        return false;
    for (uint64_t frame = 0; frame < index->frame_count && pixels <= FEW_PIXELS; frame++) {
        const struct apitrace_screen *screen = &player->dump->screens.frames[frame];

        pixels += (uint64_t)screen->width * screen->height * index->frames[frame].draws;
    }
    return pixels <= FEW_PIXELS;
}

/* Without one it takes longer, that is all. A trace that grows has none. */
static void send_scout(struct apitrace_player *player, const struct way *way, bool hurry)
{
    const struct apitrace_index *index = &player->dump->index;
    const uint64_t next = way->drawn + 1, last = hurry && way->to < next ? way->to : next;
    struct apitrace_scout_way ahead = {
        .first = (uint32_t)way->drawn, .last = (uint32_t)last, .hurry = hurry};

    if (apitrace_index_grows(index))
        return;
    if (last >= index->frame_count)
        ahead.last = (uint32_t)index->frame_count - 1;
    (void)apitrace_scout_start(player->dump, player->worker, player->feeder.session, &ahead,
                               &player->scout);
}

/*
 * In a hurry the scout has its process started while the session's begins. With care it waits
 * whether that is through soon, which is counted from where it has begun.
 */
static int begin_again(struct apitrace_player *player, const struct way *way,
                       const struct cancel *cancel)
{
    bool far = is_far(player, way), hurry = far || is_little(player);
    int status;

    call_back(player);
    retrace_hurry(player->feeder.session, hurry);
    if (far && worker_start(player->worker, cancel) == 0)
        send_scout(player, way, true);
    status = apitrace_feeder_begin(&player->feeder, cancel);
    if (status == 0 && !hurry)
        send_scout(player, way, false);
    player->ready = status == 0;
    player->unsure = false;
    player->solid = 0;
    return status;
}

static int go(struct apitrace_player *player, const struct wish *wish, const struct cancel *cancel)
{
    struct way way;
    bool again;
    int status = player->ready && player->unsure ? apitrace_feeder_ask(&player->feeder, cancel) : 0;

    if (status < 0)
        return status;
    player->unsure = false;
    again = !can_go_on(player, wish);
    way = plan(player, wish, again);
    if (again)
        status = begin_again(player, &way, cancel);
    if (again && status == 0 && wish->shot == NULL)
        player->restarts++;
    if (status == 0)
        status = serve_others(player, wish->frame, cancel);
    return status == 0 ? follow(player, &way, cancel) : status;
}

static void tell(struct apitrace_player *player, const struct wish *wish, int status)
{
    const char *reason = retrace_reason(player->feeder.session);
    const struct apitrace_level *level = wish->level;
    uint64_t call = goal_of_wish(player->dump, wish).call;

    if (status == -ERANGE)
        reason = "the graphics worker's picture has another size";
    else if (status == -ENODATA || reason[0] == '\0')
        reason = "its calls do not lead there";
    if (wish->shot != NULL)
        problems_add(player->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, call,
                     "what draw %" PRIu64 " left cannot be shown: %s", call, reason);
    else if (level == NULL)
        problems_add(player->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, call,
                     "frame %" PRIu64 " cannot be drawn: %s", wish->frame, reason);
    else
        problems_add(player->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, call,
                     "level %" PRIu32 " of texture %" PRIu32 " cannot be read: %s", level->level,
                     level->object, reason);
}

/* With the worker acquired. */
static int draw(struct apitrace_player *player, const struct wish *wish,
                const struct cancel *cancel, struct blob **out)
{
    int status = 0;

    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        status = go(player, wish, cancel);
        if (status == 0)
            status = (wish->level != NULL ? make_level : read_picture)(player, wish, cancel, out);
        if (status == -EINTR)
            player->unsure = true;
        if (status == -ESTALE || status == -EAGAIN || status == -EIO || status == -ETIMEDOUT)
            player->ready = false;
        if (status == -EAGAIN)
            problems_add(player->dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE,
                         PROBLEM_NOWHERE, "a call is left out: %s",
                         retrace_reason(player->feeder.session));
        if (status != -ESTALE && status != -EAGAIN)
            break;
    }
    if (status == 0 || status == -EINTR || status == -ENOMEM)
        return status;
    tell(player, wish, status);
    return -EIO;
}

int apitrace_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out)
{
    struct apitrace_player *player = apitrace_dump_of(dump)->player;
    const struct apitrace_screens *screens;
    int status = apitrace_dump_screens(dump, cancel, &screens);

    if (status < 0)
        return status;
    want(player, frame);
    status = worker_acquire(player->worker, cancel);
    want_no_more(player, frame);
    if (status < 0)
        return status;
    /* another one may have come by it while this one waited */
    *out = dump->cache != NULL ? cache_peek(dump->cache, key_of(frame)) : NULL;
    if (*out == NULL) {
        status = draw(player, &(struct wish){.frame = frame}, cancel, out);
        if (status == 0)
            status = CACHE_HALF;
    }
    worker_release(player->worker);
    return status;
}

static int draw_in_turn(struct dump *dump, const struct wish *wish, const struct cancel *cancel,
                        struct blob **out)
{
    struct apitrace_player *player = apitrace_dump_of(dump)->player;
    int status = worker_acquire(player->worker, cancel);

    if (status < 0)
        return status;
    status = draw(player, wish, cancel, out);
    worker_release(player->worker);
    return status;
}

int apitrace_player_level(struct dump *dump, uint64_t frame, const struct apitrace_level *level,
                          const struct cancel *cancel, struct blob **out)
{
    return draw_in_turn(dump, &(struct wish){.frame = frame, .level = level}, cancel, out);
}

int apitrace_player_shot(struct dump *dump, uint64_t frame, const struct apitrace_shot *shot,
                         const struct cancel *cancel, struct blob **out)
{
    return draw_in_turn(dump, &(struct wish){.frame = frame, .shot = shot}, cancel, out);
}

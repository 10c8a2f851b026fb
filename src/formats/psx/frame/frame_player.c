/* SPDX-License-Identifier: MIT */
/*
 * psx_frame_inputs(), and players. A player comes to a position in a frame in the cheapest of these
 * ways:
 *
 *   - an idle player of the frame goes on, if it is before the position;
 *   - a snapshot that an earlier player has left in the cache is loaded, if it is nearer;
 *   - the player starts at the frame's start, with the tiles of psx_frame_inputs() from a replay
 *     (replay/replay.h).
 *
 * In all cases the remaining steps are then carried out one by one.
 */
#include "formats/psx/frame/frame.h"

#include "formats/psx/dump.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/texel_cache.h"
#include "formats/psx/index/gpu_ops.h"
#include "formats/psx/replay/replay.h"
#include "tree/inode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool samples(const struct psx_gpu_op *op)
{
    enum psx_gp0_kind kind = psx_gp0_table[op->opcode].kind;

    return op->type == GP0_EVENT_COMMAND && (kind == GP0_POLYGON || kind == GP0_RECTANGLE) &&
           (op->opcode & GP0_TEXTURED);
}

/* Adds the complete texture page that the op samples. */
static void add_page(const struct psx_gpu_op *op, const struct psx_setting *setting,
                     struct psx_tiles *needed)
{
    uint32_t page = psx_gpu_op_page(op, setting);
    struct psx_tile_box box = psx_effects_page(psx_page_of(page), psx_depth_of(page),
                                               psx_registers_lines(&setting->registers));

    psx_tiles_add_box(needed, &box);
}

/*
 * Passes an op backwards: first adds what may be looked at after it, then replaces what it
 * overwrites by what it reads.
 */
static void pass_op(const struct psx_gpu_op *op, const struct psx_setting *setting,
                    struct psx_tiles *needed)
{
    struct psx_effects effects;

    psx_gpu_op_effects(op, setting, &effects);
    psx_tiles_add_box(needed, &effects.part);
    if (op->type == GP0_EVENT_COMMAND && psx_kind_draws(psx_gp0_table[op->opcode].kind))
        psx_tiles_add_box(needed, &setting->area);
    psx_tiles_remove_box(needed, &effects.full);
    psx_tiles_add_box(needed, &effects.read);
    if (samples(op) && !psx_tile_box_is_empty(&effects.read))
        add_page(op, setting, needed);
    needed->latches |= effects.uses;
    if (needed->latches & effects.fills) {
        needed->latches &= (uint16_t)~effects.fills;
        psx_tiles_add_box(needed, &effects.palette);
    }
}

/* Passes all ops between checkpoint `checkpoint` of the index and the next one, backwards. */
static int pass_stretch(const struct psx_index *index, uint64_t checkpoint,
                        const struct cancel *cancel, struct psx_stretch *stretch,
                        struct psx_tiles *needed)
{
    struct psx_parser_state from, end;
    int status;

    psx_parser_states_get(&index->checkpoints, checkpoint, &from);
    psx_parser_states_get(&index->checkpoints, checkpoint + 1, &end);
    status = psx_stretch_read(stretch, index, &from, end.packet, end.word, cancel);
    for (uint32_t i = stretch->count; status == 0 && i-- > 0;)
        pass_op(&stretch->ops[i], &stretch->settings[stretch->ops[i].setting], needed);
    return status;
}

int psx_frame_inputs(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                     struct psx_tiles *out)
{
    struct psx_stretch stretch = {0};
    struct psx_parser_state end;
    int status = 0;

    *out = (struct psx_tiles){0};
    psx_index_frame_checkpoint(index, frame + 1, &end);
    /* A draw of this frame is incomplete at its end, and may write anywhere. */
    if (end.state.parser.phase == GP0_PHASE_COMMAND)
        psx_tiles_fill(out);
    for (uint64_t checkpoint = index->frame_checkpoints[frame + 1];
         status == 0 && checkpoint-- > index->frame_checkpoints[frame];)
        status = pass_stretch(index, checkpoint, cancel, &stretch, out);
    psx_stretch_clear(&stretch);
    out->latches |= PSX_LATCH_TEXELS;
    return status;
}

enum {
    PLAYERS_MAX = 4,
    CACHE_SHARE = 8,  /* idle players may take 1/8 of the cache's budget */
    SNAPSHOTS = 16,   /* a frame has about this many snapshots */
    SNAPSHOT_MIN = 8, /* draws from one snapshot to the next, at least */
};

/*
 * Where the cache keeps VRAM after a draw: as a part of the draw's picture. The texel cache is not
 * kept.
 */
static const uint64_t snapshot_part = 1;

struct snapshot {
    struct psx_parser_state checkpoint;
    struct psx_tiles tiles; /* the valid tiles, if this is the snapshot before the first draw */
    uint16_t clut[256];
};

static struct psx_player *player_of(const struct instance_pool_item *item)
{
    return (struct psx_player *)(uintptr_t)item; /* the player's first member */
}

static void destroy(struct instance_pool_item *item)
{
    struct psx_player *player = player_of(item);

    psx_player_destroy(&player);
}

int psx_players_create(const struct psx_dump *dump, struct psx_players **out)
{
    const struct instance_pool_params params = {.max_count = PLAYERS_MAX,
                                                .max_bytes =
                                                    dump->base.options->cache / CACHE_SHARE,
                                                .destroy = destroy,
                                                .cache = &dump->base.cache};
    struct psx_players *players = calloc(1, sizeof(*players));

    if (players == NULL)
        return -ENOMEM;
    instance_pool_init(&players->idle, &params);
    pthread_mutex_init(&players->lock, NULL);
    *out = players;
    return 0;
}

void psx_player_destroy(struct psx_player **player)
{
    if (*player == NULL)
        return;
    psx_gpu_destroy(&(*player)->gpu);
    free(*player);
    *player = NULL;
}

void psx_players_destroy(struct psx_players **players)
{
    if (*players == NULL)
        return;
    instance_pool_clear(&(*players)->idle);
    pthread_mutex_destroy(&(*players)->lock);
    free(*players);
    *players = NULL;
}

static bool is_usable(const struct psx_player *player, uint64_t frame, uint64_t draws)
{
    return player->frame == frame &&
           (player->draws < draws || (player->draws == draws && !player->beyond));
}

/* A position in a frame. */
struct point {
    uint64_t frame, draws;
};

/* Rates the player that is nearest before the position highest, then players without a position. */
static uint64_t rate(const void *context, const struct instance_pool_item *item)
{
    const struct point *point = context;
    const struct psx_player *player = player_of(item);

    if (is_usable(player, point->frame, point->draws))
        return player->draws + 2;
    return player->frame == UINT64_MAX;
}

static struct psx_player *take_idle(struct psx_players *players, uint64_t frame, uint64_t draws)
{
    const struct point point = {frame, draws};
    struct instance_pool_item *taken = instance_pool_take(&players->idle, rate, &point);

    if (taken == NULL)
        taken = instance_pool_take_surplus(&players->idle);
    return taken != NULL ? player_of(taken) : NULL;
}

void psx_player_give(struct psx_dump *dump, struct psx_player **player)
{
    struct psx_player *given = *player;

    *player = NULL;
    given->idle.bytes = sizeof(*given) + psx_gpu_bytes(given->gpu);
    given->idle.spare = given->frame == UINT64_MAX;
    instance_pool_give(&dump->players->idle, &given->idle);
}

void psx_player_forget(struct psx_dump *dump, struct psx_player **player)
{
    if (*player == NULL)
        return;
    (*player)->frame = UINT64_MAX;
    psx_player_give(dump, player);
}

static int create(const struct psx_dump *dump, struct psx_player **out)
{
    struct psx_player *player = calloc(1, sizeof(*player));

    if (player == NULL || psx_gpu_create(dump->index.model, &player->gpu) != 0) {
        free(player);
        return -ENOMEM;
    }
    if (!dump->index.texel_cache)
        psx_gpu_leave_out_texel_cache(player->gpu);
    player->gpu->never_skip = dump->index.field_option == PSX_FIELD_BOTH;
    player->frame = UINT64_MAX;
    *out = player;
    return 0;
}

static void set_checkpoint(struct psx_player *player, const struct psx_index *index,
                           const struct psx_parser_state *checkpoint, uint64_t frame)
{
    psx_walk_resume(&player->walk, index, checkpoint);
    player->gpu->state = checkpoint->state;
    player->frame = frame;
    player->draws = checkpoint->draws;
    player->beyond = false;
}

/*
 * Gives the player the instance's GPU. The instance, whose slice serves no other request, keeps the
 * player's as mere memory.
 */
static void exchange_gpus(struct psx_player *player, struct psx_gpu_instance *instance)
{
    struct psx_gpu *gpu = player->gpu;

    player->gpu = instance->gpu;
    instance->gpu = gpu;
    instance->tiles = (struct psx_tiles){0};
}

/*
 * Moves the player to the frame's start. VRAM is valid there on `tiles`; if that is NULL, on all of
 * VRAM.
 */
static int start_frame(struct psx_dump *dump, uint64_t frame, const struct psx_tiles *tiles,
                       const struct cancel *cancel, struct psx_player *player)
{
    const struct psx_index *index = &dump->index;
    uint64_t packet = index->frames[frame].packet;
    struct psx_vram_request request = {.packet = packet, .upto = packet, .tiles = tiles};
    struct psx_gpu_instance *instance = NULL;
    struct psx_parser_state checkpoint;
    int status;

    if (tiles == NULL)
        request.area = (struct psx_box){0, 0, PSX_VRAM_WIDTH, (int)index->vram_lines};
    status = psx_replay_take(dump, &request, cancel, &instance);
    if (status != 0)
        return status;
    if (instance->part == PSX_GPU_INSTANCE_TILES)
        exchange_gpus(player, instance);
    else
        status = psx_gpu_copy(player->gpu, instance->gpu);
    psx_replay_give(dump, &instance);
    psx_index_frame_checkpoint(index, frame, &checkpoint);
    set_checkpoint(player, index, &checkpoint, frame);
    return status;
}

static void take_lock(struct psx_players *players) ACQUIRE(lock_of_psx_players)
{
    pthread_mutex_lock(&players->lock);
}

static void give_lock(struct psx_players *players) RELEASE(lock_of_psx_players)
{
    pthread_mutex_unlock(&players->lock);
}

/*
 * Returns whether a player has begun this frame recently, and otherwise notes that one begins it.
 */
static bool begins_again(struct psx_players *players, uint64_t frame)
{
    bool again = false;

    take_lock(players);
    for (unsigned i = 0; i < PLAYERS_FRAMES; i++)
        again |= players->frames[i] == frame + 1;
    if (!again) {
        players->frames[players->oldest] = frame + 1;
        players->oldest = (players->oldest + 1) % PLAYERS_FRAMES;
    }
    give_lock(players);
    return again;
}

static int start_needed(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct psx_player *player)
{
    struct psx_tiles tiles;
    int status = psx_frame_inputs(&dump->index, frame, cancel, &tiles);

    player->leaves = begins_again(dump->players, frame);
    return status == 0 ? start_frame(dump, frame, &tiles, cancel, player) : status;
}

static uint64_t snapshot_distance(const struct psx_dump *dump, uint64_t frame)
{
    uint64_t distance = dump->index.counts[frame].draws / SNAPSHOTS;

    return distance < SNAPSHOT_MIN ? SNAPSHOT_MIN : distance;
}

/* Returns false if the snapshot has no key in the cache. */
static bool snapshot_key(uint64_t frame, uint64_t draws, struct cache_key *out)
{
    uint64_t key = 0;

    if (!inode_member(DRAW_BITS, frame, draws, &key))
        return false;
    *out = (struct cache_key){inode_pack(PSX_RULE_DRAW_PNG, key), snapshot_part};
    return true;
}

/*
 * Offers VRAM to the cache as the snapshot for the player's position. `tiles` are the valid ones if
 * that is the frame's start, otherwise NULL.
 */
static void keep_snapshot(struct psx_dump *dump, const struct psx_player *player,
                          const struct psx_tiles *tiles)
{
    const struct psx_gpu *gpu = player->gpu;
    size_t pixels = (size_t)PSX_VRAM_WIDTH * gpu->lines;
    struct snapshot snapshot = {.checkpoint = player->walk.at};
    struct cache_key key;
    struct blob *blob = NULL;

    if (dump->base.cache == NULL || player->walk.at.frame != player->frame ||
        psx_stale_runs_have(&dump->index.stale_runs, player->walk.at.state.texel_run) ||
        !snapshot_key(player->frame, player->draws, &key))
        return;
    blob = cache_peek(dump->base.cache, key);
    if (blob == NULL && blob_create(sizeof(snapshot) + 2 * pixels, &blob) == 0) {
        if (tiles != NULL)
            snapshot.tiles = *tiles;
        memcpy(snapshot.clut, gpu->clut, sizeof(snapshot.clut));
        memcpy(blob->data, &snapshot, sizeof(snapshot));
        memcpy(blob->data + sizeof(snapshot), gpu->vram, 2 * pixels);
        cache_offer(dump->base.cache, key, blob);
    }
    blob_unref(&blob);
}

static void leave_snapshot(struct psx_dump *dump, const struct psx_player *player)
{
    if (player->leaves && player->draws > 0 &&
        player->draws % snapshot_distance(dump, player->frame) == 0)
        keep_snapshot(dump, player, NULL);
}

static void load_snapshot(struct psx_player *player, const struct psx_dump *dump, uint64_t frame,
                          const struct blob *blob)
{
    struct snapshot snapshot;

    memcpy(&snapshot, blob->data, sizeof(snapshot));
    memcpy(player->gpu->clut, snapshot.clut, sizeof(snapshot.clut));
    memcpy(player->gpu->vram, blob->data + sizeof(snapshot), blob->size - sizeof(snapshot));
    player->gpu->never_skip = dump->index.field_option == PSX_FIELD_BOTH;
    if (player->gpu->texel_cache != NULL)
        psx_texel_cache_forget(player->gpu->texel_cache);
    set_checkpoint(player, &dump->index, &snapshot.checkpoint, frame);
    player->leaves = true;
}

/*
 * Starts from the last snapshot before the position. Returns false if there is none, or if the
 * player is at least as near.
 */
static bool start_snapshot(struct psx_dump *dump, uint64_t frame, uint64_t draws,
                           struct psx_player *player)
{
    uint64_t distance = snapshot_distance(dump, frame);
    uint64_t min = is_usable(player, frame, draws) ? player->draws : 0;
    struct cache_key key;

    for (uint64_t at = draws - draws % distance; at > min; at -= distance) {
        struct blob *blob = dump->base.cache != NULL && snapshot_key(frame, at, &key)
                                ? cache_peek(dump->base.cache, key)
                                : NULL;

        if (blob == NULL)
            continue;
        load_snapshot(player, dump, frame, blob);
        blob_unref(&blob);
        return true;
    }
    return false;
}

bool psx_player_next(struct psx_player *player, struct psx_step *step)
{
    return player->walk.at.packet < player->walk.index->frames[player->frame + 1].packet &&
           psx_walk_next(&player->walk, step);
}

/* The draw of an open polyline is not complete. */
static void count_draws(struct psx_player *player)
{
    const struct psx_parser_state *at = &player->walk.at;
    uint64_t before = player->draws;

    player->draws = at->draws;
    if (at->state.parser.phase == GP0_PHASE_POLYLINE && player->draws > 0 &&
        psx_find_began_in(player->walk.index, &player->walk, player->frame))
        player->draws--;
    player->beyond = player->draws == before;
}

void psx_player_pass_over(struct psx_player *player, const struct psx_step *step)
{
    psx_walk_apply(&player->walk, step);
    if (player->walk.at.frame == player->frame)
        count_draws(player);
}

void psx_player_carry_out(struct psx_player *player, const struct psx_step *step)
{
    struct psx_gpu *gpu = player->gpu;

    if (step->kind == PSX_STEP_GP0)
        psx_gpu_run(gpu, &step->event);
    else if (step->kind == PSX_STEP_GP1)
        psx_gpu_gp1(gpu, step->gp1);
    else if (psx_step_reads(step))
        psx_gpu_read(gpu, psx_step_read_words(step), NULL);
    psx_player_pass_over(player, step);
    gpu->state.restoring = player->walk.at.state.restoring;
}

int32_t psx_player_writer(const struct psx_player *player, const struct psx_step *step)
{
    const struct psx_parser_state *at = &player->walk.at;
    bool first = step->event.type == GP0_EVENT_COMMAND;

    if (step->kind != PSX_STEP_GP0 ||
        !psx_find_began_in(player->walk.index, &player->walk, player->frame))
        return WRITE_LOG_EARLIER;
    if (step->event.type == GP0_EVENT_DATA)
        return WRITE_LOG_UPLOAD - (int32_t)(at->uploads - 1);
    if (first && psx_gp0_table[step->event.op].kind == GP0_UPLOAD)
        return WRITE_LOG_UPLOAD - (int32_t)at->uploads;
    return (int32_t)(first ? at->draws : at->draws - 1);
}

int psx_player_run(struct psx_dump *dump, struct psx_player *player, uint64_t draws,
                   const struct cancel *cancel)
{
    struct psx_step step;

    while (player->draws < draws) {
        uint64_t before = player->draws;

        if (cancel_requested(cancel))
            return -EINTR;
        if (!psx_player_next(player, &step)) {
            player->draws = (uint64_t)dump->index.counts[player->frame].draws + 1;
            player->beyond = false;
            return 0;
        }
        psx_player_carry_out(player, &step);
        if (player->draws > before)
            leave_snapshot(dump, player);
    }
    return 0;
}

int psx_player_take(struct psx_dump *dump, uint64_t frame, uint64_t draws,
                    const struct cancel *cancel, struct psx_player **out)
{
    struct psx_player *player = take_idle(dump->players, frame, draws);
    int status = player == NULL ? create(dump, &player) : 0;

    if (status != 0)
        return status;
    if (!start_snapshot(dump, frame, draws, player) && !is_usable(player, frame, draws))
        status = start_needed(dump, frame, cancel, player);
    if (status == 0)
        status = psx_player_run(dump, player, draws, cancel);
    if (status == 0)
        *out = player;
    else if (player->frame == frame)
        psx_player_give(dump, &player);
    else
        psx_player_destroy(&player);
    return status;
}

int psx_player_take_whole(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct psx_player **out)
{
    struct psx_player *player = take_idle(dump->players, UINT64_MAX, 0);
    int status = player == NULL ? create(dump, &player) : 0;

    if (status == 0)
        status = start_frame(dump, frame, NULL, cancel, player);
    if (status == 0)
        *out = player;
    else
        psx_player_destroy(&player);
    return status;
}

/*
 * VRAM at the frame's start is kept as the snapshot of no draws, which psx_player_take() never
 * looks for. Returns false if there is none, or if it lacks some of `needed`. In the second case
 * drops the snapshot and sets `needed` to all of VRAM, since more will be requested.
 */
static bool load_start(struct psx_dump *dump, uint64_t frame, struct psx_tiles *needed,
                       struct psx_player *player)
{
    struct snapshot snapshot;
    struct blob *blob = NULL;
    struct cache_key key;
    bool holds;

    if (dump->base.cache != NULL && snapshot_key(frame, 0, &key))
        blob = cache_peek(dump->base.cache, key);
    if (blob == NULL)
        return false;
    memcpy(&snapshot, blob->data, sizeof(snapshot));
    holds = psx_tiles_hold(&snapshot.tiles, needed);
    if (holds) {
        load_snapshot(player, dump, frame, blob);
    } else {
        psx_tiles_fill(needed);
        cache_drop(dump->base.cache, key);
    }
    blob_unref(&blob);
    return holds;
}

/* Adds what the frame itself reads, and its picture, of which other pixels will be requested. */
static int add_frame(const struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct psx_tiles *needed)
{
    struct psx_vram_request picture;
    struct psx_tiles tiles;
    int status = psx_frame_inputs(&dump->index, frame, cancel, &tiles);

    psx_tiles_add(needed, &tiles);
    psx_vram_request_picture(&dump->index, frame, true, &picture);
    psx_vram_request_tiles(&picture, dump->index.vram_lines, &tiles);
    psx_tiles_add(needed, &tiles);
    return status;
}

int psx_player_take_start(struct psx_dump *dump, uint64_t frame, const struct psx_tiles *tiles,
                          const struct cancel *cancel, struct psx_player **out)
{
    struct psx_player *player = take_idle(dump->players, UINT64_MAX, 0);
    struct psx_tiles needed = *tiles;
    int status = player == NULL ? create(dump, &player) : 0;

    if (status == 0 && !load_start(dump, frame, &needed, player)) {
        status = add_frame(dump, frame, cancel, &needed);
        if (status == 0)
            status = start_frame(dump, frame, &needed, cancel, player);
        if (status == 0)
            keep_snapshot(dump, player, &needed);
    }
    if (status == 0)
        *out = player;
    else
        psx_player_destroy(&player);
    return status;
}

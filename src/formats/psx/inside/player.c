#include "formats/psx/inside/player.h"

#include "formats/psx/halfwords.h"
#include "formats/psx/inside/inside.h"
#include "formats/psx/inside/needs.h"
#include "formats/psx/inside/trail.h"
#include "formats/psx/replay.h"
#include "formats/psx/rules.h"
#include "tree/inode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAYERS_MOST = 4,
    SNAPSHOTS = 16,     /* of a frame, about */
    SNAPSHOT_LEAST = 8, /* draws from one to the next */
};

/* Where the cache keeps VRAM after a draw: beside its picture. */
static const uint64_t snapshot_part = 1;

struct snapshot {
    struct psx_place place;
    uint16_t clut[256];
};

void players_init(struct players *players, const struct psx_dump *dump)
{
    uint64_t bytes = 4 * (uint64_t)PSX_VRAM_WIDTH * dump->index.vram_lines;
    uint64_t affordable = dump->base.options->cache / 8 / bytes;

    pthread_mutex_init(&players->lock, NULL);
    players->most = affordable < 1              ? 1
                    : affordable < PLAYERS_MOST ? (unsigned)affordable
                                                : PLAYERS_MOST;
}

void player_destroy(struct player **player)
{
    if (*player == NULL)
        return;
    psx_gpu_destroy(&(*player)->gpu);
    free(*player);
    *player = NULL;
}

void players_destroy(struct players *players)
{
    for (struct player *player = players->idle, *next; player != NULL; player = next) {
        next = player->next;
        player_destroy(&player);
    }
    pthread_mutex_destroy(&players->lock);
}

static bool is_usable(const struct player *player, uint64_t frame, uint64_t draws)
{
    return player->frame == frame &&
           (player->draws < draws || (player->draws == draws && !player->beyond));
}

/* One that stands nowhere, else, where there are enough, the one not used for the longest time. */
static struct player **spare(struct players *players)
{
    struct player **oldest = NULL;

    for (struct player **link = &players->idle; *link != NULL; link = &(*link)->next) {
        if ((*link)->frame == UINT64_MAX)
            return link;
        oldest = link;
    }
    return players->count >= players->most ? oldest : NULL;
}

/* The one that is nearest before the point; else its memory is all that is of use. */
static struct player *take_idle(struct players *players, uint64_t frame, uint64_t draws)
{
    struct player **best = NULL, *taken = NULL;

    pthread_mutex_lock(&players->lock);
    for (struct player **link = &players->idle; *link != NULL; link = &(*link)->next)
        if (is_usable(*link, frame, draws) && (best == NULL || (*link)->draws > (*best)->draws))
            best = link;
    if (best == NULL)
        best = spare(players);
    if (best != NULL) {
        taken = *best;
        *best = taken->next;
        players->count--;
    }
    pthread_mutex_unlock(&players->lock);
    return taken;
}

void player_give(struct psx_dump *dump, struct player **player)
{
    struct players *players = &dump->inside->players;
    struct player *dropped = NULL;

    pthread_mutex_lock(&players->lock);
    (*player)->next = players->idle;
    players->idle = *player;
    if (++players->count > players->most) {
        struct player **link = &players->idle;

        while ((*link)->next != NULL)
            link = &(*link)->next;
        dropped = *link;
        *link = NULL;
        players->count--;
    }
    pthread_mutex_unlock(&players->lock);
    player_destroy(&dropped);
    *player = NULL;
}

void player_forget(struct psx_dump *dump, struct player **player)
{
    if (*player == NULL)
        return;
    (*player)->frame = UINT64_MAX;
    player_give(dump, player);
}

static int create(const struct psx_dump *dump, struct player **out)
{
    struct player *player = calloc(1, sizeof(*player));

    if (player == NULL || psx_gpu_create(dump->index.vram_lines, &player->gpu) != 0) {
        free(player);
        return -ENOMEM;
    }
    player->frame = UINT64_MAX;
    *out = player;
    return 0;
}

static void set_place(struct player *player, const struct psx_index *index,
                      const struct psx_place *place, uint64_t frame)
{
    psx_walk_resume(&player->walk, index, place);
    player->gpu->state = place->state;
    player->frame = frame;
    player->draws = place->draws;
    player->beyond = false;
}

/* A slice's pixels serve nobody else: it goes on as memory alone. */
static void exchange_gpus(struct player *player, struct psx_machine *machine)
{
    struct psx_gpu *gpu = player->gpu;

    player->gpu = machine->gpu;
    machine->gpu = gpu;
    machine->tiles = (struct psx_tiles){0};
}

/* Tiles NULL: all of VRAM. */
static int start_frame(struct psx_dump *dump, uint64_t frame, const struct psx_tiles *tiles,
                       const struct cancel *cancel, struct player *player)
{
    const struct psx_index *index = &dump->index;
    uint64_t packet = index->frames[frame].packet;
    struct psx_want want = {.packet = packet, .upto = packet, .tiles = tiles};
    struct psx_machine *machine = NULL;
    struct psx_place place;
    int status;

    if (tiles == NULL)
        want.area = (struct psx_box){0, 0, PSX_VRAM_WIDTH, (int)index->vram_lines};
    status = psx_replay_take(dump, &want, cancel, &machine);
    if (status != 0)
        return status;
    if (machine->part == PSX_MACHINE_TILES)
        exchange_gpus(player, machine);
    else
        status = psx_gpu_copy(player->gpu, machine->gpu);
    psx_replay_give(dump, &machine);
    psx_index_frame_place(index, frame, &place);
    set_place(player, index, &place, frame);
    return status;
}

/* Whether a player has begun this frame before, not long ago. */
static bool begins_again(struct players *players, uint64_t frame)
{
    bool again = false;

    pthread_mutex_lock(&players->lock);
    for (unsigned i = 0; i < PLAYERS_FRAMES; i++)
        again |= players->frames[i] == frame + 1;
    if (!again) {
        players->frames[players->oldest] = frame + 1;
        players->oldest = (players->oldest + 1) % PLAYERS_FRAMES;
    }
    pthread_mutex_unlock(&players->lock);
    return again;
}

static int start_needed(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct player *player)
{
    struct psx_tiles tiles;
    int status = needs_of_frame(&dump->index, frame, cancel, &tiles);

    player->leaves = begins_again(&dump->inside->players, frame);
    return status == 0 ? start_frame(dump, frame, &tiles, cancel, player) : status;
}

static uint64_t snapshot_distance(const struct psx_dump *dump, uint64_t frame)
{
    uint64_t distance = dump->index.counts[frame].draws / SNAPSHOTS;

    return distance < SNAPSHOT_LEAST ? SNAPSHOT_LEAST : distance;
}

/* False: it has no place in the cache. */
static bool snapshot_key(uint64_t frame, uint64_t draws, struct cache_key *out)
{
    uint64_t key = 0;

    if (!inode_member(DRAW_BITS, frame, draws, &key))
        return false;
    *out = (struct cache_key){inode_pack(PSX_RULE_DRAW_PNG, key), snapshot_part};
    return true;
}

static void leave_snapshot(struct psx_dump *dump, const struct player *player)
{
    const struct psx_gpu *gpu = player->gpu;
    size_t pixels = (size_t)PSX_VRAM_WIDTH * gpu->lines;
    struct snapshot snapshot = {.place = player->walk.at};
    struct cache_key key;
    struct blob *blob = NULL;

    if (!player->leaves || dump->base.cache == NULL || player->draws == 0 ||
        player->draws % snapshot_distance(dump, player->frame) != 0 ||
        player->walk.at.frame != player->frame || !snapshot_key(player->frame, player->draws, &key))
        return;
    blob = cache_peek(dump->base.cache, key);
    if (blob == NULL && blob_create(sizeof(snapshot) + 2 * pixels, &blob) == 0) {
        memcpy(snapshot.clut, gpu->clut, sizeof(snapshot.clut));
        memcpy(blob->data, &snapshot, sizeof(snapshot));
        memcpy(blob->data + sizeof(snapshot), gpu->vram, 2 * pixels);
        cache_offer(dump->base.cache, key, blob);
    }
    blob_unref(&blob);
}

static void load_snapshot(struct player *player, const struct psx_dump *dump, uint64_t frame,
                          const struct blob *blob)
{
    struct snapshot snapshot;

    memcpy(&snapshot, blob->data, sizeof(snapshot));
    memcpy(player->gpu->clut, snapshot.clut, sizeof(snapshot.clut));
    memcpy(player->gpu->vram, blob->data + sizeof(snapshot), blob->size - sizeof(snapshot));
    player->gpu->never_skip = dump->index.field_option == PSX_FIELD_BOTH;
    set_place(player, &dump->index, &snapshot.place, frame);
    player->leaves = true;
}

/* From the last snapshot before the point, if the player is not nearer. False: there is none. */
static bool start_snapshot(struct psx_dump *dump, uint64_t frame, uint64_t draws,
                           struct player *player)
{
    uint64_t distance = snapshot_distance(dump, frame);
    uint64_t least = is_usable(player, frame, draws) ? player->draws : 0;
    struct cache_key key;

    for (uint64_t at = draws - draws % distance; at > least; at -= distance) {
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

bool player_next(struct player *player, struct psx_step *step)
{
    return player->walk.at.packet < player->walk.index->frames[player->frame + 1].packet &&
           psx_walk_next(&player->walk, step);
}

/* An open polyline's draw is not over. */
static void count_draws(struct player *player)
{
    const struct psx_place *at = &player->walk.at;
    uint64_t before = player->draws;

    player->draws = at->draws;
    if (at->state.parser.phase == GP0_PHASE_POLYLINE && player->draws > 0 &&
        find_began_in(player->walk.index, &player->walk, player->frame))
        player->draws--;
    player->beyond = player->draws == before;
}

void player_pass_over(struct player *player, const struct psx_step *step)
{
    psx_walk_apply(&player->walk, step);
    if (player->walk.at.frame == player->frame)
        count_draws(player);
}

void player_carry_out(struct player *player, const struct psx_step *step)
{
    struct psx_gpu *gpu = player->gpu;

    if (step->kind == PSX_STEP_GP0)
        psx_gpu_run(gpu, &step->event);
    else if (step->kind == PSX_STEP_GP1)
        psx_gpu_gp1(gpu, step->gp1);
    else if (psx_step_reads(step))
        psx_gpu_read(gpu, psx_step_read_words(step), NULL);
    player_pass_over(player, step);
    gpu->state.restoring = player->walk.at.state.restoring;
}

int32_t player_writer(const struct player *player, const struct psx_step *step)
{
    const struct psx_place *at = &player->walk.at;
    bool first = step->event.type == GP0_EVENT_COMMAND;

    if (step->kind != PSX_STEP_GP0 ||
        !find_began_in(player->walk.index, &player->walk, player->frame))
        return TRAIL_EARLIER;
    if (step->event.type == GP0_EVENT_DATA)
        return TRAIL_UPLOAD - (int32_t)(at->uploads - 1);
    if (first && gp0_table[step->event.op].kind == GP0_UPLOAD)
        return TRAIL_UPLOAD - (int32_t)at->uploads;
    return (int32_t)(first ? at->draws : at->draws - 1);
}

int player_run(struct psx_dump *dump, struct player *player, uint64_t draws,
               const struct cancel *cancel)
{
    struct psx_step step;

    while (player->draws < draws) {
        uint64_t before = player->draws;

        if (cancel_requested(cancel))
            return -EINTR;
        if (!player_next(player, &step)) {
            player->draws = (uint64_t)dump->index.counts[player->frame].draws + 1;
            player->beyond = false;
            return 0;
        }
        player_carry_out(player, &step);
        if (player->draws > before)
            leave_snapshot(dump, player);
    }
    return 0;
}

int player_take(struct psx_dump *dump, uint64_t frame, uint64_t draws, const struct cancel *cancel,
                struct player **out)
{
    struct player *player = take_idle(&dump->inside->players, frame, draws);
    int status = player == NULL ? create(dump, &player) : 0;

    if (status != 0)
        return status;
    if (!start_snapshot(dump, frame, draws, player) && !is_usable(player, frame, draws))
        status = start_needed(dump, frame, cancel, player);
    if (status == 0)
        status = player_run(dump, player, draws, cancel);
    if (status == 0)
        *out = player;
    else if (player->frame == frame)
        player_give(dump, &player);
    else
        player_destroy(&player);
    return status;
}

int player_take_whole(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct player **out)
{
    struct player *player = take_idle(&dump->inside->players, UINT64_MAX, 0);
    int status = player == NULL ? create(dump, &player) : 0;

    if (status == 0)
        status = start_frame(dump, frame, NULL, cancel, player);
    if (status == 0)
        *out = player;
    else
        player_destroy(&player);
    return status;
}

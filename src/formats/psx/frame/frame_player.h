/*
 * A GPU within a frame, at any of its steps: to look at VRAM after a draw, to have
 * a command left out, to watch writes. Players are kept where they stopped, so
 * that the next draw costs that draw alone. A player that begins a frame anew leaves
 * snapshots in the cache on its way, a few for each frame, so that going back costs
 * little as well. A player belongs to one thread at a time.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_PLAYER_H
#define GPUDUMPFS_PSX_FRAME_FRAME_PLAYER_H

#include "cache/instance_pool.h"
#include "formats/psx/frame/command_finder.h"
#include "formats/psx/gpu/gpu.h"

struct player {
    struct instance_pool_item idle;
    struct psx_gpu *gpu;
    struct psx_walk walk; /* behind the last step that the GPU carried out */
    uint64_t frame;
    uint64_t draws; /* of the frame that are over; one more than all: the frame is */
    bool beyond;    /* something has been carried out since the last of them was over */
    bool leaves;    /* snapshots on its way */
};

enum { PLAYERS_FRAMES = 8 };

struct players {
    struct instance_pool idle;
    pthread_mutex_t lock;            /* of what follows */
    uint64_t frames[PLAYERS_FRAMES]; /* in which one began of late, + 1 */
    unsigned oldest;                 /* of these */
};

/* 0 or -ENOMEM. */
int psx_players_create(const struct psx_dump *dump, struct players **out);
void psx_players_destroy(struct players **players);

/*
 * A player in the frame after its first `draws` draws, uploads in between them
 * included; all and one more: at the frame's end. The frame's counts are known.
 * VRAM is right as far as frame_inputs.h says. 0, -ENOMEM, -EINTR, -EIO.
 */
int psx_player_take(struct psx_dump *dump, uint64_t frame, uint64_t draws,
                    const struct cancel *cancel, struct player **out);

/* One at the frame's start, with all of VRAM, to leave something out: psx_player_forget() it. */
int psx_player_take_whole(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct player **out);

/* Keeps it for the next; not one that left something out. */
void psx_player_give(struct psx_dump *dump, struct player **player);
void psx_player_destroy(struct player **player);

/* Keeps its memory alone: it stands nowhere any more. NULL is harmless. */
void psx_player_forget(struct psx_dump *dump, struct player **player);

/* Goes on, as above. 0 or -EINTR. */
int psx_player_run(struct psx_dump *dump, struct player *player, uint64_t draws,
                   const struct cancel *cancel);

/* The number of the draw or upload that a step is part of; see write_log.h's writers. */
int32_t psx_player_writer(const struct player *player, const struct psx_step *step);

/* Fetches the frame's next step; false at its end. Then it may be carried out, or passed over. */
bool psx_player_next(struct player *player, struct psx_step *step);
void psx_player_carry_out(struct player *player, const struct psx_step *step);
void psx_player_pass_over(struct player *player, const struct psx_step *step);

#endif

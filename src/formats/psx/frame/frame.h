/* SPDX-License-Identifier: MIT */
/*
 * What is inside a frame: its counts and the keys of its draws and uploads, where their commands
 * are, a GPU that steps through the frame, and a log of what the frame wrote. Any thread, unless a
 * part below says otherwise.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_H
#define GPUDUMPFS_PSX_FRAME_FRAME_H

#include "base/cancel.h"
#include "base/locks.h"
#include "cache/instance_pool.h"
#include "formats/psx/dump.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/tiles.h"
#include "formats/psx/index/walk.h"

#include <pthread.h>

enum { DRAW_BITS = 24 }; /* bits of a draw's or upload's number in a key, below its frame */

/*
 * Gets the frame's counts. Returns 0, -ENOENT if there is no such frame, or -EAGAIN if the counts
 * are not known yet.
 */
int psx_frame_counts_get(struct dump *dump, uint64_t frame, const struct psx_frame_counts **out);

/* The same for a maker, which may wait. Returns 0, -ENOENT, -EINTR or -ENOMEM. */
int psx_frame_counts_wait(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          const struct psx_frame_counts **out);

/*
 * Implements dump_listing's `pieces` for a text of a frame that is one piece. Returns 0, or -ENOENT
 * if there is no such frame.
 */
int psx_frame_one_piece(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces);

/* The parts of the key of a draw or upload. */
static inline uint64_t frame_of_key(uint64_t key)
{
    return key >> DRAW_BITS;
}

static inline uint64_t number_of_key(uint64_t key)
{
    return key & ((UINT64_C(1) << DRAW_BITS) - 1);
}

/*
 * Finds the command of a draw or upload by its frame and its number in the frame, by following the
 * stream from the index's last checkpoint before the command. Numbers are those of commands.txt.
 * The finder remembers where the latest searches ended, so that a reader that takes commands in
 * order makes one walk in all.
 */
enum psx_find_what { FIND_DRAW, FIND_UPLOAD };

struct psx_found {
    struct psx_walk walk; /* the state before `step`, except the parser's, which is after it */
    struct psx_step step; /* the step that completes the command's words */
};

enum { FINDER_MEMORY = 4 };

struct psx_finder {
    pthread_mutex_t lock;
    struct psx_finder_memo {
        bool used;
        enum psx_find_what what;
        uint64_t frame, number;
        struct psx_walk walk; /* the position after the command that was found */
    } memos[FINDER_MEMORY] GUARDED_BY(lock_of_psx_finder);
    unsigned oldest GUARDED_BY(lock_of_psx_finder);
};

/* Returns 0 or -ENOMEM. */
int psx_finder_create(struct psx_finder **out);
void psx_finder_destroy(struct psx_finder **finder);

/*
 * Finds a command. The frame's counts must be known. Returns 0, -ENOENT if the frame has no such
 * command, or -EINTR.
 */
int psx_find_command(struct psx_dump *dump, uint64_t frame, enum psx_find_what what,
                     uint64_t number, const struct cancel *cancel, struct psx_found *out);

/* Decodes the command that was found. */
void psx_found_draw(const struct psx_found *found, struct psx_draw *out);

/* Returns whether the command that the walk is in began in `frame`. */
bool psx_find_began_in(const struct psx_index *index, const struct psx_walk *walk, uint64_t frame);

/*
 * Returns the number of the draw that the next step of a command that began in `frame` will
 * complete. If the walk has left the frame, that is the frame's last draw.
 */
static inline uint32_t find_draw_number(const struct psx_walk *walk, uint64_t frame)
{
    return walk->at.frame == frame ? walk->at.draws : walk->index->counts[frame].draws - 1;
}

/*
 * Returns whether a walk that looks for all commands that begin in `frame` has a next step: in the
 * frame, or after it while a command of the frame is incomplete.
 */
bool psx_find_goes_on(const struct psx_walk *walk, uint64_t frame);

/*
 * What writes leave besides pixels: the last writer of each pixel of VRAM, how often each pixel was
 * written, and how many writes there were. All writes by draws (fills and copies are draws) and
 * uploads count. A pixel that the mask check protects, or whose texel is transparent, is not
 * written. One thread.
 *
 * Writers: draw N is N, upload N is WRITE_LOG_UPLOAD - N. A command that began in an earlier frame
 * has no number in this one.
 */
enum { WRITE_LOG_NOBODY = -1, WRITE_LOG_UPLOAD = -2, WRITE_LOG_EARLIER = INT32_MIN };

struct psx_write_log {
    struct psx_observer observer;
    int32_t writer;    /* the writer of everything that is written from now on */
    int32_t *last;     /* the last writer of each pixel */
    uint16_t *times;   /* the number of writes to each pixel, UINT16_MAX at most */
    size_t pixels;     /* the length of both arrays */
    uint64_t written;  /* writes; a pixel counts each time */
    uint64_t blended;  /* writes that were blended */
    uint64_t textured; /* texels looked up, including transparent ones */
};

/*
 * Initialises an empty log for a VRAM of `lines` lines. Call psx_write_log_clear() on it even if
 * this fails. Returns 0 or -ENOMEM.
 */
int psx_write_log_init(struct psx_write_log *write_log, uint32_t lines);
void psx_write_log_clear(struct psx_write_log *write_log);

/*
 * A GPU within a frame, after any of its steps. With it a caller can look at VRAM after a draw,
 * leave a command out, or watch writes. Players are kept where they stopped, so that the next draw
 * costs that draw alone. A player that begins a frame again leaves a few snapshots in the cache on
 * its way, so that going back costs little as well. A player belongs to one thread at a time.
 */
struct psx_player {
    struct instance_pool_item idle;
    struct psx_gpu *gpu;
    struct psx_walk walk; /* the position after the last step that the GPU carried out */
    uint64_t frame;
    uint64_t draws; /* draws of the frame that are complete; one more than all at the frame's end */
    bool beyond;    /* a step has been carried out since the last of these draws was completed */
    bool leaves;    /* whether to leave snapshots on the way */
};

enum { PLAYERS_FRAMES = 8 };

struct psx_players {
    struct instance_pool idle;
    pthread_mutex_t lock; /* protects what follows */
    /* Frames in which a player began recently, each plus 1; 0: none. */
    uint64_t frames[PLAYERS_FRAMES] GUARDED_BY(lock_of_psx_players);
    unsigned oldest GUARDED_BY(lock_of_psx_players); /* index of the oldest of `frames` */
};

/* Returns 0 or -ENOMEM. */
int psx_players_create(const struct psx_dump *dump, struct psx_players **out);
void psx_players_destroy(struct psx_players **players);

/*
 * Provides a player in `frame` after the frame's first `draws` draws, and the uploads between them.
 * If `draws` is one more than there are, the player is at the frame's end. The frame's counts must
 * be known. VRAM is valid as far as psx_frame_inputs() says. The caller owns the player and gives
 * it back with one of the functions below. Returns 0, -ENOMEM, -EINTR or -EIO.
 */
int psx_player_take(struct psx_dump *dump, uint64_t frame, uint64_t draws,
                    const struct cancel *cancel, struct psx_player **out);

/*
 * Provides a player at the frame's start, with all of VRAM valid, for a caller that leaves a
 * command out. Call psx_player_forget() on it. Returns 0, -ENOMEM, -EINTR or -EIO.
 */
int psx_player_take_whole(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct psx_player **out);

/*
 * Provides a player at the frame's start, for a caller that looks at pixels in `tiles` while the
 * frame is carried out. VRAM is valid on these tiles and as far as psx_frame_inputs() says. The
 * cache keeps this state, with the tiles of the frame's picture, so that the next player that
 * begins there costs a copy. Call psx_player_forget() on it. Returns 0, -ENOMEM, -EINTR or -EIO.
 */
int psx_player_take_start(struct psx_dump *dump, uint64_t frame, const struct psx_tiles *tiles,
                          const struct cancel *cancel, struct psx_player **out);

/*
 * Keeps the player for the next request and clears the caller's pointer. The player must not have
 * left anything out.
 */
void psx_player_give(struct psx_dump *dump, struct psx_player **player);
void psx_player_destroy(struct psx_player **player);

/*
 * Keeps the player's memory alone, without its position, and clears the caller's pointer. `*player`
 * may be NULL.
 */
void psx_player_forget(struct psx_dump *dump, struct psx_player **player);

/* Goes on until `draws` draws are complete, as for psx_player_take(). Returns 0 or -EINTR. */
int psx_player_run(struct psx_dump *dump, struct psx_player *player, uint64_t draws,
                   const struct cancel *cancel);

/* Returns the number of the draw or upload that the step is part of, as in struct psx_write_log. */
int32_t psx_player_writer(const struct psx_player *player, const struct psx_step *step);

/*
 * Gets the frame's next step. Returns false at the frame's end. The caller then either carries the
 * step out or passes over it.
 */
bool psx_player_next(struct psx_player *player, struct psx_step *step);

/* Carries out the step that psx_player_next() returned. */
void psx_player_carry_out(struct psx_player *player, const struct psx_step *step);

/* Leaves out the step that psx_player_next() returned: the walk moves on, the GPU stays as it is.
 */
void psx_player_pass_over(struct psx_player *player, const struct psx_step *step);

/*
 * Computes which tiles of VRAM a frame needs as they are at its start, provided that only what the
 * frame draws and moves is read. That is less than all of VRAM, since frames usually clear what
 * they draw on.
 *
 * If these tiles and latches are valid at the frame's start, and every step is carried out, then
 * after each step these are valid: the drawing areas, what draws and uploads write, and the texture
 * pages that are sampled, also through the texel cache. The frame's counts must be known. Returns
 * 0, -ENOMEM or -EINTR.
 */
int psx_frame_inputs(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                     struct psx_tiles *out);

/*
 * The result of carrying out a frame from start to end with a log of its writes: what it wrote
 * where, and how many pixels each of its draws wrote.
 */
struct psx_frame_trace {
    struct psx_write_log write_log;
    /* For each draw a 32-bit count of pixels written in this frame, UINT32_MAX at most. */
    struct blob *pixels;
};

/*
 * Carries out a frame. The frame's counts must be known. Call psx_frame_trace_clear() on `out` even
 * if this fails. Returns 0, -ENOMEM, -EINTR or -EIO.
 */
int psx_frame_trace_make(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct psx_frame_trace *out);
void psx_frame_trace_clear(struct psx_frame_trace *trace);

/*
 * Gets `pixels` alone, which the cache keeps. The caller gets a reference. Returns what
 * psx_frame_trace_make() returns.
 */
int psx_frame_trace_pixels(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);

#endif

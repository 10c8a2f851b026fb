/* SPDX-License-Identifier: MIT */
/*
 * What stands inside a frame: its counts and the keys of its draws and uploads, where those
 * commands are, a GPU that steps through it, and a log of what it wrote. Any thread, unless
 * a part says otherwise.
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

enum { DRAW_BITS = 24 }; /* of a draw's or upload's number in a key, below its frame */

/* The frame's counts: 0, -ENOENT when there is no such frame, -EAGAIN. */
int psx_frame_counts_get(struct dump *dump, uint64_t frame, const struct psx_frame_counts **out);

/* The same in a maker, which may wait. */
int psx_frame_counts_wait(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          const struct psx_frame_counts **out);

/* As dump_listing's `pieces`, for a text of a frame in one piece. */
int psx_frame_one_piece(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces);

/* The parts of a draw's or upload's key. */
static inline uint64_t frame_of_key(uint64_t key)
{
    return key >> DRAW_BITS;
}

static inline uint64_t number_of_key(uint64_t key)
{
    return key & ((UINT64_C(1) << DRAW_BITS) - 1);
}

/*
 * From a frame and the number of one of its draws or uploads to that command, by
 * following the stream from the last checkpoint of the index before it. Numbers are
 * those of commands.txt. Where the last search ended is remembered, so that going
 * through them in order is one walk.
 */
enum psx_find_what { FIND_DRAW, FIND_UPLOAD };

struct psx_found {
    struct psx_walk walk; /* before the step, its parser aside */
    struct psx_step step; /* that completes the command's words */
};

enum { FINDER_MEMORY = 4 };

struct psx_finder {
    pthread_mutex_t lock;
    struct psx_finder_memo {
        bool used;
        enum psx_find_what what;
        uint64_t frame, number;
        struct psx_walk walk; /* behind that one */
    } memos[FINDER_MEMORY] GUARDED_BY(lock_of_psx_finder);
    unsigned oldest GUARDED_BY(lock_of_psx_finder);
};

/* 0 or -ENOMEM. */
int psx_finder_create(struct psx_finder **out);
void psx_finder_destroy(struct psx_finder **finder);

/* The frame's counts are known. 0, -ENOENT, -EINTR. */
int psx_find_command(struct psx_dump *dump, uint64_t frame, enum psx_find_what what,
                     uint64_t number, const struct cancel *cancel, struct psx_found *out);

/* The command, taken apart. */
void psx_found_draw(const struct psx_found *found, struct psx_draw *out);

/* Whether the command that the walk stands in began in that frame. */
bool psx_find_began_in(const struct psx_index *index, const struct psx_walk *walk, uint64_t frame);

/*
 * The number of the draw that the step, of a command that began in that frame, is
 * about to complete: its last one, if the frame is over by then.
 */
static inline uint32_t find_draw_number(const struct psx_walk *walk, uint64_t frame)
{
    return walk->at.frame == frame ? walk->at.draws : walk->index->counts[frame].draws - 1;
}

/*
 * Whether there is a next step for a walk that looks for all that begins in the
 * frame: within the frame, or behind it while a command of the frame is half received.
 */
bool psx_find_goes_on(const struct psx_walk *walk, uint64_t frame);

/*
 * What writes leave behind besides pixels: the last writer of each pixel of VRAM, how
 * often each was written, how many were. All writes count, by draws (fills and
 * copies are such) and uploads; a pixel that the mask check protects, or whose
 * texel is transparent, is none. One thread.
 *
 * Writers: draw N is N, upload N is WRITE_LOG_UPLOAD - N; a command that began in an
 * earlier frame has no number in this one.
 */
enum { WRITE_LOG_NOBODY = -1, WRITE_LOG_UPLOAD = -2, WRITE_LOG_EARLIER = INT32_MIN };

struct psx_write_log {
    struct psx_observer observer;
    int32_t writer;    /* of all that is written from now on */
    int32_t *last;     /* by pixel: its last writer */
    uint16_t *times;   /* by pixel: writes, up to UINT16_MAX */
    size_t pixels;     /* of each */
    uint64_t written;  /* pixels, every time */
    uint64_t blended;  /* of them */
    uint64_t textured; /* texels looked up, transparent ones too */
};

/* Of a VRAM of so many lines, nothing written yet; to be cleared in any case. 0 or -ENOMEM. */
int psx_write_log_init(struct psx_write_log *write_log, uint32_t lines);
void psx_write_log_clear(struct psx_write_log *write_log);

/*
 * A GPU within a frame, at any of its steps: to look at VRAM after a draw, to have
 * a command left out, to watch writes. Players are kept where they stopped, so
 * that the next draw costs that draw alone. A player that begins a frame anew leaves
 * snapshots in the cache on its way, a few for each frame, so that going back costs
 * little as well. A player belongs to one thread at a time.
 */
struct psx_player {
    struct instance_pool_item idle;
    struct psx_gpu *gpu;
    struct psx_walk walk; /* behind the last step that the GPU carried out */
    uint64_t frame;
    uint64_t draws; /* of the frame that are over; one more than all: the frame is */
    bool beyond;    /* something has been carried out since the last of them was over */
    bool leaves;    /* snapshots on its way */
};

enum { PLAYERS_FRAMES = 8 };

struct psx_players {
    struct instance_pool idle;
    pthread_mutex_t lock; /* of what follows */
    uint64_t frames[PLAYERS_FRAMES] GUARDED_BY(
        lock_of_psx_players);                        /* in which one began of late, + 1 */
    unsigned oldest GUARDED_BY(lock_of_psx_players); /* of these */
};

/* 0 or -ENOMEM. */
int psx_players_create(const struct psx_dump *dump, struct psx_players **out);
void psx_players_destroy(struct psx_players **players);

/*
 * A player in the frame after its first `draws` draws, uploads in between them
 * included; all and one more: at the frame's end. The frame's counts are known.
 * VRAM is right as far as psx_frame_inputs() says. 0, -ENOMEM, -EINTR, -EIO.
 */
int psx_player_take(struct psx_dump *dump, uint64_t frame, uint64_t draws,
                    const struct cancel *cancel, struct psx_player **out);

/* One at the frame's start, with all of VRAM, to leave something out: psx_player_forget() it. */
int psx_player_take_whole(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct psx_player **out);

/*
 * One at the frame's start, to look at pixels in those tiles of VRAM while the frame is carried
 * out: these are right, and what psx_frame_inputs() says. The cache keeps them, and the
 * picture's, for the next one that begins there, which then costs a copy. psx_player_forget() it.
 */
int psx_player_take_start(struct psx_dump *dump, uint64_t frame, const struct psx_tiles *tiles,
                          const struct cancel *cancel, struct psx_player **out);

/* Keeps it for the next; not one that left something out. */
void psx_player_give(struct psx_dump *dump, struct psx_player **player);
void psx_player_destroy(struct psx_player **player);

/* Keeps its memory alone: it stands nowhere any more. NULL is harmless. */
void psx_player_forget(struct psx_dump *dump, struct psx_player **player);

/* Goes on, as above. 0 or -EINTR. */
int psx_player_run(struct psx_dump *dump, struct psx_player *player, uint64_t draws,
                   const struct cancel *cancel);

/* The number of the draw or upload that a step is part of; see struct psx_write_log. */
int32_t psx_player_writer(const struct psx_player *player, const struct psx_step *step);

/* Fetches the frame's next step; false at its end. Then it may be carried out, or passed over. */
bool psx_player_next(struct psx_player *player, struct psx_step *step);
void psx_player_carry_out(struct psx_player *player, const struct psx_step *step);
void psx_player_pass_over(struct psx_player *player, const struct psx_step *step);

/*
 * Which tiles of VRAM a frame needs as they stand at its start, if nothing but what
 * it draws and moves is read: less than all of it, since frames usually clear what
 * they draw on.
 *
 * With these tiles and latches right at its start, and every step carried out, the
 * drawing areas, what draws and uploads write, and the texture pages that are sampled
 * are right after each step, through the texel cache, too. The frame's counts are known. 0,
 * -ENOMEM, -EINTR.
 */
int psx_frame_inputs(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                     struct psx_tiles *out);

/*
 * A frame carried out from its start to its end with its writes logged: what it
 * wrote where, and how many pixels each of its draws wrote.
 */
struct psx_frame_trace {
    struct psx_write_log write_log;
    struct blob *pixels; /* by draw: 32-bit counts, UINT32_MAX at most; of writes in this frame */
};

/* The frame's counts are known. To be cleared in any case. 0, -ENOMEM, -EINTR, -EIO. */
int psx_frame_trace_make(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct psx_frame_trace *out);
void psx_frame_trace_clear(struct psx_frame_trace *trace);

/* `pixels` alone, which the cache keeps. */
int psx_frame_trace_pixels(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);

#endif

/*
 * From a frame and the number of one of its draws or uploads to that command, by
 * following the stream from the last checkpoint of the index before it. Numbers are
 * those of commands.txt. Where the last search ended is remembered, so that going
 * through them in order is one walk. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_COMMAND_FINDER_H
#define GPUDUMPFS_PSX_FRAME_COMMAND_FINDER_H

#include "formats/psx/dump.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/walk.h"

#include <pthread.h>

enum find_what { FIND_DRAW, FIND_UPLOAD };

struct found {
    struct psx_walk walk; /* before the step, its parser aside */
    struct psx_step step; /* that completes the command's words */
};

enum { FINDER_MEMORY = 4 };

struct finder {
    pthread_mutex_t lock;
    struct finder_memo {
        bool used;
        enum find_what what;
        uint64_t frame, number;
        struct psx_walk walk; /* behind that one */
    } memos[FINDER_MEMORY];
    unsigned oldest;
};

/* 0 or -ENOMEM. */
int psx_finder_create(struct finder **out);
void psx_finder_destroy(struct finder **finder);

/* The frame's counts are known. 0, -ENOENT, -EINTR. */
int psx_find_command(struct psx_dump *dump, uint64_t frame, enum find_what what, uint64_t number,
                     const struct cancel *cancel, struct found *out);

/* The command, taken apart. */
void psx_found_draw(const struct found *found, struct psx_draw *out);

/* Whether the command whose step this is began in that frame. */
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

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Lists calls one after the other, in the order in which they return. What an index knows of them
 * besides their offsets, such as runs, frames, threads, notes and counts (apitrace.md 3), follows
 * from their order and their functions. One thread at a time, the one that runs the index's pass.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_LISTER_H
#define GPUDUMPFS_APITRACE_INDEX_LISTER_H

#include "formats/apitrace/index/index.h"

struct apitrace_lister {
    struct apitrace_index *index;
    struct apitrace_frame_record *frame; /* the current frame; NULL between frames */
    uint64_t shift;                      /* of the last run: number minus order of its calls */
    uint64_t frame_start;                /* offset in the stream of the end of the last frame */
    uint64_t last_thread;                /* index in `threads` */
    /* Indices + 1 in `threads`, by id. `threads` is in the order of first calls. */
    uint32_t **thread_pages;
    bool frame_ended; /* by the last call */
    int status;       /* 0 or -ENOMEM, which persists */
};

/* Returns 0 or -ENOMEM. Call apitrace_lister_clear() even if this fails. */
int apitrace_lister_init(struct apitrace_lister *lister, struct apitrace_index *index);
void apitrace_lister_clear(struct apitrace_lister *lister);

/*
 * Takes a function that is called; the first functions may determine the API. Must precede the
 * first call of the function. Returns 0 or -ENOMEM.
 */
int apitrace_lister_meet(struct apitrace_lister *lister, const struct apitrace_function *function);

/* The next call to be listed, whose record receives its order. */
struct apitrace_listed {
    struct apitrace_record *record;
    const struct apitrace_function *function;
    bool is_error;     /* as glGetError does */
    uint64_t position; /* offset in the stream after its return */
};

/* Lists a call. Returns 0 or -ENOMEM. */
int apitrace_lister_add(struct apitrace_lister *lister, const struct apitrace_listed *listed);

/* Ends an unfinished frame, at the end of the stream, which is at offset `position`. */
void apitrace_lister_end(struct apitrace_lister *lister, uint64_t position);

/* Sorts the threads by id, after the last call was listed. */
void apitrace_lister_order_threads(struct apitrace_lister *lister);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Lists calls one after the other, in the order in which they return: what an index has of them
 * besides where they stand, such as runs, frames, threads, notes and counts (apitrace.md 3),
 * follows from their order and their functions. One thread at a time, the index's pass.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_LISTER_H
#define GPUDUMPFS_APITRACE_INDEX_LISTER_H

#include "formats/apitrace/index/index.h"

struct apitrace_lister {
    struct apitrace_index *index;
    struct apitrace_frame_record *frame; /* that is not ended; NULL: none */
    uint64_t shift;          /* of the last run: of numbers from places in the listing */
    uint64_t frame_start;    /* place in the stream where the last frame ended */
    uint64_t last_thread;    /* place in `threads` */
    uint32_t **thread_pages; /* places + 1 in `threads`, which is in the order of meeting, by id */
    bool frame_ended;        /* by the last call */
    int status;              /* 0 or -ENOMEM, which sticks */
};

/* 0 or -ENOMEM; to be cleared in any case. */
int apitrace_lister_init(struct apitrace_lister *lister, struct apitrace_index *index);
void apitrace_lister_clear(struct apitrace_lister *lister);

/* A function that is called; one that is met for the first time may tell the API. 0 or -ENOMEM. */
int apitrace_lister_meet(struct apitrace_lister *lister, const struct apitrace_function *function);

/* A call that is to be listed next: its record gets its place. */
struct apitrace_listed {
    struct apitrace_record *record;
    const struct apitrace_function *function;
    bool is_error;     /* it returns one, as glGetError does */
    uint64_t position; /* in the stream, behind its return */
};

/* 0 or -ENOMEM. */
int apitrace_lister_add(struct apitrace_lister *lister, const struct apitrace_listed *listed);

/* At the end of the stream: ends a frame that is not finished, and puts threads in their order. */
void apitrace_lister_end(struct apitrace_lister *lister, uint64_t position);
void apitrace_lister_order_threads(struct apitrace_lister *lister);

#endif

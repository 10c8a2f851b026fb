/* SPDX-License-Identifier: MIT */
/* A sketch under way (sketch.h), for the files that make it. One thread at a time. */
#ifndef GPUDUMPFS_PSX_INDEX_SKETCH_PASS_H
#define GPUDUMPFS_PSX_INDEX_SKETCH_PASS_H

#include "formats/psx/index/index.h"
#include "formats/psx/index/stretch_writes.h"
#include "formats/psx/index/walk.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PSX_SKETCH_AREAS = 4, PSX_SKETCH_NEAR = 64, PSX_SKETCH_JOINS = 64 };

/* A drawing area. */
struct psx_sketch_area {
    uint32_t place[3]; /* E3, E4 and how many lines there are */
    /* By depth, a bit a texture page: it was looked whether the area holds some of it … */
    uint32_t known[3];
    uint32_t apart[3]; /* … and it holds nothing */
    struct psx_box box;
};

/*
 * Textured primitives of a run whose page the drawing area holds some of, but, as it seems, none of
 * their texels (sketch_texels.c).
 */
struct psx_sketch_texels {
    uint32_t run;
    bool began;          /* something is told of that run */
    struct psx_box read; /* what they sample at most, and all before them */
    unsigned count;
    struct psx_sketch_primitive {
        const uint8_t *words; /* of the file */
        uint32_t e1;
        uint8_t op;
    } list[PSX_SKETCH_NEAR];
};

/* A checkpoint at which one that began further on may be joined: a frame's start. */
struct psx_sketch_join {
    struct psx_parser_state at;
    struct psx_texel_reach reach;
    uint64_t checkpoint, stale_runs; /* its number; how many runs were told */
};

/* Of a sketch that began further on, at what it took for the state there (sketch_join.c). */
struct psx_sketch_part {
    struct psx_sketch_join joins[PSX_SKETCH_JOINS];
    _Atomic unsigned join_count;
    _Atomic uint64_t target; /* the packet that it is to come to */
    _Atomic bool taken;      /* it ends: it was joined, or nothing can come of it */
    _Atomic unsigned users;  /* of the sketch, of which the last one destroys it */
};

struct psx_sketch {
    const struct psx_index *index;
    struct psx_sketch_part *part;       /* NULL: it begins where the dump does */
    _Atomic(struct psx_sketch *) ahead; /* one that began further on, to be joined; or NULL */
    struct psx_sketch *helped;          /* the same, of the thread that makes it */
    unsigned next_join;                 /* of `ahead` */
    _Atomic unsigned misses;            /* how many came to nothing */
    uint64_t start;                     /* offset where it began */
    struct psx_walk walk;               /* frames are counted, fields are not known */
    struct psx_stretch_writes stretch;  /* since the last checkpoint */
    struct psx_texel_reach reach;       /* of the run in progress */
    bool began;
    struct psx_sketch_texels texels;                /* and of it, not told to that yet */
    struct psx_sketch_area areas[PSX_SKETCH_AREAS]; /* the one used last comes first */
    struct psx_parser_states checkpoints;
    struct psx_tile_summary_store summaries;
    struct psx_upload_list uploads;
    struct psx_stale_runs stale_runs;
    uint64_t last;           /* byte of the last checkpoint, about: of its packet and word */
    uint64_t steps;          /* that were taken one by one */
    _Atomic uint64_t offset; /* up to which it has come */
    struct index_task pass;
};

/* At a stretch's end: a checkpoint, which begins the next one. 0, -ENOMEM or -ENOSPC. */
int psx_sketch_add_checkpoint(struct psx_sketch *sketch);

/* Makes one without a first checkpoint. 0 or -ENOMEM. */
int psx_sketch_make(const struct psx_index *index, struct budget *spending,
                    const struct cancel *cancel, struct psx_sketch **out);

/* Of a part, at a checkpoint where a frame starts. */
void psx_sketch_note_join(struct psx_sketch *sketch);

/*
 * At a frame's start: takes over what began further on, if all was there as it is here; then it
 * stands where that ended. Waits for that. 0, -EINTR, -ENOMEM or -ENOSPC.
 */
int psx_sketch_try_join(struct psx_sketch *sketch, const struct cancel *cancel);

/* A user of a part has done with it. */
void psx_sketch_leave(struct psx_sketch **part);

/*
 * Goes on over commands that are whole in their packets and do nothing but draw within the drawing
 * area, or set E1 to E6, up to any other, or to byte `end` or a little further.
 */
void psx_sketch_run(struct psx_sketch *sketch, uint64_t end);

/*
 * A primitive in `area` that is drawn where texels of its run may be; `e1` and the run are those
 * behind it. The sketch's E1 and run may be any then.
 */
void psx_sketch_look(struct psx_sketch *sketch, const struct psx_sketch_area *area,
                     const struct psx_sketch_primitive *primitive, uint32_t texel_run);

/*
 * Before a register other than E1 changes, or what the sketch tells of the run otherwise: what was
 * put off is looked at, if that is the run in progress. The same.
 */
void psx_sketch_end_look(struct psx_sketch *sketch, uint32_t texel_run);

#endif

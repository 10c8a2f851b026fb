/* SPDX-License-Identifier: MIT */
/*
 * The state of a sketch that is being made (sketch.h), for the files that make it. One thread at a
 * time.
 */
#ifndef GPUDUMPFS_PSX_INDEX_SKETCH_PASS_H
#define GPUDUMPFS_PSX_INDEX_SKETCH_PASS_H

#include "formats/psx/index/index.h"
#include "formats/psx/index/stretch_writes.h"
#include "formats/psx/index/walk.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * At most: drawing areas that a sketch remembers, primitives that it puts off, joins that a part
 * offers.
 */
enum { PSX_SKETCH_AREAS = 4, PSX_SKETCH_NEAR = 64, PSX_SKETCH_JOINS = 64 };

/* A drawing area, and which texture pages it overlaps. */
struct psx_sketch_area {
    uint32_t place[3]; /* E3, E4 and GP1(09) */
    uint32_t known[3]; /* by depth, one bit for each texture page: it was compared with the area */
    uint32_t apart[3]; /* likewise: the area was compared with it, and does not overlap it */
    struct psx_area clip;
    struct psx_box box; /* `clip` as lines of VRAM */
};

/*
 * Textured primitives of a run whose texture page the drawing area overlaps, although nothing was
 * drawn over their texels (sketch_texels.c).
 */
struct psx_sketch_texels {
    uint32_t run;
    bool began;          /* something is recorded of `run` */
    struct psx_box read; /* all that these primitives, and those before them, may sample */
    unsigned count;
    struct psx_sketch_primitive {
        const uint8_t *words; /* in the dump */
        uint32_t e1;
        uint8_t op;
    } list[PSX_SKETCH_NEAR];
};

/* A checkpoint at a frame's start, at which the sketch can join a part that began further on. */
struct psx_sketch_join {
    struct psx_parser_state at;
    struct psx_texel_reach reach;
    /* The number of the checkpoint, and how many stale runs were recorded before it. */
    uint64_t checkpoint, stale_runs;
};

/*
 * Additional state of a part: a sketch that began further on, at a supposed state (sketch_join.c).
 */
struct psx_sketch_part {
    struct psx_sketch_join joins[PSX_SKETCH_JOINS];
    _Atomic unsigned join_count;
    _Atomic uint64_t target; /* number of the packet that the part is to come to */
    _Atomic bool taken;      /* the part ends: it was joined, or cannot be of use */
    _Atomic unsigned users;  /* users of the part; the last one destroys it */
};

struct psx_sketch {
    const struct psx_index *index;
    struct psx_sketch_part *part;       /* NULL if the sketch begins where the dump does */
    _Atomic(struct psx_sketch *) ahead; /* the part that may be joined; or NULL */
    struct psx_sketch *helped;         /* the part `ahead`, for the thread that makes it; or NULL */
    unsigned next_join;                /* index of a join of `ahead` */
    _Atomic unsigned misses;           /* parts that were of no use */
    uint64_t start;                    /* offset where it began */
    struct psx_walk walk;              /* counts frames, does not know fields */
    struct psx_stretch_writes stretch; /* since the last checkpoint */
    struct psx_texel_reach reach;      /* the reach of the texel cache's run in progress */
    bool began;                        /* the first checkpoint was added */
    struct psx_sketch_texels texels;   /* primitives of that run that are not in `reach` yet */
    struct psx_sketch_area areas[PSX_SKETCH_AREAS]; /* the last one used comes first */
    struct psx_parser_states checkpoints;
    struct psx_tile_summary_store summaries;
    struct psx_upload_list uploads;
    struct psx_stale_runs stale_runs;
    uint64_t last;           /* byte of the last checkpoint, not counting its packet's header */
    uint64_t steps;          /* taken one by one */
    _Atomic uint64_t offset; /* byte that the sketch has come to */
    struct index_task pass;
};

/* Adds a checkpoint, which ends one stretch and begins the next. Returns 0, -ENOMEM or -ENOSPC. */
int psx_sketch_add_checkpoint(struct psx_sketch *sketch);

/* Makes a sketch without a first checkpoint. Returns 0 or -ENOMEM. */
int psx_sketch_make(const struct psx_index *index, struct budget *spending,
                    const struct cancel *cancel, struct psx_sketch **out);

/* Records that a part can be joined at the checkpoint just added, which is at a frame's start. */
void psx_sketch_note_join(struct psx_sketch *sketch);

/*
 * Called at a frame's start. If the part `ahead` had the same state there, waits for that part to
 * end, takes over what it made, and moves the sketch to where it ended. Returns 0, even if nothing
 * was taken over; -EINTR, -ENOMEM or -ENOSPC.
 */
int psx_sketch_try_join(struct psx_sketch *sketch, const struct cancel *cancel);

/* Ends one use of a part, and sets *part to NULL. */
void psx_sketch_leave(struct psx_sketch **part);

/*
 * Follows commands that are complete in their packets and do nothing except draw within the drawing
 * area or set E1 to E6. Stops before any other command, or at byte `end` or a little later.
 */
void psx_sketch_run(struct psx_sketch *sketch, uint64_t end);

/*
 * Looks at a primitive in `area` that is drawn where texels of its run may be. primitive->e1 and
 * texel_run are those after the primitive. Afterwards the sketch's E1 and run may have any value.
 */
void psx_sketch_look(struct psx_sketch *sketch, const struct psx_sketch_area *area,
                     const struct psx_sketch_primitive *primitive, uint32_t texel_run);

/*
 * Looks at the primitives that were put off, if they belong to the run in progress, which is
 * `texel_run`. Must be called before a register other than E1 changes, and before anything else is
 * recorded of the run. Afterwards the sketch's E1 and run may have any value.
 */
void psx_sketch_end_look(struct psx_sketch *sketch, uint32_t texel_run);

#endif

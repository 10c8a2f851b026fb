/* SPDX-License-Identifier: MIT */
/* A sketch under way (sketch.h), for the files that make it. One thread at a time. */
#ifndef GPUDUMPFS_PSX_INDEX_SKETCH_PASS_H
#define GPUDUMPFS_PSX_INDEX_SKETCH_PASS_H

#include "formats/psx/index/index.h"
#include "formats/psx/index/stretch_writes.h"
#include "formats/psx/index/walk.h"

#include <stdatomic.h>

enum { PSX_SKETCH_AREAS = 4, PSX_SKETCH_NEAR = 64 };

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

struct psx_sketch {
    const struct psx_index *index;
    struct psx_walk walk;              /* frames are counted, fields are not known */
    struct psx_stretch_writes stretch; /* since the last checkpoint */
    struct psx_texel_reach reach;      /* of the run in progress */
    bool began;
    struct psx_sketch_texels texels;                /* and of it, not told to that yet */
    struct psx_sketch_area areas[PSX_SKETCH_AREAS]; /* the one used last comes first */
    struct psx_parser_states checkpoints;
    struct psx_tile_summary_store summaries;
    struct psx_upload_list uploads;
    struct psx_stale_runs stale_runs;
    uint64_t last;           /* offset of the last checkpoint */
    uint64_t steps;          /* that were taken one by one */
    _Atomic uint64_t offset; /* up to which it has come */
    struct index_task pass;
};

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

/* SPDX-License-Identifier: MIT */
/*
 * Frames of a trace as traces of their own (apitrace.md 4.9): the calls that the player carries out
 * for them, in a container of snappy blocks that are literals alone, so that sizes are known
 * before a byte is made. What the calls refer to and what a call that is left out has defined
 * stands where it is needed first.
 */
#ifndef GPUDUMPFS_APITRACE_CUT_CUT_H
#define GPUDUMPFS_APITRACE_CUT_CUT_H

#include "formats/apitrace/index/call.h"
#include "formats/apitrace/replay/presentation.h"

/* What there is to know of a trace before it is cut, for all of its frames. */
struct apitrace_cuts {
    const struct apitrace_index *index;
    const struct apitrace_presentation *presentation;
    uint64_t *sizes; /* bytes of the event stream of each frame's cut */
    uint64_t frame_count;
    uint8_t *kinds;    /* enum apitrace_cut_kind of each function */
    uint64_t *skipped; /* a bit for each call: it is a draw, left out of frames that are skipped */
    uint64_t header_size; /* bytes of the stream before its first event */
    bool implicit;        /* something is drawn on before anything is current */
};

/* What becomes of a function's calls. */
enum apitrace_cut_kind {
    APITRACE_CUT_KEPT,
    APITRACE_CUT_ASKS, /* leaves nothing behind: left out */
    APITRACE_CUT_END,  /* ends a frame: those of earlier frames are left out */
    APITRACE_CUT_DRAW, /* may be left out in a frame that is not drawn */
};

/* Goes through all calls. 0, -EINTR, -ENOMEM, -EIO. *out is to be cleared in any case. */
int apitrace_cuts_find(const struct apitrace_index *index,
                       const struct apitrace_presentation *presentation,
                       const struct cancel *cancel, struct apitrace_cuts *out);
void apitrace_cuts_clear(struct apitrace_cuts *cuts);

/* Which calls a cut has. */
struct apitrace_cut {
    const struct apitrace_cuts *cuts;
    uint32_t first, last; /* frames that it shows */
    uint32_t drawn;       /* frames from this one on are drawn in full */
    uint64_t end;         /* place in the listing behind its last call */
};

/* Frames `first` to `last`, which there are. */
void apitrace_cut_init(struct apitrace_cut *cut, const struct apitrace_cuts *cuts, uint64_t first,
                       uint64_t last);

bool apitrace_cut_keeps(const struct apitrace_cut *cut, const struct apitrace_record *record);

/*
 * window.c: the property that tells how large the first window is whose size no call of the cut
 * tells, as it stands in the header, at its end: how many bytes it is, 0: it is not needed.
 */
enum { APITRACE_CUT_WINDOW = 64 };
size_t apitrace_cut_window(const struct apitrace_cut *cut, char out[APITRACE_CUT_WINDOW]);

/*
 * cursor.c: the event stream of a cut, from its beginning to its end. One thread.
 */
struct apitrace_cut_cursor;

int apitrace_cut_cursor_create(const struct apitrace_cut *cut, struct apitrace_cut_cursor **out);
void apitrace_cut_cursor_destroy(struct apitrace_cut_cursor **cursor);

const struct apitrace_cut *apitrace_cut_cursor_cut(const struct apitrace_cut_cursor *cursor);
uint64_t apitrace_cut_cursor_position(const struct apitrace_cut_cursor *cursor);
uint64_t apitrace_cut_cursor_memory(const struct apitrace_cut_cursor *cursor);

/*
 * The next `size` bytes, to `to`, or to nowhere if that is NULL: how many there were. -EINTR,
 * -ENOMEM, -EIO: the cursor is of no use any more. -EFBIG: too many calls are open.
 */
int64_t apitrace_cut_cursor_read(struct apitrace_cut_cursor *cursor, void *to, uint64_t size,
                                 const struct cancel *cancel);

/*
 * blocks.c: the container (apitrace.md 2.2). Blocks are as large as the tracer's, and literals
 * alone. Pure functions.
 */
enum { APITRACE_CUT_BLOCK = 1 << 20, APITRACE_CUT_HEAD = 11, APITRACE_CUT_MAGIC = 2 };

/* What a file begins with. */
extern const uint8_t apitrace_cut_magic[APITRACE_CUT_MAGIC];

/* What stands before `size` bytes, 0 < size <= APITRACE_CUT_BLOCK: how many bytes it is. */
size_t apitrace_cut_block_head(size_t size, uint8_t head[APITRACE_CUT_HEAD]);

/* Bytes of the file that holds so much of a stream. */
uint64_t apitrace_cut_file_size(uint64_t stream);

/* The first byte of the stream that the file has at `offset`, or behind it. */
uint64_t apitrace_cut_file_place(uint64_t stream, uint64_t offset);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Frames of a trace as traces of their own (apitrace.md 4.9). A cut has the calls that the player
 * carries out for its frames, in a container of Snappy blocks that are literals only, so that sizes
 * are known before any byte is made. A definition that only a left-out call contains is placed
 * where the cut first needs it.
 */
#ifndef GPUDUMPFS_APITRACE_CUT_CUT_H
#define GPUDUMPFS_APITRACE_CUT_CUT_H

#include "formats/apitrace/index/call.h"
#include "formats/apitrace/replay/presentation.h"

/* What must be known of a trace before any of its frames is cut. */
struct apitrace_cuts {
    const struct apitrace_index *index;
    const struct apitrace_presentation *presentation;
    uint64_t *sizes; /* bytes of the event stream of each frame's cut */
    uint64_t frame_count;
    uint8_t *kinds;       /* enum apitrace_cut_kind of each function, by its number */
    uint64_t *skipped;    /* a bit for each call: a draw that is left out of skipped frames */
    uint64_t header_size; /* bytes of the stream before the first event */
    bool implicit;        /* something is drawn on before any context is current */
};

/* What a cut does with the calls of a function. */
enum apitrace_cut_kind {
    APITRACE_CUT_KEPT,
    APITRACE_CUT_ASKS, /* has no effect: left out */
    APITRACE_CUT_END,  /* ends a frame: left out in frames before the cut's */
    APITRACE_CUT_DRAW, /* may be left out in a frame that is not drawn */
};

/*
 * Goes through all calls. Returns 0, -EINTR, -ENOMEM or -EIO. Call apitrace_cuts_clear() on *out
 * even if it fails.
 */
int apitrace_cuts_find(const struct apitrace_index *index,
                       const struct apitrace_presentation *presentation,
                       const struct cancel *cancel, struct apitrace_cuts *out);
void apitrace_cuts_clear(struct apitrace_cuts *cuts);

/* The selection of calls of one cut. */
struct apitrace_cut {
    const struct apitrace_cuts *cuts;
    uint32_t first, last; /* the frames that it shows */
    uint32_t drawn;       /* the first frame that is drawn completely */
    uint64_t end;         /* order in the listing after its last call */
};

/* Selects frames `first` to `last`, which must exist. */
void apitrace_cut_init(struct apitrace_cut *cut, const struct apitrace_cuts *cuts, uint64_t first,
                       uint64_t last);

/* Returns whether a cut has a call. */
bool apitrace_cut_keeps(const struct apitrace_cut *cut, const struct apitrace_record *record);

/*
 * window.c: builds the property with the size of the first window whose size follows from no call
 * of the cut; it goes at the end of the header. Returns how many bytes it has, 0 if there is no
 * such window or the version has no properties.
 */
enum { APITRACE_CUT_WINDOW = 64 };
size_t apitrace_cut_window(const struct apitrace_cut *cut, char out[APITRACE_CUT_WINDOW]);

/* cursor.c: produces the event stream of a cut from its beginning to its end. One thread. */
struct apitrace_cut_cursor;

/* Begins at the cut's first byte. Copies `cut`. Returns 0 or -ENOMEM. */
int apitrace_cut_cursor_create(const struct apitrace_cut *cut, struct apitrace_cut_cursor **out);
void apitrace_cut_cursor_destroy(struct apitrace_cut_cursor **cursor);

const struct apitrace_cut *apitrace_cut_cursor_cut(const struct apitrace_cut_cursor *cursor);

/* Returns the offset in the cut's stream of the next byte. */
uint64_t apitrace_cut_cursor_position(const struct apitrace_cut_cursor *cursor);

/* Returns how many bytes of memory the cursor holds, approximately. */
uint64_t apitrace_cut_cursor_memory(const struct apitrace_cut_cursor *cursor);

/*
 * Produces the next `size` bytes, into `to` unless that is NULL. Returns how many there were;
 * -EINTR, -ENOMEM or -EIO, after which the cursor is useless, or -EFBIG if too many calls are open.
 */
int64_t apitrace_cut_cursor_read(struct apitrace_cut_cursor *cursor, void *to, uint64_t size,
                                 const struct cancel *cancel);

/*
 * blocks.c: the container (apitrace.md 2.2). Blocks are as large as the tracer's, and each is one
 * literal. Pure functions.
 */
enum { APITRACE_CUT_BLOCK = 1 << 20, APITRACE_CUT_HEAD = 11, APITRACE_CUT_MAGIC = 2 };

/* The first bytes of the file. */
extern const uint8_t apitrace_cut_magic[APITRACE_CUT_MAGIC];

/*
 * Builds what precedes a block of `size` bytes, 0 < size <= APITRACE_CUT_BLOCK. Returns the number
 * of its bytes.
 */
size_t apitrace_cut_block_head(size_t size, uint8_t head[APITRACE_CUT_HEAD]);

/* Returns the size of the file for a stream of `stream` bytes. */
uint64_t apitrace_cut_file_size(uint64_t stream);

/*
 * Returns the offset in the stream, which has `stream` bytes, of the first byte of the stream that
 * is in the file at `offset` or later.
 */
uint64_t apitrace_cut_file_place(uint64_t stream, uint64_t offset);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Parts of a dump as dumps of their own (psx-dump.md 4.6): a head that restores the state at the
 * beginning of the part (restore.h), followed by the dump's own bytes. Their lengths follow from
 * the index. Any thread.
 */
#ifndef GPUDUMPFS_PSX_CUT_CUT_H
#define GPUDUMPFS_PSX_CUT_CUT_H

#include "base/cancel.h"
#include "formats/psx/cut/restore.h"
#include "formats/psx/dump.h"
#include "formats/psx/frame/frame.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A run of bytes of the dump. If it begins or ends in the middle of a packet, the header of a
 * packet comes before it.
 */
struct psx_cut_slice {
    bool has_header;
    uint32_t header;
    uint64_t offset, size;
};

/* Room in a cut: runs of the dump's bytes, and words after them. */
enum { PSX_CUT_SLICES = 3, PSX_CUT_TAIL = 16 };

struct psx_cut {
    struct psx_restore restore;
    uint64_t frame, last;  /* the frames in which the cut begins and ends */
    bool is_draw;          /* the cut is one draw of `frame`, not complete frames */
    uint64_t number;       /* if `is_draw`: number of the draw in its frame */
    struct psx_found draw; /* if `is_draw`: the step that completes the draw */
    /*
     * What follows the head, in this order: the words in `command`, the bytes of the dump in
     * `slices`, the words in `tail`. Words include packet headers.
     */
    uint32_t command[1 + GP0_WORDS_MAX], tail[PSX_CUT_TAIL];
    unsigned command_words, tail_words, slice_count;
    struct psx_cut_slice slices[PSX_CUT_SLICES];
};

/*
 * Cuts frames `first` to `last`. The frames must be shown and their counts be known. Returns 0, or
 * -ENOENT if there are no such frames.
 */
int psx_cut_frames(const struct psx_index *index, uint64_t first, uint64_t last,
                   struct psx_cut *out);

/*
 * Cuts one draw, followed by the display of the frame's end and a VSync. A polyline ends with the
 * frame at the latest. The frame's counts must be known. Returns 0, -ENOENT if there is no such
 * draw, or -EINTR.
 */
int psx_cut_draw(struct psx_dump *dump, uint64_t frame, uint64_t draw, const struct cancel *cancel,
                 struct psx_cut *out);

/* Returns the size of the cut in bytes, head included. */
uint64_t psx_cut_size(const struct psx_cut *cut);

/*
 * Creates a blob with `length` bytes of the cut, from `offset` on. Replays only if these include
 * bytes of the head. Returns 0, -ENOMEM, -EINTR or -EIO.
 */
int psx_cut_piece(const struct psx_cut *cut, struct psx_dump *dump, uint64_t offset, size_t length,
                  const struct cancel *cancel, struct blob **out);

/* Writes a range of frames to `sink`, as struct dump_ops describes. */
int psx_cut_range(struct dump *dump, uint64_t first, uint64_t last, const struct cancel *cancel,
                  dump_sink *sink, void *context);

#endif

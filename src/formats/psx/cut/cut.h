/* SPDX-License-Identifier: MIT */
/*
 * Parts of a dump as dumps of their own (psx-dump.md 4.6): a head that restores the state there
 * (restore.h), then the dump's own bytes. Their lengths follow from the index. Any thread.
 */
#ifndef GPUDUMPFS_PSX_CUT_CUT_H
#define GPUDUMPFS_PSX_CUT_CUT_H

#include "base/cancel.h"
#include "formats/psx/cut/restore.h"
#include "formats/psx/dump.h"
#include "formats/psx/frame/frame.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes of the dump; before them the header of a packet that begins or ends in its midst. */
struct psx_cut_slice {
    bool has_header;
    uint32_t header;
    uint64_t offset, size;
};

enum { PSX_CUT_SLICES = 3, PSX_CUT_TAIL = 16 };

struct psx_cut {
    struct psx_restore restore;
    uint64_t frame, last; /* in which it begins, and ends */
    bool is_draw;
    uint64_t number;       /* of the draw in that frame, … */
    struct psx_found draw; /* … and where it completes */
    /* Behind the head: words, packet headers among them, then bytes of the dump, then words. */
    uint32_t command[1 + GP0_WORDS_MAX], tail[PSX_CUT_TAIL];
    unsigned command_words, tail_words, slice_count;
    struct psx_cut_slice slices[PSX_CUT_SLICES];
};

/* Frames `first` to `last`, which are shown, and whose counts are known. 0 or -ENOENT. */
int psx_cut_frames(const struct psx_index *index, uint64_t first, uint64_t last,
                   struct psx_cut *out);

/*
 * A draw of a frame whose counts are known: its words, then the display of the frame's end and a
 * VSync. A polyline ends with the frame. 0, -ENOENT, -EINTR.
 */
int psx_cut_draw(struct psx_dump *dump, uint64_t frame, uint64_t draw, const struct cancel *cancel,
                 struct psx_cut *out);

uint64_t psx_cut_size(const struct psx_cut *cut);

/* `length` bytes of it from `offset`; replays for the head alone. 0, -ENOMEM, -EINTR, -EIO. */
int psx_cut_piece(const struct psx_cut *cut, struct psx_dump *dump, uint64_t offset, size_t length,
                  const struct cancel *cancel, struct blob **out);

/* As struct dump_ops has it. */
int psx_cut_range(struct dump *dump, uint64_t first, uint64_t last, const struct cancel *cancel,
                  dump_sink *sink, void *context);

#endif

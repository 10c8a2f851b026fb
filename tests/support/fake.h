/* SPDX-License-Identifier: MIT */
/*
 * A small dump made up for the tests of the tree: packets of 8 bytes, four in each frame, every
 * fifth frame without a picture, and rules of its own with nested families, listings of several
 * pieces, files that fail, and slow files. It counts what is made. A slow file waits until the test
 * opens the gate.
 */
#ifndef GPUDUMPFS_TESTS_SUPPORT_FAKE_H
#define GPUDUMPFS_TESTS_SUPPORT_FAKE_H

#include "tree/tree.h"

#include <stdatomic.h>

enum { FAKE_PACKET_BYTES = 8, FAKE_PACKETS_PER_FRAME = 4, FAKE_ROWS_PER_PIECE = 3 };
enum { FAKE_HIDDEN = 3 }; /* files of letters/ that are not listed */

struct fake {
    struct dump dump;
    struct options options;
    struct source source;
    struct problems *problems;
    uint64_t packets, frames;
    uint64_t big_bytes;   /* size of things/…/big.bin */
    uint64_t huge_bytes;  /* size of things/…/huge.bin; the thing's number is added */
    atomic_bool short_of; /* the pieces of huge.bin lack a byte */
    /* Rows of frames from gated_from to gated_to - 1, and of their packets, wait at the gate. */
    atomic_uint gated_from, gated_to;
    atomic_uint broken; /* rows of the frame with this number - 1 fail with `failure` */
    int failure;        /* what things/…/broken.txt fails with */
    atomic_bool shut;   /* the gate is shut: slow files wait … */
    atomic_bool burns;  /* … and use the processor meanwhile */
    atomic_bool quick;  /* the pictures of frames do not wait */
    /* The picture of the frame with this number - 1 is worked on until it is cancelled. */
    atomic_uint heavy;
    /* The picture of the frame with this number - 1 fails, and the failure counts as transient. */
    atomic_uint transient_failure;
    atomic_uint greedy; /* the picture of the frame with this number - 1 fails for lack of memory */
    atomic_bool staged; /* pictures have a first stage, which does not wait */
    atomic_bool counting;       /* counting the pieces of long.txt waits, too */
    atomic_uint gated_piece;    /* the piece of packets.tsv with this number - 1 waits, too */
    atomic_bool gated_metadata; /* metadata waits, too */
    atomic_bool settled;        /* settle() waits until this is set */
    int settlement;             /* what settle() returns then */
    /* Names and sizes of late/, and the size of huge.bin, have to be prepared. */
    atomic_bool unknown;
    atomic_bool useless; /* preparing them has no effect */
    atomic_uint known;   /* bits: what of late/ has been prepared */
    atomic_uint preparations;
    atomic_uint drawn, pictures, pieces, bigs, huges, cancelled, settlings, started, closed;
    unsigned letters;      /* letters to be added to info.txt, … */
    unsigned letters_made; /* … and those that were added */
    atomic_uint slow;      /* makers waiting at the gate */
};

/* Creates a dump with options (cache: 1 MiB), problems and source. Nothing has been made yet. */
struct fake *fake_create(uint64_t packets);

/* Creates its tree. The test still owns the dump, and frees it after the tree. */
struct tree *fake_tree(struct fake *fake, unsigned threads);

void fake_free(struct fake *fake);

extern const struct rule fake_rules[];
extern const size_t fake_rule_count;

/*
 * The tree that the rules make, besides the common part:
 *
 *     things/NN-NAME/inner/NN.bin   five things of four files, deterministic bytes
 *     things/NN-NAME/notes.txt      listing of NN pieces, every third one empty
 *     things/NN-NAME/long.txt       listing of forty pieces of 64 KiB
 *     things/NN-NAME/big.bin        big_bytes long, slow
 *     things/NN-NAME/huge.bin       in pieces of RULE_PIECE, slow, size known as late/'s
 *     things/NN-NAME/broken.txt     fails with `failure`
 *     things/NN-NAME/lying.bin      has other bytes than announced
 *     things/NN-NAME/next           link to the next thing
 *     letters/NAME                  a family with a `parse` of its own
 *     letters/NN.hidden             a family that is found but not listed
 *     wide/NN                       a family whose ordinals soon do not fit its bits
 *     late/                         names and sizes that are not known at once:
 *     late/NN/NN.bin                a family in each of a family's directories
 *     late/NN/maybe.txt             exists in every other directory
 *     late/NN/there                 link to NN.bin
 */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A small dump made up for the tests of the tree: packets of 8 bytes, four to a
 * frame, every fifth frame without a picture, and rules of its own with nested
 * families, listings of several pieces, files that fail, and slow ones. What is
 * made is counted; a slow file waits until the test opens its gate.
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
    uint64_t big_bytes;   /* of things/…/big.bin */
    uint64_t huge_bytes;  /* of things/…/huge.bin, and the thing's number */
    atomic_bool short_of; /* its pieces lack a byte */
    /* Rows of frames from here to there, the end not included, and of their packets wait … */
    atomic_uint gated_from, gated_to;
    atomic_uint broken; /* … and those of this frame plus 1 fail with `failure` */
    int failure;        /* what things/…/broken.txt fails with */
    atomic_bool shut;   /* slow files wait … */
    atomic_bool burns;  /* … and work meanwhile */
    atomic_bool quick;  /* … but not the pictures of frames */
    atomic_uint heavy;  /* the picture of this frame plus 1 works until it is cancelled */
    atomic_uint transient_failure; /* that of this one fails, and another time does not */
    atomic_uint greedy;            /* that of this one is beyond the limit on memory */
    atomic_bool staged;            /* … whose first stage is drawn without waiting */
    atomic_bool counting;          /* the pieces of long.txt are counted slowly, too */
    atomic_uint gated_piece;       /* this one plus 1 of packets.tsv is a slow one, … */
    atomic_bool gated_metadata;    /* … and so is metadata */
    atomic_bool settled;           /* settle() waits until it is */
    int settlement;                /* what it answers then */
    atomic_bool unknown;           /* late/ has to be prepared, and its files singly */
    atomic_bool useless;           /* preparing fails to make anything known */
    atomic_uint known;             /* bits: what was prepared of late/ */
    atomic_uint preparations;
    atomic_uint drawn, pictures, pieces, bigs, huges, cancelled, settlings, started, closed;
    unsigned letters;      /* more of info.txt than is needed, … */
    unsigned letters_made; /* … as far as it came */
    atomic_uint slow;      /* makers that wait at the gate */
};

/* A dump with its options (cache: 1 MiB), problems and source; nothing is made yet. */
struct fake *fake_create(uint64_t packets);

/* Its tree; the dump stays the test's to free, after the tree. */
struct tree *fake_tree(struct fake *fake, unsigned threads);

void fake_free(struct fake *fake);

extern const struct rule fake_rules[];
extern const size_t fake_rule_count;

/*
 * The tree that the rules make, beside the common part:
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
 *     letters/NN.hidden             a family that is found and not listed
 *     wide/NN                       a family whose ordinals soon do not fit its bits
 *     late/                         names and sizes that are not known at once:
 *     late/NN/NN.bin                a family in each of a family's directories
 *     late/NN/maybe.txt             is there in every other one
 *     late/NN/there                 link to NN.bin
 */

#endif

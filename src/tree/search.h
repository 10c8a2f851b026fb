/* SPDX-License-Identifier: MIT */
/*
 * Finds pictures of a dump by their contents: a pass over all pictures of a family (frames or
 * textures) makes each picture, or takes it from the cache, and keeps its hashes. The pass has no
 * thread of its own: it advances only while callers wait for it, in their threads, and all of this
 * work together has one limit of time. Pictures for which there is not enough time are left off
 * (tree/picture_batch.h). A picture that cannot be made is skipped. Any thread, except where noted.
 */
#ifndef GPUDUMPFS_TREE_SEARCH_H
#define GPUDUMPFS_TREE_SEARCH_H

#include "image/fingerprint.h"
#include "tree/internal.h"

/* Pictures are looked up by the first bits of their SHA-256, as many as a key has. */
enum { SEARCH_BITS = RULE_KEY_BITS };

struct search_picture {
    uint64_t key; /* of the picture's file, a member of the search's rule */
    uint8_t sha256[SHA256_SIZE];
    uint64_t dhash;
    /*
     * Place of the picture that this one looks like: among the earlier pictures that look like none
     * before them, the nearest by dHash (image/fingerprint.h), the first among equals. Its own
     * place if none is near.
     */
    uint32_t near;
    uint32_t next; /* place of the next picture with the same bits (search_bits()); 0: none */
    /* Of the first picture with its bits: place of the last one with them. Of others 0. */
    uint32_t last;
    uint8_t distance; /* number of bits in which the dHash differs from that of `near` */
    enum search_outcome { SEARCH_SEEN, SEARCH_FAILED, SEARCH_LEFT_OFF } outcome;
};

struct picture_search;

/*
 * Creates a search over the files of a rule, while the tree is being made for the dump. `kin`: also
 * find which pictures look alike. Returns 0 or -ENOMEM.
 */
int search_create(struct tree *tree, struct dump *dump, unsigned rule, bool kin,
                  struct picture_search **out);

/* Destroys a search, when no thread works on it any more. */
void search_destroy(struct picture_search **search);

/* Returns the bits of a hash that keys contain. */
uint64_t search_bits(const uint8_t sha256[SHA256_SIZE]);

/*
 * Finds the first picture whose hash begins with these bits; its `next` leads to the others.
 * Returns 0; -ENOENT if there is none; -EIO if there is none, but pictures were left off; -EAGAIN
 * if there is none so far. Never waits.
 */
int search_find(struct picture_search *search, uint64_t bits, struct search_picture *out)
    EXCLUDES(lock_of_search, lock_of_task);

/*
 * Advances the pass until a picture with these bits is known, or all pictures were looked at.
 * Returns 0, even if there is no such picture; -EINTR; -ENOMEM; or -EIO if a limit is reached, if a
 * picture could not be made just now, or if the result is not certain since pictures were left off.
 * May take long.
 */
int search_for_bits(struct picture_search *search, uint64_t bits, const struct cancel *cancel);

/*
 * Does the same until the picture at this place is known. Pictures that were left off are no
 * failure.
 */
int search_for_place(struct picture_search *search, uint32_t at, const struct cancel *cancel);

/* Does the same until all pictures were looked at. */
int search_for_all(struct picture_search *search, const struct cancel *cancel);

/* Copies the picture at a place, which must be known. Returns 0, or -ENOENT beyond the last one. */
int search_get(struct picture_search *search, uint32_t at, struct search_picture *out)
    EXCLUDES(lock_of_search);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Pictures of a dump by what is in them: a pass over all of a family, frames or textures, which
 * makes each, or takes it from the cache, and keeps its hashes. It works when it is asked for
 * alone, by those that ask, within the one limit of time that all files have; the pictures that
 * there is no time for are left off (tree/picture_batch.h). A picture that cannot be made is passed
 * over. Any thread, but where said.
 */
#ifndef GPUDUMPFS_TREE_SEARCH_H
#define GPUDUMPFS_TREE_SEARCH_H

#include "image/fingerprint.h"
#include "tree/internal.h"

/* Pictures are looked up by the first bits of their SHA-256: as many as a key has. */
enum { SEARCH_BITS = RULE_KEY_BITS };

struct search_picture {
    uint64_t key; /* of the picture's file, by the rule of the search */
    uint8_t sha256[SHA256_SIZE];
    uint64_t dhash;
    uint32_t near; /* the first one before it that looks like it, by its place; itself: none */
    uint32_t next; /* the next one with the same bits, by its place; 0: none */
    uint32_t last; /* of the first with those bits: the last one; of others 0 */
    uint8_t distance;
    enum search_outcome { SEARCH_SEEN, SEARCH_FAILED, SEARCH_LEFT_OFF } outcome;
};

struct picture_search;

/*
 * Over the files of a rule of the tree, which is being made for the dump; `kin`: says which look
 * alike. 0 or -ENOMEM.
 */
int search_create(struct tree *tree, struct dump *dump, unsigned rule, bool kin,
                  struct picture_search **out);

/* No thread works on it any more. */
void search_destroy(struct picture_search **search);

/* The bits of a hash that stand in keys. */
uint64_t search_bits(const uint8_t sha256[SHA256_SIZE]);

/*
 * The first picture whose hash begins with these bits; `next` leads to the others. 0; -ENOENT:
 * there is none, -EIO: none among those that were not left off, -EAGAIN: none so far. Never waits.
 */
int search_find(struct picture_search *search, uint64_t bits, struct search_picture *out)
    EXCLUDES(lock_of_search, lock_of_task);

/*
 * Goes on until there is a picture with these bits, or at that place, or none can come any more: 0,
 * -EINTR; -EIO where a limit is reached, or pictures were left off among which they may be (not
 * of a place); or one could not be made just now. May take long.
 */
int search_for_bits(struct picture_search *search, uint64_t bits, const struct cancel *cancel);
int search_for_place(struct picture_search *search, uint32_t at, const struct cancel *cancel);
int search_for_all(struct picture_search *search, const struct cancel *cancel);

/* The picture at a place, which is known. -ENOENT: there are not so many. */
int search_get(struct picture_search *search, uint32_t at, struct search_picture *out)
    EXCLUDES(lock_of_search);

#endif

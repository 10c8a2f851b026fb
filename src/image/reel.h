/* SPDX-License-Identifier: MIT */
/*
 * A reel: pictures one behind the other, of which each differs little from the next, as those that
 * the draws of a frame leave. Of each is kept in what words it differs from the one behind it, so
 * that going through them costs what has changed, forwards and backwards alike. Exact. One owner.
 */
#ifndef GPUDUMPFS_IMAGE_REEL_H
#define GPUDUMPFS_IMAGE_REEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reel;

/* It takes so many bytes at most: what was added first goes first. 0 or -ENOMEM. */
int reel_create(uint64_t max_bytes, struct reel **out);
void reel_destroy(struct reel **reel);

/* Whether a picture of so many bytes may have room, if others go. */
bool reel_may_take(const struct reel *reel, size_t size);

/*
 * Puts a picture at the end; names grow. 0, -EINVAL (a name that does not), or -ENOMEM: the reel is
 * empty then, or as it was where the picture by itself takes too much.
 */
int reel_add(struct reel *reel, uint64_t name, const uint8_t *bytes, size_t size);

/* The picture of that name. 0, or -ENOENT: there is none of that name and size; -ENOMEM. */
int reel_get(struct reel *reel, uint64_t name, uint8_t *bytes, size_t size);

/* What it takes now. */
uint64_t reel_bytes(const struct reel *reel);

#endif

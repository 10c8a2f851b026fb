/* SPDX-License-Identifier: MIT */
/*
 * A reel: a sequence of pictures each of which differs little from the next, such as those after
 * each draw of a frame. For each picture it keeps the words in which it differs from the one after
 * it, so that stepping through them, forwards or backwards, costs only what has changed. Lossless.
 * One owner.
 */
#ifndef GPUDUMPFS_IMAGE_REEL_H
#define GPUDUMPFS_IMAGE_REEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reel;

/*
 * Creates a reel of at most `max_bytes`: when it is full, the pictures added first are dropped.
 * Returns 0 or -ENOMEM.
 */
int reel_create(uint64_t max_bytes, struct reel **out);
/* Frees a reel and sets the pointer to NULL. *reel may be NULL. */
void reel_destroy(struct reel **reel);

/* Returns whether a picture of `size` bytes may have room, if others are dropped. */
bool reel_may_take(const struct reel *reel, size_t size);

/*
 * Appends a picture. Its name must be greater than all others. Returns 0, -EINVAL if it is not, or
 * if `size` is out of range, or -ENOMEM, which leaves the reel empty, or unchanged if the picture
 * is too large by itself or could not be copied.
 */
int reel_add(struct reel *reel, uint64_t name, const uint8_t *bytes, size_t size);

/*
 * Gets the picture of a name. Returns 0, -ENOENT if there is none with this name and size, or
 * -ENOMEM.
 */
int reel_get(struct reel *reel, uint64_t name, uint8_t *bytes, size_t size);

/* Returns the bytes that the reel takes at present. */
uint64_t reel_bytes(const struct reel *reel);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A blob is a run of bytes with a reference count: the contents of a file of
 * the tree, a picture, a snapshot of video memory. It owns its memory, or it
 * borrows a slice of the mapped dump. Its bytes are written only by the thread that
 * made it, before anyone else holds a reference. References may be taken and
 * dropped from any thread.
 */
#ifndef GPUDUMPFS_BASE_BLOB_H
#define GPUDUMPFS_BASE_BLOB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct blob {
    uint8_t *data; /* size bytes; not to be written once shared */
    size_t size;
    atomic_uint references;
    void (*release)(struct blob *blob); /* gives data back; NULL for a slice */
    unsigned kept, pins; /* the cache's: its items that have this blob, and its pins */
};

/* A blob of `size` bytes of its own, uninitialised. 0 or -ENOMEM. */
int blob_create(size_t size, struct blob **out);

/* The same, whose memory comes as it is written (memory_take_empty()). */
int blob_create_empty(size_t size, struct blob **out);

/* A blob that borrows bytes which outlive it (the mapped dump). 0 or -ENOMEM. */
int blob_borrow(const void *data, size_t size, struct blob **out);

/* A blob that takes over memory from malloc(), freed also on failure. 0 or -ENOMEM. */
int blob_adopt(void *data, size_t size, struct blob **out);

/* Another reference to the same blob; returns it. */
struct blob *blob_ref(struct blob *blob);

/* Drops the caller's reference and clears the caller's pointer; NULL inside is fine. */
void blob_unref(struct blob **blob);

/* Bytes that the blob itself holds in memory: 0 for the bytes of a borrowed one. */
size_t blob_footprint(const struct blob *blob);

#endif

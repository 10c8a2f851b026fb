/* SPDX-License-Identifier: MIT */
/*
 * A blob is a run of bytes with a reference count: the contents of a file of the tree, a picture, a
 * snapshot of video memory. It either owns its memory or borrows a part of the mapped dump. Its
 * bytes are written only by the thread that made it, before any other thread holds a reference.
 * References may be taken and dropped from any thread.
 */
#ifndef GPUDUMPFS_BASE_BLOB_H
#define GPUDUMPFS_BASE_BLOB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct blob {
    uint8_t *data; /* `size` bytes; must not be written once the blob is shared */
    size_t size;
    atomic_uint references;
    void (*release)(struct blob *blob); /* frees the data; NULL if the data is borrowed */
    unsigned kept, pins; /* for the cache: how many items have the blob, and how many pins */
};

/* Makes a blob with `size` bytes of its own, uninitialised. Returns 0 or -ENOMEM. */
int blob_create(size_t size, struct blob **out);

/* Makes the same, but a large block takes memory only as it is written (memory_take_empty()). */
int blob_create_empty(size_t size, struct blob **out);

/*
 * Makes a blob that borrows bytes, which must outlive it (the mapped dump). Returns 0 or -ENOMEM.
 */
int blob_borrow(const void *data, size_t size, struct blob **out);

/*
 * Makes a blob that takes over memory from malloc(). The memory is freed even if this fails.
 * Returns 0 or -ENOMEM.
 */
int blob_adopt(void *data, size_t size, struct blob **out);

/* Takes another reference to the blob, and returns the blob. */
struct blob *blob_ref(struct blob *blob);

/* Drops the caller's reference and sets the caller's pointer to NULL. *blob may be NULL. */
void blob_unref(struct blob **blob);

/* Returns the bytes of memory that the blob's data takes: 0 if they are borrowed. */
size_t blob_footprint(const struct blob *blob);

#endif

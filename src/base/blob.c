/* SPDX-License-Identifier: MIT */
/*
 * Small blobs are allocated in one piece with their bytes. Large ones have a block of their own,
 * which returns to the system when the last reference is dropped.
 */
#include "base/blob.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>

static void release_joined(struct blob *blob)
{
    (void)blob; /* the bytes are freed with the structure */
}

static void release_block(struct blob *blob)
{
    memory_give(blob->data, blob->size);
}

static void release_adopted(struct blob *blob)
{
    free(blob->data);
}

static int blob_make(uint8_t *data, size_t size, size_t joined, void (*release)(struct blob *),
                     struct blob **out)
{
    struct blob *blob = malloc(sizeof(*blob) + joined);

    if (blob == NULL)
        return -ENOMEM;
    blob->data = data != NULL ? data : (uint8_t *)(blob + 1);
    blob->size = size;
    blob->release = release;
    blob->kept = 0;
    blob->pins = 0;
    atomic_init(&blob->references, 1);
    *out = blob;
    return 0;
}

static int create(size_t size, void *take(size_t size), struct blob **out)
{
    uint8_t *block;
    int status;

    if (size < MEMORY_LARGE)
        return blob_make(NULL, size, size, release_joined, out);
    block = take(size);
    if (block == NULL)
        return -ENOMEM;
    status = blob_make(block, size, 0, release_block, out);
    if (status < 0)
        memory_give(block, size);
    return status;
}

int blob_create(size_t size, struct blob **out)
{
    return create(size, memory_take, out);
}

int blob_create_empty(size_t size, struct blob **out)
{
    return create(size, memory_take_empty, out);
}

int blob_borrow(const void *data, size_t size, struct blob **out)
{
    return blob_make((uint8_t *)(uintptr_t)data, size, 0, NULL, out);
}

int blob_adopt(void *data, size_t size, struct blob **out)
{
    int status = blob_make(data, size, 0, release_adopted, out);

    if (status < 0)
        free(data);
    else
        (*out)->data = data; /* blob_make() would replace NULL; free() takes it */
    return status;
}

struct blob *blob_ref(struct blob *blob)
{
    atomic_fetch_add_explicit(&blob->references, 1, memory_order_relaxed);
    return blob;
}

void blob_unref(struct blob **blob)
{
    struct blob *dropped = *blob;

    *blob = NULL;
    if (dropped == NULL ||
        atomic_fetch_sub_explicit(&dropped->references, 1, memory_order_acq_rel) != 1)
        return;
    if (dropped->release != NULL)
        dropped->release(dropped);
    free(dropped);
}

size_t blob_footprint(const struct blob *blob)
{
    if (blob->release == NULL)
        return 0;
    return blob->release == release_block ? memory_round(blob->size) : blob->size;
}

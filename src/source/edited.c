/* SPDX-License-Identifier: MIT */
/*
 * A dump's bytes with some of them replaced, in memory of its own as far as it must be: pages that
 * stay where they were are the original's, mapped once more.
 */
#include "config.h"

#include "source/edited.h"

#include "source/sigbus_guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes of the original that stand at another offset, perhaps. */
struct run {
    uint64_t from, to, size;
};

struct image {
    const struct source *original;
    uint8_t *data;
    uint64_t size, copied, page;
};

/* The length with the edits, which are in order; 0: too much. */
static uint64_t length_of(const struct source *original, const struct source_edit *edits,
                          size_t count)
{
    uint64_t size = original->size;

    for (size_t i = 0; i < count; i++) {
        if (edits[i].length > SIZE_MAX / 2 - size)
            return 0;
        size += edits[i].length - edits[i].size;
    }
    return size;
}

static int copy(struct image *image, uint64_t to, const uint8_t *bytes, uint64_t size)
{
    if (size > EDITED_COPY_MAX - image->copied)
        return -EFBIG;
    image->copied += size;
    if (size > 0)
        memcpy(image->data + to, bytes, (size_t)size);
    return 0;
}

/*
 * Whole pages are mapped once more (a length of 0 does that, of a mapping that is shared:
 * mremap(2)), where they are as far from a page's beginning as before.
 */
static int place(struct image *image, const struct run *run)
{
    const uint8_t *data = image->original->data;
    uint64_t page = image->page, first = (run->to + page - 1) / page * page,
             end = (run->to + run->size) / page * page, from = run->from + (first - run->to);
    int status;

    if (run->from % page != run->to % page || first >= end)
        return copy(image, run->to, data + run->from, run->size);
    if (mremap((void *)(uintptr_t)(data + from), 0, (size_t)(end - first),
               MREMAP_MAYMOVE | MREMAP_FIXED, image->data + first) == MAP_FAILED)
        return -errno;
    status = copy(image, run->to, data + run->from, first - run->to);
    if (status == 0)
        status = copy(image, end, data + run->from + (end - run->to), run->to + run->size - end);
    return status;
}

static int fill(struct image *image, const struct source_edit *edits, size_t count)
{
    struct run run = {0};
    int status = 0;

    for (size_t i = 0; i < count && status == 0; i++) {
        run.size = edits[i].offset - run.from;
        status = place(image, &run);
        if (status == 0)
            status = copy(image, run.to + run.size, edits[i].bytes, edits[i].length);
        run.from = edits[i].offset + edits[i].size;
        run.to += run.size + edits[i].length;
    }
    run.size = image->original->size - run.from;
    return status == 0 ? place(image, &run) : status;
}

static int map_image(struct image *image, const struct source_edit *edits, size_t count)
{
    void *mapped =
        mmap(NULL, (size_t)image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int status;

    if (mapped == MAP_FAILED)
        return -errno;
    (void)madvise(mapped, (size_t)image->size, MADV_HUGEPAGE); /* most of a copy is page faults */
    image->data = mapped;
    status = fill(image, edits, count);
    if (status == 0 && mprotect(mapped, (size_t)image->size, PROT_READ) != 0)
        status = -errno;
    if (status != 0)
        munmap(mapped, (size_t)image->size);
    return status;
}

int source_open_edited(const struct source *original, const struct source_edit *edits, size_t count,
                       struct source **out)
{
    struct image image = {.original = original,
                          .size = length_of(original, edits, count),
                          .page = (uint64_t)sysconf(_SC_PAGESIZE)};
    struct source *source;
    int status;

    *out = NULL;
    if (image.size == 0 || original->data == NULL || original->growth != NULL || original->packed)
        return -EINVAL;
    source = calloc(1, sizeof(*source));
    if (source == NULL || (source->path = strdup(original->path)) == NULL) {
        free(source);
        return -ENOMEM;
    }
    status = map_image(&image, edits, count);
    source->original = original;
    source->container = original->container;
    source->mtime = original->mtime;
    source->status = original->status;
    source->file_size = original->file_size;
    if (status == 0) {
        source->data = image.data;
        source->size = image.size;
        status = sigbus_guard_add(image.data, (size_t)image.size, &source->lost);
        if (status != 0)
            munmap(image.data, (size_t)image.size);
    }
    if (status != 0) {
        free(source->path);
        free(source);
        return status;
    }
    *out = source;
    return 0;
}

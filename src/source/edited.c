/* SPDX-License-Identifier: MIT */
/*
 * A dump's bytes with some of them replaced, in memory of its own as far as necessary. Pages that
 * stay where they were are the original's, mapped once more. Other pages are copied; those of long
 * stretches are copied in pieces when they are first touched. Until then, an empty file is mapped
 * there, so that touching them raises SIGBUS.
 */
#include "config.h"

#include "source/edited.h"

#include "source/sigbus_guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 20 }; /* bytes that are copied at a time when a page is touched */

/* Consecutive bytes of the original, possibly at another offset. */
struct run {
    uint64_t from, to, size;
    /* The range of its complete pages that are not copied at once; empty if both are equal. */
    uint64_t first, end;
    bool later; /* these pages are copied when they are touched; otherwise they are mapped */
};

struct edited_image {
    const struct source *original;
    uint8_t *data;
    uint64_t size, page;
    size_t count;
    struct run runs[]; /* in order, one more than there are edits */
};

/* Returns the length with all edits, which must be in order; 0 if it is too large. */
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

/* What is done when a page is touched, on any thread and in a signal's handler. */

/* Returns the run whose later pages contain the byte at `offset`, or NULL. */
static const struct run *find_later(const struct edited_image *image, uint64_t offset)
{
    size_t low = 0, high = image->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (image->runs[middle].to <= offset)
            low = middle;
        else
            high = middle;
    }
    return image->runs[low].later && offset >= image->runs[low].first &&
                   offset < image->runs[low].end
               ? &image->runs[low]
               : NULL;
}

/*
 * Puts a copied piece in place atomically, so that no thread sees part of it. If two threads touch
 * a piece at the same time, one replaces what the other has put there, which is the same.
 */
static bool put_piece(const struct edited_image *image, const struct run *run, uint64_t first,
                      size_t size)
{
    void *piece =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

    if (piece == MAP_FAILED)
        return false;
    memcpy(piece, image->original->data + run->from + (first - run->to), size);
    if (mprotect(piece, size, PROT_READ) == 0 &&
        mremap(piece, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, image->data + first) != MAP_FAILED)
        return true;
    munmap(piece, size);
    return false;
}

static bool fill_touched(void *context, const void *address)
{
    const struct edited_image *image = context;
    uint64_t offset = (uint64_t)((const uint8_t *)address - image->data);
    uint64_t first = offset / PIECE * PIECE, end = first + PIECE;
    const struct run *run = find_later(image, offset);

    if (run == NULL)
        return false;
    first = first < run->first ? run->first : first;
    end = end > run->end ? run->end : end;
    return put_piece(image, run, first, (size_t)(end - first));
}

/* What is done when the source is opened. */

/* Determines which pages of a run are not copied at once. */
static void plan_run(const struct edited_image *image, bool later, struct run *run)
{
    uint64_t page = image->page;

    run->first = (run->to + page - 1) / page * page;
    run->end = (run->to + run->size) / page * page;
    run->later = run->from % page != run->to % page;
    if (run->first >= run->end || (run->later && !later)) {
        run->first = run->end = run->to + run->size;
        run->later = false;
    }
}

static uint64_t mapped(const struct run *run)
{
    return run->later ? 0 : run->end - run->first;
}

/*
 * Plans all runs. Returns -EFBIG if they would take too much memory, even if only when all pieces
 * have been touched.
 */
static int plan(struct edited_image *image, const struct source_edit *edits, bool later)
{
    uint64_t from = 0, to = 0, copied = 0;

    for (size_t i = 0; i < image->count; i++) {
        bool is_last = i + 1 == image->count;
        uint64_t end = is_last ? image->original->size : edits[i].offset;
        struct run *run = &image->runs[i];

        *run = (struct run){.from = from, .to = to, .size = end - from};
        plan_run(image, later, run);
        copied += run->size - mapped(run);
        to += run->size;
        if (!is_last) {
            copied += edits[i].length;
            to += edits[i].length;
            from = end + edits[i].size;
        }
        if (copied > EDITED_COPY_MAX)
            return -EFBIG;
    }
    return 0;
}

/* Maps writable memory over complete pages. */
static int make_room(struct edited_image *image, uint64_t from, uint64_t to)
{
    if (from >= to)
        return 0;
    if (mmap(image->data + from, (size_t)(to - from), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        return -errno;
    (void)madvise(image->data + from, (size_t)(to - from), MADV_HUGEPAGE); /* fewer page faults */
    return 0;
}

/* mremap() with a length of 0 maps shared pages a second time (mremap(2)). */
static int map_run(struct edited_image *image, const struct run *run)
{
    const uint8_t *from = image->original->data + run->from + (run->first - run->to);

    if (mapped(run) > 0 &&
        mremap((void *)(uintptr_t)from, 0, (size_t)mapped(run), MREMAP_MAYMOVE | MREMAP_FIXED,
               image->data + run->first) == MAP_FAILED)
        return -errno;
    return 0;
}

static int lay_out(struct edited_image *image)
{
    uint64_t room = 0;
    int status = 0;

    for (size_t i = 0; i < image->count && status == 0; i++) {
        const struct run *run = &image->runs[i];

        if (run->first == run->end)
            continue;
        status = make_room(image, room, run->first);
        if (status == 0)
            status = map_run(image, run);
        room = run->end;
    }
    return status == 0
               ? make_room(image, room, (image->size + image->page - 1) / image->page * image->page)
               : status;
}

static void copy(struct edited_image *image, uint64_t to, const uint8_t *bytes, uint64_t size)
{
    if (size > 0)
        memcpy(image->data + to, bytes, (size_t)size);
}

static void fill(struct edited_image *image, const struct source_edit *edits)
{
    for (size_t i = 0; i < image->count; i++) {
        const struct run *run = &image->runs[i];
        const uint8_t *from = image->original->data + run->from;

        copy(image, run->to, from, run->first - run->to);
        copy(image, run->end, from + (run->end - run->to), run->to + run->size - run->end);
        if (i + 1 < image->count)
            copy(image, run->to + run->size, edits[i].bytes, edits[i].length);
    }
}

/* Maps an empty file, over which everything else is mapped. */
static int map_nothing(struct edited_image *image)
{
    int file = memfd_create("gpudumpfs-edited", MFD_CLOEXEC), status = 0;
    void *data;

    if (file < 0)
        return -errno;
    data = mmap(NULL, (size_t)image->size, PROT_READ, MAP_SHARED, file, 0);
    if (data == MAP_FAILED)
        status = -errno;
    else
        image->data = data;
    close(file);
    return status;
}

static int map_image(struct edited_image *image, const struct source_edit *edits)
{
    int status = map_nothing(image);

    if (status != 0)
        return status;
    status = lay_out(image);
    if (status == 0)
        fill(image, edits);
    if (status == 0 && mprotect(image->data, (size_t)image->size, PROT_READ) != 0)
        status = -errno;
    if (status != 0)
        munmap(image->data, (size_t)image->size);
    return status;
}

static int make_image(const struct source *original, const struct source_edit *edits, size_t count,
                      bool later, struct edited_image **out)
{
    struct edited_image *image = calloc(1, sizeof(*image) + (count + 1) * sizeof(image->runs[0]));
    int status;

    *out = NULL;
    if (image == NULL)
        return -ENOMEM;
    image->original = original;
    image->size = length_of(original, edits, count);
    image->page = (uint64_t)sysconf(_SC_PAGESIZE);
    image->count = count + 1;
    status = image->size == 0 ? -EINVAL : plan(image, edits, later);
    if (status == 0)
        status = map_image(image, edits);
    if (status == 0)
        *out = image;
    else
        free(image);
    return status;
}

static void take_file(const struct source *original, struct source *source)
{
    source->original = original;
    source->container = original->container;
    source->mtime = original->mtime;
    source->status = original->status;
    source->file_size = original->file_size;
    source->holes = original->holes;
}

int source_open_edited(const struct source *original, const struct source_edit *edits, size_t count,
                       bool later, struct source **out)
{
    struct edited_image *image;
    struct source *source;
    int status;

    *out = NULL;
    if (original->data == NULL || original->growth != NULL || original->packed)
        return -EINVAL;
    source = calloc(1, sizeof(*source));
    if (source == NULL || (source->path = strdup(original->path)) == NULL) {
        free(source);
        return -ENOMEM;
    }
    take_file(original, source);
    status = make_image(original, edits, count, later, &image);
    if (status == 0) {
        status = sigbus_guard_add_filled(image->data, (size_t)image->size, &source->lost,
                                         fill_touched, image);
        source->data = status == 0 ? image->data : NULL;
        source->size = image->size;
        source->image = image;
        if (status != 0)
            munmap(image->data, (size_t)image->size);
    }
    if (status != 0)
        source_close(&source);
    *out = source;
    return status;
}

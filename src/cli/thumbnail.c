/* SPDX-License-Identifier: MIT */
/*
 * `gpudump thumbnail DUMP FILE`: a small picture of the dump for file managers, what its format
 * draws for them, or the first frame on which something is to be seen; of one without any its
 * timeline.png. Dumps begin with dark frames, and may be long: the first frames are looked at one
 * by one, the others here and there.
 */
#include "base/log.h"
#include "cli/gpudump.h"
#include "image/shrink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE = 256,       /* of the larger side, unless it is given */
    IN_ORDER = 64,    /* pictures that are looked at in their order */
    SCATTERED = 64,   /* those after them, spread over the rest */
    PIXEL = 4,        /* bytes of one at most; each row's filter counts as one, too */
    AROUND = 1 << 16, /* what else a small PNG has */
    LIT_PART = 64,    /* a lit picture has so many-th part of its pixels in another colour */
};

/* The inodes of the pictures that come into question. */
struct candidates {
    uint64_t count; /* pictures in the folder so far */
    uint64_t total; /* 0 while they are counted */
    uint64_t inodes[IN_ORDER + SCATTERED];
    unsigned chosen;
};

/* Whether the n-th picture is looked at. */
static bool is_candidate(const struct candidates *candidates, uint64_t n)
{
    uint64_t rest = candidates->total - IN_ORDER, step = (rest + SCATTERED - 1) / SCATTERED;

    return n < IN_ORDER || (n - IN_ORDER) % step == 0;
}

static bool choose(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                   uint64_t next_cursor)
{
    struct candidates *candidates = context;

    (void)name;
    (void)next_cursor;
    if (kind != RULE_FILE)
        return true;
    if (candidates->total != 0 && is_candidate(candidates, candidates->count))
        candidates->inodes[candidates->chosen++] = inode;
    candidates->count++;
    return true;
}

static int find_candidates(struct tree *tree, struct candidates *candidates)
{
    uint64_t folder = 0, cursor = 0;
    int status = tree_find(tree, "frames", true, &folder);

    if (status == 0)
        status = tree_list(tree, folder, &cursor, choose, candidates);
    if (status == 0 && candidates->count == 0)
        status = -ENOENT;
    if (status != 0)
        return status;
    candidates->total = candidates->count;
    candidates->count = cursor = 0;
    return tree_list(tree, folder, &cursor, choose, candidates);
}

static bool is_lit(const struct pixels *pixels)
{
    size_t count = (size_t)pixels->width * pixels->height, others = 0;

    for (size_t i = 0; i < count; i++)
        others += memcmp(pixels->rgb, pixels->rgb + 3 * i, 3) != 0;
    return others > 0 && others >= count / LIT_PART;
}

/* Of a dump without pictures: its figures over time, if it has frames. */
static int find_figures(struct tree *tree, struct pixels *out)
{
    uint64_t inode = 0;
    int status = tree_find(tree, "timeline.png", true, &inode);

    return status == 0 ? pixels_read(tree, inode, NULL, out) : status;
}

/* The first lit picture, or the first that can be read. */
static int find_picture(struct tree *tree, struct pixels *out)
{
    struct candidates candidates = {0};
    int status = find_candidates(tree, &candidates), first = -EIO;

    for (unsigned i = 0; status == 0 && i < candidates.chosen; i++) {
        struct pixels pixels;

        if (pixels_read(tree, candidates.inodes[i], NULL, &pixels) != 0)
            continue;
        if (is_lit(&pixels)) {
            pixels_clear(out);
            *out = pixels;
            return 0;
        }
        if (first == 0) {
            pixels_clear(&pixels);
            continue;
        }
        *out = pixels;
        first = 0;
    }
    return status != 0 ? status : first;
}

struct shrinking {
    const struct picture_pixels *from;
    const struct picture_header *to;
};

static void paint_row(const void *context, uint32_t y, uint8_t *row)
{
    const struct shrinking *shrinking = context;

    shrink_row(shrinking->from, shrinking->to->width, shrinking->to->height, y, row);
}

/* Sides of at most `size`. */
static int write_thumbnail(const struct pixels *pixels, uint32_t size, struct blob **out)
{
    const struct picture_pixels from = {pixels->width, pixels->height, PICTURE_RGB, pixels->rgb};
    struct picture_header header = {.colour = PICTURE_RGB};
    const struct shrinking shrinking = {&from, &header};

    shrink_fit(from.width, from.height, size, size, &header.width, &header.height);
    return picture_write(&header, PICTURE_SMALL, paint_row, &shrinking, NULL, out);
}

/* Why there is no picture to begin with. */
static void tell_no_picture(struct gpudump *gpudump, int status)
{
    const struct dump *dump = tree_dump(gpudump->program.tree);
    const char *name = source_name(dump->source);
    struct text reason = TEXT_INIT;

    if (status == -ENOENT)
        log_write(LOG_ERR, "%s: no frame of it has a picture, so there is no thumbnail", name);
    else if (problems_first_sentence(dump->problems, &reason))
        log_write(LOG_ERR, "%s: no picture of it can be made: %.*s", name, (int)reason.length,
                  reason.bytes);
    else
        log_write(LOG_ERR, "%s: no picture of it can be made: %s", name, strerror(-status));
    gpudump->failed = true;
    text_clear(&reason);
}

/* The first frame that shows something, shrunk. */
static int shrink_frame(struct tree *tree, uint32_t size, struct blob **out)
{
    struct pixels pixels = {0};
    int status = find_picture(tree, &pixels);

    if (status == -ENOENT)
        status = find_figures(tree, &pixels);
    if (status == 0)
        status = write_thumbnail(&pixels, size, out);
    pixels_clear(&pixels);
    return status;
}

static uint32_t size_of(const struct gpudump *gpudump)
{
    return gpudump->size != 0 ? gpudump->size : SIZE;
}

uint64_t gpudump_thumbnail_max(const struct gpudump *gpudump)
{
    uint64_t size = size_of(gpudump);

    return PIXEL * size * (size + 1) + AROUND;
}

enum program_status gpudump_thumbnail(struct gpudump *gpudump)
{
    struct tree *tree = gpudump->program.tree;
    struct dump *dump = tree_dump(tree);
    uint32_t size = size_of(gpudump);
    struct blob *picture = NULL;
    int status = dump->ops->thumbnail != NULL
                     ? dump->ops->thumbnail(dump, size, &dump->cancel, &picture)
                     : shrink_frame(tree, size, &picture);

    if (status != 0) {
        tell_no_picture(gpudump, status);
        return gpudump_outcome(gpudump);
    }
    status = gpudump->confined.result >= 0 ? confined_write(gpudump, gpudump->paths[0], picture)
                                           : contents_write(tree, gpudump->paths[0], picture);
    if (status != 0)
        contents_tell(gpudump, gpudump->paths[0], status);
    blob_unref(&picture);
    return gpudump_outcome(gpudump);
}

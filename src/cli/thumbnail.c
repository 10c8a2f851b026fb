/* SPDX-License-Identifier: MIT */
/*
 * `gpudump thumbnail DUMP FILE`: a small picture of the dump for file managers. That is what its
 * format draws for them, or the first frame that shows something; for a dump without pictures it is
 * timeline.png. Dumps begin with dark frames, and may be long, so the first frames are tried in
 * order, and the others at intervals.
 */
#include "base/log.h"
#include "cli/gpudump.h"
#include "image/shrink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE = 256,     /* default length of the longer side */
    IN_ORDER = 64,  /* first pictures, tried in order */
    SCATTERED = 64, /* pictures after them, spread over the rest */
    PIXEL = 4, /* largest number of bytes for a pixel; the filter byte of a row counts as a pixel */
    AROUND = 1 << 16, /* bytes of a small PNG besides its rows */
    /* In a lit picture, at least 1/LIT_PART of the pixels differ from the first one. */
    LIT_PART = 64,
};

/* The inodes of the pictures to try. */
struct candidates {
    uint64_t count; /* pictures in the folder so far */
    uint64_t total; /* 0 while they are counted */
    uint64_t inodes[IN_ORDER + SCATTERED];
    unsigned chosen;
};

/* Returns whether to try the n-th picture. */
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

/* For a dump without pictures: reads its timeline, if it has frames. */
static int find_figures(struct tree *tree, struct pixels *out)
{
    uint64_t inode = 0;
    int status = tree_find(tree, "timeline.png", true, &inode);

    return status == 0 ? pixels_read(tree, inode, NULL, out) : status;
}

/* Reads the first lit picture, or if there is none the first one that can be read. */
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

/* Shrinks a picture to sides of at most `size`. */
static int write_thumbnail(const struct pixels *pixels, uint32_t size, struct blob **out)
{
    const struct picture_pixels from = {pixels->width, pixels->height, PICTURE_RGB, pixels->rgb};
    struct picture_header header = {.colour = PICTURE_RGB};
    const struct shrinking shrinking = {&from, &header};

    shrink_fit(from.width, from.height, size, size, &header.width, &header.height);
    return picture_write(&header, PICTURE_SMALL, paint_row, &shrinking, NULL, out);
}

/* Reports why there is no picture. */
static void tell_no_picture(struct gpudump *gpudump, int status)
{
    const struct dump *dump = tree_dump(gpudump->program.tree);
    const char *name = source_name(dump->source);
    struct text reason = TEXT_INIT;

    if (status == -ENOENT)
        log_write(LOG_ERR, "%s: none of its frames has a picture, so there is no thumbnail", name);
    else if (problems_first_sentence(dump->problems, &reason))
        log_write(LOG_ERR, "%s: no picture can be made: %.*s", name, (int)reason.length,
                  reason.bytes);
    else
        log_write(LOG_ERR, "%s: no picture can be made: %s", name, strerror(-status));
    gpudump->failed = true;
    text_clear(&reason);
}

/* Finds the first frame that shows something, and shrinks it. */
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
    int status = dump->ops->pictures.thumbnail != NULL
                     ? dump->ops->pictures.thumbnail(dump, size, &dump->cancel, &picture)
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

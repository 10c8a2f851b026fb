/* SPDX-License-Identifier: MIT */
/*
 * `gpudump diff DUMP A B`: prints the differences between the command lists of two frames in
 * unified form, ignoring the numbers that say where a command is; and writes a picture of where the
 * frames' pictures differ.
 */
#include "base/log.h"
#include "cli/gpudump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls contents_find_frame() for a number as it was typed. */
static int find_frame_file(const struct gpudump *gpudump, const char *folder, const char *rest,
                           const char *number, char path[CONTENTS_PATH], uint64_t *inode)
{
    char *end = NULL;
    unsigned long long frame = strtoull(number, &end, 10);

    if (*number < '0' || *number > '9' || *end != '\0')
        return -EINVAL;
    return contents_find_frame(gpudump->program.tree, folder, frame, rest, path, inode);
}

static void tell_frame(struct gpudump *gpudump, const char *number, int status)
{
    if (status != -EINVAL && status != -ENOENT) {
        gpudump_tell(gpudump, number, status);
        return;
    }
    log_write(LOG_ERR, "%s: %s", number,
              status == -EINVAL ? "not a frame number" : "there is no such frame");
    gpudump->failed = true;
}

struct side {
    char path[CONTENTS_PATH];
    struct text text;
    struct text_diff_lines lines;
};

static int read_side(struct gpudump *gpudump, const char *number, struct side *side)
{
    text_diff_skip *place = tree_dump(gpudump->program.tree)->ops->texts.command_place;
    uint64_t inode = 0;
    int status = find_frame_file(gpudump, "by-frame/", "/commands.txt", number, side->path, &inode);

    if (status == 0)
        status = contents_read(gpudump->program.tree, inode, NULL, &side->text);
    if (status == 0)
        status = text_diff_split(side->text.bytes, side->text.length, place, &side->lines);
    if (status != 0)
        tell_frame(gpudump, number, status);
    return status;
}

static int print_difference(struct gpudump *gpudump, const struct side *a, const struct side *b)
{
    struct text hunks = TEXT_INIT;
    int status = text_diff_write(&a->lines, &b->lines, NULL, &hunks);

    if (status == 0 && hunks.length > 0) {
        gpudump->differs = true;
        printf("--- %s\n+++ %s\n", a->path, b->path);
        if (fwrite(hunks.bytes, 1, hunks.length, stdout) != hunks.length)
            status = -errno;
    }
    text_clear(&hunks);
    return status;
}

static int read_picture(struct gpudump *gpudump, const char *number, struct pixels *out)
{
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status = find_frame_file(gpudump, "frames/", ".png", number, path, &inode);

    if (status == 0)
        status = pixels_read(gpudump->program.tree, inode, NULL, out);
    if (status == -ENOENT) { /* the frame exists, as its commands were read */
        log_write(LOG_ERR, "%s: the frame has no picture", number);
        gpudump->failed = true;
    } else if (status != 0)
        gpudump_tell(gpudump, number, status);
    return status;
}

int gpudump_write_difference(struct gpudump *gpudump, const struct pixels *a,
                             const struct pixels *b)
{
    struct tree *other = gpudump->other.tree;
    struct blob *picture = NULL;
    int status = 0;

    if (other != NULL && contents_is_of_dump(other, gpudump->picture)) {
        gpudump->failed = true;
        return contents_refuse(gpudump->picture, "dump");
    }
    status = pixels_draw_difference(a, b, PICTURE_SMALL, NULL, &picture);
    if (status == 0)
        status = contents_write(gpudump->program.tree, gpudump->picture, picture);
    if (status != 0)
        contents_tell(gpudump, gpudump->picture, status);
    blob_unref(&picture);
    return status;
}

static void write_picture(struct gpudump *gpudump)
{
    struct pixels a = {0}, b = {0};

    if (read_picture(gpudump, gpudump->paths[0], &a) == 0 &&
        read_picture(gpudump, gpudump->paths[1], &b) == 0)
        gpudump_write_difference(gpudump, &a, &b);
    pixels_clear(&a);
    pixels_clear(&b);
}

enum program_status gpudump_diff(struct gpudump *gpudump)
{
    struct side sides[2] = {0};
    int status = read_side(gpudump, gpudump->paths[0], &sides[0]);

    if (status == 0)
        status = read_side(gpudump, gpudump->paths[1], &sides[1]);
    if (status == 0) {
        status = print_difference(gpudump, &sides[0], &sides[1]);
        if (status != 0 && status != -EPIPE)
            gpudump_tell(gpudump, gpudump_failed_place("diff"), status);
        if (gpudump->picture != NULL)
            write_picture(gpudump);
    }
    for (unsigned i = 0; i < 2; i++) {
        text_diff_clear(&sides[i].lines);
        text_clear(&sides[i].text);
    }
    return gpudump_outcome(gpudump);
}

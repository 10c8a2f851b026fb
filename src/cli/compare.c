/* SPDX-License-Identifier: MIT */
/* `gpudump diff A B`: shows where two dumps differ. */
#include "config.h"

#include "cli/gpudump.h"
#include "compare/comparison.h"

#include "base/log.h"
#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void tell_failed(void *context, const struct compare_side *side, uint64_t frame,
                        const char *what, int status)
{
    (void)context;
    log_write(LOG_ERR, "%s: frame %" PRIu64 ": %s: %s", side->path, frame, what, strerror(-status));
}

/*
 * Reads all frames of a dump in order, with one replay. A frame that cannot be read is logged, and
 * makes the result -EIO at the end.
 */
static int read_side(struct comparison *comparison, struct compare_side *side, bool wanted)
{
    struct progress progress;
    int status = compare_count_frames(side, SIZE_MAX);
    bool unread = false;

    if (status != 0) {
        log_write(LOG_ERR, "%s: %s", side->path, strerror(-status));
        return status;
    }
    progress_begin(&progress, wanted);
    for (size_t i = 0; i < side->count; i++) {
        unread = compare_read_frame(side, i, &comparison->listener, NULL) != 0 || unread;
        progress_show(&progress, side->path, i, side->count);
    }
    progress_end(&progress);
    if (dump_check_files(tree_dump(side->tree)) != 0) {
        log_write(LOG_ERR, "%s: the dump was changed while it was read", side->path);
        unread = true;
    }
    return unread ? -EIO : 0;
}

static int write_picture(struct gpudump *gpudump, const struct comparison *comparison)
{
    const struct align_pair *pair = comparison_first_picture(comparison);
    struct pixels a = {0}, b = {0};
    int status;

    if (pair == NULL || gpudump->picture == NULL)
        return 0;
    status = compare_read_picture(comparison->sides[0].tree, pair->a, NULL, &a);
    if (status == 0)
        status = compare_read_picture(comparison->sides[1].tree, pair->b, NULL, &b);
    if (status == 0)
        status = gpudump_write_difference(gpudump, &a, &b);
    else if (status == -ENOENT) /* one of them has no picture: there is nothing to show */
        status = 0;
    pixels_clear(&a);
    pixels_clear(&b);
    return status;
}

static int compare(struct gpudump *gpudump, struct comparison *comparison, json_t *found)
{
    bool wanted = !gpudump->program.quiet;
    int status = read_side(comparison, &comparison->sides[0], wanted);

    if (status == 0)
        status = read_side(comparison, &comparison->sides[1], wanted);
    if (status != 0)
        return status;
    status = comparison_align(comparison, NULL);
    if (status == 0) {
        comparison_count_frames(comparison, found);
        status = comparison_search(comparison, NULL, found);
        gpudump->differs = comparison_differs(comparison, found);
    }
    if (status == 0)
        status = write_picture(gpudump, comparison);
    if (status == 0 && gpudump->each_frame)
        comparison_list_frames(comparison, found);
    if (status != 0 && !gpudump->failed)
        log_write(LOG_ERR, "diff: %s", strerror(-status));
    return status;
}

static void print(const struct gpudump *gpudump, const json_t *found)
{
    struct text text = TEXT_INIT;

    if (gpudump->json) {
        json_dumpf(found, stdout, JSON_INDENT(2));
        putchar('\n');
    } else if (gpudump->differs && !gpudump->failed) {
        compare_write(found, &text);
        if (text.length > 0)
            fwrite(text.bytes, 1, text.length, stdout);
        text_clear(&text);
    }
}

static bool is_possible(const struct gpudump *gpudump)
{
    const char *const formats[2] = {tree_dump(gpudump->program.tree)->format,
                                    tree_dump(gpudump->other.tree)->format};
    const char *const paths[2] = {gpudump->dumps[0], gpudump->dumps[1]};
    struct text message = TEXT_INIT;
    bool possible = comparison_is_possible(formats, paths, &message);

    if (!possible)
        log_write(LOG_ERR, "%.*s", (int)message.length, message.bytes);
    text_clear(&message);
    return possible;
}

enum program_status gpudump_compare(struct gpudump *gpudump)
{
    struct comparison comparison = {
        .sides = {{.tree = gpudump->program.tree, .path = gpudump->dumps[0]},
                  {.tree = gpudump->other.tree, .path = gpudump->dumps[1]}},
        .listener = {.failed = tell_failed}};
    json_t *found = comparison_begin_found(&comparison);

    gpudump->failed = !is_possible(gpudump) || compare(gpudump, &comparison, found) != 0;
    comparison_end_found(&comparison, gpudump->failed, found);
    print(gpudump, found);
    json_decref(found);
    comparison_clear(&comparison);
    return gpudump_outcome(gpudump);
}

void gpudump_compare_unopened(const struct gpudump *gpudump)
{
    struct comparison comparison = {
        .sides = {{.path = gpudump->dumps[0]}, {.path = gpudump->dumps[1]}}};
    json_t *found = comparison_begin_found(&comparison);

    comparison_end_found(&comparison, true, found);
    print(gpudump, found);
    json_decref(found);
    comparison_clear(&comparison);
}

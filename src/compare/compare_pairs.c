/* SPDX-License-Identifier: MIT */
/*
 * The pairs of frames that differ: their names, their pictures, and links to the frames in the two
 * trees.
 */
#include "config.h"

#include "compare/compare_parts.h"

#include "compare/compare_dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { PAIR_BITS = 28, PAIR_DIGITS = 6 };

int compare_pair_find(struct dump *dump, uint64_t number, const struct align_pair **pair)
{
    struct compare_dump *compare = compare_of(dump);
    const struct comparison *comparison = &compare->comparison;

    if (!index_task_knows(&compare->pass, KNOWN_PAIRS))
        return -EAGAIN;
    if (number >= comparison->differing_count)
        return -ENOENT;
    *pair = &comparison->pairs[comparison->differing[number]];
    return 0;
}

static int next_pair(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *number)
{
    const struct align_pair *pair;

    (void)parent_key;
    *number = from;
    return compare_pair_find(dump, from, &pair);
}

static int name_pair(struct dump *dump, uint64_t parent_key, uint64_t number, char *name)
{
    const struct align_pair *pair;
    int status = compare_pair_find(dump, number, &pair);

    (void)parent_key;
    if (status != 0)
        return status;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64,
             (int)names_digits(compare_of(dump)->comparison.differing_count, PAIR_DIGITS), number);
    return 0;
}

const struct rule_family compare_pair_family = {PAIR_BITS, next_pair, name_pair, NULL};

/* Links to the frames in the two trees. */

struct dump *compare_pair_dump(struct dump *dump, unsigned side)
{
    return tree_dump(compare_of(dump)->comparison.sides[side].tree);
}

/* Finds the frame of a pair on one side; returns -ENOENT if only the other dump has the frame. */
static int find_frame(struct dump *dump, uint64_t number, unsigned side, uint64_t *frame)
{
    const struct align_pair *pair = NULL;
    int status = compare_pair_find(dump, number, &pair);

    if (status != 0)
        return status;
    *frame = side == 0 ? pair->a : pair->b;
    return *frame != ALIGN_NONE ? 0 : -ENOENT;
}

static int has_frame(struct dump *dump, uint64_t number, unsigned side)
{
    uint64_t frame = 0;

    return find_frame(dump, number, side, &frame);
}

static int has_picture(struct dump *dump, uint64_t number, unsigned side)
{
    struct dump *own = compare_pair_dump(dump, side);
    uint64_t frame = 0;
    int status = find_frame(dump, number, side, &frame);

    if (status == 0 && !dump_has_pictures(own))
        status = -ENOENT;
    return status == 0 ? names_has_picture(own, frame) : status;
}

int compare_pair_has_a(struct dump *dump, uint64_t number)
{
    return has_frame(dump, number, 0);
}

int compare_pair_has_b(struct dump *dump, uint64_t number)
{
    return has_frame(dump, number, 1);
}

int compare_pair_has_a_png(struct dump *dump, uint64_t number)
{
    return has_picture(dump, number, 0);
}

int compare_pair_has_b_png(struct dump *dump, uint64_t number)
{
    return has_picture(dump, number, 1);
}

static int make_link(struct dump *dump, uint64_t number, unsigned side, const char *folder,
                     const char *suffix, struct blob **out)
{
    struct text text = TEXT_INIT;
    char name[RULE_NAME_MAX + 1];
    uint64_t frame = 0;
    int status = find_frame(dump, number, side, &frame);

    if (status == 0)
        status = names_frame(compare_pair_dump(dump, side), frame, suffix, name);
    if (status != 0)
        return status;
    text_printf(&text, "../../%s/%s/%s", side == 0 ? COMPARE_A : COMPARE_B, folder, name);
    status = text_blob(&text, out);
    text_clear(&text);
    return status;
}

int compare_pair_make_a(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out)
{
    (void)cancel;
    return make_link(dump, number, 0, "by-frame", "", out);
}

int compare_pair_make_b(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out)
{
    (void)cancel;
    return make_link(dump, number, 1, "by-frame", "", out);
}

int compare_pair_make_a_png(struct dump *dump, uint64_t number, const struct cancel *cancel,
                            struct blob **out)
{
    (void)cancel;
    return make_link(dump, number, 0, "frames", ".png", out);
}

int compare_pair_make_b_png(struct dump *dump, uint64_t number, const struct cancel *cancel,
                            struct blob **out)
{
    (void)cancel;
    return make_link(dump, number, 1, "frames", ".png", out);
}

/* The picture of where the two pictures differ. */

int compare_pair_has_difference(struct dump *dump, uint64_t number)
{
    const struct align_pair *pair = NULL;
    int status = compare_pair_find(dump, number, &pair);

    if (status == 0 && !comparison_pictures_differ(&compare_of(dump)->comparison, pair))
        status = -ENOENT;
    if (status == 0)
        status = compare_pair_has_a_png(dump, number);
    return status == 0 ? compare_pair_has_b_png(dump, number) : status;
}

int compare_pair_size_difference(struct dump *dump, uint64_t number, uint64_t *size)
{
    struct dump_picture picture = {.header = {.colour = PICTURE_RGB}}, own;
    int status = compare_pair_has_difference(dump, number);

    for (unsigned i = 0; status == 0 && i < 2; i++) {
        uint64_t frame = 0;

        status = find_frame(dump, number, i, &frame);
        if (status == 0)
            status = dump_picture_header(compare_pair_dump(dump, i), frame, &own);
        if (status == 0 && own.header.width > picture.header.width)
            picture.header.width = own.header.width;
        if (status == 0 && own.header.height > picture.header.height)
            picture.header.height = own.header.height;
    }
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int compare_pair_make_difference(struct dump *dump, uint64_t number, const struct cancel *cancel,
                                 struct blob **out)
{
    const struct compare_side *sides = compare_of(dump)->comparison.sides;
    const struct align_pair *pair = NULL;
    struct pixels a = {0}, b = {0};
    int status = compare_pair_has_difference(dump, number);

    if (status == 0)
        status = compare_pair_find(dump, number, &pair);
    if (status == 0)
        status = compare_read_picture(sides[0].tree, pair->a, cancel, &a);
    if (status == 0)
        status = compare_read_picture(sides[1].tree, pair->b, cancel, &b);
    if (status == 0)
        status = pixels_draw_difference(&a, &b, dump->options->png, cancel, out);
    pixels_clear(&a);
    pixels_clear(&b);
    return status;
}

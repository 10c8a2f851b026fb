/* SPDX-License-Identifier: MIT */
/*
 * `gpudump diff A B`: where two dumps differ. One pass over each dump makes a key of every frame;
 * frames are aligned by these, and only the first ones that differ are looked at again.
 */
#include "config.h"

#include "cli/compare.h"

#include "base/log.h"
#include "tree/dump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 64 }; /* that are searched for the first draw and texture */

struct comparison {
    struct gpudump *gpudump;
    struct compare_side sides[2];
    struct align_pair *pairs;
    size_t count;
    json_t *found;
};

static bool is_one_sided(const struct align_pair *pair)
{
    return pair->a == ALIGN_NONE || pair->b == ALIGN_NONE;
}

static bool commands_differ(const struct comparison *comparison, const struct align_pair *pair)
{
    return !is_one_sided(pair) && !align_same_commands(&comparison->sides[0].keys[pair->a],
                                                       &comparison->sides[1].keys[pair->b]);
}

static bool pictures_differ(const struct comparison *comparison, const struct align_pair *pair)
{
    return !is_one_sided(pair) && !align_same_picture(&comparison->sides[0].keys[pair->a],
                                                      &comparison->sides[1].keys[pair->b]);
}

static bool pair_differs(const struct comparison *comparison, const struct align_pair *pair)
{
    return is_one_sided(pair) || commands_differ(comparison, pair) ||
           pictures_differ(comparison, pair);
}

static json_t *frame_or_null(uint64_t frame)
{
    return frame != ALIGN_NONE ? json_integer((json_int_t)frame) : json_null();
}

static json_t *frames_of(const struct align_pair *pair)
{
    return json_pack("[o,o]", frame_or_null(pair->a), frame_or_null(pair->b));
}

static void count_pairs(const struct comparison *comparison)
{
    json_int_t same = 0, differ = 0, only[2] = {0};

    for (size_t i = 0; i < comparison->count; i++) {
        const struct align_pair *pair = &comparison->pairs[i];

        if (is_one_sided(pair)) {
            if (only[0] + only[1] == 0)
                json_object_set_new(comparison->found, "only",
                                    json_pack("{s:o}", "frames", frames_of(pair)));
            only[pair->a == ALIGN_NONE]++;
        } else if (pair_differs(comparison, pair))
            differ++;
        else
            same++;
    }
    comparison->gpudump->differs = differ + only[0] + only[1] > 0;
    json_object_set_new(
        comparison->found, "frames",
        json_pack("{s:I,s:I,s:[I,I]}", "same", same, "differ", differ, "only", only[0], only[1]));
}

static void list_pairs(const struct comparison *comparison)
{
    json_t *list = json_array();

    for (size_t i = 0; i < comparison->count; i++) {
        const struct align_pair *pair = &comparison->pairs[i];

        if (!pair_differs(comparison, pair))
            continue;
        json_array_append_new(list, json_pack("{s:[o,o],s:b,s:b}", "frames", frame_or_null(pair->a),
                                              frame_or_null(pair->b), "commands",
                                              commands_differ(comparison, pair), "picture",
                                              pictures_differ(comparison, pair)));
    }
    json_object_set_new(comparison->found, "differing", list);
}

static const struct align_pair *find_pair(const struct comparison *comparison, uint64_t frame)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->pairs[i].a == frame && !is_one_sided(&comparison->pairs[i]))
            return &comparison->pairs[i];
    return NULL;
}

/* The first frame that samples another texture, also one whose picture does not show it. */
static int search_texture(const struct comparison *comparison)
{
    uint64_t *frames = NULL;
    size_t count = 0, looked_at = 0;
    int status = compare_list_textures(comparison->sides, &frames, &count);

    for (size_t i = 0; status == 0 && i < count && looked_at < PAIRS_MAX; i++) {
        const struct align_pair *pair = find_pair(comparison, frames[i]);

        if (pair == NULL || (i > 0 && frames[i] == frames[i - 1]))
            continue;
        status = compare_textures(comparison->sides, pair, comparison->found);
        if (json_object_get(comparison->found, "textures") != NULL)
            break;
        looked_at++;
    }
    free(frames);
    return status;
}

/*
 * The first command, and from there on the first draw that differs or samples what does, if it is
 * not known yet: as far as the first picture that shows a difference.
 */
static int search_command(const struct comparison *comparison)
{
    json_t *found = comparison->found;
    size_t looked_at = 0;
    bool shown = false;
    int status = 0;

    for (size_t i = 0; status == 0 && looked_at < PAIRS_MAX && i < comparison->count; i++) {
        const struct align_pair *pair = &comparison->pairs[i];

        if (is_one_sided(pair) || (looked_at == 0 && !commands_differ(comparison, pair)))
            continue;
        if (commands_differ(comparison, pair))
            status = compare_commands(comparison->sides, pair, found);
        if (status == 0 && json_object_get(found, "textures") == NULL)
            status = compare_textures(comparison->sides, pair, found);
        shown = shown || pictures_differ(comparison, pair);
        if (shown || json_object_get(found, "draw") != NULL)
            break;
        looked_at++;
    }
    return status;
}

static int write_picture(struct comparison *comparison, const struct align_pair *pair)
{
    struct gpudump *gpudump = comparison->gpudump;
    struct pixels a, b = {0};
    int status = compare_read_picture(comparison->sides[0].tree, pair->a, &a);

    if (status == 0)
        status = compare_read_picture(comparison->sides[1].tree, pair->b, &b);
    if (status == 0)
        status = gpudump_write_difference(gpudump, &a, &b);
    else if (status == -ENOENT) /* one of them has no picture: nothing can be shown */
        status = 0;
    pixels_clear(&a);
    pixels_clear(&b);
    return status;
}

/* The first picture that differs, and what its frame samples. */
static int search_picture(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const struct align_pair *pair = &comparison->pairs[i];
        int status;

        if (!pictures_differ(comparison, pair))
            continue;
        status = compare_pictures(comparison->sides, pair, comparison->found);
        if (status == 0 && json_object_get(comparison->found, "textures") == NULL)
            status = compare_textures(comparison->sides, pair, comparison->found);
        if (status == 0 && comparison->gpudump->picture != NULL)
            status = write_picture(comparison, pair);
        return status;
    }
    return 0;
}

static int compare(struct comparison *comparison)
{
    bool wanted = !comparison->gpudump->program.quiet;
    struct compare_side *sides = comparison->sides;
    int status = compare_read_side(&sides[0], wanted);

    if (status == 0)
        status = compare_read_side(&sides[1], wanted);
    if (status != 0)
        return status;
    status = align_frames(sides[0].keys, sides[0].count, sides[1].keys, sides[1].count,
                          &comparison->pairs, &comparison->count);
    if (status == 0) {
        count_pairs(comparison);
        if (comparison->gpudump->differs)
            status = search_texture(comparison);
    }
    if (status == 0)
        status = search_command(comparison);
    if (status == 0)
        status = search_picture(comparison);
    if (status == 0 && comparison->gpudump->each_frame)
        list_pairs(comparison);
    if (status != 0 && !comparison->gpudump->failed)
        log_write(LOG_ERR, "diff: %s", strerror(-status));
    return status;
}

static json_t *begin_found(const struct comparison *comparison)
{
    json_t *found = json_pack("{s:i}", "version", COMPARE_VERSION), *dumps = json_array();

    for (unsigned i = 0; i < 2; i++) {
        struct text path = TEXT_INIT;

        text_add_visible(&path, comparison->sides[i].path, strlen(comparison->sides[i].path));
        json_array_append_new(dumps, json_stringn(path.length > 0 ? path.bytes : "", path.length));
        text_clear(&path);
    }
    json_object_set_new(found, "dumps", dumps);
    return found;
}

static void print(const struct comparison *comparison)
{
    const char *result = comparison->gpudump->failed    ? "error"
                         : comparison->gpudump->differs ? "differ"
                                                        : "same";

    json_object_set_new(comparison->found, "result", json_string(result));
    if (comparison->gpudump->json) {
        json_dumpf(comparison->found, stdout, JSON_INDENT(2));
        putchar('\n');
    } else if (comparison->gpudump->differs && !comparison->gpudump->failed) {
        compare_print(comparison->found);
    }
}

static bool have_one_format(const struct comparison *comparison)
{
    const char *formats[2] = {tree_dump(comparison->sides[0].tree)->format,
                              tree_dump(comparison->sides[1].tree)->format};

    if (strcmp(formats[0], formats[1]) == 0)
        return true;
    log_write(LOG_ERR, "%s is a dump of %s and %s one of %s: they cannot be compared",
              comparison->sides[0].path, formats[0], comparison->sides[1].path, formats[1]);
    return false;
}

enum program_status gpudump_compare(struct gpudump *gpudump)
{
    struct comparison comparison = {
        .gpudump = gpudump,
        .sides = {{.tree = gpudump->program.tree, .path = gpudump->dumps[0]},
                  {.tree = gpudump->other.tree, .path = gpudump->dumps[1]}}};

    comparison.found = begin_found(&comparison);
    gpudump->failed = !have_one_format(&comparison) || compare(&comparison) != 0;
    print(&comparison);
    json_decref(comparison.found);
    free(comparison.pairs);
    free(comparison.sides[0].keys);
    free(comparison.sides[1].keys);
    return gpudump_outcome(gpudump);
}

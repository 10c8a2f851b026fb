/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/comparison.h"

#include "tree/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 64 }; /* pairs searched for the first draw and texture that differ */

bool comparison_is_one_sided(const struct align_pair *pair)
{
    return pair->a == ALIGN_NONE || pair->b == ALIGN_NONE;
}

bool comparison_commands_differ(const struct comparison *comparison, const struct align_pair *pair)
{
    return !comparison_is_one_sided(pair) &&
           !align_same_commands(&comparison->sides[0].keys[pair->a],
                                &comparison->sides[1].keys[pair->b]);
}

bool comparison_pictures_differ(const struct comparison *comparison, const struct align_pair *pair)
{
    return !comparison_is_one_sided(pair) &&
           !align_same_picture(&comparison->sides[0].keys[pair->a],
                               &comparison->sides[1].keys[pair->b]);
}

static bool pair_differs(const struct comparison *comparison, const struct align_pair *pair)
{
    return comparison_is_one_sided(pair) || comparison_commands_differ(comparison, pair) ||
           comparison_pictures_differ(comparison, pair);
}

static int list_differing(struct comparison *comparison)
{
    comparison->differing = calloc(comparison->count + 1, sizeof(*comparison->differing));
    if (comparison->differing == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < comparison->count; i++)
        if (pair_differs(comparison, &comparison->pairs[i]))
            comparison->differing[comparison->differing_count++] = i;
    return 0;
}

int comparison_align(struct comparison *comparison, const struct cancel *cancel)
{
    const struct compare_side *a = &comparison->sides[0], *b = &comparison->sides[1];
    int status = align_frames(a->keys, a->count, b->keys, b->count, cancel, &comparison->pairs,
                              &comparison->count);

    if (status == 0)
        status = list_differing(comparison);
    if (status != 0) {
        free(comparison->pairs);
        comparison->pairs = NULL;
        comparison->count = 0;
    }
    return status;
}

void comparison_clear(struct comparison *comparison)
{
    free(comparison->differing);
    free(comparison->pairs);
    free(comparison->sides[0].keys);
    free(comparison->sides[1].keys);
}

bool comparison_is_possible(const char *const formats[2], const char *const paths[2],
                            struct text *message)
{
    if (strcmp(formats[0], formats[1]) == 0)
        return true;
    text_printf(message, "%s is a dump of %s and %s is one of %s: they cannot be compared",
                paths[0], formats[0], paths[1], formats[1]);
    return false;
}

void comparison_count_frames(const struct comparison *comparison, json_t *found)
{
    json_int_t same = 0, differ = 0, only[2] = {0};

    for (size_t i = 0; i < comparison->count; i++) {
        const struct align_pair *pair = &comparison->pairs[i];

        if (comparison_is_one_sided(pair)) {
            if (only[0] + only[1] == 0)
                json_object_set_new(found, "only",
                                    json_pack("{s:o}", "frames", compare_frames_of(pair)));
            only[pair->a == ALIGN_NONE]++;
        } else if (pair_differs(comparison, pair))
            differ++;
        else
            same++;
    }
    json_object_set_new(
        found, "frames",
        json_pack("{s:I,s:I,s:[I,I]}", "same", same, "differ", differ, "only", only[0], only[1]));
}

void comparison_list_frames(const struct comparison *comparison, json_t *found)
{
    json_t *list = json_array();

    for (size_t i = 0; i < comparison->differing_count; i++) {
        const struct align_pair *pair = &comparison->pairs[comparison->differing[i]];

        json_array_append_new(list,
                              json_pack("{s:o,s:b,s:b}", "frames", compare_frames_of(pair),
                                        "commands", comparison_commands_differ(comparison, pair),
                                        "picture", comparison_pictures_differ(comparison, pair)));
    }
    json_object_set_new(found, "differing", list);
}

static const struct align_pair *find_pair(const struct comparison *comparison, uint64_t frame)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->pairs[i].a == frame && !comparison_is_one_sided(&comparison->pairs[i]))
            return &comparison->pairs[i];
    return NULL;
}

/*
 * Searches for the first frame that samples a different texture, even if its picture does not show
 * it.
 */
static int search_texture(const struct comparison *comparison, const struct cancel *cancel,
                          json_t *found)
{
    uint64_t *frames = NULL;
    size_t count = 0, looked_at = 0;
    int status = compare_list_textures(comparison->sides, cancel, &frames, &count);

    for (size_t i = 0; status == 0 && i < count && looked_at < PAIRS_MAX; i++) {
        const struct align_pair *pair = find_pair(comparison, frames[i]);

        if (pair == NULL || (i > 0 && frames[i] == frames[i - 1]))
            continue;
        status = compare_textures(comparison->sides, pair, cancel, found);
        if (json_object_get(found, "textures") != NULL)
            break;
        looked_at++;
    }
    free(frames);
    return status;
}

/*
 * Searches for the first command that differs and, from there on, for the first draw that differs
 * or samples something different, if that is not known yet; ends after the first picture that shows
 * a difference.
 */
static int search_command(const struct comparison *comparison, const struct cancel *cancel,
                          json_t *found)
{
    size_t looked_at = 0;
    bool shown = false;
    int status = 0;

    for (size_t i = 0; status == 0 && looked_at < PAIRS_MAX && i < comparison->count; i++) {
        const struct align_pair *pair = &comparison->pairs[i];

        if (comparison_is_one_sided(pair) ||
            (looked_at == 0 && !comparison_commands_differ(comparison, pair)))
            continue;
        if (comparison_commands_differ(comparison, pair))
            status = compare_commands(comparison->sides, pair, cancel, found);
        if (status == 0 && looked_at == 0)
            status = compare_draws(comparison->sides, pair, cancel, found);
        if (status == 0 && json_object_get(found, "textures") == NULL)
            status = compare_textures(comparison->sides, pair, cancel, found);
        shown = shown || comparison_pictures_differ(comparison, pair);
        if (shown || json_object_get(found, "draw") != NULL)
            break;
        looked_at++;
    }
    return status;
}

const struct align_pair *comparison_first_picture(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->differing_count; i++) {
        const struct align_pair *pair = &comparison->pairs[comparison->differing[i]];

        if (comparison_pictures_differ(comparison, pair))
            return pair;
    }
    return NULL;
}

/*
 * Searches for the first picture that differs, what differs in the textures that its frame samples,
 * and from which draw on the picture differs.
 */
static int search_picture(const struct comparison *comparison, const struct cancel *cancel,
                          json_t *found)
{
    const struct align_pair *pair = comparison_first_picture(comparison);
    int status;

    if (pair == NULL)
        return 0;
    status = compare_pictures(comparison->sides, pair, cancel, found);
    if (status == 0 && json_object_get(found, "textures") == NULL)
        status = compare_textures(comparison->sides, pair, cancel, found);
    return status == 0 ? compare_draws(comparison->sides, pair, cancel, found) : status;
}

int comparison_search(const struct comparison *comparison, const struct cancel *cancel,
                      json_t *found)
{
    int status = compare_figures(comparison->sides, cancel, found);

    if (status == 0)
        status = compare_objects(comparison->sides, cancel, found);
    if (status == 0 && comparison->differing_count > 0)
        status = search_texture(comparison, cancel, found);
    if (status == 0)
        status = search_command(comparison, cancel, found);
    return status == 0 ? search_picture(comparison, cancel, found) : status;
}

int comparison_search_pair(const struct comparison *comparison, const struct align_pair *pair,
                           const struct cancel *cancel, json_t *found)
{
    int status = 0;

    json_object_set_new(found, "frames", compare_frames_of(pair));
    if (comparison_is_one_sided(pair))
        return 0;
    if (comparison_commands_differ(comparison, pair))
        status = compare_commands(comparison->sides, pair, cancel, found);
    if (status == 0)
        status = compare_textures(comparison->sides, pair, cancel, found);
    if (status == 0 && comparison_pictures_differ(comparison, pair))
        status = compare_pictures(comparison->sides, pair, cancel, found);
    return status == 0 ? compare_draws(comparison->sides, pair, cancel, found) : status;
}

json_t *comparison_begin_found(const struct comparison *comparison)
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

bool comparison_differs(const struct comparison *comparison, const json_t *found)
{
    return comparison->differing_count > 0 || json_object_get(found, "objects") != NULL ||
           json_object_get(found, "figures") != NULL;
}

void comparison_end_found(const struct comparison *comparison, bool failed, json_t *found)
{
    const char *result = failed                                  ? "error"
                         : comparison_differs(comparison, found) ? "differ"
                                                                 : "same";

    json_object_set_new(found, "result", json_string(result));
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare_listing.h"

#include "compare/contents.h"
#include "compare/found.h"
#include "tree/dump.h"

#include <errno.h>

int compare_listing_read(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                         struct compare_listing *out)
{
    text_diff_skip *skip = tree_dump(tree)->ops->texts.command_place;
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    *out = (struct compare_listing){.compared = TEXT_INIT, .shown = TEXT_INIT};
    status = compare_read_commands(tree, frame, cancel, &out->compared);
    if (status == 0)
        status = text_diff_split(out->compared.bytes, out->compared.length, NULL, &out->lines);
    if (status == 0)
        status = contents_find_frame(tree, "by-frame/", frame, "/commands.txt", path, &inode);
    if (status == 0)
        status = contents_read(tree, inode, cancel, &out->shown);
    if (status == 0)
        status = text_diff_split(out->shown.bytes, out->shown.length, NULL, &out->places);
    if (status == 0)
        status = text_diff_split(out->shown.bytes, out->shown.length, skip, &out->commands);
    if (status == 0 && out->commands.count != out->lines.count)
        status = -EIO;
    return status == -ENOENT ? 0 : status;
}

void compare_listing_clear(struct compare_listing *listing)
{
    text_diff_clear(&listing->lines);
    text_diff_clear(&listing->places);
    text_diff_clear(&listing->commands);
    text_clear(&listing->compared);
    text_clear(&listing->shown);
}

void compare_listing_number(const struct compare_side *side, const struct compare_listing *listing,
                            struct compare_place *place)
{
    const struct text_diff_line *line;

    place->packet = place->draw = DUMP_NOT_KNOWN;
    if (place->line == ALIGN_NONE)
        return;
    line = &listing->places.list[place->line];
    dump_command_numbers(tree_dump(side->tree), line->bytes, line->length, &place->packet,
                         &place->draw);
}

json_t *compare_listing_describe(const struct align_pair *pair,
                                 const struct compare_place places[2],
                                 const struct compare_listing listings[2])
{
    json_t *object = json_object(), *commands = json_array();

    json_object_set_new(object, "frames", compare_frames_of(pair));
    json_object_set_new(object, "lines", found_numbers(places[0].line, places[1].line));
    json_object_set_new(object, "packets", found_numbers(places[0].packet, places[1].packet));
    json_object_set_new(object, "draws", found_numbers(places[0].draw, places[1].draw));
    for (unsigned i = 0; i < 2; i++) {
        const struct text_diff_line *line =
            places[i].line != ALIGN_NONE ? &listings[i].commands.list[places[i].line] : NULL;

        json_array_append_new(commands,
                              line != NULL ? found_string(line->bytes, line->length) : json_null());
    }
    json_object_set_new(object, "commands", commands);
    return object;
}

/* Stores the frame and line of a draw in the first dump, or in the second if the first has none. */
static void order_of(const json_t *draw, json_int_t order[2])
{
    static const char *const keys[2] = {"frames", "lines"};

    for (unsigned i = 0; i < 2; i++) {
        const json_t *two = json_object_get(draw, keys[i]), *one = json_array_get(two, 0);

        order[i] = json_integer_value(json_is_integer(one) ? one : json_array_get(two, 1));
    }
}

void compare_listing_set_draw(json_t *found, json_t *draw, const char *why)
{
    const json_t *former = json_object_get(found, "draw");
    json_int_t own[2], other[2];

    order_of(draw, own);
    order_of(former, other);
    json_object_set_new(draw, "why", json_string(why));
    if (former == NULL || own[0] < other[0] || (own[0] == other[0] && own[1] < other[1]))
        json_object_set(found, "draw", draw);
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare.h"

#include "compare/compare_listing.h"
#include "compare/contents.h"
#include "compare/found.h"
#include "tree/dump.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { UPLOADS_MAX = 256 }; /* uploads compared in a frame */

json_t *compare_frames_of(const struct align_pair *pair)
{
    return found_numbers(pair->a, pair->b);
}

/* Commands. */

static void find_places(const struct compare_side sides[2], const struct align_pair *pair,
                        const struct compare_listing listings[2],
                        const struct text_diff_marks *marks, json_t *found)
{
    const size_t counts[2] = {listings[0].lines.count, listings[1].lines.count};
    struct compare_place places[2];
    uint64_t at[2] = {0, 0}, lines[2];
    bool is_drawn = false;

    while (!is_drawn && text_diff_next(counts, marks, at, lines)) {
        for (unsigned i = 0; i < 2; i++) {
            places[i].line = lines[i];
            compare_listing_number(&sides[i], &listings[i], &places[i]);
        }
        if (json_object_get(found, "command") == NULL)
            json_object_set_new(found, "command", compare_listing_describe(pair, places, listings));
        is_drawn = places[0].draw != DUMP_NOT_KNOWN || places[1].draw != DUMP_NOT_KNOWN;
    }
    if (is_drawn) {
        json_t *draw = compare_listing_describe(pair, places, listings);

        compare_listing_set_draw(found, draw, "command");
        json_decref(draw);
    }
}

static void add_hunk(const struct compare_listing listings[2], const struct text_diff_marks *marks,
                     json_t *command)
{
    struct text hunk = TEXT_INIT;

    text_diff_write_marked(&listings[0].commands, &listings[1].commands, marks, 1, &hunk);
    if (text_status(&hunk) == 0) {
        json_t *lines = json_array();
        struct text_diff_lines split = {0};

        if (text_diff_split(hunk.bytes, hunk.length, NULL, &split) == 0)
            for (size_t i = 0; i < split.count; i++)
                json_array_append_new(lines,
                                      found_string(split.list[i].bytes, split.list[i].length));
        text_diff_clear(&split);
        json_object_set_new(command, "hunk", lines);
    }
    text_clear(&hunk);
}

/* Uploads: finds the first one whose data differs. */

struct upload_search {
    const struct compare_side *sides;
    const struct align_pair *pair;
    const struct cancel *cancel;
    json_t *found;
    unsigned looked_at;
    int status;
};

static int read_upload(const struct compare_side *side, uint64_t frame, const char *name,
                       const struct cancel *cancel, struct pixels *out)
{
    char rest[CONTENTS_PATH], path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    snprintf(rest, sizeof(rest), "/%s/%s", tree_dump(side->tree)->ops->compared.uploads, name);
    status = contents_find_frame(side->tree, "by-frame/", frame, rest, path, &inode);
    return status == 0 ? pixels_read(side->tree, inode, cancel, out) : status;
}

static bool compare_upload(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                           uint64_t next_cursor)
{
    struct upload_search *search = context;
    struct pixels a = {0}, b = {0};
    struct pixels_difference difference = {0};

    (void)inode, (void)next_cursor;
    if (kind != RULE_FILE || strlen(name) >= CONTENTS_PATH / 2)
        return true;
    search->status = read_upload(&search->sides[0], search->pair->a, name, search->cancel, &a);
    if (search->status == 0)
        search->status = read_upload(&search->sides[1], search->pair->b, name, search->cancel, &b);
    if (search->status == 0)
        pixels_compare(&a, &b, &difference);
    if (difference.count > 0) {
        json_t *upload = json_object();

        json_object_set_new(upload, "frames", compare_frames_of(search->pair));
        json_object_set_new(upload, "file", json_string(name));
        found_set_pixels(upload, &a, &b, &difference);
        json_object_set_new(search->found, "upload", upload);
    }
    pixels_clear(&a);
    pixels_clear(&b);
    /* -ENOENT: the other frame has the upload at another place, as its command shows. */
    if (search->status == -ENOENT)
        search->status = 0;
    return search->status == 0 && difference.count == 0 && ++search->looked_at < UPLOADS_MAX;
}

static int compare_uploads(const struct compare_side sides[2], const struct align_pair *pair,
                           const struct cancel *cancel, json_t *found)
{
    struct upload_search search = {.sides = sides, .pair = pair, .cancel = cancel, .found = found};
    const char *folder = tree_dump(sides[0].tree)->ops->compared.uploads;
    char rest[CONTENTS_PATH], path[CONTENTS_PATH];
    uint64_t inode = 0, cursor = 0;
    int status;

    if (folder == NULL)
        return 0;
    snprintf(rest, sizeof(rest), "/%s", folder);
    status = contents_find_frame(sides[0].tree, "by-frame/", pair->a, rest, path, &inode);
    if (status == 0)
        status = tree_list(sides[0].tree, inode, &cursor, compare_upload, &search);
    if (status == 0)
        status = search.status;
    return status == -ENOENT || status == -ENOTDIR ? 0 : status;
}

/* The commands of two frames, and which of them the other frame lacks. */
struct listing_pair {
    struct compare_listing listings[2];
    struct text_diff_marks marks;
};

static int read_listings(const struct compare_side sides[2], const struct align_pair *pair,
                         const struct cancel *cancel, struct listing_pair *out)
{
    struct compare_listing *listings = out->listings;
    int status;

    *out = (struct listing_pair){0};
    status = compare_listing_read(sides[0].tree, pair->a, cancel, &listings[0]);
    if (status == 0)
        status = compare_listing_read(sides[1].tree, pair->b, cancel, &listings[1]);
    if (status == 0)
        status = text_diff_mark(&listings[0].lines, &listings[1].lines, cancel, &out->marks);
    return status;
}

static void clear_listings(struct listing_pair *pair)
{
    text_diff_clear_marks(&pair->marks);
    compare_listing_clear(&pair->listings[0]);
    compare_listing_clear(&pair->listings[1]);
}

int compare_commands(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found)
{
    bool is_first = json_object_get(found, "command") == NULL;
    struct listing_pair both;
    int status = read_listings(sides, pair, cancel, &both);

    if (status == 0) {
        find_places(sides, pair, both.listings, &both.marks, found);
        if (is_first && json_object_get(found, "command") != NULL)
            add_hunk(both.listings, &both.marks, json_object_get(found, "command"));
    }
    if (status == 0 && is_first)
        status = compare_uploads(sides, pair, cancel, found);
    clear_listings(&both);
    return status;
}

int compare_write_commands(const struct compare_side sides[2], const struct align_pair *pair,
                           const struct cancel *cancel, struct text *out)
{
    struct listing_pair both;
    int status = read_listings(sides, pair, cancel, &both);

    if (status == 0)
        text_diff_write_marked(&both.listings[0].commands, &both.listings[1].commands, &both.marks,
                               SIZE_MAX, out);
    clear_listings(&both);
    return status;
}

static json_t *size_of(const struct pixels *pixels)
{
    return json_pack("[i,i]", (int)pixels->width, (int)pixels->height);
}

int compare_pictures(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found)
{
    struct pixels a, b = {0};
    struct pixels_difference difference;
    int status = compare_read_picture(sides[0].tree, pair->a, cancel, &a);

    if (status == 0 || status == -ENOENT)
        status = compare_read_picture(sides[1].tree, pair->b, cancel, &b);
    if (status == 0 || status == -ENOENT) {
        json_t *picture = json_object();

        pixels_compare(&a, &b, &difference);
        json_object_set_new(picture, "frames", compare_frames_of(pair));
        found_set_pixels(picture, &a, &b, &difference);
        json_object_set_new(picture, "max_difference", json_integer(difference.max));
        json_object_set_new(picture, "sizes", json_pack("[o,o]", size_of(&a), size_of(&b)));
        json_object_set_new(found, "picture", picture);
        status = 0;
    }
    pixels_clear(&a);
    pixels_clear(&b);
    return status;
}

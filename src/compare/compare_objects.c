/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare.h"

#include "compare/contents.h"
#include "compare/found.h"
#include "compare/objects.h"
#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS_MAX = 1 << 12 }; /* draws of a frame whose pictures are compared */

/* The objects of both dumps, and which of them the other dump lacks. */
struct object_pair {
    struct objects objects[2];
    struct text_diff_marks marks;
};

static int read_pair(const struct compare_side sides[2], const struct dump_objects *kind,
                     char prefixes[2][CONTENTS_PATH], bool with_bytes, const struct cancel *cancel,
                     struct object_pair *out)
{
    int status = 0;

    *out = (struct object_pair){0};
    for (unsigned i = 0; status == 0 && i < 2; i++)
        status =
            objects_read(sides[i].tree, kind, prefixes[i], with_bytes, cancel, &out->objects[i]);
    if (status == 0)
        status =
            text_diff_mark(&out->objects[0].lines, &out->objects[1].lines, cancel, &out->marks);
    return status;
}

static void clear_pair(struct object_pair *pair)
{
    text_diff_clear_marks(&pair->marks);
    objects_clear(&pair->objects[0]);
    objects_clear(&pair->objects[1]);
}

static void count_rows(const struct object_pair *pair, json_int_t counts[2])
{
    for (size_t i = 0; i < pair->objects[0].lines.count; i++)
        counts[0] += pair->marks.gone[i];
    for (size_t i = 0; i < pair->objects[1].lines.count; i++)
        counts[1] += pair->marks.come[i];
}

/* What differs in two rows. */

static json_t *describe_row(const struct objects *objects, uint64_t row)
{
    struct text text = TEXT_INIT;
    json_t *string;

    if (row == TEXT_DIFF_NONE)
        return json_null();
    objects_describe(objects, row, &text);
    string = found_string(text.bytes, text.length);
    text_clear(&text);
    return string;
}

static void set_rows(const struct object_pair *pair, const uint64_t rows[2], const char *key,
                     json_t *object)
{
    json_object_set_new(object, key,
                        json_pack("[o,o]", describe_row(&pair->objects[0], rows[0]),
                                  describe_row(&pair->objects[1], rows[1])));
}

static uint64_t either(const struct object_pair *pair, unsigned side, const uint64_t rows[2],
                       uint64_t (*get)(const struct objects *objects, size_t row))
{
    return rows[side] != TEXT_DIFF_NONE ? get(&pair->objects[side], rows[side]) : UINT64_MAX;
}

static json_t *name_of(const struct object_pair *pair, unsigned side, uint64_t row)
{
    const struct objects *objects = &pair->objects[side];

    if (row == TEXT_DIFF_NONE || objects->files[row].inode == 0)
        return json_null();
    return json_sprintf("%s/%s", objects->kind->folder, objects_file_name(objects, row));
}

/* Sets the offset of the first byte that differs, also if one file is a prefix of the other. */
static int set_offset(const struct compare_side sides[2], const uint64_t inodes[2],
                      const struct cancel *cancel, json_t *object)
{
    struct text bytes[2] = {TEXT_INIT, TEXT_INIT};
    size_t shorter, at = 0;
    int status = contents_read(sides[0].tree, inodes[0], cancel, &bytes[0]);

    if (status == 0)
        status = contents_read(sides[1].tree, inodes[1], cancel, &bytes[1]);
    if (status == 0) {
        shorter = bytes[0].length < bytes[1].length ? bytes[0].length : bytes[1].length;
        while (at < shorter && bytes[0].bytes[at] == bytes[1].bytes[at])
            at++;
        if (at < shorter || bytes[0].length != bytes[1].length)
            json_object_set_new(object, "offset", json_integer((json_int_t)at));
    }
    text_clear(&bytes[0]);
    text_clear(&bytes[1]);
    return status;
}

/*
 * Sets the pixels that differ in two pictures; nothing if the pictures are equal. Returns 0, -EIO
 * if a file is no picture, or another -errno.
 */
static int set_pixels(const struct compare_side sides[2], const uint64_t inodes[2],
                      const struct cancel *cancel, json_t *object)
{
    struct pixels a = {0}, b = {0};
    struct pixels_difference difference = {0};
    int status = pixels_read(sides[0].tree, inodes[0], cancel, &a);

    if (status == 0)
        status = pixels_read(sides[1].tree, inodes[1], cancel, &b);
    if (status == 0)
        pixels_compare(&a, &b, &difference);
    if (difference.count > 0)
        found_set_pixels(object, &a, &b, &difference);
    pixels_clear(&a);
    pixels_clear(&b);
    return status;
}

static bool is_picture(const char *name)
{
    size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".png") == 0;
}

/* Finds the files of two rows; returns false unless both have one. */
static bool find_files(const struct object_pair *pair, const uint64_t rows[2],
                       const struct objects_file *files[2], uint64_t inodes[2])
{
    for (unsigned i = 0; i < 2; i++) {
        if (rows[i] == TEXT_DIFF_NONE || pair->objects[i].files[rows[i]].inode == 0)
            return false;
        files[i] = &pair->objects[i].files[rows[i]];
        inodes[i] = files[i]->picture != 0 ? files[i]->picture : files[i]->inode;
    }
    return true;
}

/* Sets what differs in the files of two rows; nothing if a file cannot be read. */
static int set_difference(const struct compare_side sides[2], const struct object_pair *pair,
                          const uint64_t rows[2], const struct cancel *cancel, json_t *object)
{
    const struct objects_file *files[2];
    uint64_t inodes[2];
    int status = -EIO;

    if (!find_files(pair, rows, files, inodes))
        return 0;
    if (is_picture(objects_file_name(&pair->objects[0], rows[0])) &&
        is_picture(objects_file_name(&pair->objects[1], rows[1])))
        status = set_pixels(sides, inodes, cancel, object);
    if (status == -EIO || (status == 0 && json_object_get(object, "pixels") == NULL)) {
        inodes[0] = files[0]->inode;
        inodes[1] = files[1]->inode;
        status = set_offset(sides, inodes, cancel, object);
    }
    return status == -EINTR || status == -ENOMEM ? status : 0;
}

static int describe_first(const struct compare_side sides[2], const struct dump_objects *kind,
                          const struct object_pair *pair, const struct cancel *cancel, json_t *list)
{
    const size_t counts[2] = {pair->objects[0].lines.count, pair->objects[1].lines.count};
    uint64_t at[2] = {0, 0}, rows[2];
    json_int_t differ[2] = {0, 0};
    json_t *object;

    if (!text_diff_next(counts, &pair->marks, at, rows))
        return 0;
    count_rows(pair, differ);
    object = json_pack("{s:s,s:s,s:[I,I]}", "what", kind->what, "number", kind->number, "differ",
                       differ[0], differ[1]);
    if (json_array_append_new(list, object) != 0) /* which frees it on failure, too */
        return -ENOMEM;
    json_object_set_new(
        object, "frames",
        found_numbers(either(pair, 0, rows, objects_frame), either(pair, 1, rows, objects_frame)));
    json_object_set_new(object, "numbers",
                        found_numbers(either(pair, 0, rows, objects_number),
                                      either(pair, 1, rows, objects_number)));
    set_rows(pair, rows, "rows", object);
    json_object_set_new(object, "files",
                        json_pack("[o,o]", name_of(pair, 0, rows[0]), name_of(pair, 1, rows[1])));
    return set_difference(sides, pair, rows, cancel, object);
}

int compare_objects(const struct compare_side sides[2], const struct cancel *cancel, json_t *found)
{
    const struct dump_objects *kind = tree_dump(sides[0].tree)->ops->compared.objects;
    char prefixes[2][CONTENTS_PATH] = {"", ""};
    json_t *list = json_array();
    int status = 0;

    for (; status == 0 && kind != NULL && kind->what != NULL; kind++) {
        struct object_pair pair;

        status = read_pair(sides, kind, prefixes, true, cancel, &pair);
        if (status == 0)
            status = describe_first(sides, kind, &pair, cancel, list);
        clear_pair(&pair);
    }
    if (json_array_size(list) > 0)
        json_object_set(found, "objects", list);
    json_decref(list);
    return status;
}

/* Draws: finds the first one after which the pictures differ, or that only one frame has. */

static void set_draw(const struct object_pair *pair, const struct align_pair *frames,
                     const uint64_t rows[2], const char *why, json_t *draw, json_t *found)
{
    uint64_t packets[2] = {UINT64_MAX, UINT64_MAX};

    for (unsigned i = 0; i < 2; i++)
        if (rows[i] != TEXT_DIFF_NONE)
            (void)tsv_number(&pair->objects[i].table, rows[i], "packet", &packets[i]);
    json_object_set_new(draw, "frames", compare_frames_of(frames));
    json_object_set_new(draw, "lines", found_numbers(UINT64_MAX, UINT64_MAX));
    json_object_set_new(draw, "packets", found_numbers(packets[0], packets[1]));
    json_object_set_new(draw, "draws",
                        found_numbers(either(pair, 0, rows, objects_number),
                                      either(pair, 1, rows, objects_number)));
    set_rows(pair, rows, "commands", draw);
    json_object_set_new(draw, "why", json_string(why));
    json_object_set(found, "draw", draw);
}

/*
 * Finds the next draws from `at` on, one of each frame, or of one frame alone; returns false if
 * there are none.
 */
static bool next_draws(const struct object_pair *pair, uint64_t at[2], uint64_t rows[2])
{
    const bool *marked[2] = {pair->marks.gone, pair->marks.come};
    bool any = false;

    for (unsigned i = 0; i < 2; i++) {
        bool differs = at[i] < pair->objects[i].lines.count && marked[i][at[i]];

        rows[i] = differs ? at[i] : TEXT_DIFF_NONE;
        any = any || differs;
    }
    if (!any && at[0] < pair->objects[0].lines.count && at[1] < pair->objects[1].lines.count)
        memcpy(rows, at, 2 * sizeof(*rows));
    for (unsigned i = 0; i < 2; i++)
        at[i] += rows[i] != TEXT_DIFF_NONE;
    return rows[0] != TEXT_DIFF_NONE || rows[1] != TEXT_DIFF_NONE;
}

/*
 * Sets `draw` if these draws are the first that differ; draws that both frames have are compared by
 * the pictures of what they left.
 */
static int look_at_draws(const struct compare_side sides[2], const struct object_pair *pair,
                         const struct align_pair *frames, const uint64_t rows[2],
                         const struct cancel *cancel, json_t *found)
{
    const struct objects_file *files[2];
    bool both = rows[0] != TEXT_DIFF_NONE && rows[1] != TEXT_DIFF_NONE;
    bool listed = both && !pair->marks.gone[rows[0]];
    json_t *draw = json_object();
    uint64_t inodes[2];
    int status = 0;

    if (find_files(pair, rows, files, inodes))
        status = set_pixels(sides, inodes, cancel, draw);
    if (status != -EINTR && status != -ENOMEM)
        status = 0; /* the dump's problems say why it cannot be read */
    if (status == 0 && (!listed || json_object_get(draw, "pixels") != NULL))
        set_draw(pair, frames, rows, listed ? "picture" : "command", draw, found);
    json_decref(draw);
    return status;
}

int compare_draws(const struct compare_side sides[2], const struct align_pair *frames,
                  const struct cancel *cancel, json_t *found)
{
    const struct dump_objects *kind = tree_dump(sides[0].tree)->ops->compared.draws;
    const uint64_t numbers[2] = {frames->a, frames->b};
    char prefixes[2][CONTENTS_PATH];
    uint64_t at[2] = {0, 0}, rows[2], inode = 0;
    struct object_pair pair = {0};
    int status = 0;

    if (kind == NULL || json_object_get(found, "draw") != NULL)
        return 0;
    for (unsigned i = 0; status == 0 && i < 2; i++)
        status =
            contents_find_frame(sides[i].tree, "by-frame/", numbers[i], "/", prefixes[i], &inode);
    if (status == 0)
        status = read_pair(sides, kind, prefixes, false, cancel, &pair);
    for (unsigned i = 0; status == 0 && i < DRAWS_MAX && next_draws(&pair, at, rows); i++) {
        status = look_at_draws(sides, &pair, frames, rows, cancel, found);
        if (json_object_get(found, "draw") != NULL)
            break;
    }
    clear_pair(&pair);
    return status;
}

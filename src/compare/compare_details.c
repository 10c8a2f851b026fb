/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare.h"

#include "compare/contents.h"
#include "compare/found.h"
#include "compare/tsv.h"
#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXTURES_MAX = 16, /* that are told */
    UPLOADS_MAX = 256, /* that are looked at */
};

json_t *compare_frames_of(const struct align_pair *pair)
{
    return found_numbers(pair->a, pair->b);
}

/* Commands. */

/* A frame's commands: as they are compared, and as they are shown. */
struct listing {
    struct text compared, shown;
    struct text_diff_lines lines, places, commands; /* places: whole lines of commands.txt */
};

static int read_listing(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                        struct listing *out)
{
    text_diff_skip *skip = tree_dump(tree)->ops->command_place;
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    *out = (struct listing){.compared = TEXT_INIT, .shown = TEXT_INIT};
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

static void clear_listing(struct listing *listing)
{
    text_diff_clear(&listing->lines);
    text_diff_clear(&listing->places);
    text_diff_clear(&listing->commands);
    text_clear(&listing->compared);
    text_clear(&listing->shown);
}

/* A line of one of the two frames; `line` is ALIGN_NONE if the other frame alone has one. */
struct place {
    uint64_t line, packet, draw;
};

static void read_numbers(const struct compare_side *side, const struct listing *listing,
                         struct place *place)
{
    const struct text_diff_line *line;

    place->packet = place->draw = DUMP_NOT_KNOWN;
    if (place->line == ALIGN_NONE)
        return;
    line = &listing->places.list[place->line];
    dump_command_numbers(tree_dump(side->tree), line->bytes, line->length, &place->packet,
                         &place->draw);
}

static json_t *describe_places(const struct align_pair *pair, const struct place places[2],
                               const struct listing listings[2])
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

/* Frame and line of the first dump that a draw is in, the second's where it has none. */
static void order_of(const json_t *draw, json_int_t order[2])
{
    static const char *const keys[2] = {"frames", "lines"};

    for (unsigned i = 0; i < 2; i++) {
        const json_t *two = json_object_get(draw, keys[i]), *one = json_array_get(two, 0);

        order[i] = json_integer_value(json_is_integer(one) ? one : json_array_get(two, 1));
    }
}

/* Unless a draw was found that comes before it. */
static void set_draw(json_t *found, json_t *draw, const char *why)
{
    const json_t *former = json_object_get(found, "draw");
    json_int_t own[2], other[2];

    order_of(draw, own);
    order_of(former, other);
    json_object_set_new(draw, "why", json_string(why));
    if (former == NULL || own[0] < other[0] || (own[0] == other[0] && own[1] < other[1]))
        json_object_set(found, "draw", draw);
}

static void find_places(const struct compare_side sides[2], const struct align_pair *pair,
                        const struct listing listings[2], const struct text_diff_marks *marks,
                        json_t *found)
{
    const size_t counts[2] = {listings[0].lines.count, listings[1].lines.count};
    struct place places[2];
    uint64_t at[2] = {0, 0}, lines[2];
    bool is_drawn = false;

    while (!is_drawn && text_diff_next(counts, marks, at, lines)) {
        for (unsigned i = 0; i < 2; i++) {
            places[i].line = lines[i];
            read_numbers(&sides[i], &listings[i], &places[i]);
        }
        if (json_object_get(found, "command") == NULL)
            json_object_set_new(found, "command", describe_places(pair, places, listings));
        is_drawn = places[0].draw != DUMP_NOT_KNOWN || places[1].draw != DUMP_NOT_KNOWN;
    }
    if (is_drawn) {
        json_t *draw = describe_places(pair, places, listings);

        set_draw(found, draw, "command");
        json_decref(draw);
    }
}

static void add_hunk(const struct listing listings[2], const struct text_diff_marks *marks,
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

/* Uploads: what differs in the data of the first one that does, by-frame/NNNNNN/uploads/. */

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

    snprintf(rest, sizeof(rest), "/uploads/%s", name);
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
    if (search->status == -ENOENT) /* elsewhere in the other one, which its line tells */
        search->status = 0;
    return search->status == 0 && difference.count == 0 && ++search->looked_at < UPLOADS_MAX;
}

static int compare_uploads(const struct compare_side sides[2], const struct align_pair *pair,
                           const struct cancel *cancel, json_t *found)
{
    struct upload_search search = {.sides = sides, .pair = pair, .cancel = cancel, .found = found};
    char path[CONTENTS_PATH];
    uint64_t inode = 0, cursor = 0;
    int status = contents_find_frame(sides[0].tree, "by-frame/", pair->a, "/uploads", path, &inode);

    if (status == 0)
        status = tree_list(sides[0].tree, inode, &cursor, compare_upload, &search);
    if (status == 0)
        status = search.status;
    return status == -ENOENT || status == -ENOTDIR ? 0 : status;
}

/* The commands of two frames, and what of them is not in the other one. */
struct listing_pair {
    struct listing listings[2];
    struct text_diff_marks marks;
};

static int read_listings(const struct compare_side sides[2], const struct align_pair *pair,
                         const struct cancel *cancel, struct listing_pair *out)
{
    struct listing *listings = out->listings;
    int status;

    *out = (struct listing_pair){0};
    status = read_listing(sides[0].tree, pair->a, cancel, &listings[0]);
    if (status == 0)
        status = read_listing(sides[1].tree, pair->b, cancel, &listings[1]);
    if (status == 0)
        status = text_diff_mark(&listings[0].lines, &listings[1].lines, cancel, &out->marks);
    return status;
}

static void clear_listings(struct listing_pair *pair)
{
    text_diff_clear_marks(&pair->marks);
    clear_listing(&pair->listings[0]);
    clear_listing(&pair->listings[1]);
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

/* Textures: those of the tables by-frame/NNNNNN/textures.tsv, and the draws that sample them. */

struct compared_texture {
    char name[TSV_CELL];
    struct pixels pixels[2];
    unsigned u0, v0, u1, v1; /* what the first frame samples of it */
    struct pixels_difference difference;
};

static bool differs_at(const struct compared_texture *texture, unsigned u, unsigned v)
{
    const uint8_t *a = pixels_at(&texture->pixels[0], u, v);
    const uint8_t *b = pixels_at(&texture->pixels[1], u, v);

    return a != NULL && b != NULL && memcmp(a, b, 3) != 0;
}

static bool differs_within(const struct compared_texture *texture, unsigned u0, unsigned v0,
                           unsigned u1, unsigned v1)
{
    for (unsigned v = v0; v <= v1; v++)
        for (unsigned u = u0; u <= u1; u++)
            if (differs_at(texture, u, v))
                return true;
    return false;
}

static void count_differences(struct compared_texture *texture)
{
    texture->difference = (struct pixels_difference){0};
    for (unsigned v = texture->v0; v <= texture->v1; v++)
        for (unsigned u = texture->u0; u <= texture->u1; u++)
            if (differs_at(texture, u, v) && texture->difference.count++ == 0) {
                texture->difference.x = u;
                texture->difference.y = v;
            }
}

static int read_texture(const struct compare_side *side, uint64_t frame, const char *name,
                        const struct cancel *cancel, struct pixels *out)
{
    char rest[TSV_CELL + 16], path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    snprintf(rest, sizeof(rest), "/textures/%s.png", name);
    status = contents_find_frame(side->tree, "by-frame/", frame, rest, path, &inode);
    return status == 0 ? pixels_read(side->tree, inode, cancel, out) : status;
}

static int read_table(const struct compare_side *side, uint64_t frame, const char *name,
                      const struct cancel *cancel, struct tsv *out)
{
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status = contents_find_frame(side->tree, "by-frame/", frame, name, path, &inode);

    return status == 0 ? tsv_read(side->tree, inode, cancel, out) : status;
}

/* Texture coordinates of a draw: the smallest rectangle that has them all. */
static bool read_coordinates(const struct tsv *draws, size_t row, unsigned out[4])
{
    char cell[TSV_CELL], size[TSV_CELL];
    unsigned u, v, width = 0, height = 0;
    int length;

    if (!tsv_cell(draws, row, "uv", cell) || !tsv_cell(draws, row, "size", size))
        return false;
    out[0] = out[1] = UINT8_MAX;
    out[2] = out[3] = 0;
    for (const char *at = cell; sscanf(at, "%u,%u%n", &u, &v, &length) == 2;) {
        out[0] = u < out[0] ? u : out[0];
        out[1] = v < out[1] ? v : out[1];
        out[2] = u > out[2] ? u : out[2];
        out[3] = v > out[3] ? v : out[3];
        at += length + (at[length] == '/');
    }
    if (sscanf(size, "%u,%u", &width, &height) == 2) {
        out[2] = out[0] + width - (width > 0);
        out[3] = out[1] + height - (height > 0);
    }
    out[2] = out[2] < UINT8_MAX ? out[2] : UINT8_MAX;
    out[3] = out[3] < UINT8_MAX ? out[3] : UINT8_MAX;
    return out[0] <= out[2];
}

/* Whether a draw may sample what differs: a texture window folds coordinates. */
static bool samples_difference(const struct tsv *draws, size_t row,
                               const struct compared_texture *texture)
{
    char page[TSV_CELL], clut[TSV_CELL], depth[TSV_CELL], window[TSV_CELL];
    char name[3 * TSV_CELL + 4];
    unsigned uv[4];

    if (!tsv_cell(draws, row, "page", page) || !tsv_cell(draws, row, "clut", clut) ||
        !tsv_cell(draws, row, "depth", depth) || !tsv_cell(draws, row, "window", window))
        return false;
    snprintf(name, sizeof(name), "%s-%s-%s", page, clut, depth);
    if (strcmp(name, texture->name) != 0 || !read_coordinates(draws, row, uv))
        return false;
    return strcmp(window, "0,0,0,0") != 0 || differs_within(texture, uv[0], uv[1], uv[2], uv[3]);
}

/* The line in commands.txt of the first draw that samples it; ALIGN_NONE: none is found. */
static int find_sampler(const struct compare_side *side, uint64_t frame,
                        const struct compared_texture *texture, const struct cancel *cancel,
                        uint64_t *line)
{
    struct tsv draws = {.bytes = TEXT_INIT};
    int status = read_table(side, frame, "/draws.tsv", cancel, &draws);

    *line = ALIGN_NONE;
    for (size_t row = 0; status == 0 && row < tsv_rows(&draws); row++)
        if (samples_difference(&draws, row, texture) && tsv_number(&draws, row, "command", line))
            break;
    tsv_clear(&draws);
    return status;
}

static int find_samplers(const struct compare_side sides[2], const struct align_pair *pair,
                         const struct compared_texture *texture, const struct cancel *cancel,
                         json_t *found, json_t *entry)
{
    uint64_t frames[2] = {pair->a, pair->b};
    struct listing listings[2] = {0};
    struct place places[2];
    int status = 0;

    for (unsigned i = 0; status == 0 && i < 2; i++) {
        status = find_sampler(&sides[i], frames[i], texture, cancel, &places[i].line);
        if (status == 0)
            status = read_listing(sides[i].tree, frames[i], cancel, &listings[i]);
        if (status == 0 && places[i].line >= listings[i].places.count)
            places[i].line = ALIGN_NONE;
        if (status == 0)
            read_numbers(&sides[i], &listings[i], &places[i]);
    }
    if (status == 0 && places[0].line != ALIGN_NONE) {
        json_t *draw = describe_places(pair, places, listings);

        json_object_set(entry, "draws", json_object_get(draw, "draws"));
        set_draw(found, draw, "texture");
        json_decref(draw);
    }
    clear_listing(&listings[0]);
    clear_listing(&listings[1]);
    return status;
}

static int compare_texture(const struct compare_side sides[2], const struct align_pair *pair,
                           struct compared_texture *texture, const struct cancel *cancel,
                           json_t *found)
{
    json_t *list = json_object_get(found, "textures"), *entry;
    int status = read_texture(&sides[0], pair->a, texture->name, cancel, &texture->pixels[0]);

    if (status == 0)
        status = read_texture(&sides[1], pair->b, texture->name, cancel, &texture->pixels[1]);
    if (status != 0)
        return status == -ENOENT ? 0 : status;
    count_differences(texture);
    if (texture->difference.count == 0)
        return 0;
    entry = json_object();
    json_object_set_new(entry, "frames", compare_frames_of(pair));
    json_object_set_new(entry, "texture", json_string(texture->name));
    found_set_pixels(entry, &texture->pixels[0], &texture->pixels[1], &texture->difference);
    if (json_array_append_new(list, entry) != 0) /* which frees it */
        return -ENOMEM;
    return find_samplers(sides, pair, texture, cancel, found, entry);
}

int compare_textures(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found)
{
    struct tsv table = {.bytes = TEXT_INIT};
    int status = read_table(&sides[0], pair->a, "/textures.tsv", cancel, &table);
    json_t *list = json_array();

    if (json_object_set_new(found, "textures", list) != 0) { /* which frees it */
        tsv_clear(&table);
        return -ENOMEM;
    }
    for (size_t row = 0; status == 0 && row < tsv_rows(&table); row++) {
        struct compared_texture texture = {0};
        char uv[TSV_CELL];

        if (json_array_size(list) >= TEXTURES_MAX)
            break;
        if (!tsv_cell(&table, row, "texture", texture.name) || !tsv_cell(&table, row, "uv", uv) ||
            sscanf(uv, "%u,%u,%u,%u", &texture.u0, &texture.v0, &texture.u1, &texture.v1) != 4)
            continue;
        status = compare_texture(sides, pair, &texture, cancel, found);
        pixels_clear(&texture.pixels[0]);
        pixels_clear(&texture.pixels[1]);
    }
    tsv_clear(&table);
    if (json_array_size(list) == 0)
        json_object_del(found, "textures");
    return status == -ENOENT ? 0 : status;
}

/* Textures by their identities: which frames of the first dump use those that the second lacks. */

static int compare_strings(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t first, second;

    memcpy(&first, a, sizeof(first));
    memcpy(&second, b, sizeof(second));
    return first < second ? -1 : first > second;
}

static int read_catalog(const struct compare_side *side, const struct cancel *cancel,
                        struct tsv *out)
{
    uint64_t inode = 0;
    int status = tree_find(side->tree, "textures.tsv", true, &inode);

    return status == 0 ? tsv_read(side->tree, inode, cancel, out) : status;
}

enum { IDENTITY = 24 };

static int read_identities(const struct tsv *table, char (**out)[IDENTITY])
{
    char cell[TSV_CELL];

    *out = calloc(tsv_rows(table) + 1, IDENTITY);
    if (*out == NULL)
        return -ENOMEM;
    for (size_t row = 0; row < tsv_rows(table); row++)
        if (tsv_cell(table, row, "identity", cell))
            memcpy((*out)[row], cell, strnlen(cell, IDENTITY - 1));
    qsort(*out, tsv_rows(table), IDENTITY, compare_strings);
    return 0;
}

static int list_frames(const struct tsv tables[2], uint64_t **frames, size_t *count)
{
    char(*identities)[IDENTITY] = NULL, cell[TSV_CELL];
    int status = read_identities(&tables[1], &identities);

    if (status == 0) {
        *frames = calloc(tsv_rows(&tables[0]) + 1, sizeof(**frames));
        status = *frames == NULL ? -ENOMEM : 0;
    }
    for (size_t row = 0; status == 0 && row < tsv_rows(&tables[0]); row++) {
        if (!tsv_cell(&tables[0], row, "identity", cell) ||
            bsearch(cell, identities, tsv_rows(&tables[1]), IDENTITY, compare_strings) != NULL)
            continue;
        *count += tsv_number(&tables[0], row, "frame", &(*frames)[*count]);
    }
    free(identities);
    if (status == 0)
        qsort(*frames, *count, sizeof(**frames), compare_numbers);
    return status;
}

int compare_list_textures(const struct compare_side sides[2], const struct cancel *cancel,
                          uint64_t **frames, size_t *count)
{
    struct tsv tables[2] = {{.bytes = TEXT_INIT}, {.bytes = TEXT_INIT}};
    int status = read_catalog(&sides[0], cancel, &tables[0]);

    *frames = NULL;
    *count = 0;
    if (status == 0)
        status = read_catalog(&sides[1], cancel, &tables[1]);
    if (status == 0)
        status = list_frames(tables, frames, count);
    tsv_clear(&tables[0]);
    tsv_clear(&tables[1]);
    return status == -ENOENT ? 0 : status;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare.h"

#include "compare/compare_listing.h"
#include "compare/contents.h"
#include "compare/found.h"
#include "compare/tsv.h"
#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTURES_MAX = 16 }; /* textures reported of a pair */

/* Textures that two frames sample, and the draws that sample them. */

struct compared_texture {
    const struct dump_samples *kind;
    char name[TSV_CELL];
    struct pixels pixels[2];
    struct dump_area area; /* the part that the first frame samples */
    struct pixels_difference difference;
};

static bool differs_at(const struct compared_texture *texture, uint32_t x, uint32_t y)
{
    const uint8_t *a = pixels_at(&texture->pixels[0], x, y);
    const uint8_t *b = pixels_at(&texture->pixels[1], x, y);

    return a != NULL && b != NULL && memcmp(a, b, 3) != 0;
}

/* Counts the pixels that differ within an area; outside of the pictures, none does. */
static struct pixels_difference count_within(const struct compared_texture *texture,
                                             const struct dump_area *area)
{
    const struct pixels *first = &texture->pixels[0];
    struct pixels_difference difference = {0};

    for (uint32_t y = area->y0; y <= area->y1 && y < first->height; y++)
        for (uint32_t x = area->x0; x <= area->x1 && x < first->width; x++)
            if (differs_at(texture, x, y) && difference.count++ == 0) {
                difference.x = x;
                difference.y = y;
            }
    return difference;
}

static int read_texture(const struct compare_side *side, uint64_t frame,
                        const struct compared_texture *texture, const struct cancel *cancel,
                        struct pixels *out)
{
    char rest[TSV_CELL + CONTENTS_PATH], path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    snprintf(rest, sizeof(rest), "/%s/%s.png", texture->kind->folder, texture->name);
    status = contents_find_frame(side->tree, "by-frame/", frame, rest, path, &inode);
    return status == 0 ? pixels_read(side->tree, inode, cancel, out) : status;
}

static int read_table(const struct compare_side *side, uint64_t frame, const char *name,
                      const struct cancel *cancel, struct tsv *out)
{
    char rest[CONTENTS_PATH], path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    snprintf(rest, sizeof(rest), "/%s", name);
    status = contents_find_frame(side->tree, "by-frame/", frame, rest, path, &inode);
    return status == 0 ? tsv_read(side->tree, inode, cancel, out) : status;
}

/* Returns whether a draw may sample pixels that differ. */
static bool samples_difference(const struct tsv *draws, size_t row,
                               const struct compared_texture *texture)
{
    char cells[DUMP_SAMPLE_CELLS][TSV_CELL];
    const char *strings[DUMP_SAMPLE_CELLS];
    struct dump_area area;

    for (size_t i = 0; texture->kind->cells[i] != NULL; i++) {
        if (!tsv_cell(draws, row, texture->kind->cells[i], cells[i]))
            return false;
        strings[i] = cells[i];
    }
    return texture->kind->samples(strings, texture->name, &area) &&
           count_within(texture, &area).count > 0;
}

/*
 * Finds the line in commands.txt of the first draw that samples what differs; ALIGN_NONE if none is
 * found.
 */
static int find_sampler(const struct compare_side *side, uint64_t frame,
                        const struct compared_texture *texture, const struct cancel *cancel,
                        uint64_t *line)
{
    struct tsv draws = {.bytes = TEXT_INIT};
    int status = read_table(side, frame, texture->kind->draws, cancel, &draws);

    *line = ALIGN_NONE;
    for (size_t row = 0; status == 0 && row < tsv_rows(&draws); row++)
        if (samples_difference(&draws, row, texture) &&
            tsv_number(&draws, row, texture->kind->command, line))
            break;
    tsv_clear(&draws);
    return status;
}

static int find_samplers(const struct compare_side sides[2], const struct align_pair *pair,
                         const struct compared_texture *texture, const struct cancel *cancel,
                         json_t *found, json_t *entry)
{
    uint64_t frames[2] = {pair->a, pair->b};
    struct compare_listing listings[2] = {0};
    struct compare_place places[2];
    int status = 0;

    for (unsigned i = 0; status == 0 && i < 2; i++) {
        status = find_sampler(&sides[i], frames[i], texture, cancel, &places[i].line);
        if (status == 0)
            status = compare_listing_read(sides[i].tree, frames[i], cancel, &listings[i]);
        if (status == 0 && places[i].line >= listings[i].places.count)
            places[i].line = ALIGN_NONE;
        if (status == 0)
            compare_listing_number(&sides[i], &listings[i], &places[i]);
    }
    if (status == 0 && places[0].line != ALIGN_NONE) {
        json_t *draw = compare_listing_describe(pair, places, listings);

        json_object_set(entry, "draws", json_object_get(draw, "draws"));
        compare_listing_set_draw(found, draw, "texture");
        json_decref(draw);
    }
    compare_listing_clear(&listings[0]);
    compare_listing_clear(&listings[1]);
    return status;
}

static int compare_texture(const struct compare_side sides[2], const struct align_pair *pair,
                           struct compared_texture *texture, const struct cancel *cancel,
                           json_t *found)
{
    json_t *list = json_object_get(found, "textures"), *entry;
    int status = read_texture(&sides[0], pair->a, texture, cancel, &texture->pixels[0]);

    if (status == 0)
        status = read_texture(&sides[1], pair->b, texture, cancel, &texture->pixels[1]);
    if (status != 0)
        return status == -ENOENT ? 0 : status;
    texture->difference = count_within(texture, &texture->area);
    if (texture->difference.count == 0)
        return 0;
    entry = json_object();
    json_object_set_new(entry, "frames", compare_frames_of(pair));
    json_object_set_new(entry, "texture", json_string(texture->name));
    found_set_pixels(entry, &texture->pixels[0], &texture->pixels[1], &texture->difference);
    if (json_array_append_new(list, entry) != 0) /* which frees it on failure, too */
        return -ENOMEM;
    return find_samplers(sides, pair, texture, cancel, found, entry);
}

/* Reads a texture's name and area from a row of the frame's table. */
static bool read_row(const struct tsv *table, size_t row, struct compared_texture *texture)
{
    struct dump_area *area = &texture->area;
    char cell[TSV_CELL];

    return tsv_cell(table, row, texture->kind->texture, texture->name) &&
           tsv_cell(table, row, texture->kind->area, cell) &&
           sscanf(cell, "%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32, &area->x0, &area->y0,
                  &area->x1, &area->y1) == 4;
}

int compare_textures(const struct compare_side sides[2], const struct align_pair *pair,
                     const struct cancel *cancel, json_t *found)
{
    const struct dump_samples *kind = tree_dump(sides[0].tree)->ops->compared.samples;
    struct tsv table = {.bytes = TEXT_INIT};
    json_t *list;
    int status;

    if (kind == NULL)
        return 0;
    status = read_table(&sides[0], pair->a, kind->textures, cancel, &table);
    list = json_array();
    if (json_object_set_new(found, "textures", list) != 0) { /* which frees it on failure, too */
        tsv_clear(&table);
        return -ENOMEM;
    }
    for (size_t row = 0; status == 0 && row < tsv_rows(&table); row++) {
        struct compared_texture texture = {.kind = kind};

        if (json_array_size(list) >= TEXTURES_MAX)
            break;
        if (!read_row(&table, row, &texture))
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

/*
 * Textures by their identities: finds the frames of the first dump that use textures which the
 * second lacks.
 */

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

static int read_catalog(const struct compare_side *side, const struct dump_samples *kind,
                        const struct cancel *cancel, struct tsv *out)
{
    uint64_t inode = 0;
    int status = tree_find(side->tree, kind->catalog, true, &inode);

    return status == 0 ? tsv_read(side->tree, inode, cancel, out) : status;
}

enum { IDENTITY = 24 };

static int read_identities(const struct tsv *table, const char *column, char (**out)[IDENTITY])
{
    char cell[TSV_CELL];

    *out = calloc(tsv_rows(table) + 1, IDENTITY);
    if (*out == NULL)
        return -ENOMEM;
    for (size_t row = 0; row < tsv_rows(table); row++)
        if (tsv_cell(table, row, column, cell))
            memcpy((*out)[row], cell, strnlen(cell, IDENTITY - 1));
    qsort(*out, tsv_rows(table), IDENTITY, compare_strings);
    return 0;
}

static int list_frames(const struct tsv tables[2], const struct dump_samples *kind,
                       uint64_t **frames, size_t *count)
{
    char(*identities)[IDENTITY] = NULL, cell[TSV_CELL];
    int status = read_identities(&tables[1], kind->identity, &identities);

    if (status == 0) {
        *frames = calloc(tsv_rows(&tables[0]) + 1, sizeof(**frames));
        status = *frames == NULL ? -ENOMEM : 0;
    }
    for (size_t row = 0; status == 0 && row < tsv_rows(&tables[0]); row++) {
        if (!tsv_cell(&tables[0], row, kind->identity, cell) ||
            bsearch(cell, identities, tsv_rows(&tables[1]), IDENTITY, compare_strings) != NULL)
            continue;
        *count += tsv_number(&tables[0], row, kind->frame, &(*frames)[*count]);
    }
    free(identities);
    if (status == 0)
        qsort(*frames, *count, sizeof(**frames), compare_numbers);
    return status;
}

int compare_list_textures(const struct compare_side sides[2], const struct cancel *cancel,
                          uint64_t **frames, size_t *count)
{
    const struct dump_samples *kind = tree_dump(sides[0].tree)->ops->compared.samples;
    struct tsv tables[2] = {{.bytes = TEXT_INIT}, {.bytes = TEXT_INIT}};
    int status;

    *frames = NULL;
    *count = 0;
    if (kind == NULL)
        return 0;
    status = read_catalog(&sides[0], kind, cancel, &tables[0]);
    if (status == 0)
        status = read_catalog(&sides[1], kind, cancel, &tables[1]);
    if (status == 0)
        status = list_frames(tables, kind, frames, count);
    tsv_clear(&tables[0]);
    tsv_clear(&tables[1]);
    return status == -ENOENT ? 0 : status;
}

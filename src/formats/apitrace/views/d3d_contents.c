/* SPDX-License-Identifier: MIT */
/*
 * What resources of Direct3D contain at a frame's end, as far as calls show it: resources.tsv and
 * resources/ of a frame. The key is the frame's, with the index in the list of contents.
 */
#include "formats/apitrace/views/views.h"

#include "formats/apitrace/replay/d3d_contents.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_BITS = 24, PLACES_MAX = 1 << PLACE_BITS };

typedef bool is_member(const struct apitrace_resource *resource,
                       const struct apitrace_d3d_content *content);

static const struct apitrace_resource *resource_of(const struct apitrace_object_index *objects,
                                                   const struct apitrace_d3d_content *content)
{
    return &objects->d3d.resources[content->resource];
}

static bool is_texture(const struct apitrace_resource *resource,
                       const struct apitrace_d3d_content *content)
{
    return apitrace_d3d_has_picture(resource, content->height, content->depth);
}

static bool is_buffer(const struct apitrace_resource *resource,
                      const struct apitrace_d3d_content *content)
{
    return apitrace_d3d_is_buffer(resource) && content->width > 0;
}

static bool is_any(const struct apitrace_resource *resource,
                   const struct apitrace_d3d_content *content)
{
    (void)resource, (void)content;
    return true;
}

/*
 * Returns whether the resource has this content when a frame ends, and its pointer still refers to
 * it.
 */
static bool is_there(struct dump *dump, const struct apitrace_object_index *objects, uint64_t frame,
                     uint64_t place)
{
    const struct apitrace_d3d_content *content = &objects->d3d.contents[place];
    const uint64_t end = apitrace_index_of(dump)->frames[frame].end;

    return content->begin < end && content->end >= end &&
           resource_of(objects, content)->gone >= end;
}

/*
 * Returns whether the contents of a resource are no longer followed when a frame ends, in which
 * case it has no file.
 */
static bool is_lost(struct dump *dump, uint64_t frame, const struct apitrace_resource *resource)
{
    return resource->lost < apitrace_index_of(dump)->frames[frame].end;
}

static int find_objects(struct dump *dump, uint64_t frame,
                        const struct apitrace_object_index **objects)
{
    *objects = apitrace_dump_peek_objects(dump);
    if (*objects == NULL)
        return -EAGAIN;
    return frame < apitrace_index_of(dump)->frame_count ? 0 : -ENOENT;
}

static uint64_t places(const struct apitrace_object_index *objects)
{
    return objects->d3d.content_count < PLACES_MAX ? objects->d3d.content_count : PLACES_MAX;
}

static int next_of(struct dump *dump, is_member *is_wanted, uint64_t frame, uint64_t from,
                   uint64_t *place)
{
    const struct apitrace_object_index *objects = NULL;
    int status = find_objects(dump, frame, &objects);

    if (status < 0)
        return status;
    for (*place = from; *place < places(objects); ++*place) {
        const struct apitrace_d3d_content *content = &objects->d3d.contents[*place];

        if (is_wanted(resource_of(objects, content), content) &&
            is_there(dump, objects, frame, *place) &&
            (is_wanted == is_any || !is_lost(dump, frame, resource_of(objects, content))))
            return 0;
    }
    return -ENOENT;
}

static int next_picture(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    return next_of(dump, is_texture, frame, from, place);
}

static int next_buffer(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *place)
{
    return next_of(dump, is_buffer, frame, from, place);
}

static int name_content(struct dump *dump, uint64_t frame, uint64_t place, char *name)
{
    const struct apitrace_object_index *objects = NULL;
    const struct apitrace_d3d_content *content;
    const int digits = (int)tree_packet_digits(dump);
    int status = find_objects(dump, frame, &objects);

    if (status < 0)
        return status;
    if (place >= places(objects))
        return -ENOENT;
    content = &objects->d3d.contents[place];
    if (apitrace_d3d_is_buffer(resource_of(objects, content)))
        snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 ".bin", digits,
                 resource_of(objects, content)->number);
    else
        snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu32 "-%02" PRIu32 "-%04" PRIu32 ".png", digits,
                 resource_of(objects, content)->number, content->level, content->layer);
    return 0;
}

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/*
 * Returns the index of the first content that sorts at or after a resource, level, layer and
 * beginning.
 */
static uint64_t find_place(const struct apitrace_object_index *objects, uint64_t resource,
                           const uint64_t numbers[2], uint64_t begin)
{
    uint64_t low = 0, high = places(objects);

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct apitrace_d3d_content *content = &objects->d3d.contents[middle];
        int order = compare(content->resource, resource);

        if (order == 0)
            order = compare(content->level, numbers[0]);
        if (order == 0)
            order = compare(content->layer, numbers[1]);
        if (order < 0 || (order == 0 && content->begin < begin))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool parse_content(struct dump *dump, uint64_t frame, const char *name, uint64_t *place)
{
    const struct apitrace_object_index *objects = NULL;
    const struct apitrace_d3d_content *content;
    struct apitrace_object_list list;
    uint64_t numbers[2] = {0, 0}, resource, end;
    int status = find_objects(dump, frame, &objects);

    *place = 0;
    if (status == -EAGAIN)
        return true;
    list = (struct apitrace_object_list){objects->d3d.resource_count, objects->d3d.resources,
                                         sizeof(*objects->d3d.resources)};
    if (status < 0 || !apitrace_object_parse(&list, name, &resource) ||
        (strchr(name, '-') != NULL && !apitrace_d3d_parse_numbers(name, numbers)))
        return false;
    end = apitrace_index_of(dump)->frames[frame].end;
    *place = find_place(objects, resource, numbers, end);
    if (*place == 0)
        return false;
    content = &objects->d3d.contents[--*place]; /* the last before the frame's end */
    return content->resource == resource && content->level == numbers[0] &&
           content->layer == numbers[1] && is_there(dump, objects, frame, *place) &&
           !is_lost(dump, frame, resource_of(objects, content)) &&
           (is_texture(resource_of(objects, content), content) ||
            is_buffer(resource_of(objects, content), content));
}

/* Takes a key apart. Returns 0, -EAGAIN or -ENOENT. */
static int content_of_key(struct dump *dump, uint64_t key, uint64_t *frame,
                          const struct apitrace_object_index **objects,
                          const struct apitrace_d3d_content **out)
{
    const uint64_t place = key & (PLACES_MAX - 1);
    int status;

    *frame = key >> PLACE_BITS;
    status = find_objects(dump, *frame, objects);
    if (status < 0)
        return status;
    if (place >= places(*objects) || !is_there(dump, *objects, *frame, place) ||
        is_lost(dump, *frame, resource_of(*objects, &(*objects)->d3d.contents[place])))
        return -ENOENT;
    *out = &(*objects)->d3d.contents[place];
    return 0;
}

static int header_of(struct dump *dump, uint64_t frame, const struct apitrace_resource *resource,
                     const struct apitrace_d3d_content *content, struct dump_picture *out)
{
    return dump_picture_init(dump, frame, content->width, content->height * content->depth,
                             resource->pixels->look, 8, out);
}

int apitrace_d3d_content_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct apitrace_object_index *objects = NULL;
    const struct apitrace_d3d_content *content = NULL;
    struct dump_picture picture;
    uint64_t frame;
    int status = content_of_key(dump, key, &frame, &objects, &content);

    if (status < 0)
        return status;
    if (apitrace_d3d_is_buffer(resource_of(objects, content))) {
        *size = content->width;
        return 0;
    }
    status = header_of(dump, frame, resource_of(objects, content), content, &picture);
    return status < 0 ? status : dump_picture_size(dump, &picture, size);
}

/* Writes the bytes of a content, which have no gaps, as a picture. */
static int paint(struct dump *dump, uint64_t frame, const struct apitrace_resource *resource,
                 const struct apitrace_d3d_content *content, const struct blob *bytes,
                 const struct cancel *cancel, struct blob **out)
{
    const uint64_t pitch =
        (uint64_t)apitrace_d3d_columns(resource->pixels, content->width) * resource->pixels->bytes;
    const struct apitrace_d3d_painting painting = {
        .format = resource->pixels,
        .data = bytes->data,
        .width = content->width,
        .height = content->height,
        .pitch = pitch,
        .slice = pitch * apitrace_d3d_rows(resource->pixels, content->height)};
    struct dump_picture picture;
    int status = header_of(dump, frame, resource, content, &picture);

    return status < 0 ? status : apitrace_d3d_paint(dump, &picture, &painting, cancel, out);
}

int apitrace_d3d_content_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_object_index *objects = NULL;
    const struct apitrace_d3d_content *content = NULL;
    struct blob *bytes = NULL;
    uint64_t frame = 0;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    if (status == 0)
        status = content_of_key(dump, key, &frame, &objects, &content);
    if (status == 0)
        status = apitrace_d3d_content_read(index, &objects->d3d, content, index->frames[frame].end,
                                           cancel, &bytes);
    if (status == -EFBIG) {
        problems_add(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE,
                     resource_of(objects, content)->number,
                     "the contents of the resource take more memory than is allowed for a trace of "
                     "this size");
        status = -EIO;
    }
    if (status == 0 && apitrace_d3d_is_buffer(resource_of(objects, content)))
        *out = blob_ref(bytes);
    else if (status == 0)
        status = paint(dump, frame, resource_of(objects, content), content, bytes, cancel, out);
    blob_unref(&bytes);
    return status;
}

const struct rule_family apitrace_d3d_content_family = {PLACE_BITS, next_picture, name_content,
                                                        parse_content};
const struct rule_family apitrace_d3d_buffer_family = {PLACE_BITS, next_buffer, name_content,
                                                       parse_content};

int apitrace_d3d_exists(struct dump *dump, uint64_t frame)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    (void)frame;
    return apitrace_index_grows(index) || index->notes[APITRACE_NOTE_RESOURCES].count == 0 ? -ENOENT
                                                                                           : 0;
}

/* resources.tsv of a frame. */

static int count_contents(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          uint64_t *rows)
{
    const struct apitrace_object_index *objects;
    uint64_t place = 0;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    for (*rows = 0; status == 0 && next_of(dump, is_any, frame, place, &place) == 0; place++)
        ++*rows;
    return status;
}

/* `-` if the contents are no longer followed. */
static const char *status_of(const struct apitrace_resource *resource,
                             const struct apitrace_d3d_content *content, bool lost)
{
    if (lost)
        return "-";
    if (resource->pixels == NULL)
        return "format-not-known";
    if (resource->drawn)
        return "may-be-drawn";
    return apitrace_d3d_is_known(content) ? "ok" : "partly-known";
}

static void add_row(const struct apitrace_object_index *objects,
                    const struct apitrace_d3d_content *content, bool lost, struct text *text)
{
    const struct apitrace_resource *resource = resource_of(objects, content);

    text_add_u64(text, resource->number);
    text_printf(text, "\t%s", resource->kind);
    text_cell(text, resource->object);
    text_cell(text, content->level);
    text_cell(text, content->layer);
    text_cell(text, content->width);
    text_cell(text, content->height);
    text_cell(text, content->depth);
    apitrace_cell_format(text, resource->format);
    text_printf(text, "\t%s\n", status_of(resource, content, lost));
}

static int write_contents(struct dump *dump, uint64_t frame, uint64_t first, uint64_t end,
                          const struct cancel *cancel, struct text *text)
{
    const struct apitrace_object_index *objects;
    uint64_t place = 0;
    int status = apitrace_dump_objects(dump, cancel, &objects);

    for (uint64_t n = 0; status == 0 && n < end && next_of(dump, is_any, frame, place, &place) == 0;
         n++, place++)
        if (n >= first) {
            const struct apitrace_d3d_content *content = &objects->d3d.contents[place];

            add_row(objects, content, is_lost(dump, frame, resource_of(objects, content)), text);
        }
    return status;
}

const struct dump_listing apitrace_contents_listing = {
    .columns = "resource\tkind\tobject\tlevel\tlayer\twidth\theight\tdepth\tformat\tstatus",
    .count = count_contents,
    .rows = write_contents};

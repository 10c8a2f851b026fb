/* SPDX-License-Identifier: MIT */
/*
 * What is known of the contents of subresources, write by write: for each a box, which grows by
 * adjacent writes whose bytes are known, and is lost where they are not.
 */
#include "formats/apitrace/index/d3d_resources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const apitrace_d3d_kinds[APITRACE_D3D_KINDS] = {
    [APITRACE_D3D_INITIAL] = "initial", [APITRACE_D3D_UPDATE] = "update",
    [APITRACE_D3D_MAPPED] = "mapped",   [APITRACE_D3D_COPY] = "copy",
    [APITRACE_D3D_RESOLVE] = "resolve", [APITRACE_D3D_FILL] = "fill"};

const char *const apitrace_d3d_statuses[APITRACE_D3D_STATUSES] = {
    [APITRACE_D3D_OK] = "ok",
    [APITRACE_D3D_PART] = "part",
    [APITRACE_D3D_SOURCE_PARTLY_KNOWN] = "source-partly-known",
    [APITRACE_D3D_SOURCE_NOT_KNOWN] = "source-not-known",
    [APITRACE_D3D_SOURCE_DRAWN] = "source-drawn",
    [APITRACE_D3D_NO_DATA] = "no-data",
    [APITRACE_D3D_TOO_FEW_BYTES] = "too-few-bytes",
    [APITRACE_D3D_FORMAT_NOT_KNOWN] = "format-not-known",
    [APITRACE_D3D_FORMAT_DIFFERS] = "format-differs",
    [APITRACE_D3D_OUTSIDE] = "outside",
    [APITRACE_D3D_SCALED] = "scaled",
    [APITRACE_D3D_SAMPLES] = "several-samples",
    [APITRACE_D3D_NOT_FOLLOWED] = "not-followed",
    [APITRACE_D3D_BEYOND_LIMIT] = "beyond-limit"};

/*
 * The limit for copies of all subresources: a number that takes a moment, and about ten for each
 * ordinary call in the stream.
 */
enum { STEPS_MIN = 1 << 20, BYTES_OF_STEP = 4 };

/* Boxes: from and to have x, y and z. */

struct box {
    uint32_t from[3], to[3];
};

static bool is_empty(const struct box *box)
{
    return box->from[0] >= box->to[0];
}

static bool holds(const struct box *outer, const struct box *inner)
{
    for (unsigned n = 0; n < 3; n++)
        if (inner->from[n] < outer->from[n] || inner->to[n] > outer->to[n])
            return false;
    return true;
}

static bool touches(const struct box *a, const struct box *b)
{
    for (unsigned n = 0; n < 3; n++)
        if (a->to[n] <= b->from[n] || b->to[n] <= a->from[n])
            return false;
    return true;
}

/*
 * Adds a box to another: keeps the larger one if it contains the other, or joins them if they
 * differ along one side only and have no gap. Otherwise `box` stays as it is.
 */
static void join(struct box *box, const struct box *more)
{
    unsigned differ = 0, side = 0;

    if (is_empty(box) || holds(more, box)) {
        *box = *more;
        return;
    }
    for (unsigned n = 0; n < 3; n++)
        if (box->from[n] != more->from[n] || box->to[n] != more->to[n]) {
            differ++;
            side = n;
        }
    if (differ != 1 || more->from[side] > box->to[side] || box->from[side] > more->to[side])
        return;
    if (more->from[side] < box->from[side])
        box->from[side] = more->from[side];
    if (more->to[side] > box->to[side])
        box->to[side] = more->to[side];
}

static struct box box_at(const struct apitrace_d3d_place *at, const struct apitrace_d3d_write *size)
{
    return (struct box){.from = {at->x, at->y, at->z},
                        .to = {at->x + size->width, at->y + size->height, at->z + size->depth}};
}

static struct box known_box(const struct apitrace_d3d_content *content)
{
    struct box box;

    memcpy(box.from, content->from, sizeof(box.from));
    memcpy(box.to, content->to, sizeof(box.to));
    return box;
}

bool apitrace_d3d_is_known(const struct apitrace_d3d_content *content)
{
    const struct box all = {.to = {content->width, content->height, content->depth}};
    const struct box known = known_box(content);

    return holds(&known, &all);
}

/* Pointers. */

bool apitrace_d3d_find(const struct apitrace_d3d_followed *followed, uint64_t object,
                       struct apitrace_d3d_place *out)
{
    uint64_t place;

    if (object == 0 || !apitrace_map_get(&followed->handles, object, 0, &place))
        return false;
    *out = followed->places[place];
    return true;
}

int apitrace_d3d_name(struct apitrace_d3d_followed *followed, uint64_t object,
                      const struct apitrace_d3d_place *place, uint32_t order)
{
    struct apitrace_d3d_place former;

    if (apitrace_d3d_find(followed, object, &former) && former.level == APITRACE_D3D_ALL)
        followed->index->resources[former.resource].gone = order;
    if (place == NULL) {
        apitrace_map_remove(&followed->handles, object, 0);
        return 0;
    }
    if (apitrace_grow(&followed->places, followed->place_count, &followed->place_room,
                      sizeof(*followed->places), &followed->index->memory) < 0)
        return -ENOMEM;
    followed->places[followed->place_count] = *place;
    return apitrace_map_set(&followed->handles, object, 0, followed->place_count++);
}

void apitrace_d3d_followed_clear(struct apitrace_d3d_followed *followed)
{
    apitrace_map_clear(&followed->handles);
    apitrace_map_clear(&followed->contents);
    free(followed->places);
    free(followed->first_content);
}

/* Contents. */

static uint64_t key_of(const struct apitrace_d3d_place *place)
{
    return (uint64_t)place->level << 32 | place->layer;
}

/* Returns the latest content of a subresource; NULL if nothing was written to it. */
static struct apitrace_d3d_content *find_content(const struct apitrace_d3d_followed *followed,
                                                 const struct apitrace_d3d_place *place)
{
    uint64_t at;

    return apitrace_map_get(&followed->contents, place->resource, key_of(place), &at)
               ? &followed->index->contents[at]
               : NULL;
}

/* Makes room in first_content for all resources. */
static int reach_resources(struct apitrace_d3d_followed *followed)
{
    const uint64_t count = followed->index->resource_count;

    while (followed->first_room < count) {
        const uint64_t before = followed->first_room;

        if (apitrace_grow(&followed->first_content, count - 1, &followed->first_room,
                          sizeof(*followed->first_content), &followed->index->memory) < 0)
            return -ENOMEM;
        for (uint64_t n = before; n < followed->first_room; n++)
            followed->first_content[n] = APITRACE_D3D_NONE;
    }
    return 0;
}

static int append(struct apitrace_d3d_followed *followed,
                  const struct apitrace_d3d_content *content)
{
    struct apitrace_d3d_index *index = followed->index;

    if (apitrace_grow(&index->contents, index->content_count, &index->content_room,
                      sizeof(*index->contents), &index->memory) < 0)
        return -ENOMEM;
    index->contents[index->content_count++] = *content;
    return 0;
}

/* Begins a subresource of which nothing is known. */
static int begin_content(struct apitrace_d3d_followed *followed,
                         const struct apitrace_d3d_place *place, uint32_t order)
{
    struct apitrace_d3d_content content = {.resource = place->resource,
                                           .level = place->level,
                                           .layer = place->layer,
                                           .begin = order,
                                           .end = UINT32_MAX};
    uint32_t size[3];
    int status = reach_resources(followed);

    if (status < 0)
        return status;
    (void)apitrace_d3d_size(&followed->index->resources[place->resource], place->level,
                            place->layer, size);
    content.width = size[0];
    content.height = size[1];
    content.depth = size[2];
    content.next = followed->first_content[place->resource];
    status = append(followed, &content);
    if (status == 0)
        status = apitrace_map_set(&followed->contents, place->resource, key_of(place),
                                  followed->index->content_count - 1);
    if (status == 0)
        followed->first_content[place->resource] = (uint32_t)followed->index->content_count - 1;
    return status;
}

/*
 * Sets the known box from `order` on. If that changes whether the complete subresource is known,
 * the former content is appended as a row of its own. The latest one keeps its index, so that lists
 * that refer to it stay valid.
 */
static int set_known(struct apitrace_d3d_followed *followed, struct apitrace_d3d_content *content,
                     const struct box *known, uint32_t order)
{
    struct apitrace_d3d_content former = *content;
    const bool was_known = apitrace_d3d_is_known(content);

    memcpy(content->from, known->from, sizeof(content->from));
    memcpy(content->to, known->to, sizeof(content->to));
    if (apitrace_d3d_is_known(content) == was_known || former.begin == order)
        return 0;
    content->begin = former.end = order;
    return append(followed, &former);
}

static bool is_data(const struct apitrace_d3d_write *write)
{
    return write->status == APITRACE_D3D_OK || write->status == APITRACE_D3D_PART;
}

static bool is_lost(const struct apitrace_d3d_followed *followed, uint32_t resource, uint32_t order)
{
    return followed->index->resources[resource].lost <= order;
}

static int touch(struct apitrace_d3d_followed *followed, const struct apitrace_d3d_write *write)
{
    const struct box box = box_at(&write->to, write);
    struct apitrace_d3d_content *content = find_content(followed, &write->to);
    struct box known;
    int status;

    if (is_lost(followed, write->to.resource, write->order))
        return 0;
    if (content == NULL) {
        status = begin_content(followed, &write->to, write->order);
        if (status < 0)
            return status;
        content = find_content(followed, &write->to);
    }
    known = known_box(content);
    if (write->discards)
        known = (struct box){{0}, {0}};
    if (write->status == APITRACE_D3D_OK)
        join(&known, &box);
    else if (!is_data(write) && touches(&known, &box))
        known = (struct box){{0}, {0}};
    return set_known(followed, content, &known, write->order);
}

/* Returns what is known of a copy's source. */
static enum apitrace_d3d_status source_status(const struct apitrace_d3d_followed *followed,
                                              const struct apitrace_d3d_write *write)
{
    const struct apitrace_d3d_content *content = find_content(followed, &write->from);
    const struct box box = box_at(&write->from, write);
    struct box known;

    if (followed->index->resources[write->from.resource].drawn)
        return APITRACE_D3D_SOURCE_DRAWN;
    if (content == NULL || is_lost(followed, write->from.resource, write->order))
        return APITRACE_D3D_SOURCE_NOT_KNOWN;
    known = known_box(content);
    return holds(&known, &box) ? APITRACE_D3D_OK : APITRACE_D3D_SOURCE_PARTLY_KNOWN;
}

/* Returns the part of a copy of all subresources that concerns one of them. */
static struct apitrace_d3d_write one_of(const struct apitrace_d3d_write *write,
                                        const struct apitrace_d3d_content *content)
{
    struct apitrace_d3d_write one = *write;

    one.to.level = one.from.level = content->level;
    one.to.layer = one.from.layer = content->layer;
    one.width = content->width;
    one.height = content->height;
    one.depth = content->depth;
    return one;
}

/*
 * Copies each subresource of which `resource` has a content. Subresources of the destination that
 * the source lacks become unknown.
 */
static int touch_all(struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write,
                     uint32_t resource)
{
    uint32_t at;
    int status = reach_resources(followed);

    for (at = status == 0 ? followed->first_content[resource] : APITRACE_D3D_NONE;
         at != APITRACE_D3D_NONE && status == 0 && followed->steps < followed->steps_max;
         at = followed->index->contents[at].next, followed->steps++) {
        struct apitrace_d3d_write one = one_of(write, &followed->index->contents[at]);
        uint32_t size[3];

        if (cancel_requested(followed->cancel))
            return -EINTR;
        if (!apitrace_d3d_size(&followed->index->resources[one.to.resource], one.to.level,
                               one.to.layer, size) ||
            size[0] != one.width || size[1] != one.height || size[2] != one.depth)
            continue;
        if (one.status == APITRACE_D3D_OK)
            one.status = (uint8_t)source_status(followed, &one);
        if (one.status > write->status)
            write->status = one.status;
        status = touch(followed, &one);
    }
    return status;
}

uint64_t apitrace_d3d_steps_max(uint64_t size)
{
    return STEPS_MIN + size / BYTES_OF_STEP;
}

/* Marks the destination as unknown from here on, since copies visited too many subresources. */
static void lose(struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write)
{
    struct apitrace_resource *resource = &followed->index->resources[write->to.resource];

    if (resource->lost > write->order)
        resource->lost = write->order;
    if (!followed->beyond)
        followed->beyond_at = write->number;
    followed->beyond = true;
    write->status = APITRACE_D3D_BEYOND_LIMIT;
}

/* Copies all subresources that the source has, and sets the status of the write. */
static int touch_from(struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write)
{
    struct apitrace_d3d_write judged = *write;
    int status;

    if (followed->first_content[write->from.resource] == APITRACE_D3D_NONE)
        write->status = APITRACE_D3D_SOURCE_NOT_KNOWN;
    if (followed->index->resources[write->from.resource].drawn)
        write->status = APITRACE_D3D_SOURCE_DRAWN;
    status = touch_all(followed, &judged, write->from.resource);
    if (judged.status > write->status)
        write->status = judged.status;
    return status;
}

static int touch_by_copy(struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write)
{
    struct apitrace_d3d_write judged = *write;
    int status;

    if (write->to.level != APITRACE_D3D_ALL) {
        if (write->status == APITRACE_D3D_OK)
            write->status = (uint8_t)source_status(followed, write);
        return write->width > 0 ? touch(followed, write) : 0;
    }
    status = touch_all(followed, &judged, write->to.resource);
    if (status == 0 && write->status == APITRACE_D3D_OK)
        status = touch_from(followed, write);
    if (status == 0 && followed->steps == followed->steps_max)
        lose(followed, write);
    return status;
}

int apitrace_d3d_add(struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write)
{
    struct apitrace_d3d_index *index = followed->index;
    int status = 0;

    if (write->kind >= APITRACE_D3D_COPY)
        status = touch_by_copy(followed, write);
    else if (write->width > 0 && write->status != APITRACE_D3D_FORMAT_NOT_KNOWN)
        status = touch(followed, write);
    if (status < 0)
        return status;
    if (apitrace_grow(&index->writes, index->write_count, &index->write_room,
                      sizeof(*index->writes), &index->memory) < 0)
        return -ENOMEM;
    index->writes[index->write_count++] = *write;
    return 0;
}

/* Sorting the lists. */

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_writes(const void *a, const void *b)
{
    const struct apitrace_d3d_write *left = a, *right = b;
    int result = compare(left->number, right->number);

    if (result == 0)
        result = compare(left->to.layer, right->to.layer);
    return result != 0 ? result : compare(left->to.level, right->to.level);
}

static int compare_contents(const void *a, const void *b)
{
    const struct apitrace_d3d_content *left = a, *right = b;
    int result = compare(left->resource, right->resource);

    if (result == 0)
        result = compare(left->level, right->level);
    if (result == 0)
        result = compare(left->layer, right->layer);
    return result != 0 ? result : compare(left->begin, right->begin);
}

/* Links each resource to its last write, and each write to the one before it. */
static void chain_writes(struct apitrace_d3d_index *index)
{
    for (uint64_t n = 0; n < index->resource_count; n++)
        index->resources[n].last_write = APITRACE_D3D_NONE;
    for (uint64_t n = 0; n < index->write_count; n++) {
        struct apitrace_resource *resource = &index->resources[index->writes[n].to.resource];

        index->writes[n].before = resource->last_write;
        resource->last_write = (uint32_t)n;
    }
}

void apitrace_d3d_finish(struct apitrace_d3d_index *index)
{
    if (index->write_count > 0)
        qsort(index->writes, (size_t)index->write_count, sizeof(*index->writes), compare_writes);
    chain_writes(index);
    if (index->content_count > 0)
        qsort(index->contents, (size_t)index->content_count, sizeof(*index->contents),
              compare_contents);
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/d3d_contents.h"

#include "formats/apitrace/decode/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * The content of a subresource is made in two passes over the writes to resources:
 *
 * 1. Backwards, the writes are found that the content depends on. At first only the requested
 *    subresource is wanted. The writes to resources with wanted subresources are examined from the
 *    latest to the first. One that writes to a wanted subresource becomes a step. If it replaces
 *    the complete content, earlier writes are not wanted any more; if it is a copy, the subresource
 *    that it reads becomes wanted.
 *
 * 2. Forwards, the steps are carried out, from the first to the last.
 */
enum { MEMORY_BASE = 256 << 20, MEMORY_PER_BYTE = 16, POLLED = 4096 };

/* A write that is carried out, and the subresource it is for. */
struct step {
    uint64_t write;
    uint32_t level, layer;
};

/*
 * A subresource. While steps are found, `wanted` says whether earlier writes are needed; afterwards
 * `bytes` is its content.
 */
struct held {
    struct apitrace_d3d_place place;
    bool wanted;
    uint32_t next; /* another one of the same resource */
    struct blob *bytes;
};

struct replay {
    const struct apitrace_index *index;
    const struct apitrace_d3d_index *d3d;
    const struct cancel *cancel;
    struct held *held;
    uint64_t held_count, held_room;
    struct apitrace_map places; /* from subresources to indices in `held` */
    struct apitrace_map of;     /* from resources to the first of their indices in `held` */
    /* A heap: for each resource that `held` has, the next write to examine; the latest is first. */
    uint32_t *next;
    uint64_t next_count, next_room;
    uint64_t at;        /* the current write */
    struct step *steps; /* in reverse order */
    uint64_t step_count, step_room;
    struct apitrace_memory memory; /* of the lists */
    uint64_t bytes;                /* of all contents */
};

static uint64_t key_of(const struct apitrace_d3d_place *place)
{
    return (uint64_t)place->level << 32 | place->layer;
}

static struct held *find(const struct replay *replay, const struct apitrace_d3d_place *place)
{
    uint64_t at;

    return apitrace_map_get(&replay->places, place->resource, key_of(place), &at)
               ? &replay->held[at]
               : NULL;
}

/* Writes to examine, the latest first. */

static void swap(uint32_t *a, uint32_t *b)
{
    const uint32_t before = *a;

    *a = *b;
    *b = before;
}

static int push(struct replay *replay, uint32_t write)
{
    uint64_t at = replay->next_count;

    if (write == APITRACE_D3D_NONE)
        return 0;
    if (apitrace_grow(&replay->next, at, &replay->next_room, sizeof(*replay->next),
                      &replay->memory) < 0)
        return -ENOMEM;
    replay->next[replay->next_count++] = write;
    for (; at > 0 && replay->next[(at - 1) / 2] < replay->next[at]; at = (at - 1) / 2)
        swap(&replay->next[(at - 1) / 2], &replay->next[at]);
    return 0;
}

static uint32_t pop(struct replay *replay)
{
    const uint32_t first = replay->next[0];
    uint64_t at = 0, child;

    replay->next[0] = replay->next[--replay->next_count];
    while ((child = 2 * at + 1) < replay->next_count) {
        child += child + 1 < replay->next_count && replay->next[child + 1] > replay->next[child];
        if (replay->next[child] <= replay->next[at])
            break;
        swap(&replay->next[child], &replay->next[at]);
        at = child;
    }
    return first;
}

/* Adds a resource, whose writes before the current one matter. */
static int push_resource(struct replay *replay, uint32_t resource)
{
    uint32_t write = replay->d3d->resources[resource].last_write;

    for (uint64_t n = 1; write != APITRACE_D3D_NONE && write >= replay->at; n++) {
        if (n % POLLED == 0 && cancel_requested(replay->cancel))
            return -EINTR;
        write = replay->d3d->writes[write].before;
    }
    return push(replay, write);
}

/* Steps, backwards. */

static int want(struct replay *replay, const struct apitrace_d3d_place *place)
{
    struct held *held = find(replay, place);
    uint64_t first = UINT32_MAX;
    int status = 0;

    if (held != NULL) {
        held->wanted = true;
        return 0;
    }
    if (apitrace_grow(&replay->held, replay->held_count, &replay->held_room, sizeof(*replay->held),
                      &replay->memory) < 0)
        return -ENOMEM;
    if (!apitrace_map_get(&replay->of, place->resource, 0, &first))
        status = push_resource(replay, place->resource);
    if (status < 0)
        return status;
    replay->held[replay->held_count] =
        (struct held){.place = *place, .wanted = true, .next = (uint32_t)first};
    if (apitrace_map_set(&replay->places, place->resource, key_of(place), replay->held_count) < 0)
        return -ENOMEM;
    return apitrace_map_set(&replay->of, place->resource, 0, replay->held_count++);
}

static void size_of(const struct replay *replay, const struct apitrace_d3d_place *place,
                    uint32_t size[3])
{
    (void)apitrace_d3d_size(&replay->d3d->resources[place->resource], place->level, place->layer,
                            size);
}

/* Returns whether nothing of the former content is left. */
static bool replaces(const struct replay *replay, const struct apitrace_d3d_write *write)
{
    uint32_t size[3];

    if (write->discards || write->to.level == APITRACE_D3D_ALL)
        return true;
    size_of(replay, &write->to, size);
    return write->status != APITRACE_D3D_PART && write->width == size[0] &&
           write->height == size[1] && write->depth == size[2];
}

static bool is_copy(const struct apitrace_d3d_write *write)
{
    return write->status == APITRACE_D3D_OK || (write->status >= APITRACE_D3D_SOURCE_PARTLY_KNOWN &&
                                                write->status <= APITRACE_D3D_SOURCE_DRAWN &&
                                                write->from.resource != APITRACE_D3D_NONE);
}

/* Adds a step that writes to a subresource which is wanted. */
static int take_step(struct replay *replay, uint64_t number, struct held *held)
{
    const struct apitrace_d3d_write *write = &replay->d3d->writes[number];
    struct apitrace_d3d_place from = write->from;

    if (apitrace_grow(&replay->steps, replay->step_count, &replay->step_room,
                      sizeof(*replay->steps), &replay->memory) < 0)
        return -ENOMEM;
    replay->steps[replay->step_count++] =
        (struct step){number, held->place.level, held->place.layer};
    if (replay->step_count % POLLED == 0 && cancel_requested(replay->cancel))
        return -EINTR;
    held->wanted = !replaces(replay, write);
    if (write->kind < APITRACE_D3D_COPY || !is_copy(write))
        return 0;
    if (from.level == APITRACE_D3D_ALL) {
        from.level = held->place.level;
        from.layer = held->place.layer;
    }
    return want(replay, &from);
}

/* Adds the steps of a write to all subresources of a resource. */
static int take_all(struct replay *replay, uint64_t number)
{
    uint64_t at = UINT32_MAX;
    int status = 0;

    (void)apitrace_map_get(&replay->of, replay->d3d->writes[number].to.resource, 0, &at);
    while (at != UINT32_MAX && status == 0) {
        const uint32_t next = replay->held[at].next;

        if (replay->held[at].wanted)
            status = take_step(replay, number, &replay->held[at]);
        at = next;
    }
    return status;
}

static int take_write(struct replay *replay, uint64_t number)
{
    const struct apitrace_d3d_write *write = &replay->d3d->writes[number];
    struct held *held;

    if (write->to.level == APITRACE_D3D_ALL)
        return take_all(replay, number);
    if (write->width == 0 && !write->discards)
        return 0;
    held = find(replay, &write->to);
    return held != NULL && held->wanted ? take_step(replay, number, held) : 0;
}

static int find_steps(struct replay *replay, uint64_t order)
{
    int status = 0;

    for (uint64_t n = 1; replay->next_count > 0 && status == 0; n++) {
        const uint32_t number = pop(replay);
        const struct apitrace_d3d_write *write = &replay->d3d->writes[number];

        if (n % POLLED == 0 && cancel_requested(replay->cancel))
            return -EINTR;
        replay->at = number;
        status = push(replay, write->before);
        if (status == 0 && write->order < order)
            status = take_write(replay, number);
    }
    return status;
}

/* Carrying them out. */

/* Gets the content of a subresource so far; it is zero at first. */
static int hold(struct replay *replay, const struct apitrace_d3d_place *place, struct held **out)
{
    const struct pixel_format *format = replay->d3d->resources[place->resource].pixels;
    const uint64_t max = MEMORY_BASE + MEMORY_PER_BYTE * replay->index->stream.size;
    struct held *held = find(replay, place);
    uint32_t size[3];
    uint64_t bytes;
    int status;

    *out = held;
    if (held == NULL || format == NULL)
        return -EIO; /* cannot happen: every subresource that a step needs was wanted */
    if (held->bytes != NULL)
        return 0;
    size_of(replay, place, size);
    bytes = apitrace_d3d_tight(format, size[0], size[1], size[2]);
    if (bytes > max - replay->bytes)
        return -EFBIG;
    replay->bytes += bytes;
    status = blob_create((size_t)bytes, &held->bytes);
    if (status == 0)
        memset(held->bytes->data, 0, (size_t)bytes);
    return status;
}

/* Rows of pixels or blocks in memory. */
struct rows {
    uint8_t *data;
    uint64_t begin, end; /* the range of bytes that exist, counted from the first of the box */
    uint64_t pitch, slice;
};

/* Returns a box in a subresource, which has all of its bytes. */
static struct rows rows_of(const struct replay *replay, const struct held *held,
                           const struct apitrace_d3d_place *at)
{
    const struct pixel_format *format = replay->d3d->resources[held->place.resource].pixels;
    const bool blocks = format->block != PIXEL_NO_BLOCK;
    uint64_t offset;
    struct rows rows;
    uint32_t size[3];

    size_of(replay, &held->place, size);
    rows.pitch = (uint64_t)apitrace_d3d_columns(format, size[0]) * format->bytes;
    rows.slice = rows.pitch * apitrace_d3d_rows(format, size[1]);
    offset = at->z * rows.slice + (blocks ? at->y / format->height : at->y) * rows.pitch +
             (uint64_t)(blocks ? at->x / format->width : at->x) * format->bytes;
    rows.data = held->bytes->data + offset;
    rows.begin = 0;
    rows.end = held->bytes->size - offset;
    return rows;
}

/* Copies a box of rows; `from` NULL: fills it with zeros. */
static void copy_rows(const struct apitrace_d3d_write *write, const struct pixel_format *format,
                      const struct rows *from, const struct rows *to)
{
    const uint64_t row = (uint64_t)apitrace_d3d_columns(format, write->width) * format->bytes;
    const uint64_t rows = apitrace_d3d_rows(format, write->height);

    for (uint64_t n = 0; n < rows * write->depth; n++) {
        const uint64_t begin = n / rows * (from != NULL ? from->slice : 0) +
                               n % rows * (from != NULL ? from->pitch : 0);
        uint8_t *target = to->data + n / rows * to->slice + n % rows * to->pitch;
        uint64_t first, end;

        if (from == NULL) {
            memset(target, 0, (size_t)row);
            continue;
        }
        first = from->begin > begin ? from->begin - begin : 0;
        end = from->end < begin + row ? (from->end > begin ? from->end - begin : 0) : row;
        if (first < end)
            memmove(target + first, from->data + (begin + first - from->begin),
                    (size_t)(end - first));
    }
}

static int copy_data(struct replay *replay, const struct apitrace_d3d_write *write,
                     const struct rows *to)
{
    const struct pixel_format *format = replay->d3d->resources[write->to.resource].pixels;
    struct blob *data = NULL;
    int status = apitrace_read_blob(&replay->index->stream, write->position, write->bytes,
                                    replay->cancel, &data);

    if (status == 0) {
        const struct rows from = {.data = data->data,
                                  .begin = write->skip,
                                  .end = write->skip + write->bytes,
                                  .pitch = write->pitch,
                                  .slice = write->slice};

        copy_rows(write, format, &from, to);
    }
    blob_unref(&data);
    return status;
}

static int copy_subresource(struct replay *replay, const struct apitrace_d3d_write *write,
                            const struct rows *to)
{
    struct rows from;
    struct held *source;
    int status = hold(replay, &write->from, &source);

    if (status == 0) {
        from = rows_of(replay, source, &write->from);
        copy_rows(write, replay->d3d->resources[write->to.resource].pixels, &from, to);
    }
    return status;
}

/*
 * Turns a step into a write to its one subresource. Returns false if the source has no equivalent
 * one.
 */
static bool write_of(const struct replay *replay, const struct step *step,
                     struct apitrace_d3d_write *out)
{
    uint32_t source[3], size[3];

    *out = replay->d3d->writes[step->write];
    if (out->to.level != APITRACE_D3D_ALL)
        return true;
    out->to.level = out->from.level = step->level;
    out->to.layer = out->from.layer = step->layer;
    size_of(replay, &out->to, size);
    out->width = size[0];
    out->height = size[1];
    out->depth = size[2];
    if (!is_copy(out))
        return false;
    size_of(replay, &out->from, source);
    return memcmp(source, size, sizeof(size)) == 0;
}

static int carry_out(struct replay *replay, const struct step *step)
{
    struct apitrace_d3d_write write;
    const bool is_whole = write_of(replay, step, &write);
    const struct pixel_format *format = replay->d3d->resources[write.to.resource].pixels;
    struct rows to;
    struct held *held;
    int status = hold(replay, &write.to, &held);

    if (status < 0)
        return status;
    if (write.discards)
        memset(held->bytes->data, 0, held->bytes->size);
    to = rows_of(replay, held, &write.to);
    if (is_whole && write.kind < APITRACE_D3D_COPY && write.status <= APITRACE_D3D_PART)
        return copy_data(replay, &write, &to);
    if (is_whole && write.kind >= APITRACE_D3D_COPY && is_copy(&write))
        return copy_subresource(replay, &write, &to);
    copy_rows(&write, format, NULL, &to);
    return 0;
}

static void clear(struct replay *replay)
{
    for (uint64_t n = 0; n < replay->held_count; n++)
        blob_unref(&replay->held[n].bytes);
    apitrace_map_clear(&replay->places);
    apitrace_map_clear(&replay->of);
    free(replay->held);
    free(replay->next);
    free(replay->steps);
}

int apitrace_d3d_content_read(const struct apitrace_index *index,
                              const struct apitrace_d3d_index *d3d,
                              const struct apitrace_d3d_content *content, uint64_t order,
                              const struct cancel *cancel, struct blob **out)
{
    const struct apitrace_d3d_place place = {
        .resource = content->resource, .level = content->level, .layer = content->layer};
    struct replay replay = {.index = index, .d3d = d3d, .cancel = cancel, .at = UINT64_MAX};
    struct held *held = NULL;
    int status = want(&replay, &place);

    if (status == 0)
        status = find_steps(&replay, order);
    for (uint64_t n = replay.step_count; n > 0 && status == 0; n--)
        status = cancel_requested(cancel) ? -EINTR : carry_out(&replay, &replay.steps[n - 1]);
    if (status == 0)
        status = hold(&replay, &place, &held);
    if (status == 0)
        *out = blob_ref(held->bytes);
    clear(&replay);
    return status;
}

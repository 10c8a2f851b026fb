/* SPDX-License-Identifier: MIT */
/* Data that calls hand over to resources: initial data, updates, and writes to mapped memory. */
#include "formats/apitrace/index/d3d_resources.h"

#include <errno.h>
#include <string.h>

enum {
    SUBRESOURCES_MAX = 1 << 16, /* maximum of subresources with initial data */
    MAP_DISCARD = 4,            /* D3D10_MAP_WRITE_DISCARD, D3D11_… */
    LOCK_DISCARD = 0x2000,      /* D3DLOCK_DISCARD */
};

static uint32_t pitch_of(int64_t pitch)
{
    return pitch > 0 && pitch <= INT32_MAX ? (uint32_t)pitch : 0;
}

static const struct apitrace_resource *resource_of(const struct apitrace_d3d_followed *followed,
                                                   const struct apitrace_d3d_write *write)
{
    return &followed->index->resources[write->to.resource];
}

static struct apitrace_d3d_write begin(const struct apitrace_call *call,
                                       enum apitrace_d3d_kind kind, uint32_t resource)
{
    return (struct apitrace_d3d_write){.number = (uint32_t)call->record->number,
                                       .order = (uint32_t)call->record->order,
                                       .to.resource = resource,
                                       .from.resource = APITRACE_D3D_NONE,
                                       .kind = kind};
}

/* Sets the destination to a complete level of a layer or face. */
static void take_level(const struct apitrace_d3d_followed *followed, uint64_t level, uint64_t layer,
                       struct apitrace_d3d_write *write)
{
    uint32_t size[3];

    write->to.level = level < UINT32_MAX ? (uint32_t)level : UINT32_MAX - 1;
    write->to.layer = layer < UINT32_MAX ? (uint32_t)layer : UINT32_MAX - 1;
    if (!apitrace_d3d_size(resource_of(followed, write), level, layer, size) || size[0] == 0) {
        write->status = APITRACE_D3D_OUTSIDE;
        return;
    }
    write->width = size[0];
    write->height = size[1];
    write->depth = size[2];
}

static void take_subresource(const struct apitrace_d3d_followed *followed, uint64_t subresource,
                             struct apitrace_d3d_write *write)
{
    const uint32_t levels = apitrace_d3d_levels(resource_of(followed, write));

    take_level(followed, subresource % levels, subresource / levels, write);
}

static void take_box(struct apitrace_call *call, uint32_t argument,
                     struct apitrace_d3d_write *write)
{
    uint32_t at[3], size[3] = {write->width, write->height, write->depth};

    if (write->status != APITRACE_D3D_OK)
        return;
    if (!apitrace_d3d_take_box(call, argument, at, size)) {
        write->status = APITRACE_D3D_OUTSIDE;
        return;
    }
    write->to.x = at[0];
    write->to.y = at[1];
    write->to.z = at[2];
    write->width = size[0];
    write->height = size[1];
    write->depth = size[2];
}

/*
 * Returns the bytes from the first of the box to the last; 0 if the pitch is too small. Sets
 * pitches that are 0 to the smallest possible values.
 */
static uint64_t measure(const struct pixel_format *format, struct apitrace_d3d_write *write)
{
    const uint64_t row = (uint64_t)apitrace_d3d_columns(format, write->width) * format->bytes;
    const uint64_t rows = apitrace_d3d_rows(format, write->height);

    if (write->pitch == 0 || rows == 1)
        write->pitch = (uint32_t)row;
    if (write->slice == 0)
        write->slice = write->pitch * rows;
    return write->pitch >= row ? (write->depth - 1) * write->slice + (rows - 1) * write->pitch + row
                               : 0;
}

/*
 * Sets the status: whether the bytes fill the box. Of a longer blob, only the bytes for the box
 * count.
 */
static void judge(const struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write)
{
    const struct pixel_format *format = resource_of(followed, write)->pixels;
    uint64_t needed;

    if (write->status != APITRACE_D3D_OK)
        return;
    if (format == NULL) {
        write->status = APITRACE_D3D_FORMAT_NOT_KNOWN;
        return;
    }
    needed = measure(format, write);
    if (write->bytes == 0)
        write->status = APITRACE_D3D_NO_DATA;
    else if (needed == 0 || (write->kind != APITRACE_D3D_MAPPED && write->bytes < needed))
        write->status = APITRACE_D3D_TOO_FEW_BYTES;
    else if (write->skip >= needed)
        write->status = APITRACE_D3D_OUTSIDE;
    else if (write->skip > 0 || write->bytes < needed)
        write->status = APITRACE_D3D_PART;
    if (write->status <= APITRACE_D3D_PART && write->bytes > needed - write->skip)
        write->bytes = needed - write->skip;
}

static int add(struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write)
{
    judge(followed, write);
    return apitrace_d3d_add(followed, write);
}

/* Initial data. */

static int add_initial(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                       const struct apitrace_struct *structure, uint64_t subresource)
{
    static const char *const names[] = {"SysMemPitch", "SysMemSlicePitch", NULL};
    struct apitrace_d3d_write write =
        begin(call, APITRACE_D3D_INITIAL, (uint32_t)followed->index->resource_count - 1);
    struct apitrace_d3d_members members = {.names = names};

    apitrace_d3d_read_members(call, structure, &members);
    if (call->reader.status != 0)
        return 0;
    take_subresource(followed, subresource, &write);
    write.position = members.position;
    write.bytes = members.bytes;
    write.pitch = pitch_of(members.values[0]);
    write.slice = write.depth > 1 ? pitch_of(members.values[1]) : 0;
    return add(followed, &write);
}

/* Adds one structure for each subresource. */
static int add_all_initial(struct apitrace_d3d_followed *followed, struct apitrace_call *call)
{
    const uint32_t argument = apitrace_call_named(call, "pInitialData", NULL);
    struct apitrace_value value;
    uint64_t count = 1;
    int status = 0;

    if (argument >= call->argument_count || call->arguments[argument] == 0)
        return 0;
    apitrace_reader_seek(&call->reader, call->arguments[argument]);
    apitrace_read_value(&call->reader, call->definitions, &value);
    if (value.type == APITRACE_ARRAY) {
        count = value.number < SUBRESOURCES_MAX ? value.number : SUBRESOURCES_MAX;
        apitrace_read_value(&call->reader, call->definitions, &value);
    }
    for (uint64_t n = 0; n < count && status == 0 && call->reader.status == 0; n++) {
        if (n > 0)
            apitrace_read_value(&call->reader, call->definitions, &value);
        if (value.type != APITRACE_STRUCT)
            break;
        status = add_initial(followed, call, value.structure, n);
    }
    return status;
}

int apitrace_d3d_made(struct apitrace_d3d_followed *followed, struct apitrace_call *call)
{
    const uint32_t place = (uint32_t)followed->index->resource_count - 1;
    const struct apitrace_resource *resource = &followed->index->resources[place];
    const struct apitrace_d3d_place all = {.resource = place, .level = APITRACE_D3D_ALL};
    const bool is_view = strstr(resource->kind, "-view") != NULL;
    int status = 0;

    if (resource->object != 0)
        status = apitrace_d3d_name(followed, resource->object, is_view ? NULL : &all,
                                   (uint32_t)call->record->order);
    return status == 0 && !is_view ? add_all_initial(followed, call) : status;
}

/* Updates. */

int apitrace_d3d_updated(struct apitrace_d3d_followed *followed, struct apitrace_call *call)
{
    const uint64_t object = (uint64_t)apitrace_call_integer_named(call, "pDstResource", 0);
    struct apitrace_d3d_place place;
    struct apitrace_d3d_write write;
    struct apitrace_value value;

    if (!apitrace_d3d_find(followed, object, &place))
        return 0;
    write = begin(call, APITRACE_D3D_UPDATE, place.resource);
    take_subresource(followed, (uint64_t)apitrace_call_integer_named(call, "DstSubresource", 0),
                     &write);
    take_box(call, apitrace_call_named(call, "pDstBox", NULL), &write);
    write.pitch = pitch_of(apitrace_call_integer_named(call, "SrcRowPitch", 0));
    if (write.depth > 1)
        write.slice = pitch_of(apitrace_call_integer_named(call, "SrcDepthPitch", 0));
    if (apitrace_call_argument(call, apitrace_call_named(call, "pSrcData", NULL), &value) &&
        value.type == APITRACE_BLOB) {
        write.position = apitrace_reader_position(&call->reader);
        write.bytes = value.number;
    }
    return add(followed, &write);
}

/* Mapped memory. */

/* Returns the object whose memory a call maps, or unmaps. */
static uint64_t mapped_object(struct apitrace_call *call)
{
    return (uint64_t)apitrace_call_integer(call,
                                           apitrace_call_named(call, "pResource", "this", NULL), 0);
}

/*
 * Takes the mapped subresource: a level and face in Direct3D 8 and 9, a number in 10 and 11. A
 * surface is a subresource itself.
 */
static void take_mapped(const struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                        const struct apitrace_d3d_place *place, struct apitrace_d3d_write *write)
{
    const int64_t subresource = apitrace_call_integer_named(call, "Subresource", -1);

    if (place->level != APITRACE_D3D_ALL)
        take_level(followed, place->level, place->layer, write);
    else if (subresource >= 0)
        take_subresource(followed, (uint64_t)subresource, write);
    else
        take_level(followed, (uint64_t)apitrace_call_integer_named(call, "Level", 0),
                   (uint64_t)apitrace_call_integer_named(call, "FaceType", 0), write);
}

/* Takes the locked part of a buffer. */
static void take_range(struct apitrace_call *call, struct apitrace_d3d_write *write)
{
    const int64_t from = apitrace_call_integer_named(call, "OffsetToLock", 0);
    const int64_t size = apitrace_call_integer_named(call, "SizeToLock", 0);

    if (write->status != APITRACE_D3D_OK)
        return;
    if (from < 0 || from >= write->width) {
        write->status = APITRACE_D3D_OUTSIDE;
        return;
    }
    write->to.x = (uint32_t)from;
    write->width -= (uint32_t)from;
    if (size > 0 && size < write->width)
        write->width = (uint32_t)size;
}

/* Takes the address and the pitches, by the names that each version uses. */
static void take_address(struct apitrace_call *call, struct apitrace_d3d_map *map)
{
    static const char *const names[] = {"pData", "pBits",      "RowPitch",
                                        "Pitch", "DepthPitch", "SlicePitch"};
    struct apitrace_d3d_members members = {.names = names};

    if (apitrace_d3d_read_struct(call,
                                 apitrace_call_named(call, "pMappedResource", "pMappedTex2D",
                                                     "pMappedTex3D", "pLockedRect", "pLockedVolume",
                                                     NULL),
                                 &members)) {
        map->address = (uint64_t)(members.values[0] | members.values[1]);
        map->write.pitch = pitch_of(members.values[2] | members.values[3]);
        if (map->write.depth > 1)
            map->write.slice = pitch_of(members.values[4] | members.values[5]);
    } else {
        map->address = (uint64_t)apitrace_call_integer(
            call, apitrace_call_named(call, "ppData", "ppbData", NULL), 0);
    }
}

int apitrace_d3d_mapped(struct apitrace_d3d_followed *followed, struct apitrace_call *call)
{
    struct apitrace_d3d_map map = {.object = mapped_object(call)};
    const struct pixel_format *format;
    struct apitrace_d3d_place place;

    if (!apitrace_d3d_find(followed, map.object, &place))
        return 0;
    map.write = begin(call, APITRACE_D3D_MAPPED, place.resource);
    take_mapped(followed, call, &place, &map.write);
    take_box(call, apitrace_call_named(call, "pRect", "pBox", NULL), &map.write);
    take_range(call, &map.write);
    take_address(call, &map);
    map.discards = apitrace_call_integer_named(call, "MapType", 0) == MAP_DISCARD ||
                   (apitrace_call_integer_named(call, "Flags", 0) & LOCK_DISCARD) != 0;
    format = resource_of(followed, &map.write)->pixels;
    map.bytes =
        format != NULL && map.write.status == APITRACE_D3D_OK ? measure(format, &map.write) : 0;
    if (map.address != 0)
        followed->maps[followed->map_count++ % APITRACE_D3D_MAPS] = map;
    return 0;
}

/* Returns the n-th last mapping; NULL if there are not as many. */
static struct apitrace_d3d_map *map_at(struct apitrace_d3d_followed *followed, unsigned n)
{
    return n < APITRACE_D3D_MAPS && n < followed->map_count
               ? &followed->maps[(followed->map_count - 1 - n) % APITRACE_D3D_MAPS]
               : NULL;
}

/*
 * Finds the latest mapping that contains an address. Of one whose size is not known, only the first
 * address counts.
 */
static struct apitrace_d3d_map *find_map(struct apitrace_d3d_followed *followed, uint64_t address)
{
    struct apitrace_d3d_map *map;

    for (unsigned n = 0; (map = map_at(followed, n)) != NULL; n++)
        if (map->object != 0 && (address == map->address ||
                                 (address > map->address && address - map->address < map->bytes)))
            return map;
    return NULL;
}

/* Reduces the box of a write to a buffer to the written bytes. */
static void shrink_to_data(struct apitrace_d3d_write *write)
{
    if (write->skip >= write->width)
        return;
    write->to.x += (uint32_t)write->skip;
    write->width -= (uint32_t)write->skip;
    write->skip = 0;
    if (write->bytes > 0 && write->bytes < write->width)
        write->width = (uint32_t)write->bytes;
    write->pitch = 0;
    write->slice = 0;
}

int apitrace_d3d_written(struct apitrace_d3d_followed *followed, struct apitrace_call *call)
{
    const uint64_t address = (uint64_t)apitrace_call_integer_named(call, "dest", 0);
    struct apitrace_d3d_map *map = address != 0 ? find_map(followed, address) : NULL;
    struct apitrace_d3d_write write;
    struct apitrace_value value;

    if (map == NULL)
        return 0;
    write = map->write;
    write.number = (uint32_t)call->record->number;
    write.order = (uint32_t)call->record->order;
    write.skip = address - map->address;
    write.discards = map->discards && !map->written;
    map->written = true;
    if (apitrace_call_argument(call, apitrace_call_named(call, "src", NULL), &value) &&
        value.type == APITRACE_BLOB) {
        write.position = apitrace_reader_position(&call->reader);
        write.bytes = value.number;
    }
    if (write.status == APITRACE_D3D_OK && apitrace_d3d_is_buffer(resource_of(followed, &write)))
        shrink_to_data(&write);
    return add(followed, &write);
}

/*
 * Ends a mapping. If it discarded the former content and nothing was written, the content is
 * unknown.
 */
static int end_map(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                   struct apitrace_d3d_map *map)
{
    struct apitrace_d3d_write write = map->write;

    map->object = 0;
    if (!map->discards || map->written)
        return 0;
    write.number = (uint32_t)call->record->number;
    write.order = (uint32_t)call->record->order;
    write.discards = true;
    return add(followed, &write);
}

int apitrace_d3d_unmapped(struct apitrace_d3d_followed *followed, struct apitrace_call *call)
{
    const uint64_t object = mapped_object(call);
    struct apitrace_d3d_place place;
    struct apitrace_d3d_write which;
    struct apitrace_d3d_map *map;

    if (!apitrace_d3d_find(followed, object, &place))
        return 0;
    which = begin(call, APITRACE_D3D_MAPPED, place.resource);
    take_mapped(followed, call, &place, &which);
    for (unsigned n = 0; (map = map_at(followed, n)) != NULL; n++)
        if (map->object == object && map->write.to.level == which.to.level &&
            map->write.to.layer == which.to.layer)
            return end_map(followed, call, map);
    return 0;
}

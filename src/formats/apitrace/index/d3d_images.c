/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/d3d_images.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

enum { MEMBERS = 6, LEVELS_MAX = 15, LAYERS_MAX = 1 << 16 };

/*
 * Integers, and a blob, that members of a structure are; those that it lacks stay as they were.
 * Boxes of Direct3D 9 have edges with capitals.
 */
struct members {
    const char *const *names;
    int64_t values[MEMBERS];
    uint64_t position, bytes; /* of the last blob */
};

/* The reader stands behind the structure's head. */
static void read_members(struct apitrace_call *call, const struct apitrace_struct *structure,
                         struct members *members)
{
    for (uint32_t n = 0; n < structure->member_count && call->reader.status == 0; n++) {
        struct apitrace_value value;
        int64_t integer;

        apitrace_read_value(&call->reader, call->definitions, &value);
        if (value.type == APITRACE_BLOB) {
            members->position = apitrace_reader_position(&call->reader);
            members->bytes = value.number;
        }
        for (unsigned i = 0; i < MEMBERS && members->names[i] != NULL; i++)
            if (strcasecmp(structure->members[n].bytes, members->names[i]) == 0 &&
                apitrace_value_integer(&value, &integer))
                members->values[i] = integer;
        apitrace_skip_rest(&call->reader, call->definitions, &value);
    }
}

static bool read_struct(struct apitrace_call *call, uint32_t argument, struct members *members)
{
    struct apitrace_value value;

    if (!apitrace_call_argument(call, argument, &value) || value.type != APITRACE_STRUCT)
        return false;
    read_members(call, value.structure, members);
    return call->reader.status == 0;
}

/* Textures. */

static uint32_t value_of(const struct apitrace_resource *resource,
                         enum apitrace_resource_field field, uint32_t otherwise)
{
    const bool known = (resource->known & 1U << field) != 0;

    return known && resource->values[field] > 0 && resource->values[field] <= PICTURE_MAX
               ? (uint32_t)resource->values[field]
               : otherwise;
}

/* How many levels it has: as many as it can have where it says none or 0. */
static uint32_t levels_of(const struct apitrace_resource *resource)
{
    uint32_t size = value_of(resource, APITRACE_RESOURCE_WIDTH, 1), levels = 1;
    const uint32_t height = value_of(resource, APITRACE_RESOURCE_HEIGHT, 1);
    const uint32_t depth = value_of(resource, APITRACE_RESOURCE_DEPTH, 1);

    size = height > size ? height : size;
    size = depth > size ? depth : size;
    for (; size > 1; size /= 2)
        levels++;
    return value_of(resource, APITRACE_RESOURCE_LEVELS, levels);
}

static uint32_t halved(uint32_t size, uint32_t level)
{
    return size >> level > 0 ? size >> level : 1;
}

/* A level of a layer or face, all of it; false: it is none of a texture with a known format. */
static bool find_level(const struct apitrace_resource *resource, uint64_t level, uint64_t layer,
                       struct apitrace_d3d_image *out)
{
    const struct pixel_format *format = apitrace_d3d_format(resource->format);
    const bool is_cube = strcmp(resource->kind, "cube") == 0;
    const uint32_t width = value_of(resource, APITRACE_RESOURCE_WIDTH, 0);

    if (format == NULL || width == 0 || level > LEVELS_MAX || layer >= LAYERS_MAX)
        return false;
    *out = (struct apitrace_d3d_image){
        .object = resource->object,
        .level = (uint32_t)level,
        .layer = (uint32_t)layer,
        .width = halved(width, (uint32_t)level),
        .height = is_cube
                      ? halved(width, (uint32_t)level)
                      : halved(value_of(resource, APITRACE_RESOURCE_HEIGHT, 1), (uint32_t)level),
        .depth = halved(value_of(resource, APITRACE_RESOURCE_DEPTH, 1), (uint32_t)level),
        .format = format,
    };
    return true;
}

static bool find_subresource(const struct apitrace_resource *resource, uint64_t subresource,
                             struct apitrace_d3d_image *out)
{
    const uint32_t levels = levels_of(resource);

    return find_level(resource, subresource % levels, subresource / levels, out);
}

/* The texture that a pointer is at that time. */
static const struct apitrace_resource *find_texture(const struct apitrace_d3d_followed *followed,
                                                    const struct apitrace_object_index *objects,
                                                    uint64_t object)
{
    uint64_t place;

    return apitrace_map_get(&followed->textures, object, 0, &place) ? &objects->resources[place]
                                                                    : NULL;
}

/* Images. */

/* Bytes of its rows and slices; pitches of 0 are as small as they can be. 0: others are wrong. */
static uint64_t measure(struct apitrace_d3d_image *image)
{
    const struct pixel_format *format = image->format;
    const bool blocks = format->block != PIXEL_NO_BLOCK;
    const uint64_t across =
        blocks ? (image->width + format->width - 1) / format->width : image->width;
    const uint64_t rows =
        blocks ? (image->height + format->height - 1) / format->height : image->height;
    const uint64_t row = across * format->bytes;

    if (image->pitch == 0)
        image->pitch = (uint32_t)row;
    if (image->slice == 0)
        image->slice = image->pitch * rows;
    return image->pitch >= row && image->depth <= PICTURE_MAX / image->height
               ? (image->depth - 1) * image->slice + (rows - 1) * image->pitch + row
               : 0;
}

/* Of a blob only what the picture needs is read. */
static int add(struct apitrace_object_index *out, struct apitrace_d3d_image *image, uint32_t number)
{
    const uint64_t needed = measure(image);

    if (needed == 0 || needed > image->bytes)
        return 0;
    image->number = number;
    image->bytes = needed;
    if (apitrace_grow(&out->images, out->image_count, &out->image_room, sizeof(*out->images),
                      &out->memory) < 0)
        return -ENOMEM;
    out->images[out->image_count++] = *image;
    return 0;
}

static uint32_t pitch_of(int64_t pitch)
{
    return pitch > 0 && pitch <= INT32_MAX ? (uint32_t)pitch : 0;
}

static int add_initial(struct apitrace_call *call, const struct apitrace_struct *structure,
                       uint64_t subresource, struct apitrace_object_index *out)
{
    static const char *const names[MEMBERS] = {"SysMemPitch", "SysMemSlicePitch"};
    const struct apitrace_resource *resource = &out->resources[out->resource_count - 1];
    struct members members = {.names = names};
    struct apitrace_d3d_image image;

    read_members(call, structure, &members);
    if (call->reader.status != 0 || !find_subresource(resource, subresource, &image))
        return 0;
    image.position = members.position;
    image.bytes = members.bytes;
    image.pitch = pitch_of(members.values[0]);
    image.slice = image.depth > 1 ? pitch_of(members.values[1]) : 0;
    return add(out, &image, resource->number);
}

/* A structure for each subresource. */
static int add_all_initial(struct apitrace_call *call, struct apitrace_object_index *out)
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
        count = value.number < LAYERS_MAX ? value.number : LAYERS_MAX;
        apitrace_read_value(&call->reader, call->definitions, &value);
    }
    for (uint64_t n = 0; n < count && status == 0 && call->reader.status == 0; n++) {
        if (n > 0)
            apitrace_read_value(&call->reader, call->definitions, &value);
        if (value.type != APITRACE_STRUCT)
            break;
        status = add_initial(call, value.structure, n, out);
    }
    return status;
}

int apitrace_d3d_made(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                      struct apitrace_object_index *out)
{
    const uint64_t place = out->resource_count - 1;
    const struct apitrace_resource *resource = &out->resources[place];

    if (strncmp(resource->kind, "texture", 7) != 0 && strcmp(resource->kind, "cube") != 0) {
        apitrace_map_remove(&followed->textures, resource->object, 0); /* what was there is gone */
        return 0;
    }
    if (resource->object != 0 &&
        apitrace_map_set(&followed->textures, resource->object, 0, place) < 0)
        return -ENOMEM;
    return add_all_initial(call, out);
}

/* The size of a box or rectangle, of which the structure tells the edges. */
static bool take_box(struct apitrace_call *call, uint32_t argument,
                     struct apitrace_d3d_image *image)
{
    static const char *const names[MEMBERS] = {"left", "top", "front", "right", "bottom", "back"};
    struct members edges = {.names = names, .values = {0, 0, 0, 0, 0, 1}};
    uint32_t *const sizes[] = {&image->width, &image->height, &image->depth};

    if (!read_struct(call, argument, &edges))
        return true; /* all of it */
    for (unsigned n = 0; n < 3; n++) {
        const int64_t from = edges.values[n], to = edges.values[3 + n];

        if (from < 0 || to <= from || to - from > *sizes[n])
            return false;
        *sizes[n] = (uint32_t)(to - from);
    }
    return true;
}

int apitrace_d3d_updated(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                         struct apitrace_object_index *out)
{
    const uint64_t object = (uint64_t)apitrace_call_integer_named(call, "pDstResource", 0);
    const struct apitrace_resource *resource = find_texture(followed, out, object);
    struct apitrace_d3d_image image;
    struct apitrace_value value;

    if (resource == NULL ||
        !find_subresource(
            resource, (uint64_t)apitrace_call_integer_named(call, "DstSubresource", 0), &image) ||
        !take_box(call, apitrace_call_named(call, "pDstBox", NULL), &image))
        return 0;
    image.pitch = pitch_of(apitrace_call_integer_named(call, "SrcRowPitch", 0));
    if (image.depth > 1)
        image.slice = pitch_of(apitrace_call_integer_named(call, "SrcDepthPitch", 0));
    if (!apitrace_call_argument(call, apitrace_call_named(call, "pSrcData", NULL), &value) ||
        value.type != APITRACE_BLOB)
        return 0;
    image.position = apitrace_reader_position(&call->reader);
    image.bytes = value.number;
    return add(out, &image, (uint32_t)call->record->number);
}

/* Of Direct3D 8 and 9 level and face, of 10 and 11 a subresource. */
static bool find_mapped(struct apitrace_call *call, const struct apitrace_resource *resource,
                        struct apitrace_d3d_image *out)
{
    const int64_t subresource = apitrace_call_integer_named(call, "Subresource", -1);
    const int64_t level = apitrace_call_integer_named(call, "Level", 0);
    const int64_t face = apitrace_call_integer_named(call, "FaceType", 0);

    return subresource >= 0 ? find_subresource(resource, (uint64_t)subresource, out)
                            : level >= 0 && face >= 0 &&
                                  find_level(resource, (uint64_t)level, (uint64_t)face, out);
}

int apitrace_d3d_mapped(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                        const struct apitrace_object_index *objects)
{
    /* Addresses, row and slice pitches, by the names that each version has for them. */
    static const char *const names[MEMBERS] = {"pData", "pBits",      "RowPitch",
                                               "Pitch", "DepthPitch", "SlicePitch"};
    const uint32_t by_name = apitrace_call_named(call, "pResource", "this", NULL);
    const uint64_t object = (uint64_t)apitrace_call_integer(call, by_name, 0);
    const struct apitrace_resource *resource = find_texture(followed, objects, object);
    struct members members = {.names = names};
    struct apitrace_d3d_map map;

    if (resource == NULL || !find_mapped(call, resource, &map.image) ||
        !take_box(call, apitrace_call_named(call, "pRect", "pBox", NULL), &map.image) ||
        !read_struct(call,
                     apitrace_call_named(call, "pMappedResource", "pMappedTex2D", "pMappedTex3D",
                                         "pLockedRect", "pLockedVolume", NULL),
                     &members))
        return 0;
    map.address = (uint64_t)(members.values[0] | members.values[1]);
    map.image.pitch = pitch_of(members.values[2] | members.values[3]);
    if (map.image.depth > 1)
        map.image.slice = pitch_of(members.values[4] | members.values[5]);
    followed->maps[followed->map_count++ % APITRACE_D3D_MAPS] = map;
    return 0;
}

/* The mapping that begins at an address, the latest one. */
static const struct apitrace_d3d_map *find_map(const struct apitrace_d3d_followed *followed,
                                               uint64_t address)
{
    for (unsigned n = 1; n <= APITRACE_D3D_MAPS && n <= followed->map_count; n++) {
        const struct apitrace_d3d_map *map =
            &followed->maps[(followed->map_count - n) % APITRACE_D3D_MAPS];

        if (map->address == address)
            return map;
    }
    return NULL;
}

int apitrace_d3d_written(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                         struct apitrace_object_index *out)
{
    const uint64_t address = (uint64_t)apitrace_call_integer_named(call, "dest", 0);
    const struct apitrace_d3d_map *map = address != 0 ? find_map(followed, address) : NULL;
    struct apitrace_d3d_image image;
    struct apitrace_value value;

    if (map == NULL ||
        !apitrace_call_argument(call, apitrace_call_named(call, "src", NULL), &value) ||
        value.type != APITRACE_BLOB)
        return 0;
    image = map->image;
    image.position = apitrace_reader_position(&call->reader);
    image.bytes = value.number;
    return add(out, &image, (uint32_t)call->record->number);
}

void apitrace_d3d_followed_clear(struct apitrace_d3d_followed *followed)
{
    apitrace_map_clear(&followed->textures);
}

int apitrace_d3d_image_read(const struct apitrace_index *index,
                            const struct apitrace_d3d_image *image, const struct cancel *cancel,
                            struct blob **out)
{
    return apitrace_read_blob(&index->stream, image->position, image->bytes, cancel, out);
}

/* SPDX-License-Identifier: MIT */
/* Copies from resource to resource, and surfaces of textures. */
#include "base/string.h"
#include "formats/apitrace/index/d3d_resources.h"

#include <string.h>

/* One end of a copy. */
struct end {
    struct apitrace_d3d_place place;
    uint32_t size[3];
    bool known, inside;
};

static struct end find_end(const struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                           uint32_t object, const char *subresource)
{
    const uint32_t argument = apitrace_call_named(call, subresource, NULL);
    struct end end = {.place.resource = APITRACE_D3D_NONE};
    const struct apitrace_resource *resource;
    uint64_t number, levels;

    end.known =
        apitrace_d3d_find(followed, (uint64_t)apitrace_call_integer(call, object, 0), &end.place);
    if (!end.known)
        return end;
    resource = &followed->index->resources[end.place.resource];
    levels = apitrace_d3d_levels(resource);
    number = (uint64_t)apitrace_call_integer(call, argument, 0);
    if (end.place.level == APITRACE_D3D_ALL &&
        (argument != UINT32_MAX || apitrace_d3d_is_single(resource))) {
        end.place.level = (uint32_t)(number % levels);
        end.place.layer = number / levels < UINT32_MAX ? (uint32_t)(number / levels) : UINT32_MAX;
    }
    end.inside = end.place.level == APITRACE_D3D_ALL ||
                 (apitrace_d3d_size(resource, end.place.level, end.place.layer, end.size) &&
                  end.size[0] > 0);
    return end;
}

static bool take_box(struct apitrace_call *call, uint32_t argument, struct end *end)
{
    uint32_t at[3];
    const bool inside = apitrace_d3d_take_box(call, argument, at, end->size);

    end->place.x = at[0];
    end->place.y = at[1];
    end->place.z = at[2];
    return inside;
}

/* Takes the place in the destination where the copy begins: coordinates, or a point. */
static bool take_point(struct apitrace_call *call, struct end *end)
{
    static const char *const names[] = {"x", "y", NULL};
    struct apitrace_d3d_members point = {.names = names};
    const int64_t at[3] = {apitrace_call_integer_named(call, "DstX", 0),
                           apitrace_call_integer_named(call, "DstY", 0),
                           apitrace_call_integer_named(call, "DstZ", 0)};

    (void)apitrace_d3d_read_struct(call, apitrace_call_named(call, "pDestPoint", NULL), &point);
    for (unsigned n = 0; n < 3; n++) {
        const int64_t from = at[n] + (n < 2 ? point.values[n] : 0);

        if (from < 0 || from >= end->size[n])
            return false;
        *(n == 0 ? &end->place.x : n == 1 ? &end->place.y : &end->place.z) = (uint32_t)from;
        end->size[n] -= (uint32_t)from;
    }
    return true;
}

static bool is_called(const struct apitrace_call *call, const char *method)
{
    const char *name = strstr(call->function->name.bytes, "::");

    return name != NULL && string_begins(name + 2, method);
}

static bool has_samples(const struct apitrace_d3d_followed *followed, const struct end *end)
{
    return followed->index->resources[end->place.resource].values[APITRACE_RESOURCE_SAMPLES] > 1;
}

/* Takes the boxes at both known ends, which give the size of the copy. */
static enum apitrace_d3d_status take_boxes(struct apitrace_call *call, struct end *from,
                                           struct end *to)
{
    const uint32_t rectangle = apitrace_call_named(call, "pDestRect", NULL);

    if (!take_box(call, apitrace_call_named(call, "pSrcBox", "pSourceRect", NULL), from) ||
        !take_box(call, rectangle, to) || (rectangle == UINT32_MAX && !take_point(call, to)))
        return APITRACE_D3D_OUTSIDE;
    if (rectangle != UINT32_MAX)
        return memcmp(from->size, to->size, sizeof(from->size)) == 0 ? APITRACE_D3D_OK
                                                                     : APITRACE_D3D_SCALED;
    for (unsigned n = 0; n < 3; n++)
        if (from->size[n] > to->size[n])
            return APITRACE_D3D_OUTSIDE;
    return APITRACE_D3D_OK;
}

/* Returns whether bytes of one format can be copied to the other. */
static bool are_alike(const struct pixel_format *a, const struct pixel_format *b)
{
    return a->bytes == b->bytes && (a->block == PIXEL_NO_BLOCK) == (b->block == PIXEL_NO_BLOCK) &&
           (a->block == PIXEL_NO_BLOCK || (a->width == b->width && a->height == b->height));
}

static enum apitrace_d3d_status judge(const struct apitrace_d3d_followed *followed,
                                      struct apitrace_call *call, struct end *from, struct end *to)
{
    const struct pixel_format *source, *destination;

    if (!from->known)
        return APITRACE_D3D_SOURCE_NOT_KNOWN;
    if (!from->inside || !to->inside)
        return APITRACE_D3D_OUTSIDE;
    if (has_samples(followed, from) || has_samples(followed, to))
        return APITRACE_D3D_SAMPLES;
    source = followed->index->resources[from->place.resource].pixels;
    destination = followed->index->resources[to->place.resource].pixels;
    if (source == NULL || destination == NULL)
        return APITRACE_D3D_FORMAT_NOT_KNOWN;
    if (!are_alike(source, destination))
        return APITRACE_D3D_FORMAT_DIFFERS;
    if (from->place.level == APITRACE_D3D_ALL || to->place.level == APITRACE_D3D_ALL)
        return from->place.level == to->place.level ? APITRACE_D3D_OK : APITRACE_D3D_OUTSIDE;
    return take_boxes(call, from, to);
}

/* Describes a write to the complete destination, or to the box if that is known. */
static struct apitrace_d3d_write write_of(const struct apitrace_call *call,
                                          enum apitrace_d3d_kind kind, const struct end *from,
                                          const struct end *to, enum apitrace_d3d_status status)
{
    const uint32_t *size =
        status == APITRACE_D3D_OK && from->place.level != APITRACE_D3D_ALL ? from->size : to->size;

    return (struct apitrace_d3d_write){.number = (uint32_t)call->record->number,
                                       .order = (uint32_t)call->record->order,
                                       .to = to->place,
                                       .from = from->place,
                                       .width = size[0],
                                       .height = size[1],
                                       .depth = size[2],
                                       .kind = kind,
                                       .status = status};
}

/* UpdateTexture() of Direct3D 8 and 9 copies between the levels that have the same size. */
static int copy_levels(struct apitrace_d3d_followed *followed, const struct apitrace_call *call,
                       struct end *from, struct end *to)
{
    const struct apitrace_resource *source = &followed->index->resources[from->place.resource];
    const struct apitrace_resource *destination = &followed->index->resources[to->place.resource];
    const uint32_t levels = apitrace_d3d_levels(destination);
    const uint32_t faces = strcmp(destination->kind, "cube") == 0 ? 6 : 1;
    uint32_t skipped = 0;
    int status = 0;

    (void)apitrace_d3d_size(destination, 0, 0, to->size);
    while (apitrace_d3d_size(source, skipped, 0, from->size) && from->size[0] > to->size[0])
        skipped++;
    for (uint32_t n = 0; n < levels * faces && status == 0; n++) {
        struct apitrace_d3d_write write;
        enum apitrace_d3d_status judged = APITRACE_D3D_OK;

        to->place.level = n % levels;
        from->place.level = to->place.level + skipped;
        to->place.layer = from->place.layer = n / levels;
        if (!apitrace_d3d_size(destination, to->place.level, to->place.layer, to->size) ||
            to->size[0] == 0)
            break;
        if (!apitrace_d3d_size(source, from->place.level, from->place.layer, from->size) ||
            memcmp(from->size, to->size, sizeof(to->size)) != 0)
            judged = APITRACE_D3D_OUTSIDE;
        write = write_of(call, APITRACE_D3D_COPY, from, to, judged);
        status = apitrace_d3d_add(followed, &write);
    }
    return status;
}

static enum apitrace_d3d_kind kind_of(const struct apitrace_call *call)
{
    return is_called(call, "Resolve")     ? APITRACE_D3D_RESOLVE
           : is_called(call, "ColorFill") ? APITRACE_D3D_FILL
                                          : APITRACE_D3D_COPY;
}

int apitrace_d3d_copied(struct apitrace_d3d_followed *followed, struct apitrace_call *call)
{
    const uint32_t source = apitrace_call_named(call, "pSrcResource", "pSourceSurface",
                                                "pSourceTexture", "pRenderTarget", NULL);
    const uint32_t destination =
        apitrace_call_named(call, "pDstResource", "pDestSurface", "pDestinationSurface",
                            "pDestinationTexture", "pSurface", NULL);
    const enum apitrace_d3d_kind kind = kind_of(call);
    struct end from = find_end(followed, call, source, "SrcSubresource");
    struct end to = find_end(followed, call, destination, "DstSubresource");
    enum apitrace_d3d_status judged;
    struct apitrace_d3d_write write;

    if (!to.known)
        return 0;
    judged = kind == APITRACE_D3D_FILL || apitrace_call_integer_named(call, "cRects", 0) != 0
                 ? APITRACE_D3D_NOT_FOLLOWED
                 : judge(followed, call, &from, &to);
    if (judged == APITRACE_D3D_OK && is_called(call, "UpdateTexture"))
        return copy_levels(followed, call, &from, &to);
    write = write_of(call, kind, &from, &to, judged);
    return apitrace_d3d_add(followed, &write);
}

int apitrace_d3d_surface(struct apitrace_d3d_followed *followed, struct apitrace_call *call)
{
    const uint32_t argument =
        apitrace_call_named(call, "ppSurfaceLevel", "ppCubeMapSurface", "ppVolumeLevel", NULL);
    const uint64_t object = (uint64_t)apitrace_call_integer(call, argument, 0);
    const int64_t level = apitrace_call_integer_named(call, "Level", 0);
    const int64_t face = apitrace_call_integer_named(call, "FaceType", 0);
    struct apitrace_d3d_place place;
    uint32_t size[3];

    if (object == 0 ||
        !apitrace_d3d_find(followed, (uint64_t)apitrace_call_integer_named(call, "this", 0),
                           &place) ||
        !apitrace_d3d_size(&followed->index->resources[place.resource], (uint64_t)level,
                           (uint64_t)face, size))
        return 0;
    place.level = (uint32_t)level;
    place.layer = (uint32_t)face;
    return apitrace_d3d_name(followed, object, &place, (uint32_t)call->record->order);
}

/* SPDX-License-Identifier: MIT */
/*
 * Resources of Direct3D, and what calls write to them (apitrace.md 4.12): initial data, updates,
 * writes to mapped or locked memory, and copies. One thread finds them in the order of the listing
 * (struct apitrace_d3d_followed). Then they are constant, and any thread may read them.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_D3D_RESOURCES_H
#define GPUDUMPFS_APITRACE_INDEX_D3D_RESOURCES_H

#include "formats/apitrace/collections.h"
#include "formats/apitrace/index/call.h"
#include "image/pixel_format.h"

#include <stdbool.h>
#include <stdint.h>

struct apitrace_object_index;

/* What a call that makes a texture, a buffer, a surface or a view of one may state. */
enum apitrace_resource_field {
    APITRACE_RESOURCE_WIDTH,
    APITRACE_RESOURCE_HEIGHT,
    APITRACE_RESOURCE_DEPTH,
    APITRACE_RESOURCE_LEVELS,
    APITRACE_RESOURCE_LAYERS,
    APITRACE_RESOURCE_BYTES,
    APITRACE_RESOURCE_USAGE,
    APITRACE_RESOURCE_BIND,
    APITRACE_RESOURCE_SAMPLES,
    APITRACE_RESOURCE_FIELDS
};

struct apitrace_resource {
    uint32_t number;     /* of the call that makes it */
    uint32_t known;      /* bits of enum apitrace_resource_field: values that the call states */
    uint64_t object, of; /* pointers; `of` is the object that a view shows, otherwise 0 */
    const char *kind;    /* "texture2d", … */
    const char *format;  /* name of the format, owned by the definitions; NULL if there is none */
    uint64_t values[APITRACE_RESOURCE_FIELDS];
    /* Of textures, buffers, surfaces and render targets; NULL for views or an unknown format. */
    const struct pixel_format *pixels;
    bool drawn; /* it may be drawn on, or written to by shaders */
    /* Positions in the listing (`order`); UINT32_MAX: never. */
    uint32_t gone;       /* from here on, its pointer refers to another resource */
    uint32_t lost;       /* from here on, its contents are not followed */
    uint32_t last_write; /* index of its last write, once the list of writes is sorted */
};

#define APITRACE_D3D_NONE UINT32_MAX /* instead of an index of a resource or write: not known */
#define APITRACE_D3D_ALL  UINT32_MAX /* instead of a level: all levels and layers */

/* A place in a subresource, in pixels, or bytes for buffers. Faces of cubes are layers. */
struct apitrace_d3d_place {
    uint32_t resource; /* index in the list */
    uint32_t level, layer;
    uint32_t x, y, z;
};

enum apitrace_d3d_kind {
    APITRACE_D3D_INITIAL,
    APITRACE_D3D_UPDATE,
    APITRACE_D3D_MAPPED, /* to mapped memory */
    APITRACE_D3D_COPY,
    APITRACE_D3D_RESOLVE,
    APITRACE_D3D_FILL,
    APITRACE_D3D_KINDS
};

/* Whether the result of a write is known. */
enum apitrace_d3d_status {
    APITRACE_D3D_OK,
    APITRACE_D3D_PART, /* only a part of mapped memory: from `skip` on, or not to the end */
    APITRACE_D3D_SOURCE_PARTLY_KNOWN,
    APITRACE_D3D_SOURCE_NOT_KNOWN,
    APITRACE_D3D_SOURCE_DRAWN,
    APITRACE_D3D_NO_DATA,
    APITRACE_D3D_TOO_FEW_BYTES,
    APITRACE_D3D_FORMAT_NOT_KNOWN,
    APITRACE_D3D_FORMAT_DIFFERS,
    APITRACE_D3D_OUTSIDE, /* outside of the resource */
    APITRACE_D3D_SCALED,
    APITRACE_D3D_SAMPLES, /* with several samples a pixel */
    APITRACE_D3D_NOT_FOLLOWED,
    APITRACE_D3D_BEYOND_LIMIT, /* of all subresources, after too many copies of this kind */
    APITRACE_D3D_STATUSES
};

/* What a call writes to a subresource, or to all of them. */
struct apitrace_d3d_write {
    uint32_t number; /* of the call */
    uint32_t order;  /* position of the call in the listing */
    /* Index of the previous write to the same resource, once the list is sorted. */
    uint32_t before;
    struct apitrace_d3d_place to;
    struct apitrace_d3d_place from; /* of copies; resource is APITRACE_D3D_NONE if not known */
    uint32_t width, height, depth;  /* of the box that is written; 0 for all subresources */
    uint32_t pitch;                 /* bytes between rows, of pixels or of blocks */
    uint64_t slice;                 /* bytes between slices */
    uint64_t skip; /* bytes between the first byte of the box and the first that the call gives */
    uint64_t position, bytes; /* offset in the stream, and number, of the bytes that are given */
    uint8_t kind, status;     /* enum apitrace_d3d_kind and enum apitrace_d3d_status */
    bool discards;            /* the former content of the subresource is lost */
};

/* What is known of a subresource, from one place in the listing up to another. */
struct apitrace_d3d_content {
    uint32_t resource, level, layer;
    uint32_t begin, end;     /* orders; `end` is exclusive, UINT32_MAX for the trace's end */
    uint32_t from[3], to[3]; /* the known box; empty if nothing is known */
    uint32_t next;           /* another one of the same resource, while calls are followed */
    uint32_t width, height, depth;
};

/* Returns whether the complete subresource is known. */
bool apitrace_d3d_is_known(const struct apitrace_d3d_content *content);

struct apitrace_d3d_index {
    struct apitrace_resource *resources; /* sorted by number */
    uint64_t resource_count, resource_room;
    struct apitrace_d3d_write *writes; /* sorted by number */
    uint64_t write_count, write_room;
    struct apitrace_d3d_content *contents; /* sorted by resource, level, layer and begin */
    uint64_t content_count, content_room;
    struct apitrace_memory memory;
};

/* The names used in tables. */
extern const char *const apitrace_d3d_kinds[APITRACE_D3D_KINDS];
extern const char *const apitrace_d3d_statuses[APITRACE_D3D_STATUSES];

/* Returns the format of a name in the trace's definitions; NULL if it is not known. */
const struct pixel_format *apitrace_d3d_format(const char *name);

/* d3d_shapes.c: sizes of subresources. */

/* The format of buffers: bytes. */
extern const struct pixel_format apitrace_d3d_bytes;

bool apitrace_d3d_is_buffer(const struct apitrace_resource *resource);

/* Returns whether a resource is a single subresource, as buffers and surfaces are. */
bool apitrace_d3d_is_single(const struct apitrace_resource *resource);

/* Sets a resource's pixel format, and whether it may be drawn on, from its values. */
void apitrace_d3d_settle(struct apitrace_resource *resource);

/* Returns the number of levels that a resource has. */
uint32_t apitrace_d3d_levels(const struct apitrace_resource *resource);

/*
 * Gets the size of a level, all 0 if the resource has no size. Returns false if the resource does
 * not have that level or layer.
 */
bool apitrace_d3d_size(const struct apitrace_resource *resource, uint64_t level, uint64_t layer,
                       uint32_t size[3]);

/* Returns how many pixels, or blocks of a block format, a row of `width` pixels has. */
uint32_t apitrace_d3d_columns(const struct pixel_format *format, uint32_t width);

/* Returns how many rows of pixels, or of blocks, a slice that is `height` pixels high has. */
uint32_t apitrace_d3d_rows(const struct pixel_format *format, uint32_t height);

/* Returns the bytes of a subresource without gaps. */
uint64_t apitrace_d3d_tight(const struct pixel_format *format, uint32_t width, uint32_t height,
                            uint32_t depth);

/* Following calls. */

enum { APITRACE_D3D_MAPS = 64 /* mappings that are remembered at the same time */ };

/* The mapped memory of a subresource, or of a part of it. */
struct apitrace_d3d_map {
    uint64_t object; /* whose memory was mapped; 0 after unmapping */
    uint64_t address, bytes;
    bool discards, written;
    struct apitrace_d3d_write write; /* a write to the mapped part, which lacks only its data */
};

struct apitrace_d3d_followed {
    struct apitrace_d3d_index *index;
    const struct cancel *cancel;
    struct apitrace_map handles;       /* from pointers to indices in the next list */
    struct apitrace_d3d_place *places; /* of resources and surfaces */
    uint64_t place_count, place_room;
    struct apitrace_map contents; /* from resource, and level with layer, to the latest content */
    uint32_t *first_content;      /* of each resource: index of a content, or APITRACE_D3D_NONE */
    uint64_t first_room;
    struct apitrace_d3d_map maps[APITRACE_D3D_MAPS];
    unsigned map_count; /* of all mappings so far; only the last APITRACE_D3D_MAPS are in `maps` */
    /* Subresources that copies of all subresources have visited, and the limit for them. */
    uint64_t steps, steps_max;
    bool beyond;        /* a copy exceeded `steps_max` */
    uint32_t beyond_at; /* if `beyond`: number of the first call whose copy did */
};

/* Returns the limit for copies of all subresources, in a trace whose stream has `size` bytes. */
uint64_t apitrace_d3d_steps_max(uint64_t size);

void apitrace_d3d_followed_clear(struct apitrace_d3d_followed *followed);

/*
 * Finds what a pointer refers to at that time: a resource, with level APITRACE_D3D_ALL, or a
 * surface of one. Returns false if that is not known.
 */
bool apitrace_d3d_find(const struct apitrace_d3d_followed *followed, uint64_t object,
                       struct apitrace_d3d_place *out);

/*
 * Makes a pointer refer to `place`, or to nothing known if that is NULL. If the pointer was a
 * resource's, the resource ends here. Returns 0 or -ENOMEM.
 */
int apitrace_d3d_name(struct apitrace_d3d_followed *followed, uint64_t object,
                      const struct apitrace_d3d_place *place, uint32_t order);

/*
 * d3d_known.c: records a write, and what is known of contents after it. For a copy, what is known
 * of its source decides the status. Returns 0, -EINTR or -ENOMEM.
 */
int apitrace_d3d_add(struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write);

/* Sorts the lists after the last call. */
void apitrace_d3d_finish(struct apitrace_d3d_index *index);

/* Each of these functions follows one call, and returns 0, -EINTR or -ENOMEM. */

/* Takes the pointer and the initial data of the last resource in the list, which the call made. */
int apitrace_d3d_made(struct apitrace_d3d_followed *followed, struct apitrace_call *call);

/* UpdateSubresource() and the like. */
int apitrace_d3d_updated(struct apitrace_d3d_followed *followed, struct apitrace_call *call);

/* Map(), LockRect() and the like. */
int apitrace_d3d_mapped(struct apitrace_d3d_followed *followed, struct apitrace_call *call);

/* Unmap(), UnlockRect() and the like. */
int apitrace_d3d_unmapped(struct apitrace_d3d_followed *followed, struct apitrace_call *call);

/* A memcpy(), with which the tracer records what the program wrote to mapped memory. */
int apitrace_d3d_written(struct apitrace_d3d_followed *followed, struct apitrace_call *call);

/* CopyResource() and the like. */
int apitrace_d3d_copied(struct apitrace_d3d_followed *followed, struct apitrace_call *call);

/* GetSurfaceLevel() and the like. */
int apitrace_d3d_surface(struct apitrace_d3d_followed *followed, struct apitrace_call *call);

/* d3d_arguments.c: members of structures that are arguments. */

enum { APITRACE_D3D_MEMBERS = 6 };

/*
 * Members of a structure that are integers, and a blob. Values whose member is missing stay
 * unchanged. Names are compared regardless of case, since boxes of Direct3D 9 capitalise their
 * edges.
 */
struct apitrace_d3d_members {
    const char *const *names; /* APITRACE_D3D_MEMBERS names, or fewer and a NULL */
    int64_t values[APITRACE_D3D_MEMBERS];
    uint64_t position, bytes; /* of the last blob, in the stream */
};

/* The reader must be after the structure's head. */
void apitrace_d3d_read_members(struct apitrace_call *call, const struct apitrace_struct *structure,
                               struct apitrace_d3d_members *members);
/* Returns false if that argument does not exist or is no structure, or after a failure. */
bool apitrace_d3d_read_struct(struct apitrace_call *call, uint32_t argument,
                              struct apitrace_d3d_members *members);

/*
 * Sets `at` and narrows `size` to the box or rectangle that an argument gives; without one all of
 * `size` is kept. Returns false if the box is not inside `size`.
 */
bool apitrace_d3d_take_box(struct apitrace_call *call, uint32_t argument, uint32_t at[3],
                           uint32_t size[3]);

#endif

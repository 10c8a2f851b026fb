/* SPDX-License-Identifier: MIT */
/*
 * Resources of Direct3D, and what calls write to them (apitrace.md 4.12): initial data, updates,
 * what is written to memory that was mapped or locked, and copies. Found in the order of the
 * listing by one thread (struct apitrace_d3d_followed); then nothing changes, and any may read.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_D3D_RESOURCES_H
#define GPUDUMPFS_APITRACE_INDEX_D3D_RESOURCES_H

#include "formats/apitrace/collections.h"
#include "formats/apitrace/index/call.h"
#include "image/pixel_format.h"

#include <stdbool.h>
#include <stdint.h>

struct apitrace_object_index;

/* A call that makes a texture, a buffer, a surface or a view of one. */
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
    uint32_t number;
    uint32_t known;      /* bits: which values the call tells */
    uint64_t object, of; /* pointers; of a view the object that it shows, else 0 */
    const char *kind;    /* "texture2d", … */
    const char *format;  /* the name of its value, the definitions'; NULL: it has none */
    uint64_t values[APITRACE_RESOURCE_FIELDS];
    /* Of textures, buffers and surfaces; NULL: it holds nothing, or nobody knows how. */
    const struct pixel_format *pixels;
    bool drawn;    /* it can be drawn on, or written to by shaders */
    uint32_t gone; /* place in the listing where its pointer became another's; UINT32_MAX: never */
    uint32_t lost; /* the same from where on nobody follows what it holds */
    uint32_t last_write; /* place in the list of writes, once that is sorted */
};

#define APITRACE_D3D_NONE UINT32_MAX /* in place of a resource or write: nobody knows one */
#define APITRACE_D3D_ALL  UINT32_MAX /* in place of a level: all levels and layers */

/* A place in a subresource: faces of cubes are layers; pixels, of buffers bytes. */
struct apitrace_d3d_place {
    uint32_t resource; /* place in the list */
    uint32_t level, layer;
    uint32_t x, y, z;
};

enum apitrace_d3d_kind {
    APITRACE_D3D_INITIAL,
    APITRACE_D3D_UPDATE,
    APITRACE_D3D_MAPPED, /* to memory that was mapped */
    APITRACE_D3D_COPY,   /* from here on out of another resource */
    APITRACE_D3D_RESOLVE,
    APITRACE_D3D_FILL,
    APITRACE_D3D_KINDS
};

/* Whether it is known what a write leaves. */
enum apitrace_d3d_status {
    APITRACE_D3D_OK,
    APITRACE_D3D_PART, /* of mapped memory: from `skip` on, or not to the end */
    APITRACE_D3D_SOURCE_PARTLY_KNOWN,
    APITRACE_D3D_SOURCE_NOT_KNOWN,
    APITRACE_D3D_SOURCE_DRAWN,
    APITRACE_D3D_NO_DATA,
    APITRACE_D3D_TOO_FEW_BYTES,
    APITRACE_D3D_FORMAT_NOT_KNOWN,
    APITRACE_D3D_FORMAT_DIFFERS,
    APITRACE_D3D_OUTSIDE, /* no part of the resource */
    APITRACE_D3D_SCALED,
    APITRACE_D3D_SAMPLES, /* of several a pixel */
    APITRACE_D3D_NOT_FOLLOWED,
    APITRACE_D3D_BEYOND_LIMIT, /* a copy of all subresources, of which there were too many */
    APITRACE_D3D_STATUSES
};

/* What a call writes to a subresource, or to all of them. */
struct apitrace_d3d_write {
    uint32_t number;
    uint32_t order;  /* in the listing */
    uint32_t before; /* place of the one before it to the same resource, once the list is sorted */
    struct apitrace_d3d_place to;
    struct apitrace_d3d_place from; /* of copies; resource APITRACE_D3D_NONE: not known */
    uint32_t width, height, depth;  /* of the box; of all subresources 0 */
    uint32_t pitch;                 /* bytes from row to row, of pixels or of blocks */
    uint64_t slice;                 /* the same from slice to slice */
    uint64_t skip;                  /* bytes between the box's first and those that are given */
    uint64_t position, bytes;       /* of these, in the stream */
    uint8_t kind, status;           /* of enum apitrace_d3d_kind and _status */
    bool discards;                  /* what the subresource held before is lost */
};

/* What is known of a subresource, from a place in the listing up to another. */
struct apitrace_d3d_content {
    uint32_t resource, level, layer;
    uint32_t begin, end;     /* before `end`; UINT32_MAX: to the trace's end */
    uint32_t from[3], to[3]; /* the box that is known; empty: none is */
    uint32_t next;           /* of the same resource, while calls are followed */
    uint32_t width, height, depth;
};

/* Whether all of it is known. */
bool apitrace_d3d_is_known(const struct apitrace_d3d_content *content);

struct apitrace_d3d_index {
    struct apitrace_resource *resources; /* by number */
    uint64_t resource_count, resource_room;
    struct apitrace_d3d_write *writes; /* by number */
    uint64_t write_count, write_room;
    struct apitrace_d3d_content *contents; /* by resource, level, layer and begin */
    uint64_t content_count, content_room;
    struct apitrace_memory memory;
};

/* Names as they stand in tables. */
extern const char *const apitrace_d3d_kinds[APITRACE_D3D_KINDS];
extern const char *const apitrace_d3d_statuses[APITRACE_D3D_STATUSES];

/* The format of a name, as the trace's definitions have it; NULL: it is not known. */
const struct pixel_format *apitrace_d3d_format(const char *name);

/* d3d_shapes.c: sizes of subresources. */

/* What buffers hold: bytes. */
extern const struct pixel_format apitrace_d3d_bytes;

bool apitrace_d3d_is_buffer(const struct apitrace_resource *resource);

/* Whether it is one subresource by its kind: buffers and surfaces. */
bool apitrace_d3d_is_single(const struct apitrace_resource *resource);

/* Its pixels, and whether it can be drawn on, once its values are known. */
void apitrace_d3d_settle(struct apitrace_resource *resource);

uint32_t apitrace_d3d_levels(const struct apitrace_resource *resource);

/* The size of a level, all 0 where the resource has no size; false: it has no such level or layer.
 */
bool apitrace_d3d_size(const struct apitrace_resource *resource, uint64_t level, uint64_t layer,
                       uint32_t size[3]);

/* Units of a row, and rows of a slice: pixels or blocks. */
uint32_t apitrace_d3d_columns(const struct pixel_format *format, uint32_t width);
uint32_t apitrace_d3d_rows(const struct pixel_format *format, uint32_t height);

/* Of a subresource without gaps. */
uint64_t apitrace_d3d_tight(const struct pixel_format *format, uint32_t width, uint32_t height,
                            uint32_t depth);

/* Following calls. */

enum { APITRACE_D3D_MAPS = 64 /* mapped memory that is known at a time */ };

/* Memory of a subresource, or of a part of it. */
struct apitrace_d3d_map {
    uint64_t object; /* by which it was mapped; 0: it is no more */
    uint64_t address, bytes;
    bool discards, written;
    struct apitrace_d3d_write write; /* without its data */
};

struct apitrace_d3d_followed {
    struct apitrace_d3d_index *index;
    const struct cancel *cancel;
    struct apitrace_map handles;       /* pointers to places in the next list */
    struct apitrace_d3d_place *places; /* resources and surfaces */
    uint64_t place_count, place_room;
    struct apitrace_map contents; /* a resource, and its level and layer: the latest one */
    uint32_t *first_content;      /* of each resource; APITRACE_D3D_NONE: none */
    uint64_t first_room;
    struct apitrace_d3d_map maps[APITRACE_D3D_MAPS];
    unsigned map_count; /* of all that there were; the oldest ones are dropped */
    /* Subresources that copies of all of them have come by, and how many they may. */
    uint64_t steps, steps_max;
    bool beyond;        /* one had no more: */
    uint32_t beyond_at; /* the first such call */
};

/* What such copies may take in a trace whose stream has so many bytes. */
uint64_t apitrace_d3d_steps_max(uint64_t size);

void apitrace_d3d_followed_clear(struct apitrace_d3d_followed *followed);

/* What a pointer is at that time: a resource with level APITRACE_D3D_ALL, or a surface of one.
 * False: nobody knows. */
bool apitrace_d3d_find(const struct apitrace_d3d_followed *followed, uint64_t object,
                       struct apitrace_d3d_place *out);

/* From now on a pointer is that, or nothing that is known (NULL); of a resource that it was before
 * it is the end. 0 or -ENOMEM. */
int apitrace_d3d_name(struct apitrace_d3d_followed *followed, uint64_t object,
                      const struct apitrace_d3d_place *place, uint32_t order);

/*
 * d3d_known.c: takes a write down, and what is known of contents behind it; of copies their status
 * follows from that. 0, -EINTR or -ENOMEM.
 */
int apitrace_d3d_add(struct apitrace_d3d_followed *followed, struct apitrace_d3d_write *write);
void apitrace_d3d_finish(struct apitrace_d3d_index *index);

/* The calls: 0, -EINTR or -ENOMEM. */

/* Behind one that made the last of the resources: its pointer, and initial data. */
int apitrace_d3d_made(struct apitrace_d3d_followed *followed, struct apitrace_call *call);
/* UpdateSubresource(), Map() or LockRect(), Unmap() or UnlockRect(), and a memcpy(). */
int apitrace_d3d_updated(struct apitrace_d3d_followed *followed, struct apitrace_call *call);
int apitrace_d3d_mapped(struct apitrace_d3d_followed *followed, struct apitrace_call *call);
int apitrace_d3d_unmapped(struct apitrace_d3d_followed *followed, struct apitrace_call *call);
int apitrace_d3d_written(struct apitrace_d3d_followed *followed, struct apitrace_call *call);
/* CopyResource() and its kin; GetSurfaceLevel() and its kin. */
int apitrace_d3d_copied(struct apitrace_d3d_followed *followed, struct apitrace_call *call);
int apitrace_d3d_surface(struct apitrace_d3d_followed *followed, struct apitrace_call *call);

/* d3d_arguments.c: members of structures that arguments are. */

enum { APITRACE_D3D_MEMBERS = 6 };

/*
 * Integers, and a blob, that members of a structure are; those that it lacks stay as they were.
 * Boxes of Direct3D 9 have edges with capitals.
 */
struct apitrace_d3d_members {
    const char *const *names; /* APITRACE_D3D_MEMBERS, or fewer and NULL */
    int64_t values[APITRACE_D3D_MEMBERS];
    uint64_t position, bytes; /* of the last blob */
};

/* The reader stands behind the structure's head. */
void apitrace_d3d_read_members(struct apitrace_call *call, const struct apitrace_struct *structure,
                               struct apitrace_d3d_members *members);
/* False: that argument is none, or no structure. */
bool apitrace_d3d_read_struct(struct apitrace_call *call, uint32_t argument,
                              struct apitrace_d3d_members *members);

/*
 * Narrows `size` from `at` on to the box or rectangle that an argument is; without one all of it.
 * False: there is no such box.
 */
bool apitrace_d3d_take_box(struct apitrace_call *call, uint32_t argument, uint32_t at[3],
                           uint32_t size[3]);

#endif

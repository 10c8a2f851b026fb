/* SPDX-License-Identifier: MIT */
/*
 * Pixels that calls of Direct3D hand over to textures (apitrace.md 4.12): initial data, updates,
 * and what is written to memory that was mapped or locked. They are found in the order of calls by
 * one thread, beside what makes the textures (d3d_index.c).
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_D3D_IMAGES_H
#define GPUDUMPFS_APITRACE_INDEX_D3D_IMAGES_H

#include "formats/apitrace/index/object_index.h"
#include "image/pixel_format.h"

enum { APITRACE_D3D_MAPS = 64 /* mapped memory that is known at a time */ };

/* Memory of a subresource, or of a part of it. */
struct apitrace_d3d_map {
    uint64_t address;
    struct apitrace_d3d_image image; /* without its data */
};

struct apitrace_d3d_followed {
    struct apitrace_map textures; /* pointers to places of resources */
    struct apitrace_d3d_map maps[APITRACE_D3D_MAPS];
    unsigned map_count; /* of all that there were; the oldest ones are dropped */
};

/* The format of a name, as the trace's definitions have it; NULL: it is not known. */
const struct pixel_format *apitrace_d3d_format(const char *name);

/* Behind a call that made the last one of `out`'s resources: its initial data. 0 or -ENOMEM. */
int apitrace_d3d_made(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                      struct apitrace_object_index *out);
/* UpdateSubresource(), Map() or LockRect(), and a memcpy(). 0 or -ENOMEM. */
int apitrace_d3d_updated(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                         struct apitrace_object_index *out);
int apitrace_d3d_mapped(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                        const struct apitrace_object_index *objects);
int apitrace_d3d_written(struct apitrace_d3d_followed *followed, struct apitrace_call *call,
                         struct apitrace_object_index *out);
void apitrace_d3d_followed_clear(struct apitrace_d3d_followed *followed);

#endif

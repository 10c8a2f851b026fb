/* SPDX-License-Identifier: MIT */
/*
 * What a command does to one pixel, or to all of a subresource (worker.md 5.7). The worker's one
 * thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_PROBE_H
#define GPUDUMPFS_GLWORKER_D3D_PROBE_H

#include "glworker/core/serve.h"
#include "glworker/d3d/d3d.h"

struct aero_probe {
    uint32_t handle, mip, layer, x, y; /* handle 0: the back buffer */
    uint8_t *mask;                     /* of all pixels; NULL: only that one is asked for */
    uint32_t width, height;
    bool drawn; /* the command is a draw on that subresource, of which the rest is told */
    enum aerogpu_outcome outcome;
};

/* Does the draw that is bound once more. */
typedef int aero_again(struct aero *aero, void *context);
/*
 * Finds out, before a draw that is all bound, what it will do. Leaves targets and raster state to
 * be bound anew. `writes`: its shaders write buffers, so that it cannot be done again.
 */
void aero_probe_draw(struct aero *aero, bool writes, aero_again *again, void *context);
serve_handler aero_handle_probe;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Probes: what a command does to one pixel, or to all pixels of a subresource (worker.md 5.7). Only
 * for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_PROBE_H
#define GPUDUMPFS_GLWORKER_D3D_PROBE_H

#include "glworker/core/serve.h"
#include "glworker/d3d/d3d.h"

struct aero_probe {
    uint32_t handle, mip, layer, x, y; /* the pixel; handle 0 means the back buffer */
    /* A byte for each pixel; NULL if only the one pixel is requested. */
    uint8_t *mask;
    uint32_t width, height;
    bool drawn; /* the command is a draw on that subresource; otherwise `outcome` is unused */
    enum aerogpu_outcome outcome;
};

/* Issues the bound draw once more. Returns 0 or -errno. */
typedef int aero_again(struct aero *aero, void *context);
/*
 * Finds out what a draw will do, before it is issued; everything must be bound for it. Changes
 * targets and raster state, which the caller must bind again. `writes`: the draw's shaders write
 * buffers, so that it cannot be repeated.
 */
void aero_probe_draw(struct aero *aero, bool writes, aero_again *again, void *context);
serve_handler aero_handle_probe;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Commands that create, destroy, share and update objects. Only for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_OBJECTS_H
#define GPUDUMPFS_GLWORKER_D3D_OBJECTS_H

#include "glworker/d3d/d3d.h"

aero_command aero_create_buffer, aero_create_texture, aero_destroy_resource, aero_destroy_view,
    aero_create_view, aero_create_layout, aero_destroy_layout, aero_create_sampler,
    aero_destroy_sampler, aero_export_surface, aero_import_surface, aero_release_surface,
    aero_dirty_range;

#endif

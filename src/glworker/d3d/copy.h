/* SPDX-License-Identifier: MIT */
/*
 * Commands that copy bytes between resources, or upload bytes into them. Only for the worker's
 * thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_COPY_H
#define GPUDUMPFS_GLWORKER_D3D_COPY_H

#include "glworker/d3d/d3d.h"

aero_command aero_upload, aero_copy_buffer, aero_copy_texture;

#endif

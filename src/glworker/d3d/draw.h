/* SPDX-License-Identifier: MIT */
/*
 * Commands that clear, draw, dispatch and present (worker.md 5.4). Only for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_DRAW_H
#define GPUDUMPFS_GLWORKER_D3D_DRAW_H

#include "glworker/d3d/d3d.h"

aero_command aero_clear, aero_draw, aero_draw_indexed, aero_dispatch, aero_present;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Commands that draw, and that show what was drawn (worker.md 5.4). The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_DRAW_H
#define GPUDUMPFS_GLWORKER_D3D_DRAW_H

#include "glworker/d3d/d3d.h"

aero_command aero_clear, aero_draw, aero_draw_indexed, aero_dispatch, aero_present;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The messages by which the daemon has AeroGPU commands carried out (worker.md 5). Only for the
 * worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_SESSION_H
#define GPUDUMPFS_GLWORKER_D3D_SESSION_H

#include "glworker/core/serve.h"

extern const struct serve_kind aero_kinds[];

#endif

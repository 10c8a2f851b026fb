/* SPDX-License-Identifier: MIT */
/*
 * Copies of the session, to which it can go back. The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_STORAGE_H
#define GPUDUMPFS_GLWORKER_D3D_STORAGE_H

#include "glworker/core/serve.h"
#include "glworker/d3d/d3d.h"

/* Drops objects and state; what GL needs to draw stays. */
void aero_drop_session(struct aero *aero);

#define AERO_COPIES_MAX (UINT64_C(512) << 20) /* bytes that copies may hold beside the session */

/* Drops the copies that the session can go back to. */
void aero_forget_saved(void);
serve_handler aero_handle_save, aero_handle_load, aero_handle_forget;

#endif

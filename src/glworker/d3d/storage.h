/* SPDX-License-Identifier: MIT */
/*
 * Saved copies of the session, to which it can go back. Only for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_STORAGE_H
#define GPUDUMPFS_GLWORKER_D3D_STORAGE_H

#include "glworker/core/serve.h"
#include "glworker/d3d/d3d.h"

/* Frees a session's objects and state; keeps the GL objects that drawing needs. */
void aero_drop_session(struct aero *aero);

/* Bytes that saved copies may hold beside the session. */
#define AERO_COPIES_MAX (UINT64_C(512) << 20)

/* Frees all saved copies. */
void aero_forget_saved(void);
serve_handler aero_handle_save, aero_handle_load, aero_handle_forget;

#endif

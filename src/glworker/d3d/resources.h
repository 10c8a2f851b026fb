/* SPDX-License-Identifier: MIT */
/*
 * Resources of a session by their handles (objects.c), and what they hold (storage.c). The worker's
 * one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_RESOURCES_H
#define GPUDUMPFS_GLWORKER_D3D_RESOURCES_H

#include "glworker/d3d/d3d.h"

/* Under that handle; NULL: none. */
struct aero_resource *aero_find(struct aero *aero, uint32_t handle);
/* Also a destroyed original that aliases or views keep. */
struct aero_resource *aero_find_kept(struct aero *aero, uint32_t handle);
/*
 * Bindings are by the original handle of what a handle names, or by itself if it names nothing
 * yet; what is bound so, also when aliases alone keep it; NULL: nothing.
 */
uint32_t aero_original(struct aero *aero, uint32_t handle);
struct aero_resource *aero_find_bound(struct aero *aero, uint32_t original);
/* A resource of that kind; NULL: noted. */
struct aero_resource *aero_get(struct aero *aero, uint32_t handle, enum aero_kind kind);

void aero_resource_free(struct aero *aero, struct aero_resource *resource);
void aero_objects_free(struct aero *aero);

/* The texture that a handle or its view names; NULL: none. The view may be NULL. */
struct aero_texture *aero_texture_of(struct aero_resource *resource, struct aero_view **view);
/* Reads what is stale of a backed resource; before each use. */
void aero_refresh(struct aero *aero, struct aero_resource *resource);

/* What a resource holds: a new one, for `bytes`; NULL: no memory. */
struct aero_storage *aero_storage(uint64_t bytes);
void aero_storage_drop(struct aero_storage *storage);
/* Before anything is written: makes the storage the session's own. 0 or -ENOMEM, noted. */
int aero_own(struct aero *aero, struct aero_resource *resource);

#endif

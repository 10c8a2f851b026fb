/* SPDX-License-Identifier: MIT */
/*
 * Resources of a session by their handles (objects.c), and their contents (storage.c). Only for the
 * worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_RESOURCES_H
#define GPUDUMPFS_GLWORKER_D3D_RESOURCES_H

#include "glworker/d3d/d3d.h"

/* Returns the resource of that handle; NULL if there is none. */
struct aero_resource *aero_find(struct aero *aero, uint32_t handle);
/* As aero_find(), but also finds a destroyed original that aliases or views keep. */
struct aero_resource *aero_find_kept(struct aero *aero, uint32_t handle);
/*
 * Returns what bindings store for a handle: the original handle of the resource that it names, or
 * the handle itself if it names nothing yet.
 */
uint32_t aero_original(struct aero *aero, uint32_t handle);
/*
 * Returns the resource of a binding, by that number, even if only aliases keep the resource; NULL
 * if there is none.
 */
struct aero_resource *aero_find_bound(struct aero *aero, uint32_t original);
/* Returns the resource of that handle and kind; NULL, with a note, if there is none. */
struct aero_resource *aero_get(struct aero *aero, uint32_t handle, enum aero_kind kind);

/* Frees a resource and drops its storage; a view also releases its texture. NULL is harmless. */
void aero_resource_free(struct aero *aero, struct aero_resource *resource);
/* Frees all handles, tokens, layouts, samplers and shaders, with their resources. */
void aero_objects_free(struct aero *aero);

/*
 * Returns the texture that a resource is, or is a view of; NULL if it is neither. Stores the view,
 * or NULL, in *view unless `view` is NULL.
 */
struct aero_texture *aero_texture_of(struct aero_resource *resource, struct aero_view **view);
/*
 * Reads the stale part of a resource again from its guest memory. Call it before each use. A
 * failure is only noted. NULL is harmless.
 */
void aero_refresh(struct aero *aero, struct aero_resource *resource);

/*
 * Creates empty storage for a resource, with one user. The storage counts as `bytes` bytes. Returns
 * NULL if there is no memory.
 */
struct aero_storage *aero_storage(uint64_t bytes);
/*
 * Creates a GL buffer of `size` zero bytes, or makes one that exists such a buffer. Returns false
 * if there is no memory; *name may be a buffer even then.
 */
bool aero_buffer_make(GLuint *name, uint64_t size);
/* Removes a user of storage, and frees the storage with the last. */
void aero_storage_drop(struct aero_storage *storage);
/*
 * Makes the storage of a resource, or of its texture, the session's own, by copying it if a saved
 * copy shares it. Call it before writing. Returns 0, or -ENOMEM with a note.
 */
int aero_own(struct aero *aero, struct aero_resource *resource);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What determines where uploads of textures go and how their bytes are read: the bound textures and
 * the pixel store of a context, as calls set, push and pop them. One thread.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_TEXTURE_BINDINGS_H
#define GPUDUMPFS_APITRACE_INDEX_TEXTURE_BINDINGS_H

#include "formats/apitrace/collections.h"
#include "formats/apitrace/decode/pixels.h"
#include "formats/apitrace/decode/texture_targets.h"
#include "formats/apitrace/index/call.h"

enum { APITRACE_TEXTURE_UNITS = 32, APITRACE_PUSHED_MAX = 16 /* as drivers have */ };

/* The part that glPushAttrib() saves. */
struct apitrace_bound_textures {
    unsigned unit; /* the active one */
    uint32_t names[APITRACE_TEXTURE_UNITS][APITRACE_TARGETS];
};

/* Must be initialised with apitrace_bindings_init(). */
struct apitrace_texture_bindings {
    struct apitrace_bound_textures bound;
    struct apitrace_unpack unpack;
    struct {
        struct apitrace_bound_textures *bound; /* NULL if the textures were not pushed */
    } attributes[APITRACE_PUSHED_MAX];
    unsigned attribute_count;
    struct {
        bool pixels; /* `unpack` was pushed */
        struct apitrace_unpack unpack;
    } client[APITRACE_PUSHED_MAX];
    unsigned client_count;
    /*
     * What the calls bind that are only compiled into the open display list; units that the list
     * has not set are unknown. NULL: calls are executed. The effects of calling lists are not
     * followed.
     */
    struct apitrace_texture_bindings *listed;
};

void apitrace_bindings_init(struct apitrace_texture_bindings *bindings);
void apitrace_bindings_clear(struct apitrace_texture_bindings *bindings);

/* Returns the bytes of memory that the bindings take: the struct, what was pushed, an open list. */
uint64_t apitrace_bindings_bytes(const struct apitrace_texture_bindings *bindings);

/*
 * Follows a call of the context, which need not change anything here. `targets` are the targets of
 * all textures by name; a call that binds or creates textures adds to them. Returns 0 or -ENOMEM.
 */
int apitrace_bindings_follow(struct apitrace_texture_bindings *bindings,
                             struct apitrace_map *targets, struct apitrace_call *call);

/*
 * Returns the bindings that a call of the context uses and changes: those of the open list if the
 * call is only compiled into it.
 */
struct apitrace_texture_bindings *apitrace_bindings_of_call(
    struct apitrace_texture_bindings *bindings, const struct apitrace_call *call);

/* Unbinds a deleted texture wherever the context has it bound. */
void apitrace_bindings_forget(struct apitrace_texture_bindings *bindings, uint32_t name);

/* Returns the texture that is bound to a target of the active unit; 0 if none is known. */
uint32_t apitrace_bindings_find(const struct apitrace_texture_bindings *bindings, uint32_t target);

#endif

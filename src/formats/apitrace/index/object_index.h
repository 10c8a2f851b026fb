/* SPDX-License-Identifier: MIT */
/*
 * Shaders and textures that a trace hands over: found by reading, once, at the first
 * need, the calls that the index has noted. Then nothing changes, and any thread may
 * read.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_OBJECT_INDEX_H
#define GPUDUMPFS_APITRACE_INDEX_OBJECT_INDEX_H

#include "formats/apitrace/collections.h"
#include "formats/apitrace/decode/pixels.h"
#include "formats/apitrace/index/call.h"
#include "formats/apitrace/index/d3d_resources.h"

#include <stdbool.h>
#include <stdint.h>

/* A call that hands over a shader. */
struct apitrace_shader {
    uint32_t number;
    uint64_t object;    /* shader or program; of glCreateShaderProgramv the result; a pointer */
    const char *stage;  /* "vert", …, "unknown", "program" */
    const char *suffix; /* ".glsl" */
    uint64_t bytes;
};

/* A call that uploads pixels. */
struct apitrace_texture {
    uint32_t number;
    uint32_t target, object, level;
    uint32_t x, y, z;
    uint32_t internal; /* format of the texture; 0: the call does not say */
    struct apitrace_image image;
    enum picture_colour colour; /* 0: there is no picture, and `status` says why */
    const char *status;
    uint64_t position, bytes; /* of the blob */
};

/*
 * Which levels textures have, and when: told from the calls that give them storage, so
 * that a frame's textures are known without drawing it (apitrace.md 4.7). Written by
 * one thread; afterwards any may read.
 */

/* A level of a texture with one size, from one place in the listing up to another. */
struct apitrace_level {
    uint32_t object, level;
    uint32_t target; /* of the texture; of a cube map the whole */
    uint32_t width, height, slices;
    uint64_t begin, end; /* before `end`; UINT64_MAX: it is there at the end */
    bool fixed;          /* the texture's levels are as many as they are */
};

struct apitrace_levels {
    struct apitrace_level *list; /* after apitrace_levels_finish() by object, level, begin */
    uint64_t count, room;
    struct apitrace_memory memory;
    struct apitrace_map now; /* places of those that are there, while calls are followed */
};

void apitrace_levels_clear(struct apitrace_levels *levels);

/*
 * From `level->begin` on it is as `level` says; without a size it is gone. Sizes that no
 * picture can have count as none. 0 or -ENOMEM.
 */
int apitrace_levels_define(struct apitrace_levels *levels, const struct apitrace_level *level);

/* The same for levels 1 and up of a texture, each half as large as the one before. */
int apitrace_levels_define_all(struct apitrace_levels *levels, const struct apitrace_level *base,
                               uint32_t count);

/* A level as it is now; false: it is not there. */
bool apitrace_levels_find(const struct apitrace_levels *levels, uint32_t object, uint32_t level,
                          struct apitrace_level *out);

/* A texture is deleted. */
void apitrace_levels_delete(struct apitrace_levels *levels, uint32_t object, uint64_t order);

void apitrace_levels_finish(struct apitrace_levels *levels);

/* In the list that is finished: an object's level as it is at that place; NULL: it is not there. */
const struct apitrace_level *apitrace_levels_at(const struct apitrace_levels *levels,
                                                uint64_t object, uint64_t level, uint64_t order);

struct apitrace_object_index {
    struct apitrace_shader *shaders; /* by number; so are textures */
    uint64_t shader_count, shader_room;
    struct apitrace_texture *textures;
    uint64_t texture_count, texture_room;
    struct apitrace_d3d_index d3d;
    struct apitrace_levels levels;
    struct apitrace_memory memory; /* levels left out */
};

/* 0, -EINTR, -ENOMEM. *out is to be cleared in any case. */
int apitrace_object_index_find(const struct apitrace_index *index, uint64_t max_memory,
                               struct problems *problems, const struct cancel *cancel,
                               struct apitrace_object_index *out);
void apitrace_object_index_clear(struct apitrace_object_index *objects);

/* The three kinds, each in a file of its own. */
int apitrace_find_shaders(const struct apitrace_index *index, uint64_t max_memory,
                          struct problems *problems, const struct cancel *cancel,
                          struct apitrace_object_index *out);
int apitrace_find_textures(const struct apitrace_index *index, uint64_t max_memory,
                           struct problems *problems, const struct cancel *cancel,
                           struct apitrace_object_index *out);
int apitrace_find_resources(const struct apitrace_index *index, uint64_t max_memory,
                            struct problems *problems, const struct cancel *cancel,
                            struct apitrace_object_index *out);

/* What a shader's file holds, `bytes` long. 0, -EINTR, -ENOMEM, -EIO. */
int apitrace_shader_read(const struct apitrace_index *index, const struct apitrace_shader *shader,
                         const struct cancel *cancel, struct blob **out);

/* The blob of an upload. The same. */
int apitrace_texture_read(const struct apitrace_index *index,
                          const struct apitrace_texture *texture, const struct cancel *cancel,
                          struct blob **out);

/* A list of objects, as far as names need it: each begins with its number, a uint32_t. */
struct apitrace_object_list {
    uint64_t count;
    const void *first;
    size_t size;
};

/* The place of the call that a name begins with; false: there is none. */
bool apitrace_object_parse(const struct apitrace_object_list *list, const char *name,
                           uint64_t *place);

/* The next place from `from` on whose call is in the frame. 0 or -ENOENT. */
int apitrace_object_next_in_frame(const struct apitrace_index *index,
                                  const struct apitrace_object_list *list, uint64_t frame,
                                  uint64_t from, uint64_t *place);

#endif

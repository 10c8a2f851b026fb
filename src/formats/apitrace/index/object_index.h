/* SPDX-License-Identifier: MIT */
/*
 * Shaders and textures that a trace hands over. They are found once, when they are first needed, by
 * reading the calls that the index has noted. Then they are constant, and any thread may read them.
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
    uint32_t internal; /* format of the texture; 0 if the call does not state it */
    struct apitrace_image image;
    enum picture_colour colour; /* 0 if there is no picture; then `status` says why */
    const char *status;
    uint64_t position, bytes; /* offset and size of the blob */
};

/*
 * The levels that textures have, and when. This follows from the calls that give them storage, so
 * that a frame's textures are known without drawing it (apitrace.md 4.7). One thread writes the
 * list; afterwards any thread may read it.
 */

/* A level of a texture with one size, from one place in the listing up to another. */
struct apitrace_level {
    uint32_t object, level;
    uint32_t target; /* of the texture; for a cube map the cube, not a face */
    uint32_t width, height, slices;
    uint64_t begin, end; /* orders in the listing; `end` is exclusive, UINT64_MAX if the level is
                            there at the end */
    bool fixed;          /* the texture has an immutable number of levels */
};

struct apitrace_levels {
    struct apitrace_level *list; /* sorted by object, level, begin after apitrace_levels_finish() */
    uint64_t count, room;
    struct apitrace_memory memory;
    struct apitrace_map now; /* indices of the current levels, while calls are followed */
};

void apitrace_levels_clear(struct apitrace_levels *levels);

/*
 * Gives a level the properties in `level` from `level->begin` on. The level is gone if it has no
 * size, or one that no picture can have. Returns 0 or -ENOMEM.
 */
int apitrace_levels_define(struct apitrace_levels *levels, const struct apitrace_level *level);

/*
 * Does the same for levels 1 to `count` - 1 of a texture, each half as large as the one before,
 * starting from `base`.
 */
int apitrace_levels_define_all(struct apitrace_levels *levels, const struct apitrace_level *base,
                               uint32_t count);

/* Gets a level as it currently is. Returns false if there is none. */
bool apitrace_levels_find(const struct apitrace_levels *levels, uint32_t object, uint32_t level,
                          struct apitrace_level *out);

/* Ends the levels of a texture that is deleted. */
void apitrace_levels_delete(struct apitrace_levels *levels, uint32_t object, uint64_t order);

void apitrace_levels_finish(struct apitrace_levels *levels);

/*
 * Returns an object's level as it is at `order` in the listing; NULL if there is none. The list
 * must be finished.
 */
const struct apitrace_level *apitrace_levels_at(const struct apitrace_levels *levels,
                                                uint64_t object, uint64_t level, uint64_t order);

struct apitrace_object_index {
    struct apitrace_shader *shaders; /* sorted by number, like textures */
    uint64_t shader_count, shader_room;
    struct apitrace_texture *textures;
    uint64_t texture_count, texture_room;
    struct apitrace_d3d_index d3d;
    struct apitrace_levels levels;
    struct apitrace_memory memory; /* without levels */
};

/*
 * Finds all objects. Returns 0, -EINTR or -ENOMEM. Call apitrace_object_index_clear() on *out even
 * if it fails.
 */
int apitrace_object_index_find(const struct apitrace_index *index, uint64_t max_memory,
                               struct problems *problems, const struct cancel *cancel,
                               struct apitrace_object_index *out);
void apitrace_object_index_clear(struct apitrace_object_index *objects);

/* Find one kind each; every kind has its own file. */
int apitrace_find_shaders(const struct apitrace_index *index, uint64_t max_memory,
                          struct problems *problems, const struct cancel *cancel,
                          struct apitrace_object_index *out);
int apitrace_find_textures(const struct apitrace_index *index, uint64_t max_memory,
                           struct problems *problems, const struct cancel *cancel,
                           struct apitrace_object_index *out);
int apitrace_find_resources(const struct apitrace_index *index, uint64_t max_memory,
                            struct problems *problems, const struct cancel *cancel,
                            struct apitrace_object_index *out);

/*
 * Reads the contents of a shader's file, which has `bytes` bytes. Returns 0, -EINTR, -ENOMEM or
 * -EIO.
 */
int apitrace_shader_read(const struct apitrace_index *index, const struct apitrace_shader *shader,
                         const struct cancel *cancel, struct blob **out);

/* Reads the blob of an upload. Returns the same. */
int apitrace_texture_read(const struct apitrace_index *index,
                          const struct apitrace_texture *texture, const struct cancel *cancel,
                          struct blob **out);

/* A list of objects as names need it: each begins with its call's number, a uint32_t. */
struct apitrace_object_list {
    uint64_t count;
    const void *first;
    size_t size;
};

/*
 * Gets the index of the first object of the call that a name begins with; false if there is none.
 */
bool apitrace_object_parse(const struct apitrace_object_list *list, const char *name,
                           uint64_t *place);

/* Gets the next index >= from whose call is in the frame. Returns 0 or -ENOENT. */
int apitrace_object_next_in_frame(const struct apitrace_index *index,
                                  const struct apitrace_object_list *list, uint64_t frame,
                                  uint64_t from, uint64_t *place);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A scene of GLES that is written twice: as a GAPIR payload, in the form of gapit's exporter, and
 * as an apitrace trace, call by call. Both are to give the same picture.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_SCENE_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_SCENE_H

#include "base/text.h"
#include "examples/gapir_build.h"

enum { SCENE_WIDTH = 64, SCENE_HEIGHT = 48 };

/* Volatile addresses. */
enum {
    SCENE_SLOTS = 0,       /* what calls have returned */
    SCENE_POINTERS = 0x80, /* lists of pointers */
    SCENE_NAMES = 0x100,   /* of objects */
    SCENE_BYTES = 0x200,   /* whatever else calls look at */
    SCENE_PIXELS = 0x2000, /* that are read back */
    SCENE_MEMORY = SCENE_PIXELS + SCENE_WIDTH * SCENE_HEIGHT * 4,
};

struct scene {
    struct build build;
    bool narrow; /* pointers have four bytes; set behind scene_begin() */
    struct text script;
    uint32_t used; /* from SCENE_BYTES on; what is there stays */
};

/* A renderer of this id is created, bound and sized; in the trace a context and a pbuffer. */
void scene_begin(struct scene *scene);

/*
 * A call, whose arguments are named as the exporter's. Of `types` each is one:
 *
 *     i  an int                      f  a double, which becomes a float
 *     p  bytes, and their size_t     o  an offset into the buffer that is bound, or null
 *     s  a string                    l  an int: the location that scene_uniform() has kept
 */
void scene_call(struct scene *scene, const char *name, const char *types, ...);

/* glGen…(), of one name; both drivers name objects in the order in which they come. */
void scene_generate(struct scene *scene, const char *name, unsigned object);

/* A shader of that name, compiled. */
void scene_shader(struct scene *scene, unsigned stage, const char *source, unsigned object);

/* A linked program of two shaders, in use. */
void scene_program(struct scene *scene, const char *vertex, const char *fragment, unsigned first);

/* glGetUniformLocation(); what it tells is kept in a slot, as exporters do. */
void scene_uniform(struct scene *scene, unsigned program, const char *name, unsigned location);
/* The end of a frame: its pixels are read and posted; or, without a post, delimited. */
void scene_post(struct scene *scene);
void scene_delimit(struct scene *scene);

/* Bytes that the program writes to a part of the bound buffer, which it maps for that. */
void scene_map(struct scene *scene, unsigned target, unsigned offset, unsigned size,
               const void *bytes, unsigned bytes_size);

/* Another renderer of that id on a thread of its own, which shares with the first. */
void scene_second(struct scene *scene, unsigned id);

/* All that there is to see: shaders, a texture, a framebuffer object, vertices in memory and in
 * buffers, indices. */
void scene_draw(struct scene *scene);

/* Writes `payload` (a folder) and trace into a folder, and clears the scene. */
void scene_write(struct scene *scene, const char *folder);

#endif

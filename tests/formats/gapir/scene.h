/* SPDX-License-Identifier: MIT */
/*
 * A GLES scene that is written twice: as a GAPIR payload, in the form of gapit's exporter, and as
 * an apitrace trace, call by call. Both must give the same picture.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_SCENE_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_SCENE_H

#include "base/text.h"
#include "examples/gapir_build.h"

enum { SCENE_WIDTH = 64, SCENE_HEIGHT = 48 };

/* Volatile addresses */
enum {
    SCENE_SLOTS = 0,       /* results of calls */
    SCENE_POINTERS = 0x80, /* lists of pointers */
    SCENE_NAMES = 0x100,   /* names of objects */
    SCENE_BYTES = 0x200,   /* anything else that calls read */
    SCENE_PIXELS = 0x2000, /* pixels that are read back */
    SCENE_MEMORY = SCENE_PIXELS + SCENE_WIDTH * SCENE_HEIGHT * 4,
};

struct scene {
    struct build build;
    bool narrow; /* whether pointers have four bytes; set after scene_begin() */
    struct text script;
    uint32_t used; /* bytes used from SCENE_BYTES on; they stay in use */
};

/*
 * Starts a scene: a renderer of the given id is created, bound and sized; in the trace, a context
 * and a pbuffer.
 */
void scene_begin(struct scene *scene);

/*
 * Makes a call, named as in the exporter. Each letter of `types` is an argument:
 *
 *     i  an int                      f  a double, which becomes a float
 *     p  bytes, and their size_t     o  an offset into the bound buffer, or null
 *     s  a string                    l  an int: the location that scene_uniform() kept
 */
void scene_call(struct scene *scene, const char *name, const char *types, ...);

/*
 * Calls glGen…() for one name. Both drivers name objects in the order in which they are generated.
 */
void scene_generate(struct scene *scene, const char *name, unsigned object);

/* Creates and compiles a shader named `object`. */
void scene_shader(struct scene *scene, unsigned stage, const char *source, unsigned object);

/* Creates, links and uses a program of two shaders. */
void scene_program(struct scene *scene, const char *vertex, const char *fragment, unsigned first);

/* Calls glGetUniformLocation(). The result is kept in a slot, as exporters do. */
void scene_uniform(struct scene *scene, unsigned program, const char *name, unsigned location);
/*
 * Ends a frame: its pixels are read and posted. The variant without a post only delimits the frame.
 */
void scene_post(struct scene *scene);
void scene_delimit(struct scene *scene);

/* Writes bytes to a part of the bound buffer, which the program maps for this. */
void scene_map(struct scene *scene, unsigned target, unsigned offset, unsigned size,
               const void *bytes, unsigned bytes_size);

/*
 * Creates another renderer of the given id, on a thread of its own, which shares objects with the
 * first.
 */
void scene_second(struct scene *scene, unsigned id);

/*
 * Draws everything that there is to see: shaders, a texture, a framebuffer object, vertices in
 * memory and in buffers, indices.
 */
void scene_draw(struct scene *scene);

/* Writes `payload` (a folder) and the trace into a folder, and clears the scene. */
void scene_write(struct scene *scene, const char *folder);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The graphics context: desktop GL 4.5 core on EGL without a surface or a window system (worker.md
 * 5.1); in a process that is started for Vulkan, only the Vulkan driver. It is created once, after
 * the first message and before the process is confined for good. For the process's main thread.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_GRAPHICS_H
#define GPUDUMPFS_GLWORKER_CORE_GRAPHICS_H

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include "worker/worker.h"

#include <stdbool.h>

/*
 * Creates the context at the first call; later calls return the same result. Returns 0, or -ENODEV
 * with a reason.
 */
int graphics_start(char reason[WORKER_REASON]);

/* Returns the EGLDisplay. Valid once graphics_start() has returned 0. */
void *graphics_display(void);

/*
 * Makes the context of graphics_start() current again after another one was. Returns 0, or -ENODEV
 * with a reason.
 */
int graphics_enter(char reason[WORKER_REASON]);

/* Returns the renderer's name, such as "llvmpipe (LLVM 15.0.6, 256 bits)"; "" if it has none. */
const char *graphics_renderer(void);

/* Returns whether this process only compiles shaders and draws no pixels (worker.md 4.3). */
bool graphics_is_compile_only(void);

/* Clears GL's error flags. Returns whether any was set. */
bool graphics_failed(void);

/*
 * Compiles and links a separable program of one stage. Returns 0, with the first line of the
 * driver's log in `reason`, on failure. The caller deletes the program.
 */
GLuint graphics_stage(GLenum stage, const char *text, char reason[WORKER_REASON]);

/*
 * Compiles and links a program of a vertex and a fragment shader; binds attributes[i] to location
 * i. Returns 0, with the first line of the driver's log in `reason`, on failure. The caller deletes
 * the program.
 */
GLuint graphics_program(const char *vertex, const char *fragment, const char *const *attributes,
                        unsigned attribute_count, char reason[WORKER_REASON]);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The graphics context: desktop GL 4.5 core on EGL without a surface or a window system
 * (worker.md 5.1); in a process that is started for Vulkan, its driver alone. Made once, behind the
 * first message; then the process is confined for good, whether there is a driver or not. The
 * process's main thread.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_GRAPHICS_H
#define GPUDUMPFS_GLWORKER_CORE_GRAPHICS_H

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include "worker/worker.h"

#include <stdbool.h>

/* 0, also when it is there already, or -ENODEV with a reason, the same one each time. */
int graphics_start(char reason[WORKER_REASON]);

/* The display, once graphics_start() was 0: an EGLDisplay. */
void *graphics_display(void);

/* Makes the context of graphics_start() current again, where others were. 0 or -ENODEV. */
int graphics_enter(char reason[WORKER_REASON]);

/* "llvmpipe (LLVM 15.0.6, 256 bits)". */
const char *graphics_renderer(void);

/* Whether this process draws no pixels (worker.md 4.3). */
bool graphics_is_compile_only(void);

/* Forgets errors; whether there was one. */
bool graphics_failed(void);

/*
 * A program of one stage that can be drawn with others, or 0 with the driver's words
 * in `reason`.
 */
GLuint graphics_stage(GLenum stage, const char *text, char reason[WORKER_REASON]);

/* A vertex and a fragment shader in one; attributes[i] is bound to location i. */
GLuint graphics_program(const char *vertex, const char *fragment, const char *const *attributes,
                        unsigned attribute_count, char reason[WORKER_REASON]);

#endif

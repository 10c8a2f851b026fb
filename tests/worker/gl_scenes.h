/* SPDX-License-Identifier: MIT */
/* What the source files of gl_scenes share. */
#ifndef GPUDUMPFS_TESTS_WORKER_GL_SCENES_H
#define GPUDUMPFS_TESTS_WORKER_GL_SCENES_H

enum { SCENE_WIDTH = 64, SCENE_HEIGHT = 48 };

/*
 * Draws scene `number` (from 0) of the scenes without shaders. Returns 0 if there is no such scene.
 */
int scene_fixed(unsigned number);

/* Draw scenes with features of OpenGL 4. */
void scene_indirect(void);
void scene_pipelines(void);
void scene_persistent(void);
void scene_bases(void);
void scene_patches(void);
void scene_direct_access(void);
void scene_more_stages(void);

#endif

/* What the parts of gl_scenes share. */
#ifndef GPUDUMPFS_TESTS_GL_SCENES_H
#define GPUDUMPFS_TESTS_GL_SCENES_H

enum { SCENE_WIDTH = 64, SCENE_HEIGHT = 48 };

/* Draws scene `number` (from 0) of those before shaders; 0: there is none. */
int scene_fixed(unsigned number);

#endif

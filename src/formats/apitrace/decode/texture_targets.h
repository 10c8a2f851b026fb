/* SPDX-License-Identifier: MIT */
/* Texture targets as GL names them, and their names here. Pure functions, any thread. */
#ifndef GPUDUMPFS_APITRACE_DECODE_TEXTURE_TARGETS_H
#define GPUDUMPFS_APITRACE_DECODE_TEXTURE_TARGETS_H

#include <stdint.h>

enum {
    APITRACE_TARGET_2D = 0x0DE1,
    APITRACE_TARGET_3D = 0x806F,
    APITRACE_TARGET_CUBE = 0x8513,
    APITRACE_TARGET_CUBE_FACE = 0x8515, /* the first of six */
    APITRACE_TARGET_1D_ARRAY = 0x8C18,
    APITRACE_TARGET_2D_ARRAY = 0x8C1A,
    APITRACE_TARGET_CUBE_ARRAY = 0x9009,
    APITRACE_TARGET_SAMPLES_ARRAY = 0x9102,
};

/* The number of known targets. Each has an index; APITRACE_TARGETS means that it is not known. */
enum { APITRACE_TARGETS = 21 };

unsigned apitrace_target_place(uint32_t target);

/* Returns the target of the texture: for a face of a cube map, the cube. */
uint32_t apitrace_target_whole(uint32_t target);

/* Returns the name used in tables: "2d", "cube_positive_x"; NULL if it is not known. */
const char *apitrace_target_name(uint32_t target);

/* Returns the name used for files of a draw, where some targets are `other`. */
const char *apitrace_target_word(uint32_t target);

#endif

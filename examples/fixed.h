/* SPDX-License-Identifier: MIT */
/*
 * Fixed-point numbers as the PlayStation's geometry engine has them: 4096 is 1,
 * and a full turn is 4096 too. Everything that moves is computed with these, so
 * that the example is the same on every machine. Pure functions.
 */
#ifndef GPUDUMPFS_EXAMPLES_FIXED_H
#define GPUDUMPFS_EXAMPLES_FIXED_H

#include <stdint.h>

enum { FIXED_ONE = 4096, FIXED_TURN = 4096 };

struct vector {
    int x, y, z; /* right, down, away from the camera */
};

struct matrix {
    int m[3][3];
};

int fixed_sin(int angle);
int fixed_cos(int angle);

/* size * sin(angle). */
int fixed_wave(int size, int angle);

/* From a (at 0) to b (at `total`). */
int fixed_mix(int a, int b, int at, int total);

/* A rotation about x, then y, then z. */
struct matrix fixed_rotation(int x, int y, int z);
struct vector fixed_rotate(const struct matrix *matrix, struct vector v);

/* The scalar product of two vectors of length FIXED_ONE; 0 to FIXED_ONE, 0 behind. */
int fixed_facing(struct vector a, struct vector b);

/* Well-mixed bits for a number: stars, sparks and mountains stand where these say. */
uint32_t fixed_hash(uint32_t number);

#endif

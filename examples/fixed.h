/* SPDX-License-Identifier: MIT */
/*
 * Fixed-point numbers in the form of the PlayStation's geometry engine: 4096 is 1, and also a full
 * turn. All movements are computed with these, so that the example is the same on every machine.
 * Pure functions.
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

/* Returns size * sin(angle). */
int fixed_wave(int size, int angle);

/* Returns a mix of a (at 0) and b (at `total`). */
int fixed_mix(int a, int b, int at, int total);

/* Returns a rotation about x, then y, then z. */
struct matrix fixed_rotation(int x, int y, int z);
struct vector fixed_rotate(const struct matrix *matrix, struct vector v);

/* Returns the scalar product of two vectors of length FIXED_ONE: 0 to FIXED_ONE; 0 if negative. */
int fixed_facing(struct vector a, struct vector b);

/* Returns well-mixed bits for a number, which place stars, sparks and mountains. */
uint32_t fixed_hash(uint32_t number);

#endif

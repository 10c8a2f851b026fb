/* SPDX-License-Identifier: MIT */
#include "fixed.h"

#include <math.h>
#include <stdbool.h>

int fixed_sin(int angle)
{
    static int16_t table[FIXED_TURN];
    static bool made;

    if (!made) {
        for (int i = 0; i < FIXED_TURN; i++)
            table[i] =
                (int16_t)lround(FIXED_ONE * sin(i * 2 * 3.14159265358979323846 / FIXED_TURN));
        made = true;
    }
    return table[angle & (FIXED_TURN - 1)];
}

int fixed_cos(int angle)
{
    return fixed_sin(angle + FIXED_TURN / 4);
}

int fixed_wave(int size, int angle)
{
    return size * fixed_sin(angle) / FIXED_ONE;
}

int fixed_mix(int a, int b, int at, int total)
{
    return a + (b - a) * at / total;
}

/* Rotates the plane of two coordinates. */
static void turn(int *a, int *b, int angle)
{
    int s = fixed_sin(angle), c = fixed_cos(angle), old = *a;

    *a = (old * c - *b * s) / FIXED_ONE;
    *b = (old * s + *b * c) / FIXED_ONE;
}

struct matrix fixed_rotation(int x, int y, int z)
{
    struct matrix result;

    for (int column = 0; column < 3; column++) {
        int v[3] = {0, 0, 0};
        v[column] = FIXED_ONE;
        turn(&v[1], &v[2], x);
        turn(&v[2], &v[0], y);
        turn(&v[0], &v[1], z);
        for (int row = 0; row < 3; row++)
            result.m[row][column] = v[row];
    }
    return result;
}

struct vector fixed_rotate(const struct matrix *matrix, struct vector v)
{
    int out[3];

    for (int row = 0; row < 3; row++)
        out[row] = (matrix->m[row][0] * v.x + matrix->m[row][1] * v.y + matrix->m[row][2] * v.z) /
                   FIXED_ONE;
    return (struct vector){out[0], out[1], out[2]};
}

int fixed_facing(struct vector a, struct vector b)
{
    int product = (a.x * b.x + a.y * b.y + a.z * b.z) / FIXED_ONE;

    return product > 0 ? product : 0;
}

uint32_t fixed_hash(uint32_t number)
{
    number = (number ^ number >> 16) * 0x7feb352du;
    number = (number ^ number >> 15) * 0x846ca68bu;
    return number ^ number >> 16;
}

/* SPDX-License-Identifier: MIT */
/*
 * Draws that run ARB vertex programs, each of which leaves a value in r for eight vertices, and is
 * drawn three times: the value as the position, which is told; as a colour, which the driver draws
 * to texels of floats by the program itself, with nothing done to it; and those texels as the
 * positions of a shader of GLSL, which are told as ever. All are compared to the last bit, but for
 * signs of zeros and of what is no number: so what is told is what the driver computes of the
 * program. The value is compared with wanted numbers, too.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_ASSEMBLED_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_ASSEMBLED_H

#include "tests/formats/apitrace/seen.h"

#include "base/text.h"

/* Of a vertex: a, b and c of a program, the generic attributes 1 to 3. */
typedef void assembled_compute(const float *a, const float *b, const float *c, float *out);

struct assembled {
    const char *text;          /* of the program, without its beginning and end */
    assembled_compute *wanted; /* NAN: nothing is said of it; or else … */
    float values[4];           /* … of each vertex */
    bool is_approximated;      /* to one part in a thousand */
};

/* All of them in one trace, behind a script that sets state. */
void assembled_expect(const char *state, const struct assembled *subjects, size_t count);
#define ASSEMBLED_EXPECT(state, subjects)                                                          \
    assembled_expect(state, subjects, sizeof(subjects) / sizeof((subjects)[0]))

/* Registers 0 to 3 of all programs are 1 to 4, and so on; of this one, 2 is 7 and so on. */
#define REGISTERS                                                                                  \
    "glBindProgramARB(target=34336, program=14)\n"                                                 \
    "glProgramEnvParameter4fARB(target=34336, index=0, x=1.0, y=0.5, z=0.25, w=1.0)\n"             \
    "glProgramEnvParameter4fARB(target=34336, index=1, x=2.0, y=0.5, z=0.25, w=1.0)\n"             \
    "glProgramEnvParameter4fARB(target=34336, index=2, x=3.0, y=0.5, z=0.25, w=1.0)\n"             \
    "glProgramEnvParameter4fARB(target=34336, index=3, x=4.0, y=0.5, z=0.25, w=1.0)\n"             \
    "glProgramLocalParameter4fARB(target=34336, index=2, x=7.0, y=8.0, z=9.0, w=10.0)\n"
/* Matrices by their columns: of scales and moves, whose inverses are exact. */
#define MATRIX(mode, columns) "glMatrixMode(mode=" #mode ")\nglLoadMatrixf(m={" columns "})\n"
#define MATRICES                                                                                   \
    MATRIX(5888, "2.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 1.0, 2.0, 3.0, 1.0") \
    MATRIX(5889, "4.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0, 1.0") \
    MATRIX(35010,                                                                                  \
           "2.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 2.0, 4.0, 8.0, 1.0")       \
    "glActiveTexture(texture=33985)\n" MATRIX(5890,                                                \
                                              "2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, " \
                                              "2.0, 0.0, 0.5, 0.25, 0.0, 1.0") "glActiveTexture("  \
                                                                               "texture=33984)\n"

/* Pieces of scripts: a program that is bound and given its text; a call, a line, by its number. */
void assembled_program(struct text *script, unsigned target, unsigned name, const char *text);
unsigned assembled_call(struct text *script, const char *call);
/* Ends the script, and mounts it. */
void assembled_open(struct text *script, struct seen *seen);

#endif

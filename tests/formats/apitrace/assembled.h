/* SPDX-License-Identifier: MIT */
/*
 * Draws that run ARB vertex programs. Each program leaves a value in r for eight vertices, and is
 * drawn three times: with the value as the position, which gpudumpfs reports; with the value as a
 * colour, which is reported too, and which the driver draws unchanged to float texels; and with
 * those texels as the positions of a GLSL shader, which are reported as usual. All of these must be
 * equal to the last bit, except for the signs of zeros and NaNs, so that the reported value is what
 * the driver computes of the program. The value is compared with expected numbers as well.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_ASSEMBLED_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_ASSEMBLED_H

#include "tests/formats/apitrace/seen.h"

#include "base/text.h"

/*
 * Computes the expected value of a vertex from a, b and c of the program, which are the generic
 * attributes 1 to 3.
 */
typedef void assembled_compute(const float *a, const float *b, const float *c, float *out);

struct assembled {
    const char *text;          /* of the program, without its beginning and end */
    assembled_compute *wanted; /* NULL for `values`; a NaN is not checked */
    float values[4];           /* expected for every vertex; a NaN is not checked */
    bool is_approximated;      /* compared to one part in a thousand */
};

/* Draws all programs in one trace, after a script that sets state, and checks them. */
void assembled_expect(const char *state, const struct assembled *subjects, size_t count);
#define ASSEMBLED_EXPECT(state, subjects)                                                          \
    assembled_expect(state, subjects, sizeof(subjects) / sizeof((subjects)[0]))

/* Environment parameters 0 to 3 have x = 1 to 4; local parameter 2 of program 14 is 7 to 10. */
#define REGISTERS                                                                                  \
    "glBindProgramARB(target=34336, program=14)\n"                                                 \
    "glProgramEnvParameter4fARB(target=34336, index=0, x=1.0, y=0.5, z=0.25, w=1.0)\n"             \
    "glProgramEnvParameter4fARB(target=34336, index=1, x=2.0, y=0.5, z=0.25, w=1.0)\n"             \
    "glProgramEnvParameter4fARB(target=34336, index=2, x=3.0, y=0.5, z=0.25, w=1.0)\n"             \
    "glProgramEnvParameter4fARB(target=34336, index=3, x=4.0, y=0.5, z=0.25, w=1.0)\n"             \
    "glProgramLocalParameter4fARB(target=34336, index=2, x=7.0, y=8.0, z=9.0, w=10.0)\n"
/* Matrices, column by column: scales and translations, whose inverses are exact */
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

/*
 * Append pieces of scripts: a program that is bound and given its text; a call, on a line of its
 * own, whose number is returned.
 */
void assembled_program(struct text *script, unsigned target, unsigned name, const char *text);
unsigned assembled_call(struct text *script, const char *call);
/* Ends the script, mounts it and clears `script`. */
void assembled_open(struct text *script, struct seen *seen);

#endif

/* SPDX-License-Identifier: MIT */
/* Positions to which the vertices of draws were transformed */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compares the last columns of the row of a draw's first vertex. */
static void expect_position(const struct seen *seen, unsigned draw, const char *wanted)
{
    char *text = seen_text(seen, draw, "/buffers/attributes.tsv"), *row, *end, line[64];

    assert_non_null(strstr(text, "\tgl_Position\tinstance\n"));
    row = strchr(text, '\n') + 1;
    end = strchr(row, '\n');
    *end = '\0';
    assert_string_equal(strrchr(row, '\t'), "\t0");
    *strrchr(row, '\t') = '\0';
    assert_string_equal(strrchr(row, '\t') + 1, wanted);
    free(text);
    text = seen_text(seen, draw, "/buffers/transformed.obj");
    row = strchr(text, '\n') + 1;
    *strchr(row, '\n') = '\0';
    snprintf(line, sizeof(line), "v %s", wanted);
    for (char *comma = strchr(line, ','); comma != NULL; comma = strchr(comma, ','))
        *comma = ' ';
    assert_string_equal(row, line);
    free(text);
}

static void fixed_functions_tell_positions(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT CLEAR(0.0, 0.0, 0.0) POINTED
              "glMatrixMode(mode=5889)\nglScalef(x=2.0, y=1.0, z=1.0)\n"
              "glMatrixMode(mode=5888)\nglTranslatef(x=0.0, y=3.0, z=0.0)\n" QUADS(4, 4) /* 10 */
              SWAP,
              &seen);
    expect_position(&seen, 10, "-2,2,0,1");
    text = seen_text(&seen, 10, "/buffers/transformed.obj");
    assert_non_null(strstr(text, "\nf 1 2 3 4\n"));
    free(text);
    seen_close(&seen);
}

#define MOVING                                                                                     \
    SHADER(1, 35633,                                                                               \
           "uniform vec2 move[2]; attribute vec3 v; "                                              \
           "void main() { gl_Position = vec4(v.xy + move[1], move[0]); }")                         \
    FRAGMENT(2)                                                                                    \
    "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\nglAttachShader(program=3, "       \
    "shader=2)\nglBindAttribLocation(program=3, index=5, name=\"v\")\nglLinkProgram(program=3)\n"  \
    "glDetachShader(program=3, shader=1)\nglUseProgram(program=3)\n"                               \
    "glGetUniformLocation(program=3, name=\"move[0]\") = 0\n"                                      \
    "glUniform2fv(location=0, count=2, value={7.0, 2.0, 0.5, 0.25})\n"                             \
    "glEnableVertexAttribArray(index=5)\nglVertexAttribPointer(index=5, size=3, type=5126, "       \
    "normalized=0, stride=0, pointer=[" ALL "])\n"

/* Uniforms and attributes are at the locations that the program gives them, and stay there. */
static void programs_tell_positions(void **state)
{
    static const char script[] =
        CURRENT MOVING "glDrawElements(mode=4, count=3, type=5121, indices=[03 01 02])\n" /* 19 */
                       "glDrawArrays(mode=6, first=0, count=4)\n"                         /* 20 */
        SWAP;
    struct seen seen;
    char *before, *after;
    uint8_t *shown, *again;
    unsigned width, height;

    (void)state;
    seen_open(script, &seen);
    before = seen_text(&seen, 20, "/state.txt");
    shown = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    seen_close(&seen);
    seen_open(script, &seen);
    expect_position(&seen, 19, "-0.5,1.25,7,2");
    after = seen_text(&seen, 20, "/state.txt");
    assert_string_equal(after, before);
    again = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    assert_memory_equal(again, shown, (size_t)4 * width * height);
    expect_position(&seen, 20, "-0.5,-0.75,7,2");
    free(before);
    free(after);
    free(shown);
    free(again);
    seen_close(&seen);
}

/* A query that counts primitives would count the draw twice. */
static void positions_that_cannot_be_had_are_said_so(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT POINTED "glBeginQuery(target=35975, id=1)\n" QUADS(4, 4) /* 5 */
              "glEndQuery(target=35975)\n" SWAP,
              &seen);
    text = seen_text(&seen, 5, "/buffers/transformed.obj");
    assert_string_equal(
        text,
        "# no mesh: it cannot be drawn again with the same result and without side effects\n");
    free(text);
    text = seen_text(&seen, 5, "/buffers/attributes.tsv");
    assert_non_null(strstr(text, "-1,-1,0\t-\t0\n"));
    free(text);
    seen_close(&seen);
}

/*
 * Draws continue to use a program that failed to link again, although it could not be bound again.
 */
static void programs_that_failed_to_link_are_left_in_use(void **state)
{
    struct seen seen;
    char *before, *after, *text;

    (void)state;
    seen_open(
        CURRENT MOVING SHADER(
            6, 35633,
            "void main() { nothing }") "glAttachShader(program=3, shader=6)\n"
                                       "glLinkProgram(program=3)\n"
                                       "glDrawArrays(mode=6, first=0, count=4)\n" SWAP, /* 24 */
        &seen);
    before = seen_text(&seen, 24, "/state.txt");
    text = seen_text(&seen, 24, "/buffers/transformed.obj");
    assert_string_equal(text, "# no mesh: its program was linked again, which failed\n");
    free(text);
    after = seen_text(&seen, 24, "/state.txt");
    assert_string_equal(after, before);
    free(before);
    free(after);
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_functions_tell_positions),
        cmocka_unit_test(programs_tell_positions),
        cmocka_unit_test(programs_that_failed_to_link_are_left_in_use),
        cmocka_unit_test(positions_that_cannot_be_had_are_said_so),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_positions", tests, NULL, NULL);
}

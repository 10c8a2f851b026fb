/* SPDX-License-Identifier: MIT */
/* Sources of the shaders that a draw ran, whatever happened to the shaders afterwards */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define PROGRAM                                                                                    \
    VERTEX(1)                                                                                      \
    FRAGMENT(2)                                                                                    \
    "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\nglAttachShader(program=3, "       \
    "shader=2)\nglLinkProgram(program=3)\n"
#define DETACH                                                                                     \
    "glDetachShader(program=3, shader=1)\nglDeleteShader(shader=1)\n"                              \
    "glDetachShader(program=3, shader=2)\nglDeleteShader(shader=2)\n"

static void sources_of_detached_shaders_are_shown(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT PROGRAM DETACH "glUseProgram(program=3)\n"
                                     "glDrawArrays(mode=4, first=0, count=3)\n" /* 17 */
              SWAP,
              &seen);
    text = seen_text(&seen, 17, "/program/00001-vert.glsl");
    assert_string_equal(text, "void main() { gl_Position = gl_Vertex; }");
    free(text);
    text = seen_text(&seen, 17, "/program/00002-frag.glsl");
    assert_string_equal(text, "void main() { gl_FragColor = vec4(1.0); }");
    free(text);
    seen_close(&seen);
}

/* What is set after linking does not belong to the program. */
static void sources_are_those_that_were_linked(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT PROGRAM "glUseProgram(program=3)\n"
                              "glShaderSource(shader=1, count=1, string={\"another\"}, "
                              "length=null)\nglDrawArrays(mode=4, first=0, count=3)\n" /* 14 */
              SWAP,
              &seen);
    text = seen_text(&seen, 14, "/program/00001-vert.glsl");
    assert_string_equal(text, "void main() { gl_Position = gl_Vertex; }");
    free(text);
    seen_close(&seen);
}

static void sources_of_programs_made_at_once_are_shown(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT "glCreateShaderProgramv(type=35632, count=2, strings={\"void main() \", "
                      "\"{ gl_FragColor = vec4(1.0); }\"}) = 7\n"
                      "glGenProgramPipelines(n=1, pipelines={9})\n"
                      "glUseProgramStages(pipeline=9, stages=2, program=7)\n"
                      "glBindProgramPipeline(pipeline=9)\n"
                      "glDrawArrays(mode=4, first=0, count=3)\n" /* 6 */
              SWAP,
              &seen);
    text = seen_text(&seen, 6, "/program/00007-frag.glsl");
    assert_string_equal(text, "void main() { gl_FragColor = vec4(1.0); }");
    free(text);
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_of_detached_shaders_are_shown),
        cmocka_unit_test(sources_are_those_that_were_linked),
        cmocka_unit_test(sources_of_programs_made_at_once_are_shown),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_shader_sources", tests, NULL, NULL);
}

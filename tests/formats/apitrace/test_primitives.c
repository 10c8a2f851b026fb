/* SPDX-License-Identifier: MIT */
/*
 * The primitives that reach the rasterizer of a draw, from geometry and tessellation shaders,
 * pipelines, several draws and instances: compares them with what this test computes from the same
 * numbers.
 */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct corner {
    unsigned primitive, corner;
    float position[4];
    int instance; /* -1: unknown */
};

#define COLUMNS "primitive\tcorner\tgl_Position\tinstance"

enum { CORNERS_MAX = 256 };

struct corners {
    struct corner list[CORNERS_MAX];
    unsigned count;
};

static void add(struct corners *corners, unsigned each, int instance, float x, float y, float w)
{
    const unsigned n = corners->count;

    assert_true(n < CORNERS_MAX);
    corners->list[corners->count++] = (struct corner){n / each, n % each, {x, y, 0, w}, instance};
}

static void read_corner(const char *row, struct corner *out)
{
    char instance[16];

    assert_int_equal(sscanf(row, "%u\t%u\t%f,%f,%f,%f\t%15s", &out->primitive, &out->corner,
                            &out->position[0], &out->position[1], &out->position[2],
                            &out->position[3], instance),
                     7);
    out->instance = strcmp(instance, "-") == 0 ? -1 : atoi(instance);
}

/* Checks that primitives.tsv of a draw has these corners, in their order. */
static void expect_corners(const struct seen *seen, unsigned draw, const struct corners *wanted)
{
    char *text = seen_text(seen, draw, "/buffers/primitives.tsv"), *row = strchr(text, '\n') + 1;

    *strchr(text, '\n') = '\0';
    assert_int_equal(strncmp(text, COLUMNS, strlen(COLUMNS)), 0);
    for (unsigned n = 0; n < wanted->count; n++, row = strchr(row, '\n') + 1) {
        const struct corner *corner = &wanted->list[n];
        struct corner found;

        assert_true(*row != '\0');
        read_corner(row, &found);
        if (found.primitive != corner->primitive || found.corner != corner->corner ||
            found.instance != corner->instance ||
            memcmp(found.position, corner->position, sizeof(found.position)) != 0)
            fail_msg("corner %u of primitive %u, instance %d at %g,%g: %.*s", corner->corner,
                     corner->primitive, corner->instance, (double)corner->position[0],
                     (double)corner->position[1], (int)strcspn(row, "\n"), row);
    }
    assert_string_equal(row, "");
    free(text);
}

/* Counts the lines of its primitives.obj that begin with `prefix`. */
static void expect_lines(const struct seen *seen, unsigned draw, const char *prefix,
                         unsigned wanted)
{
    char *text = seen_text(seen, draw, "/buffers/primitives.obj");
    unsigned count = 0;

    for (const char *row = text; *row != '\0'; row = strchr(row, '\n') + 1)
        count += strncmp(row, prefix, strlen(prefix)) == 0;
    if (count != wanted)
        fail_msg("%u lines begin with %s: %.400s", count, prefix, text);
    free(text);
}

/* Corners of the complete window, in the order of ALL of seen.h */
static const float corners_of_all[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

#define COMPATIBLE "#version 410 compatibility\r"
#define ARRAY                                                                                      \
    "glEnableVertexAttribArray(index=0)\nglVertexAttribPointer(index=0, size=3, type=5126, "       \
    "normalized=0, stride=0, pointer=[" ALL "])\n"
#define ATTACH(program, shader) "glAttachShader(program=" #program ", shader=" #shader ")\n"
#define USE(program)            "glLinkProgram(program=" #program ")\nglUseProgram(program=" #program ")\n"

/* Instance k turns each point into a strip of k + 3 corners. */
#define STRIPS                                                                                     \
    SHADER(1, 35633,                                                                               \
           COMPATIBLE "layout(location = 0) in vec3 v; out int which; void main() { "              \
                      "which = gl_InstanceID; gl_Position = vec4(v.xy, 0.0, 1.0); }")              \
    SHADER(2, 36313,                                                                               \
           COMPATIBLE "layout(points) in; layout(triangle_strip, max_vertices = 8) out;"           \
                      "in int which[]; uniform vec2 by; void main() { "                            \
                      "for (int n = 0; n < which[0] + 3; n++) { gl_Position = "                    \
                      "gl_in[0].gl_Position + vec4(float(n) * by.x, float(n % 2) * by.y, 0.0, "    \
                      "1.0); EmitVertex(); } EndPrimitive(); }")                                   \
    FRAGMENT(3)                                                                                    \
    "glCreateProgram() = 4\n" ATTACH(4, 1) ATTACH(4, 2) ATTACH(4, 3)                               \
        USE(4) "glGetUniformLocation(program=4, name=\"by\") = 0\n"                                \
               "glUniform2f(location=0, v0=0.25, v1=0.5)\n" ARRAY

static void add_strips(struct corners *corners, int instances, int points)
{
    for (int k = 0; k < instances; k++)
        for (int p = 0; p < points; p++)
            for (int n = 0; n < k + 1; n++)
                for (int i = 0; i < 3; i++) {
                    /* In every second triangle of a strip the first two corners are swapped. */
                    const int m = n + (n % 2 == 1 && i < 2 ? 1 - i : i);

                    add(corners, 3, k, corners_of_all[p][0] + (float)m * 0.25F,
                        corners_of_all[p][1] + (float)(m % 2) * 0.5F, 2);
                }
}

/*
 * The frame continues with the same program, and must be the same as without looking at the first
 * draw.
 */
static const char strips[] = CURRENT CLEAR(0.0, 0.0, 1.0) STRIPS
    "glDrawArraysInstanced(mode=0, first=0, count=4, instancecount=3)\n" /* 23 */
    "glUniform2f(location=0, v0=0.5, v1=0.25)\n"
    "glDrawArraysInstanced(mode=0, first=1, count=3, instancecount=2)\n" SWAP;

static void geometry_shaders_make_primitives(void **state)
{
    struct corners wanted = {.count = 0};
    uint8_t *shown, *again;
    unsigned width, height;
    struct seen seen;

    (void)state;
    seen_open(strips, &seen);
    shown = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    seen_close(&seen);
    seen_open(strips, &seen);
    add_strips(&wanted, 3, 4);
    expect_corners(&seen, 23, &wanted);
    expect_lines(&seen, 23, "o instance-", 3);
    expect_lines(&seen, 23, "v ", wanted.count);
    expect_lines(&seen, 23, "f ", wanted.count / 3);
    again = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    assert_memory_equal(again, shown, (size_t)4 * width * height);
    free(shown);
    free(again);
    seen_close(&seen);
}

/*
 * Triangles that tessellation leaves unchanged except for w; and patches of two lines of three
 * parts each, which control shaders request.
 */
#define VERTICES_THROUGH                                                                           \
    SHADER(1, 35633,                                                                               \
           COMPATIBLE "layout(location = 0) in vec3 v; void main() { "                             \
                      "gl_Position = vec4(v.xy, 0.0, 1.0); }")                                     \
    FRAGMENT(3)
#define TRIANGLES_THROUGH                                                                          \
    VERTICES_THROUGH                                                                               \
    SHADER(2, 36487,                                                                               \
           COMPATIBLE "layout(triangles, equal_spacing) in; void main() { gl_Position = vec4(("    \
                      "gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * "                  \
                      "gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position).xyz, 4.0); "  \
                      "}")                                                                         \
    "glCreateProgram() = 4\n" ATTACH(4, 1) ATTACH(4, 2) ATTACH(4, 3) USE(4) ARRAY
#define LINES_OF_PATCHES                                                                           \
    VERTICES_THROUGH SHADER(2, 36487,                                                              \
                            COMPATIBLE                                                             \
                            "layout(isolines, equal_spacing) in; void main() { gl_Position = "     \
                            "vec4(gl_TessCoord.xy, 0.0, 1.0) + gl_in[0].gl_Position; }")           \
        SHADER(5, 36488,                                                                           \
               COMPATIBLE                                                                          \
               "layout(vertices = 1) out; void main() { gl_TessLevelOuter[0] = 2.0; "              \
               "gl_TessLevelOuter[1] = 4.0; gl_out[gl_InvocationID].gl_Position = "                \
               "gl_in[gl_InvocationID].gl_Position; }") "glCreateProgram() = 4\n" ATTACH(4, 1)     \
            ATTACH(4, 2) ATTACH(4, 3) ATTACH(4, 5) USE(4) ARRAY

/* Compares the corners, one for each primitive, in any order, since their order is unspecified. */
static void expect_points(const struct seen *seen, unsigned draw, const struct corners *wanted)
{
    char *text = seen_text(seen, draw, "/buffers/primitives.tsv");
    bool met[CORNERS_MAX] = {false};
    unsigned rows = 0;

    for (char *row = strchr(text, '\n') + 1; *row != '\0'; row = strchr(row, '\n') + 1, rows++) {
        struct corner found;
        unsigned n = 0;

        read_corner(row, &found);
        while (n < wanted->count &&
               (met[n] || memcmp(found.position, wanted->list[n].position, 16) != 0 ||
                found.instance != wanted->list[n].instance))
            n++;
        if (n == wanted->count)
            fail_msg("no such corner: %.*s", (int)strcspn(row, "\n"), row);
        met[n] = true;
    }
    assert_int_equal(rows, wanted->count);
    free(text);
}

static void tessellation_makes_primitives(void **state)
{
    struct corners wanted = {.count = 0};
    struct seen seen;

    (void)state;
    seen_open(CURRENT TRIANGLES_THROUGH
              "glPatchParameteri(pname=36466, value=3)\n"
              "glDrawArraysInstanced(mode=14, first=0, count=3, instancecount=2)\n" /* 20 */
              SWAP,
              &seen);
    for (int n = 0; n < 6; n++)
        add(&wanted, 3, n / 3, corners_of_all[n % 3][0], corners_of_all[n % 3][1], 4);
    expect_points(&seen, 20, &wanted);
    expect_lines(&seen, 20, "f ", 2);
    seen_close(&seen);
}

static void tessellation_makes_lines(void **state)
{
    struct corners wanted = {.count = 0};
    struct seen seen;

    (void)state;
    seen_open(CURRENT LINES_OF_PATCHES "glPatchParameteri(pname=36466, value=1)\n"
                                       "glDrawArrays(mode=14, first=0, count=2)\n" /* 24 */
              SWAP,
              &seen);
    for (int patch = 0; patch < 2; patch++)
        for (int line = 0; line < 2; line++)
            for (int part = 0; part < 4; part++)
                for (int end = 0; end < 2; end++)
                    add(&wanted, 2, 0, (float)(part + end) / 4 + corners_of_all[patch][0],
                        (float)line / 2 + corners_of_all[patch][1], 2);
    expect_points(&seen, 24, &wanted);
    expect_lines(&seen, 24, "l ", 16);
    seen_close(&seen);
}

/* Programs of a pipeline have separate uniforms of the same name. */
#define OUT_BLOCK "out gl_PerVertex { vec4 gl_Position; };"
#define PIPELINE                                                                                   \
    "glCreateShaderProgramv(type=35633, count=1, strings={\"" COMPATIBLE                           \
    "layout(location = 0) in vec3 v; uniform float by; " OUT_BLOCK                                 \
    " void main() { gl_Position = vec4(v.xy, 0.0, by); }\"}) = 1\n"                                \
    "glCreateShaderProgramv(type=36313, count=1, strings={\"" COMPATIBLE                           \
    "layout(points) in; layout(line_strip, max_vertices = 2) out; uniform float by; "              \
    "in gl_PerVertex { vec4 gl_Position; } gl_in[]; " OUT_BLOCK                                    \
    " void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); "                            \
    "gl_Position.x += by; EmitVertex(); }\"}) = 2\n"                                               \
    "glGetUniformLocation(program=1, name=\"by\") = 0\n"                                           \
    "glGetUniformLocation(program=2, name=\"by\") = 0\n"                                           \
    "glProgramUniform1f(program=1, location=0, v0=8.0)\n"                                          \
    "glProgramUniform1f(program=2, location=0, v0=0.5)\n"                                          \
    "glGenProgramPipelines(n=1, pipelines={7})\n"                                                  \
    "glUseProgramStages(pipeline=7, stages=1, program=1)\n"                                        \
    "glUseProgramStages(pipeline=7, stages=4, program=2)\n"                                        \
    "glBindProgramPipeline(pipeline=7)\n" ARRAY

static void programs_of_pipelines_stay_apart(void **state)
{
    struct corners wanted = {.count = 0};
    struct seen seen;
    char *before, *after;

    (void)state;
    seen_open(
        CURRENT PIPELINE
        "glDrawArrays(mode=0, first=0, count=4)\nglDrawArrays(mode=0, first=0, count=1)\n" SWAP,
        &seen); /* 14, 15 */
    before = seen_text(&seen, 15, "/state.txt");
    for (int n = 0; n < 8; n++)
        add(&wanted, 2, 0, corners_of_all[n / 2][0] + (n % 2 == 1 ? 0.5F : 0),
            corners_of_all[n / 2][1], 8);
    expect_corners(&seen, 14, &wanted);
    wanted.count = 2;
    expect_corners(&seen, 15, &wanted);
    after = seen_text(&seen, 15, "/state.txt");
    assert_string_equal(after, before);
    free(before);
    free(after);
    seen_close(&seen);
}

/* Without such shaders the primitives are those of the draw itself. */
static void fixed_functions_make_primitives(void **state)
{
    static const unsigned quad[] = {0, 1, 3, 1, 2, 3};
    struct corners once = {.count = 0}, twice = {.count = 0};
    struct seen seen;

    (void)state;
    seen_open(CURRENT POINTED "glMatrixMode(mode=5889)\nglScalef(x=2.0, y=1.0, z=0.0)\n"
                              "glDrawArraysInstanced(mode=7, first=4, count=4, instancecount=2)\n"
                              "glMultiDrawArrays(mode=7, first={4, 4}, count={4, 4}, drawcount=2)\n"
                              "glBegin(mode=0)\nglVertex2f(x=0.0, y=0.0)\nglEnd()\n" /* 10 */
              SWAP,
              &seen);
    for (int n = 0; n < 12; n++) {
        const float *at = corners_of_all[quad[n % 6]];

        add(&once, 3, n / 6, 2 * at[0], at[1], 1);
        add(&twice, 3, 0, 2 * at[0], at[1], 1);
    }
    expect_points(&seen, 6, &once);
    expect_points(&seen, 7, &twice);
    expect_lines(&seen, 7, "o instance", 0);
    expect_lines(&seen, 7, "f ", 4);
    expect_lines(&seen, 10, "# no mesh: ", 0);
    expect_lines(&seen, 10, "p ", 1);
    seen_close(&seen);
}

/* Arrays that advance by instance, from instance one on; and which vertices each instance has */
static void instances_have_rows_and_objects(void **state)
{
    static const char *const rows[] = {
        "0\t2\t1,1,0\t0.5\t1,1,0,0.5\t0\n", "1\t3\t-1,1,0\t0.5\t-1,1,0,0.5\t0\n",
        "0\t2\t1,1,0\t1\t1,1,0,1\t1\n", "1\t3\t-1,1,0\t1\t-1,1,0,1\t1\n"};
    struct seen seen;
    char *text, *at;

    (void)state;
    seen_open(CURRENT SHADER(1, 35633,
                             COMPATIBLE "layout(location = 0) in vec3 v; layout(location = 1) in "
                                        "float w; void main() { gl_Position = vec4(v, w); }")
                  FRAGMENT(3) "glCreateProgram() = 4\n" ATTACH(4, 1) ATTACH(4, 3) USE(4) ARRAY
              "glEnableVertexAttribArray(index=1)\nglVertexAttribPointer(index=1, size=1, "
              "type=5126, normalized=0, stride=0, pointer=[" ZERO HALF ONE "])\n"
              "glVertexAttribDivisor(index=1, divisor=1)\n"
              "glDrawArraysInstancedBaseInstance(mode=1, first=2, count=2, instancecount=2, "
              "baseinstance=1)\n" SWAP, /* 18 */
              &seen);
    text = seen_text(&seen, 18, "/buffers/attributes.tsv");
    at = strchr(text, '\n') + 1;
    for (unsigned n = 0; n < 4; n++) {
        if (strncmp(at, rows[n], strlen(rows[n])) != 0)
            fail_msg("no %s: %s", rows[n], at);
        at += strlen(rows[n]);
    }
    assert_string_equal(at, "");
    free(text);
    text = seen_text(&seen, 18, "/buffers/transformed.obj");
    assert_string_equal(strchr(text, '\n') + 1, "o instance-0\nv 1 1 0 0.5\nv -1 1 0 0.5\nl 1 2\n"
                                                "o instance-1\nv 1 1 0 1\nv -1 1 0 1\nl 3 4\n");
    free(text);
    seen_close(&seen);
}

/* OpenGL ES does not link programs without a fragment shader, and draws by indices. */
static void geometry_shaders_of_opengl_es(void **state)
{
    struct corners wanted = {.count = 0};
    struct seen seen;

    (void)state;
    seen_open(
        "eglBindAPI(api=12448) = 1\n"
        "eglCreateContext(dpy=0x1, config=0xF, share_context=null, attrib_list={12440, 3, "
        "12539, 2, 12344}) = 0xC\n"
        "eglCreateWindowSurface(dpy=0x1, config=0xF, win=0x2, attrib_list={}) = 0x5\n"
        "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"
        "glViewport(x=0, y=0, width=16, height=12)\n" /* 4 */
        SHADER(1, 35633,
               "#version 320 es\rlayout(location = 0) in vec3 v; void main() { gl_Position = "
               "vec4(v.xy, 0.0, 4.0); }")
            SHADER(2, 36313,
                   "#version 320 es\rlayout(triangles) in; layout(points, max_vertices = 1) "
                   "out; void main() { gl_Position = gl_in[2].gl_Position; EmitVertex(); }")
                SHADER(3, 35632,
                       "#version 320 es\rprecision mediump float; out vec4 colour; "
                       "void main() { colour = vec4(1.0); }") "glCreateProgram() = 4\n" ATTACH(4, 1)
                    ATTACH(4, 2) ATTACH(4, 3) USE(4) ARRAY
        "glDrawElements(mode=4, count=6, type=5121, indices=[00 01 02 00 02 03])\n" /* 22 */
        "eglSwapBuffers(dpy=0x1, surface=0x5) = 1\n",
        &seen);
    for (int n = 0; n < 2; n++)
        add(&wanted, 1, 0, corners_of_all[2 + n][0], corners_of_all[2 + n][1], 4);
    expect_lines(&seen, 22, "p ", 2);
    expect_corners(&seen, 22, &wanted);
    seen_close(&seen);
}

/* Compares the cell of a row in a named column. */
static void expect_cell(const char *header, const char *row, const char *name, const char *wanted)
{
    const char *column = strstr(header, name), *cell = row;

    assert_non_null(column);
    for (const char *at = header; at < column; at++)
        if (*at == '\t')
            cell = strchr(cell, '\t') + 1;
    if (strcspn(cell, "\t\n") != strlen(wanted) || strncmp(cell, wanted, strlen(wanted)) != 0)
        fail_msg("%s is %.*s, not %s", name, (int)strcspn(cell, "\t\n"), cell, wanted);
}

/* What the last stage outputs besides positions, of any type */
static void outputs_have_columns(void **state)
{
    struct seen seen;
    char *text, *row;

    (void)state;
    seen_open(CURRENT SHADER(1, 35633,
                             COMPATIBLE "layout(location = 0) in vec3 v; out vec2 twice; "
                                        "flat out ivec2 whole; out float list[3]; void main() { "
                                        "twice = v.xy * 2.0; whole = ivec2(gl_VertexID, -7); "
                                        "list[0] = v.x; list[1] = 0.5; list[2] = v.y; "
                                        "gl_Position = vec4(v, 1.0); }")
                  FRAGMENT(3) "glCreateProgram() = 4\n" ATTACH(4, 1) ATTACH(4, 3) USE(4) ARRAY
              "glDrawArrays(mode=0, first=2, count=2)\n" SWAP, /* 15 */
              &seen);
    text = seen_text(&seen, 15, "/buffers/primitives.tsv");
    row = strchr(text, '\n') + 1;
    expect_cell(text, row, "twice", "2,2");
    expect_cell(text, row, "whole", "2,-7");
    expect_cell(text, row, "list", "1,0.5,1");
    row = strchr(row, '\n') + 1;
    expect_cell(text, row, "gl_Position", "-1,1,0,1");
    expect_cell(text, row, "twice", "-2,2");
    expect_cell(text, row, "whole", "3,-7");
    expect_cell(text, row, "list", "-1,0.5,1");
    free(text);
    seen_close(&seen);
}

/* A draw that would read beyond its vertices is not repeated for looking at it either. */
static void refused_draws_are_not_made(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT POINTED "glDrawArrays(mode=0, first=0, count=100000)\n" SWAP, &seen); /* 4 */
    expect_lines(&seen, 4, "# no mesh: the call was not executed", 1);
    seen_close(&seen);
}

/* Nor is a draw of no instances repeated with one: how far it would read was not checked. */
static void draws_of_no_instance_are_not_made(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(CURRENT POINTED
              "glDrawArraysInstanced(mode=0, first=0, count=100000, instancecount=0)\n" /* 4 */
              SWAP,
              &seen);
    text = seen_text(&seen, 4, "/buffers/attributes.tsv");
    assert_ptr_equal(strchr(text, '\n') + 1, text + strlen(text));
    free(text);
    text = seen_text(&seen, 4, "/buffers/transformed.obj");
    assert_non_null(strstr(text, "it has no vertices"));
    free(text);
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometry_shaders_make_primitives),
        cmocka_unit_test(tessellation_makes_primitives),
        cmocka_unit_test(tessellation_makes_lines),
        cmocka_unit_test(programs_of_pipelines_stay_apart),
        cmocka_unit_test(fixed_functions_make_primitives),
        cmocka_unit_test(instances_have_rows_and_objects),
        cmocka_unit_test(geometry_shaders_of_opengl_es),
        cmocka_unit_test(outputs_have_columns),
        cmocka_unit_test(refused_draws_are_not_made),
        cmocka_unit_test(draws_of_no_instance_are_not_made),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_primitives", tests, NULL, NULL);
}

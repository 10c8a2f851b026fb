/* SPDX-License-Identifier: MIT */
/*
 * Vertices, positions and primitives of what is between glBegin() and glEnd(), and of glRect():
 * compares them with numbers that follow from the script by hand.
 */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS       "vertex\tindex\t"
#define POSITIONS     "\tgl_Position\tinstance\n"
#define VERTEX2(x, y) "glVertex2f(x=" #x ", y=" #y ")\n"

static void expect(const struct seen *seen, unsigned draw, const char *name, const char *wanted)
{
    char *text = seen_text(seen, draw, name);

    assert_string_equal(text, wanted);
    free(text);
}

/*
 * x is moved by one and doubled, y is moved by three, z is halved. Colours and normals are not
 * affected.
 */
#define MOVED                                                                                      \
    "glMatrixMode(mode=5889)\nglScalef(x=2.0, y=1.0, z=0.5)\n"                                     \
    "glMatrixMode(mode=5888)\nglTranslatef(x=1.0, y=3.0, z=0.0)\n"

/*
 * The colour of the first vertex is from before glBegin. The texture coordinates set later are
 * those of another unit than the active one.
 */
static const char quad[] = CURRENT MOVED /* 2 to 5 */
    "glColor3f(red=0.25, green=0.5, blue=0.75)\nglActiveTexture(texture=33986)\n"
    "glBegin(mode=7)\n" /* 8 */
    "glNormal3f(nx=0.0, ny=0.5, nz=1.0)\nglTexCoord2f(s=0.25, t=0.5)\n"
    "glVertex2f(x=0.0, y=0.0)\n"
    "glColor4ub(red=255, green=0, blue=51, alpha=102)\n"
    "glVertex3fv(v={1.0, 0.0, 2.0})\n"
    "glMultiTexCoord3f(target=33984, s=3.0, t=2.0, r=1.0)\nglSecondaryColor3f(red=1.0, green=0.5, "
    "blue=0.0)\n"
    "glVertex2i(x=1, y=-1)\n"
    "glFogCoordf(coord=7.0)\nglVertex4d(x=0.0, y=1.0, z=0.0, w=2.0)\n"
    "glNormal3f(nx=1.0, ny=0.0, nz=0.0)\nglEdgeFlag(flag=1)\nglVertexAttrib1f(index=3, "
    "x=1.0)\nglEnd()\n" SWAP;

static void begun_vertices_have_what_is_current(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(quad, &seen);
    expect(&seen, 22, "/buffers/attributes.tsv",
           COLUMNS "GL_VERTEX_ARRAY\tGL_NORMAL_ARRAY\tGL_COLOR_ARRAY\tGL_FOG_COORD_ARRAY\t"
                   "GL_SECONDARY_COLOR_ARRAY\tGL_TEXTURE_COORD_ARRAY0" POSITIONS
                   "0\t0\t0,0,0,1\t0,0.5,1\t-\t-\t-\t0.25,0.5,0\t2,3,0,1\t0\n"
                   "1\t1\t1,0,2,1\t0,0.5,1\t1,0,0.2,0.4\t-\t-\t0.25,0.5,0\t4,3,1,1\t0\n"
                   "2\t2\t1,-1,0,1\t0,0.5,1\t1,0,0.2,0.4\t-\t1,0.5,0\t3,2,1\t4,2,0,1\t0\n"
                   "3\t3\t0,1,0,2\t0,0.5,1\t1,0,0.2,0.4\t7\t1,0.5,0\t3,2,1\t4,7,0,2\t0\n");
    expect(&seen, 22, "/buffers/mesh.obj",
           "# positions as glVertex sets them\n"
           "v 0 0 0 1\nv 1 0 2 1\nv 1 -1 0 1\nv 0 1 0 2\nf 1 2 3 4\n");
    expect(&seen, 22, "/buffers/transformed.obj",
           "# gl_Position as the vertex stage leaves it: clip coordinates\n"
           "v 2 3 0 1\nv 4 3 1 1\nv 4 2 0 1\nv 4 7 0 2\nf 1 2 3 4\n");
    seen_close(&seen);
}

/* A fan of four corners, which makes two triangles; its last corner does not complete another. */
static const char fan[] = CURRENT CLEAR(0.0, 0.0, 1.0) MOVED /* 2 to 7 */
    "glBegin(mode=6)\n" VERTEX2(0.0, 0.0) "glColor3f(red=0.5, green=1.0, blue=0.0)\n" VERTEX2(1.0,
                                                                                              0.0)
        VERTEX2(1.0, 1.0) VERTEX2(0.0, 1.0) "glEnd()\n" /* 8 to 14 */
                                            "glRectf(x1=-1.0, y1=-2.0, x2=0.5, y2=1.0)\n" /* 15 */
                                            "glBegin(mode=3)\n" VERTEX2(0.0, 0.0) VERTEX2(0.0, 1.0)
                                                VERTEX2(1.0, 1.0) "glEnd()\n" /* 20 */
    SWAP;

static const char triangles[] = "primitive\tcorner\tgl_Position\tinstance\n"
                                "0\t0\t2,3,0,1\t0\n0\t1\t4,3,0,1\t0\n0\t2\t4,4,0,1\t0\n"
                                "1\t0\t2,3,0,1\t0\n1\t1\t4,4,0,1\t0\n1\t2\t2,4,0,1\t0\n";

static void begun_primitives_are_told(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(fan, &seen);
    expect(&seen, 14, "/buffers/primitives.tsv", triangles);
    text = seen_text(&seen, 14, "/buffers/primitives.obj");
    assert_non_null(strstr(text, "v 2 3 0 1\nv 4 4 0 1\nv 2 4 0 1\nf 4 5 6\n"));
    free(text);
    expect(&seen, 20, "/buffers/primitives.tsv",
           "primitive\tcorner\tgl_Position\tinstance\n"
           "0\t0\t2,3,0,1\t0\n0\t1\t2,4,0,1\t0\n1\t0\t2,4,0,1\t0\n1\t1\t4,4,0,1\t0\n");
    seen_close(&seen);
}

/*
 * The corners of the rectangle, as two triangles; the driver decides which diagonal divides them.
 */
static void rectangles_are_two_triangles(void **state)
{
    struct seen seen;
    char *text;
    unsigned rows = 0;

    (void)state;
    seen_open(fan, &seen);
    text = seen_text(&seen, 15, "/buffers/primitives.tsv");
    assert_non_null(strstr(text, "\t0,1,0,1\t"));
    assert_non_null(strstr(text, "\t3,1,0,1\t"));
    assert_non_null(strstr(text, "\t3,4,0,1\t"));
    assert_non_null(strstr(text, "\t0,4,0,1\t"));
    for (const char *row = text; (row = strchr(row, '\n')) != NULL; row++)
        rows++;
    assert_int_equal(rows, 7);
    free(text);
    seen_close(&seen);
}

/* gl_Position is the position of the vertex plus `by`; the colour is passed on. */
#define PROGRAM                                                                                    \
    SHADER(1, 35633,                                                                               \
           "attribute vec2 by; varying vec4 tint; void main() { tint = gl_Color; "                 \
           "gl_Position = gl_Vertex + vec4(by, 0.0, 0.0); }")                                      \
    SHADER(2, 35632, "varying vec4 tint; void main() { gl_FragColor = tint; }")                    \
    "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"                                 \
    "glAttachShader(program=3, shader=2)\nglBindAttribLocation(program=3, index=5, "               \
    "name=\"by\")\nglLinkProgram(program=3)\nglUseProgram(program=3)\n"

/*
 * Corners have all current values, including those of texture units and of the program's
 * attributes.
 */
static void rectangles_have_what_is_current(void **state)
{
    static const char head[] = COLUMNS "GL_VERTEX_ARRAY\tGL_NORMAL_ARRAY\tGL_COLOR_ARRAY\t"
                                       "GL_FOG_COORD_ARRAY\tGL_SECONDARY_COLOR_ARRAY\t"
                                       "GL_TEXTURE_COORD_ARRAY0\tGL_TEXTURE_COORD_ARRAY1\t";
    static const char row[] = "3\t3\t-1,1\t0,0,1\t0.5,1,0,1\t0\t0,0,0\t0,0,0,1\t0,0,0,1\t";
    struct seen seen;
    char *text;

    (void)state;
    seen_open(fan, &seen);
    text = seen_text(&seen, 15, "/buffers/attributes.tsv");
    assert_int_equal(strncmp(text, head, strlen(head)), 0);
    assert_non_null(strstr(text, "\t0,1,0,1\t0\n1\t1\t0.5,-2\t"));
    assert_non_null(strstr(text, "\t3,1,0,1\t0\n2\t2\t0.5,1\t"));
    assert_non_null(strstr(text, "\t3,4,0,1\t0\n3\t3\t-1,1\t"));
    assert_non_null(strstr(text, row));
    assert_string_equal(text + strlen(text) - strlen("\t0,4,0,1\t0\n"), "\t0,4,0,1\t0\n");
    free(text);
    expect(&seen, 15, "/buffers/mesh.obj",
           "# corners of glRect\nv -1 -2 0\nv 0.5 -2 0\nv 0.5 1 0\nv -1 1 0\nf 1 2 3 4\n");
    seen_close(&seen);
    seen_open(CURRENT PROGRAM /* 2 to 13 */
              "glVertexAttrib2f(index=5, x=0.25, y=0.5)\n"
              "glRectdv(v1={1.0, 2.0}, v2={3.0, 4.0})\nglRects(x1=1, y1=-2, x2=3, y2=4)\n" SWAP,
              &seen);
    text = seen_text(&seen, 15, "/buffers/attributes.tsv");
    assert_non_null(strstr(text, "\tby\tgl_Position\tinstance\n"));
    assert_non_null(strstr(text, "\t0.25,0.5,0,1\t1.25,2.5,0,1\t0\n"));
    free(text);
    expect(&seen, 16, "/buffers/transformed.obj",
           "# gl_Position as the vertex stage leaves it: clip coordinates\n"
           "v 1.25 -1.5 0 1\nv 3.25 -1.5 0 1\nv 3.25 4.5 0 1\nv 1.25 4.5 0 1\nf 1 2 3 4\n");
    seen_close(&seen);
}

/* After a draw was looked at, what is drawn and set is the same as without. */
static void a_look_leaves_all_as_it_was(void **state)
{
    struct seen seen;
    char *before, *after;
    uint8_t *shown, *again;
    unsigned width, height;

    (void)state;
    seen_open(fan, &seen);
    before = seen_text(&seen, 20, "/state.txt");
    shown = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    seen_close(&seen);
    seen_open(fan, &seen);
    expect(&seen, 14, "/buffers/primitives.tsv", triangles);
    free(seen_text(&seen, 14, "/buffers/attributes.tsv"));
    free(seen_text(&seen, 15, "/buffers/primitives.tsv"));
    free(seen_text(&seen, 15, "/buffers/attributes.tsv"));
    after = seen_text(&seen, 20, "/state.txt");
    assert_string_equal(after, before);
    again = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    assert_memory_equal(again, shown, (size_t)4 * width * height);
    free(before);
    free(after);
    free(shown);
    free(again);
    seen_close(&seen);
}

static void programs_see_begun_vertices(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(
        CURRENT PROGRAM /* 2 to 13 */
        "glColor3f(red=1.0, green=0.0, blue=0.0)\nglBegin(mode=0)\n"
        "glVertexAttrib2f(index=5, x=0.25, y=0.5)\n" VERTEX2(0.0, 0.0) VERTEX2(
            1.0,
            2.0) "glEnd()\n" /* 19 */
                 "glBegin(mode=0)\n" VERTEX2(
                     0.0,
                     0.0) "glColor3f(red=0.0, green=0.0, blue=0.0)\n" VERTEX2(1.0,
                                                                              2.0) "glEnd()\n" /* 24
                                                                                                */
        SWAP,
        &seen);
    expect(&seen, 19, "/buffers/attributes.tsv",
           COLUMNS "GL_VERTEX_ARRAY\tby" POSITIONS "0\t0\t0,0\t0.25,0.5\t0.25,0.5,0,1\t0\n"
                   "1\t1\t1,2\t0.25,0.5\t1.25,2.5,0,1\t0\n");
    expect(&seen, 19, "/buffers/primitives.tsv",
           "primitive\tcorner\tgl_Position\tinstance\ttint\n"
           "0\t0\t0.25,0.5,0,1\t0\t1,0,0,1\n1\t0\t1.25,2.5,0,1\t0\t1,0,0,1\n");
    text = seen_text(&seen, 24, "/buffers/primitives.obj");
    assert_string_equal(
        text, "# no mesh: its program may read attributes that were current before glBegin\n");
    free(text);
    seen_close(&seen);
}

/*
 * Lists that set the state of vertices, and that have vertices; array elements are those of that
 * time.
 */
static void begun_lists_and_elements_are_told(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(
        CURRENT MOVED /* 2 to 5 */
        "glGenLists(range=2) = 20\nglNewList(list=20, mode=4864)\n" VERTEX2(
            5.0,
            0.0) "glColor3f(red=0.0, green=1.0, blue=0.0)\nglEndList()\n" /* 10 */
                 "glNewList(list=21, mode=4864)\nglCallList(list=20)\n" VERTEX2(
                     6.0,
                     0.0) "glEndList()\n" /* 14 */
                          "glEnableClientState(array=32884)\nglVertexPointer(size=3, type=5126, "
                          "stride=0, "
                          "pointer=[" ALL "])\nglEnableClientState(array=32886)\n" /* 17 */
                          "glColorPointer(size=4, type=5121, stride=0, pointer=[ff 00 00 ff 00 ff "
                          "00 ff 33 33 33 33 "
                          "00 00 00 00])\n" /* 18 */
                          "glBegin(mode=3)\nglArrayElement(i=2)\nglCallList(list=21)\n" VERTEX2(
                              7.0, 0.0) "glArrayElement(i=1)\nglEnd()\n" /* 24 */
                                        "glDisableClientState(array=32884)\nglBegin(mode=0)"
                                        "\nglArrayElement(i=2)\n" VERTEX2(
                                            1.0, 1.0) "glEnd()\n" /* 29 */ SWAP,
        &seen);
    expect(&seen, 24, "/buffers/attributes.tsv",
           COLUMNS "GL_VERTEX_ARRAY\tGL_COLOR_ARRAY" POSITIONS
                   "0\t0\t1,1,0\t0.2,0.2,0.2,0.2\t4,4,0,1\t0\n"
                   "1\t1\t5,0,0\t0.2,0.2,0.2,0.2\t12,3,0,1\t0\n"
                   "2\t2\t6,0,0\t0,1,0,1\t14,3,0,1\t0\n"
                   "3\t3\t7,0,0\t0,1,0,1\t16,3,0,1\t0\n"
                   "4\t4\t1,-1,0\t0,1,0,1\t4,2,0,1\t0\n");
    expect(&seen, 24, "/buffers/mesh.obj",
           "# positions as glVertex sets them\n"
           "v 1 1 0\nv 5 0 0\nv 6 0 0\nv 7 0 0\nv 1 -1 0\nl 1 2\nl 2 3\nl 3 4\nl 4 5\n");
    expect(&seen, 29, "/buffers/attributes.tsv",
           COLUMNS "GL_VERTEX_ARRAY\tGL_COLOR_ARRAY" POSITIONS
                   "0\t0\t1,1\t0.2,0.2,0.2,0.2\t4,4,0,1\t0\n");
    seen_close(&seen);
}

/*
 * 1, -2, 3 and 1 in 10, 10, 10 and 2 bits; 1023, 0 and 1023; and 1, 0.5 and 2 in 11, 11 and 10 bits
 */
static void begun_numbers_may_be_packed(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(
        CURRENT PROGRAM /* 2 to 13 */
        "glBegin(mode=0)\nglColorP3ui(type=33640, color=1072694271)\n"
        "glVertexAttribP3ui(index=5, type=35899, normalized=0, value=2149319616)\n"
        "glTexCoordP2ui(type=36255, coords=1077934081)\n"
        "glVertexP4ui(type=36255, value=1077934081)\n"
        "glVertexP2ui(type=33640, value=1072694271)\n"
        "glVertexAttribP4ui(index=0, type=33640, normalized=1, value=1072694271)\n"
        "glEnd()\n" /* 21 */
        "glBegin(mode=0)\nglVertexAttribI3i(index=6, x=-2147483647, y=2, z=3)\n"
        "glVertexAttribI4ui(index=7, x=4294967295, y=0, z=16777217, w=1)\n"
        "glVertexAttribL2d(index=8, x=0.1, y=2.0)\n" VERTEX2(
            1.0,
            2.0) "glEnd()\n" /* 27 */
                 "glBegin(mode=0)\nglVertexAttribI2i(index=0, x=3, y=-4)\nglEnd()\n" /* 30 */ SWAP,
        &seen);
    expect(&seen, 21, "/buffers/attributes.tsv",
           COLUMNS "GL_VERTEX_ARRAY\tGL_COLOR_ARRAY\tGL_TEXTURE_COORD_ARRAY0\tby" POSITIONS
                   "0\t0\t1,-2,3,1\t1,0,1\t1,-2\t1,0.5,2\t2,-1.5,3,1\t0\n"
                   "1\t1\t1023,0,0,1\t1,0,1\t1,-2\t1,0.5,2\t1024,0.5,0,1\t0\n"
                   "2\t2\t1,0,1,0\t1,0,1\t1,-2\t1,0.5,2\t2,0.5,1,0\t0\n");
    expect(&seen, 27, "/buffers/attributes.tsv",
           COLUMNS "GL_VERTEX_ARRAY\tGL_VERTEX_ATTRIB_ARRAY6\tGL_VERTEX_ATTRIB_ARRAY7\t"
                   "GL_VERTEX_ATTRIB_ARRAY8" POSITIONS
                   "0\t0\t1,2\t-2147483647,2,3\t4294967295,0,16777217,1\t0.1,2\t"
                   "2,2.5,0,1\t0\n");
    expect(&seen, 30, "/buffers/mesh.obj", "# positions as glVertex sets them\nv 3 -4 0\np 1\n");
    seen_close(&seen);
}

static void what_is_not_told_says_why(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(
        CURRENT "glGenLists(range=1) = 1\nglNewList(list=1, mode=4864)\n" VERTEX2(
            0.0, 0.0) "glBlendFunc(sfactor=1, dfactor=1)\nglEndList()\n" /* 6 */
                      "glBegin(mode=0)\nglCallList(list=1)\nglEnd()\n"   /* 9 */
                      "glBegin(mode=0)\nglEnd()\n"
                      "glBegin(mode=99)\n" VERTEX2(
                          0.0, 0.0) "glEnd()\n"                                        /* 14 */
                                    "glBegin(mode=0)\nglEvalCoord1f(u=0.5)\nglEnd()\n" /* 17 */
                                    "glBegin(mode=0)\nglVertexAttrib1f(index=3, x=0.0)\n"
                                    "glVertexAttribI1i(index=3, x=0)\n" VERTEX2(
                                        0.0, 0.0) "glEnd()\n" /* 22 */
        SWAP,
        &seen);
    expect(&seen, 9, "/buffers/mesh.obj",
           "# no mesh: the calls of one of its display lists are not kept\n");
    expect(&seen, 9, "/buffers/primitives.obj",
           "# no mesh: the calls of one of its display lists are not kept\n");
    expect(&seen, 11, "/buffers/mesh.obj", "# no mesh: it has no vertices\n");
    expect(&seen, 14, "/buffers/transformed.obj", "# no mesh: the call was not executed\n");
    expect(&seen, 17, "/buffers/mesh.obj", "# no mesh: it has vertices from evaluators\n");
    expect(&seen, 22, "/buffers/mesh.obj",
           "# no mesh: one of its attributes has values of several types\n");
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begun_vertices_have_what_is_current),
        cmocka_unit_test(begun_primitives_are_told),
        cmocka_unit_test(rectangles_are_two_triangles),
        cmocka_unit_test(rectangles_have_what_is_current),
        cmocka_unit_test(a_look_leaves_all_as_it_was),
        cmocka_unit_test(programs_see_begun_vertices),
        cmocka_unit_test(begun_lists_and_elements_are_told),
        cmocka_unit_test(begun_numbers_may_be_packed),
        cmocka_unit_test(what_is_not_told_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Vertices, positions and primitives of what display lists draw: compares them with numbers that
 * follow from the script by hand, and checks that looking at them leaves everything unchanged.
 */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define POSITIONS   "\tgl_Position\tinstance\tblock\tmode\n"
#define PRIMITIVES  "primitive\tcorner\tgl_Position\tinstance\tblock\n"
#define V(x, y)     "glVertex2f(x=" #x ", y=" #y ")\n"
#define LIST(n)     "glNewList(list=" #n ", mode=4864)\n"
#define END_LIST    "glEndList()\n"
#define CALL(n)     "glCallList(list=" #n ")\n"
#define MOVE(x, y)  "glTranslatef(x=" #x ", y=" #y ", z=0.0)\n"
#define BEGIN(mode) "glBegin(mode=" #mode ")\n"
#define END         "glEnd()\n"

static void expect(const struct seen *seen, unsigned draw, const char *name, const char *wanted)
{
    char *text = seen_text(seen, draw, name);

    assert_string_equal(text, wanted);
    free(text);
}

/*
 * Two strips of different modes and a rectangle. Matrices are set between them, and remain set for
 * the next call.
 */
static const char blocks[] = CURRENT CLEAR(0.0, 0.0, 1.0)              /* 2, 3 */
    "glGenLists(range=3) = 1\nglScalef(x=0.5, y=0.5, z=1.0)\n"         /* 5 */
    LIST(1) "glColor3f(red=1.0, green=0.5, blue=0.0)\n" MOVE(1.0, 0.0) /* 8 */
    BEGIN(5) V(0.0, 0.0) V(1.0, 0.0) "glNormal3f(nx=1.0, ny=0.0, nz=0.0)\n" V(0.0, 1.0) V(1.0, 1.0)
        END                                                                /* 15 */
    "glPushMatrix()\n" MOVE(0.0, 2.0) BEGIN(3) V(0.0, 0.0) V(2.0, 0.0) END /* 21 */
    "glPopMatrix()\nglRects(x1=0, y1=0, x2=2, y2=4)\n"                     /* 23 */
    BEGIN(0) V(4.0, 4.0) END                                               /* 26 */
        MOVE(0.0, -2.0) END_LIST                                           /* 28 */
            CALL(1) CALL(1)                                                /* 29, 30 */
    SWAP;

static void blocks_have_their_modes_and_matrices(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(blocks, &seen);
    expect(&seen, 29, "/buffers/attributes.tsv",
           "vertex\tindex\tGL_VERTEX_ARRAY\tGL_NORMAL_ARRAY\tGL_COLOR_ARRAY" POSITIONS
           "0\t0\t0,0\t0,0,1\t1,0.5,0\t0.5,0,0,1\t0\t0\tGL_TRIANGLE_STRIP\n"
           "1\t1\t1,0\t0,0,1\t1,0.5,0\t1,0,0,1\t0\t0\tGL_TRIANGLE_STRIP\n"
           "2\t2\t0,1\t1,0,0\t1,0.5,0\t0.5,0.5,0,1\t0\t0\tGL_TRIANGLE_STRIP\n"
           "3\t3\t1,1\t1,0,0\t1,0.5,0\t1,0.5,0,1\t0\t0\tGL_TRIANGLE_STRIP\n"
           "4\t4\t0,0\t1,0,0\t1,0.5,0\t0.5,1,0,1\t0\t1\tGL_LINE_STRIP\n"
           "5\t5\t2,0\t1,0,0\t1,0.5,0\t1.5,1,0,1\t0\t1\tGL_LINE_STRIP\n"
           "6\t6\t0,0\t1,0,0\t1,0.5,0\t0.5,0,0,1\t0\t2\tGL_QUADS\n"
           "7\t7\t2,0\t1,0,0\t1,0.5,0\t1.5,0,0,1\t0\t2\tGL_QUADS\n"
           "8\t8\t2,4\t1,0,0\t1,0.5,0\t1.5,2,0,1\t0\t2\tGL_QUADS\n"
           "9\t9\t0,4\t1,0,0\t1,0.5,0\t0.5,2,0,1\t0\t2\tGL_QUADS\n"
           "10\t10\t4,4\t1,0,0\t1,0.5,0\t2.5,2,0,1\t0\t3\tGL_POINTS\n");
    expect(&seen, 29, "/buffers/mesh.obj",
           "# positions as glVertex sets them\n"
           "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 0\nv 2 0 0\nv 0 0 0\nv 2 0 0\nv 2 4 0\n"
           "v 0 4 0\nv 4 4 0\nf 1 2 3\nf 3 2 4\nl 5 6\nf 7 8 9 10\np 11\n");
    expect(&seen, 30, "/buffers/transformed.obj",
           "# gl_Position as the vertex stage leaves it: clip coordinates\n"
           "v 1 -1 0 1\nv 1.5 -1 0 1\nv 1 -0.5 0 1\nv 1.5 -0.5 0 1\nv 1 0 0 1\nv 2 0 0 1\n"
           "v 1 -1 0 1\nv 2 -1 0 1\nv 2 1 0 1\nv 1 1 0 1\nv 3 1 0 1\n"
           "f 1 2 3\nf 3 2 4\nl 5 6\nf 7 8 9 10\np 11\n");
    seen_close(&seen);
}

/* The driver decides into which triangles the quad is divided. */
static void primitives_of_all_kinds_stand_in_order(void **state)
{
    static const char begin[] =
        PRIMITIVES "0\t0\t0.5,0,0,1\t0\t0\n0\t1\t1,0,0,1\t0\t0\n0\t2\t0.5,0.5,0,1\t0\t0\n"
                   "1\t0\t0.5,0.5,0,1\t0\t0\n1\t1\t1,0,0,1\t0\t0\n1\t2\t1,0.5,0,1\t0\t0\n"
                   "2\t0\t0.5,1,0,1\t0\t1\n2\t1\t1.5,1,0,1\t0\t1\n3\t0\t";
    static const char end[] = "5\t0\t2.5,2,0,1\t0\t3\n";
    struct seen seen;
    char *text;

    (void)state;
    seen_open(blocks, &seen);
    text = seen_text(&seen, 29, "/buffers/primitives.tsv");
    assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
    assert_string_equal(text + strlen(text) - strlen(end), end);
    assert_non_null(strstr(text, "4\t2\t"));
    assert_non_null(strstr(text, "\t1.5,2,0,1\t0\t2\n"));
    free(text);
    text = seen_text(&seen, 29, "/buffers/primitives.obj");
    assert_non_null(strstr(text, "v 0.5 1 0 1\nv 1.5 1 0 1\nl 7 8\n"));
    assert_non_null(strstr(text, "f 12 13 14\nv 2.5 2 0 1\np 15\n"));
    free(text);
    seen_close(&seen);
}

static void a_look_leaves_all_as_it_was(void **state)
{
    static const char *const names[] = {"/buffers/attributes.tsv", "/buffers/mesh.obj",
                                        "/buffers/transformed.obj", "/buffers/primitives.tsv",
                                        "/buffers/primitives.obj"};
    char *before, *first, *after;
    uint8_t *shown, *again;
    unsigned width, height;
    struct seen seen;

    (void)state;
    seen_open(blocks, &seen);
    first = seen_text(&seen, 29, "/state.txt");
    before = seen_text(&seen, 30, "/state.txt");
    shown = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    seen_close(&seen);
    seen_open(blocks, &seen);
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
        free(seen_text(&seen, 29, names[n]));
    expect(&seen, 29, "/state.txt", first);
    after = seen_text(&seen, 30, "/state.txt");
    assert_string_equal(after, before);
    again = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    assert_memory_equal(again, shown, (size_t)4 * width * height);
    free(first);
    free(before);
    free(after);
    free(shown);
    free(again);
    seen_close(&seen);
}

/* A list with one point that also moves the points after it, and a list that calls it. */
#define POINT(x, y) BEGIN(0) V(x, y) END MOVE(1.0, 0.0)
static const char nested[] = CURRENT "glGenLists(range=4) = 1\n"  /* 2 */
    LIST(1) POINT(0.0, 0.0) END_LIST                              /* 8 */
        LIST(2) CALL(1) MOVE(0.0, 1.0) CALL(1) CALL(3) END_LIST   /* 14 */
            CALL(2)                                               /* 15 */
    LIST(1) POINT(5.0, 0.0) END_LIST                              /* 21 */
    "glLoadIdentity()\n" LIST(2) CALL(1) CALL(1) END_LIST CALL(2) /* 27 */
    "glDeleteLists(list=1, range=1)\n" CALL(2) CALL(1)            /* 29, 30 */
    LIST(1) POINT(7.0, 0.0) END_LIST "glLoadIdentity()\n" CALL(2) /* 38 */
    SWAP;

#define ROW(n, x, y, px, py, block)                                                                \
#n "\t" #n "\t" #x "," #y "\t" #px "," #py ",0,1\t0\t" #block "\tGL_POINTS\n"
#define POINTS "vertex\tindex\tGL_VERTEX_ARRAY" POSITIONS

static void lists_are_those_of_the_time(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(nested, &seen);
    expect(&seen, 15, "/buffers/mesh.obj",
           "# no mesh: its display lists set state that cannot be restored\n");
    expect(&seen, 27, "/buffers/attributes.tsv",
           POINTS ROW(0, 5, 0, 5, 0, 0) ROW(1, 5, 0, 6, 0, 1));
    expect(&seen, 29, "/buffers/transformed.obj", "# no mesh: it has no vertices\n");
    expect(&seen, 30, "/buffers/primitives.obj", "# no mesh: it has no vertices\n");
    expect(&seen, 38, "/buffers/attributes.tsv",
           POINTS ROW(0, 7, 0, 7, 0, 0) ROW(1, 7, 0, 8, 0, 1));
    seen_close(&seen);
}

/* Lists of the trace have a base, and other numbers here, since 40 and 41 were created first. */
static const char several[] = CURRENT "glGenLists(range=2) = 40\nglGenLists(range=2) = 7\n" /* 3 */
    LIST(7) POINT(1.0, 0.0) END_LIST LIST(8) POINT(2.0, 0.0) END_LIST                       /* 15 */
        LIST(300) POINT(3.0, 0.0) END_LIST                                                  /* 21 */
    "glListBase(base=5)\nglCallLists(n=3, type=5121, lists=[03 02 03])\n"                   /* 23 */
    "glLoadIdentity()\nglCallLists(n=2, type=5127, lists=[01 27 00 03])\n"                  /* 25 */
    "glLoadIdentity()\nglCallLists(n=2, type=5122, lists=[02 00 03 00])\n"                  /* 27 */
    "glCallLists(n=2, type=5121, lists=[02 09])\n"                                          /* 28 */
    SWAP;

static void lists_are_called_by_numbers_of_all_types(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(several, &seen);
    expect(&seen, 23, "/buffers/attributes.tsv",
           POINTS ROW(0, 2, 0, 2, 0, 0) ROW(1, 1, 0, 2, 0, 1) ROW(2, 2, 0, 4, 0, 2));
    expect(&seen, 25, "/buffers/attributes.tsv",
           POINTS ROW(0, 3, 0, 3, 0, 0) ROW(1, 2, 0, 3, 0, 1));
    expect(&seen, 27, "/buffers/primitives.tsv",
           PRIMITIVES "0\t0\t1,0,0,1\t0\t0\n1\t0\t3,0,0,1\t0\t1\n");
    expect(&seen, 28, "/buffers/mesh.obj",
           "# no mesh: its display lists set state that cannot be restored\n");
    seen_close(&seen);
}

/* glPopAttrib restores what was current before the list; the list ends with another colour. */
static void attributes_are_put_back(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT
              "glColor3f(red=0.25, green=0.25, blue=0.25)\nglGenLists(range=1) = 1\n"   /* 3 */
              LIST(1) "glPushAttrib(mask=1)\nglColor3f(red=1.0, green=0.0, blue=0.0)\n" /* 6 */
              BEGIN(0) V(0.0, 0.0) END "glPopAttrib()\n" BEGIN(0) V(0.0, 0.0) END
              "glColor3f(red=0.0, green=1.0, blue=0.0)\n" END_LIST /* 15 */
                  CALL(1)                                          /* 16 */
              SWAP,
              &seen);
    expect(&seen, 16, "/buffers/attributes.tsv",
           "vertex\tindex\tGL_VERTEX_ARRAY\tGL_COLOR_ARRAY" POSITIONS
           "0\t0\t0,0\t1,0,0\t0,0,0,1\t0\t0\tGL_POINTS\n"
           "1\t1\t0,0\t0.25,0.25,0.25\t0,0,0,1\t0\t1\tGL_POINTS\n");
    seen_close(&seen);
}

/*
 * The program sees current values from before the list, and other state only as the list leaves it.
 */
static void programs_see_what_was_current_before(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(
        CURRENT SHADER(
            1, 35633,
            "varying vec4 tint; void main() { tint = gl_Color; gl_Position = ftransform(); }")
            SHADER(2, 35632, "varying vec4 tint; void main() { gl_FragColor = tint; }") /* 7 */
        "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"
        "glAttachShader(program=3, shader=2)\nglLinkProgram(program=3)\n"
        "glUseProgram(program=3)\nglColor3f(red=0.25, green=0.5, blue=0.75)\n" /* 13 */
        "glGenLists(range=2) = 1\n" LIST(1) BEGIN(0) V(1.0, 2.0) END
        "glColor3f(red=1.0, green=0.0, blue=0.0)\n" BEGIN(1) V(3.0, 4.0) V(5.0, 6.0)
            END END_LIST /* 24 */
                CALL(1)  /* 25 */
        LIST(2) BEGIN(0) V(1.0, 2.0) END "glFogf(pname=2914, param=0.5)\n" END_LIST CALL(2)
            SWAP, /* 32 */
        &seen);
    expect(&seen, 25, "/buffers/primitives.tsv",
           "primitive\tcorner\tgl_Position\tinstance\tblock\ttint\n"
           "0\t0\t1,2,0,1\t0\t0\t0.25,0.5,0.75,1\n1\t0\t3,4,0,1\t0\t1\t1,0,0,1\n"
           "1\t1\t5,6,0,1\t0\t1\t1,0,0,1\n");
    expect(&seen, 25, "/buffers/attributes.tsv",
           "vertex\tindex\tGL_VERTEX_ARRAY\tGL_COLOR_ARRAY" POSITIONS
           "0\t0\t1,2\t0.25,0.5,0.75\t1,2,0,1\t0\t0\tGL_POINTS\n"
           "1\t1\t3,4\t1,0,0\t3,4,0,1\t0\t1\tGL_LINES\n"
           "2\t2\t5,6\t1,0,0\t5,6,0,1\t0\t1\tGL_LINES\n");
    expect(&seen, 32, "/buffers/primitives.obj",
           "# no mesh: its program may read attributes that were current before glBegin\n");
    seen_close(&seen);
}

/*
 * Lists contain the arrays as they were when the list was compiled; indices are in memory or in a
 * buffer.
 */
#define ARRAY_OF(values) "glVertexPointer(size=2, type=5126, stride=0, pointer=[" values "])\n"
#define OTHER            ZERO ZERO ZERO ZERO ZERO ZERO ZERO ZERO
static const char arrays[] =
    CURRENT "glEnableClientState(array=32884)\nglEnableClientState(array=32886)\n" /* 3 */
    ARRAY_OF(ZERO ZERO ONE ZERO ONE ONE ZERO ONE)                                  /* 4 */
    "glColorPointer(size=3, type=5121, stride=0, pointer=[ff 00 00 00 ff 00 00 00 ff 33 33 "
    "33])\n" LIST(1)
        MOVE(1.0, 0.0) "glDrawElements(mode=6, count=4, type=5123, indices=[00 00 01 00 02 00 "
                       "03 00])\n" MOVE(1.0, 0.0) BEGIN(1) "glArrayElement(i=3)\n" V(5.0, 5.0)
                           END                                                   /* 13 */
    "glDrawArrays(mode=3, first=1, count=2)\n" BEGIN(0) V(7.0, 7.0) END END_LIST /* 18 */
        ARRAY_OF(OTHER) CALL(1)                                                  /* 20 */
    "glDisableClientState(array=32884)\nglLoadIdentity()\n" CALL(1)              /* 23 */
    "glNewList(list=2, mode=4865)\nglDisableClientState(array=32886)\n"          /* 25 */
    BEGIN(0) "glArrayElement(i=0)\n" V(0.0, 0.0) END END_LIST CALL(2)            /* 31 */
    SWAP;

#define DRAWN(n, x, y, r, g, b, px, py, block, mode)                                               \
#n "\t" #n "\t" #x "," #y "\t" #r "," #g "," #b "\t" #px "," #py ",0,1\t0\t" #block "\t" mode  \
       "\n"
static const char drawn[] = "vertex\tindex\tGL_VERTEX_ARRAY\tGL_COLOR_ARRAY" POSITIONS DRAWN(
    0, 0, 0, 1, 0, 0, 1, 0, 0, "GL_TRIANGLE_FAN")
    DRAWN(1, 1, 0, 0, 1, 0, 2, 0, 0, "GL_TRIANGLE_FAN")
        DRAWN(2, 1, 1, 0, 0, 1, 2, 1, 0, "GL_TRIANGLE_FAN")
            DRAWN(3, 0, 1, 0.2, 0.2, 0.2, 1, 1, 0, "GL_TRIANGLE_FAN")
                DRAWN(4, 0, 1, 0.2, 0.2, 0.2, 2, 1, 1, "GL_LINES")
                    DRAWN(5, 5, 5, 0.2, 0.2, 0.2, 7, 5, 1, "GL_LINES")
                        DRAWN(6, 1, 0, 0, 1, 0, 3, 0, 2, "GL_LINE_STRIP")
                            DRAWN(7, 1, 1, 0, 0, 1, 3, 1, 2, "GL_LINE_STRIP")
                                DRAWN(8, 7, 7, 0, 0, 1, 9, 7, 3, "GL_POINTS");

static void lists_have_arrays_of_their_time(void **state)
{
    struct seen seen;
    char *text;

    (void)state;
    seen_open(arrays, &seen);
    text = seen_text(&seen, 20, "/buffers/primitives.tsv");
    assert_non_null(strstr(text, PRIMITIVES "0\t0\t1,0,0,1\t0\t0\n"));
    assert_non_null(strstr(text, "1\t2\t1,1,0,1\t0\t0\n2\t0\t2,1,0,1\t0\t1\n"
                                 "2\t1\t7,5,0,1\t0\t1\n3\t0\t3,0,0,1\t0\t2\n"
                                 "3\t1\t3,1,0,1\t0\t2\n4\t0\t9,7,0,1\t0\t3\n"));
    free(text);
    expect(&seen, 23, "/buffers/attributes.tsv", drawn);
    expect(&seen, 31, "/buffers/mesh.obj",
           "# no mesh: the calls of one of its display lists are not kept\n");
    seen_close(&seen);
}

/*
 * A draw of no vertices uses no arrays. A draw without positions sets the current values to those
 * of its last vertex, and is stored as these however many vertices it has. glPopAttrib does not
 * restore what arrays set.
 */
static void arrays_set_what_is_current(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT "glEnableClientState(array=32884)\n"                            /* 2 */
              ARRAY_OF(ONE ONE ZERO ZERO) LIST(1)                                     /* 4 */
              "glDrawArrays(mode=4, first=0, count=0)\n"                              /* 5 */
              "glDrawArrays(mode=0, first=0, count=1)\n"                              /* 6 */
              "glDisableClientState(array=32884)\nglEnableClientState(array=32886)\n" /* 8 */
              "glColorPointer(size=3, type=5121, stride=0, pointer=[ff 00 00 00 ff 00])\n"
              "glDrawArrays(mode=0, first=0, count=2)\n"                                   /* 10 */
              "glPushAttrib(mask=8192)\nglPopAttrib()\n" BEGIN(0) V(2.0, 2.0) END END_LIST /* 16 */
              "glColor3f(red=0.25, green=0.5, blue=0.75)\n" CALL(1)                        /* 18 */
              SWAP,
              &seen);
    expect(&seen, 18, "/buffers/attributes.tsv",
           "vertex\tindex\tGL_VERTEX_ARRAY\tGL_COLOR_ARRAY" POSITIONS
           "0\t0\t1,1\t0.25,0.5,0.75\t1,1,0,1\t0\t1\tGL_POINTS\n"
           "1\t1\t2,2\t0,1,0\t2,2,0,1\t0\t3\tGL_POINTS\n");
    expect(&seen, 18, "/buffers/primitives.tsv",
           PRIMITIVES "0\t0\t1,1,0,1\t0\t1\n1\t0\t2,2,0,1\t0\t3\n");
    seen_close(&seen);
}

/* A list that was deleted where this is not allowed still exists. */
static void a_list_that_is_not_deleted_is_told(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT "glGenLists(range=1) = 1\n" LIST(1) POINT(1.0, 0.0) END_LIST /* 8 */
                  BEGIN(0) "glDeleteLists(list=1, range=1)\n" END CALL(1)          /* 12 */
              SWAP,
              &seen);
    expect(&seen, 12, "/buffers/attributes.tsv", POINTS ROW(0, 1, 0, 1, 0, 0));
    seen_close(&seen);
}

/* The geometry shader turns each point into a line to the right; no block is known for these. */
static void geometry_shaders_of_lists_are_told(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(
        CURRENT SHADER(1, 35633, "void main() { gl_Position = ftransform(); }") SHADER(
            2, 36313,
            "#version 150\rlayout(points) in; layout(line_strip, max_vertices = 2) out; void "
            "main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); gl_Position.x += 1.0; "
            "EmitVertex(); }") FRAGMENT(3) /* 10 */
        "glCreateProgram() = 4\nglAttachShader(program=4, shader=1)\n"
        "glAttachShader(program=4, shader=2)\nglAttachShader(program=4, shader=3)\n"
        "glLinkProgram(program=4)\nglUseProgram(program=4)\n" /* 16 */
        "glNewList(list=1, mode=4865)\n" BEGIN(0) V(1.0, 2.0) END MOVE(0.0, 1.0) BEGIN(0)
            V(3.0, 4.0) END END_LIST "glLoadIdentity()\n" CALL(1) /* 27 */ SWAP,
        &seen);
    expect(&seen, 27, "/buffers/primitives.tsv",
           PRIMITIVES "0\t0\t1,2,0,1\t0\t-\n0\t1\t2,2,0,1\t0\t-\n"
                      "1\t0\t3,5,0,1\t0\t-\n1\t1\t4,5,0,1\t0\t-\n");
    expect(&seen, 27, "/buffers/attributes.tsv",
           POINTS ROW(0, 1, 2, 1, 2, 0) ROW(1, 3, 4, 3, 5, 1));
    seen_close(&seen);
}

/* Lists that cannot be walked: they call themselves, or others a million times */
#define TWICE_(n) CALL(n) CALL(n)
#define EIGHT(n)  TWICE_(n) TWICE_(n) TWICE_(n) TWICE_(n)
static void hostile_lists_say_why(void **state)
{
    struct seen seen;

    (void)state;
    seen_open(CURRENT "glGenLists(range=9) = 1\n"                                  /* 2 */
              LIST(1) BEGIN(0) V(0.0, 0.0) END END_LIST                            /* 7 */
                  LIST(1) CALL(1) END_LIST CALL(1)                                 /* 11 */
              LIST(2) END_LIST LIST(3) EIGHT(2) END_LIST LIST(4) EIGHT(3) END_LIST /* 33 */
                  LIST(5) EIGHT(4) END_LIST LIST(6) EIGHT(5) END_LIST              /* 53 */
                      LIST(7) EIGHT(6) END_LIST LIST(8) EIGHT(7) END_LIST          /* 73 */
                          LIST(9) EIGHT(8) EIGHT(8) END_LIST CALL(9) CALL(7)       /* 92, 93 */
              LIST(1) BEGIN(0) "glPushMatrix()\n" END "glPopMatrix()\n" END_LIST   /* 99 */
                  CALL(1)                                                          /* 100 */
              LIST(1) BEGIN(0) V(0.0, 0.0) END_LIST CALL(1) END                    /* 106 */
                  LIST(1) BEGIN(99) V(0.0, 0.0) END END_LIST CALL(1)               /* 112 */
              LIST(1) "glEnableClientState(array=32884)\nglVertexPointer(size=2, type=5126, "
                      "stride=0, pointer=[" ONE ONE
                      "])\nglDrawArrays(mode=0, first=0, count=1)\n" END_LIST CALL(1) /* 118 */
              SWAP,
              &seen);
    expect(&seen, 11, "/buffers/mesh.obj", "# no mesh: its display lists are nested too deeply\n");
    expect(&seen, 92, "/buffers/primitives.obj",
           "# no mesh: there are too many calls in its display lists\n");
    expect(&seen, 93, "/buffers/mesh.obj", "# no mesh: it has no vertices\n");
    expect(&seen, 100, "/buffers/mesh.obj",
           "# no mesh: its display lists set state that cannot be restored\n");
    expect(&seen, 112, "/buffers/mesh.obj", "# no mesh: the call was not executed\n");
    expect(&seen, 118, "/buffers/attributes.tsv", POINTS ROW(0, 1, 1, 1, 1, 0));
    seen_close(&seen);
}

/* A list of 80,000 calls, each of which takes 352 bytes: two of three such lists are kept. */
#define LARGE(n, x) at = add_large(at, LIST(n) BEGIN(0) V(x, x) END)
enum { LARGE_CALLS = 80000 };
static char *add_large(char *at, const char *begin)
{
    at = stpcpy(at, begin);
    for (unsigned n = 0; n < LARGE_CALLS; n++)
        at = stpcpy(at, "glMaterialfv(face=1032, pname=5633, params={0.0, 0.0, 0.0, 1.0})\n");
    return stpcpy(at, END_LIST);
}

static void lists_beyond_the_room_are_not_kept(void **state)
{
    enum { LIST_CALLS = LARGE_CALLS + 5, FIRST = 3 + 3 * LIST_CALLS };
    char *script = malloc((size_t)80 * 6 * LARGE_CALLS), *at = script;
    struct seen seen;

    (void)state;
    assert_non_null(script);
    at = stpcpy(at, CURRENT "glGenLists(range=3) = 1\n");
    LARGE(1, 1.0);
    LARGE(2, 2.0);
    LARGE(3, 3.0);
    at = stpcpy(at, CALL(1) CALL(2) CALL(3) "glDeleteLists(list=2, range=1)\n");
    LARGE(3, 3.0);
    at = stpcpy(at, CALL(3) "glXMakeCurrent(dpy=0x1, drawable=0, ctx=0x0) = 1\n"
                            "glXDestroyContext(dpy=0x1, ctx=0xC)\n" WINDOW(
                                "Current(dpy=0x1, drawable=5, ctx=0xD)"));
    LARGE(4, 4.0);
    LARGE(5, 5.0);
    stpcpy(at, CALL(4) CALL(5) SWAP);
    seen_open(script, &seen);
    expect(&seen, FIRST, "/buffers/mesh.obj", "# positions as glVertex sets them\nv 1 1 0\np 1\n");
    expect(&seen, FIRST + 1, "/buffers/mesh.obj",
           "# positions as glVertex sets them\nv 2 2 0\np 1\n");
    expect(&seen, FIRST + 2, "/buffers/mesh.obj",
           "# no mesh: the calls of one of its display lists are not kept\n");
    expect(&seen, FIRST + 4 + LIST_CALLS, "/buffers/mesh.obj",
           "# positions as glVertex sets them\nv 3 3 0\np 1\n");
    /* Another context has lists and room of its own. */
    expect(&seen, FIRST + 9 + 3 * LIST_CALLS, "/buffers/mesh.obj",
           "# positions as glVertex sets them\nv 4 4 0\np 1\n");
    expect(&seen, FIRST + 10 + 3 * LIST_CALLS, "/buffers/mesh.obj",
           "# positions as glVertex sets them\nv 5 5 0\np 1\n");
    free(script);
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_their_modes_and_matrices),
        cmocka_unit_test(primitives_of_all_kinds_stand_in_order),
        cmocka_unit_test(a_look_leaves_all_as_it_was),
        cmocka_unit_test(lists_are_those_of_the_time),
        cmocka_unit_test(lists_are_called_by_numbers_of_all_types),
        cmocka_unit_test(attributes_are_put_back),
        cmocka_unit_test(programs_see_what_was_current_before),
        cmocka_unit_test(lists_have_arrays_of_their_time),
        cmocka_unit_test(arrays_set_what_is_current),
        cmocka_unit_test(a_list_that_is_not_deleted_is_told),
        cmocka_unit_test(geometry_shaders_of_lists_are_told),
        cmocka_unit_test(hostile_lists_say_why),
        cmocka_unit_test(lists_beyond_the_room_are_not_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Positions, meshes and primitives of draws that run ARB vertex programs: compares them with
 * numbers that follow from the script by hand, and with those of fixed functions.
 */
#include "config.h"

#include "tests/formats/apitrace/assembled.h"
#include "tests/support/support.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/*
 * Corners of the left half and of the complete window, a program that moves them, and one that does
 * the same as fixed functions
 */
#define MOVE                                                                                       \
    "!!ARBvp1.0\nPARAM m = program.local[0]; TEMP t; ADD t, vertex.position, m;\n"                 \
    "MOV result.position, t; MOV result.texcoord[1], vertex.color; MOV result.fogcoord.x, t.y;\n"  \
    "END\n"
#define INVARIANT "!!ARBvp1.0\nOPTION ARB_position_invariant; MOV result.color, vertex.color; END\n"
#define LOCAL     "glProgramLocalParameter4fARB(target=34336, index=0, x=1.0, y=0.5, z=0.25, w=0.0)\n"

static void expect_file(const struct seen *seen, unsigned draw, const char *name,
                        const char *wanted)
{
    char *text = seen_text(seen, draw, name);

    assert_string_equal(text, wanted);
    free(text);
}

static void draws_of_all_kinds_have_positions(void **state)
{
    static const char indexed[] = "glDrawElements(mode=4, count=3, type=5121, "
                                  "indices=[04 05 07])\n";
    static const char strip[] = "glDrawArrays(mode=5, first=4, count=4)\n";
    static const char begun[] = "glBegin(mode=1)\nglVertex2f(x=0.0, y=1.0)\n"
                                "glVertex3f(x=2.0, y=3.0, z=4.0)\n";
    struct text script = TEXT_INIT;
    unsigned elements, arrays, end;
    struct seen seen;
    char *text;

    (void)state;
    text_add(&script, CURRENT POINTED "glColor4f(red=0.5, green=0.25, blue=1.0, alpha=1.0)\n");
    assembled_program(&script, 34336, 14, MOVE);
    text_add(&script, LOCAL "glEnable(cap=34336)\n");
    elements = assembled_call(&script, indexed);
    arrays = assembled_call(&script, strip);
    text_add(&script, begun);
    end = assembled_call(&script, "glEnd()\n");
    assembled_open(&script, &seen);
    text = seen_text(&seen, elements, "/buffers/transformed.obj");
    assert_non_null(strstr(text, "v 0 -0.5 0.25 1\nv 2 -0.5 0.25 1\nv 0 1.5 0.25 1\nf 1 2 3\n"));
    free(text);
    expect_file(&seen, arrays, "/buffers/primitives.tsv",
                "primitive\tcorner\tgl_Position\tinstance\tresult.fogcoord\tresult.texcoord[1]\n"
                "0\t0\t0,-0.5,0.25,1\t0\t-0.5\t0.5,0.25,1,1\n"
                "0\t1\t2,-0.5,0.25,1\t0\t-0.5\t0.5,0.25,1,1\n"
                "0\t2\t2,1.5,0.25,1\t0\t1.5\t0.5,0.25,1,1\n"
                "1\t0\t2,1.5,0.25,1\t0\t1.5\t0.5,0.25,1,1\n"
                "1\t1\t2,-0.5,0.25,1\t0\t-0.5\t0.5,0.25,1,1\n"
                "1\t2\t0,1.5,0.25,1\t0\t1.5\t0.5,0.25,1,1\n");
    text = seen_text(&seen, arrays, "/buffers/primitives.obj");
    assert_non_null(strstr(text, "v 2 1.5 0.25 1\nf 1 2 3\n"));
    free(text);
    text = seen_text(&seen, end, "/buffers/transformed.obj");
    assert_non_null(strstr(text, "v 1 1.5 0.25 1\nv 3 3.5 4.25 1\nl 1 2\n"));
    free(text);
    text = seen_text(&seen, end, "/buffers/primitives.tsv");
    assert_non_null(strstr(text, "0\t1\t3,3.5,4.25,1\t0\t3.5\t0.5,0.25,1,1\n"));
    free(text);
    seen_close(&seen);
}

/*
 * The program may use a colour that the script sets after the first vertex: its value at that
 * vertex is unknown.
 */
static void begun_vertices_with_what_came_late_have_none(void **state)
{
    struct text script = TEXT_INIT;
    struct seen seen;
    unsigned end;

    (void)state;
    text_add(&script, CURRENT);
    assembled_program(&script, 34336, 14, MOVE);
    text_add(&script, "glEnable(cap=34336)\nglBegin(mode=1)\nglVertex2f(x=0.0, y=1.0)\n"
                      "glColor3f(red=1.0, green=0.5, blue=0.25)\nglVertex2f(x=1.0, y=1.0)\n");
    end = assembled_call(&script, "glEnd()\n");
    assembled_open(&script, &seen);
    expect_file(&seen, end, "/buffers/transformed.obj",
                "# no mesh: its program may read attributes that were current before glBegin\n");
    seen_close(&seen);
}

/* The positions are those of the same vertices without the program, for any matrices. */
static void invariant_positions_are_those_of_fixed_functions(void **state)
{
    struct text script = TEXT_INIT;
    char *texts[2];
    struct seen seen;
    unsigned programmed, fixed;

    (void)state;
    text_add(&script,
             CURRENT POINTED "glMatrixMode(mode=5889)\nglRotatef(angle=33.0, x=1.0, y=0.3, z=0.2)\n"
                             "glMatrixMode(mode=5888)\nglRotatef(angle=17.0, x=0.1, y=0.3, z=0.9)\n"
                             "glTranslatef(x=0.1, y=0.7, z=-0.3)\n");
    assembled_program(&script, 34336, 14, INVARIANT);
    text_add(&script, "glEnable(cap=34336)\n");
    programmed = assembled_call(&script, QUADS(0, 8));
    text_add(&script, "glDisable(cap=34336)\n");
    fixed = assembled_call(&script, QUADS(0, 8));
    assembled_open(&script, &seen);
    texts[0] = seen_text(&seen, programmed, "/buffers/transformed.obj");
    texts[1] = seen_text(&seen, fixed, "/buffers/transformed.obj");
    assert_non_null(strstr(texts[1], "\nv 0."));
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
    seen_close(&seen);
}

/* If the driver has rejected the text, nothing is drawn, and nothing is reported. */
static void programs_without_texts_have_none(void **state)
{
    struct text script = TEXT_INIT;
    struct seen seen;
    unsigned draw;

    (void)state;
    text_add(&script, CURRENT POINTED);
    assembled_program(&script, 34336, 14, "!!ARBvp1.0\nOPTION NV_vertex_program2; END\n");
    text_add(&script, "glEnable(cap=34336)\n");
    draw = assembled_call(&script, QUADS(0, 8));
    assembled_open(&script, &seen);
    expect_file(&seen, draw, "/buffers/transformed.obj",
                "# no mesh: the text of its ARB program is not known\n");
    seen_close(&seen);
}

/* After a draw was looked at, what is drawn and set is the same as without. */
static void looks_leave_all_as_it_was(void **state)
{
    char *texts[2] = {NULL};
    uint8_t *pictures[2] = {NULL};
    unsigned width = 0, height = 0;

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct text script = TEXT_INIT;
        struct seen seen;
        unsigned first, last;

        text_add(&script, CURRENT POINTED REGISTERS MATRICES "glMatrixMode(mode=5889)\n"
                                                             "glLoadIdentity()\n");
        assembled_program(&script, 34336, 14,
                          "!!ARBvp1.0\nPARAM m[] = { state.matrix.program[2].inverse };\n"
                          "MAD result.position, vertex.position, m[0].x, program.local[2].x;\n"
                          "MOV result.color, program.env[1]; END\n");
        text_add(&script, "glEnable(cap=34336)\n");
        first = assembled_call(&script, QUADS(4, 4));
        assembled_program(&script, 34336, 14, MOVE);
        last = assembled_call(&script, QUADS(0, 8));
        assembled_open(&script, &seen);
        if (n > 0) {
            free(seen_text(&seen, first, "/buffers/attributes.tsv"));
            free(seen_text(&seen, first, "/buffers/primitives.tsv"));
        }
        texts[n] = seen_text(&seen, last, "/state.txt");
        pictures[n] = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
        seen_close(&seen);
    }
    assert_string_equal(texts[1], texts[0]);
    assert_memory_equal(pictures[1], pictures[0], (size_t)4 * width * height);
    for (unsigned n = 0; n < 2; n++) {
        free(texts[n]);
        free(pictures[n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_of_all_kinds_have_positions),
        cmocka_unit_test(begun_vertices_with_what_came_late_have_none),
        cmocka_unit_test(invariant_positions_are_those_of_fixed_functions),
        cmocka_unit_test(programs_without_texts_have_none),
        cmocka_unit_test(looks_leave_all_as_it_was),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_assembly_positions", tests, NULL, NULL);
}

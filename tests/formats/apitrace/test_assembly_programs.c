/* SPDX-License-Identifier: MIT */
/* ARB programs that a draw ran: their texts, the parameters that they name, and what they sample */
#include "config.h"

#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS "program\tkind\tname\ttype\tlocation\tblock\toffset\tindex\tvalue\n"

/* Has blanks and comments where the grammar allows them, and reads 2 of 3 numbers in a range. */
static const char vertex_text[] =
    "!!ARBvp1.0\nPARAM m[] = { program . env # not program.env[8]\n [ 2 .. 4 ] };\n"
    "ADD result.position, vertex.position, program.local[9];\n"
    "MUL result.color, m[1], state.matrix.texture[1].row[0];\nEND\n";
static const char fragment_text[] =
    "!!ARBfp1.0\nTEMP t;\nTEMP u;\nPARAM p = program.env[2];\n"
    "TEX t, fragment.texcoord[0], texture[2], 2D;\nTEX u, fragment.texcoord[0], texture, CUBE;\n"
    "MAD result.color, t, p, u;\nEND\n";

/* Appends a texture of one texel. */
static void add_texture(struct text *script, unsigned unit, unsigned name)
{
    text_printf(script,
                "glActiveTexture(texture=%u)\nglBindTexture(target=3553, texture=%u)\n"
                "glTexImage2D(target=3553, level=0, internalformat=32856, width=1, height=1, "
                "border=0, format=6408, type=5121, pixels=[ff 80 40 ff])\n",
                33984 + unit, name);
}

static void add_program(struct text *script, unsigned target, unsigned name, const char *text)
{
    text_printf(script,
                "glBindProgramARB(target=%u, program=%u)\n"
                "glProgramStringARB(target=%u, format=34933, len=%zu, string=[",
                target, name, target, strlen(text));
    for (const char *at = text; *at != '\0'; at++)
        text_printf(script, at == text ? "%02x" : " %02x", (unsigned char)*at);
    text_add(script, "])\n");
}

static void add_parameter(struct text *script, const char *kind, unsigned target, unsigned number,
                          const char *x)
{
    text_printf(script,
                "glProgram%sParameter4fARB(target=%u, index=%u, x=%s, y=0.5, z=0.25, w=1.0)\n",
                kind, target, number, x);
}

/* Appends a draw. Returns the number of its call. */
static unsigned add_draw(struct text *script)
{
    unsigned number = 0;

    for (size_t n = 0; n < script->length; n++)
        number += script->bytes[n] == '\n';
    text_add(script, "glDrawArrays(mode=4, first=0, count=3)\n");
    return number;
}

/* Three draws, and the state with which they are made */
struct draws {
    unsigned both, vertex_only, shaded; /* numbers of the calls */
};

static void open_draws(struct seen *seen, struct draws *draws)
{
    struct text script = TEXT_INIT;

    text_add(&script, CURRENT);
    add_texture(&script, 0, 6);
    text_add(&script, "glEnable(cap=3553)\n"); /* for fixed functions, unit 0 */
    add_texture(&script, 2, 7);
    text_add(&script, "glGenProgramsARB(n=2, programs={14, 15})\n");
    add_program(&script, 34336, 14, vertex_text);
    add_program(&script, 34820, 15, fragment_text);
    add_parameter(&script, "Env", 34336, 2, "1.5");
    add_parameter(&script, "Env", 34336, 5, "9.0");
    add_parameter(&script, "Local", 34336, 9, "0.0");
    add_parameter(&script, "Env", 34820, 2, "-2.0");
    text_add(&script, "glEnable(cap=34336)\nglEnable(cap=34820)\n");
    draws->both = add_draw(&script);
    text_add(&script, "glDisable(cap=34820)\n");
    draws->vertex_only = add_draw(&script);
    text_add(&script, "glEnable(cap=34820)\n" VERTEX(
                          1) "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"
                             "glLinkProgram(program=3)\nglUseProgram(program=3)\n");
    draws->shaded = add_draw(&script);
    text_add(&script, SWAP);
    text_add_char(&script, '\0');
    assert_int_equal(text_status(&script), 0);
    seen_open(script.bytes, seen);
    text_clear(&script);
}

static bool is_there(const struct seen *seen, unsigned draw, const char *name)
{
    char path[120];
    uint64_t inode;

    snprintf(path, sizeof(path), "by-frame/000000/draws/%08u%s", draw, name);
    return tree_find(seen->opened.tree, path, true, &inode) == 0;
}

static void expect_text(const struct seen *seen, unsigned draw, const char *name,
                        const char *wanted)
{
    char *text = seen_text(seen, draw, name);

    assert_string_equal(text, wanted);
    free(text);
}

static void expect_words(const struct seen *seen, unsigned draw, const char *name,
                         const char *words, bool wanted)
{
    char *text = seen_text(seen, draw, name);

    if ((strstr(text, words) != NULL) != wanted)
        fail_msg("draw %u: %s %s %s:\n%s", draw, name, wanted ? "lacks" : "has", words, text);
    free(text);
}

static void texts_are_those_of_programs_that_run(void **state)
{
    struct draws draws;
    struct seen seen;

    (void)state;
    open_draws(&seen, &draws);
    expect_text(&seen, draws.both, "/program/00014-vert.asm", vertex_text);
    expect_text(&seen, draws.both, "/program/00015-frag.asm", fragment_text);
    assert_true(is_there(&seen, draws.vertex_only, "/program/00014-vert.asm"));
    assert_false(is_there(&seen, draws.vertex_only, "/program/00015-frag.asm"));
    /* GLSL provides that stage */
    assert_false(is_there(&seen, draws.shaded, "/program/00014-vert.asm"));
    assert_true(is_there(&seen, draws.shaded, "/program/00001-vert.glsl"));
    assert_true(is_there(&seen, draws.shaded, "/program/00015-frag.asm"));
    expect_words(&seen, draws.both, "/state.txt",
                 "GL_VERTEX_PROGRAM_ARB.GL_PROGRAM_BINDING_ARB = 14\n"
                 "GL_FRAGMENT_PROGRAM_ARB.GL_PROGRAM_BINDING_ARB = 15\n",
                 true);
    expect_words(&seen, draws.vertex_only, "/state.txt", "PROGRAM_BINDING_ARB = 15", false);
    seen_close(&seen);
}

static void parameters_are_those_that_texts_name(void **state)
{
    struct draws draws;
    struct seen seen;

    (void)state;
    open_draws(&seen, &draws);
    expect_text(
        &seen, draws.both, "/uniforms.tsv",
        COLUMNS
        "14\tvertex-parameter\tprogram.env[2]\tGL_FLOAT_VEC4\t2\t-\t-\t0\t1.5,0.5,0.25,1\n"
        "14\tvertex-parameter\tprogram.env[3]\tGL_FLOAT_VEC4\t3\t-\t-\t0\t0,0,0,0\n"
        "14\tvertex-parameter\tprogram.env[4]\tGL_FLOAT_VEC4\t4\t-\t-\t0\t0,0,0,0\n"
        "14\tvertex-parameter\tprogram.local[9]\tGL_FLOAT_VEC4\t9\t-\t-\t0\t0,0.5,0.25,1\n"
        "15\tfragment-parameter\tprogram.env[2]\tGL_FLOAT_VEC4\t2\t-\t-\t0\t-2,0.5,0.25,1\n");
    seen_close(&seen);
}

/*
 * The textures are those of the program's units; those of the enabled unit only when the program is
 * disabled.
 */
static void textures_are_those_that_texts_name(void **state)
{
    struct draws draws;
    struct seen seen;

    (void)state;
    open_draws(&seen, &draws);
    assert_true(is_there(&seen, draws.both, "/textures/02-2d-00.png"));
    assert_false(is_there(&seen, draws.both, "/textures/00-2d-00.png"));
    assert_false(is_there(&seen, draws.both, "/textures/01-2d-00.png"));
    assert_false(is_there(&seen, draws.vertex_only, "/textures/02-2d-00.png"));
    assert_true(is_there(&seen, draws.vertex_only, "/textures/00-2d-00.png"));
    assert_true(is_there(&seen, draws.shaded, "/textures/02-2d-00.png"));
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_those_of_programs_that_run),
        cmocka_unit_test(parameters_are_those_that_texts_name),
        cmocka_unit_test(textures_are_those_that_texts_name),
    };

    return cmocka_run_group_tests_name("apitrace_assembly_programs", tests, NULL, NULL);
}

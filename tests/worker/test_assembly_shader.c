/* SPDX-License-Identifier: MIT */
/*
 * Texts of ARB vertex programs as shaders: which are refused, and why. No text, however it is cut
 * or changed, does harm. tests/formats/apitrace/ tests what the shaders compute.
 */
#include "config.h"

#include "glworker/gl/assembly_shader.h"

#include "base/text.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static const char whole[] =
    "!!ARBvp1.0\n"
    "OPTION ARB_precision_hint_nicest;\n"
    "ATTRIB place = vertex.position; ATTRIB extra = vertex.attrib[5];\n"
    "PARAM one = { 1.0, 2.5e-3, -.5, +7 }; PARAM two = 2;\n"
    "PARAM many[7] = { program.env[2..4], program.local[0], { 1 }, state.matrix.mvp.row[1..2] };\n"
    "PARAM rows[] = { state.matrix.program[3].invtrans };\n"
    "TEMP r, s; ADDRESS a0; ALIAS t = s; OUTPUT out = result.texcoord[3];\n"
    "ARL a0.x, extra.y;\n"
    "MOV r, many[a0.x + 2]; ADD r.xz, -many[1].wzyx, rows[a0.x-1];\n"
    "MAD t.w, place, state.light[3].half, state.material.back.shininess.x;\n"
    "SWZ s, r, -x, 0, -1, w; LIT out, s; RSQ r.x, program.local[7].w;\n"
    "MUL result.color.back.secondary, vertex.texcoord[2], state.texgen[1].eye.q;\n"
    "# END\nMOV result.pointsize.x, state.point.attenuation.y; DP4 result.position.x, r, place;\n"
    "END\n";

/* Translates a text. Returns NULL, or the reason why it is refused. */
static const char *translate(const char *text)
{
    struct retrace_assembly_shader shader;
    const char *why = NULL;

    if (retrace_assembly_translate(text, &shader, &why)) {
        assert_int_equal(text_status(&shader.source), 0);
        assert_int_equal(strlen(shader.source.bytes) + 1, shader.source.length);
        retrace_assembly_shader_clear(&shader);
        return NULL;
    }
    assert_non_null(why);
    assert_null(shader.source.bytes);
    assert_null(shader.parameters);
    return why;
}

static void a_text_tells_what_its_shader_needs(void **state)
{
    struct retrace_assembly_shader shader;
    const char *why;

    (void)state;
    assert_true(retrace_assembly_translate(whole, &shader, &why));
    assert_int_equal(shader.generics, 1U << 5);
    assert_int_equal(shader.results, 1U << 0 | 1U << 4 | 1U << 6 | 1U << 10);
    assert_int_equal(shader.parameter_count, 1 + 1 + 7 + 4 + 1);
    assert_int_equal(shader.parameters[3].kind, RETRACE_BINDING_ENV);
    assert_int_equal(shader.parameters[3].number, 3);
    assert_int_equal(shader.parameters[12].row, 3);
    assert_int_equal(shader.parameters[12].change, RETRACE_MATRIX_INVTRANS);
    assert_int_equal(shader.parameters[13].kind, RETRACE_BINDING_LOCAL);
    assert_int_equal(shader.parameters[13].number, 7);
    retrace_assembly_shader_clear(&shader);
}

#define BEGIN "!!ARBvp1.0\nTEMP r; ADDRESS a; PARAM p[2] = { program.env[0..1] };\n"

static void refused_texts_have_reasons(void **state)
{
    static const char not_read[] = "the text of its ARB program cannot be parsed";
    static const char no_state[] = "its ARB program reads state that GLSL does not have";
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "its ARB program is not a vertex program"},
        {"!!ARBfp1.0\nEND\n", "its ARB program is not a vertex program"},
        {"!!ARBvp1.0\n", not_read},
        {"!!ARBvp1.0 END", NULL},
        {"!!ARBvp1.0 OPTION NV_vertex_program2; END", "its ARB program has an unknown option"},
        {BEGIN "MOV r, vertex.weight; END", no_state},
        {BEGIN "MOV r, state.matrix.palette[0].row[0]; END", no_state},
        {BEGIN "MOV r, state.matrix.modelview[1].row[0]; END", no_state},
        {BEGIN "MOV r, p[1]; END", NULL},
        {BEGIN "MOV r, p[2]; END", not_read},
        {BEGIN "MOV r, p; END", not_read},
        {BEGIN "MOV r, q; END", not_read},
        {BEGIN "MOV r, p[a.y]; END", not_read},
        {BEGIN "MOV r, p[r.x]; END", not_read},
        {BEGIN "MOV r, a; END", not_read},
        {BEGIN "MOV a.x, r; END", not_read},
        {BEGIN "MOV p[0], r; END", not_read},
        {BEGIN "MOV r.zx, r; END", not_read},
        {BEGIN "MOV r.xyzwx, r; END", not_read},
        {BEGIN "MOV r, r.xy; END", not_read},
        {BEGIN "MOV r, r END", not_read},
        {BEGIN "ADD r, r; END", not_read},
        {BEGIN "ABS r, r, r; END", not_read},
        {BEGIN "TEX r, r, texture[0], 2D; END", not_read},
        {BEGIN "SWZ r, r, x, y, z; END", not_read},
        {BEGIN "SWZ r, r, x, y, z, 2; END", not_read},
        {BEGIN "MOV r, 0x10; END", not_read},
        {BEGIN "MOV r, { 1, 2, 3, 4, 5 }; END", not_read},
        {BEGIN "MOV r, state.light[8].ambient; END", not_read},
        {BEGIN "MOV r, state.matrix.mvp; END", not_read},
        {BEGIN "MOV r, state.matrix.mvp.row[4]; END", not_read},
        {BEGIN "MOV r, vertex.attrib[16]; END", not_read},
        {BEGIN "MOV r, program.env[0..1]; END", not_read},
        {BEGIN "MOV r, result.position; END", not_read},
        {BEGIN "MOV result.texcoord[32], r; END", not_read},
        {BEGIN "TEMP r; END", not_read},
        {BEGIN "PARAM q[3] = { program.env[0..1] }; END", not_read},
        {BEGIN "PARAM q = { program.env[0] }; END", not_read},
        {BEGIN "ALIAS b = c; END", not_read},
        {"!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.color, vertex.color; END", NULL},
        {"!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.position, vertex.color; END",
         not_read},
        {"!!ARBvp1.0 PARAM p[] = { program.env[0..4095] }; MOV result.position, program.env[0]; "
         "END",
         NULL},
        {"!!ARBvp1.0 PARAM p[] = { program.env[0..4095], program.local[0] }; END",
         "its ARB program has too many parameters"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        const char *why = translate(cases[n].text);

        if ((why == NULL) != (cases[n].why == NULL) ||
            (why != NULL && strcmp(why, cases[n].why) != 0))
            fail_msg("%s is %s", cases[n].text, why != NULL ? why : "a shader");
    }
}

static void cut_texts_are_refused(void **state)
{
    const size_t end = strlen(whole) - strlen("\n");

    (void)state;
    assert_null(translate(whole));
    for (size_t length = 0; length < end; length++) {
        char *cut = strndup(whole, length); /* allocated with exactly that length */

        assert_non_null(cut);
        if (translate(cut) == NULL)
            fail_msg("the first %zu bytes are a shader", length);
        free(cut);
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Changes a few bytes of a text, or copies some from elsewhere in it. */
static void change(char *text, size_t length, uint32_t *seed)
{
    static const char others[] = "[]{}.,;=+-#0123456789exyzw \n!\177\200";

    for (uint32_t n = 1 + next_random(seed) % 4; n > 0; n--) {
        const size_t at = next_random(seed) % length, from = next_random(seed) % length;
        const size_t max = length - (at > from ? at : from);

        if (next_random(seed) % 2 == 0)
            text[at] = others[next_random(seed) % (sizeof(others) - 1)];
        else
            memmove(text + at, text + from, next_random(seed) % (max < 40 ? max : 40));
    }
}

static void changed_texts_do_no_harm(void **state)
{
    enum { TEXTS = 20000 };
    uint32_t seed = 1, shaders = 0;

    (void)state;
    for (uint32_t n = 0; n < TEXTS; n++) {
        char *text = strdup(whole);

        assert_non_null(text);
        change(text, strlen(text), &seed);
        shaders += translate(text) == NULL;
        free(text);
    }
    assert_in_range(shaders, 1, TEXTS - 1);
}

/*
 * Translates a text that repeats `again` `times` times, where @ is the number of the repetition.
 * Returns NULL, or the reason why it is refused.
 */
static const char *translate_repeated(const char *begin, const char *again, unsigned times)
{
    struct text text = TEXT_INIT;
    const char *why;

    text_add(&text, begin);
    for (unsigned n = 0; n < times; n++)
        for (const char *from = again; *from != '\0'; from++)
            if (*from == '@')
                text_add_u64(&text, n);
            else
                text_add_char(&text, *from);
    text_add(&text, "END\n");
    text_add_char(&text, '\0');
    assert_int_equal(text_status(&text), 0);
    why = translate(text.bytes);
    text_clear(&text);
    return why;
}

static void long_texts_have_limits(void **state)
{
    static const char too_long[] = "the text of its ARB program is too long";
    static const char too_many[] = "its ARB program has too many names";
    const char *begin = "!!ARBvp1.0\nTEMP r;\n";

    (void)state;
    assert_null(translate_repeated(begin, "TEMP t@;\n", 4000));
    assert_string_equal(translate_repeated(begin, "TEMP t@;\n", 4096), too_many);
    assert_string_equal(translate_repeated(begin, "ALIAS a@ = r;\n", 4096), too_many);
    assert_null(translate_repeated(begin, "MOV r, program.env[@];\n", 4096));
    assert_null(translate_repeated(begin, "ADD r, r, 1;\n", 20000));
    assert_string_equal(translate_repeated(begin, "ADD r, r, 1;\n", 30000), too_long);
    assert_null(
        translate_repeated("!!ARBvp1.0\nTEMP r; ADDRESS a;\n"
                           "PARAM p[] = { program.env[0..4094], state.matrix.mvp.row[0] };\n",
                           "MOV r, p[a.x + 4094];\n", 8000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_tells_what_its_shader_needs),
        cmocka_unit_test(refused_texts_have_reasons),
        cmocka_unit_test(cut_texts_are_refused),
        cmocka_unit_test(changed_texts_do_no_harm),
        cmocka_unit_test(long_texts_have_limits),
    };

    return cmocka_run_group_tests_name("assembly_shader", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Positions and primitives of draws whose programs were made from SPIR-V: compares them with
 * numbers that follow from what the modules compute; and what is reported for invalid modules.
 */
#include "config.h"

#include "tests/formats/apitrace/modules.h"
#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "base/bytes.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTEX_TYPE = 35633, FRAGMENT_TYPE = 35632, GEOMETRY_TYPE = 36313 };

#define NO_CONSTANTS "numSpecializationConstants=0, pConstantIndex=null, pConstantValue=null"
/* Constant 7 is 0.5 */
#define CONSTANTS "numSpecializationConstants=1, pConstantIndex={7}, pConstantValue={1056964608}"

/* Scripts */

static void begin(struct text *script)
{
    *script = (struct text)TEXT_INIT;
    text_add(script, CURRENT);
}

static void add_binary(struct text *script, unsigned shader, const struct module *module)
{
    text_printf(script, "glShaderBinary(count=1, shaders={%u}, binaryformat=38225, binary=[",
                shader);
    module_print(module, script);
    text_printf(script, "], length=%u)\n", module->count * 4);
}

static void add_shader(struct text *script, unsigned shader, unsigned type,
                       const struct module *module, const char *constants)
{
    text_printf(script, "glCreateShader(type=%u) = %u\n", type, shader);
    add_binary(script, shader, module);
    text_printf(script, "glSpecializeShader(shader=%u, pEntryPoint=\"main\", %s)\n", shader,
                constants);
}

static void add_vertex(struct text *script, unsigned flags, const char *constants)
{
    struct module module;

    module_vertex(&module, flags);
    add_shader(script, 1, VERTEX_TYPE, &module, constants);
}

static void add_fragment(struct text *script, unsigned flags)
{
    struct module module;

    module_fragment(&module, flags);
    add_shader(script, 2, FRAGMENT_TYPE, &module, NO_CONSTANTS);
}

static void add_geometry(struct text *script)
{
    struct module module;

    module_geometry(&module);
    add_shader(script, 3, GEOMETRY_TYPE, &module, NO_CONSTANTS);
}

#define ATTACH(shader)    "glAttachShader(program=4, shader=" #shader ")\n"
#define PROGRAM           "glCreateProgram() = 4\n" ATTACH(1) ATTACH(2)
#define LINK              "glLinkProgram(program=4)\nglUseProgram(program=4)\n"
#define SCALE(x, y, z, w) "glUniform4f(location=3, v0=" #x ", v1=" #y ", v2=" #z ", v3=" #w ")\n"
#define ARRAY                                                                                      \
    "glEnableVertexAttribArray(index=0)\nglVertexAttribPointer(index=0, size=3, type=5126, "       \
    "normalized=0, stride=0, pointer=[" ALL "])\n"

/* Appends a draw. Returns the number of its call. */
static unsigned add_draw(struct text *script, const char *call)
{
    unsigned number = 0;

    for (size_t n = 0; n < script->length; n++)
        number += script->bytes[n] == '\n';
    text_add(script, call);
    return number;
}

static void open_script(struct text *script, struct seen *seen)
{
    text_add(script, SWAP);
    text_add_char(script, '\0');
    assert_int_equal(text_status(script), 0);
    seen_open(script->bytes, seen);
    text_clear(script);
}

/* Files */

/* Compares, in each row, the column after that of the attribute, which is gl_Position. */
static void expect_positions(const struct seen *seen, unsigned draw, const char *const *wanted,
                             unsigned count)
{
    char *text = seen_text(seen, draw, "/buffers/attributes.tsv"), *row = strchr(text, '\n') + 1;

    assert_non_null(strstr(text, "\tgl_Position\tinstance\n"));
    for (unsigned n = 0; n < count; n++) {
        char *end = strchr(row, '\n'), *cell;

        assert_non_null(end);
        *end = '\0';
        *strrchr(row, '\t') = '\0';
        cell = strrchr(row, '\t') + 1;
        assert_string_equal(cell, wanted[n]);
        row = end + 1;
    }
    assert_string_equal(row, "");
    free(text);
}

static void expect_text(const struct seen *seen, unsigned draw, const char *name,
                        const char *wanted)
{
    char *text = seen_text(seen, draw, name);

    assert_string_equal(text, wanted);
    free(text);
}

static void expect_objects(const struct seen *seen, unsigned draw, const char *name,
                           const char *wanted)
{
    char *text = seen_text(seen, draw, name);

    assert_string_equal(strchr(text, '\n') + 1, wanted);
    free(text);
}

/* Corners of ALL times 2, 4, 8 and 16, plus a half */
static const char *const scaled[4] = {"-1.5,-3.5,0.5,16.5", "2.5,-3.5,0.5,16.5", "2.5,4.5,0.5,16.5",
                                      "-1.5,4.5,0.5,16.5"};
static const char scaled_mesh[] = "v -1.5 -3.5 0.5 16.5\nv 2.5 -3.5 0.5 16.5\n"
                                  "v 2.5 4.5 0.5 16.5\nf 1 2 3\n";
static const char scaled_primitives[] = "primitive\tcorner\tgl_Position\tinstance\n"
                                        "0\t0\t-1.5,-3.5,0.5,16.5\t0\n"
                                        "0\t1\t2.5,-3.5,0.5,16.5\t0\n"
                                        "0\t2\t2.5,4.5,0.5,16.5\t0\n";

static void expect_scaled(const struct seen *seen, unsigned draw)
{
    expect_positions(seen, draw, scaled, 3);
    expect_objects(seen, draw, "/buffers/transformed.obj", scaled_mesh);
    expect_text(seen, draw, "/buffers/primitives.tsv", scaled_primitives);
    expect_objects(seen, draw, "/buffers/primitives.obj", scaled_mesh);
}

/* For every way to declare gl_Position, also after the shader was detached and deleted. */
static void modules_tell_positions(void **state)
{
    static const unsigned kinds[] = {0, MODULE_BLOCK, MODULE_CAPTURES,
                                     MODULE_BLOCK | MODULE_CAPTURES};

    (void)state;
    for (unsigned n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
        struct text script;
        struct seen seen;
        unsigned draw;

        begin(&script);
        add_vertex(&script, kinds[n], CONSTANTS);
        add_fragment(&script, 0);
        text_add(&script,
                 PROGRAM LINK "glDetachShader(program=4, shader=1)\nglDeleteShader(shader=1)\n"
                              "glDeleteShader(shader=2)\n" SCALE(2.0, 4.0, 8.0, 16.0) ARRAY);
        draw = add_draw(&script, "glDrawArrays(mode=4, first=0, count=3)\n");
        open_script(&script, &seen);
        expect_scaled(&seen, draw);
        seen_close(&seen);
    }
}

/* Compares the words from which the program was linked, in the order of the script. */
static void expect_module(const struct seen *seen, unsigned draw, const struct module *module)
{
    char name[80];
    size_t size;
    uint8_t *bytes;

    snprintf(name, sizeof(name), "by-frame/000000/draws/%08u/program/00001-vert.spv", draw);
    bytes = (uint8_t *)walk_read(seen->opened.tree, name, &size);
    assert_int_equal(size, 4 * (size_t)module->count);
    for (unsigned n = 0; n < module->count; n++)
        assert_int_equal(bytes_le32(bytes + 4 * (size_t)n), module->words[n]);
    free(bytes);
}

/*
 * A specialization or module that is set after linking only affects programs that are linked later.
 */
static void programs_keep_what_they_were_linked_of(void **state)
{
    static const char *const plain[3] = {"-2,-4,0,16", "2,-4,0,16", "2,4,0,16"};
    unsigned first, second, third;
    struct module module, block;
    struct text script;
    struct seen seen;

    (void)state;
    begin(&script);
    add_vertex(&script, MODULE_BLOCK, CONSTANTS);
    add_fragment(&script, 0);
    text_add(&script, PROGRAM LINK SCALE(2.0, 4.0, 8.0, 16.0) ARRAY);
    /*
     * Refused, since it is specialized; and if one of two is not a shader, neither gets the binary.
     */
    text_add(
        &script,
        "glSpecializeShader(shader=1, pEntryPoint=\"main\", " NO_CONSTANTS ")\n"
        "glShaderBinary(count=2, shaders={1, 99}, binaryformat=38225, binary=[00], length=1)\n");
    text_add(&script, "glLinkProgram(program=4)\n" SCALE(2.0, 4.0, 8.0, 16.0));
    first = add_draw(&script, "glDrawArrays(mode=4, first=0, count=3)\n");
    module_vertex(&module, 0);
    add_binary(&script, 1, &module);
    second = add_draw(&script, "glDrawArrays(mode=4, first=0, count=3)\n");
    text_add(&script, "glSpecializeShaderARB(shader=1, pEntryPoint=\"main\", " NO_CONSTANTS ")\n"
                      "glLinkProgram(program=4)\n" SCALE(2.0, 4.0, 8.0, 16.0));
    third = add_draw(&script, "glDrawArrays(mode=4, first=0, count=3)\n");
    open_script(&script, &seen);
    expect_scaled(&seen, first);
    expect_scaled(&seen, second);
    expect_positions(&seen, third, plain, 3);
    module_vertex(&block, MODULE_BLOCK);
    expect_module(&seen, second, &block);
    expect_module(&seen, third, &module);
    seen_close(&seen);
}

#define LINES                                                                                      \
    "primitive\tcorner\tgl_Position\tinstance\n"                                                   \
    "0\t0\t-1.5,-3.5,0.5,16.5\t0\n0\t1\t1.5,-3.5,0.5,16.5\t0\n"                                    \
    "1\t0\t2.5,-3.5,0.5,16.5\t0\n1\t1\t5.5,-3.5,0.5,16.5\t0\n"

/*
 * Positions are those of the vertex stage alone, primitives those that the rasterizer gets, which
 * differ.
 */
static void geometry_modules_make_primitives(void **state)
{
    struct text script;
    struct seen seen;
    unsigned draw;

    (void)state;
    begin(&script);
    add_vertex(&script, MODULE_CAPTURES, CONSTANTS);
    add_fragment(&script, 0);
    add_geometry(&script);
    text_add(&script, PROGRAM ATTACH(3) LINK SCALE(2.0, 4.0, 8.0, 16.0) ARRAY
             "glUniform1f(location=0, v0=3.0)\n");
    draw = add_draw(&script, "glDrawArrays(mode=0, first=0, count=2)\n");
    open_script(&script, &seen);
    expect_positions(&seen, draw, scaled, 2);
    expect_text(&seen, draw, "/buffers/primitives.tsv", LINES);
    expect_objects(&seen, draw, "/buffers/primitives.obj",
                   "v -1.5 -3.5 0.5 16.5\nv 1.5 -3.5 0.5 16.5\nl 1 2\n"
                   "v 2.5 -3.5 0.5 16.5\nv 5.5 -3.5 0.5 16.5\nl 3 4\n");
    seen_close(&seen);
}

/* Separable programs in a pipeline */
static void pipelines_of_modules_make_primitives(void **state)
{
    struct text script;
    struct seen seen;
    unsigned draw;

    (void)state;
    begin(&script);
    add_vertex(&script, MODULE_BLOCK, CONSTANTS);
    add_geometry(&script);
    text_add(&script,
             "glCreateProgram() = 4\nglProgramParameteri(program=4, pname=33368, value=1)\n"
             "glCreateProgram() = 5\nglProgramParameteri(program=5, pname=33368, value=1)\n" ATTACH(
                 1) "glAttachShader(program=5, shader=3)\n"
                    "glLinkProgram(program=4)\nglLinkProgram(program=5)\n"
                    "glProgramUniform4f(program=4, location=3, v0=2.0, v1=4.0, v2=8.0, v3=16.0)\n"
                    "glProgramUniform1f(program=5, location=0, v0=3.0)\n"
                    "glGenProgramPipelines(n=1, pipelines={7})\n"
                    "glUseProgramStages(pipeline=7, stages=1, program=4)\n"
                    "glUseProgramStages(pipeline=7, stages=4, program=5)\n"
                    "glBindProgramPipeline(pipeline=7)\n" ARRAY);
    draw = add_draw(&script, "glDrawArrays(mode=0, first=0, count=2)\n");
    open_script(&script, &seen);
    expect_positions(&seen, draw, scaled, 2);
    expect_text(&seen, draw, "/buffers/primitives.tsv", LINES);
    seen_close(&seen);
}

static void add_texture(struct text *script, unsigned unit, const char *texel)
{
    text_printf(script,
                "glActiveTexture(texture=%u)\nglBindTexture(target=3553, texture=%u)\n"
                "glTexImage2D(target=3553, level=0, internalformat=34836, width=1, height=1, "
                "border=0, format=6408, type=5126, pixels=[%s])\n"
                "glTexParameteri(target=3553, pname=10241, param=9728)\n",
                33984 + unit, 10 + unit, texel);
}

static void add_block(struct text *script, unsigned binding, const char *values)
{
    text_printf(script,
                "glBindBufferBase(target=35345, index=%u, buffer=%u)\n"
                "glBufferData(target=35345, size=16, data=[%s], usage=35044)\n",
                binding, 20 + binding, values);
}

/*
 * Blocks and samplers without a name or location, which the trace has bound to other units than the
 * module says. The uniform of the geometry stage, which is not used for positions, has the location
 * that the sampler would have.
 */
static void bindings_are_those_of_the_program(void **state)
{
    static const char *const moved[1] = {"0,-2.5,1.5,18"}, *const at_first[1] = {"-1,-3,1,18.5"};
    struct text script;
    struct seen seen;
    unsigned before, after;

    (void)state;
    begin(&script);
    add_vertex(&script, MODULE_MATRIX | MODULE_SAMPLER, CONSTANTS);
    add_fragment(&script, MODULE_SAMPLER);
    add_geometry(&script);
    text_add(&script, PROGRAM ATTACH(3) LINK SCALE(2.0, 4.0, 8.0, 16.0) ARRAY);
    add_texture(&script, 0, ZERO ZERO ZERO ZERO);
    add_texture(&script, 1, HALF HALF HALF ONE);
    add_texture(&script, 6, ONE ONE ONE ONE);
    add_block(&script, 2, ZERO ZERO ZERO ONE);
    add_block(&script, 5, HALF ZERO ZERO HALF);
    before = add_draw(&script, "glDrawArrays(mode=0, first=0, count=1)\n");
    text_add(&script,
             "glUniform1i(location=1, v0=6)\nglUniform1i(location=2, v0=6)\n"
             "glUniformBlockBinding(program=4, uniformBlockIndex=0, uniformBlockBinding=5)\n");
    after = add_draw(&script, "glDrawArrays(mode=0, first=0, count=1)\n");
    open_script(&script, &seen);
    expect_positions(&seen, before, at_first, 1);
    expect_positions(&seen, after, moved, 1);
    seen_close(&seen);
}

/* The frame continues as it does without looking at its first draw. */
static void state_stays_as_it_was(void **state)
{
    unsigned width, height, first, second;
    uint8_t *shown, *again;
    struct text script, same;
    char *before, *after;
    struct seen seen;

    (void)state;
    begin(&script);
    text_add(&script, CLEAR(0.0, 0.0, 1.0));
    add_vertex(&script, MODULE_BLOCK | MODULE_MATRIX, NO_CONSTANTS);
    add_fragment(&script, 0);
    text_add(&script, PROGRAM LINK SCALE(0.5, 0.5, 1.0, 1.0) ARRAY);
    add_block(&script, 2, ZERO ZERO ZERO ZERO);
    first = add_draw(&script, "glDrawArrays(mode=4, first=0, count=3)\n");
    second = add_draw(&script, "glDrawArrays(mode=6, first=0, count=4)\n");
    same = (struct text)TEXT_INIT;
    text_add_bytes(&same, script.bytes, script.length);
    open_script(&same, &seen);
    before = seen_text(&seen, second, "/state.txt");
    shown = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    seen_close(&seen);
    open_script(&script, &seen);
    expect_objects(&seen, first, "/buffers/primitives.obj",
                   "v -0.5 -0.5 0 1\nv 0.5 -0.5 0 1\nv 0.5 0.5 0 1\nf 1 2 3\n");
    expect_objects(&seen, first, "/buffers/transformed.obj",
                   "v -0.5 -0.5 0 1\nv 0.5 -0.5 0 1\nv 0.5 0.5 0 1\nf 1 2 3\n");
    after = seen_text(&seen, second, "/state.txt");
    assert_string_equal(after, before);
    again = apitrace_pixels(&seen.opened, "frames/000000.png", &width, &height);
    assert_memory_equal(again, shown, (size_t)4 * width * height);
    assert_memory_equal(again + (size_t)4 * (width * (height / 2) + width / 2),
                        ((const uint8_t[]){255, 255, 255, 255}), 4);
    free(before);
    free(after);
    free(shown);
    free(again);
    seen_close(&seen);
}

/* Damages a module; what follows must be unaffected. */

static void damage(struct module *module, unsigned kind)
{
    uint32_t *words = module->words;

    switch (kind) {
    case 0:
        module->count /= 2;
        break;
    case 1:
        module->count = 3;
        break;
    case 2:
        words[5] &= 0xFFFF; /* an instruction without words */
        break;
    case 3:
        words[5] |= 0xFFFF0000; /* with more words than there are */
        break;
    case 4:
        words[3] = 10; /* ids beyond the bound */
        break;
    case 5:
        words[3] = 0xFFFFFFFF;
        break;
    default:
        words[0] = 1;
    }
}

enum { DAMAGES = 7 };

#define FIXED                                                                                      \
    "glUseProgram(program=0)\nglEnableClientState(array=32884)\n"                                  \
    "glVertexPointer(size=3, type=5126, stride=0, pointer=[" ALL "])\n"

/* Attaches a damaged module to a program, which continues with what it was linked from before. */
static void add_relinked(struct text *script, const struct module *damaged)
{
    add_vertex(script, 0, NO_CONSTANTS);
    add_fragment(script, 0);
    text_add(script, PROGRAM LINK SCALE(2.0, 4.0, 8.0, 16.0) ARRAY);
    add_shader(script, 5, VERTEX_TYPE, damaged, NO_CONSTANTS);
    text_add(script,
             "glDetachShader(program=4, shader=1)\n" ATTACH(5) "glLinkProgram(program=4)\n");
}

static void expect_reason(const struct seen *seen, unsigned draw, const char *why)
{
    static const char *const names[] = {"/buffers/transformed.obj", "/buffers/primitives.obj"};

    for (unsigned n = 0; n < 2; n++) {
        char wanted[128];

        snprintf(wanted, sizeof(wanted), "# no mesh: %s\n", why);
        expect_text(seen, draw, names[n], wanted);
    }
}

static void damaged_modules_leave_the_session(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < DAMAGES; kind++) {
        unsigned draw, later;
        struct module module;
        struct text script;
        struct seen seen;

        module_vertex(&module, MODULE_BLOCK);
        damage(&module, kind);
        begin(&script);
        add_relinked(&script, &module);
        draw = add_draw(&script, "glDrawArrays(mode=0, first=0, count=2)\n");
        text_add(&script, FIXED);
        later = add_draw(&script, "glDrawArrays(mode=0, first=0, count=1)\n");
        open_script(&script, &seen);
        expect_reason(&seen, draw, "its program was linked again, which failed");
        expect_objects(&seen, later, "/buffers/transformed.obj", "v -1 -1 0 1\np 1\n");
        seen_close(&seen);
    }
}

/* Nor is a count of constants that are not there accepted: the driver would read that many. */
static void constants_that_are_not_there_are_refused(void **state)
{
    struct module module;
    struct text script;
    struct seen seen;
    char *problems;
    unsigned draw;
    size_t size;

    (void)state;
    begin(&script);
    module_vertex(&module, 0);
    text_add(&script, "glCreateShader(type=35633) = 6\n");
    add_binary(&script, 6, &module);
    text_add(&script, "glSpecializeShader(shader=6, pEntryPoint=\"main\", "
                      "numSpecializationConstants=4026531840, pConstantIndex={7}, "
                      "pConstantValue={7})\n");
    add_vertex(&script, 0, CONSTANTS);
    add_fragment(&script, 0);
    text_add(&script, PROGRAM LINK SCALE(2.0, 4.0, 8.0, 16.0) ARRAY);
    draw = add_draw(&script, "glDrawArrays(mode=4, first=0, count=3)\n");
    open_script(&script, &seen);
    expect_scaled(&seen, draw);
    problems = walk_read(seen.opened.tree, "problems.txt", &size);
    assert_non_null(strstr(problems, "argument 3 has 1 elements, but 4026531840 are needed"));
    free(problems);
    seen_close(&seen);
}

static void what_gives_no_position_says_so(void **state)
{
    struct text script;
    struct seen seen;
    unsigned draw;

    (void)state;
    begin(&script);
    add_vertex(&script, MODULE_NOWHERE, CONSTANTS);
    add_fragment(&script, 0);
    text_add(&script, PROGRAM LINK ARRAY);
    draw = add_draw(&script, "glDrawArrays(mode=0, first=0, count=2)\n");
    open_script(&script, &seen);
    expect_reason(&seen, draw, "its SPIR-V does not write gl_Position");
    seen_close(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_tell_positions),
        cmocka_unit_test(programs_keep_what_they_were_linked_of),
        cmocka_unit_test(geometry_modules_make_primitives),
        cmocka_unit_test(pipelines_of_modules_make_primitives),
        cmocka_unit_test(bindings_are_those_of_the_program),
        cmocka_unit_test(state_stays_as_it_was),
        cmocka_unit_test(damaged_modules_leave_the_session),
        cmocka_unit_test(constants_that_are_not_there_are_refused),
        cmocka_unit_test(what_gives_no_position_says_so),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_spirv_positions", tests, NULL, NULL);
}

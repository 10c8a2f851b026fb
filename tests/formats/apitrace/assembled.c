/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/assembled.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 8, TABLE_ROOM = 256 };

static const float as[VERTICES][4] = {{0.5F, -1.25F, 3, -0.75F},      {-2.5F, 0.1F, 7.3F, 1},
                                      {4, 2.7F, -0.3F, 9.5F},         {1, -1, 0, 2},
                                      {0.001F, 100.25F, -3.3F, 0.7F}, {3.9F, 5, 0.003F, 200},
                                      {1234.5F, -7, 0.33F, -300},     {-0.2F, 0.9F, 0.8F, 4}};
static const float bs[VERTICES][4] = {{2, 0.3F, -5, 1.5F},        {0.25F, -0.1F, 2, 0.6F},
                                      {-1, 2.7F, 0.3F, 0.1F},     {3, -1, 8, -2},
                                      {0.7F, 0.01F, -6.5F, 7},    {-4, 1.1F, 0.003F, 11},
                                      {0.5F, -7.25F, 20, 0.125F}, {1.9F, 0.4F, -0.8F, -3}};
static const float cs[VERTICES][4] = {{-1, 0.7F, 5.5F, 0.1F},   {0.3F, 0.2F, -9, 2},
                                      {8, -2.7F, 1.3F, 0.2F},   {0.1F, 6, -3, -0.5F},
                                      {10, 0.02F, 6.5F, -1.7F}, {-0.4F, 1.2F, 0.03F, 3},
                                      {5, -2.25F, 0.7F, 1},     {0.9F, 0.6F, -1.8F, 100}};

/* The script */

static void add_bytes(struct text *script, const float *values, unsigned count)
{
    uint8_t bytes[4];

    text_add_char(script, '[');
    for (unsigned n = 0; n < count; n++) {
        memcpy(bytes, &values[n], 4);
        for (unsigned i = 0; i < 4; i++)
            text_printf(script, n + i == 0 ? "%02x" : " %02x", bytes[i]);
    }
    text_add_char(script, ']');
}

static void add_array(struct text *script, unsigned index, const float (*values)[4])
{
    text_printf(script,
                "glEnableVertexAttribArray(index=%u)\nglVertexAttribPointer(index=%u, size=4, "
                "type=5126, normalized=0, stride=0, pointer=",
                index, index);
    add_bytes(script, values[0], VERTICES * 4);
    text_add(script, ")\n");
}

/* Places the vertices in the middles of VERTICES pixels in a row. */
static void add_places(struct text *script)
{
    float places[VERTICES][2] = {{0}};

    for (unsigned n = 0; n < VERTICES; n++)
        places[n][0] = ((float)n + 0.5F) / VERTICES * 2 - 1;
    text_add(script, "glEnableClientState(array=32884)\n"
                     "glVertexPointer(size=2, type=5126, stride=0, pointer=");
    add_bytes(script, places[0], VERTICES * 2);
    text_add(script, ")\n");
}

void assembled_program(struct text *script, unsigned target, unsigned name, const char *text)
{
    text_printf(script,
                "glBindProgramARB(target=%u, program=%u)\n"
                "glProgramStringARB(target=%u, format=34933, len=%zu, string=[",
                target, name, target, strlen(text));
    for (const char *at = text; *at != '\0'; at++)
        text_printf(script, at == text ? "%02x" : " %02x", (unsigned char)*at);
    text_add(script, "])\n");
}

static void add_vertex_program(struct text *script, const char *text, const char *end)
{
    struct text whole = TEXT_INIT;

    /* A program may not use a conventional attribute and the generic one that may alias it. */
    text_printf(&whole, "!!ARBvp1.0\nTEMP r;\n%s%s\n%s\nEND\n",
                strstr(text, "vertex.") != NULL
                    ? ""
                    : "ATTRIB a = vertex.attrib[1];\nATTRIB b = vertex.attrib[2];\n"
                      "ATTRIB c = vertex.attrib[3];\n",
                text, end);
    text_add_char(&whole, '\0');
    assert_int_equal(text_status(&whole), 0);
    assembled_program(script, 34336, 14, whole.bytes);
    text_clear(&whole);
}

unsigned assembled_call(struct text *script, const char *call)
{
    unsigned number = 0;

    for (size_t n = 0; n < script->length; n++)
        number += script->bytes[n] == '\n';
    text_add(script, call);
    return number;
}

#define TEXEL_VERTICES                                                                             \
    "#version 130\runiform sampler2D texels; "                                                     \
    "void main() { gl_Position = texelFetch(texels, ivec2(gl_VertexID, 0), 0); }"

/*
 * Appends framebuffer object 9 with eight float texels in a row, and program 3, which reads them.
 */
static void add_texels(struct text *script)
{
    text_add(
        script,
        "glBindTexture(target=3553, texture=6)\n"
        "glTexParameteri(target=3553, pname=10241, param=9728)\n"
        "glTexImage2D(target=3553, level=0, internalformat=34836, width=8, height=1, border=0, "
        "format=6408, type=5126, pixels=null)\n"
        "glGenFramebuffers(n=1, framebuffers={9})\nglBindFramebuffer(target=36160, framebuffer=9)\n"
        "glFramebufferTexture2D(target=36160, attachment=36064, textarget=3553, texture=6, "
        "level=0)\nglBindFramebuffer(target=36160, framebuffer=0)\n" SHADER(1, 35633,
                                                                            TEXEL_VERTICES)
            FRAGMENT(2) "glCreateProgram() = 3\nglAttachShader(program=3, shader=1)\n"
                        "glAttachShader(program=3, shader=2)\nglLinkProgram(program=3)\n");
    assembled_program(script, 34820, 15, "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n");
    text_add(script, "glEnable(cap=34336)\nglEnable(cap=34820)\n"
                     "glClampColor(target=35098, clamp=0)\nglShadeModel(mode=7424)\n");
}

/* The three draws of a subject, by the numbers of their calls */
struct drawn {
    unsigned told, drawn, fetched;
};

static struct drawn add_subject(struct text *script, const struct assembled *subject)
{
    static const char points[] = "glDrawArrays(mode=0, first=0, count=8)\n";
    struct drawn drawn;

    add_vertex_program(script, subject->text, "MOV result.position, r;");
    drawn.told = assembled_call(script, points);
    text_add(script, "glBindFramebuffer(target=36160, framebuffer=9)\n"
                     "glViewport(x=0, y=0, width=8, height=1)\n");
    add_vertex_program(script, subject->text,
                       strstr(subject->text, "vertex.attrib[0]") != NULL
                           ? "MOV result.position, vertex.attrib[0]; MOV result.color, r;"
                           : "MOV result.position, vertex.position; MOV result.color, r;");
    drawn.drawn = assembled_call(script, points);
    text_add(script, "glBindFramebuffer(target=36160, framebuffer=0)\n"
                     "glViewport(x=0, y=0, width=16, height=12)\nglUseProgram(program=3)\n");
    drawn.fetched = assembled_call(script, points);
    text_add(script, "glUseProgram(program=0)\n");
    return drawn;
}

void assembled_open(struct text *script, struct seen *seen)
{
    text_add(script, SWAP);
    text_add_char(script, '\0');
    assert_int_equal(text_status(script), 0);
    seen_open(script->bytes, seen);
    text_clear(script);
}

/* What the tree reports */

/* A column of four numbers for each vertex, as written in a table */
struct column {
    char cells[VERTICES][TABLE_ROOM];
};

static void read_column(const struct seen *seen, unsigned draw, const char *file, const char *name,
                        struct column *out)
{
    char *text = seen_text(seen, draw, file), *row = text;
    const char *found = strstr(text, name);
    unsigned before = 0;

    if (found == NULL || found > strchr(text, '\n'))
        fail_msg("draw %u: no %s in %s:\n%s", draw, name, file, text);
    for (const char *at = text; at < found; at++)
        before += *at == '\t';
    for (unsigned n = 0; n < VERTICES; n++) {
        const char *cell;

        row = strchr(row, '\n') + 1;
        cell = row;
        for (unsigned i = 0; i < before && cell != NULL; i++)
            cell = strchr(cell, '\t') + 1;
        if (*row == '\0')
            fail_msg("draw %u: %u rows in %s:\n%s", draw, n, file, text);
        snprintf(out->cells[n], TABLE_ROOM, "%.*s", (int)strcspn(cell, "\t\n"), cell);
    }
    free(text);
}

static bool is_near(float found, float wanted, bool is_approximated)
{
    if (isnan(wanted)) /* not checked */
        return true;
    if (!is_approximated)
        return found == wanted;
    return fabsf(found - wanted) <= fabsf(wanted) / 1000 + 1e-6F;
}

static void expect_numbers(const struct assembled *subject, unsigned vertex, const char *cell)
{
    const char *at = cell;
    float wanted[4];

    memcpy(wanted, subject->values, sizeof(wanted));
    if (subject->wanted != NULL)
        subject->wanted(as[vertex], bs[vertex], cs[vertex], wanted);
    for (unsigned n = 0; n < 4; n++) {
        char *end;
        const float found = strtof(at, &end);

        if (end == at || !is_near(found, wanted[n], subject->is_approximated))
            fail_msg("%s\nvertex %u is %s, component %u is not %.9g", subject->text, vertex, cell,
                     n, (double)wanted[n]);
        at = end + 1;
    }
}

/*
 * Skips the sign of NaNs and zeros, which is not compared: that of a NaN is unspecified, and
 * fragments do not keep that of a zero.
 */
static const char *skip_sign(const char *number)
{
    const bool is_none = strncmp(number, "-nan", 4) == 0 || strncmp(number, "-0,", 3) == 0 ||
                         strcmp(number, "-0") == 0;

    return number + is_none;
}

/* Returns whether both are equal to the last bit. */
static bool is_same(const char *told, const char *fetched)
{
    for (unsigned n = 0; n < 4; n++) {
        size_t length;

        told = skip_sign(told);
        fetched = skip_sign(fetched);
        length = strcspn(told, ",");
        if (strcspn(fetched, ",") != length || memcmp(told, fetched, length) != 0)
            return false;
        told += length + (told[length] == ',');
        fetched += length + (fetched[length] == ',');
    }
    return *told == '\0' && *fetched == '\0';
}

static void expect_subject(const struct seen *seen, const struct assembled *subject,
                           const struct drawn *drawn)
{
    struct column told, captured, fetched;

    read_column(seen, drawn->told, "/buffers/attributes.tsv", "gl_Position", &told);
    read_column(seen, drawn->drawn, "/buffers/primitives.tsv", "result.color", &captured);
    read_column(seen, drawn->fetched, "/buffers/attributes.tsv", "gl_Position", &fetched);
    for (unsigned n = 0; n < VERTICES; n++) {
        if (!is_same(told.cells[n], fetched.cells[n]) || !is_same(captured.cells[n], told.cells[n]))
            fail_msg("%s\nvertex %u is told as %s and %s, the driver draws %s", subject->text, n,
                     told.cells[n], captured.cells[n], fetched.cells[n]);
        expect_numbers(subject, n, told.cells[n]);
    }
}

void assembled_expect(const char *state, const struct assembled *subjects, size_t count)
{
    struct drawn *drawn = calloc(count, sizeof(*drawn));
    struct text script = TEXT_INIT;
    struct seen seen;

    assert_non_null(drawn);
    text_add(&script, CURRENT);
    add_places(&script);
    add_array(&script, 1, as);
    add_array(&script, 2, bs);
    add_array(&script, 3, cs);
    add_texels(&script);
    text_add(&script, state);
    for (size_t n = 0; n < count; n++)
        drawn[n] = add_subject(&script, &subjects[n]);
    assembled_open(&script, &seen);
    for (size_t n = 0; n < count; n++)
        expect_subject(&seen, &subjects[n], &drawn[n]);
    free(drawn);
    seen_close(&seen);
}

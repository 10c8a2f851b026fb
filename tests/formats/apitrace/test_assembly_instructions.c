/* SPDX-License-Identifier: MIT */
/*
 * Instructions and operands of ARB vertex programs: what the tree reports of draws that run them
 * must be what the driver computes, to the last bit (assembled.h), and what the specification says,
 * exactly except for functions that it allows to be approximated.
 */
#include "config.h"

#include "tests/formats/apitrace/assembled.h"
#include "tests/support/support.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Instructions */

#define EACH(name, expression)                                                                     \
    static void name(const float *a, const float *b, const float *c, float *out)                   \
    {                                                                                              \
        (void)a;                                                                                   \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        for (unsigned n = 0; n < 4; n++)                                                           \
            out[n] = expression;                                                                   \
    }

EACH(abs_of, fabsf(a[n]))
EACH(add, a[n] + b[n])
EACH(dp3, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
EACH(dp4, a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
EACH(dph, a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + b[3])
EACH(dst, n == 0 ? 1 : n == 1 ? a[1] * b[1] : n == 2 ? a[2] : b[3])
EACH(ex2, exp2f(b[0]))
EACH(exp_of, n == 0 ? exp2f(floorf(b[0])) : n == 1 ? b[0] - floorf(b[0]) : n == 2 ? exp2f(b[0]) : 1)
EACH(flr, floorf(a[n]))
EACH(frc, a[n] - floorf(a[n]))
EACH(lg2, a[0] > 0 ? log2f(a[0]) : NAN)
EACH(lit, n == 0 || n == 3 ? 1
          : n == 1         ? fmaxf(b[0], 0)
          : b[0] > 0       ? powf(fmaxf(b[1], 0), fmaxf(-128, fminf(b[3], 128)))
                           : 0)
EACH(log_of, n == 0   ? floorf(log2f(fabsf(a[0])))
             : n == 1 ? fabsf(a[0]) / exp2f(floorf(log2f(fabsf(a[0]))))
             : n == 2 ? log2f(fabsf(a[0]))
                      : 1)
EACH(mad, a[n] * b[n] + c[n])
EACH(max, fmaxf(a[n], b[n]))
EACH(min, fminf(a[n], b[n]))
EACH(mov, a[n])
EACH(mul, a[n] * b[n])
EACH(pow_of, powf(fabsf(a[1]), b[3]))
EACH(rcp, 1 / a[3])
EACH(rsq, 1 / sqrtf(fabsf(a[0])))
EACH(sge, a[n] >= b[n])
EACH(slt, a[n] < b[n])
EACH(sub, a[n] - b[n])
EACH(swz, n == 0 ? 0 : n == 1 ? -a[0] : n == 2 ? -1 : a[3])
EACH(xpd, n == 3 ? 7 : a[(n + 1) % 3] * b[(n + 2) % 3] - a[(n + 2) % 3] * b[(n + 1) % 3])
EACH(masked, n == 1 ? -b[0] : n == 3 ? -b[2] : a[n])
EACH(twice, a[n] + a[3 - n])

/* Sums of products are approximated, since their order is not specified. */
static void instructions_are_computed_as_the_driver_does(void **state)
{
    static const struct assembled subjects[] = {
        {"ABS r, a;", abs_of, {0}, false},
        {"ADD r, a, b;", add, {0}, false},
        {"DP3 r, a, b;", dp3, {0}, true},
        {"DP4 r, a, b;", dp4, {0}, true},
        {"DPH r, a, b;", dph, {0}, true},
        {"DST r, a, b;", dst, {0}, false},
        {"EX2 r, b.x;", ex2, {0}, true},
        {"EXP r, b.x;", exp_of, {0}, true},
        {"FLR r, a;", flr, {0}, false},
        {"FRC r, a;", frc, {0}, false},
        {"LG2 r, a.x;", lg2, {0}, true},
        {"LIT r, b;", lit, {0}, true},
        {"LOG r, a.x;", log_of, {0}, true},
        {"MAD r, a, b, c;", mad, {0}, true},
        {"MAX r, a, b;", max, {0}, false},
        {"MIN r, a, b;", min, {0}, false},
        {"MOV r, a;", mov, {0}, false},
        {"MUL r, a, b;", mul, {0}, false},
        {"ABS r, a.y; POW r, r.y, b.w;", pow_of, {0}, true},
        {"RCP r, a.w;", rcp, {0}, true},
        {"RSQ r, a.x;", rsq, {0}, true},
        {"SGE r, a, b;", sge, {0}, false},
        {"SLT r, a, b;", slt, {0}, false},
        {"SUB r, a, b;", sub, {0}, false},
        {"SWZ r, a, 0, -x, -1, w;", swz, {0}, false},
        {"MOV r.w, 7.0; XPD r.xyz, a, b;", xpd, {0}, true},
        {"MOV r, a; MOV r.yw, -b.xxzz;\n", masked, {0}, true},
        {"MOV r, a; ADD r, r, r.wzyx;", twice, {0}, false},
    };

    (void)state;
    ASSEMBLED_EXPECT("", subjects);
}

EACH(moved, n == 0 ? 8 * a[0] + 4 * a[3] : n < 3 ? 8 * a[n] + (n == 1 ? 4 : 8) * a[3] : a[3])

/* Operands */

#define ALL_ENV "PARAM e[] = { program.env[0..3] };\nADDRESS d;\n"
#define LOAD(n) "PARAM k = " n "; ARL d.x, k.x;\n"

EACH(picked, n == 0 ? 1 + floorf((a[1] - floorf(a[1])) * 4) : n == 1 ? 0.5F : n == 2 ? 0.25F : 1)

static void registers_and_constants_are_read(void **state)
{
    static const struct assembled subjects[] = {
        {"MOV r, program.env[1];", NULL, {2, 0.5F, 0.25F, 1}, false},
        {"MOV r, program.local[2];", NULL, {7, 8, 9, 10}, false},
        {"PARAM p = program.local[2]; MOV r, -p.wzyx;", NULL, {-10, -9, -8, -7}, false},
        {"PARAM p[2] = { program.local[1..2] }; MOV r, p[1].y;", NULL, {8, 8, 8, 8}, false},
        {ALL_ENV "MOV r, e[2];", NULL, {3, 0.5F, 0.25F, 1}, false},
        {ALL_ENV "FRC r.x, a.y; MUL r.x, r.x, 4; ARL d.x, r.x; MOV r, e[d.x];", picked, {0}, false},
        {ALL_ENV LOAD("-1.5") "MOV r, e[d.x + 3];", NULL, {2, 0.5F, 0.25F, 1}, false},
        {ALL_ENV LOAD("3.75") "MOV r, e[d.x-3];", NULL, {1, 0.5F, 0.25F, 1}, false},
        {"ADDRESS d; PARAM m[] = { program.env[3], { 1, 2 }, program.local[2], -3 };\n" LOAD(
             "1") "ADD r, m[d.x], m[ d.x + 1 ].w;",
         NULL,
         {11, 12, 10, 11},
         false},
        {"ADDRESS d; PARAM m[5] = { state.matrix.program[2], program.env[0] };\n" LOAD(
             "2") "ADD r, m[d.x], m[d.x + 2];",
         NULL,
         {1, 0.5F, 8.25F, 9},
         false},
        {"ADDRESS d; PARAM m[5] = { state.matrix.projection, program.env[0] };\n" LOAD(
             "2") "ADD r, m[d.x], m[d.x + 2]; ADD r.x, r, m[d.x - 2].x;",
         NULL,
         {5, 0.5F, 1.25F, 6},
         false},
        {"MOV r, { 1, -2.5, +3e2, .5 };", NULL, {1, -2.5F, 300, 0.5F}, false},
        {"PARAM p = { 0, 1, 4, -2 }; MUL r, p, { -1, 0, 0.5, 0 }; RCP r.x, r.x; RCP r.y, r.y;\n"
         "RCP r.w, r.w;",
         NULL,
         {-INFINITY, INFINITY, 2, -INFINITY},
         false},
        {"MOV r, -{ 1.25, 2, 3 };", NULL, {-1.25F, -2, -3, -1}, false},
        {"PARAM p = { 0.1 }; MOV r, p;", NULL, {0.1F, 0, 0, 1}, false},
        {"ADD r, 1.5, -2.5E-1;", NULL, {1.25F, 1.25F, 1.25F, 1.25F}, false},
        {"PARAM p = 16777217.0; PARAM q = 1e-38; ADD r, p, q;",
         NULL,
         {16777216, 16777216, 16777216, 16777216},
         false},
        {"ALIAS s = r; ALIAS t = a; MOV s, t; # END\n", mov, {0}, false},
        {"OUTPUT o = result.texcoord[3]; MOV o, a; MOV r, a;", mov, {0}, false},
        {"SWZ r, program.local[2], w, -1, 0, -z;", NULL, {10, -1, 0, -9}, false},
    };

    (void)state;
    ASSEMBLED_EXPECT(REGISTERS MATRICES, subjects);
}

static void attributes_are_those_of_the_draw(void **state)
{
    static const struct assembled subjects[] = {
        {"MOV r, vertex.attrib[1];", mov, {0}, false},
        {"MOV r, vertex.attrib[7];", NULL, {0.5F, 0.75F, 0.125F, 2}, false},
        {"MOV r, vertex.attrib[0]; MOV r.x, 0.0;", NULL, {0, 0, 0, 1}, false},
        {"MOV r, vertex.position; MOV r.x, 0.0;", NULL, {0, 0, 0, 1}, false},
        {"MOV r, vertex.normal;", NULL, {0.25F, 0.5F, -1, 1}, false},
        {"MOV r, vertex.color;", NULL, {0.125F, 0.25F, 0.5F, 0.75F}, false},
        {"MOV r, vertex.color.primary.wzyx;", NULL, {0.75F, 0.5F, 0.25F, 0.125F}, false},
        {"MOV r, vertex.color.secondary; MOV r.w, 0.0;", NULL, {1, 0.5F, 0.25F, 0}, false},
        {"MOV r, vertex.fogcoord;", NULL, {7, 0, 0, 1}, false},
        {"MOV r, vertex.texcoord;", NULL, {3, 4, 5, 6}, false},
        {"MOV r, vertex.texcoord[2];", NULL, {0.5F, 0.25F, 0, 1}, false},
    };

    (void)state;
    ASSEMBLED_EXPECT("glVertexAttrib4f(index=7, x=0.5, y=0.75, z=0.125, w=2.0)\n"
                     "glNormal3f(nx=0.25, ny=0.5, nz=-1.0)\n"
                     "glColor4f(red=0.125, green=0.25, blue=0.5, alpha=0.75)\n"
                     "glSecondaryColor3f(red=1.0, green=0.5, blue=0.25)\nglFogCoordf(coord=7.0)\n"
                     "glTexCoord4f(s=3.0, t=4.0, r=5.0, q=6.0)\n"
                     "glMultiTexCoord2f(target=33986, s=0.5, t=0.25)\n",
                     subjects);
}

/* Rows are those of the matrix, not its columns. */
static void matrices_have_rows(void **state)
{
    static const struct assembled subjects[] = {
        {"MOV r, state.matrix.modelview.row[0];", NULL, {2, 0, 0, 1}, false},
        {"MOV r, state.matrix.modelview[0].inverse.row[1];", NULL, {0, 0.25F, 0, -0.5F}, false},
        {"MOV r, state.matrix.modelview.transpose.row[3];", NULL, {1, 2, 3, 1}, false},
        {"MOV r, state.matrix.modelview.invtrans.row[3];", NULL, {-0.5F, -0.5F, -0.375F, 1}, false},
        {"MOV r, state.matrix.projection.row[2];", NULL, {0, 0, 1, 5}, false},
        {"MOV r, state.matrix.projection.inverse.row[2];", NULL, {0, 0, 1, -5}, false},
        {"MOV r, state.matrix.mvp.row[2];", NULL, {0, 0, 8, 8}, false},
        {"MOV r, state.matrix.mvp.inverse.row[0];", NULL, {0.125F, 0, 0, -0.5F}, false},
        {"MOV r, state.matrix.texture[1].row[0];", NULL, {2, 0, 0, 0.5F}, false},
        {"MOV r, state.matrix.texture[1].invtrans.row[3];", NULL, {-0.25F, -0.125F, 0, 1}, false},
        {"MOV r, state.matrix.texture.row[1];", NULL, {0, 1, 0, 0}, false},
        {"MOV r, state.matrix.program[2].row[1];", NULL, {0, 4, 0, 4}, false},
        {"MOV r, state.matrix.program[2].transpose.row[3];", NULL, {2, 4, 8, 1}, false},
        {"MOV r, state.matrix.program[2].inverse.row[2];", NULL, {0, 0, 0.125F, -1}, false},
        {"MOV r, state.matrix.program[2].invtrans.row[3];", NULL, {-1, -1, -1, 1}, false},
        {"PARAM m[4] = { state.matrix.mvp }; DP4 r.x, m[0], a; DP4 r.y, m[1], a;\n"
         "DP4 r.z, m[2], a; DP4 r.w, m[3], a;",
         moved,
         {0},
         true},
        {"PARAM m[3] = { state.matrix.mvp.transpose.row[1..3] }; ADD r, m[0], m[2];",
         NULL,
         {4, 12, 8, 1},
         false},
    };

    (void)state;
    ASSEMBLED_EXPECT(MATRICES, subjects);
}

#define LIGHT(name, values) "glLightfv(light=16385, pname=" #name ", params={" values "})\n"
#define MATERIAL(face, name, values)                                                               \
    "glMaterialfv(face=" #face ", pname=" #name ", params={" values "})\n"
#define LIGHTS                                                                                     \
    LIGHT(4608, "0.125, 0.25, 0.375, 0.5")                                                         \
    LIGHT(4609, "0.5, 0.625, 0.75, 1.0")                                                           \
    LIGHT(4610, "1.0, 0.5, 0.25, 0.75")                                                            \
    LIGHT(4611, "0.0, 0.0, 2.0, 0.0")                                                              \
    LIGHT(4612, "0.0, 1.0, 0.0")                                                                   \
    LIGHT(4613, "2.0")                                                                             \
    LIGHT(4614, "60.0")                                                                            \
    LIGHT(4615, "0.5")                                                                             \
    LIGHT(4616, "0.25")                                                                            \
    LIGHT(4617, "0.125")
#define MATERIALS                                                                                  \
    MATERIAL(1028, 4608, "0.5, 0.5, 0.25, 1.0")                                                    \
    MATERIAL(1028, 4609, "0.25, 0.5, 1.0, 0.75")                                                   \
    MATERIAL(1028, 4610, "1.0, 0.25, 0.5, 0.5")                                                    \
    MATERIAL(1028, 5632, "0.125, 0.0, 0.25, 1.0")                                                  \
    MATERIAL(1028, 5633, "32.0")                                                                   \
    MATERIAL(1029, 4608, "1.0, 0.5, 0.5, 1.0")                                                     \
    MATERIAL(1029, 5633, "8.0")
#define LIGHT_MODEL "glLightModelfv(pname=2899, params={0.5, 0.25, 0.5, 1.0})\n"

static void lights_and_materials_are_read(void **state)
{
    static const struct assembled subjects[] = {
        {"MOV r, state.light[1].ambient;", NULL, {0.125F, 0.25F, 0.375F, 0.5F}, false},
        {"MOV r, state.light[1].diffuse;", NULL, {0.5F, 0.625F, 0.75F, 1}, false},
        {"MOV r, state.light[1].specular;", NULL, {1, 0.5F, 0.25F, 0.75F}, false},
        {"MOV r, state.light[1].position;", NULL, {0, 0, 2, 0}, false},
        {"MOV r, state.light[1].attenuation;", NULL, {0.5F, 0.25F, 0.125F, 2}, false},
        {"MOV r, state.light[1].spot.direction;", NULL, {0, 1, 0, 0.5F}, true},
        {"MOV r, state.light[1].half;", NULL, {0, 0, 1, 1}, true},
        {"MOV r, state.material.ambient;", NULL, {0.5F, 0.5F, 0.25F, 1}, false},
        {"MOV r, state.material.front.diffuse;", NULL, {0.25F, 0.5F, 1, 0.75F}, false},
        {"MOV r, state.material.specular;", NULL, {1, 0.25F, 0.5F, 0.5F}, false},
        {"MOV r, state.material.emission;", NULL, {0.125F, 0, 0.25F, 1}, false},
        {"MOV r, state.material.shininess;", NULL, {32, 0, 0, 1}, false},
        {"MOV r, state.material.back.shininess;", NULL, {8, 0, 0, 1}, false},
        {"MOV r, state.lightmodel.ambient;", NULL, {0.5F, 0.25F, 0.5F, 1}, false},
        {"MOV r, state.lightmodel.scenecolor;", NULL, {0.375F, 0.125F, 0.375F, 0.75F}, false},
        {"MOV r, state.lightmodel.back.scenecolor;", NULL, {0.5F, 0.125F, 0.25F, NAN}, false},
        {"MOV r, state.lightprod[1].ambient;", NULL, {0.0625F, 0.125F, 0.09375F, NAN}, false},
        {"MOV r, state.lightprod[1].front.diffuse;", NULL, {0.125F, 0.3125F, 0.75F, NAN}, false},
        {"MOV r, state.lightprod[1].specular;", NULL, {1, 0.125F, 0.125F, NAN}, false},
        {"MOV r, state.lightprod[1].back.ambient;", NULL, {0.125F, 0.125F, 0.1875F, NAN}, false},
    };

    (void)state;
    ASSEMBLED_EXPECT(LIGHTS MATERIALS LIGHT_MODEL MATRICES, subjects);
}

#define OTHER_STATE                                                                                \
    "glFogfv(pname=2918, params={0.25, 0.5, 0.75, 1.0})\nglFogf(pname=2914, param=0.5)\n"          \
    "glFogf(pname=2915, param=1.0)\nglFogf(pname=2916, param=5.0)\n"                               \
    "glClipPlane(plane=12290, equation={1.0, 2.0, 3.0, 4.0})\nglPointSize(size=4.0)\n"             \
    "glPointParameterf(pname=33062, param=1.0)\nglPointParameterf(pname=33063, param=64.0)\n"      \
    "glPointParameterf(pname=33064, param=2.0)\n"                                                  \
    "glPointParameterfv(pname=33065, params={1.0, 0.5, 0.25})\n"                                   \
    "glTexGenfv(coord=8192, pname=9473, params={1.0, 2.0, 3.0, 5.0})\n"                            \
    "glTexGenfv(coord=8193, pname=9474, params={5.0, 6.0, 7.0, 8.0})\n"                            \
    "glActiveTexture(texture=33985)\n"                                                             \
    "glTexGenfv(coord=8194, pname=9474, params={9.0, 8.0, 7.0, 6.0})\n"                            \
    "glTexGenfv(coord=8195, pname=9473, params={4.0, 3.0, 2.0, 9.0})\n"                            \
    "glActiveTexture(texture=33984)\n"

/* The state changes point sizes, so the result is drawn to a single pixel in the end. */
static void other_state_is_read(void **state)
{
    static const struct assembled subjects[] = {
        {"MOV r, state.fog.color;", NULL, {0.25F, 0.5F, 0.75F, 1}, false},
        {"MOV r, state.fog.params;", NULL, {0.5F, 1, 5, 0.25F}, false},
        {"MOV r, state.clip[2].plane;", NULL, {1, 2, 3, 4}, false},
        {"MOV r, state.texgen.object.s;", NULL, {1, 2, 3, 5}, false},
        {"MOV r, state.texgen[0].eye.t;", NULL, {5, 6, 7, 8}, false},
        {"MOV r, state.texgen[1].eye.r;", NULL, {9, 8, 7, 6}, false},
        {"MOV r, state.texgen[1].object.q;", NULL, {4, 3, 2, 9}, false},
        {"MOV r, state.point.size;", NULL, {1, 1, 64, 2}, false},
        {"MOV r, state.point.attenuation;", NULL, {1, 0.5F, 0.25F, 1}, false},
    };

    (void)state;
    ASSEMBLED_EXPECT(OTHER_STATE "glPointSize(size=1.0)\n", subjects);
}

/*
 * Programs of many instructions, which the driver's compiler optimizes as a whole. It may add
 * products with constants in another order than for a GLSL shader, which changes the last bit: in
 * about five of a thousand such programs. These are not among them.
 */

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static void add_operand(struct text *text, uint32_t *seed, bool is_single)
{
    static const char *const bases[] = {"t",
                                        "u",
                                        "v",
                                        "r",
                                        "a",
                                        "b",
                                        "c",
                                        "t",
                                        "u",
                                        "v",
                                        "{ 1, 0, 2.5, -0.5 }",
                                        "program.env[2]",
                                        "state.matrix.mvp.row[1]",
                                        "{ 0.1, 0.2, 3 }"};
    static const char *const orders[] = {"", "", ".wzyx", ".yzwx", ".zxyw"};

    text_add(text, next_random(seed) % 4 == 0 ? ", -" : ", ");
    text_add(text, bases[next_random(seed) % (sizeof(bases) / sizeof(bases[0]))]);
    if (is_single)
        text_printf(text, ".%c", "xyzw"[next_random(seed) % 4]);
    else
        text_add(text, orders[next_random(seed) % 5]);
}

/* Appends an instruction. One that computes a single number writes to one component. */
static void add_instruction(struct text *text, uint32_t *seed)
{
    static const struct {
        const char *word;
        unsigned operands;
        bool is_single, makes_one;
    } words[] = {{"ABS", 1, false, false}, {"ADD", 2, false, false}, {"DP3", 2, false, true},
                 {"DP4", 2, false, true},  {"DPH", 2, false, true},  {"DST", 2, false, false},
                 {"EX2", 1, true, true},   {"EXP", 1, true, false},  {"FLR", 1, false, false},
                 {"FRC", 1, false, false}, {"LG2", 1, true, true},   {"LIT", 1, false, false},
                 {"LOG", 1, true, false},  {"MAD", 3, false, false}, {"MAX", 2, false, false},
                 {"MIN", 2, false, false}, {"MUL", 2, false, false}, {"POW", 2, true, true},
                 {"RCP", 1, true, true},   {"RSQ", 1, true, true},   {"SGE", 2, false, false},
                 {"SLT", 2, false, false}, {"SUB", 2, false, false}, {"XPD", 2, false, false},
                 {"MAD", 3, false, false}, {"ADD", 2, false, false}, {"DP4", 2, false, true}};
    static const char *const masks[] = {"", "", ".xyz", ".yw", ".w", ".x", ".xz"};
    static const char *const ones[] = {".x", ".y", ".z", ".w"};
    const size_t n = next_random(seed) % (sizeof(words) / sizeof(words[0]));
    const char *mask =
        words[n].makes_one ? ones[next_random(seed) % 4] : masks[next_random(seed) % 7];

    text_printf(text, "%s %c%s", words[n].word, "tuvr"[next_random(seed) % 4],
                strcmp(words[n].word, "XPD") == 0 ? ".xyz" : mask);
    for (unsigned i = 0; i < words[n].operands; i++)
        add_operand(text, seed, words[n].is_single);
    text_add(text, ";\n");
}

static void add_random(struct text *text, uint32_t seed)
{
    text_add(text,
             "TEMP t, u, v;\nADD t, a, 0.75; MUL u, b, 0.3; MUL v, c, a.wzyx; MUL r, a, b;\n");
    for (unsigned n = 0; n < 12; n++)
        add_instruction(text, &seed);
    text_add(text, "MAD r, t, u, r; ADD r, r, v;\n");
    text_add_char(text, '\0');
    assert_int_equal(text_status(text), 0);
}

static void programs_are_computed_as_the_driver_does(void **state)
{
    enum { PROGRAMS = 48 };
    struct text texts[PROGRAMS] = {TEXT_INIT};
    struct assembled subjects[PROGRAMS];

    (void)state;
    for (unsigned n = 0; n < PROGRAMS; n++) {
        add_random(&texts[n], n);
        subjects[n] = (struct assembled){.text = texts[n].bytes, .values = {NAN, NAN, NAN, NAN}};
    }
    ASSEMBLED_EXPECT(REGISTERS MATRICES, subjects);
    for (unsigned n = 0; n < PROGRAMS; n++)
        text_clear(&texts[n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_computed_as_the_driver_does),
        cmocka_unit_test(registers_and_constants_are_read),
        cmocka_unit_test(attributes_are_those_of_the_draw),
        cmocka_unit_test(matrices_have_rows),
        cmocka_unit_test(lights_and_materials_are_read),
        cmocka_unit_test(other_state_is_read),
        cmocka_unit_test(programs_are_computed_as_the_driver_does),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_assembly_instructions", tests, NULL, NULL);
}

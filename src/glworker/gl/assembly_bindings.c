/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/assembly_bindings.h"

#include "glworker/gl/assembly_lexer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    REGISTERS_MAX = 4096,
    LIGHTS = 8,
    PLANES = 8,
    COORDINATES = 8, /* texture coordinates of fixed functions */
    MATRICES = 8,    /* program matrices */
    ROWS = 4
};

static const char no_state[] = "its ARB program reads state that GLSL does not have";

/* Parses `[n]`, which may be missing unless `is_needed`, and then means 0. */
static bool take_index(const char **at, bool is_needed, uint32_t end, uint32_t *index)
{
    uint32_t last;

    *index = 0;
    if (!is_needed && !retrace_token_take(&(const char *){*at}, "["))
        return true;
    return retrace_token_take_range(at, index, &last) && last == *index && *index < end;
}

/* A word after a point, and its GLSL expression. */
struct member {
    const char *word, *format;
};

static const char *take_word(const char **at, const struct member *members, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (retrace_token_take_member(at, members[n].word))
            return members[n].format;
    return NULL;
}

#define TAKE_WORD(at, members) take_word(at, members, sizeof(members) / sizeof((members)[0]))

/* Sets an expression from a format in which @ stands for an index. */
static bool set_element(struct retrace_register *out, const char *format, uint32_t index)
{
    char *const end = out->state + sizeof(out->state);
    char *to = out->state;

    if (format == NULL)
        return false;
    out->kind = RETRACE_BINDING_STATE;
    for (const char *from = format; *from != '\0' && end - to > 12; from++)
        if (*from == '@')
            to += snprintf(to, (size_t)(end - to), "%u", (unsigned)index);
        else
            *to++ = *from;
    *to = '\0';
    return true;
}

/* Returns whether the back face is meant. */
static bool take_side(const char **at)
{
    return !retrace_token_take_member(at, "front") && retrace_token_take_member(at, "back");
}

/* state.material, .lightprod, .lightmodel */

static bool take_material(const char **at, struct retrace_register *out)
{
    static const struct member front[] = {
        {"ambient", "gl_FrontMaterial.ambient"},
        {"diffuse", "gl_FrontMaterial.diffuse"},
        {"specular", "gl_FrontMaterial.specular"},
        {"emission", "gl_FrontMaterial.emission"},
        {"shininess", "vec4(gl_FrontMaterial.shininess, 0.0, 0.0, 1.0)"}};
    static const struct member back[] = {
        {"ambient", "gl_BackMaterial.ambient"},
        {"diffuse", "gl_BackMaterial.diffuse"},
        {"specular", "gl_BackMaterial.specular"},
        {"emission", "gl_BackMaterial.emission"},
        {"shininess", "vec4(gl_BackMaterial.shininess, 0.0, 0.0, 1.0)"}};

    return set_element(out, take_side(at) ? TAKE_WORD(at, back) : TAKE_WORD(at, front), 0);
}

static bool take_light_product(const char **at, struct retrace_register *out)
{
    static const struct member front[] = {{"ambient", "gl_FrontLightProduct[@].ambient"},
                                          {"diffuse", "gl_FrontLightProduct[@].diffuse"},
                                          {"specular", "gl_FrontLightProduct[@].specular"}};
    static const struct member back[] = {{"ambient", "gl_BackLightProduct[@].ambient"},
                                         {"diffuse", "gl_BackLightProduct[@].diffuse"},
                                         {"specular", "gl_BackLightProduct[@].specular"}};
    uint32_t light;

    return take_index(at, true, LIGHTS, &light) &&
           set_element(out, take_side(at) ? TAKE_WORD(at, back) : TAKE_WORD(at, front), light);
}

static bool take_light_model(const char **at, struct retrace_register *out)
{
    static const struct member either[] = {{"ambient", "gl_LightModel.ambient"},
                                           {"scenecolor", "gl_FrontLightModelProduct.sceneColor"}};
    static const struct member back[] = {{"scenecolor", "gl_BackLightModelProduct.sceneColor"}};

    return set_element(out, take_side(at) ? TAKE_WORD(at, back) : TAKE_WORD(at, either), 0);
}

static bool take_light(const char **at, struct retrace_register *out)
{
    static const struct member members[] = {
        {"ambient", "gl_LightSource[@].ambient"},   {"diffuse", "gl_LightSource[@].diffuse"},
        {"specular", "gl_LightSource[@].specular"}, {"position", "gl_LightSource[@].position"},
        {"attenuation", "attenuation(@)"},          {"half", "gl_LightSource[@].halfVector"}};
    const char *format = "spot(@)";
    uint32_t light;

    if (!take_index(at, true, LIGHTS, &light))
        return false;
    if (!retrace_token_take_member(at, "spot"))
        format = TAKE_WORD(at, members);
    else if (!retrace_token_take_member(at, "direction"))
        return false;
    return set_element(out, format, light);
}

/* Other state. */

static bool take_texture_generation(const char **at, struct retrace_register *out)
{
    static const struct member eye[] = {{"s", "gl_EyePlaneS[@]"},
                                        {"t", "gl_EyePlaneT[@]"},
                                        {"r", "gl_EyePlaneR[@]"},
                                        {"q", "gl_EyePlaneQ[@]"}};
    static const struct member object[] = {{"s", "gl_ObjectPlaneS[@]"},
                                           {"t", "gl_ObjectPlaneT[@]"},
                                           {"r", "gl_ObjectPlaneR[@]"},
                                           {"q", "gl_ObjectPlaneQ[@]"}};
    uint32_t unit;

    if (!take_index(at, false, COORDINATES, &unit))
        return false;
    if (retrace_token_take_member(at, "eye"))
        return set_element(out, TAKE_WORD(at, eye), unit);
    return retrace_token_take_member(at, "object") && set_element(out, TAKE_WORD(at, object), unit);
}

static bool take_fog(const char **at, struct retrace_register *out)
{
    static const struct member members[] = {
        {"color", "gl_Fog.color"},
        {"params", "vec4(gl_Fog.density, gl_Fog.start, gl_Fog.end, gl_Fog.scale)"}};

    return set_element(out, TAKE_WORD(at, members), 0);
}

static bool take_plane(const char **at, struct retrace_register *out)
{
    uint32_t plane;

    return take_index(at, true, PLANES, &plane) && retrace_token_take_member(at, "plane") &&
           set_element(out, "gl_ClipPlane[@]", plane);
}

static bool take_point(const char **at, struct retrace_register *out)
{
    static const struct member members[] = {{"size", "point_size()"},
                                            {"attenuation", "point_attenuation()"}};

    return set_element(out, TAKE_WORD(at, members), 0);
}

/* Matrices: rows of a matrix are columns of its transpose. */

static bool set_matrix(struct retrace_register *out, const char *name, bool is_array)
{
    static const char *const changes[] = {[RETRACE_MATRIX_AS_IS] = "Transpose",
                                          [RETRACE_MATRIX_INVERSE] = "InverseTranspose",
                                          [RETRACE_MATRIX_TRANSPOSE] = "",
                                          [RETRACE_MATRIX_INVTRANS] = "Inverse"};
    char index[16] = "";

    out->kind = RETRACE_BINDING_ROW;
    if (is_array)
        snprintf(index, sizeof(index), "[%u]", (unsigned)out->number);
    snprintf(out->state, sizeof(out->state), "%s%s%s", name, changes[out->change], index);
    return true;
}

static uint8_t take_change(const char **at)
{
    if (retrace_token_take_member(at, "inverse"))
        return RETRACE_MATRIX_INVERSE;
    if (retrace_token_take_member(at, "transpose"))
        return RETRACE_MATRIX_TRANSPOSE;
    return retrace_token_take_member(at, "invtrans") ? RETRACE_MATRIX_INVTRANS
                                                     : RETRACE_MATRIX_AS_IS;
}

static bool take_rows(const char **at, struct retrace_register *out, unsigned *count)
{
    uint32_t last = ROWS - 1;

    out->row = 0;
    if (retrace_token_take_member(at, "row") &&
        (!retrace_token_take_range(at, &out->row, &last) || last >= ROWS))
        return false;
    *count = last - out->row + 1;
    return true;
}

static bool take_matrix(const char **at, struct retrace_register *out, unsigned *count,
                        const char **why)
{
    static const struct member names[] = {{"modelview", "gl_ModelViewMatrix"},
                                          {"projection", "gl_ProjectionMatrix"},
                                          {"mvp", "gl_ModelViewProjectionMatrix"},
                                          {"texture", "gl_TextureMatrix"},
                                          {"program", ""}};
    const char *name = TAKE_WORD(at, names);
    const bool is_program = name == names[4].format, is_texture = name == names[3].format;

    if (name == NULL && retrace_token_take_member(at, "palette"))
        *why = no_state;
    if (name == NULL ||
        !take_index(at, is_program, is_program ? MATRICES : COORDINATES, &out->number))
        return false;
    /* another model view matrix, for blending */
    if (!is_program && !is_texture && out->number > 0) {
        *why = no_state;
        return false;
    }
    out->change = take_change(at);
    if (!take_rows(at, out, count))
        return false;
    out->kind = RETRACE_BINDING_MATRIX;
    return is_program || set_matrix(out, name, is_texture);
}

static bool take_state(const char **at, struct retrace_register *out, unsigned *count,
                       const char **why)
{
    static const struct {
        const char *word;
        bool (*take)(const char **at, struct retrace_register *out);
    } kinds[] = {{"material", take_material},
                 {"light", take_light},
                 {"lightmodel", take_light_model},
                 {"lightprod", take_light_product},
                 {"texgen", take_texture_generation},
                 {"fog", take_fog},
                 {"clip", take_plane},
                 {"point", take_point}};

    if (retrace_token_take_member(at, "matrix"))
        return take_matrix(at, out, count, why);
    for (size_t n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++)
        if (retrace_token_take_member(at, kinds[n].word))
            return kinds[n].take(at, out);
    return false;
}

/* Constants. */

static bool take_signed(const char **at, float *number)
{
    const bool is_negative = retrace_token_take(at, "-");

    if (!is_negative)
        (void)retrace_token_take(at, "+");
    if (!retrace_token_take_real(at, number))
        return false;
    *number = is_negative ? -*number : *number;
    return true;
}

/*
 * Parses `{1.0, 2.0}`, where missing components are those of (0, 0, 0, 1), or a number that is used
 * for all four.
 */
static bool take_constant(const char **at, struct retrace_register *out)
{
    static const float rest[4] = {0, 0, 0, 1};
    unsigned count = 0;

    out->kind = RETRACE_BINDING_CONSTANT;
    if (!retrace_token_take(at, "{")) {
        if (!take_signed(at, &out->constant[0]))
            return false;
        for (unsigned n = 1; n < 4; n++)
            out->constant[n] = out->constant[0];
        return true;
    }
    memcpy(out->constant, rest, sizeof(rest));
    do
        if (!take_signed(at, &out->constant[count++]))
            return false;
    while (count < 4 && retrace_token_take(at, ","));
    return retrace_token_take(at, "}");
}

static bool take_register(const char **at, struct retrace_register *out, unsigned *count)
{
    uint32_t last;

    if (retrace_token_take_member(at, "env"))
        out->kind = RETRACE_BINDING_ENV;
    else if (retrace_token_take_member(at, "local"))
        out->kind = RETRACE_BINDING_LOCAL;
    else
        return false;
    if (!retrace_token_take_range(at, &out->number, &last) || last >= REGISTERS_MAX)
        return false;
    *count = last - out->number + 1;
    return true;
}

bool retrace_take_parameter(const char **at, struct retrace_register *first, unsigned *count,
                            const char **why)
{
    *first = (struct retrace_register){.kind = RETRACE_BINDING_CONSTANT};
    *count = 1;
    if (retrace_token_take(at, "program"))
        return take_register(at, first, count);
    if (retrace_token_take(at, "state"))
        return take_state(at, first, count, why);
    return take_constant(at, first);
}

struct retrace_register retrace_next_parameter(const struct retrace_register *first, unsigned n)
{
    struct retrace_register next = *first;

    if (next.kind == RETRACE_BINDING_ENV || next.kind == RETRACE_BINDING_LOCAL)
        next.number += n;
    else
        next.row += n;
    return next;
}

static bool is_plain(const float values[4])
{
    for (unsigned n = 0; n < 4; n++)
        if (!isfinite(values[n]))
            return false;
    return true;
}

bool retrace_add_parameter(const struct retrace_register *parameter, struct text *text)
{
    const float *values = parameter->constant;

    switch (parameter->kind) {
    case RETRACE_BINDING_CONSTANT:
        if (!is_plain(values))
            return false;
        text_printf(text, "vec4(%.8e, %.8e, %.8e, %.8e)", (double)values[0], (double)values[1],
                    (double)values[2], (double)values[3]);
        return true;
    case RETRACE_BINDING_ROW:
        text_printf(text, "%s[%u]", parameter->state, (unsigned)parameter->row);
        return true;
    case RETRACE_BINDING_STATE:
        text_add(text, parameter->state);
        return true;
    default:
        return false;
    }
}

/* Attributes. */

static bool set_attribute(char expression[RETRACE_ATTRIBUTE_ROOM], const char *text)
{
    snprintf(expression, RETRACE_ATTRIBUTE_ROOM, "%s", text);
    return true;
}

static bool take_generic(const char **at, char expression[RETRACE_ATTRIBUTE_ROOM],
                         unsigned *generic)
{
    uint32_t index;

    if (!take_index(at, true, RETRACE_GENERIC_MAX, &index))
        return false;
    *generic = index;
    snprintf(expression, RETRACE_ATTRIBUTE_ROOM, index == 0 ? "gl_Vertex" : "attribute%u",
             (unsigned)index);
    return true;
}

bool retrace_take_attribute(const char **at, char expression[RETRACE_ATTRIBUTE_ROOM],
                            unsigned *generic, const char **why)
{
    static const struct member members[] = {{"position", "gl_Vertex"},
                                            {"normal", "vec4(gl_Normal, 1.0)"},
                                            {"fogcoord", "vec4(gl_FogCoord, 0.0, 0.0, 1.0)"}};
    const char *found;
    uint32_t unit;

    *generic = 0;
    if (retrace_token_take_member(at, "attrib"))
        return take_generic(at, expression, generic);
    if (retrace_token_take_member(at, "color")) {
        if (retrace_token_take_member(at, "secondary"))
            return set_attribute(expression, "gl_SecondaryColor");
        (void)retrace_token_take_member(at, "primary");
        return set_attribute(expression, "gl_Color");
    }
    if (retrace_token_take_member(at, "texcoord")) {
        if (!take_index(at, false, COORDINATES, &unit))
            return false;
        snprintf(expression, RETRACE_ATTRIBUTE_ROOM, "gl_MultiTexCoord%u", (unsigned)unit);
        return true;
    }
    found = TAKE_WORD(at, members);
    if (found == NULL) {
        if (retrace_token_take_member(at, "weight") || retrace_token_take_member(at, "matrixindex"))
            *why = no_state;
        return false;
    }
    return set_attribute(expression, found);
}

/* Results. */

enum { COLOUR = 1, FOG = 5, SIZE = 6 };

bool retrace_take_result(const char **at, unsigned *result)
{
    uint32_t unit;

    if (retrace_token_take_member(at, "position"))
        *result = RETRACE_RESULT_POSITION;
    else if (retrace_token_take_member(at, "fogcoord"))
        *result = FOG;
    else if (retrace_token_take_member(at, "pointsize"))
        *result = SIZE;
    else if (retrace_token_take_member(at, "color")) {
        *result = COLOUR + (take_side(at) ? 2 : 0);
        if (!retrace_token_take_member(at, "primary"))
            *result += retrace_token_take_member(at, "secondary");
    } else if (retrace_token_take_member(at, "texcoord")) {
        if (!take_index(at, false, RETRACE_RESULTS - RETRACE_RESULT_TEXTURES, &unit))
            return false;
        *result = RETRACE_RESULT_TEXTURES + unit;
    } else {
        return false;
    }
    return true;
}

void retrace_result_name(unsigned result, char name[32])
{
    static const char *const names[RETRACE_RESULT_TEXTURES] = {
        "position", "color",    "color.secondary", "color.back", "color.back.secondary",
        "fogcoord", "pointsize"};

    if (result < RETRACE_RESULT_TEXTURES)
        snprintf(name, 32, "result.%s", names[result]);
    else
        snprintf(name, 32, "result.texcoord[%u]", result - RETRACE_RESULT_TEXTURES);
}

bool retrace_result_is_single(unsigned result)
{
    return result == FOG || result == SIZE;
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/begun_calls.h"

#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/gl.h"

#include <string.h>

/*
 * Calls that may occur between glBegin() and glEnd(), by the beginning of their names; usually a
 * number of components follows.
 */
static const struct form {
    const char *begin;
    uint8_t kind, slot;
} forms[] = {
    {"glVertexAttrib", RETRACE_BEGUN_SETS, RETRACE_SLOT_NUMBERS},
    {"glVertex", RETRACE_BEGUN_VERTEX, RETRACE_SLOT_VERTEX},
    {"glNormal", RETRACE_BEGUN_SETS, RETRACE_SLOT_NORMAL},
    {"glColor", RETRACE_BEGUN_SETS, RETRACE_SLOT_COLOR},
    {"glFogCoord", RETRACE_BEGUN_SETS, RETRACE_SLOT_FOG},
    {"glSecondaryColor", RETRACE_BEGUN_SETS, RETRACE_SLOT_SECONDARY},
    {"glTexCoord", RETRACE_BEGUN_SETS, RETRACE_SLOT_TEXTURES},
    {"glMultiTexCoord", RETRACE_BEGUN_SETS, RETRACE_SLOT_TEXTURES},
    {"glMaterial", RETRACE_BEGUN_MATERIAL, 0},
    {"glEdgeFlag", RETRACE_BEGUN_FLAG, 0},
    {"glArrayElement", RETRACE_BEGUN_ELEMENT, 0},
    {"glEvalCoord", RETRACE_BEGUN_EVALUATES, 0},
    {"glEvalPoint", RETRACE_BEGUN_EVALUATES, 0},
};

/*
 * Returns whether the end of a name is a type whose numbers need no conversion, optionally followed
 * by `v` and a vendor's suffix.
 */
static bool has_plain_type(const char *end)
{
    static const char *const types[] = {"b", "ub", "s", "us", "i", "ui", "f", "d"};

    for (size_t n = 0; n < sizeof(types) / sizeof(types[0]); n++) {
        const size_t length = strlen(types[n]);
        const char *rest = end + length;

        if (strncmp(end, types[n], length) != 0)
            continue;
        rest += *rest == 'v';
        if (*rest == '\0' || strcmp(rest, "ARB") == 0 || strcmp(rest, "EXT") == 0)
            return true;
    }
    return false;
}

static const struct form *find_form(const char *name)
{
    for (size_t n = 0; n < sizeof(forms) / sizeof(forms[0]); n++)
        if (strncmp(name, forms[n].begin, strlen(forms[n].begin)) == 0)
            return &forms[n];
    return NULL;
}

/* Parses what precedes the number of components: packed numbers, integers or doubles. */
static const char *parse_way(const char *rest, bool of_number, struct retrace_begun_call *out)
{
    out->type = GL_FLOAT;
    out->packed = *rest == 'P';
    if (of_number && *rest == 'I')
        out->type = rest[1] != '\0' && rest[2] == 'u' ? GL_UNSIGNED_INT : GL_INT;
    else if (of_number && *rest == 'L')
        out->type = GL_DOUBLE;
    return rest + (out->packed || out->type != GL_FLOAT);
}

/* Parses the rest of a name after its beginning. */
static bool parse(const struct form *form, const char *rest, struct retrace_begun_call *out)
{
    const bool of_number = form->slot == RETRACE_SLOT_NUMBERS;

    if (form->kind == RETRACE_BEGUN_MATERIAL)
        return has_plain_type(rest);
    if (form->kind == RETRACE_BEGUN_FLAG)
        return strcmp(rest, "") == 0 || strcmp(rest, "v") == 0;
    if (form->kind == RETRACE_BEGUN_ELEMENT)
        return strcmp(rest, "") == 0 || strcmp(rest, "EXT") == 0;
    if (form->kind == RETRACE_BEGUN_EVALUATES)
        return true;
    rest = parse_way(rest, of_number, out);
    out->components = 1;
    if (form->slot != RETRACE_SLOT_FOG) {
        if (*rest < '1' || *rest > '4')
            return false;
        out->components = (unsigned)(*rest++ - '0');
    }
    out->first = of_number || strcmp(form->begin, "glMultiTexCoord") == 0;
    out->normalized = of_number && *rest == 'N';
    return has_plain_type(rest + out->normalized);
}

/* Arguments. */

double retrace_number(unsigned type, const uint8_t *at)
{
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        uint16_t u16;
        uint32_t u32;
        float f32;
        double f64;
    } value;

    memcpy(&value, at, retrace_type_size(type));
    switch (type) {
    case RETRACE_I8:
        return value.i8;
    case RETRACE_U8:
        return *at;
    case RETRACE_I16:
        return value.i16;
    case RETRACE_U16:
        return value.u16;
    case RETRACE_I32:
        return value.i32;
    case RETRACE_U32:
        return value.u32;
    case RETRACE_F32:
        return (double)value.f32;
    case RETRACE_F64:
        return value.f64;
    default:
        return 0;
    }
}

double retrace_recorded_number(const struct retrace_recorded *call, unsigned argument, unsigned n)
{
    const struct retrace_function *gl = call->binding->gl;
    const uint8_t *at = argument < gl->count ? retrace_recorded_argument(call, argument) : NULL;
    const unsigned type = at != NULL ? gl->parameters[argument].type : RETRACE_VOID;

    return at != NULL ? retrace_number(type, at + n * retrace_type_size(type)) : 0;
}

/*
 * Returns whether an argument provides `count` numbers: as a pointer to them, or as the first of
 * `count` values that are the call's last arguments.
 */
static bool has_numbers(const struct retrace_recorded *call, unsigned argument, unsigned count)
{
    const struct retrace_function *gl = call->binding->gl;
    const struct retrace_parameter *parameter;

    if (argument >= gl->count)
        return false;
    parameter = &gl->parameters[argument];
    if (parameter->way == RETRACE_VALUE)
        return gl->count == argument + count;
    return parameter->way == RETRACE_IN && parameter->length == RETRACE_LENGTH_COUNTED &&
           parameter->counted == 0 && parameter->factor >= count &&
           retrace_recorded_argument(call, argument) != NULL;
}

/*
 * Returns whether the call has signed normalized integers, which versions of OpenGL convert
 * differently.
 */
static bool is_disputed(const struct retrace_recorded *call, const struct retrace_begun_call *out)
{
    const unsigned type = call->binding->gl->parameters[out->first].type;

    if (!out->normalized)
        return false;
    return out->packed ? retrace_recorded_number(call, out->first, 0) == GL_INT_2_10_10_10_REV
                       : type == RETRACE_I8 || type == RETRACE_I16 || type == RETRACE_I32;
}

static GLenum packed_type(const struct retrace_recorded *call, const struct retrace_begun_call *out)
{
    return (GLenum)retrace_recorded_number(call, out->first, 0);
}

/*
 * Packed numbers follow the argument with their type and, in glVertexAttribP…(), the one that says
 * whether they are normalized.
 */
static bool find_packed(const struct retrace_recorded *call, bool of_number,
                        struct retrace_begun_call *out)
{
    const GLenum type = packed_type(call, out);

    if (of_number)
        out->normalized = retrace_recorded_number(call, out->first + 1u, 0) != 0;
    return (type == GL_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_2_10_10_10_REV ||
            (type == GL_UNSIGNED_INT_10F_11F_11F_REV && out->components == 3 && of_number)) &&
           has_numbers(call, out->first + 1u + of_number, 1);
}

/* Finds the slot that a call sets. Returns false if it is unknown. */
static bool find_slot(const struct retrace_recorded *call, const struct form *form,
                      struct retrace_begun_call *out)
{
    int64_t n = out->first > 0 ? (int64_t)retrace_recorded_number(call, 0, 0) : 0;

    out->slot = form->slot;
    if (form->slot == RETRACE_SLOT_NUMBERS && n == 0) {
        out->kind = RETRACE_BEGUN_VERTEX;
        out->slot = RETRACE_SLOT_VERTEX;
        return true;
    }
    if (form->slot == RETRACE_SLOT_TEXTURES && out->first > 0)
        n -= GL_TEXTURE0;
    if (form->slot >= RETRACE_SLOT_TEXTURES)
        out->slot += (unsigned)n;
    return n >= 0 && n < (form->slot == RETRACE_SLOT_NUMBERS ? (int)RETRACE_BEGUN_NUMBERS
                                                             : (int)RETRACE_BEGUN_UNITS);
}

void retrace_begun_call(const struct retrace_recorded *call, struct retrace_begun_call *out)
{
    const char *name = call->binding->gl->name;
    const struct form *form = find_form(name);

    *out = (struct retrace_begun_call){.kind = RETRACE_BEGUN_OTHER};
    if (form == NULL || !parse(form, name + strlen(form->begin), out))
        return;
    out->kind = (enum retrace_begun_kind)form->kind;
    if (form->kind != RETRACE_BEGUN_VERTEX && form->kind != RETRACE_BEGUN_SETS)
        return;
    if (!find_slot(call, form, out) ||
        !(out->packed ? find_packed(call, form->slot == RETRACE_SLOT_NUMBERS, out)
                      : has_numbers(call, out->first, out->components)) ||
        (out->kind == RETRACE_BEGUN_VERTEX && is_disputed(call, out)))
        out->kind = RETRACE_BEGUN_OTHER;
}

static void unpack(const struct retrace_recorded *call, const struct retrace_begun_call *begun,
                   double numbers[4])
{
    const struct retrace_fetch fetch = {.type = packed_type(call, begun),
                                        .components = (GLint)begun->components,
                                        .normalized = begun->normalized};
    const unsigned last = call->binding->gl->count - 1u;
    double values[4] = {0};

    retrace_fetch_decode(&fetch, retrace_recorded_argument(call, last), values);
    memcpy(numbers, values, begun->components * sizeof(values[0]));
}

/* Converts an integer of a normalized call to a float from -1 or 0 to 1. */
static double normalize(unsigned type, double number)
{
    static const double largest[RETRACE_TYPES] = {
        [RETRACE_I8] = INT8_MAX,    [RETRACE_U8] = UINT8_MAX,  [RETRACE_I16] = INT16_MAX,
        [RETRACE_U16] = UINT16_MAX, [RETRACE_I32] = INT32_MAX, [RETRACE_U32] = UINT32_MAX};

    if (largest[type] == 0)
        return number;
    return number / largest[type] < -1 ? -1 : number / largest[type];
}

void retrace_begun_numbers(const struct retrace_recorded *call,
                           const struct retrace_begun_call *begun, double numbers[4])
{
    const struct retrace_parameter *parameter = &call->binding->gl->parameters[begun->first];
    const bool values = parameter->way == RETRACE_VALUE;

    numbers[0] = numbers[1] = numbers[2] = 0;
    numbers[3] = 1;
    if (begun->packed) {
        unpack(call, begun, numbers);
        return;
    }
    for (unsigned n = 0; n < begun->components; n++) {
        numbers[n] = values ? retrace_recorded_number(call, begun->first + n, 0)
                            : retrace_recorded_number(call, begun->first, n);
        if (begun->normalized)
            numbers[n] = normalize(parameter->type, numbers[n]);
    }
}

bool retrace_recorded_rectangle(const struct retrace_recorded *call, double corners[4])
{
    const struct retrace_function *gl = call->binding->gl;

    if (strncmp(gl->name, "glRect", 6) != 0)
        return false;
    for (unsigned n = 0; n < 4; n++)
        corners[n] = gl->count == 2 ? retrace_recorded_number(call, n / 2, n % 2)
                                    : retrace_recorded_number(call, n, 0);
    if (gl->count == 2)
        return has_numbers(call, 0, 2) && has_numbers(call, 1, 2);
    return gl->count == 4;
}

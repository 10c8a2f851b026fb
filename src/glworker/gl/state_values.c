/* SPDX-License-Identifier: MIT */
/* Queries a row of the table from the driver, and writes its values as text. */
#include "config.h"

#include "glworker/gl/state_values.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/enum_names.h"

#include "glworker/gl/mark.h"
#include "glworker/gl/surfaces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Enumerators of compatibility contexts, which the core profile's header lacks. libOpenGL has the
 * functions.
 */

enum { VALUES_MAX = 16 };

/* The driver's answer: flags and numbers, or floats. */
struct answer {
    GLint integers[VALUES_MAX];
    GLfloat reals[VALUES_MAX];
};

static int compare(const void *value, const void *row)
{
    uint32_t wanted = *(const uint32_t *)value, found = ((const struct retrace_enum *)row)->value;

    return wanted < found ? -1 : wanted > found;
}

const char *retrace_enum_name(uint32_t value)
{
    const struct retrace_enum *found =
        bsearch(&value, retrace_enums, retrace_enum_count, sizeof(retrace_enums[0]), compare);

    return found != NULL ? found->name : NULL;
}

void retrace_state_add_enum(struct text *text, uint32_t value)
{
    const char *name = retrace_enum_name(value);

    if (name != NULL)
        text_add(text, name);
    else
        text_printf(text, "0x%" PRIX32, value);
}

/* Writes as many digits as distinguish a float from its neighbours: 6 to 9. */
void retrace_state_add_float(struct text *text, double value)
{
    char digits[32];

    for (int precision = 6; precision <= 9; precision++) {
        snprintf(digits, sizeof(digits), "%.*g", precision, value);
        if ((float)strtod(digits, NULL) == (float)value)
            break;
    }
    text_add(text, digits);
}

void retrace_state_add_position(struct text *text, const float *position, char separator)
{
    for (unsigned n = 0; n < 4; n++) {
        if (n > 0)
            text_add_char(text, separator);
        retrace_state_add_float(text, (double)position[n]);
    }
}

uint64_t retrace_old_name(const struct retrace *retrace, enum retrace_names space, uint64_t name)
{
    const struct retrace_context *context = retrace_context(retrace);
    const struct retrace_map *maps[] = {&retrace->names[space],
                                        context != NULL ? &context->names[space] : NULL};
    uint64_t old = name;
    bool found = false;

    if (name == 0)
        return 0;
    for (int m = 1; m >= 0 && !found; m--)
        for (uint32_t n = 0; maps[m] != NULL && n < maps[m]->room; n++) {
            const struct retrace_pair *pair = &maps[m]->pairs[n];

            /* If a name was used several times, the last old name counts. */
            if (pair->key == RETRACE_NO_KEY || pair->value != name || (found && pair->key < old))
                continue;
            old = pair->key;
            found = true;
        }
    return old;
}

unsigned retrace_state_api(const struct retrace_context *context)
{
    GLint profile = 0;

    if (context->es)
        return context->major < 2 ? STATE_ES1
                                  : STATE_ES2 | (context->config.major >= 3 ? STATE_ES3 : 0);
    if (retrace_state_get(GL_CONTEXT_PROFILE_MASK, &profile) &&
        profile == GL_CONTEXT_CORE_PROFILE_BIT)
        return STATE_CORE;
    return STATE_OLD;
}

bool retrace_state_get(GLenum what, GLint *value)
{
    *value = 0;
    graphics_failed();
    glGetIntegerv(what, value);
    return !graphics_failed();
}

/* A flag may be a switch, which some drivers report through glIsEnabled() only. */
static void ask_context(const struct state_row *row, struct answer *answer)
{
    GLboolean flags[VALUES_MAX] = {0};

    if (row->type == STATE_FLOAT) {
        glGetFloatv(row->what, answer->reals);
    } else if (row->type == STATE_FLAG) {
        glGetBooleanv(row->what, flags);
        for (unsigned n = 0; n < row->count; n++)
            answer->integers[n] = flags[n];
    } else {
        glGetIntegerv(row->what, answer->integers);
        answer->integers[0] -= retrace_mark_depth(row->what);
    }
}

static void ask_indexed(const struct state_place *place, const struct state_row *row,
                        struct answer *answer)
{
    GLboolean flags[VALUES_MAX] = {0};
    GLdouble range[2] = {0};

    if (row->what == GL_DEPTH_RANGE) {
        glGetDoublei_v(row->what, place->index, range);
        answer->reals[0] = (GLfloat)range[0];
        answer->reals[1] = (GLfloat)range[1];
    } else if (row->type == STATE_FLOAT) {
        glGetFloati_v(row->what, place->index, answer->reals);
    } else if (row->type == STATE_FLAG && row->count == 1 && place->group != STATE_OF_IMAGE_UNIT) {
        answer->integers[0] = glIsEnabledi(row->what, place->index);
    } else if (row->type == STATE_FLAG) {
        glGetBooleani_v(row->what, place->index, flags);
        for (unsigned n = 0; n < row->count; n++)
            answer->integers[n] = flags[n];
    } else {
        glGetIntegeri_v(row->what, place->index, answer->integers);
    }
}

static void ask_texture(const struct state_place *place, const struct state_row *row,
                        struct answer *answer)
{
    bool real = row->type == STATE_FLOAT;

    if (place->group == STATE_OF_SAMPLER && real)
        glGetSamplerParameterfv(place->index, row->what, answer->reals);
    else if (place->group == STATE_OF_SAMPLER)
        glGetSamplerParameteriv(place->index, row->what, answer->integers);
    else if (place->group == STATE_OF_LEVEL)
        glGetTexLevelParameteriv(place->target, place->level, row->what, answer->integers);
    else if (real)
        glGetTexParameterfv(place->target, row->what, answer->reals);
    else
        glGetTexParameteriv(place->target, row->what, answer->integers);
}

static void ask_fixed(const struct state_place *place, const struct state_row *row,
                      struct answer *answer)
{
    bool real = row->type == STATE_FLOAT;

    if (place->group == STATE_OF_LIGHT)
        glGetLightfv(place->target, row->what, answer->reals);
    else if (place->group == STATE_OF_MATERIAL)
        glGetMaterialfv(place->target, row->what, answer->reals);
    else if (place->group == STATE_OF_TEXTURE_GEN && real)
        glGetTexGenfv(place->target, row->what, answer->reals);
    else if (place->group == STATE_OF_TEXTURE_GEN)
        glGetTexGeniv(place->target, row->what, answer->integers);
    else if (real)
        glGetTexEnvfv(place->target, row->what, answer->reals);
    else
        glGetTexEnviv(place->target, row->what, answer->integers);
}

/* Returns false if the driver lacks the state. */
static bool ask(const struct state_place *place, const struct state_row *row, struct answer *answer)
{
    *answer = (struct answer){0};
    graphics_failed();
    switch (place->group) {
    case STATE_OF_CONTEXT:
    case STATE_OF_UNIT:
    case STATE_OF_COORDINATES:
        ask_context(row, answer);
        break;
    case STATE_OF_VIEWPORT:
    case STATE_OF_DRAW_BUFFER:
    case STATE_OF_VERTEX_BINDING:
    case STATE_OF_IMAGE_UNIT:
        ask_indexed(place, row, answer);
        break;
    case STATE_OF_ATTRIBUTE:
        glGetVertexAttribiv(place->index, row->what, answer->integers);
        break;
    case STATE_OF_TEXTURE:
    case STATE_OF_LEVEL:
    case STATE_OF_SAMPLER:
        ask_texture(place, row, answer);
        break;
    case STATE_OF_BUFFER:
        glGetBufferParameteriv(place->target, row->what, answer->integers);
        break;
    case STATE_OF_ATTACHMENT:
        glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, place->target, row->what,
                                              answer->integers);
        break;
    case STATE_OF_RENDERBUFFER:
        glGetRenderbufferParameteriv(GL_RENDERBUFFER, row->what, answer->integers);
        break;
    case STATE_OF_PROGRAM:
        glGetProgramiv(place->index, row->what, answer->integers);
        break;
    default:
        ask_fixed(place, row, answer);
        break;
    }
    return !graphics_failed();
}

static void add_value(const struct retrace *retrace, const struct state_row *row,
                      const struct answer *answer, unsigned n, struct text *text)
{
    GLint value = answer->integers[n];

    if (row->type == STATE_FLOAT)
        retrace_state_add_float(text, (double)answer->reals[n]);
    else if (row->type == STATE_FLAG)
        text_add(text, value ? "GL_TRUE" : "GL_FALSE");
    else if (row->type == STATE_MASK)
        text_printf(text, "0x%" PRIX32, (uint32_t)value);
    else if (row->type == STATE_INT)
        text_add_i64(text, value);
    else if (row->type == STATE_NAME)
        text_add_u64(text,
                     retrace_old_name(retrace, (enum retrace_names)row->names, (uint32_t)value));
    else if (value == 0)
        text_add(text, row->type == STATE_FACTOR ? "GL_ZERO" : "GL_NONE");
    else if (value == 1 && row->type == STATE_FACTOR)
        text_add(text, "GL_ONE");
    else
        retrace_state_add_enum(text, (uint32_t)value);
}

void retrace_state_tell(const struct retrace *retrace, const struct state_place *place,
                        enum state_section section, struct text *text)
{
    const unsigned api = retrace_state_api(retrace_context(retrace));

    for (size_t r = 0; r < retrace_state_row_count; r++) {
        const struct state_row *row = &retrace_state_rows[r];
        struct answer answer;

        if (row->group != place->group || row->section != section || (row->apis & api) == 0 ||
            !ask(place, row, &answer))
            continue;
        if (place->prefix != NULL)
            text_printf(text, "%s.", place->prefix);
        text_printf(text, "%s = ", row->name);
        for (unsigned n = 0; n < row->count; n++) {
            if (n > 0)
                text_add(text, ", ");
            add_value(retrace, row, &answer, n, text);
        }
        text_add_char(text, '\n');
    }
}

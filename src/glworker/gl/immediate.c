/* SPDX-License-Identifier: MIT */
/*
 * Of what is not a vertex, such as a colour, the driver tells what it comes to: the call is made
 * once more outside of glBegin(), and what is current then is asked for.
 */
#include "config.h"

#include "glworker/gl/immediate.h"

#include "glworker/gl/assembly.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/programs.h"
#include "glworker/gl/recording.h"
#include "glworker/gl/surfaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOT_MATERIAL = RETRACE_SLOTS_FIXED, /* no attribute */
    SLOT_PLAIN,
    UNITS = 8,
    NUMBERS = 32,
    SLOTS = RETRACE_SLOT_NUMBERS + NUMBERS,
    CURRENT_TEXTURE_COORDS = 0x0B03,
};

struct retrace_immediate {
    struct retrace_recording *calls;
    bool whole;   /* all calls are there */
    uint64_t end; /* the number of its glEnd() */
};

/* Which calls may stand there, by how names begin: a number of components comes next. */
static const struct form {
    const char *begin;
    const char *array; /* that has the same */
    uint8_t slot;
    GLenum current; /* by which the driver tells it */
} forms[] = {
    {"glVertexAttrib", NULL, RETRACE_SLOT_NUMBERS, GL_CURRENT_VERTEX_ATTRIB},
    {"glVertex", "GL_VERTEX_ARRAY", RETRACE_SLOT_VERTEX, 0},
    {"glNormal", "GL_NORMAL_ARRAY", RETRACE_SLOT_NORMAL, 0x0B02},
    {"glColor", "GL_COLOR_ARRAY", RETRACE_SLOT_COLOR, 0x0B00},
    {"glFogCoord", "GL_FOG_COORD_ARRAY", RETRACE_SLOT_FOG, 0x8453},
    {"glSecondaryColor", "GL_SECONDARY_COLOR_ARRAY", RETRACE_SLOT_SECONDARY, 0x8459},
    {"glTexCoord", NULL, RETRACE_SLOT_TEXTURES, CURRENT_TEXTURE_COORDS},
    {"glMultiTexCoord", NULL, RETRACE_SLOT_TEXTURES, CURRENT_TEXTURE_COORDS},
    {"glMaterial", NULL, SLOT_MATERIAL, 0},
    {"glEdgeFlag", NULL, SLOT_PLAIN, 0},
};

/* A call's name taken apart. */
struct parsed {
    const struct form *form;
    unsigned components;
    unsigned first; /* argument with them */
    bool normalized;
};

/* The end of a name: of a type whose numbers are what they seem to be, and perhaps of a list. */
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

static bool parse(const char *name, struct parsed *out)
{
    const char *rest;

    *out = (struct parsed){.form = NULL};
    for (size_t n = 0; n < sizeof(forms) / sizeof(forms[0]) && out->form == NULL; n++)
        if (strncmp(name, forms[n].begin, strlen(forms[n].begin)) == 0)
            out->form = &forms[n];
    if (out->form == NULL)
        return false;
    rest = name + strlen(out->form->begin);
    if (out->form->slot == SLOT_MATERIAL || out->form->slot == SLOT_PLAIN)
        return out->form->slot == SLOT_PLAIN ? strcmp(rest, "") == 0 || strcmp(rest, "v") == 0
                                             : has_plain_type(rest);
    out->components = 1;
    if (out->form->slot != RETRACE_SLOT_FOG) {
        if (*rest < '1' || *rest > '4')
            return false;
        out->components = (unsigned)(*rest++ - '0');
    }
    out->first = strcmp(out->form->begin, "glVertexAttrib") == 0 ||
                 strcmp(out->form->begin, "glMultiTexCoord") == 0;
    out->normalized = *rest == 'N';
    return has_plain_type(rest + out->normalized);
}

/* What is kept. */

bool retrace_is_immediate(const struct retrace_call *call)
{
    return strcmp(call->binding->gl->name, "glEnd") == 0;
}

static struct retrace_immediate *begin(struct retrace_context *context)
{
    if (context->immediate == NULL)
        context->immediate = calloc(1, sizeof(*context->immediate));
    if (context->immediate == NULL)
        return NULL;
    if (context->immediate->calls == NULL)
        context->immediate->calls = retrace_recording_new();
    if (context->immediate->calls == NULL)
        return NULL;
    retrace_recording_clear(context->immediate->calls);
    context->immediate->whole = true;
    context->immediate->end = UINT64_MAX;
    return context->immediate;
}

void retrace_immediate_note(struct retrace_context *context, const struct retrace_call *call,
                            void *const *values)
{
    struct retrace_immediate *immediate = context->immediate;
    const bool begins = call->binding->paints == RETRACE_PAINTS_BEGIN;

    if ((!begins && !context->in_begin) || context->in_list)
        return;
    if (begins && !context->in_begin)
        immediate = begin(context);
    else if (begins && immediate != NULL)
        immediate->whole = false;
    if (immediate == NULL || !immediate->whole)
        return;
    immediate->whole = retrace_recording_add(immediate->calls, call, values);
    if (retrace_is_immediate(call))
        immediate->end = call->event->number;
}

void retrace_immediate_free(struct retrace_immediate *immediate)
{
    if (immediate != NULL)
        retrace_recording_free(immediate->calls);
    free(immediate);
}

/* What is told of it. */

/* One argument of a plain type. */
static double number_of(unsigned type, const uint8_t *at)
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
    default:
        return value.f64;
    }
}

struct reading {
    const struct retrace *retrace;
    struct retrace_draw_call *draw;
    float current[SLOTS][4];
    int64_t vertices;
    GLint unit; /* that is active */
};

/* -1: none that is known. */
static int slot_of(const struct retrace_recorded *call, const struct parsed *parsed)
{
    int64_t n = 0;

    if (parsed->form->slot < RETRACE_SLOT_TEXTURES)
        return parsed->form->slot;
    if (parsed->first > 0)
        n = (int64_t)number_of(RETRACE_U32, retrace_recorded_argument(call, 0));
    if (parsed->form->slot == RETRACE_SLOT_NUMBERS)
        return n == 0 ? RETRACE_SLOT_VERTEX : n < NUMBERS ? RETRACE_SLOT_NUMBERS + (int)n : -1;
    if (parsed->first > 0)
        n -= GL_TEXTURE0;
    return n >= 0 && n < UNITS ? RETRACE_SLOT_TEXTURES + (int)n : -1;
}

static void name_array(const struct reading *reading, const struct form *form, int slot,
                       char name[64])
{
    if (slot == RETRACE_SLOT_VERTEX)
        snprintf(name, 64, "GL_VERTEX_ARRAY");
    else if (form->array != NULL)
        snprintf(name, 64, "%s", form->array);
    else if (slot < RETRACE_SLOT_NUMBERS)
        snprintf(name, 64, "GL_TEXTURE_COORD_ARRAY%d", slot - RETRACE_SLOT_TEXTURES);
    else
        retrace_fetch_name_attribute(reading->retrace, slot - RETRACE_SLOT_NUMBERS, name);
}

/* Arrays stand in the order of their slots, as those of other draws do. */
static void put_array(struct reading *reading, const struct form *form, int slot,
                      unsigned components)
{
    struct retrace_draw_call *draw = reading->draw;
    struct retrace_fetch *fetch;
    unsigned place = 0;

    while (place < draw->source_count && draw->sources[place].fetch.slot < (uint32_t)slot)
        place++;
    if (place == draw->source_count || draw->sources[place].fetch.slot != (uint32_t)slot) {
        memmove(&draw->sources[place + 1], &draw->sources[place],
                (draw->source_count - place) * sizeof(draw->sources[0]));
        draw->source_count++;
        draw->sources[place] = (struct retrace_array_source){.from = reading->vertices};
        name_array(reading, form, slot, draw->sources[place].fetch.name);
    }
    fetch = &draw->sources[place].fetch;
    fetch->slot = (uint32_t)slot;
    fetch->type = GL_FLOAT;
    if (fetch->components < (GLint)components)
        fetch->components = (GLint)components;
}

/* Whether its components are there: values, or a list of as many. */
static bool has_numbers(const struct retrace_recorded *call, const struct parsed *parsed)
{
    const struct retrace_function *gl = call->binding->gl;
    const struct retrace_parameter *parameter = &gl->parameters[parsed->first];

    if (parsed->form->slot == SLOT_MATERIAL || parsed->form->slot == SLOT_PLAIN)
        return true;
    if (parsed->first >= gl->count)
        return false;
    return parameter->way == RETRACE_VALUE
               ? gl->count == parsed->first + parsed->components
               : parameter->length == RETRACE_LENGTH_COUNTED &&
                     retrace_recorded_argument(call, parsed->first) != NULL;
}

/* First it is found out which arrays there are. */
static const char *find_array(struct reading *reading, const struct retrace_recorded *call)
{
    static const char *const unknown = "it has calls whose vertices are not told";
    struct parsed parsed;
    int slot;

    if (!parse(call->binding->gl->name, &parsed))
        return unknown;
    slot = slot_of(call, &parsed);
    if (!has_numbers(call, &parsed) || slot < 0 ||
        (slot == RETRACE_SLOT_VERTEX && parsed.normalized))
        return unknown;
    if (slot == SLOT_MATERIAL)
        reading->draw->late = true;
    else if (slot != SLOT_PLAIN)
        put_array(reading, parsed.form, slot, parsed.components);
    reading->vertices += slot == RETRACE_SLOT_VERTEX;
    return NULL;
}

static bool is_end(const struct retrace_recorded *call)
{
    return call->binding->paints == RETRACE_PAINTS_BEGIN ||
           strcmp(call->binding->gl->name, "glEnd") == 0;
}

static const char *find_arrays(struct reading *reading, const struct retrace_recording *calls)
{
    struct retrace_recorded call;
    const char *why = NULL;

    for (size_t at = 0; why == NULL && retrace_recording_next(calls, &at, &call);)
        if (!is_end(&call))
            why = find_array(reading, &call);
    return why;
}

/* What is set behind the last vertex only is for none. */
static void drop_unused(struct reading *reading)
{
    struct retrace_draw_call *draw = reading->draw;
    unsigned count = 0;

    for (unsigned n = 0; n < draw->source_count; n++) {
        if (draw->sources[n].from == reading->vertices)
            continue;
        draw->late |= draw->sources[n].from > 0;
        draw->sources[count++] = draw->sources[n];
    }
    draw->source_count = count;
}

static bool make_room(struct reading *reading)
{
    struct retrace_draw_call *draw = reading->draw;

    for (unsigned n = 0; n < draw->source_count; n++) {
        struct retrace_array_source *source = &draw->sources[n];

        source->fetch.stride = (GLint)retrace_fetch_bytes(&source->fetch);
        source->size = (uint64_t)source->fetch.stride * (uint64_t)reading->vertices;
        source->copy = malloc((size_t)source->size + 1);
        source->bytes = source->copy;
        if (source->copy == NULL)
            return false;
    }
    return true;
}

/* Then each vertex has what is current at it. */
static void add_vertex(struct reading *reading, int64_t vertex)
{
    struct retrace_draw_call *draw = reading->draw;

    for (unsigned n = 0; n < draw->source_count; n++) {
        const struct retrace_fetch *fetch = &draw->sources[n].fetch;

        memcpy(draw->sources[n].copy + (size_t)vertex * (size_t)fetch->stride,
               reading->current[fetch->slot], (size_t)fetch->stride);
    }
}

static void set_position(struct reading *reading, const struct retrace_recorded *call,
                         const struct parsed *parsed)
{
    const struct retrace_parameter *parameter = &call->binding->gl->parameters[parsed->first];
    float *current = reading->current[RETRACE_SLOT_VERTEX];

    current[0] = current[1] = current[2] = 0;
    current[3] = 1;
    for (unsigned n = 0; n < parsed->components; n++) {
        const uint8_t *at = parameter->way == RETRACE_VALUE
                                ? retrace_recorded_argument(call, parsed->first + n)
                                : retrace_recorded_argument(call, parsed->first) +
                                      n * retrace_type_size(parameter->type);

        current[n] = (float)number_of(parameter->type, at);
    }
}

/* What the driver makes of it. */
static void set_current(struct reading *reading, const struct retrace_recorded *call,
                        const struct form *form, int slot)
{
    retrace_recorded_make(call);
    if (form->slot == RETRACE_SLOT_TEXTURES && reading->unit != slot - RETRACE_SLOT_TEXTURES) {
        reading->unit = slot - RETRACE_SLOT_TEXTURES;
        glActiveTexture(GL_TEXTURE0 + (GLenum)reading->unit);
    }
    if (form->slot == RETRACE_SLOT_NUMBERS)
        glGetVertexAttribfv((GLuint)(slot - RETRACE_SLOT_NUMBERS), form->current,
                            reading->current[slot]);
    else
        glGetFloatv(form->current, reading->current[slot]);
}

static void read_values(struct reading *reading, const struct retrace_recording *calls)
{
    struct retrace_recorded call;
    int64_t vertex = 0;

    for (size_t at = 0; retrace_recording_next(calls, &at, &call);) {
        struct parsed parsed;
        int slot;

        if (is_end(&call) || !parse(call.binding->gl->name, &parsed))
            continue;
        slot = slot_of(&call, &parsed);
        if (slot == RETRACE_SLOT_VERTEX) {
            set_position(reading, &call, &parsed);
            add_vertex(reading, vertex++);
        } else if (slot != SLOT_MATERIAL && slot != SLOT_PLAIN) {
            set_current(reading, &call, parsed.form, slot);
        }
    }
}

/* Of what the last glEnd() ended. */
static const char *read_all(struct reading *reading, const struct retrace_recording *calls)
{
    const GLint active = retrace_get(GL_ACTIVE_TEXTURE);
    const char *why = find_arrays(reading, calls);

    if (why != NULL)
        return why;
    if (reading->vertices == 0)
        return "it has no vertices";
    drop_unused(reading);
    if (!make_room(reading))
        return "there is no memory for it";
    graphics_failed();
    reading->unit = active - GL_TEXTURE0;
    retrace_push(RETRACE_SETS_ATTRIBUTES);
    read_values(reading, calls);
    glActiveTexture((GLenum)active);
    retrace_pop(RETRACE_SETS_ATTRIBUTES);
    return graphics_failed() ? "the driver refuses it" : NULL;
}

/*
 * What such a call ended: the vertices with all that was set for them there, as arrays in memory.
 * NULL, or why it is not known.
 */
static const char *read_ended(const struct retrace *retrace, const struct retrace_call *call,
                              struct retrace_draw_call *out)
{
    const struct retrace_context *context = retrace_context(retrace);
    const struct retrace_immediate *immediate = context->immediate;
    struct retrace_recorded begin;
    struct reading *reading;
    const char *why;
    size_t at = 0;
    int64_t mode;

    if (immediate == NULL || !immediate->whole || immediate->end != call->event->number ||
        !retrace_recording_next(immediate->calls, &at, &begin))
        return "what stands before glEnd is not known";
    mode = (int64_t)number_of(RETRACE_U32, retrace_recorded_argument(&begin, 0));
    if (mode > GL_PATCHES)
        return "it was not made";
    if (!retrace_can_push(context, RETRACE_SETS_ATTRIBUTES))
        return "what it sets cannot be put back";
    reading = calloc(1, sizeof(*reading));
    if (reading == NULL)
        return "there is no memory for it";
    reading->retrace = retrace;
    reading->draw = out;
    why = read_all(reading, immediate->calls);
    out->recording = immediate->calls;
    out->vertices =
        (struct retrace_vertices){.mode = mode, .count = reading->vertices, .instances = 1};
    free(reading);
    return why;
}

static struct retrace_draw_call *read_immediate(const struct retrace *retrace,
                                                const struct retrace_call *call, const char **why)
{
    struct retrace_draw_call *draw = calloc(1, sizeof(*draw));

    *why = draw != NULL ? read_ended(retrace, call, draw) : "there is no memory for it";
    if (*why == NULL)
        return draw;
    retrace_draw_call_free(draw);
    return NULL;
}

const char *retrace_immediate_obstacle(const struct retrace *retrace,
                                       const struct retrace_draw_call *draw)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];

    if (draw == NULL || !draw->late)
        return NULL;
    if (retrace_programs(retrace, programs) == 0 && !retrace_assembly_is_on())
        return NULL;
    return "its program may see what was current before glBegin";
}

struct retrace_draw_call *retrace_draw_read(struct retrace *retrace, const char **why)
{
    struct retrace_call call;

    if (retrace_call_again(retrace, &call) && retrace_is_immediate(&call))
        return read_immediate(retrace, &call, why);
    return retrace_draw_call_read(retrace, why);
}

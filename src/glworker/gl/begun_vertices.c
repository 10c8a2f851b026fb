/* SPDX-License-Identifier: MIT */
/*
 * The driver converts what is not a vertex, such as a colour: the call is made once more outside of
 * glBegin() and glEnd(), and the current value is queried afterwards.
 */
#include "config.h"

#include "glworker/gl/begun_vertices.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/list_arrays.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/vertex_values.h"

#include <stdlib.h>
#include <string.h>

enum {
    VERTICES_MAX = 1 << 20,
    VALUES_MAX = 1 << 23, /* of all vertices */
};

struct reading {
    const struct retrace *retrace;
    struct retrace_draw_call *draw;
    struct retrace_draw_call *elements; /* enabled arrays; NULL if not read yet */
    const struct retrace_list_before *before;
    union retrace_current current[RETRACE_BEGUN_SLOTS];
    int64_t vertices; /* number of vertices so far */
    int attributes;   /* attribute pushes that have not been popped */
    uint32_t block_room;
    bool begun;
};

static const char unknown[] = "it contains calls whose vertices are unknown";
static const char taken_back[] = "it sets an attribute that glPopAttrib restores";

/* Blocks. */

static const char *add_block(struct reading *reading, GLenum mode)
{
    struct retrace_draw_call *draw = reading->draw;

    if (reading->begun)
        return "it calls glBegin twice without glEnd";
    if (mode > GL_PATCHES)
        return "the call was not executed";
    if (draw->block_count == reading->block_room) {
        const uint32_t room = reading->block_room == 0 ? 16 : 2 * reading->block_room;
        struct retrace_draw_block *blocks =
            room <= VERTICES_MAX ? realloc(draw->blocks, room * sizeof(*blocks)) : NULL;

        if (blocks == NULL)
            return "out of memory";
        draw->blocks = blocks;
        reading->block_room = room;
    }
    draw->blocks[draw->block_count++] =
        (struct retrace_draw_block){.first = reading->vertices, .instances = 1, .mode = mode};
    reading->begun = true;
    return NULL;
}

static const char *end_block(struct reading *reading)
{
    struct retrace_draw_call *draw = reading->draw;
    struct retrace_draw_block *block;

    if (!reading->begun)
        return "it calls glEnd without glBegin";
    block = &draw->blocks[draw->block_count - 1];
    block->count = reading->vertices - block->first;
    reading->begun = false;
    return NULL;
}

/* Arrays. */

/* Inserts an array, in the order of the slots, as for other draws. */
static const char *put_array(struct reading *reading, unsigned slot, unsigned components,
                             GLenum type)
{
    struct retrace_draw_call *draw = reading->draw;
    struct retrace_fetch *fetch;
    unsigned place = 0;

    while (place < draw->source_count && draw->sources[place].fetch.slot < slot)
        place++;
    if (place == draw->source_count || draw->sources[place].fetch.slot != slot) {
        if (draw->source_count == RETRACE_FETCHES_MAX)
            return unknown;
        memmove(&draw->sources[place + 1], &draw->sources[place],
                (draw->source_count - place) * sizeof(draw->sources[0]));
        draw->source_count++;
        draw->sources[place] = (struct retrace_array_source){.from = reading->vertices};
        draw->sources[place].fetch.type = type;
        draw->sources[place].fetch.integer = type == GL_INT || type == GL_UNSIGNED_INT;
        retrace_current_name(reading->retrace, slot, draw->sources[place].fetch.name);
    }
    fetch = &draw->sources[place].fetch;
    fetch->slot = slot;
    if (fetch->type != type)
        return "one of its attributes has values of several types";
    if (fetch->components < (GLint)components)
        fetch->components = (GLint)components;
    return NULL;
}

static const char *count_vertex(struct reading *reading)
{
    return ++reading->vertices > VERTICES_MAX ? "it has too many vertices" : NULL;
}

/* Elements that glArrayElement() reads. */

/*
 * Passes the values of each enabled array to `take`. *places is set to whether an array has the
 * position, which makes the element a vertex.
 */
static const char *fetch_element(struct reading *reading, int64_t index, bool *places,
                                 const char *(*take)(struct reading *reading,
                                                     const struct retrace_fetch *fetch,
                                                     unsigned count, const double values[4]))
{
    const char *why = NULL;

    *places = false;
    if (reading->elements == NULL) {
        reading->elements = calloc(1, sizeof(*reading->elements));
        if (reading->elements == NULL)
            return "out of memory";
        retrace_draw_call_arrays(reading->retrace, reading->elements);
    }
    for (unsigned n = 0; n < reading->elements->source_count && why == NULL; n++) {
        double values[4] = {0, 0, 0, 1};
        const unsigned count = retrace_draw_call_fetch(reading->elements, n, index, 0, 0, values);

        *places |=
            retrace_current_slot(&reading->elements->sources[n].fetch) == RETRACE_SLOT_VERTEX;
        why = count > 0 ? take(reading, &reading->elements->sources[n].fetch, count, values)
                        : "one of its elements is beyond the end of its array";
    }
    return why;
}

static const char *find_element_array(struct reading *reading, const struct retrace_fetch *fetch,
                                      unsigned count, const double values[4])
{
    (void)values;
    return put_array(reading, retrace_current_slot(fetch), count, retrace_current_type(fetch));
}

static const char *find_element(struct reading *reading, const struct retrace_recorded *call)
{
    const char *why;
    bool places;

    why = fetch_element(reading, (int64_t)retrace_recorded_number(call, 0, 0), &places,
                        find_element_array);
    return why == NULL && places ? count_vertex(reading) : why;
}

/* The first pass finds the arrays and blocks. */

static const char *find_rectangle(struct reading *reading)
{
    const char *why = add_block(reading, GL_QUADS);

    if (why == NULL)
        why = put_array(reading, RETRACE_SLOT_VERTEX, 2, GL_FLOAT);
    for (unsigned n = 0; n < 4 && why == NULL; n++)
        why = count_vertex(reading);
    return why == NULL ? end_block(reading) : why;
}

/*
 * Returns whether what a call sets between draws affects vertices only through what `before`
 * restores.
 */
static bool is_put_back(const char *name)
{
    static const char *const begins[] = {
        "glActiveTexture", "glCullFace", "glFrontFace", "glFrustum",       "glLoad",
        "glMatrixMode",    "glMult",     "glOrtho",     "glPolygonOffset", "glPush",
        "glPop",           "glRotate",   "glScale",     "glShadeModel",    "glTranslate"};

    for (size_t n = 0; n < sizeof(begins) / sizeof(begins[0]); n++)
        if (strncmp(name, begins[n], strlen(begins[n])) == 0)
            return true;
    return false;
}

static const char *find_state(struct reading *reading, const struct retrace_recorded *call)
{
    const char *name = call->binding->gl->name;
    const enum retrace_step step = retrace_step(name);

    if (reading->begun || step == RETRACE_STEP_NONE || step == RETRACE_STEP_DRAWS ||
        step == RETRACE_STEP_CALLS)
        return unknown;
    reading->attributes += step == RETRACE_STEP_PUSHES_STATE;
    reading->attributes -= step == RETRACE_STEP_POPS_STATE;
    reading->draw->late |= reading->vertices > 0 && !is_put_back(name);
    return NULL;
}

static const char *find_begun(struct reading *reading, const struct retrace_recorded *call,
                              const struct retrace_begun_call *begun)
{
    const char *why;

    switch (begun->kind) {
    case RETRACE_BEGUN_VERTEX:
        why = reading->begun ? put_array(reading, begun->slot, begun->components, begun->type)
                             : unknown;
        return why == NULL ? count_vertex(reading) : why;
    case RETRACE_BEGUN_SETS:
        if (begun->slot >= RETRACE_SLOT_NUMBERS && reading->attributes > 0)
            return taken_back;
        return put_array(reading, begun->slot, begun->components, begun->type);
    case RETRACE_BEGUN_MATERIAL:
        reading->draw->late |= reading->begun || reading->vertices > 0;
        return NULL;
    case RETRACE_BEGUN_FLAG:
        return NULL;
    case RETRACE_BEGUN_ELEMENT:
        return reading->begun ? find_element(reading, call) : unknown;
    case RETRACE_BEGUN_EVALUATES:
        return "it has vertices from evaluators";
    default:
        return find_state(reading, call);
    }
}

/* Adds what was read from arrays: a vertex for glArrayElement(), otherwise a block. */
static const char *find_arrays(struct reading *reading, const struct retrace_list_arrays *arrays)
{
    const char *why = NULL;

    if (!arrays->element)
        why = add_block(reading, arrays->mode);
    else if (!reading->begun)
        return unknown;
    for (uint32_t n = 0; n < arrays->count && why == NULL; n++)
        why = arrays->list[n].slot >= RETRACE_SLOT_NUMBERS && reading->attributes > 0
                  ? taken_back
                  : put_array(reading, arrays->list[n].slot, arrays->list[n].components,
                              arrays->list[n].type);
    for (uint32_t n = 0; n < arrays->vertices && arrays->places && why == NULL; n++)
        why = count_vertex(reading);
    return why == NULL && !arrays->element ? end_block(reading) : why;
}

static const char *find_call(void *context, const struct retrace_recorded *call)
{
    struct reading *reading = context;
    const struct retrace_list_arrays *arrays = retrace_recorded_bytes(call);
    struct retrace_begun_call begun;
    double corners[4];

    if (arrays != NULL)
        return find_arrays(reading, arrays);
    if (retrace_recorded_is(call, "glBegin"))
        return add_block(reading, (GLenum)retrace_recorded_number(call, 0, 0));
    if (retrace_recorded_is(call, "glEnd"))
        return end_block(reading);
    if (retrace_recorded_rectangle(call, corners))
        return find_rectangle(reading);
    retrace_begun_call(call, &begun);
    return find_begun(reading, call, &begun);
}

/*
 * Drops what is only set after the last vertex. Values that `before` has are known from the first
 * vertex on.
 */
static void drop_unused(struct reading *reading)
{
    struct retrace_draw_call *draw = reading->draw;
    unsigned count = 0;

    for (unsigned n = 0; n < draw->source_count; n++) {
        struct retrace_array_source *source = &draw->sources[n];

        if (source->from == reading->vertices)
            continue;
        if (reading->before != NULL && source->fetch.slot < RETRACE_SLOT_NUMBERS)
            source->from = 0;
        draw->late |= source->from > 0;
        draw->sources[count++] = *source;
    }
    draw->source_count = count;
}

static const char *make_room(struct reading *reading)
{
    struct retrace_draw_call *draw = reading->draw;

    if (reading->vertices * draw->source_count > VALUES_MAX)
        return "it has too many vertices";
    for (unsigned n = 0; n < draw->source_count; n++) {
        struct retrace_array_source *source = &draw->sources[n];

        source->fetch.stride = (GLint)retrace_fetch_bytes(&source->fetch);
        source->size = (uint64_t)source->fetch.stride * (uint64_t)reading->vertices;
        source->copy = malloc((size_t)source->size + 1);
        source->bytes = source->copy;
        if (source->copy == NULL)
            return "out of memory";
    }
    return NULL;
}

/* The second pass stores the current values at each vertex. */

static void add_vertex(struct reading *reading)
{
    struct retrace_draw_call *draw = reading->draw;
    const int64_t vertex = reading->vertices++;

    for (unsigned n = 0; n < draw->source_count; n++) {
        const struct retrace_fetch *fetch = &draw->sources[n].fetch;

        memcpy(draw->sources[n].copy + (size_t)vertex * (size_t)fetch->stride,
               &reading->current[fetch->slot], (size_t)fetch->stride);
    }
}

static void add_rectangle(struct reading *reading, const double corners[4])
{
    for (unsigned n = 0; n < 4; n++) {
        const double numbers[4] = {corners[n == 1 || n == 2 ? 2 : 0], corners[n >= 2 ? 3 : 1], 0,
                                   1};

        retrace_current_set(GL_FLOAT, numbers, &reading->current[RETRACE_SLOT_VERTEX]);
        add_vertex(reading);
    }
}

static void ask_all(struct reading *reading)
{
    for (unsigned n = 0; n < reading->draw->source_count; n++) {
        const struct retrace_fetch *fetch = &reading->draw->sources[n].fetch;

        retrace_current_ask(fetch->slot, fetch->type, &reading->current[fetch->slot]);
    }
}

static const char *set_element(struct reading *reading, const struct retrace_fetch *fetch,
                               unsigned count, const double values[4])
{
    (void)count;
    retrace_current_set(retrace_current_type(fetch), values,
                        &reading->current[retrace_current_slot(fetch)]);
    return NULL;
}

static const char *read_begun(struct reading *reading, const struct retrace_recorded *call,
                              const struct retrace_begun_call *begun)
{
    const char *why = NULL;
    double numbers[4];
    bool places;

    switch (begun->kind) {
    case RETRACE_BEGUN_VERTEX:
        retrace_begun_numbers(call, begun, numbers);
        retrace_current_set(begun->type, numbers, &reading->current[begun->slot]);
        add_vertex(reading);
        break;
    case RETRACE_BEGUN_SETS:
        retrace_recorded_make(call);
        retrace_current_ask(begun->slot, begun->type, &reading->current[begun->slot]);
        break;
    case RETRACE_BEGUN_ELEMENT:
        why = fetch_element(reading, (int64_t)retrace_recorded_number(call, 0, 0), &places,
                            set_element);
        if (why == NULL && places)
            add_vertex(reading);
        break;
    default:
        if (!reading->begun)
            retrace_recorded_make(call);
        if (retrace_step(call->binding->gl->name) == RETRACE_STEP_POPS_STATE)
            ask_all(reading);
        break;
    }
    return why;
}

static void read_arrays(struct reading *reading, const struct retrace_list_arrays *arrays)
{
    for (uint32_t vertex = 0; vertex < arrays->vertices; vertex++) {
        for (uint32_t n = 0; n < arrays->count; n++)
            retrace_list_arrays_get(arrays, vertex, n, &reading->current[arrays->list[n].slot]);
        if (arrays->places)
            add_vertex(reading);
    }
    if (arrays->vertices > 0) /* glPopAttrib() may query it */
        retrace_list_arrays_make(arrays, arrays->vertices - 1, false);
}

static const char *read_call(void *context, const struct retrace_recorded *call)
{
    struct reading *reading = context;
    const struct retrace_list_arrays *arrays = retrace_recorded_bytes(call);
    struct retrace_begun_call begun;
    double corners[4];

    if (arrays != NULL) {
        read_arrays(reading, arrays);
        return NULL;
    }
    if (retrace_recorded_is(call, "glBegin") || retrace_recorded_is(call, "glEnd")) {
        reading->begun = retrace_recorded_is(call, "glBegin");
        return NULL;
    }
    if (retrace_recorded_rectangle(call, corners)) {
        add_rectangle(reading, corners);
        return NULL;
    }
    retrace_begun_call(call, &begun);
    return read_begun(reading, call, &begun);
}

static const char *walk(struct reading *reading, const struct retrace_begun_source *source,
                        const char *(*meet)(void *context, const struct retrace_recorded *call))
{
    struct retrace_list_walk walk = {.retrace = reading->retrace,
                                     .meet = meet,
                                     .context = reading,
                                     .may_stop = meet == find_call};

    reading->vertices = 0;
    return source->walk(source->calls, &walk);
}

static const char *read_all(struct reading *reading, const struct retrace_begun_source *source)
{
    const char *why = walk(reading, source, find_call);

    if (why != NULL)
        return why;
    if (reading->begun)
        return "it calls glBegin without glEnd";
    if (reading->vertices == 0)
        return "it has no vertices";
    drop_unused(reading);
    why = make_room(reading);
    if (why != NULL)
        return why;
    graphics_failed();
    retrace_push(source->sets);
    if (source->before != NULL) {
        retrace_list_before_load(source->before);
        ask_all(reading);
    }
    why = walk(reading, source, read_call);
    retrace_pop(source->sets);
    return graphics_failed() && why == NULL ? "the driver refuses it" : why;
}

const char *retrace_begun_read(const struct retrace *retrace,
                               const struct retrace_begun_source *source,
                               struct retrace_draw_call *out)
{
    struct reading *reading = calloc(1, sizeof(*reading));
    const char *why;

    if (reading == NULL)
        return "out of memory";
    reading->retrace = retrace;
    reading->draw = out;
    reading->before = source->before;
    why = read_all(reading, source);
    if (why == NULL)
        out->vertices = (struct retrace_vertices){
            .mode = out->blocks[0].mode, .count = reading->vertices, .instances = 1};
    retrace_draw_call_free(reading->elements);
    free(reading);
    return why;
}

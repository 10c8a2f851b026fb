/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/lists.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/list_calls.h"
#include "glworker/gl/matrices.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <string.h>

/* Bits of compatibility contexts, which headers for core profiles lack. */
enum {
    CURRENT_BIT = 0x1,
    POINT_BIT = 0x2,
    POLYGON_BIT = 0x8,
    LIGHTING_BIT = 0x40,
    FOG_BIT = 0x80,
    TRANSFORM_BIT = 0x1000,
    TEXTURE_BIT = 0x40000,
    LIGHTS = 8,
};

/* Plain calls. */

/* What plain lists may enable or disable: nothing that coverage.c changes. */
static const GLenum switches[] = {
    GL_CULL_FACE,     GL_LIGHTING,         GL_COLOR_MATERIAL,      GL_FOG,
    GL_NORMALIZE,     GL_RESCALE_NORMAL,   GL_TEXTURE_GEN_S,       GL_TEXTURE_GEN_T,
    GL_TEXTURE_GEN_R, GL_TEXTURE_GEN_Q,    GL_TEXTURE_1D,          GL_TEXTURE_2D,
    GL_TEXTURE_3D,    GL_TEXTURE_CUBE_MAP, GL_POLYGON_OFFSET_FILL,
};

bool retrace_is_switch(int64_t what)
{
    for (size_t n = 0; n < sizeof(switches) / sizeof(switches[0]); n++)
        if (what == switches[n])
            return true;
    return what >= GL_LIGHT0 && what < GL_LIGHT0 + LIGHTS;
}

/*
 * A list that is called must have been plain at that time; if it becomes another one later,
 * retrace_list_end() forgets all plain lists. It may not be called while anything is pushed,
 * because its own pushes would be added.
 */
static bool calls_plain_list(const struct retrace *retrace, const struct retrace_list_state *list,
                             const struct retrace_call *call)
{
    const uint32_t name = (uint32_t)call->arguments[0].number;

    return list->matrices == 0 && list->attributes == 0 &&
           strcmp(call->binding->function->name.bytes, "glCallList") == 0 &&
           retrace_lists_are_plain(retrace, &name, 1);
}

/*
 * A list must end each primitive that it begins. Within a primitive it may push nothing, because
 * the driver would refuse that.
 */
static bool is_plain_draw(struct retrace_list_state *list, const char *name)
{
    const bool begins = strcmp(name, "glBegin") == 0, ends = strcmp(name, "glEnd") == 0;
    const bool fits = begins ? !list->begun : ends ? list->begun : true;

    list->begun = begins || (list->begun && !ends);
    return fits;
}

/*
 * Returns whether the list stays plain with the call added. It must pop what it pushes, and nothing
 * else.
 */
static bool is_plain(const struct retrace *retrace, struct retrace_list_state *list,
                     const struct retrace_call *call)
{
    const enum retrace_step step = retrace_step(call->binding->function->name.bytes);

    if (step == RETRACE_STEP_DRAWS)
        return is_plain_draw(list, call->binding->function->name.bytes);
    if (list->begun && step != RETRACE_STEP_SETS && step != RETRACE_STEP_CALLS)
        return false;
    switch (step) {
    case RETRACE_STEP_SETS:
        return true;
    case RETRACE_STEP_UNIT: /* its matrices would be pushed */
        return list->matrices == 0;
    case RETRACE_STEP_SWITCHES:
        return call->count == 1 && retrace_is_switch(retrace_integer(call, 0));
    case RETRACE_STEP_MATRIX_MODE:
        return list->matrices == 0 && list->attributes == 0 &&
               retrace_is_matrix(retrace_integer(call, 0));
    case RETRACE_STEP_PUSHES_MATRIX:
        return list->matrices++ < RETRACE_MATRICES_DEEP;
    case RETRACE_STEP_POPS_MATRIX:
        return list->matrices-- > 0;
    case RETRACE_STEP_PUSHES_STATE:
        return list->attributes++ < RETRACE_ATTRIBUTES_DEEP && list->matrices == 0;
    case RETRACE_STEP_POPS_STATE:
        return list->attributes-- > 0 && list->matrices == 0;
    case RETRACE_STEP_CALLS:
        return calls_plain_list(retrace, list, call);
    default:
        return false;
    }
}

void retrace_list_begin(struct retrace *retrace, uint64_t name, bool executes)
{
    struct retrace_context *context = retrace_context(retrace);

    if (context->in_list) { /* the current list continues, but its name is uncertain */
        context->list.plain = false;
        return;
    }
    retrace_list_calls_drop(retrace, &context->list);
    context->list = (struct retrace_list_state){.name = name, .executes = executes, .plain = true};
}

void retrace_list_add(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_list_state *list = &retrace_context(retrace)->list;

    list->plain = list->plain && is_plain(retrace, list, call);
}

/*
 * If a plain list is replaced by a list that is not plain, lists that call it are not known to be
 * plain any more.
 */
void retrace_list_end(struct retrace *retrace)
{
    const struct retrace_list_state *list = &retrace_context(retrace)->list;
    const bool plain = list->plain && list->matrices == 0 && list->attributes == 0 && !list->begun;
    const uint64_t key = retrace_list_key(retrace, list->name);
    uint64_t unused;

    retrace_list_calls_end(retrace, key, plain);

    if (plain)
        (void)retrace_map_put(&retrace->lists.plain, key, 1);
    else if (retrace_map_get(&retrace->lists.plain, key, &unused))
        retrace_map_clear(&retrace->lists.plain);
}

void retrace_lists_delete(struct retrace *retrace, uint32_t first, uint32_t count)
{
    const uint32_t last = count - 1 < UINT32_MAX - first ? first + (count - 1) : UINT32_MAX;

    if (count > 0)
        retrace_list_calls_delete(retrace, retrace_list_key(retrace, first),
                                  retrace_list_key(retrace, last));
}

void retrace_lists_end_group(struct retrace *retrace, uint32_t group)
{
    const uint64_t first = (uint64_t)group << 32, last = first | UINT32_MAX;
    uint64_t key = RETRACE_NO_KEY;
    uint32_t at = 0;

    retrace_list_calls_delete(retrace, first, last);
    while (retrace_map_next(&retrace->lists.plain, first, last, &at, &key))
        retrace_map_remove(&retrace->lists.plain, key);
}

bool retrace_lists_are_plain(const struct retrace *retrace, const uint32_t *names, uint64_t count)
{
    uint64_t unused;

    for (uint64_t n = 0; n < count; n++)
        if (!retrace_map_get(&retrace->lists.plain, retrace_list_key(retrace, names[n]), &unused))
            return false;
    return true;
}

/* Saving state. */

enum retrace_sets retrace_sets(const struct retrace_binding *binding)
{
    const char *name = binding->function->name.bytes;

    return strcmp(name, "glEnd") == 0 || strcmp(name, "glBegin") == 0 ? RETRACE_SETS_ATTRIBUTES
           : strncmp(name, "glCallList", 10) == 0                     ? RETRACE_SETS_STATE
                                                                      : RETRACE_SETS_NOTHING;
}

static void need_room(void *context, unsigned stack)
{
    bool *room = context;
    GLint depth = 0, max = 0;

    (void)stack;
    *room = *room && retrace_matrix_stack(&depth, &max) >= 0 &&
            depth + 1 + RETRACE_MATRICES_DEEP <= max;
}

static bool have_matrices_room(void)
{
    GLint depth, max;
    bool room;

    graphics_failed(); /* clears errors of the trace's calls */
    room = retrace_matrix_stack(&depth, &max) >= 0;
    if (room)
        retrace_matrices_each(need_room, &room);
    return room && !graphics_failed();
}

bool retrace_can_push(const struct retrace_context *context, enum retrace_sets sets)
{
    if (sets == RETRACE_SETS_NOTHING)
        return true;
    if (context->es || context->config.core ||
        retrace_get(GL_ATTRIB_STACK_DEPTH) + 1 + RETRACE_ATTRIBUTES_DEEP >
            retrace_get(GL_MAX_ATTRIB_STACK_DEPTH))
        return false;
    return sets == RETRACE_SETS_ATTRIBUTES || have_matrices_room();
}

static void push_matrix(void *context, unsigned stack)
{
    (void)context;
    (void)stack;
    glPushMatrix();
}

static void pop_matrix(void *context, unsigned stack)
{
    (void)context;
    (void)stack;
    glPopMatrix();
}

/*
 * Matrices are pushed instead of read and loaded again, because a loaded matrix may differ in the
 * last bit.
 */
void retrace_push(enum retrace_sets sets)
{
    if (sets == RETRACE_SETS_ATTRIBUTES)
        glPushAttrib(CURRENT_BIT | LIGHTING_BIT);
    if (sets != RETRACE_SETS_STATE)
        return;
    glPushAttrib(CURRENT_BIT | POINT_BIT | POLYGON_BIT | LIGHTING_BIT | FOG_BIT | TRANSFORM_BIT |
                 GL_ENABLE_BIT | TEXTURE_BIT);
    retrace_matrices_each(push_matrix, NULL);
}

void retrace_pop(enum retrace_sets sets)
{
    if (sets == RETRACE_SETS_STATE)
        retrace_matrices_each(pop_matrix, NULL);
    if (sets != RETRACE_SETS_NOTHING)
        glPopAttrib();
}

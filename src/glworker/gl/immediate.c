/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/immediate.h"

#include "glworker/gl/assembly.h"
#include "glworker/gl/begun_vertices.h"
#include "glworker/gl/called_lists.h"
#include "glworker/gl/programs.h"
#include "glworker/gl/rectangle.h"
#include "glworker/gl/surfaces.h"

#include <stdlib.h>
#include <string.h>

struct retrace_immediate {
    struct retrace_recording *calls;
    bool whole;   /* all calls have been copied */
    uint64_t end; /* the number of its glEnd() */
};

/* Keeping calls. */

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

void retrace_immediate_lose(struct retrace_context *context)
{
    if (context->immediate != NULL)
        context->immediate->whole = false;
}

void retrace_immediate_free(struct retrace_immediate *immediate)
{
    if (immediate != NULL)
        retrace_recording_free(immediate->calls);
    free(immediate);
}

/* Reading them. */

static const char *walk(const void *calls, struct retrace_list_walk *walk)
{
    return retrace_list_walk_calls(walk, calls);
}

/*
 * Reads what glEnd() ended: the vertices, with all values that were set for them, as arrays in
 * memory. Returns NULL, or the reason why it is not known.
 */
static const char *read_ended(const struct retrace *retrace, const struct retrace_call *call,
                              struct retrace_draw_call *out)
{
    const struct retrace_context *context = retrace_context(retrace);
    const struct retrace_immediate *immediate = context->immediate;
    struct retrace_begun_source source = {.walk = walk, .sets = RETRACE_SETS_ATTRIBUTES};
    const char *why;

    if (immediate == NULL || !immediate->whole || immediate->end != call->event->number)
        return "the calls since glBegin are not known";
    if (!retrace_can_push(context, RETRACE_SETS_ATTRIBUTES))
        return "the state that it sets cannot be restored";
    source.calls = immediate->calls;
    why = retrace_begun_read(retrace, &source, out);
    out->recording = immediate->calls;
    return why;
}

static struct retrace_draw_call *read_by(retrace_draw_reader *read, const struct retrace *retrace,
                                         const struct retrace_call *call, const char **why)
{
    struct retrace_draw_call *draw = calloc(1, sizeof(*draw));

    *why = draw != NULL ? read(retrace, call, draw) : "out of memory";
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
    return "its program may read attributes that were current before glBegin";
}

struct retrace_draw_call *retrace_draw_read(struct retrace *retrace, const char **why)
{
    struct retrace_call call;

    if (!retrace_call_again(retrace, &call))
        return retrace_draw_call_read(retrace, why);
    if (retrace_is_immediate(&call))
        return read_by(read_ended, retrace, &call, why);
    if (retrace_calls_lists(&call))
        return read_by(retrace_called_lists_read, retrace, &call, why);
    if (retrace_is_rectangle(&call))
        return read_by(retrace_rectangle_read, retrace, &call, why);
    return retrace_draw_call_read(retrace, why);
}

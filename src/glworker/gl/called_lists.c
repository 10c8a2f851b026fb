/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/called_lists.h"

#include "glworker/gl/begun_vertices.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/list_arrays.h"
#include "glworker/gl/surfaces.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 1 << 20 };

struct retrace_called_lists {
    uint64_t call; /* number of the call */
    uint32_t *names;
    uint64_t count;
    struct retrace_list_before before;
};

/* Keeping what is called. */

void retrace_called_lists_free(struct retrace *retrace)
{
    if (retrace->lists.called != NULL)
        free(retrace->lists.called->names);
    free(retrace->lists.called);
    retrace->lists.called = NULL;
}

void retrace_called_lists_note(struct retrace *retrace, const uint32_t *names, uint64_t count)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct retrace_called_lists *called;

    if (!retrace->stopping || retrace->notes.quiet || context->in_list || context->in_begin)
        return;
    retrace_called_lists_free(retrace);
    if (!retrace->lists.calls_plain || count > NAMES_MAX ||
        !retrace_can_push(context, RETRACE_SETS_STATE))
        return;
    called = calloc(1, sizeof(*called));
    if (called == NULL)
        return;
    retrace->lists.called = called;
    called->call = retrace->stream.ready->number;
    called->names = malloc((size_t)count * sizeof(*names) + 1);
    if (called->names == NULL) {
        retrace_called_lists_free(retrace);
        return;
    }
    called->count = count;
    memcpy(called->names, names, (size_t)count * sizeof(*names));
    retrace_list_before_save(&called->before);
}

/* Reading what the lists draw. */

bool retrace_calls_lists(const struct retrace_call *call)
{
    return strncmp(call->binding->gl->name, "glCallList", 10) == 0;
}

static const char *walk_all(const void *calls, struct retrace_list_walk *walk)
{
    const struct retrace_called_lists *called = calls;
    const char *why = NULL;

    for (uint64_t n = 0; n < called->count && why == NULL; n++)
        why = retrace_list_walk(walk, called->names[n]);
    return why;
}

const char *retrace_called_lists_read(const struct retrace *retrace,
                                      const struct retrace_call *call,
                                      struct retrace_draw_call *out)
{
    const struct retrace_called_lists *called = retrace->lists.called;
    const struct retrace_begun_source source = {
        .calls = called,
        .walk = walk_all,
        .sets = RETRACE_SETS_STATE,
        .before = called != NULL ? &called->before : NULL,
    };

    if (!retrace->lists.calls_plain)
        return "its display lists set state that cannot be restored";
    if (called == NULL || called->call != call->event->number)
        return "the state in which its display lists were called is not known";
    if (!retrace_can_push(retrace_context(retrace), RETRACE_SETS_STATE))
        return "the state that it sets cannot be restored";
    out->lists = called;
    return retrace_begun_read(retrace, &source, out);
}

/* Making the calls again. */

struct making {
    GLenum kind; /* ignored if `points` is set */
    bool points;
    bool left_out; /* the current block is left out */
};

static void make_begin(struct making *making, GLenum mode)
{
    making->left_out = !making->points && making->kind != (GLenum)RETRACE_ANY_KIND &&
                       making->kind != retrace_kind(mode);
    if (!making->left_out)
        glBegin(making->points ? GL_POINTS : mode);
}

static void make_end(struct making *making)
{
    if (!making->left_out)
        glEnd();
    making->left_out = false;
}

static void make_arrays(struct making *making, const struct retrace_list_arrays *arrays)
{
    if (!arrays->element)
        make_begin(making, arrays->mode);
    for (uint32_t n = 0; n < arrays->vertices; n++)
        retrace_list_arrays_make(arrays, n, !making->left_out);
    if (!arrays->element)
        make_end(making);
}

static void make_rectangle(const struct making *making, const struct retrace_recorded *call,
                           const double corners[4])
{
    if (making->points) {
        glBegin(GL_POINTS);
        glVertex2f((GLfloat)corners[0], (GLfloat)corners[1]);
        glVertex2f((GLfloat)corners[2], (GLfloat)corners[1]);
        glVertex2f((GLfloat)corners[2], (GLfloat)corners[3]);
        glVertex2f((GLfloat)corners[0], (GLfloat)corners[3]);
        glEnd();
    } else if (making->kind == (GLenum)RETRACE_ANY_KIND || making->kind == GL_TRIANGLES) {
        retrace_recorded_make(call);
    }
}

/* In a block that is left out, calls that set values are still made. */
static void make_other(const struct making *making, const struct retrace_recorded *call)
{
    struct retrace_begun_call begun;

    if (making->left_out) {
        retrace_begun_call(call, &begun);
        if (begun.kind == RETRACE_BEGUN_VERTEX)
            return;
    }
    retrace_recorded_make(call);
}

static const char *make_call(void *context, const struct retrace_recorded *call)
{
    struct making *making = context;
    const struct retrace_list_arrays *arrays = retrace_recorded_bytes(call);
    double corners[4];

    if (arrays != NULL) {
        make_arrays(making, arrays);
    } else if (retrace_recorded_is(call, "glBegin")) {
        make_begin(making, (GLenum)retrace_recorded_number(call, 0, 0));
    } else if (retrace_recorded_is(call, "glEnd")) {
        make_end(making);
    } else if (retrace_recorded_rectangle(call, corners)) {
        make_rectangle(making, call, corners);
    } else {
        make_other(making, call);
    }
    return NULL;
}

static void make(const struct retrace *retrace, const struct retrace_draw_call *draw,
                 struct making *making)
{
    struct retrace_list_walk walk = {.retrace = retrace, .meet = make_call, .context = making};

    retrace_push(RETRACE_SETS_STATE);
    retrace_list_before_load(&draw->lists->before);
    (void)walk_all(draw->lists, &walk);
    retrace_pop(RETRACE_SETS_STATE);
}

void retrace_called_lists_make_points(const struct retrace *retrace,
                                      const struct retrace_draw_call *draw)
{
    struct making making = {.points = true};

    make(retrace, draw, &making);
}

void retrace_called_lists_make(const struct retrace *retrace, const struct retrace_draw_call *draw,
                               GLenum kind)
{
    struct making making = {.kind = kind};

    make(retrace, draw, &making);
}

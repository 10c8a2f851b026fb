/* SPDX-License-Identifier: MIT */
/*
 * The primitives of the draw behind which the session stands as they come to the rasteriser: those
 * that the geometry or tessellation stage makes, or else the draw's own, of all instances.
 */
#include "config.h"

#include "glworker/core/serve.h"
#include "glworker/gl/capture.h"
#include "glworker/gl/draw_call.h"
#include "glworker/gl/draw_texts.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/outputs.h"
#include "glworker/gl/program_copy.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/values.h"

#include <stdlib.h>
#include <string.h>

enum {
    CORNERS_MAX = 1 << 19,
    COMPONENTS_MAX = 3 << 20, /* of all corners */
    INSTANCES_MAX = 1 << 10,  /* that are told apart, where each may make another number … */
    REPEATED_MAX = 1 << 22    /* … and vertices or primitives that are made for that */
};

struct primitives {
    GLenum kind;
    unsigned corners;    /* of each */
    uint64_t count, all; /* that are told, and that there are */
    struct retrace_outputs outputs;
    float *values;      /* of each corner gl_Position, and the outputs */
    uint64_t instances; /* 0: nobody can tell which primitive is whose */
    uint64_t each;      /* primitives of each; 0: they differ, and … */
    uint64_t *ends;     /* … these are how many there are up to each one's end */
};

/* What transform feedback makes of a draw's primitives. */
static GLenum kind_of(GLenum mode)
{
    switch (mode) {
    case GL_POINTS:
        return GL_POINTS;
    case GL_LINES:
    case GL_LINE_LOOP:
    case GL_LINE_STRIP:
    case GL_LINES_ADJACENCY:
    case GL_LINE_STRIP_ADJACENCY:
        return GL_LINES;
    default:
        return GL_TRIANGLES;
    }
}

/* Instances. */

/* How many primitives the first `count` instances have. */
static bool count_instances(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                            int64_t count, uint64_t *primitives)
{
    const struct retrace_again some = {again->draw, again->mode, count};

    return !serve_is_withdrawn() && retrace_capture_count(retrace, &some, kind, primitives);
}

/* Whether drawing the first one, the first two and so on is not too much. */
static bool can_count_instances(const struct retrace_again *again, uint64_t primitives)
{
    const uint64_t instances = (uint64_t)again->instances;
    const uint64_t vertices = (uint64_t)again->draw->vertices.count;

    return instances <= INSTANCES_MAX && primitives * instances / 2 <= REPEATED_MAX &&
           vertices * instances * instances / 2 <= REPEATED_MAX;
}

static bool count_each(struct retrace *retrace, const struct retrace_again *again,
                       struct primitives *out)
{
    const int64_t instances = again->instances;
    bool found = true;

    out->ends = calloc((size_t)instances, sizeof(*out->ends));
    if (out->ends == NULL)
        return false;
    for (int64_t n = 0; n + 1 < instances && found; n++)
        found = count_instances(retrace, again, out->kind, n + 1, &out->ends[n]);
    out->ends[instances - 1] = out->all;
    return found;
}

/* `alike`: each instance has as many as any other. */
static void find_instances(struct retrace *retrace, const struct retrace_again *again, bool alike,
                           struct primitives *out)
{
    const uint64_t instances = (uint64_t)again->instances;

    if (again->draw == NULL || instances == 0 || instances > out->all)
        return;
    if (alike || instances == 1)
        out->each = out->all / instances;
    else if (!can_count_instances(again, out->all) || !count_each(retrace, again, out))
        return;
    out->instances = instances;
}

/* How many are told. */
static uint64_t max_count(const struct primitives *primitives)
{
    const uint64_t corners = COMPONENTS_MAX / primitives->outputs.components < CORNERS_MAX
                                 ? COMPONENTS_MAX / primitives->outputs.components
                                 : CORNERS_MAX;
    const uint64_t room = corners / primitives->corners;

    return primitives->all < room ? primitives->all : room;
}

static bool capture(struct retrace *retrace, const struct retrace_again *again,
                    const struct retrace_program_copied *copied, struct primitives *out,
                    const char **why)
{
    out->kind = copied->makes ? copied->output : kind_of(again->mode);
    out->corners = retrace_corners(out->kind);
    out->outputs = copied->outputs;
    *why = "the driver does not capture it";
    if (!retrace_capture_count(retrace, again, out->kind, &out->all))
        return false;
    *why = "it has no primitives";
    if (out->all == 0)
        return false;
    out->count = max_count(out);
    out->values = retrace_capture(retrace, again, out->kind, out->outputs.components, out->count,
                                  &out->count);
    *why = "the driver does not capture it";
    if (out->values != NULL)
        find_instances(retrace, again, !copied->makes, out);
    return out->values != NULL;
}

/* A rectangle is a quadrangle. */
static GLenum mode_of(const struct retrace_call *call)
{
    enum { QUADS = 7 };

    return strncmp(call->binding->gl->name, "glRect", 6) == 0 ? (GLenum)QUADS
                                                              : (GLenum)retrace_integer(call, 0);
}

/* How the call at hand is made again: by its vertices, if those are told. */
static bool read_again(struct retrace *retrace, struct retrace_draw_call **draw,
                       struct retrace_again *out, const char **why)
{
    struct retrace_call call;

    *why = "no draw is at hand";
    if (!retrace_call_again(retrace, &call))
        return false;
    if (retrace_is_immediate(&call)) {
        *draw = retrace_draw_read(retrace, why);
        if (*draw != NULL)
            *why = retrace_immediate_obstacle(retrace, *draw);
        if (*draw == NULL || *why != NULL)
            return false;
        *out = (struct retrace_again){.draw = *draw, .mode = (GLenum)(*draw)->vertices.mode};
    } else {
        const char *unused;

        *draw = retrace_draw_call_of(&call, &unused);
        *out = (struct retrace_again){.draw = *draw, .mode = mode_of(&call)};
    }
    if (*draw != NULL)
        out->instances = (*draw)->vertices.instances;
    return true;
}

static bool find(struct retrace *retrace, struct primitives *out, const char **why)
{
    struct retrace_program_copied copied;
    struct retrace_draw_call *draw = NULL;
    struct retrace_again again;
    bool found = false;

    *out = (struct primitives){.kind = GL_NONE};
    *why = retrace_capture_obstacle(retrace);
    if (*why != NULL)
        return false;
    if (read_again(retrace, &draw, &again, why) &&
        retrace_program_copy(retrace, true, &copied, why)) {
        found = capture(retrace, &again, &copied, out, why);
        retrace_program_copy_end(&copied);
    }
    retrace_draw_call_free(draw);
    return found;
}

static void clear(struct primitives *primitives)
{
    free(primitives->values);
    free(primitives->ends);
}

/* Texts. */

static const float *corner_of(const struct primitives *primitives, uint64_t n, unsigned corner)
{
    return primitives->values + primitives->outputs.components * (n * primitives->corners + corner);
}

/* Of a primitive; `before` is that of the one before, 0 of the first. */
static uint64_t instance_of(const struct primitives *primitives, uint64_t n, uint64_t before)
{
    const uint64_t last = primitives->instances - 1;

    if (primitives->each > 0)
        return n / primitives->each < last ? n / primitives->each : last;
    while (before < last && n >= primitives->ends[before])
        before++;
    return before;
}

static void add_row(const struct primitives *primitives, uint64_t n, unsigned corner,
                    uint64_t instance, struct text *text)
{
    const float *values = corner_of(primitives, n, corner);

    text_printf(text, "%llu\t%u\t", (unsigned long long)n, corner);
    retrace_state_add_position(text, values, ',');
    if (primitives->instances > 0)
        text_printf(text, "\t%llu", (unsigned long long)instance);
    else
        text_add(text, "\t-");
    retrace_outputs_add_values(&primitives->outputs, values, text);
    text_add_char(text, '\n');
}

static void add_rows(const struct primitives *primitives, struct text *text)
{
    uint64_t instance = 0;

    for (uint64_t n = 0; n < primitives->count && text->status == 0; n++) {
        if (primitives->instances > 0)
            instance = instance_of(primitives, n, instance);
        for (unsigned corner = 0; corner < primitives->corners; corner++)
            add_row(primitives, n, corner, instance, text);
        if (n % 4096 == 0 && serve_is_withdrawn())
            break;
    }
}

void retrace_primitives_text(struct retrace *retrace, struct text *text)
{
    struct primitives primitives;
    const char *why;
    const bool found = find(retrace, &primitives, &why);

    text_add(text, "primitive\tcorner\tgl_Position\tinstance");
    retrace_outputs_add_names(&primitives.outputs, text);
    text_add_char(text, '\n');
    if (found)
        add_rows(&primitives, text);
    clear(&primitives);
    retrace_scratch_reset(&retrace->scratch);
}

static void add_primitive(const struct primitives *primitives, uint64_t n, struct text *text)
{
    for (unsigned corner = 0; corner < primitives->corners; corner++) {
        text_add(text, "v ");
        retrace_state_add_position(text, corner_of(primitives, n, corner), ' ');
        text_add_char(text, '\n');
    }
    text_add_char(text, "plf"[primitives->corners - 1]);
    for (unsigned corner = 0; corner < primitives->corners; corner++)
        text_printf(text, " %llu", (unsigned long long)(n * primitives->corners + corner + 1));
    text_add_char(text, '\n');
}

static void add_objects(const struct primitives *primitives, struct text *text)
{
    const bool several = primitives->instances > 1;
    uint64_t instance = 0;

    for (uint64_t n = 0; n < primitives->count && text->status == 0; n++) {
        const uint64_t before = instance;

        if (several)
            instance = instance_of(primitives, n, instance);
        if (several && (n == 0 || instance != before))
            text_printf(text, "o instance-%llu\n", (unsigned long long)instance);
        add_primitive(primitives, n, text);
        if (n % 4096 == 0 && serve_is_withdrawn())
            break;
    }
}

void retrace_primitives_mesh_text(struct retrace *retrace, struct text *text)
{
    struct primitives primitives;
    const char *why;

    if (!find(retrace, &primitives, &why)) {
        text_printf(text, "# no mesh: %s\n", why);
    } else {
        text_add(text, "# gl_Position of what is rasterised: clip coordinates\n");
        if (primitives.count < primitives.all)
            text_printf(text, "# the first %llu of %llu primitives\n",
                        (unsigned long long)primitives.count, (unsigned long long)primitives.all);
        add_objects(&primitives, text);
    }
    clear(&primitives);
    retrace_scratch_reset(&retrace->scratch);
}

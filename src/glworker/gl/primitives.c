/* SPDX-License-Identifier: MIT */
/*
 * The primitives of the draw after which the session has stopped, as they reach the rasteriser, of
 * all instances: those that the geometry or tessellation stage creates, otherwise the draw's own.
 */
#include "config.h"

#include "glworker/core/serve.h"
#include "glworker/gl/called_lists.h"
#include "glworker/gl/capture.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/draw_call.h"
#include "glworker/gl/draw_texts.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/outputs.h"
#include "glworker/gl/program_copy.h"
#include "glworker/gl/rectangle.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/values.h"

#include <stdlib.h>
#include <string.h>

enum {
    CORNERS_MAX = 1 << 19,
    COMPONENTS_MAX = 3 << 20, /* of all corners */
    /*
     * If each instance may make a different number of primitives, their numbers are found by
     * drawing the first instance, the first two, and so on, within these limits.
     */
    INSTANCES_MAX = 1 << 10,
    REPEATED_MAX = 1 << 22, /* of all vertices that are drawn for that, and of all primitives */
    KINDS_MAX = 3,          /* points, lines, triangles */
};

/* Captured primitives of one kind. */
struct captured {
    GLenum kind;
    unsigned corners;    /* of a primitive */
    uint64_t count, all; /* captured, and made by the draw */
    float *values;       /* of each corner: gl_Position and the outputs */
};

/* The primitives of a block. */
struct run {
    uint8_t captured; /* index into `captured` of struct primitives */
    uint64_t count;
};

struct primitives {
    struct captured captured[KINDS_MAX];
    unsigned kinds;
    uint64_t count, all; /* that texts show, and made by the draw */
    struct retrace_outputs outputs;
    bool tells_blocks; /* texts show the block of each primitive */
    /* primitives of each block; NULL if all are of the first kind, in their order */
    struct run *runs;
    uint32_t run_count;
    uint64_t instances; /* 0 if the primitives of each instance are unknown */
    uint64_t each;      /* primitives of each instance; 0 if they differ */
    uint64_t *ends;     /* if they differ: number of primitives up to the end of each instance */
};

/* Instances. */

/* Counts the primitives of the first `count` instances. */
static bool count_instances(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                            int64_t count, uint64_t *primitives)
{
    const struct retrace_again some = {
        .draw = again->draw, .mode = again->mode, .instances = count, .kind = again->kind};

    return !serve_is_withdrawn() && retrace_capture_count(retrace, &some, kind, primitives);
}

/* Returns whether it is not too much to draw the first instance, the first two, and so on. */
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
        found = count_instances(retrace, again, out->captured[0].kind, n + 1, &out->ends[n]);
    out->ends[instances - 1] = out->all;
    return found;
}

/* `alike` means that all instances make the same number of primitives. */
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

/* Capturing. */

static void forget(struct primitives *primitives)
{
    for (unsigned n = 0; n < primitives->kinds; n++)
        free(primitives->captured[n].values);
    free(primitives->runs);
    free(primitives->ends);
    primitives->runs = NULL;
    primitives->ends = NULL;
    primitives->run_count = 0;
    primitives->kinds = 0;
    primitives->all = 0;
}

/* Returns how many primitives of a kind to capture. */
static uint64_t max_count(const struct primitives *primitives, const struct captured *captured)
{
    const uint64_t corners = COMPONENTS_MAX / primitives->outputs.components < CORNERS_MAX
                                 ? COMPONENTS_MAX / primitives->outputs.components
                                 : CORNERS_MAX;
    const uint64_t room = corners / captured->corners;

    return captured->all < room ? captured->all : room;
}

static bool capture_kind(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                         struct primitives *out)
{
    struct captured *captured = &out->captured[out->kinds++];

    *captured = (struct captured){.kind = kind, .corners = retrace_corners(kind)};
    if (!retrace_capture_count(retrace, again, kind, &captured->all))
        return false;
    out->all += captured->all;
    captured->count = max_count(out, captured);
    if (captured->all == 0)
        return true;
    captured->values = retrace_capture(retrace, again, kind, out->outputs.components,
                                       captured->count, &captured->count);
    return captured->values != NULL;
}

static bool capture(struct retrace *retrace, const struct retrace_again *again,
                    const struct retrace_program_copied *copied, struct primitives *out,
                    const char **why)
{
    const GLenum kind = copied->makes ? copied->output : retrace_kind(again->mode);

    *why = "the driver cannot capture it";
    forget(out);
    if (!capture_kind(retrace, again, kind, out))
        return false;
    *why = "it has no primitives";
    if (out->all == 0)
        return false;
    out->count = out->captured[0].count;
    find_instances(retrace, again, !copied->makes, out);
    return true;
}

/* Blocks. */

/* Returns the number of primitives that the rasteriser makes of a block's vertices. */
static uint64_t count_primitives(const struct retrace_draw_block *block)
{
    /* Vertices of the first primitive and of each further one; how many each is captured as. */
    static const struct {
        uint8_t first, more, each;
    } modes[] = {[GL_POINTS] = {1, 1, 1},
                 [GL_LINES] = {2, 2, 1},
                 [GL_LINE_LOOP] = {2, 1, 1},
                 [GL_LINE_STRIP] = {2, 1, 1},
                 [GL_TRIANGLES] = {3, 3, 1},
                 [GL_TRIANGLE_STRIP] = {3, 1, 1},
                 [GL_TRIANGLE_FAN] = {3, 1, 1},
                 [GL_QUADS] = {4, 4, 2},
                 [GL_QUAD_STRIP] = {4, 2, 2},
                 [GL_POLYGON] = {3, 1, 1},
                 [GL_LINES_ADJACENCY] = {4, 4, 1},
                 [GL_LINE_STRIP_ADJACENCY] = {4, 1, 1},
                 [GL_TRIANGLES_ADJACENCY] = {6, 6, 1},
                 [GL_TRIANGLE_STRIP_ADJACENCY] = {6, 2, 1}};
    const uint64_t vertices = (uint64_t)block->count;

    if (block->mode >= sizeof(modes) / sizeof(modes[0]) || vertices < modes[block->mode].first)
        return 0;
    return ((vertices - modes[block->mode].first) / modes[block->mode].more + 1) *
               modes[block->mode].each +
           (block->mode == GL_LINE_LOOP);
}

/*
 * Returns how many primitives texts can show in the order of blocks: up to the first that was not
 * captured.
 */
static uint64_t count_told(const struct primitives *primitives)
{
    uint64_t taken[KINDS_MAX] = {0}, told = 0, corners = 0;

    for (uint32_t n = 0; n < primitives->run_count; n++) {
        const struct run *run = &primitives->runs[n];
        const struct captured *captured = &primitives->captured[run->captured];
        uint64_t left;

        if (run->count == 0)
            continue;
        left = captured->count - taken[run->captured];
        if (left > (CORNERS_MAX - corners) / captured->corners)
            left = (CORNERS_MAX - corners) / captured->corners;
        if (left > run->count)
            left = run->count;
        taken[run->captured] += left;
        told += left;
        corners += left * captured->corners;
        if (left < run->count)
            break;
    }
    return told;
}

/* Sets *place to the kind's index in `captured`, capturing it for the first block of that kind. */
static bool find_kind(struct retrace *retrace, struct retrace_again *again, GLenum kind,
                      struct primitives *out, uint8_t *place)
{
    for (*place = 0; *place < out->kinds; ++*place)
        if (out->captured[*place].kind == kind)
            return true;
    again->kind = kind;
    return capture_kind(retrace, again, kind, out);
}

/* Returns whether the driver made as many primitives of each kind as were counted here. */
static bool are_alike(const struct primitives *primitives)
{
    uint64_t counted[KINDS_MAX] = {0};

    for (uint32_t n = 0; n < primitives->run_count; n++)
        counted[primitives->runs[n].captured] += primitives->runs[n].count;
    for (unsigned n = 0; n < primitives->kinds; n++)
        if (counted[n] != primitives->captured[n].all)
            return false;
    return true;
}

/* Each of several draws has its own instances. */
static void find_instances_of_blocks(const struct retrace_draw_call *draw, struct primitives *out)
{
    for (uint32_t n = 0; n < draw->block_count; n++)
        if (draw->blocks[n].instances > 1)
            return;
    out->instances = 1;
    out->each = out->all;
}

static bool capture_blocks(struct retrace *retrace, struct retrace_again *again,
                           struct primitives *out, const char **why)
{
    const struct retrace_draw_call *draw = again->draw;

    *why = "the driver cannot capture it";
    out->runs = calloc(draw->block_count, sizeof(*out->runs));
    if (out->runs == NULL)
        return false;
    for (uint32_t n = 0; n < draw->block_count; n++) {
        const struct retrace_draw_block *block = &draw->blocks[n];
        struct run *run = &out->runs[out->run_count++];

        run->count = count_primitives(block) * (uint64_t)block->instances;
        if (run->count > 0 &&
            !find_kind(retrace, again, retrace_kind(block->mode), out, &run->captured))
            return false;
    }
    if (!are_alike(out))
        return false;
    *why = "it has no primitives";
    out->count = count_told(out);
    find_instances_of_blocks(draw, out);
    return out->all > 0;
}

/* A rectangle counts as a quad. */
static GLenum mode_of(const struct retrace_call *call)
{
    return retrace_is_rectangle(call) ? (GLenum)GL_QUADS : (GLenum)retrace_integer(call, 0);
}

/* Calls that were recorded are made again from the recording. */
static bool read_recorded(struct retrace *retrace, struct retrace_draw_call **draw,
                          struct retrace_again *out, const char **why)
{
    *draw = retrace_draw_read(retrace, why);
    if (*draw != NULL)
        *why = retrace_immediate_obstacle(retrace, *draw);
    if (*draw == NULL || *why != NULL)
        return false;
    *out = (struct retrace_again){
        .draw = *draw, .mode = (GLenum)(*draw)->vertices.mode, .kind = (GLenum)RETRACE_ANY_KIND};
    return true;
}

/* Finds out how to make the call at hand again: by its vertices, if they are known. */
static bool read_again(struct retrace *retrace, struct retrace_draw_call **draw,
                       struct retrace_again *out, const char **why)
{
    struct retrace_call call;

    *why = "there is no draw call here";
    if (!retrace_call_again(retrace, &call))
        return false;
    if (retrace_is_immediate(&call) || retrace_calls_lists(&call)) {
        if (!read_recorded(retrace, draw, out, why))
            return false;
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

    *out = (struct primitives){.kinds = 0};
    *why = retrace_capture_obstacle(retrace);
    if (*why != NULL)
        return false;
    if (read_again(retrace, &draw, &again, why) &&
        retrace_program_copy(retrace, true, &copied, why)) {
        out->outputs = copied.outputs;
        out->tells_blocks = draw != NULL && retrace_draw_call_tells_blocks(draw);
        found = out->tells_blocks && !copied.makes && capture_blocks(retrace, &again, out, why);
        if (!found && (copied.makes || draw == NULL || draw->lists == NULL))
            found = capture(retrace, &again, &copied, out, why);
        retrace_program_copy_end(&copied);
    }
    retrace_draw_call_free(draw);
    return found;
}

/* Texts. */

/* One of the primitives. */
struct primitive {
    const float *values; /* of its corners */
    unsigned corners;
    int64_t block; /* -1 if unknown */
    uint64_t instance;
};

/* Position in all primitives; all zero at first. */
struct cursor {
    uint64_t n;
    uint32_t run;
    uint64_t in_run, taken[KINDS_MAX];
    uint64_t instance;
};

/*
 * Returns the instance of the n-th primitive. `before` is the instance of the primitive before it,
 * 0 for the first.
 */
static uint64_t instance_of(const struct primitives *primitives, uint64_t n, uint64_t before)
{
    const uint64_t last = primitives->instances - 1;

    if (primitives->each > 0)
        return n / primitives->each < last ? n / primitives->each : last;
    while (before < last && n >= primitives->ends[before])
        before++;
    return before;
}

/* Gets the next primitive that texts show. Returns false if there are no more. */
static bool next(const struct primitives *primitives, struct cursor *cursor, struct primitive *out)
{
    const struct captured *captured = &primitives->captured[0];
    unsigned place = 0;

    if (cursor->n == primitives->count)
        return false;
    *out = (struct primitive){.block = -1};
    if (primitives->runs != NULL) {
        for (; cursor->in_run == primitives->runs[cursor->run].count; cursor->run++)
            cursor->in_run = 0;
        place = primitives->runs[cursor->run].captured;
        out->block = cursor->run;
        cursor->in_run++;
    }
    captured += place;
    if (primitives->instances > 0)
        cursor->instance = instance_of(primitives, cursor->n, cursor->instance);
    out->instance = cursor->instance;
    out->corners = captured->corners;
    out->values = captured->values +
                  cursor->taken[place]++ * captured->corners * primitives->outputs.components;
    cursor->n++;
    return true;
}

static void add_row(const struct primitives *primitives, const struct primitive *primitive,
                    uint64_t n, unsigned corner, struct text *text)
{
    const float *values = primitive->values + corner * primitives->outputs.components;

    text_printf(text, "%llu\t%u\t", (unsigned long long)n, corner);
    retrace_state_add_position(text, values, ',');
    if (primitives->instances > 0)
        text_printf(text, "\t%llu", (unsigned long long)primitive->instance);
    else
        text_add(text, "\t-");
    if (primitives->tells_blocks && primitive->block >= 0)
        text_printf(text, "\t%lld", (long long)primitive->block);
    else if (primitives->tells_blocks)
        text_add(text, "\t-");
    retrace_outputs_add_values(&primitives->outputs, values, text);
    text_add_char(text, '\n');
}

static void add_rows(const struct primitives *primitives, struct text *text)
{
    struct cursor cursor = {.n = 0};
    struct primitive primitive;

    while (text->status == 0 && next(primitives, &cursor, &primitive)) {
        for (unsigned corner = 0; corner < primitive.corners; corner++)
            add_row(primitives, &primitive, cursor.n - 1, corner, text);
        if (cursor.n % 4096 == 1 && serve_is_withdrawn())
            break;
    }
}

void retrace_primitives_text(struct retrace *retrace, struct text *text)
{
    struct primitives primitives;
    const char *why;
    const bool found = find(retrace, &primitives, &why);

    text_add(text, "primitive\tcorner\tgl_Position\tinstance");
    if (primitives.tells_blocks)
        text_add(text, "\tblock");
    retrace_outputs_add_names(&primitives.outputs, text);
    text_add_char(text, '\n');
    if (found)
        add_rows(&primitives, text);
    forget(&primitives);
    retrace_scratch_reset(&retrace->scratch);
}

/* `from` is the number of corners before the primitive. */
static void add_primitive(const struct primitives *primitives, const struct primitive *primitive,
                          uint64_t from, struct text *text)
{
    for (unsigned corner = 0; corner < primitive->corners; corner++) {
        text_add(text, "v ");
        retrace_state_add_position(
            text, primitive->values + corner * primitives->outputs.components, ' ');
        text_add_char(text, '\n');
    }
    text_add_char(text, "plf"[primitive->corners - 1]);
    for (unsigned corner = 0; corner < primitive->corners; corner++)
        text_printf(text, " %llu", (unsigned long long)(from + corner + 1));
    text_add_char(text, '\n');
}

static void add_objects(const struct primitives *primitives, struct text *text)
{
    const bool several = primitives->instances > 1;
    struct cursor cursor = {.n = 0};
    struct primitive primitive;
    uint64_t before = 0, corners = 0;

    while (text->status == 0 && next(primitives, &cursor, &primitive)) {
        if (several && (cursor.n == 1 || primitive.instance != before))
            text_printf(text, "o instance-%llu\n", (unsigned long long)primitive.instance);
        before = primitive.instance;
        add_primitive(primitives, &primitive, corners, text);
        corners += primitive.corners;
        if (cursor.n % 4096 == 1 && serve_is_withdrawn())
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
    forget(&primitives);
    retrace_scratch_reset(&retrace->scratch);
}

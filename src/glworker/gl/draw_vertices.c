/* SPDX-License-Identifier: MIT */
/*
 * The vertices of the draw after which the session has stopped, whose call is still available: as
 * they are fetched from buffers and memory, and as a mesh of their positions.
 */
#include "config.h"

#include "glworker/core/serve.h"
#include "glworker/gl/arrays.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/draw_call.h"
#include "glworker/gl/draw_edges.h"
#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/draw_texts.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/positions.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/values.h"

#include <stdlib.h>
#include <string.h>

enum {
    EDGES_MAX = 1 << 20,
    INSTANCE_ROWS = 1 << 17, /* maximum of rows if there are several instances */
};

/* The n-th vertex that is fetched, in a block, for an instance. */
struct told_vertex {
    int64_t n;
    const struct retrace_draw_block *block;
    int64_t instance;
};

static const char *mode_name(GLenum mode)
{
    static const char *const names[] = {"GL_POINTS",
                                        "GL_LINES",
                                        "GL_LINE_LOOP",
                                        "GL_LINE_STRIP",
                                        "GL_TRIANGLES",
                                        "GL_TRIANGLE_STRIP",
                                        "GL_TRIANGLE_FAN",
                                        "GL_QUADS",
                                        "GL_QUAD_STRIP",
                                        "GL_POLYGON",
                                        "GL_LINES_ADJACENCY",
                                        "GL_LINE_STRIP_ADJACENCY",
                                        "GL_TRIANGLES_ADJACENCY",
                                        "GL_TRIANGLE_STRIP_ADJACENCY",
                                        "GL_PATCHES"};

    return mode < sizeof(names) / sizeof(names[0]) ? names[mode] : "-";
}

static void add_values(const struct retrace_draw_call *draw, unsigned array,
                       const struct told_vertex *vertex, struct text *text)
{
    double values[4] = {0};
    const unsigned count =
        retrace_draw_call_fetch(draw, array, retrace_draw_call_index(draw, vertex->n),
                                vertex->block->first_instance, vertex->instance, values);

    if (count == 0)
        text_add_char(text, '-');
    for (unsigned n = 0; n < count; n++) {
        if (n > 0)
            text_add_char(text, ',');
        if (draw->sources[array].fetch.integer)
            text_add_i64(text, (int64_t)values[n]);
        else
            retrace_state_add_float(text, values[n]);
    }
}

/*
 * Chooses the instances to show: the first one, and as many more as there is room for. A draw
 * without instances has no rows, because what it would read was not checked.
 */
static void choose_instances(struct retrace_draw_call *draw)
{
    const int64_t count = draw->vertices.count;
    const int64_t room = count > 0 && count < INSTANCE_ROWS ? INSTANCE_ROWS / count : 1;

    for (uint32_t n = 0; n < draw->block_count; n++) {
        struct retrace_draw_block *block = &draw->blocks[n];

        block->told = block->count == 0 || block->instances < 1 ? 0
                      : block->instances < room                 ? block->instances
                                                                : room;
    }
}

/* Appends the next position, or `-` where a primitive ends. */
static void add_position(const float **next, int64_t index, char separator, struct text *text)
{
    if (*next == NULL || index < 0) {
        text_add_char(text, '-');
        return;
    }
    retrace_state_add_position(text, *next, separator);
    *next += 4;
}

static void add_vertex(const struct retrace_draw_call *draw, const struct told_vertex *vertex,
                       const float **next, struct text *text)
{
    const int64_t index = retrace_draw_call_index(draw, vertex->n);

    text_add_i64(text, vertex->n);
    if (index < 0)
        text_add(text, "\t-");
    else
        text_printf(text, "\t%lld", (long long)index);
    for (unsigned i = 0; i < draw->source_count; i++) {
        text_add_char(text, '\t');
        add_values(draw, i, vertex, text);
    }
    text_add_char(text, '\t');
    add_position(next, index, ',', text);
    text_printf(text, "\t%lld", (long long)vertex->instance);
    if (retrace_draw_call_tells_blocks(draw))
        text_printf(text, "\t%td\t%s", vertex->block - draw->blocks,
                    mode_name(vertex->block->mode));
    text_add_char(text, '\n');
}

static void add_instance(const struct retrace_draw_call *draw,
                         const struct retrace_draw_block *block, int64_t instance,
                         const float **next, struct text *text)
{
    struct told_vertex vertex = {.n = block->first, .block = block, .instance = instance};

    for (; vertex.n < block->first + block->count && text->status == 0; vertex.n++) {
        add_vertex(draw, &vertex, next, text);
        if (vertex.n % 4096 == 0 && serve_is_withdrawn())
            break;
    }
}

static void add_instances(const struct retrace_draw_call *draw, const float *positions,
                          struct text *text)
{
    for (uint32_t i = 0; i < draw->block_count; i++)
        for (int64_t n = 0; n < draw->blocks[i].told; n++) {
            if (text->status != 0 || serve_is_withdrawn())
                return;
            add_instance(draw, &draw->blocks[i], n, &positions, text);
        }
}

/*
 * Reads the draw at hand, and sets *positions to the positions of its vertices, or NULL. If either
 * is NULL, *why is the reason.
 */
static struct retrace_draw_call *read_draw(struct retrace *retrace, float **positions,
                                           const char **why)
{
    struct retrace_draw_call *draw = retrace_draw_read(retrace, why);

    if (draw != NULL)
        choose_instances(draw);
    *positions = draw != NULL ? retrace_positions(retrace, draw, why) : NULL;
    return draw;
}

void retrace_vertices_text(struct retrace *retrace, struct text *text)
{
    const char *why;
    float *positions;
    struct retrace_draw_call *draw = read_draw(retrace, &positions, &why);

    text_add(text, "vertex\tindex");
    for (unsigned n = 0; draw != NULL && n < draw->source_count; n++)
        text_cell_word(text, draw->sources[n].fetch.name);
    text_add(text, "\tgl_Position\tinstance");
    text_add(text, draw != NULL && retrace_draw_call_tells_blocks(draw) ? "\tblock\tmode\n" : "\n");
    if (draw != NULL)
        add_instances(draw, positions, text);
    free(positions);
    retrace_draw_call_free(draw);
    retrace_scratch_reset(&retrace->scratch);
}

/* Meshes. */

/*
 * Returns the array that has the positions: fixed functions', the first with a typical name, or
 * attribute 0. Returns -1 if there is none.
 */
static int positions(const struct retrace_draw_call *draw)
{
    int found = -1;

    for (unsigned n = 0; n < draw->source_count; n++) {
        const struct retrace_fetch *fetch = &draw->sources[n].fetch;

        if (fetch->slot == 0)
            return (int)n;
        if (strstr(fetch->name, "pos") != NULL || strstr(fetch->name, "Pos") != NULL ||
            strstr(fetch->name, "POS") != NULL || strstr(fetch->name, "ertex") != NULL)
            found = found < 0 ? (int)n : found;
    }
    for (unsigned n = 0; found < 0 && n < draw->source_count; n++)
        if (draw->sources[n].fetch.slot == RETRACE_SLOT_NUMBERS)
            found = (int)n;
    return found;
}

/* Vertices are numbered from `from` on. */
static void add_face(struct text *text, char kind, const int64_t *corners, unsigned count,
                     int64_t from)
{
    text_add_char(text, kind);
    for (unsigned n = 0; n < count; n++)
        text_printf(text, " %lld", (long long)(corners[n] + from));
    text_add_char(text, '\n');
}

/*
 * Writes the corners of the primitive that is completed by the n-th vertex of a run. Returns their
 * number, or 0 if no primitive is complete.
 */
static unsigned corners_of(int64_t mode, int64_t begin, int64_t n, int64_t corners[4])
{
    int64_t k = n - begin;
    unsigned count = 0;

    switch (mode) {
    case GL_POINTS:
        count = 1;
        break;
    case GL_LINES:
        count = k % 2 == 1 ? 2 : 0;
        break;
    case GL_LINE_STRIP:
    case GL_LINE_LOOP:
        count = k >= 1 ? 2 : 0;
        break;
    case GL_TRIANGLES:
        count = k % 3 == 2 ? 3 : 0;
        break;
    case GL_QUADS:
        count = k % 4 == 3 ? 4 : 0;
        break;
    case GL_TRIANGLE_STRIP:
        count = k >= 2 ? 3 : 0;
        break;
    default:
        break;
    }
    if (mode == GL_QUAD_STRIP && k >= 3 && k % 2 == 1) {
        corners[0] = n - 3;
        corners[1] = n - 2;
        corners[2] = n;
        corners[3] = n - 1;
        return 4;
    }
    for (unsigned i = 0; i < count; i++)
        corners[i] = n - (int64_t)count + 1 + i;
    if (mode == GL_TRIANGLE_STRIP && count == 3 && k % 2 == 1) {
        corners[0] = n - 1;
        corners[1] = n - 2;
    }
    if ((mode == GL_TRIANGLE_FAN || mode == GL_POLYGON) && k >= 2) {
        corners[0] = begin;
        corners[1] = n - 1;
        corners[2] = n;
        count = 3;
    }
    return count;
}

/* Writes the corners of the line that closes a loop of a run, as corners_of() does. */
static unsigned closing_corners(int64_t mode, int64_t begin, int64_t end, int64_t corners[4])
{
    if (mode != GL_LINE_LOOP || end - begin <= 2)
        return 0;
    corners[0] = end - 1;
    corners[1] = begin;
    return 2;
}

static void add_block_faces(const struct retrace_draw_call *draw,
                            const struct retrace_draw_block *block, int64_t from, struct text *text)
{
    const int64_t end = block->first + block->count;
    int64_t begin = block->first, corners[4];

    for (int64_t n = begin; n <= end && text->status == 0; n++) {
        const bool ends = n == end || retrace_draw_call_index(draw, n) < 0;
        const unsigned count = ends ? closing_corners(block->mode, begin, n, corners)
                                    : corners_of(block->mode, begin, n, corners);

        if (count > 0)
            add_face(text, count == 1 ? 'p' : count == 2 ? 'l' : 'f', corners, count, from);
        if (ends)
            begin = n + 1;
    }
}

static void add_faces(const struct retrace_draw_call *draw, int64_t from, struct text *text)
{
    for (uint32_t n = 0; n < draw->block_count && text->status == 0; n++)
        add_block_faces(draw, &draw->blocks[n], from, text);
}

/* Adds, as pairs of vertices, the edges of a primitive. */
static uint32_t add_edges(const struct retrace_draw_call *draw, const int64_t *corners,
                          unsigned count, uint32_t *pairs)
{
    for (unsigned i = 0; i < count; i++) {
        pairs[2 * i] = (uint32_t)retrace_draw_call_index(draw, corners[i]);
        pairs[2 * i + 1] = (uint32_t)retrace_draw_call_index(draw, corners[(i + 1) % count]);
    }
    return 2 * count;
}

uint32_t *retrace_draw_edges(const struct retrace_call *call, uint32_t *count, int64_t *instances)
{
    const char *why;
    struct retrace_draw_call *draw = retrace_draw_call_of(call, &why);
    uint32_t *pairs = NULL;
    int64_t begin = 0, corners[4];

    *count = 0;
    if (draw != NULL && draw->vertices.count <= EDGES_MAX)
        pairs = malloc((size_t)(draw->vertices.count + 1) * 8 * sizeof(*pairs));
    for (int64_t n = 0; pairs != NULL && n <= draw->vertices.count; n++) {
        const bool ends = n == draw->vertices.count || retrace_draw_call_index(draw, n) < 0;
        const unsigned found = ends ? closing_corners(draw->vertices.mode, begin, n, corners)
                                    : corners_of(draw->vertices.mode, begin, n, corners);

        *count += add_edges(draw, corners, found, pairs + *count);
        if (ends)
            begin = n + 1;
    }
    if (pairs != NULL)
        *instances = draw->vertices.instances;
    retrace_draw_call_free(draw);
    return pairs;
}

static void add_fetched(const struct retrace_draw_call *draw,
                        const struct retrace_draw_block *block, int array, struct text *text)
{
    const int64_t end = block->first + block->count;

    for (int64_t n = block->first; n < end && text->status == 0; n++) {
        double values[4] = {0};
        const unsigned count =
            retrace_draw_call_fetch(draw, (unsigned)array, retrace_draw_call_index(draw, n),
                                    block->first_instance, 0, values);

        text_add_char(text, 'v');
        for (unsigned i = 0; i < (count == 4 ? 4u : 3u); i++) {
            text_add_char(text, ' ');
            retrace_state_add_float(text, values[i]);
        }
        text_add_char(text, '\n');
    }
}

void retrace_mesh_text(struct retrace *retrace, struct text *text)
{
    const char *why;
    struct retrace_draw_call *draw = retrace_draw_read(retrace, &why);
    const int array = draw != NULL ? positions(draw) : -1;

    if (draw != NULL && array < 0)
        why = "no array has its positions";
    if (array < 0) {
        text_printf(text, "# no mesh: %s\n", why);
    } else {
        const char *name = draw->sources[array].fetch.name;

        const bool set = draw->recording != NULL || draw->lists != NULL;

        text_add(text, draw->rectangle ? "# corners of glRect"
                       : set           ? "# positions as glVertex sets them"
                                       : "# positions as fetched from ");
        if (!set && !draw->rectangle)
            text_add_escaped(text, name, strlen(name));
        text_add_char(text, '\n');
        for (uint32_t n = 0; n < draw->block_count; n++)
            add_fetched(draw, &draw->blocks[n], array, text);
        add_faces(draw, 1, text);
    }
    retrace_draw_call_free(draw);
    retrace_scratch_reset(&retrace->scratch);
}

/* Appends the positions of `count` vertices of an instance, from `first` on. */
static void add_places(const struct retrace_draw_call *draw, int64_t first, int64_t count,
                       const float **next, struct text *text)
{
    static const float nowhere[4] = {0};

    for (int64_t n = first; n < first + count && text->status == 0; n++) {
        const float *none = nowhere;

        text_add(text, "v ");
        add_position(retrace_draw_call_index(draw, n) < 0 ? &none : next, 0, ' ', text);
        text_add_char(text, '\n');
    }
}

/* Each instance is a separate object if there are several. */
static void add_transformed(const struct retrace_draw_call *draw, const float *next,
                            struct text *text)
{
    const int64_t count = draw->vertices.count, told = draw->blocks[0].told;

    for (int64_t n = 0; n < told && text->status == 0 && !serve_is_withdrawn(); n++) {
        if (told > 1)
            text_printf(text, "o instance-%lld\n", (long long)n);
        add_places(draw, 0, count, &next, text);
        add_faces(draw, n * count + 1, text);
    }
}

/* Each draw is a separate object, too. */
static void add_transformed_draws(const struct retrace_draw_call *draw, const float *next,
                                  struct text *text)
{
    int64_t before = 0; /* number of vertices */

    for (uint32_t i = 0; i < draw->block_count; i++) {
        const struct retrace_draw_block *block = &draw->blocks[i];

        for (int64_t n = 0; n < block->told; n++) {
            if (text->status != 0 || serve_is_withdrawn())
                return;
            text_printf(text, "o draw-%u", i);
            if (block->told > 1)
                text_printf(text, "-instance-%lld", (long long)n);
            text_add_char(text, '\n');
            add_places(draw, block->first, block->count, &next, text);
            add_block_faces(draw, block, before + 1 - block->first, text);
            before += block->count;
        }
    }
}

void retrace_transformed_text(struct retrace *retrace, struct text *text)
{
    const char *why;
    float *positions;
    struct retrace_draw_call *draw = read_draw(retrace, &positions, &why);

    if (positions == NULL)
        text_printf(text, "# no mesh: %s\n", why);
    else
        text_add(text, "# gl_Position as the vertex stage leaves it: clip coordinates\n");
    if (positions != NULL)
        (retrace_draw_call_is_several(draw) ? add_transformed_draws
                                            : add_transformed)(draw, positions, text);
    free(positions);
    retrace_draw_call_free(draw);
    retrace_scratch_reset(&retrace->scratch);
}

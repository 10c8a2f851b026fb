/* SPDX-License-Identifier: MIT */
/*
 * The vertices of the draw behind which the session stands, whose call is still at hand: as they
 * are fetched from buffers and memory, and as a mesh of their positions.
 */
#include "config.h"

#include "base/bytes.h"
#include "glworker/gl/positions.h"
#include "glworker/gl/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUFFER_MAX = 1 << 30,
    VERTICES_MAX = 1 << 24,
    EDGES_MAX = 1 << 20,
    QUADS = 7,
    QUAD_STRIP = 8,
    POLYGON = 9
};

/* An array, and the bytes that it is in. */
struct array_source {
    struct retrace_fetch fetch;
    uint8_t *copy; /* of a buffer, of the first array that is in it */
    const uint8_t *bytes;
    uint64_t size;
};

/* All that a draw's vertices are told by. */
struct draw {
    struct retrace_vertices vertices;
    const struct retrace_binding *binding;
    const void *indices_here; /* memory, or an offset, as the driver takes it */
    struct array_source sources[RETRACE_FETCHES_MAX];
    unsigned source_count;
    uint8_t *copy; /* of the index buffer's part */
    const uint8_t *indices;
    unsigned index_bytes;
    bool restarts;
    uint32_t restart;
};

/* `before`: those that have been read. */
static void read_source(struct array_source *source, const struct array_source *before,
                        unsigned count)
{
    int64_t size;

    source->bytes = source->fetch.memory;
    source->size = source->fetch.size;
    if (source->fetch.buffer == 0)
        return;
    for (unsigned n = 0; n < count; n++)
        if (before[n].fetch.buffer == source->fetch.buffer) {
            source->bytes = before[n].bytes;
            source->size = before[n].size;
            return;
        }
    size = retrace_buffer_size(source->fetch.buffer);
    source->size = 0;
    if (size <= 0 || size > BUFFER_MAX)
        return;
    source->copy = malloc((size_t)size);
    if (source->copy == NULL || !retrace_buffer_read(source->fetch.buffer, 0, size, source->copy))
        return;
    source->bytes = source->copy;
    source->size = (uint64_t)size;
}

static bool read_indices(struct draw *draw)
{
    const struct retrace_vertices *vertices = &draw->vertices;
    GLint buffer = retrace_get(GL_ELEMENT_ARRAY_BUFFER_BINDING);
    uint64_t bytes;

    draw->index_bytes = vertices->type == GL_UNSIGNED_BYTE    ? 1
                        : vertices->type == GL_UNSIGNED_SHORT ? 2
                        : vertices->type == GL_UNSIGNED_INT   ? 4
                                                              : 0;
    bytes = (uint64_t)vertices->count * draw->index_bytes;
    draw->indices_here = vertices->indices->kind == RETRACE_MEMORY
                             ? (const void *)vertices->indices->memory
                             : (const void *)(uintptr_t)vertices->indices->number;
    if (draw->index_bytes == 0)
        return false;
    if (vertices->indices->kind == RETRACE_MEMORY) {
        draw->indices = vertices->indices->memory;
        return bytes <= vertices->indices->size;
    }
    if (buffer == 0 || !bytes_inside(vertices->indices->number, bytes,
                                     (uint64_t)retrace_buffer_size((GLuint)buffer)))
        return false;
    draw->copy = malloc((size_t)bytes + 1);
    draw->indices = draw->copy;
    return draw->copy != NULL &&
           retrace_buffer_read((GLuint)buffer, (int64_t)vertices->indices->number, (int64_t)bytes,
                               draw->copy);
}

static void find_restart(struct draw *draw)
{
    GLint index = 0;

    draw->restart =
        draw->index_bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * draw->index_bytes) - 1;
    draw->restarts = glIsEnabled(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    graphics_failed();
    if (!draw->restarts && glIsEnabled(GL_PRIMITIVE_RESTART)) {
        draw->restarts = retrace_state_get(GL_PRIMITIVE_RESTART_INDEX, &index);
        draw->restart = (uint32_t)index;
    }
    graphics_failed();
}

static void free_draw(struct draw *draw)
{
    if (draw == NULL)
        return;
    for (unsigned n = 0; n < draw->source_count; n++)
        free(draw->sources[n].copy);
    free(draw->copy);
    free(draw);
}

/* What the call says of its vertices: NULL, or why that is not known. */
static const char *read_vertices(const struct retrace_call *call, struct draw *draw)
{
    if (!retrace_draw_vertices(call, &draw->vertices) || draw->vertices.count < 0 ||
        draw->vertices.count > VERTICES_MAX)
        return "its vertices are not those of glDrawArrays or glDrawElements";
    draw->binding = call->binding;
    if (!draw->vertices.indexed)
        return NULL;
    if (!read_indices(draw))
        return "its indices cannot be read";
    draw->vertices.indices = NULL; /* an argument of the call, which the draw outlives */
    find_restart(draw);
    return NULL;
}

/* NULL: the call's vertices are told in no such way, and *why says so. */
static struct draw *read_draw(struct retrace *retrace, const char **why)
{
    struct retrace_fetch fetches[RETRACE_FETCHES_MAX];
    struct retrace_event *event = retrace->stream.ready;
    struct draw *draw = calloc(1, sizeof(*draw));
    struct retrace_binding *binding = event != NULL ? retrace_bind(retrace, event->function) : NULL;
    struct retrace_call call;

    *why = "no draw is at hand";
    if (draw == NULL || !retrace->behind || binding == NULL || binding->gl == NULL ||
        retrace_call_read(retrace, event, binding, &call) < 0) {
        free(draw);
        return NULL;
    }
    *why = read_vertices(&call, draw);
    if (*why != NULL) {
        free_draw(draw);
        return NULL;
    }
    draw->source_count = retrace_fetches(retrace, fetches);
    for (unsigned n = 0; n < draw->source_count; n++) {
        draw->sources[n].fetch = fetches[n];
        read_source(&draw->sources[n], draw->sources, n);
    }
    return draw;
}

/* The vertex that is fetched as the n-th; -1: a primitive ends there. */
static int64_t index_of(const struct draw *draw, int64_t n)
{
    uint32_t index;

    if (!draw->vertices.indexed)
        return draw->vertices.first + n;
    index = draw->index_bytes == 1   ? draw->indices[n]
            : draw->index_bytes == 2 ? bytes_le16(draw->indices + 2 * n)
                                     : bytes_le32(draw->indices + 4 * n);
    return draw->restarts && index == draw->restart ? -1 : index + draw->vertices.base;
}

/* Values of one vertex, of the first instance; 0: they lie beyond what there is. */
static unsigned fetch(const struct array_source *source, int64_t index, double values[4])
{
    uint64_t element = source->fetch.divisor > 0 ? 0 : (uint64_t)index;
    uint64_t at = source->fetch.offset + element * (uint64_t)source->fetch.stride;

    if (source->bytes == NULL || index < 0 ||
        !bytes_inside(at, retrace_fetch_bytes(&source->fetch), source->size))
        return 0;
    return retrace_fetch_decode(&source->fetch, source->bytes + at, values);
}

static void add_values(const struct array_source *source, int64_t index, char separator,
                       struct text *text)
{
    double values[4] = {0};
    unsigned count = fetch(source, index, values);

    if (count == 0)
        text_add_char(text, '-');
    for (unsigned n = 0; n < count; n++) {
        if (n > 0)
            text_add_char(text, separator);
        retrace_state_add_float(text, values[n]);
    }
}

/* Where the vertex stage puts them, one after the other; as retrace_positions(). */
static float *transform(const struct retrace *retrace, const struct draw *draw, const char **why)
{
    const struct retrace_vertices *vertices = &draw->vertices;
    struct retrace_points points = {.binding = draw->binding,
                                    .count = vertices->count,
                                    .first = vertices->first,
                                    .base = vertices->base,
                                    .first_instance = vertices->first_instance,
                                    .type = vertices->indexed ? (GLenum)vertices->type : GL_NONE,
                                    .indices = draw->indices_here};

    for (int64_t n = 0; n < vertices->count; n++)
        points.captured += index_of(draw, n) >= 0;
    return retrace_positions(retrace, &points, why);
}

/* The next position; none where a primitive ends. */
static void add_position(const float **next, int64_t index, char separator, struct text *text)
{
    if (*next == NULL || index < 0) {
        text_add_char(text, '-');
        return;
    }
    for (unsigned n = 0; n < 4; n++) {
        if (n > 0)
            text_add_char(text, separator);
        retrace_state_add_float(text, (double)(*next)[n]);
    }
    *next += 4;
}

void retrace_vertices_text(struct retrace *retrace, struct text *text)
{
    const char *why;
    struct draw *draw = read_draw(retrace, &why);
    float *positions = draw != NULL ? transform(retrace, draw, &why) : NULL;
    const float *next = positions;

    text_add(text, "vertex\tindex");
    for (unsigned n = 0; draw != NULL && n < draw->source_count; n++)
        text_cell_word(text, draw->sources[n].fetch.name);
    text_add(text, "\tgl_Position\n");
    for (int64_t n = 0; draw != NULL && n < draw->vertices.count && text->status == 0; n++) {
        int64_t index = index_of(draw, n);

        text_add_i64(text, n);
        if (index < 0)
            text_add(text, "\t-");
        else
            text_printf(text, "\t%lld", (long long)index);
        for (unsigned i = 0; i < draw->source_count; i++) {
            text_add_char(text, '\t');
            add_values(&draw->sources[i], index, ',', text);
        }
        text_add_char(text, '\t');
        add_position(&next, index, ',', text);
        text_add_char(text, '\n');
        if (n % 4096 == 0 && serve_is_withdrawn())
            break;
    }
    free(positions);
    free_draw(draw);
    retrace_scratch_reset(&retrace->scratch);
}

/* Meshes. */

/* The array that positions come from: fixed functions', attribute 0, or one of such a name. */
static const struct array_source *positions(const struct draw *draw)
{
    const struct array_source *found = NULL;

    for (unsigned n = 0; n < draw->source_count; n++) {
        const struct retrace_fetch *fetch = &draw->sources[n].fetch;

        if (fetch->slot == 0)
            return &draw->sources[n];
        if (strstr(fetch->name, "pos") != NULL || strstr(fetch->name, "Pos") != NULL ||
            strstr(fetch->name, "POS") != NULL || strstr(fetch->name, "ertex") != NULL)
            found = found == NULL ? &draw->sources[n] : found;
    }
    for (unsigned n = 0; found == NULL && n < draw->source_count; n++)
        if (draw->sources[n].fetch.slot == RETRACE_SLOT_NUMBERS)
            found = &draw->sources[n];
    return found;
}

static void add_face(struct text *text, char kind, const int64_t *corners, unsigned count)
{
    text_add_char(text, kind);
    for (unsigned n = 0; n < count; n++)
        text_printf(text, " %lld", (long long)corners[n] + 1);
    text_add_char(text, '\n');
}

/* Corners of a primitive that the n-th vertex of a run ends; how many, 0: it ends none. */
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
    case QUADS:
        count = k % 4 == 3 ? 4 : 0;
        break;
    case GL_TRIANGLE_STRIP:
        count = k >= 2 ? 3 : 0;
        break;
    default:
        break;
    }
    if (mode == QUAD_STRIP && k >= 3 && k % 2 == 1) {
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
    if ((mode == GL_TRIANGLE_FAN || mode == POLYGON) && k >= 2) {
        corners[0] = begin;
        corners[1] = n - 1;
        corners[2] = n;
        count = 3;
    }
    return count;
}

static void add_faces(const struct draw *draw, struct text *text)
{
    int64_t begin = 0, corners[4];

    for (int64_t n = 0; n < draw->vertices.count && text->status == 0; n++) {
        unsigned count;

        if (index_of(draw, n) < 0) {
            begin = n + 1;
            continue;
        }
        count = corners_of(draw->vertices.mode, begin, n, corners);
        if (count > 0)
            add_face(text, count == 1 ? 'p' : count == 2 ? 'l' : 'f', corners, count);
    }
    if (draw->vertices.mode == GL_LINE_LOOP && draw->vertices.count - begin > 2) {
        corners[0] = draw->vertices.count - 1;
        corners[1] = begin;
        add_face(text, 'l', corners, 2);
    }
}

/* Adds the pairs of vertices that join the corners of what the n-th one ends. */
static uint32_t add_edges(const struct draw *draw, int64_t begin, int64_t n, uint32_t *pairs)
{
    int64_t corners[4];
    const unsigned count = corners_of(draw->vertices.mode, begin, n, corners);

    for (unsigned i = 0; i < count; i++) {
        pairs[2 * i] = (uint32_t)index_of(draw, corners[i]);
        pairs[2 * i + 1] = (uint32_t)index_of(draw, corners[(i + 1) % count]);
    }
    return 2 * count;
}

uint32_t *retrace_draw_edges(const struct retrace_call *call, uint32_t *count, int64_t *instances)
{
    struct draw *draw = calloc(1, sizeof(*draw));
    uint32_t *pairs = NULL;
    int64_t begin = 0;

    *count = 0;
    if (draw != NULL && read_vertices(call, draw) == NULL && draw->vertices.count <= EDGES_MAX)
        pairs = malloc((size_t)(draw->vertices.count + 1) * 8 * sizeof(*pairs));
    for (int64_t n = 0; pairs != NULL && n < draw->vertices.count; n++) {
        if (index_of(draw, n) < 0)
            begin = n + 1;
        else
            *count += add_edges(draw, begin, n, pairs + *count);
    }
    if (pairs != NULL)
        *instances = draw->vertices.instances;
    free_draw(draw);
    return pairs;
}

void retrace_mesh_text(struct retrace *retrace, struct text *text)
{
    const char *why;
    struct draw *draw = read_draw(retrace, &why);
    const struct array_source *source = draw != NULL ? positions(draw) : NULL;

    if (draw != NULL && source == NULL)
        why = "no array has its positions";
    if (source == NULL) {
        text_printf(text, "# no mesh: %s\n", why);
    } else {
        text_add(text, "# positions as fetched from ");
        text_add_escaped(text, source->fetch.name, strlen(source->fetch.name));
        text_add_char(text, '\n');
        for (int64_t n = 0; n < draw->vertices.count && text->status == 0; n++) {
            double values[4] = {0};
            unsigned count = fetch(source, index_of(draw, n), values);

            text_add_char(text, 'v');
            for (unsigned i = 0; i < (count == 4 ? 4u : 3u); i++) {
                text_add_char(text, ' ');
                retrace_state_add_float(text, values[i]);
            }
            text_add_char(text, '\n');
        }
        add_faces(draw, text);
    }
    free_draw(draw);
    retrace_scratch_reset(&retrace->scratch);
}

void retrace_transformed_text(struct retrace *retrace, struct text *text)
{
    static const float nowhere[4] = {0};
    const char *why;
    struct draw *draw = read_draw(retrace, &why);
    float *positions = draw != NULL ? transform(retrace, draw, &why) : NULL;
    const float *next = positions;

    if (positions == NULL) {
        text_printf(text, "# no mesh: %s\n", why);
    } else {
        text_add(text, "# gl_Position as the vertex stage leaves it: clip coordinates\n");
        for (int64_t n = 0; n < draw->vertices.count && text->status == 0; n++) {
            const float *none = nowhere;

            text_add(text, "v ");
            add_position(index_of(draw, n) < 0 ? &none : &next, 0, ' ', text);
            text_add_char(text, '\n');
        }
        add_faces(draw, text);
    }
    free(positions);
    free_draw(draw);
    retrace_scratch_reset(&retrace->scratch);
}

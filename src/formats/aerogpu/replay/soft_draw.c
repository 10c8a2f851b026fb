/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/soft_draw.h"

#include "formats/aerogpu/replay/replay.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    MAX_TRIANGLES = 1 << 20, /* maximum number of triangles of one draw */
    VERTEX_BYTES = 24,
};

static uint32_t word(const struct aerogpu_command *command, uint32_t offset)
{
    return aerogpu_u32(command, offset);
}

/* What a draw uses, and where it draws. */
struct triangle_draw {
    const struct aerogpu_soft_draw *draw;
    struct aerogpu_soft_area area;
    const uint8_t *vertices; /* of vertex buffer 0, at its offset */
    uint64_t size, stride;
    const uint8_t *indices; /* NULL if the draw is not indexed */
    uint64_t index_count;
    bool wide; /* indices have 32 bits */
    int64_t base;
};

/*
 * Returns whether a viewport is set: all six values are finite, and width and height are positive.
 */
static bool has_viewport(const struct aerogpu_pipeline *pipeline)
{
    for (int i = 0; i < 6; i++)
        if (!isfinite(pipeline->viewport[i]))
            return false;
    return pipeline->has_viewport && pipeline->viewport[2] > 0 && pipeline->viewport[3] > 0;
}

static void set_area(const struct aerogpu_pipeline *pipeline, const struct aerogpu_target *target,
                     struct aerogpu_soft_area *area)
{
    *area = (struct aerogpu_soft_area){.width = target->width,
                                       .height = target->height,
                                       .view_width = (float)target->width,
                                       .view_height = (float)target->height,
                                       .right = (int32_t)target->width,
                                       .bottom = (int32_t)target->height};
    if (has_viewport(pipeline)) {
        area->x = pipeline->viewport[0];
        area->y = pipeline->viewport[1];
        area->view_width = pipeline->viewport[2];
        area->view_height = pipeline->viewport[3];
    }
}

static int32_t inside(int64_t value, int32_t max)
{
    return value < 0 ? 0 : value > max ? max : (int32_t)value;
}

/* Returns the first pixel whose centre is not before an edge. */
static int32_t first_pixel(float edge, int32_t max)
{
    if (!(edge > 0))
        return 0;
    return edge < (float)max ? inside((int64_t)ceilf(edge - 0.5f), max) : max;
}

/* Restricts the area to the viewport. */
static void clip_to_viewport(struct aerogpu_soft_area *area)
{
    int32_t width = area->right, height = area->bottom;

    area->left = first_pixel(area->x, width);
    area->top = first_pixel(area->y, height);
    area->right = first_pixel(area->x + area->view_width, width);
    area->bottom = first_pixel(area->y + area->view_height, height);
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void clip_to_scissor(const struct aerogpu_pipeline *pipeline, struct aerogpu_soft_area *area)
{
    const int32_t *scissor = pipeline->scissor;
    int32_t width = (int32_t)area->width, height = (int32_t)area->height;

    if (pipeline->raster.scissor_enable == 0 || !pipeline->has_scissor || scissor[2] <= 0 ||
        scissor[3] <= 0)
        return;
    area->left = larger(area->left, inside(scissor[0], width));
    area->top = larger(area->top, inside(scissor[1], height));
    area->right = smaller(area->right, inside((int64_t)scissor[0] + scissor[2], width));
    area->bottom = smaller(area->bottom, inside((int64_t)scissor[1] + scissor[3], height));
}

/* Reads a vertex. Vertices beyond the buffer read as zeros, as in D3D11. */
static void read_vertex(const struct triangle_draw *draw, int64_t number,
                        struct aerogpu_soft_vertex *out)
{
    float values[6] = {0};
    uint64_t offset = 0;

    if (number >= 0 && bytes_mul((uint64_t)number, draw->stride, &offset) &&
        bytes_inside(offset, VERTEX_BYTES, draw->size))
        memcpy(values, draw->vertices + offset, sizeof(values));
    out->x = values[0];
    out->y = values[1];
    memcpy(out->colour, values + 2, sizeof(out->colour));
}

/* Returns the vertex of the draw's element `number`. */
static int64_t vertex_of(const struct triangle_draw *draw, uint64_t number)
{
    if (draw->indices == NULL)
        return (int64_t)number;
    if (number >= draw->index_count)
        return draw->base;
    return draw->base + (draw->wide ? (int64_t)bytes_le32(draw->indices + 4 * number)
                                    : (int64_t)bytes_le16(draw->indices + 2 * number));
}

static void draw_triangle(struct triangle_draw *draw, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t numbers[3] = {a, b, c};
    struct aerogpu_soft_vertex vertices[3];

    for (int i = 0; i < 3; i++)
        read_vertex(draw, vertex_of(draw, numbers[i]), &vertices[i]);
    aerogpu_soft_triangle(&draw->area, vertices, draw->draw->paint, draw->draw->context);
}

static int draw_triangles(struct triangle_draw *draw, uint32_t topology, uint64_t first,
                          uint64_t count)
{
    uint64_t step = topology == AEROGPU_TRIANGLE_LIST ? 3 : 1, drawn = 0;

    for (uint64_t i = 0; i + 3 <= count && drawn < MAX_TRIANGLES; i += step, drawn++) {
        if (cancel_requested(draw->draw->cancel))
            return -EINTR;
        if (topology == AEROGPU_TRIANGLE_FAN)
            draw_triangle(draw, first, first + i + 1, first + i + 2);
        else
            draw_triangle(draw, first + i, first + i + 1, first + i + 2);
    }
    return cancel_requested(draw->draw->cancel) ? -EINTR : 0;
}

static bool set_vertices(const struct aerogpu_machine *machine, struct triangle_draw *draw)
{
    const struct aerogpu_vertex_binding *binding = &machine->pipeline.vertices[0];
    const struct aerogpu_object *buffer = aerogpu_machine_bound(machine, binding->buffer);

    if (buffer->contents == NULL || binding->offset > buffer->size)
        return false;
    draw->vertices = aerogpu_cpu_replay_contents(buffer) + binding->offset;
    draw->size = buffer->size - binding->offset;
    draw->stride = binding->stride;
    return true;
}

static bool set_indices(const struct aerogpu_machine *machine, struct triangle_draw *draw)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;
    const struct aerogpu_object *buffer = aerogpu_machine_bound(machine, pipeline->index_buffer);

    if (buffer->contents == NULL || pipeline->index_offset > buffer->size)
        return false;
    draw->indices = aerogpu_cpu_replay_contents(buffer) + pipeline->index_offset;
    draw->wide = pipeline->index_format == AEROGPU_UINT32;
    draw->index_count = (buffer->size - pipeline->index_offset) / (draw->wide ? 4 : 2);
    return true;
}

static void clip_area(const struct aerogpu_soft_draw *draw, struct aerogpu_soft_area *area)
{
    const struct aerogpu_texels *only = draw->only;

    clip_to_viewport(area);
    if (!draw->unscissored)
        clip_to_scissor(&draw->machine->pipeline, area);
    if (only == NULL)
        return;
    area->left = larger(area->left, (int32_t)only->left);
    area->top = larger(area->top, (int32_t)only->top);
    area->right = smaller(area->right, (int32_t)only->right);
    area->bottom = smaller(area->bottom, (int32_t)only->bottom);
}

/* Checks the command again: another program may write to the dump meanwhile. */
static bool can_draw(const struct aerogpu_soft_draw *draw)
{
    const struct aerogpu_command *command = draw->command;

    return command->type != NULL && command->type->dialect == AEROGPU_A3A0 &&
           (command->opcode == AEROGPU_DRAW || command->opcode == AEROGPU_DRAW_INDEXED) &&
           aerogpu_machine_is_unshaded(draw->machine, command);
}

int aerogpu_soft_draw(const struct aerogpu_soft_draw *draw)
{
    const struct aerogpu_machine *machine = draw->machine;
    const struct aerogpu_command *command = draw->command;
    bool indexed = command->opcode == AEROGPU_DRAW_INDEXED;
    struct triangle_draw triangles = {.draw = draw};

    if (!can_draw(draw) || !set_vertices(machine, &triangles) ||
        (indexed && !set_indices(machine, &triangles)))
        return 0;
    if (word(command, indexed ? AEROGPU_AT_DRAW_INDEXED_INSTANCES : AEROGPU_AT_DRAW_INSTANCES) == 0)
        return 0;
    set_area(&machine->pipeline, draw->target, &triangles.area);
    triangles.area.cancel = draw->cancel;
    clip_area(draw, &triangles.area);
    if (!indexed)
        return draw_triangles(&triangles, machine->pipeline.topology,
                              word(command, AEROGPU_AT_DRAW_FIRST),
                              word(command, AEROGPU_AT_DRAW_COUNT));
    triangles.base = aerogpu_i32(command, AEROGPU_AT_DRAW_INDEXED_BASE_VERTEX);
    return draw_triangles(&triangles, machine->pipeline.topology,
                          word(command, AEROGPU_AT_DRAW_INDEXED_FIRST),
                          word(command, AEROGPU_AT_DRAW_INDEXED_COUNT));
}

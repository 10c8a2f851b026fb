/* SPDX-License-Identifier: MIT */
#include "formats/psx/frame/coverage.h"

#include <stdlib.h>

static bool note_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                     psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct psx_coverage *coverage = (struct psx_coverage *)observer;
    int x = (int)(coverage->pixel % PSX_VRAM_WIDTH), y = (int)(coverage->pixel / PSX_VRAM_WIDTH);

    (void)gpu;
    (void)shade;
    coverage->covers |= y >= job->y0 && y < job->y1 && x >= job->left[y] && x < job->right[y];
    return false;
}

static void note_run(struct psx_observer *observer, const struct psx_gpu *gpu, uint32_t index,
                     uint32_t count, bool check, bool blended)
{
    struct psx_coverage *coverage = (struct psx_coverage *)observer;

    (void)gpu;
    (void)check;
    (void)blended;
    coverage->covers |= coverage->pixel - index < count;
}

int psx_coverage_init(struct psx_coverage *coverage, const struct psx_index *index)
{
    int status = psx_gpu_create(index->model, &coverage->gpu);

    if (status != 0)
        return status;
    psx_gpu_leave_out_texel_cache(coverage->gpu);
    coverage->observer = (struct psx_observer){.job = note_job, .run = note_run};
    coverage->gpu->observer = &coverage->observer;
    coverage->gpu->ops = &psx_raster_ops_c;
    coverage->gpu->never_skip = index->field_option == PSX_FIELD_BOTH;
    return 0;
}

void psx_coverage_clear(struct psx_coverage *coverage)
{
    psx_gpu_destroy(&coverage->gpu);
}

bool psx_coverage_command(const struct psx_walk *walk, const struct psx_step *step,
                          struct psx_coverage_command *out)
{
    const struct psx_state *state = &walk->at.state;
    const struct psx_gp0_event *event = &step->event;
    struct psx_gp0_event line;

    if (step->kind != PSX_STEP_GP0)
        return false;
    out->event = event;
    out->kind = psx_gp0_table[event->op].kind;
    switch (event->type) {
    case GP0_EVENT_SEGMENT:
        psx_state_segment(state, event, &line);
        psx_draw_decode(&line, &state->registers, &out->draw);
        break;
    case GP0_EVENT_COMMAND:
        if (!psx_kind_draws(out->kind))
            return false;
        psx_draw_decode(event, &state->registers, &out->draw);
        break;
    case GP0_EVENT_DATA:
        out->upload = state->upload;
        out->data_end = out->upload.done + 2 * event->data_words;
        if (out->data_end > out->upload.total)
            out->data_end = out->upload.total;
        break;
    default:
        return false;
    }
    out->registers = state->registers;
    return true;
}

static uint32_t lines_of(const struct psx_coverage_command *command)
{
    return psx_display_lines(&command->registers.display);
}

/*
 * Returns whether line `y` of VRAM is addressed. *below is how far it is below line `from`, with
 * wrap at the edge.
 */
static bool is_below(const struct psx_coverage_command *command, uint32_t y, uint32_t from,
                     uint32_t *below)
{
    uint32_t lines = lines_of(command);

    *below = (y - from) & (lines - 1);
    return y < lines;
}

uint32_t psx_coverage_halfword(const struct psx_coverage_command *command, uint32_t pixel)
{
    bool copies = command->kind == GP0_COPY;
    uint32_t x = copies ? command->draw.x : command->upload.x;
    uint32_t y = copies ? command->draw.y : command->upload.y;
    uint32_t width = copies ? command->draw.width : command->upload.width;
    uint32_t height = copies ? command->draw.height : command->upload.height;
    uint32_t right = (pixel - x) & (PSX_VRAM_WIDTH - 1), below;

    if (!is_below(command, pixel / PSX_VRAM_WIDTH, y, &below) || right >= width || below >= height)
        return UINT32_MAX;
    return below * width + right;
}

/* Even columns of the first GPU's split fills are shifted right. */
static bool fill_covers(const struct psx_coverage_command *command, uint32_t pixel)
{
    const struct psx_draw *fill = &command->draw;
    uint32_t further = fill->split && pixel % 2 == 0 ? (uint32_t)PSX_SPLIT_COLUMNS : 0;
    uint32_t right = (pixel - fill->x - further) & (PSX_VRAM_WIDTH - 1), below;

    return is_below(command, pixel / PSX_VRAM_WIDTH, fill->y, &below) && below < fill->height &&
           right < fill->width;
}

static bool is_skipped(const struct psx_coverage *coverage, uint32_t pixel)
{
    return psx_raster_skipped_parity(coverage->gpu) == (int)(pixel / PSX_VRAM_WIDTH & 1);
}

static bool box_holds(const struct psx_box *box, uint32_t pixel, uint32_t lines)
{
    int y = (int)(pixel / PSX_VRAM_WIDTH), x = (int)(pixel % PSX_VRAM_WIDTH);

    return y < (int)lines && x >= box->x && x < box->x + box->width &&
           ((y - box->y) & (int)(lines - 1)) < box->height;
}

/* With the registers that the GPU has. */
static bool primitive_covers(struct psx_coverage *coverage, const struct psx_draw *draw,
                             uint32_t pixel)
{
    const struct psx_registers *registers = &coverage->gpu->state.registers;
    struct psx_box box;

    if (psx_draw_box(draw, registers, &box) != PSX_CULL_NO ||
        !box_holds(&box, pixel, psx_display_lines(&registers->display)))
        return false;
    coverage->pixel = pixel;
    coverage->covers = false;
    psx_raster_draw(coverage->gpu, draw);
    return coverage->covers;
}

bool psx_coverage_reaches(struct psx_coverage *coverage, const struct psx_coverage_command *command,
                          uint32_t pixel)
{
    uint32_t halfword;

    coverage->gpu->state.registers = command->registers;
    switch (command->kind) {
    case GP0_FILL:
        return fill_covers(command, pixel) && !is_skipped(coverage, pixel);
    case GP0_COPY:
        return psx_coverage_halfword(command, pixel) != UINT32_MAX;
    case GP0_UPLOAD:
        halfword = psx_coverage_halfword(command, pixel);
        return halfword >= command->upload.done && halfword < command->data_end;
    default:
        return primitive_covers(coverage, &command->draw, pixel);
    }
}

/* The pixel in the coordinates of a command's corners. */
struct place {
    int x, y;
};

static int64_t side_of(const struct psx_vertex *a, const struct psx_vertex *b, struct place at)
{
    return (int64_t)(b->x - a->x) * (at.y - a->y) - (int64_t)(b->y - a->y) * (at.x - a->x);
}

static bool is_too_large(const struct psx_vertex *a, const struct psx_vertex *b)
{
    return psx_span_too_large(b->x - a->x, b->y - a->y);
}

/* Returns whether a triangle that has the pixel inside or on an edge is dropped for its size. */
static bool drops_triangle(const struct psx_vertex *v, struct place at)
{
    int64_t a = side_of(&v[0], &v[1], at), b = side_of(&v[1], &v[2], at);
    int64_t c = side_of(&v[2], &v[0], at);

    if (!is_too_large(&v[0], &v[1]) && !is_too_large(&v[1], &v[2]) && !is_too_large(&v[2], &v[0]))
        return false;
    return a + b + c != 0 && ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0));
}

static bool is_between(int value, int a, int b)
{
    return a < b ? value >= a && value <= b : value >= b && value <= a;
}

/* The same for a line that passes the pixel within half a pixel. */
static bool drops_line(const struct psx_vertex *v, struct place at)
{
    int width = abs(v[1].x - v[0].x), height = abs(v[1].y - v[0].y);

    return is_too_large(&v[0], &v[1]) && is_between(at.x, v[0].x, v[1].x) &&
           is_between(at.y, v[0].y, v[1].y) &&
           2 * llabs(side_of(&v[0], &v[1], at)) <= (width > height ? width : height);
}

/*
 * Returns the line of the drawing area after `line` that is the same line of VRAM: without GP1(09),
 * line 512 + n is line n.
 */
static uint32_t next_mirror(const struct psx_registers *registers, uint32_t line)
{
    return line + psx_display_lines(&registers->display);
}

static bool drops_place(const struct psx_coverage_command *command, struct place at)
{
    const struct psx_draw *draw = &command->draw;
    const struct psx_area area = psx_registers_area(&command->registers);
    int offset_x, offset_y;

    if (at.x < area.x0 || at.x > area.x1 || at.y < area.y0 || at.y > area.y1)
        return false;
    psx_registers_offset(&command->registers, &offset_x, &offset_y);
    at.x -= offset_x;
    at.y -= offset_y;
    if (draw->kind == GP0_LINE || draw->kind == GP0_POLYLINE)
        return drops_line(draw->vertex, at);
    return draw->kind == GP0_POLYGON &&
           (drops_triangle(draw->vertex, at) ||
            (draw->vertex_count == 4 && drops_triangle(draw->vertex + 1, at)));
}

static bool drops_pixel(const struct psx_coverage_command *command, uint32_t pixel)
{
    const struct psx_registers *registers = &command->registers;

    for (uint32_t line = pixel / PSX_VRAM_WIDTH; line < PSX_VRAM_HEIGHT_MAX;
         line = next_mirror(registers, line))
        if (drops_place(command, (struct place){(int)(pixel % PSX_VRAM_WIDTH), (int)line}))
            return true;
    return false;
}

/* Returns whether the primitive covers the pixel if all lines are drawn. */
static bool covers_unskipped(struct psx_coverage *coverage, const struct psx_draw *draw,
                             uint32_t pixel)
{
    bool never_skip = coverage->gpu->never_skip, covers;

    coverage->gpu->never_skip = true;
    covers = primitive_covers(coverage, draw, pixel);
    coverage->gpu->never_skip = never_skip;
    return covers;
}

/* Returns whether it does if the drawing area is only that pixel. Leaves such an area behind. */
static bool covers_unclipped(struct psx_coverage *coverage, const struct psx_draw *draw,
                             uint32_t pixel)
{
    struct psx_registers *registers = &coverage->gpu->state.registers;

    for (uint32_t line = pixel / PSX_VRAM_WIDTH; line < PSX_VRAM_HEIGHT_MAX;
         line = next_mirror(registers, line)) {
        registers->e[3] = registers->e[4] = pixel % PSX_VRAM_WIDTH | line << 10;
        if (covers_unskipped(coverage, draw, pixel))
            return true;
    }
    return false;
}

enum psx_coverage_miss psx_coverage_miss(struct psx_coverage *coverage,
                                         const struct psx_coverage_command *command, uint32_t pixel)
{
    struct psx_draw draw = command->draw;

    if (command->kind == GP0_FILL)
        return fill_covers(command, pixel) ? COVERAGE_FIELD : COVERAGE_NONE;
    if (command->kind == GP0_COPY || command->kind == GP0_UPLOAD ||
        pixel / PSX_VRAM_WIDTH >= lines_of(command))
        return COVERAGE_NONE;
    coverage->gpu->state.registers = command->registers;
    if (draw.page / 16 * 256u >= coverage->gpu->lines) {
        draw.page = 0;
        return psx_coverage_reaches(coverage,
                                    &(struct psx_coverage_command){.kind = command->kind,
                                                                   .registers = command->registers,
                                                                   .draw = draw},
                                    pixel)
                   ? COVERAGE_CULLED
                   : COVERAGE_NONE;
    }
    if (is_skipped(coverage, pixel) && covers_unskipped(coverage, &draw, pixel))
        return COVERAGE_FIELD;
    if (covers_unclipped(coverage, &draw, pixel))
        return COVERAGE_CLIPPED;
    return drops_pixel(command, pixel) ? COVERAGE_CULLED : COVERAGE_NONE;
}

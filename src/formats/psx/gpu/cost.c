/* SPDX-License-Identifier: MIT */
/*
 * The cost of a shape is a sum (psx-gpu.md 20 has the figures and their evidence):
 *
 *     for the shape             its set-up: TRIANGLE…, LINE…
 *     for each row              ANY_ROW, even where nothing of the row is drawn (not for lines)
 *     for each row drawn        row_costs, by the row's width and kind; of lines LINE_…
 *     for each palette entry    PALETTE_ENTRY, if the shape latches a palette
 *     for each line loaded      TEXEL_LINE: lines of the texel cache that it does not hold yet
 *
 * Fills, copies and reads have formulas of their own. This file has, in this order: the cost of
 * rows; a model of the texel cache, and how many of its lines a shape loads; the shapes; the
 * functions of the header.
 */
#include "formats/psx/gpu/cost.h"

#include <stdlib.h>
#include <string.h>

/* Times are in quarters of a cycle. */
enum {
    CYCLE = 4,
    ANY_ROW = 4, /* each row of a shape, wherever it is */
    TRIANGLE = 40,
    TRIANGLE_TEXTURED = 360,
    TRIANGLE_GOURAUD = 600,
    LINE = 160,
    LINE_GOURAUD = 240,
    LINE_LEVEL_PIXEL = 4,
    LINE_PIXEL = 8,
    LINE_ROW = 8,
    LINE_STEEP_ROW = 10,
    LINE_STEEP_ROW_READ = 22,
    FILL_ROW = 20,
    FILL_CHUNK = 4,
    FILL_EMPTY_ROW = 4,
    TEXEL_LINE = 8 * CYCLE,
    PALETTE_ENTRY = 2,
    CHUNK = 16, /* pixels */
    NARROW = 8, /* rows of fewer pixels take longer */
    FAR_SMALLER = 8,
    MANY_LINES = 2 * PSX_COST_TEXEL_LINES, /* of more lines the cache holds the last ones */
};

/*
 * Kinds of rows that are drawn. Those with _READ also read the pixels that they replace, for
 * blending or for the mask test.
 */
enum { FLAT, FLAT_READ, RICH, RICH_READ, RECTANGLE, RECTANGLE_READ, ROW_KINDS };

static const struct row_cost {
    /*
     * In quarters of a cycle: for each row; for each CHUNK pixels of it, or what is left of them;
     * for each pixel, without the last one of an odd number.
     */
    uint8_t row, chunk, pixel;
    uint8_t narrow[NARROW]; /* added to a row of that width */
} row_costs[ROW_KINDS] = {
    [FLAT] = {4, 0, 2, {0, 8, 6, 5, 3, 3, 2, 2}},
    [FLAT_READ] = {21, 15, 2, {0}},
    [RICH] = {4, 0, 4, {0}}, /* gouraud or textured */
    [RICH_READ] = {8, 0, 4, {0}},
    [RECTANGLE] = {4, 0, 2, {0, 10, 6, 6, 4, 4, 2, 2}},
    [RECTANGLE_READ] = {24, 15, 2, {0}},
};

static uint32_t cost_of_row(unsigned kind, uint32_t width)
{
    const struct row_cost *row = &row_costs[kind];
    uint32_t chunks = (width + CHUNK - 1) / CHUNK;

    return row->row + row->chunk * chunks + row->pixel * (width & ~1u) +
           (width < NARROW ? row->narrow[width] : 0);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/*
 * The model of the texel cache (psx-gpu.md 20): which lines of four halfwords it holds, not what is
 * in them.
 *
 * The GPU looks a line up for each pixel. Here the area of the texture page that a shape samples is
 * gone through instead, row by row of texels. That takes a fraction of the time. It finds the same
 * lines as long as the cache is large enough for all texels of a row of pixels; triangle_lines()
 * and rectangle_lines() correct the number where it is not.
 */

enum { LINE_BITS = 18 }; /* bits of the number of a line of four halfwords in 2 MiB of VRAM */

/* Empties the cache: what is stored in it equals no line any more (struct psx_cost). */
static void drop_texels(struct psx_cost *cost)
{
    cost->loads += 1u << LINE_BITS;
    if (cost->loads != 0)
        return;
    memset(cost->lines, 0, sizeof(cost->lines));
    cost->loads = 1u << LINE_BITS;
}

static void use_page(struct psx_cost *cost, const struct psx_draw *draw)
{
    uint32_t page = draw->page | (uint32_t)draw->depth << 8;

    if (page == cost->page)
        return;
    cost->page = page;
    drop_texels(cost);
}

/*
 * A draw's texture page, and how the cache arranges its lines: as rows of slots, each of which
 * serves rows of VRAM that are a fixed distance apart.
 */
struct texels {
    uint32_t x, y;      /* the page's corner in VRAM; x is counted in lines of the cache */
    uint32_t slot_rows; /* number of rows of slots in the cache, minus 1: a mask */
    uint32_t row_slots; /* number of slots in each of these rows */
    int line, shift;    /* texels in a line, and the binary logarithm of their number */
    /*
     * The area of texels that the cache can hold at the same time. Along an axis where the window
     * leaves no more coordinates than that, it is 256, which no row of pixels exceeds.
     */
    int columns, rows;
    int step; /* this many texels, aligned to their number, are in one line after the window */
    uint32_t behind; /* number of different lines that remain of a page after the window */
    uint8_t and_u, or_u, and_v, or_v;
};

/* Returns how many different coordinates remain after a window with this mask. */
static int texels_behind(uint8_t mask)
{
    return 1 << __builtin_popcount(mask);
}

static void texels_begin(const struct psx_cost *cost, const struct psx_draw *draw,
                         struct texels *out)
{
    struct psx_raster_job job;
    bool is_4 = draw->depth == PSX_DEPTH_4;

    psx_raster_begin(&cost->gpu, draw, &job);
    *out = (struct texels){
        .x = job.page_x / 4,
        .y = job.page_y,
        .slot_rows = is_4 ? 63 : 31,
        .row_slots = is_4 ? 4 : 8,
        .line = 16 >> draw->depth,
        .shift = 4 - draw->depth,
        .columns = draw->depth == PSX_DEPTH_15 ? 32 : 64,
        .rows = is_4 ? 64 : 32,
        .step = is_4 && job.and_u != 0xFF ? 8 : 16 >> draw->depth,
        .and_u = job.and_u,
        .or_u = job.or_u,
        .and_v = job.and_v,
        .or_v = job.or_v,
    };
    out->behind =
        (uint32_t)(larger(texels_behind(job.and_u) / out->line, 1) * texels_behind(job.and_v));
    if (texels_behind(job.and_u) <= out->columns)
        out->columns = 256; /* no row crosses more */
    if (texels_behind(job.and_v) <= out->rows)
        out->rows = 256;
}

/* Loads those lines of texels u0 to u1 of a row that are not in the cache. Returns their number. */
static uint32_t load_lines(struct psx_cost *cost, const struct texels *texels, int u0, int u1,
                           int row)
{
    uint32_t y = texels->y + (((uint32_t)row & texels->and_v) | texels->or_v);
    uint32_t *slots = cost->lines + (y & texels->slot_rows) * texels->row_slots;
    uint32_t first = y * (PSX_VRAM_WIDTH / 4) + cost->loads, loaded = 0;

    for (int u = u0 & -texels->step; u <= u1; u += texels->step) {
        uint32_t column = ((uint32_t)u & texels->and_u) | texels->or_u;
        uint32_t x = (texels->x + (column >> texels->shift)) & (PSX_VRAM_WIDTH / 4 - 1);
        uint32_t *slot = &slots[x & (texels->row_slots - 1)];

        loaded += *slot != first + x;
        *slot = first + x;
    }
    return loaded;
}

/* An edge of a triangle of texels, which advances from row to row. */
struct texel_edge {
    int32_t u, step; /* with 16 fractional bits */
};

static struct texel_edge texel_edge(const struct psx_vertex *from, const struct psx_vertex *to)
{
    int rows = to->v - from->v;

    return (struct texel_edge){from->u * (1 << 16),
                               rows > 0 ? (to->u - from->u) * (1 << 16) / rows : 0};
}

static void sort_by_v(const struct psx_vertex *v[3])
{
    const struct psx_vertex *first = v[0];

    if (v[1]->v < v[0]->v) {
        v[0] = v[1];
        v[1] = first;
    }
    if (v[2]->v >= v[1]->v)
        return;
    first = v[2];
    v[2] = v[1];
    v[1] = first;
    if (v[1]->v < v[0]->v) {
        v[1] = v[0];
        v[0] = first;
    }
}

/* The number of lines that contain a shape's texels, and of those that had to be loaded. */
struct texel_lines {
    uint32_t all, loaded;
};

static struct texel_lines load_triangle(struct psx_cost *cost, const struct texels *texels,
                                        const struct psx_vertex *vertices)
{
    const struct psx_vertex *v[3] = {&vertices[0], &vertices[1], &vertices[2]};
    struct texel_lines lines = {0};
    struct texel_edge whole, part;

    sort_by_v(v);
    whole = texel_edge(v[0], v[2]);
    part = texel_edge(v[0], v[1]);
    for (int row = v[0]->v; row < v[2]->v || row == v[0]->v; row++) {
        int u0, u1;

        if (row == v[1]->v)
            part = texel_edge(v[1], v[2]);
        u0 = (whole.u < part.u ? whole.u : part.u) >> 16;
        u1 = ((whole.u < part.u ? part.u : whole.u) - 1) >> 16; /* as for pixels, without the end */
        u1 = u1 < u0 ? u0 : u1;
        lines.loaded += load_lines(cost, texels, u0, u1, row);
        lines.all += (uint32_t)(u1 / texels->line - u0 / texels->line) + 1;
        whole.u += whole.step;
        part.u += part.step;
    }
    return lines;
}

struct triangle {
    uint32_t rows, area; /* in pixels, before clipping; 0 if it is not drawn */
};

/*
 * Returns, in 1/256, how much of a triangle is in rows of pixels that cross more columns or rows of
 * texels than the cache holds at the same time. `room` is how many it holds, `widest` how many the
 * widest row of pixels crosses.
 */
static uint32_t overflow(int room, int64_t widest)
{
    uint32_t inside = widest <= room ? 256 : (uint32_t)(256 * (int64_t)room / widest);
    uint32_t outside = (256 - inside) * (256 - inside) * 2 / 256;

    return outside < 256 ? outside : 256;
}

/*
 * A row of pixels that goes down the texture crosses more rows of texels than the cache has. After
 * texels->rows rows of texels, it is in the same row of slots again, and replaces lines there if it
 * also meets the same slots. Returns how far it does: 16 if it comes back to the same slot, 0 if it
 * is a slot or more beside it. That follows from how far the row of pixels has moved in U
 * meanwhile.
 */
static uint32_t meeting(const struct texels *texels, int64_t across_u, int64_t across_v)
{
    int64_t slots = 16 * (int64_t)texels->row_slots;
    int64_t moved = texels->rows * across_u * 16 / (across_v * texels->line) % slots;
    int64_t apart = moved < slots - moved ? moved : slots - moved;

    return apart < 16 ? (uint32_t)(16 - apart) : 0;
}

/* Returns approximately how many lines contain a triangle of texels. */
static uint32_t lines_of_triangle(const struct texels *texels, const struct psx_vertex *v)
{
    int du10 = v[1].u - v[0].u, dv10 = v[1].v - v[0].v;
    int du21 = v[2].u - v[1].u, dv21 = v[2].v - v[1].v;
    int rows = larger(larger(abs(dv10), abs(dv21)), abs(dv10 + dv21)) + 1;

    return (uint32_t)(abs(du10 * dv21 - du21 * dv10) / 2 / texels->line + rows);
}

/*
 * Loads a shape with more lines than the cache holds. The cache counts as empty afterwards: only
 * the last lines stay in it, and no later shape begins with those. Returns how many lines are
 * loaded.
 */
static uint32_t load_many(struct psx_cost *cost, const struct texels *texels, uint32_t lines)
{
    drop_texels(cost);
    return lines < texels->behind ? lines : texels->behind;
}

/*
 * Returns how many lines a triangle loads:
 *
 * 1. `entered`: how often its rows of pixels enter another line, from how far they cross U and V
 *    (the planes of psx-gpu.md 5). No more lines than that are loaded. For a texture that is drawn
 *    far smaller than it is, this is the result.
 * 2. `lines`: how many lines the triangle of texels has, and how many of them are not in the cache.
 *    load_triangle() looks each of them up; if there are more than MANY_LINES, all count as new.
 * 3. Of a texture that is drawn smaller, only the part `entered` / `lines.all` of those is loaded.
 * 4. Where a row of pixels crosses more texels than the cache holds at the same time, the next row
 *    loads the lines again: the part `again` of the lines entered beyond those of step 3.
 */
static uint32_t triangle_lines(struct psx_cost *cost, const struct texels *texels,
                               const struct psx_vertex *v, const struct triangle *triangle)
{
    int dy10 = v[1].y - v[0].y, dy21 = v[2].y - v[1].y, rows = (int)triangle->rows;
    int across_u = abs((v[1].u - v[0].u) * dy21 - (v[2].u - v[1].u) * dy10);
    int across_v = abs((v[1].v - v[0].v) * dy21 - (v[2].v - v[1].v) * dy10);
    uint32_t entered = (uint32_t)(rows + (across_u / texels->line + across_v) / 2);
    uint32_t again = overflow(texels->columns, across_u / larger(across_v, rows));
    uint32_t again_v = overflow(texels->rows, across_v / rows);
    struct texel_lines lines = {lines_of_triangle(texels, v), 0};

    if (entered > triangle->area)
        entered = triangle->area;
    if (lines.all / FAR_SMALLER > entered)
        return entered;
    if (lines.all > MANY_LINES)
        lines.loaded = load_many(cost, texels, lines.all);
    else
        lines = load_triangle(cost, texels, v);
    if (again_v > 0)
        again_v = again_v * meeting(texels, across_u, across_v) / 16;
    if (again < again_v)
        again = again_v;
    if (entered < lines.all)
        lines.loaded = (uint32_t)((uint64_t)lines.loaded * entered / lines.all);
    if (entered > lines.loaded)
        lines.loaded += (entered - lines.loaded) * again / 256;
    return lines.loaded;
}

/*
 * Returns how many lines the visible part of a rectangle loads. Each row of its pixels is a row of
 * texels.
 */
static uint32_t rectangle_lines(struct psx_cost *cost, const struct texels *texels,
                                const struct psx_draw *draw, const struct psx_box *box,
                                uint32_t rows)
{
    int x, y, u, v;
    uint32_t of_row, lines = 0;

    psx_draw_origin(draw, &cost->gpu.state.registers, &x, &y);
    u = draw->vertex[0].u + (draw->flip_x ? x + 1 - box->x - box->width : box->x - x);
    v = draw->vertex[0].v;
    of_row = (uint32_t)((box->width + (u & (texels->line - 1)) + texels->line - 1) / texels->line);
    if (box->width > texels->columns) {
        drop_texels(cost);
        return rows * of_row;
    }
    if (rows * of_row > MANY_LINES)
        return load_many(cost, texels, rows * of_row);
    for (int row = 0; row < (int)rows; row++)
        lines += load_lines(cost, texels, u, u + box->width - 1, draw->flip_y ? v - row : v + row);
    return lines;
}

static bool count_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                      psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct psx_cost *cost = (struct psx_cost *)observer;
    unsigned kind = cost->rows;

    (void)gpu, (void)shade;
    for (int y = job->y0; y < job->y1; y++)
        if (job->left[y] < job->right[y])
            cost->quarters += cost_of_row(kind, (uint32_t)(job->right[y] - job->left[y]));
    return false;
}

void psx_cost_begin(struct psx_cost *cost, uint32_t lines)
{
    memset(cost, 0, sizeof(*cost));
    cost->observer.job = count_job;
    cost->gpu.observer = &cost->observer;
    cost->gpu.ops = &psx_raster_ops_c;
    cost->gpu.lines = lines;
    cost->loads = 1u << LINE_BITS;
}

/* Shapes. */

static bool reads_back(const struct psx_cost *cost, const struct psx_draw *draw)
{
    return draw->semi || (cost->gpu.state.registers.e[6] & 2);
}

static struct triangle triangle_of(const struct psx_vertex *v)
{
    int dx10 = v[1].x - v[0].x, dy10 = v[1].y - v[0].y;
    int dx21 = v[2].x - v[1].x, dy21 = v[2].y - v[1].y;
    int area = abs(dx10 * dy21 - dx21 * dy10);

    if (area == 0 || psx_span_too_large(dx10, dy10) || psx_span_too_large(dx21, dy21) ||
        psx_span_too_large(dx10 + dx21, dy10 + dy21))
        return (struct triangle){0};
    return (struct triangle){(uint32_t)larger(larger(abs(dy10), abs(dy21)), abs(dy10 + dy21)),
                             (uint32_t)(area + 1) / 2};
}

/*
 * Returns the cost of the set-up, and of the rows from the uppermost vertex to the lowest, which
 * the GPU walks wherever they are.
 */
static uint32_t cost_of_triangle(const struct psx_draw *draw, const struct triangle *triangle)
{
    return TRIANGLE + (draw->textured ? TRIANGLE_TEXTURED : 0) +
           (draw->gouraud ? TRIANGLE_GOURAUD : 0) + ANY_ROW * triangle->rows;
}

static void use_texture(struct psx_cost *cost, const struct psx_draw *draw,
                        const struct psx_state *before)
{
    struct psx_clut_key latched = before->clut;

    if (!draw->textured)
        return;
    use_page(cost, draw);
    if (psx_clut_key_latch(&latched, psx_registers_palette(&before->registers, draw->clut),
                           draw->depth))
        cost->quarters += PALETTE_ENTRY * (uint32_t)latched.entries;
}

static void add_lines(struct psx_cost *cost, uint64_t lines)
{
    cost->texel_lines += lines;
    cost->quarters += TEXEL_LINE * lines;
}

/* Returns how many of the `rows` rows from y on are drawn: those that 480i does not skip. */
static uint32_t drawn_rows(const struct psx_cost *cost, uint32_t y, uint32_t rows)
{
    int parity = psx_raster_skipped_parity(&cost->gpu);

    if (parity < 0)
        return rows;
    return (y & 1) == (uint32_t)parity ? rows / 2 : (rows + 1) / 2;
}

static void add_rectangle(struct psx_cost *cost, const struct psx_draw *draw)
{
    struct texels texels;
    struct psx_box box;
    uint32_t rows;

    cost->quarters += draw->width > 0 ? ANY_ROW * draw->height : 0;
    if (psx_draw_box(draw, &cost->gpu.state.registers, &box) != PSX_CULL_NO)
        return;
    rows = drawn_rows(cost, (uint32_t)box.y, (uint32_t)box.height);
    cost->pixels += (uint64_t)rows * (uint32_t)box.width;
    cost->quarters +=
        (uint64_t)rows * cost_of_row(RECTANGLE + reads_back(cost, draw), (uint32_t)box.width);
    if (!draw->textured)
        return;
    texels_begin(cost, draw, &texels);
    add_lines(cost, rectangle_lines(cost, &texels, draw, &box, rows));
}

/* Returns whether all of a polygon's rows are complete, and none is skipped. */
static bool is_whole(const struct psx_cost *cost, const struct psx_draw *draw)
{
    const struct psx_registers *registers = &cost->gpu.state.registers;
    struct psx_area area = psx_registers_clip(registers);
    int x, y;

    psx_registers_offset(registers, &x, &y);
    for (unsigned i = 0; i < draw->vertex_count; i++)
        if (draw->vertex[i].x + x < area.x0 || draw->vertex[i].x + x > area.x1 + 1 ||
            draw->vertex[i].y + y < area.y0 || draw->vertex[i].y + y > area.y1 + 1)
            return false;
    return psx_raster_skipped_parity(&cost->gpu) < 0;
}

/*
 * Returns the cost of rows whose widths matter only in sum: half of the rows are taken to have an
 * odd width.
 */
static uint32_t cost_of_rows(unsigned kind, const struct triangle *triangle)
{
    uint32_t odd = triangle->rows / 2;

    return row_costs[kind].row * triangle->rows +
           row_costs[kind].pixel * (triangle->area > odd ? triangle->area - odd : 0);
}

/*
 * Where the width of each row matters, or is not known beforehand, the rasterizer sets the rows up.
 * A polygon that is clipped, or skips lines, counts its texels in proportion to the pixels that are
 * left.
 */
static void add_polygon(struct psx_cost *cost, const struct psx_draw *draw)
{
    bool in_sum = (draw->gouraud || draw->textured) && is_whole(cost, draw);
    uint64_t pixels = cost->gpu.pixels, lines = 0;
    uint32_t area = 0;
    struct texels texels;

    cost->rows = (draw->gouraud || draw->textured ? RICH : FLAT) + reads_back(cost, draw);
    if (!in_sum)
        psx_raster_draw(&cost->gpu, draw);
    pixels = in_sum ? UINT32_MAX : cost->gpu.pixels - pixels;
    if (draw->textured && pixels > 0)
        texels_begin(cost, draw, &texels);
    for (unsigned half = 0; half + 3 <= draw->vertex_count; half++) {
        struct triangle triangle = triangle_of(&draw->vertex[half]);

        cost->quarters += cost_of_triangle(draw, &triangle);
        if (in_sum)
            cost->quarters += cost_of_rows(cost->rows, &triangle);
        area += triangle.area;
        if (draw->textured && pixels > 0 && triangle.area > 0)
            lines += triangle_lines(cost, &texels, &draw->vertex[half], &triangle);
    }
    cost->pixels += pixels < area ? pixels : area;
    add_lines(cost, pixels < area ? lines * pixels / area : lines);
}

static void add_line(struct psx_cost *cost, const struct psx_draw *draw)
{
    int dx = abs(draw->vertex[1].x - draw->vertex[0].x);
    int dy = abs(draw->vertex[1].y - draw->vertex[0].y);
    uint32_t pixels = (uint32_t)(dx > dy ? dx : dy) + 1;
    uint32_t row = dy == 0 || dy < dx       ? LINE_ROW
                   : reads_back(cost, draw) ? LINE_STEEP_ROW_READ
                                            : LINE_STEEP_ROW;
    struct psx_box box;

    cost->quarters += LINE + (draw->gouraud ? LINE_GOURAUD : 0);
    if (psx_span_too_large(dx, dy))
        return;
    cost->quarters += pixels * (dy == 0 ? LINE_LEVEL_PIXEL : LINE_PIXEL);
    cost->pixels += pixels;
    if (psx_draw_box(draw, &cost->gpu.state.registers, &box) == PSX_CULL_NO)
        cost->quarters += row * drawn_rows(cost, (uint32_t)box.y, (uint32_t)box.height);
}

static uint32_t cost_of_fill(const struct psx_cost *cost, const struct psx_draw *fill)
{
    uint32_t rows = drawn_rows(cost, fill->y, fill->height);

    if (fill->width == 0)
        return FILL_EMPTY_ROW * rows;
    return (FILL_ROW + FILL_CHUNK * (fill->width / CHUNK)) * rows;
}

static uint32_t cost_of_copy(const struct psx_cost *cost, const struct psx_draw *copy)
{
    uint32_t row = 78 + 5 * copy->width;

    if (cost->gpu.state.registers.e[6] & 2)
        row = copy->width < CHUNK ? 89 + 6 * copy->width
                                  : 4 * copy->width + 102 * ((copy->width + CHUNK - 1) / CHUNK);
    return row * copy->height;
}

static void add_command(struct psx_cost *cost, const struct psx_draw *draw,
                        const struct psx_state *before)
{
    switch (draw->kind) {
    case GP0_POLYGON:
        use_texture(cost, draw, before);
        add_polygon(cost, draw);
        break;
    case GP0_RECTANGLE:
        use_texture(cost, draw, before);
        add_rectangle(cost, draw);
        break;
    case GP0_LINE:
    case GP0_POLYLINE:
        add_line(cost, draw);
        break;
    case GP0_FILL:
        cost->quarters += cost_of_fill(cost, draw);
        break;
    case GP0_COPY:
        cost->quarters += cost_of_copy(cost, draw);
        drop_texels(cost);
        break;
    case GP0_READ:
        cost->quarters += CYCLE * psx_cost_transfer(((uint64_t)draw->width * draw->height + 1) / 2);
        drop_texels(cost);
        break;
    case GP0_UPLOAD:
    case GP0_CLEAR_CACHE:
        drop_texels(cost);
        break;
    default:
        break;
    }
}

static bool takes_time(enum psx_gp0_kind kind)
{
    return kind != GP0_NOP && kind != GP0_UNKNOWN && kind != GP0_IRQ && kind != GP0_ENVIRONMENT;
}

uint64_t psx_cost_event(struct psx_cost *cost, const struct psx_gp0_event *event,
                        const struct psx_state *before)
{
    struct psx_gp0_event line;
    struct psx_draw draw;

    if (event->type == GP0_EVENT_DATA)
        return psx_cost_transfer(event->data_words);
    if ((event->type != GP0_EVENT_COMMAND && event->type != GP0_EVENT_SEGMENT) ||
        !takes_time(psx_gp0_table[event->op].kind))
        return 0;
    cost->quarters = 0;
    cost->gpu.state.registers = before->registers;
    if (event->type == GP0_EVENT_SEGMENT) {
        psx_state_segment(before, event, &line);
        event = &line;
    }
    psx_draw_decode(event, &before->registers, &draw);
    add_command(cost, &draw, before);
    return (cost->quarters + CYCLE - 1) / CYCLE;
}

void psx_cost_gp1(struct psx_cost *cost, uint32_t word)
{
    if ((word >> 24 & 0x3F) <= 1)
        drop_texels(cost);
}

uint32_t psx_cost_frame(uint32_t mode)
{
    /*
     * NTSC: 263 lines, interlaced 262.5, of 3412.5 cycles of 53.693182 MHz; PAL: 314 or 312.5
     * of 3405 cycles of 53.203425 MHz.
     */
    static const uint32_t cycles[2][2] = {{566121, 565044}, {680624, 677372}};

    return cycles[(mode & PSX_MODE_PAL) != 0][(mode & PSX_MODE_INTERLACED) != 0];
}
